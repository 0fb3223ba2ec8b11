/** What to look at: illegal placements and doubts, one after the other, each with its answers. */

import { cardName, chip } from "./cards.js";
import { cardPanel, lookedUp } from "./card-panel.js";
import { button, h } from "./dom.js";
import { middle } from "./places.js";
import { may } from "./rig.js";
import { colourName, known, number, signed, t } from "./words.js";

/**
 * @typedef {object} Trouble
 * @property {string} key
 * @property {"illegal" | "doubt"} sort
 * @property {number | null} card
 * @property {[number, number]} at
 * @property {any} item of the reading
 */

/** @param {any} reading @returns {Trouble[]} those that can change the score first */
export function troubles(reading) {
  const doubts = reading.doubts.map((/** @type {any} */ item) => (
    { key: item.key, sort: "doubt", card: item.card, at: item.at_px, item }));
  const illegal = reading.illegal.flatMap((/** @type {any} */ item) => {
    const card = lookedUp(reading, item.card);
    return card ? [{ key: `illegal-${item.card}`, sort: "illegal", card: item.card,
      at: middle(card.outline_px), item }] : [];
  });
  const weight = (/** @type {Trouble} */ one) => (one.sort === "illegal" ? 1 : changes(one.item) ? 2 : 0);
  return [...doubts, ...illegal].sort((a, b) => weight(b) - weight(a));
}

/** @param {any} doubt what it could change, in words */
function changes(doubt) {
  const by = Object.keys(doubt.changes_scores_without_illegal_by).length
    ? doubt.changes_scores_without_illegal_by : doubt.changes_scores_by;
  return Object.entries(by).map(([name, dots]) => `${colourName(name)} ${signed(Number(dots))}`).join(", ");
}

/** @param {any} item */
function offsets({ offset_mm: mm, offset_deg: deg }) {
  return [mm !== null && mm !== undefined && `${number(mm, 1)} mm`,
    deg !== null && deg !== undefined && `${number(deg, 1)}°`].filter(Boolean).join(", ");
}

/** @param {any} reading @param {Trouble} trouble */
function title(reading, trouble) {
  const card = trouble.card === null ? null : lookedUp(reading, trouble.card);
  const kind = trouble.sort === "illegal" ? known(`rule.${trouble.item.rule}`, trouble.item.rule)
    : known(`doubt.${trouble.item.kind}`, trouble.item.kind);
  return card ? t("named", { a: cardName(card), b: kind }) : kind;
}

/** @param {any} reading @param {Trouble} trouble */
function detail(reading, { sort, item }) {
  if (sort === "illegal") {
    const on = item.on.map((/** @type {number} */ id) => lookedUp(reading, id)).filter(Boolean).map(cardName).join(", ");
    return [on && t("on", { on }), offsets(item)].filter(Boolean).join(", ");
  }
  const by = changes(item);
  return [item.kind === "verdict" && offsets(item), by ? t("changes", { by }) : t("changes.none")]
    .filter(Boolean).join(" · ");
}

/** @param {any} view */
export function checkPanel(view) {
  const all = troubles(view.reading);
  const at = all.findIndex((one) => one.key === view.trouble);
  if (at < 0) return list(view, all);
  const trouble = all[at];
  const card = trouble.card === null ? null : lookedUp(view.reading, trouble.card);
  const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) =>
    h("button", { type: "button", "data-key": `step${by}`, "aria-label": label, disabled: !all[at + by],
      onclick: () => view.chooseTrouble(all[at + by]) }, sign);
  return [
    h("div", { class: "head" },
      button(t("close"), () => { view.tab = "check"; view.leave(); }, { class: "plain" }),
      h("span", {}, `${at + 1} / ${all.length}`), step(-1, "‹", t("previous")), step(1, "›", t("next"))),
    h("div", { class: `notice ${trouble.sort}` },
      h("h2", {}, title(view.reading, trouble)), h("p", {}, detail(view.reading, trouble)),
      h("p", { class: "faint" }, trouble.item.reason ?? trouble.item.message)),
    may("player") && h("div", { class: "row" }, answers(view, trouble, card)),
    card && cardPanel(view, card, true),
  ];
}

/** @param {any} view @param {Trouble} trouble @param {any} card */
function answers(view, { sort, item }, card) {
  const rule = (/** @type {boolean} */ legal) => button(t(legal ? "call.legal" : "call.illegal"),
    () => view.correct({ kind: "verdict", card: card.id, legal }, t(legal ? "did.legal" : "did.illegal", { card: cardName(card) })));
  if (sort === "illegal") return card && rule(true);
  if (item.kind === "verdict" && card) return [rule(true), rule(false)];
  return [
    button(t("settle"), () => view.correct({ kind: "settle", doubt: item.key }, t("did.settle")), { class: "main" }),
    item.kind === "missing" && button(t("add"), () => view.enter("add")),
  ];
}

/** @param {any} view @param {Trouble[]} all */
function list(view, all) {
  const edge = view.reading.play_area_mm === null && h("p", { class: "faint" }, t("check.no-edge"));
  if (!all.length) return [h("p", { class: "state fine" }, t("check.none")), edge];
  return [h("ul", { class: "list" }, all.map((one) => {
    const card = one.card === null ? null : lookedUp(view.reading, one.card);
    return h("li", {}, h("button", { type: "button", class: `line ${one.sort}`, "data-trouble": one.key,
      onclick: () => view.chooseTrouble(one) },
    h("span", { class: `sign ${one.sort}`, "aria-hidden": "true" }, one.sort === "illegal" ? "✕" : "?"),
    card && chip(card.colour),
    h("span", {}, title(view.reading, one), h("small", {}, detail(view.reading, one)))));
  })), edge];
}
