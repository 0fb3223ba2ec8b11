/** Who is to play, what the rig is doing, and how the colours stand. */

import { chip } from "../cards.js";
import { h, icon } from "../dom.js";
import { colourName, t } from "../words.js";
import { isLaidOut } from "./events.js";

const ICONS = {
  watching: "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 3a4 4 0 1 0 .01 0z",
  reading: "M4 10.5h3v3H4zM10.5 10.5h3v3h-3zM17 10.5h3v3h-3z",
  waiting: "M7 11V5a1.4 1.4 0 0 1 2.8 0v5h.7V3.4a1.4 1.4 0 0 1 2.8 0V10h.7V4.6a1.4 1.4 0 0 1 2.8 0V11h.7V7.6a1.3 1.3 0 0 1 2.6 0V15c0 4-3 7-6.8 7C9 22 7.6 19.6 3.8 14.200a1.5 1.5 0 0 1 2.3-1.900z",
  disturbed: "M12 2 23 21H1zM11 9v6h2V9zM11 17v2h2v-2z",
  off: "M7 5h4v14H7zM13 5h4v14h-4z",
};

/** @param {any} game */
export const doingLine = (game) => {
  const doing = game.ended ? "ended" : game.doing;
  return h("p", { class: `doing ${doing}`, "data-doing": doing },
    icon(ICONS[/** @type {"off"} */ (doing)] ?? ICONS.off), h("span", {}, t(isLaidOut(game) && doing === "watching" ? "game.doing.laid-out" : `game.doing.${doing}`)));
};

/** @param {any} view */
export function turnLine({ game, names, clock }) {
  if (!game.following || game.ended || !game.turn || isLaidOut(game)) return null;
  return h("p", { class: "turn", "data-turn": game.turn }, chip(game.turn), h("span", {}, t("game.turn", { who: who(names, game.turn) })), clock.element);
}

/** @param {Map<string, string>} names of the players by colour @param {string} colour */
const who = (names, colour) => (names.has(colour) ? `${names.get(colour)} (${colourName(colour)})` : colourName(colour));

/** Colours in the order of play: cards in hand and points. @param {any} view */
export function standing({ game, names }) {
  const colours = game.players.length ? game.players : Object.keys(game.scores ?? game.cards_left ?? {});
  if (!colours.length) return null;
  const open = new Set(game.open_scores);
  const points = (/** @type {string} */ colour) => h("td", { class: "points" }, h("strong", {}, game.scores[colour] ?? 0),
    open.has(colour) && h("span", { class: "unsure", role: "img", "aria-label": t("sure.no") }, "?"));
  return h("section", { class: "card standing" }, h("table", { class: "scores" },
    h("caption", {}, t(game.scores ? "game.scores" : "game.scores.hidden")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("game.colour")), h("th", { scope: "col" }, t("game.left")), game.scores && h("th", { scope: "col" }, t("game.points")))),
    h("tbody", {}, colours.map((/** @type {string} */ colour) => h("tr", { "data-colour": colour, class: colour === game.turn ? "to-play" : false },
      h("th", { scope: "row" }, h("div", {}, chip(colour), h("span", {}, names.get(colour) ?? colourName(colour), names.has(colour) && h("small", {}, colourName(colour))))),
      h("td", { class: "left" }, game.cards_left?.[colour] ?? "–"), game.scores && points(colour))))),
  game.scores && open.size > 0 && h("p", { class: "state look" }, t("game.scores.unsure")));
}
