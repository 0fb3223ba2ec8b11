/** The reading drawn over the photo: outlines, what each card was read as, dots, and trouble. */

import { colourOf, faceOf, inkOn, path, symbol } from "./cards.js";
import { svg } from "./dom.js";
import { rig } from "./rig.js";
import { above, cardToPicture, inOrder, inside, longest, middle } from "./places.js";

const DOT_MM = 2.4;
const BADGE_MM = 13;

/**
 * @param {any} reading
 * @param {[number, number]} size of the picture
 * @param {number | null} chosen the card that is looked at
 * @param {[number, number] | null} pin a place that is looked at
 */
export function drawnReading(reading, [width, height], chosen, pin) {
  const illegal = new Set(reading.illegal.map((/** @type {any} */ one) => one.card));
  const cards = inOrder(reading.cards);
  const isChosen = (/** @type {any} */ card) => card.id === chosen;
  return svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    cards.map((card) => outline(card, illegal.has(card.id))),
    cards.map((card) => marks(card, above(cards, card))),
    reading.illegal.map((/** @type {any} */ one) => {
      const card = cards.find((other) => other.id === one.card);
      return card && flag(middle(card.outline_px), longest(card.outline_px), "illegal", "✕");
    }),
    reading.doubts.map((/** @type {any} */ doubt) => flag(doubt.at_px, typicalPx(cards), "doubt", "?")),
    cards.filter(isChosen).map((card) => [
      svg("polygon", { class: "chosen under", points: path(card.outline_px) }),
      svg("polygon", { class: "chosen", points: path(card.outline_px) }),
    ]),
    pin && svg("circle", { class: "pin", cx: pin[0], cy: pin[1], r: typicalPx(cards) / 3 }),
  );
}

/** @param {any[]} cards how long a card is here, in pixels */
export function typicalPx(cards) {
  const lengths = cards.map((card) => longest(card.outline_px)).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 200;
}

/** @param {any} card @param {boolean} isIllegal */
function outline(card, isIllegal) {
  const points = path(card.outline_px);
  const { hex } = colourOf(card.colour);
  return svg("g", { class: isIllegal ? "card illegal" : "card" },
    svg("polygon", { class: "casing", points, stroke: inkOn(hex) }),
    svg("polygon", { points, stroke: hex }),
  );
}

/** @param {any} card @param {any[]} covers */
function marks(card, covers) {
  const place = cardToPicture(card.outline_px, rig.deck.card_mm);
  const face = faceOf(card.face);
  const perMm = longest(card.outline_px) / Math.max(...rig.deck.card_mm);
  const { hex } = colourOf(card.colour);
  const shows = (/** @type {any} */ point) => !covers.some((other) => inside(point, other.outline_px));
  const dots = (face?.shapes ?? []).flatMap((/** @type {any} */ shape) => shape.dots_mm)
    .map((/** @type {number[]} */ [x, y]) => place(x, y)).filter(shows)
    .map((/** @type {number[]} */ [cx, cy]) => [
      svg("circle", { class: "dot casing", cx, cy, r: DOT_MM * perMm, stroke: inkOn(hex) }),
      svg("circle", { class: "dot", cx, cy, r: DOT_MM * perMm, stroke: hex }),
    ]);
  const at = middle(card.outline_px);
  return [dots, shows(at) && badge(card, face, at, perMm)];
}

/** What a card was read as: its colour's symbol and its value. */
function badge(/** @type {any} */ card, /** @type {any} */ face, /** @type {any} */ [x, y], /** @type {number} */ perMm) {
  const { hex } = colourOf(card.colour);
  const k = (BADGE_MM / 6) * perMm;
  return svg("g", { class: "badge", transform: `translate(${x} ${y}) scale(${k})` },
    svg("rect", { x: -4.6, y: -2.6, width: 9.2, height: 5.2, rx: 1.4, fill: hex,
      stroke: inkOn(hex), "stroke-width": 0.35 }),
    svg("g", { transform: "translate(-2 0) scale(.72)" }, symbol(card.colour)),
    svg("text", { x: 2.1, y: 1.5, "font-size": 4.4, "text-anchor": "middle", fill: inkOn(hex) },
      face?.suit ? String(face.value) : "0"),
  );
}

/** @param {[number, number]} at @param {number} length @param {string} kind @param {string} sign */
function flag([x, y], length, kind, sign) {
  const k = length / 9;
  return svg("g", { class: `flag ${kind}`, transform: `translate(${x} ${y - length / 3}) scale(${k})` },
    kind === "illegal" ? svg("rect", { x: -1, y: -1, width: 2, height: 2, rx: 0.3 })
      : svg("circle", { r: 1.1 }),
    svg("text", { y: 0.55, "font-size": 1.6, "text-anchor": "middle" }, sign),
  );
}
