/** Everything that was said, the newest first; each opens to its picture and can be corrected. */

import { cardName, chip } from "../cards.js";
import { h } from "../dom.js";
import { may } from "../rig.js";
import { number, t, time } from "../words.js";
import { correcting } from "./correcting.js";
import { isSaid, lying } from "./events.js";
import { notes, picture, reasons } from "./laid-card.js";
import { verdictOf, verdictSign, verdictWord, why } from "./verdict.js";

/** @param {any} view */
export function gameHistory(view) {
  const { events } = view.game;
  const said = events.filter(isSaid).reverse();
  const table = lying(events);
  return h("section", { class: "card game-history" }, h("h2", {}, t("game.history")),
    said.length ? h("ol", { class: "list", reversed: true }, said.map((/** @type {any} */ event) => line(view, event, table))) : h("p", {}, t("game.history.none")));
}

/** @param {any} view @param {any} event @param {Map<number, any>} table */
function line(view, event, table) {
  const verdict = verdictOf(event);
  const isOpen = view.opened.has(event.id);
  const key = `event-${event.id}`;
  const summary = h("summary", { "data-key": key }, verdictSign(verdict), event.card && chip(event.card.colour),
    h("span", {}, event.card ? cardName(event.card) : t("game.table"),
      h("small", {}, [verdictWord(verdict), event.event !== "laid" && event.card && event.event !== verdict.kind && t(`game.is.${event.event}`),
        event.out_of_turn && t("game.out-of-turn"), event.late_s && t("game.late.short", { s: number(event.late_s, 1) }), time(event.at)].filter(Boolean).join(" · "))));
  const details = h("details", { "data-event": event.id, "data-kind": event.event, "data-status": verdict.kind, open: isOpen, ontoggle: () => {
    if (details.open === view.opened.has(event.id)) return;
    if (details.open) view.opened.add(event.id);
    else view.opened.delete(event.id);
    view.render();
  } }, summary, isOpen && opened(view, event, table));
  return h("li", {}, details);
}

/** @param {any} view @param {any} event @param {Map<number, any>} table */
function opened(view, event, table) {
  const isLast = event.card && table.get(event.card.id)?.id === event.id;
  const said = event.message && h("p", { class: "said" }, event.message);
  return h("div", { class: "opened" }, said, notes(event),
    (isLast && reasons(view, event, table, "history")) || [h("p", {}, why(event, table).join(" · ")), picture(view, event, "history")],
    event.frame_id && h("a", { class: "button", href: `#/photo/${event.frame_id}` }, t("round.see")),
    event.card && event.event !== "taken_back" && may("player") && !view.game.ended && correcting(view, event));
}
