/** What the rig cannot decide by itself, with the picture it is about. */

import { cardName } from "../cards.js";
import { button, h } from "../dom.js";
import { may } from "../rig.js";
import { t } from "../words.js";
import { correcting } from "./correcting.js";
import { newest } from "./events.js";
import { picture } from "./laid-card.js";

/** The last picture that was not taken into the game, and why. @param {any} game */
export const refused = ({ refused: last }) => last && h("p", { class: "state look", "data-refused": last.code }, last.message);

/** @param {any} view */
export const asks = (view) => view.game.asks.map((/** @type {any} */ one) => asked(view, one));

/** @param {any} view @param {any} one */
function asked(view, { event: id, reason }) {
  const event = view.game.events.find((/** @type {any} */ other) => other.id === id);
  const isShown = newest(view.game.events)[0]?.id === id;
  return h("section", { class: "card asked", "data-asked": id }, h("h2", {}, h("span", { class: "sign doubt", "aria-hidden": "true" }, "?"), t("game.asks")),
    h("p", {}, reason),
    event && !isShown && picture(view, event, "ask"),
    event?.card && may("player") && [
      h("div", { class: "row" }, button(t("game.correct.right", { card: cardName(event.card) }), () => view.name(event, event.card), { class: "main", "data-key": `right-${id}` })),
      correcting(view, event)]);
}
