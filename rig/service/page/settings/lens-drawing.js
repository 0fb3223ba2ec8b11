/** What a lens calibration has seen so far, drawn: parts of the picture, and tilts of the board. */

import { h, svg } from "../dom.js";
import { t } from "../words.js";

const EDGES = ["top", "left", "right", "bottom"];
const ENOUGH = 12;
/** Places of the edges' arrows in a square of 100, from the board's middle outwards. */
const ARROWS = { top: "M50 26 43 36h14z", left: "M26 50 36 43v14z", right: "M74 50 64 43v14z", bottom: "M50 74 43 64h14z" };

/**
 * The parts of the picture, fuller where more corners were seen; what no photo has shown yet is
 * hatched. The corners of the last photo lie over it.
 * @param {any} guide
 */
export function coverage({ columns, rows, cells, corners }) {
  const width = 120, height = 90;
  const [across, down] = [width / columns, height / rows];
  const parts = cells.flat();
  const seen = parts.filter(Boolean).length;
  const label = t("lens.cells", { seen, all: parts.length });
  return h("figure", { class: "lens-figure" },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "lens-cells", role: "img", "aria-label": label },
      parts.map((/** @type {number} */ count, /** @type {number} */ at) => svg("rect", {
        x: (at % columns) * across, y: Math.floor(at / columns) * down, width: across, height: down,
        class: count ? "seen" : "unseen-part", "fill-opacity": count ? 0.35 + 0.65 * Math.min(1, count / ENOUGH) : 1 })),
      parts.map((/** @type {number} */ count, /** @type {number} */ at) => !count && svg("path", { class: "empty",
        d: `M${(at % columns) * across + 4} ${Math.floor(at / columns) * down + down - 4}l${across - 8} ${8 - down}` })),
      corners.map(([x, y]) => svg("circle", { cx: x * width, cy: y * height, r: 0.9, class: "corner" }))),
    h("figcaption", {}, label));
}

/** Towards which edges the board has leant. @param {any} guide */
export function tilts({ tilts: leant }) {
  const label = t("lens.tilts", { n: leant.length });
  return h("figure", { class: "lens-figure lens-tilts" },
    svg("svg", { viewBox: "20 20 60 60", "aria-hidden": "true" },
      svg("rect", { x: 39, y: 39, width: 22, height: 22, class: "board" }),
      EDGES.map((edge) => svg("path", { d: ARROWS[/** @type {"top"} */ (edge)], class: leant.includes(edge) ? "done" : "open" }))),
    h("figcaption", {}, label,
      h("ul", { class: "ticks" }, EDGES.map((edge) => h("li", { class: leant.includes(edge) ? "done" : "" },
        h("span", { "aria-hidden": "true" }, leant.includes(edge) ? "✓ " : "○ "), t(`lens.edge.${edge}`),
        h("span", { class: "unseen" }, leant.includes(edge) ? t("lens.seen") : t("lens.open-still")))))));
}
