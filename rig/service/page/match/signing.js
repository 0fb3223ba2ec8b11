/** Who agrees with a round's score, who does not, and for whom this phone signs. */

import { cardName } from "../cards.js";
import { button, h } from "../dom.js";
import { ask, get, may, post, rig } from "../rig.js";
import { tell, tellTrouble } from "../told.js";
import { t } from "../words.js";

/** @param {any} view @param {any} round */
export function signing(view, round) {
  const names = round.signatures.map(signer);
  const said = names.length > 0 && h("p", { class: "state fine" }, t("signed-by", { who: names.join(", ") }));
  const disputes = round.disagreements.map((/** @type {any} */ one) => dispute(view, round, one));
  if (round.state === "signed") return [said, disputes];
  if (!may("player") || round.frame_version === null) return [said, disputes];
  // Who has signed and who disagrees stands below: all do so at about the same time, and what they say
  // would else move the button away from under the others' fingers.
  return [h("h3", {}, t("sign.title")), h("div", { class: "row" }, buttons(view, round)),
    disputes, said, seatPart(view), disagreePart(view, round)];
}

/** @param {any} one a signature */
function signer({ player, by }) {
  const name = player === "*" ? t("whole-table") : player;
  return by && rig.me.network ? t("sign.by", { name, by }) : name;
}

/** The players that this phone signs for. @param {any} view @returns {string[]} */
const own = (view) => view.match.players.filter((/** @type {any} */ one) => one.phone !== null && one.phone === rig.me.phone)
  .map((/** @type {any} */ one) => one.name);

/** @param {any} view @param {any} round */
function buttons(view, round) {
  const mine = own(view);
  const sign = (/** @type {string | null} */ player) => view.act(async () => {
    const now = await post(`/matches/${round.match}/rounds/${round.number}/sign`, { frame_version: round.frame_version, player });
    if (now.state === "signed") tell(t("round.now-signed", { n: round.number }));
  });
  const others = round.waiting_for.filter((/** @type {string} */ name) => !mine.includes(name));
  const isHere = !rig.me.network;
  const waits = others.length > 0 && !isHere && h("p", { class: "faint" }, t("sign.waits", { who: others.join(", ") }));
  return [
    round.waiting_for.filter((/** @type {string} */ name) => mine.includes(name) || isHere)
      .map((/** @type {string} */ name) => button(t("sign.as", { name }), () => sign(name), { class: isHere ? "" : "main" })),
    may("admin") && button(t("sign.table"), () => sign(null), { class: isHere ? "main" : "", "data-sign": "table" }),
    waits,
    may("admin") && !isHere && others.map((/** @type {string} */ name) => button(t("sign.for", { name }),
      () => confirm(t("sign.for.sure", { name })) && sign(name))),
  ];
}

/** Which player this phone is, where its name does not tell. @param {any} view */
function seatPart(view) {
  if (!rig.me.network) return null;
  const mine = own(view);
  const held = view.match.players.filter((/** @type {any} */ one) => one.phone !== null);
  const freeing = may("admin") && held.length > 0 && h("details", { "data-fix": "seats" }, h("summary", { "data-key": "seats" }, t("seats")),
    h("div", { class: "row" }, held.map(({ name, phone_name }) => button(t("seat.free", { name, phone: phone_name }),
      () => confirm(t("seat.free.sure", { name })) && view.act(() => ask("DELETE", `/matches/${view.match.id}/seat?player=${encodeURIComponent(name)}`)), { class: "danger" }))));
  if (mine.length) return [h("p", { class: "faint" }, t("seat.is", { name: mine.join(" & ") })), freeing];
  const free = view.match.players.filter((/** @type {any} */ one) => one.phone === null);
  return [freeing, asking(view, held), free.length > 0 && h("details", { "data-fix": "seat", open: true }, h("summary", { "data-key": "seat" }, t("seat.which")),
    h("div", { class: "row" }, free.map(({ name }) => button(t("seat.take", { name }),
      () => view.act(() => ask("PUT", `/matches/${view.match.id}/seat`, { player: name }))))))];
}

/** Asking for the seat of a player who has another phone. @param {any} view @param {any[]} held */
function asking(view, held) {
  return held.length > 0 && h("details", { "data-fix": "seat-ask" }, h("summary", { "data-key": "seat-ask" }, t("seat.other")),
    h("div", { class: "row" }, held.map(({ name }) => button(t("seat.ask", { name }), () => view.act(async () => {
      await post(`/matches/${view.match.id}/seat/ask`, { player: name });
      tell(t("seat.asked", { name }));
    })))));
}

/** @param {any} view @param {any} round @param {any} one a disagreement */
function dispute(view, round, one) {
  const isOwn = own(view).includes(one.player) || one.player === rig.me.name;
  const settle = () => view.act(() => post(`/matches/${round.match}/rounds/${round.number}/disagreements/${one.number}/settle`));
  const how = one.settled_at && t(one.overruled ? "disagree.overruled" : "disagree.settled", { who: one.settled_by });
  return h("div", { class: "dispute", "data-dispute": one.number },
    h("p", { class: one.settled_at ? "state none" : "state lost" }, t("disagree.said", { name: one.player, reason: one.reason }), how && ` (${how})`),
    h("div", { class: "row" },
      one.card !== null && round.frame && h("a", { class: "button", href: `#/photo/${round.frame}?card=${one.card}` }, t("disagree.see")),
      !one.settled_at && round.state === "ended" && [
        isOwn && button(t("disagree.settle"), settle, { class: "main" }),
        !isOwn && may("admin") && button(t("disagree.overrule"), () => confirm(t("disagree.overrule.sure", { name: one.player })) && settle(), { class: "danger" }),
      ]),
    !one.settled_at && h("p", { class: "faint" }, t("disagree.open")));
}

/** @param {any} view @param {any} round */
function disagreePart(view, round) {
  const typed = (view.typed ??= { why: "", card: "" });
  const why = h("textarea", { id: `why-${round.number}`, "data-key": `why-${round.number}`, maxlength: 300, rows: 3, value: typed.why,
    oninput: () => { typed.why = why.value; } });
  const which = h("select", { id: `which-${round.number}`, "data-key": `which-${round.number}`, onchange: () => { typed.card = which.value; } }, h("option", { value: "" }, t("disagree.no-card")));
  const load = () => which.options.length === 1 && get(`/frames/${round.frame}/reading`).then(({ cards }) => {
    const named = cards.map((/** @type {any} */ card) => [cardName(card), card.id]).sort();
    which.append(...named.map((/** @type {any[]} */ [name, id]) => h("option", { value: id }, name)));
    which.value = typed.card;
  }, tellTrouble);
  const send = () => why.value.trim() && view.act(async () => {
    await post(`/matches/${round.match}/rounds/${round.number}/disagree`,
      { frame_version: round.frame_version, reason: why.value.trim(), card: which.value === "" ? null : Number(which.value) });
    view.typed = null;
    // Drawn anew meanwhile, perhaps, as the others hear of it too.
    view.root.querySelector(`[data-fix="disagree-${round.number}"]`)?.removeAttribute("open");
  });
  return h("details", { "data-fix": `disagree-${round.number}`, ontoggle: load },
    h("summary", { "data-key": `disagree-${round.number}` }, t("disagree")),
    h("label", { class: "field", for: why.id }, t("disagree.why"), why),
    h("label", { class: "field", for: which.id }, t("disagree.card"), which),
    button(t("disagree.send"), send, { class: "main" }));
}
