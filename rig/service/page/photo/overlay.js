/** The reading drawn over the photo: outlines, what each card was read as, dots, and trouble. */

import { colourOf, faceOf, inkOn, path, symbol } from "../cards.js";
import { svg } from "../dom.js";
import { rig } from "../rig.js";
import { above, cardToPicture, inOrder, inside, longest, middle } from "./places.js";

const DOT_MM = 2.4;
const BADGE_MM = 13;

/**
 * Where something is asked, nothing is drawn upon it: its flag stands beside it on a line, other
 * flags are left out, and so is what the card was read as.
 * @param {any} reading
 * @param {[number, number]} size of the picture
 * @param {number | null} chosen the card that is looked at
 * @param {any} [asked] the trouble that is looked at
 */
export function drawnReading(reading, [width, height], chosen, asked) {
  const illegal = new Set(reading.illegal.map((/** @type {any} */ one) => one.card));
  const cards = inOrder(reading.cards);
  const meant = new Set([chosen, ...(asked?.item.answers ?? []).map((/** @type {any} */ one) => (one.answer === "over" ? one.value : null))]);
  const isChosen = (/** @type {any} */ card) => meant.has(card.id);
  const length = typicalPx(cards);
  const away = middle([[0, 0], [width, 0], [width, height], [0, height]]);
  const at = (/** @type {any} */ one) => {
    const card = cards.find((other) => other.id === one.card);
    return card ? middle(card.outline_px) : away;
  };
  const flags = asked ? [flag(asked.at, length, asked.sort, asked.sort === "illegal" ? "✕" : "?")] : [
    reading.illegal.map((/** @type {any} */ one) => flag(at(one), length, "illegal", "✕")),
    reading.doubts.map((/** @type {any} */ doubt) => flag(doubt.at_px, length, "doubt", "?")),
  ];
  return svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    cards.map((card) => outline(card, illegal.has(card.id))),
    cards.filter((card) => !asked || !isChosen(card)).map((card) => marks(card, above(cards, card))),
    cards.filter(isChosen).map((card) => [
      svg("polygon", { class: "chosen under", points: path(card.outline_px) }),
      svg("polygon", { class: "chosen", points: path(card.outline_px) }),
    ]),
    flags,
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

/**
 * A sign beside a place, with a line that ends at a ring round it: up and to the left, away from the
 * tools, or to where there is room in the picture.
 * @param {[number, number]} place @param {number} length of a card @param {string} kind
 * @param {string} sign
 */
function flag([x, y], length, kind, sign) {
  const [k, far, ring] = [length / 9, length * 0.55, length * 0.09];
  const right = x - far - k > 0 ? -1 : 1;
  const down = y - far - k > 0 ? -1 : 1;
  const [u, v] = [0.6 * right, 0.8 * down];
  const from = [x + u * ring, y + v * ring];
  const to = [x + u * far, y + v * far];
  const line = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
  return svg("g", { class: `flag ${kind}` },
    svg("line", { class: "leader casing", ...line }), svg("line", { class: "leader", ...line }),
    svg("circle", { class: "ring casing", cx: x, cy: y, r: ring }), svg("circle", { class: "ring", cx: x, cy: y, r: ring }),
    svg("g", { transform: `translate(${to[0]} ${to[1]}) scale(${k})` },
      kind === "illegal" ? svg("rect", { x: -1, y: -1, width: 2, height: 2, rx: 0.3 })
        : svg("circle", { r: 1.1 }),
      svg("text", { y: 0.55, "font-size": 1.6, "text-anchor": "middle" }, sign)));
}
