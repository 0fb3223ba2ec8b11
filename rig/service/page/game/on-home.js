/** A game that is followed, in short, for whoever opens the page. */

import { cardName, chip } from "../cards.js";
import { h } from "../dom.js";
import { t } from "../words.js";
import { newest } from "./events.js";
import { doingLine } from "./standing.js";
import { verdictOf, verdictSign, verdictWord } from "./verdict.js";

/** @param {any} game null where it is not known */
export function followed(game) {
  if (!game?.following) return null;
  const [event] = newest(game.events);
  const verdict = event && verdictOf(event);
  return h("section", { class: `card laid ${verdict?.look ?? ""}`, "data-followed": event?.id ?? "" }, h("h2", {}, t("game")), doingLine(game),
    event && h("p", { class: "other" }, verdictSign(verdict), event.card && chip(event.card.colour),
      h("span", {}, event.card ? t("named", { a: cardName(event.card), b: verdictWord(verdict) }) : verdictWord(verdict))),
    h("a", { class: "button main", href: "#/game" }, t("game.open")));
}
