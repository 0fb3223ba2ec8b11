/** The table drawn from above, as the cards lay after a step. */

import { colourOf, faceOf, path } from "../cards.js";
import { svg } from "../dom.js";
import { rig } from "../rig.js";
import { t } from "../words.js";

const EDGE_MM = 60;
const INSET_MM = 3.5;
const BLACK = "#17191c";

/** The cards that lie there after a step, lowest first. @param {any[]} events @param {number} at */
export function lyingAfter(events, at) {
  /** @type {Map<number, any>} */
  const cards = new Map();
  for (const { event, card } of events.slice(0, at + 1)) {
    if (!card) continue;
    if (event === "taken_back") cards.delete(card.id);
    else cards.set(card.id, card);
  }
  return [...cards.values()];
}

/** @param {any[]} events @param {number} at */
export function drawnPlan(events, at) {
  const all = events.map((one) => one.card).filter(Boolean);
  const cards = lyingAfter(events, at);
  const { card: newest, status } = events[at];
  return svg("svg", { class: "plan", viewBox: box(all), role: "img", "aria-label": t("replay.plan.alt", { n: cards.length }) },
    cards.map((card) => drawn(card)),
    newest && events[at].event !== "taken_back" && outlined(newest, status));
}

/** All cards of the game, so that the plan stands still. @param {any[]} cards */
function box(cards) {
  if (!cards.length) return "0 0 400 300";
  const xs = cards.map((card) => card.x_mm);
  const ys = cards.map((card) => card.y_mm);
  const [left, top] = [Math.min(...xs) - EDGE_MM, Math.min(...ys) - EDGE_MM];
  return `${left} ${top} ${Math.max(...xs) + EDGE_MM - left} ${Math.max(...ys) + EDGE_MM - top}`;
}

/** @param {any} card */
const placed = ({ x_mm: x, y_mm: y, angle_deg: angle }) => `translate(${x} ${y}) rotate(${angle})`;

/** A card as it is printed. @param {any} card */
function drawn(card) {
  const [w, high] = rig.deck.card_mm;
  const isStart = card.face === rig.deck.starting_face.id;
  const face = faceOf(card.face);
  const { hex } = colourOf(card.colour);
  const shapes = (face?.shapes ?? []).map((/** @type {any} */ shape) => svg("polygon", { points: path(shape.outline_mm),
    fill: shape.dots_mm.length ? hex : "none", stroke: "#e8e8e8", "stroke-width": 1 }));
  const dots = (face?.shapes ?? []).flatMap((/** @type {any} */ shape) => shape.dots_mm)
    .map((/** @type {number[]} */ [cx, cy]) => svg("circle", { cx, cy, r: 2.4, fill: "#fff" }));
  const [iw, ih] = [w - 2 * INSET_MM, high - 2 * INSET_MM];
  return svg("g", { transform: placed(card), "data-card": card.id },
    svg("rect", { x: -w / 2, y: -high / 2, width: w, height: high, rx: 3, fill: isStart ? BLACK : hex, stroke: "#0006", "stroke-width": 0.4 }),
    svg("rect", { x: -iw / 2, y: -ih / 2, width: iw, height: ih, fill: BLACK, stroke: "#e8e8e8", "stroke-width": 1 }),
    svg("g", card.mirrored ? { transform: "scale(-1 1)" } : {}, shapes, dots),
    !isStart && face && svg("text", { "text-anchor": "middle", y: 5, "font-size": 14, "font-weight": 700, fill: hex, stroke: "#fff", "stroke-width": 0.5 }, String(face.value)),
    !isStart && svg("g", { transform: "translate(0 10.5)", fill: "#fff" }, colourOf(card.colour).symbol_mm.map((/** @type {number[][]} */ one) => svg("polygon", { points: path(one) }))));
}

/** @param {any} card @param {string | null} status */
function outlined(card, status) {
  const [w, high] = rig.deck.card_mm;
  const at = { x: -w / 2 - 1.5, y: -high / 2 - 1.5, width: w + 3, height: high + 3, rx: 4 };
  return svg("g", { transform: placed(card), class: `marked ${status ?? ""}` }, svg("rect", { ...at, class: "under" }), svg("rect", at));
}
