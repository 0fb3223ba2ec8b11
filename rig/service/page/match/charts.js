/** Small charts, drawn for the eye and told as a table to who cannot see them. */

import { colourOf } from "../cards.js";
import { h, svg } from "../dom.js";

const [WIDTH, HEIGHT, FOOT] = [320, 120, 16];

/**
 * Bars in groups: a group a round, a bar a value.
 * @param {string} title
 * @param {string[]} groups their names, from left to right
 * @param {{name: string, hex?: string, values: (number | null)[]}[]} series
 */
export function barChart(title, groups, series) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const wide = WIDTH / Math.max(1, groups.length);
  const bar = Math.min(28, (wide * 0.85) / series.length);
  const bars = series.flatMap(({ hex, values }, at) => values.map((value, group) => {
    const height = ((value ?? 0) / most) * (HEIGHT - FOOT - 14);
    const x = wide * group + (wide - bar * series.length) / 2 + bar * at;
    return [svg("rect", { class: "bar-of", x: x + 1, y: HEIGHT - FOOT - height, width: Math.max(1, bar - 2), height, ...(hex ? { fill: hex } : {}) }),
      bar >= 14 && value !== null && svg("text", { x: x + bar / 2, y: HEIGHT - FOOT - height - 3, "text-anchor": "middle" }, String(value))];
  }));
  const every = Math.ceil(groups.length / 12);
  const names = groups.map((name, group) => group % every === 0
    && svg("text", { x: wide * (group + 0.5), y: HEIGHT - 3, "text-anchor": "middle" }, name));
  return h("figure", { class: "chart" }, h("figcaption", {}, title),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
      svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT, class: "axis" }), bars, names),
    asTable(title, groups, series));
}

/** @param {string} title @param {string[]} groups @param {{name: string, values: (number | null)[]}[]} series */
function asTable(title, groups, series) {
  return h("div", { class: "unseen" }, h("table", {}, h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td", {}), groups.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, series.map(({ name, values }) => h("tr", {}, h("th", { scope: "row" }, name), values.map((value) => h("td", {}, value ?? "–")))))));
}

/** @param {string} colour */
export const hexOf = (colour) => colourOf(colour).hex;
