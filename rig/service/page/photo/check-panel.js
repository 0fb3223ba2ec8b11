/** What to look at: doubts as questions with their answers, and illegal placements, by card. */

import { cardName, chip, drawnCard, faceName } from "../cards.js";
import { cardPanel, lookedUp } from "./card-panel.js";
import { button, h } from "../dom.js";
import { middle } from "./places.js";
import { may } from "../rig.js";
import { colourName, known, number, signed, t } from "../words.js";

/**
 * @typedef {object} Trouble
 * @property {string} key
 * @property {"illegal" | "doubt"} sort
 * @property {number | null} card
 * @property {[number, number]} at
 * @property {any} item of the reading
 * @property {boolean} isAgreed an illegal card that the players called illegal
 */

/** @param {any} reading @returns {Trouble[]} those of a card together, what can change the score first */
export function troubles(reading) {
  return grouped(reading).flat();
}

/** @param {any} reading what nobody has answered yet */
export const openTroubles = (reading) => troubles(reading).filter((one) => !one.isAgreed);

/** @param {any} reading @returns {Trouble[]} */
function all(reading) {
  const doubts = reading.doubts.map((/** @type {any} */ item) => (
    { key: item.key, sort: "doubt", card: item.card, at: item.at_px, item, isAgreed: false }));
  const illegal = reading.illegal.flatMap((/** @type {any} */ item) => {
    const card = lookedUp(reading, item.card);
    return card ? [{ key: `illegal-${item.card}`, sort: "illegal", card: item.card,
      at: middle(card.outline_px), item, isAgreed: item.agreed }] : [];
  });
  return [...doubts, ...illegal];
}

/** A placement that hangs on a card in doubt stands with that card. @param {any} reading */
function grouped(reading) {
  const found = all(reading);
  const isPlacement = (/** @type {Trouble} */ one) => one.sort === "illegal" || one.item.kind === "verdict";
  const doubted = new Set(found.filter((one) => !isPlacement(one)).map((one) => one.card));
  /** @type {Map<any, Trouble[]>} */
  const groups = new Map();
  for (const one of found) {
    const below = one.card === null ? [] : one.item.on ?? lookedUp(reading, one.card)?.over ?? [];
    const hangsOn = isPlacement(one) && !doubted.has(one.card) ? below.find((/** @type {number} */ id) => doubted.has(id)) : undefined;
    const key = hangsOn ?? one.card ?? one.key;
    groups.set(key, [...groups.get(key) ?? [], one]);
  }
  const weight = (/** @type {Trouble} */ one) => (one.sort === "illegal" ? 1 : changes(one.item) ? 2 : 0);
  const most = (/** @type {Trouble[]} */ group) => Math.max(...group.map(weight));
  return [...groups.values()].sort((a, b) => most(b) - most(a))
    .map((group) => group.sort((a, b) => Number(isPlacement(a)) - Number(isPlacement(b))));
}

/** @param {any} doubt what it could change, in words */
function changes(doubt) {
  const by = Object.keys(doubt.changes_scores_without_illegal_by).length
    ? doubt.changes_scores_without_illegal_by : doubt.changes_scores_by;
  return Object.entries(by).map(([name, dots]) => `${colourName(name)}\u00a0${signed(Number(dots))}`).join(", ");
}

/** @param {any} item */
function offsets({ offset_mm: mm, offset_deg: deg }) {
  return [mm !== null && mm !== undefined && `${number(mm, 1)} mm`,
    deg !== null && deg !== undefined && `${number(deg, 1)}°`].filter(Boolean).join(", ");
}

/** As a sentence. @param {string} said */
const full = (said) => (/[.!?]$/.test(said) ? said : `${said}.`);

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
  const every = troubles(view.reading);
  const trouble = every.find((one) => one.key === view.trouble);
  if (!trouble) return list(view);
  const open = every.filter((one) => !one.isAgreed || one === trouble);
  const at = open.indexOf(trouble);
  const card = trouble.card === null ? null : lookedUp(view.reading, trouble.card);
  const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) =>
    h("button", { type: "button", "data-key": `step${by}`, "aria-label": label, disabled: !open[at + by],
      onclick: () => view.chooseTrouble(open[at + by]) }, sign);
  return [
    h("div", { class: "head" },
      button(t("close"), () => { view.tab = "check"; view.leave(); }, { class: "plain" }),
      h("span", {}, `${at + 1} / ${open.length}`), step(-1, "‹", t("previous")), step(1, "›", t("next"))),
    h("div", { class: `notice ${trouble.sort}` },
      h("h2", {}, title(view.reading, trouble)),
      trouble.sort === "illegal" && h("p", {}, detail(view.reading, trouble)),
      h("p", { class: "faint" }, full(trouble.item.reason ?? trouble.item.message))),
    may("player") ? [trouble.sort === "illegal" ? rulings(view, trouble, card) : answers(view, trouble, card),
      card && h("details", { "data-fix": "other" }, h("summary", { "data-key": "other" }, t("answer.other")), cardPanel(view, card, true))]
      : card && cardPanel(view, card, true),
  ];
}

/** @param {any} view @param {Trouble} trouble @param {any} card */
function rulings(view, { item, isAgreed }, card) {
  if (!card) return null;
  if (!item.judged) view.workOut(item);
  const names = Object.keys(item.answers[0]?.scores_without_illegal ?? {}).filter((name) =>
    ["scores", "scores_without_illegal"].some((key) => item.answers[0][key][name] !== item.answers[1][key][name]));
  const rule = (/** @type {boolean} */ legal) => {
    const after = item.answers.find((/** @type {any} */ one) => one.value === legal);
    return h("button", { type: "button", class: "answer", "data-answer": `legal-${legal}`, "data-key": `legal-${legal}`,
      onclick: () => view.correct({ kind: "verdict", card: card.id, legal }, t(legal ? "did.legal" : "did.illegal", { card: cardName(card) })) },
    h("span", {}, t(legal ? "call.legal" : "call.illegal"), h("small", {}, after ? scoresAfter(after, names) : t("answers.wait"))));
  };
  return h("div", { class: "answers" }, !isAgreed && rule(false), rule(true));
}

/** @param {any} view @param {Trouble} trouble @param {any} card */
function answers(view, { item }, card) {
  if (!item.judged) {
    view.workOut(item);
    return h("p", { class: "faint", role: "status" }, t("answers.wait"));
  }
  const names = Object.keys({ ...item.changes_scores_without_illegal_by, ...item.changes_scores_by });
  const named = item.answers.filter((/** @type {any} */ one) => one.answer !== "other");
  const other = item.answers.find((/** @type {any} */ one) => one.answer === "other");
  const changesMore = other && names.some((name) => ["scores", "scores_without_illegal"].some((key) =>
    named.every((/** @type {any} */ one) => one[key][name] !== other[key][name])));
  return [
    h("div", { class: "answers" }, named.map((/** @type {any} */ one) => h("button", { type: "button", class: "answer",
      "data-answer": `${one.answer}-${one.value}`,
      onclick: () => view.correct({ kind: "answer", doubt: item.key, answer: one.answer, value: one.value },
        t("did.answer", { answer: answerName(view.reading, one) })) },
    one.answer === "face" && card && drawnCard(card.colour, one.value, card.mirrored),
    one.answer === "colour" && chip(one.value),
    h("span", {}, answerName(view.reading, one), h("small", {}, scoresAfter(one, names))))),
    !card && other && item.kind !== "table" && h("button", { type: "button", class: "answer", "data-answer": "other",
      onclick: () => view.enter("add") }, h("span", {}, t(item.kind === "missing" ? "add" : "answer.other"), h("small", {}, t("changes", { by: changes(item) }))))),
    changesMore && (card || item.kind === "table") && h("p", { class: "faint" }, t("answer.or-else", { by: changes(item) })),
  ];
}

/** What somebody says with this answer. @param {any} reading @param {any} one */
export function answerName(reading, { answer, value }) {
  if (answer === "face") return faceName(value);
  if (answer === "colour") return colourName(value);
  if (answer === "over") {
    const card = lookedUp(reading, value);
    return t("answer.over", { card: card ? cardName(card) : t("card.gone", { n: value }) });
  }
  if (answer === "legal") return t(value ? "call.legal" : "call.illegal");
  if (answer === "right") return t("settle");
  return t(`answer.${answer}.${value}`);
}

/** Both scores of the colours that hang on the doubt, as they would be. @param {any} one @param {string[]} names */
function scoresAfter(one, names) {
  if (!names.length) return t("changes.none");
  return names.map((name) => {
    const [points, lies] = [one.scores_without_illegal[name] ?? 0, one.scores[name] ?? 0];
    return `${colourName(name)}\u00a0${points}${lies === points ? "" : ` (${t("score.lies", { n: lies })})`}`;
  }).join(" · ");
}

/** @param {any} view */
function list(view) {
  const { reading } = view;
  const groups = grouped(reading);
  const agreed = groups.flat().filter((one) => one.isAgreed);
  const open = groups.map((group) => group.filter((one) => !one.isAgreed)).filter((group) => group.length);
  const edge = reading.play_area_mm === null && h("p", { class: "faint" }, t("check.no-edge"));
  const line = (/** @type {Trouble} */ one) => {
    const card = one.card === null ? null : lookedUp(reading, one.card);
    return h("li", {}, h("button", { type: "button", class: `line ${one.sort}`, "data-trouble": one.key, "data-key": one.key,
      onclick: () => view.chooseTrouble(one) },
    h("span", { class: `sign ${one.sort}`, "aria-hidden": "true" }, one.sort === "illegal" ? "✕" : "?"),
    card && chip(card.colour),
    h("span", {}, title(reading, one), h("small", {}, detail(reading, one)))));
  };
  const isDone = reading.corrections > 0 || agreed.length > 0;
  return [
    open.length ? h("p", { class: "state look" }, t("check.left", { n: open.flat().length }))
      : h("p", { class: "state fine" }, t(isDone ? "check.done" : "check.none")),
    open.map((group) => h("ul", { class: group.length > 1 ? "list together" : "list" }, group.map(line))),
    agreed.length > 0 && h("details", { "data-fix": "agreed" },
      h("summary", { "data-key": "agreed" }, t("check.agreed", { n: agreed.length })), h("ul", { class: "list" }, agreed.map(line))),
    edge,
  ];
}
