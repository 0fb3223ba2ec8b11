/** Scores as a table: symbol, colour, who plays it, points, and what illegal cards change. */

import { chip } from "../cards.js";
import { h } from "../dom.js";
import { colourName, t } from "../words.js";

/** @typedef {{colour: string, players?: string[], points: number | null, lies?: number | null, total?: number}} Line */

/**
 * @param {Line[]} lines
 * @param {{leaders?: string[], caption: string, sure?: boolean | null}} options not sure: a doubt could change the points
 */
export function scoreTable(lines, { leaders = [], caption, sure = true }) {
  const most = Math.max(1, ...lines.map((line) => line.points ?? 0));
  const sorted = [...lines].sort((a, b) => (b.points ?? -1) - (a.points ?? -1));
  return h("table", { class: "scores" },
    h("caption", {}, caption),
    h("tbody", {}, sorted.map((line) => scoreRow(line, most, leaders.includes(line.colour), sure !== false))),
  );
}

/** @param {Line} line @param {number} most @param {boolean} leads @param {boolean} sure */
function scoreRow(line, most, leads, sure) {
  const differs = line.lies !== undefined && line.lies !== null && line.lies !== line.points;
  const players = line.players?.length ? line.players.join(" & ") : "";
  return h("tr", { class: leads ? "leads" : false, "data-colour": line.colour },
    h("th", { scope: "row" }, h("div", {}, chip(line.colour),
      h("span", {}, players || colourName(line.colour), players && h("small", {}, colourName(line.colour))))),
    h("td", { class: "bar" }, h("meter", { min: 0, max: most, value: line.points ?? 0, "aria-hidden": "true" })),
    h("td", { class: "points" },
      h("strong", {}, line.points ?? "–"),
      !sure && line.points !== null && h("span", { class: "unsure", role: "img", "aria-label": t("sure.no") }, "?"),
      leads && h("span", { class: "star", "aria-label": t("leads") }, "★"),
      differs && h("small", {}, t("score.lies", { n: line.lies }))),
    line.total !== undefined && h("td", { class: "total" }, h("small", {}, t("total")), line.total),
  );
}

/** @param {any} reading @returns {Line[]} */
export const linesOf = (reading) =>
  Object.keys(reading.scores).map((colour) => ({
    colour,
    points: reading.scores_without_illegal[colour] ?? 0,
    lies: reading.scores[colour],
  }));

/** @param {any} reading whether no player's card lies on the table */
export const isBare = (reading) => Object.keys(reading.scores).length === 0;

/** @param {any} reading */
const bareLine = (reading) => {
  const said = t(reading.cards.length ? "start-alone" : "no-card-lies");
  return reading.sure ? said : `${said} ${t("score.bare.unsure")}`;
};

/** @param {any} reading whether the announced score stands, and how much there is to look at */
export function sureLine(reading) {
  if (isBare(reading)) return h("p", { class: `state ${reading.sure ? "fine" : "look"}` }, bareLine(reading));
  const open = reading.doubts.length + reading.illegal.filter((/** @type {any} */ one) => !one.agreed).length;
  if (!reading.sure_without_illegal) return h("p", { class: "state look" }, t("sure.no"));
  return h("p", { class: "state fine" }, t(open ? "sure.but" : "sure.yes", { n: open }));
}
