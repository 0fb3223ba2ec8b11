/** What is left to do once the round has ended: look at its picture, sign it, follow the next one. */

import { button, h } from "../dom.js";
import { may } from "../rig.js";
import { isBare, linesOf, scoreTable, sureLine } from "../match/scores.js";
import { t } from "../words.js";

/** @param {any} view */
export function ended(view) {
  const { game, reading } = view;
  return h("section", { class: "card", "data-ended": game.ended },
    h("p", {}, t(game.match ? "game.ended.match" : "game.ended.how")),
    // A round of a match has its own score there, which missing cards make unsure.
    !game.match && reading && !isBare(reading) && [sureLine(reading), scoreTable(linesOf(reading), { caption: t("score.announced"), sure: reading.sure_without_illegal })],
    !game.whole && h("p", { class: "state look" }, t("game.not-whole")),
    h("div", { class: "row" },
      game.match && h("a", { class: "button main", href: `#/match/${game.match}` }, t("round.of-photo", { n: game.round })),
      h("a", { class: "button", href: `#/photo/${game.ended}` }, t("round.look")),
      may("player") && button(t("game.next"), () => view.set(() => ({ following: true })), { "data-key": "next" })));
}
