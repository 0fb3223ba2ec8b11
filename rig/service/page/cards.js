/** Colours with their symbols and faces as small drawings, from the deck in play. */

import { h, svg } from "./dom.js";
import { rig } from "./rig.js";
import { colourName, t } from "./words.js";

/** @param {string} name @param {any} [deck] another than the one in play */
export function colourOf(name, deck = rig.deck) {
  const { colours, starting_colour: start } = deck;
  return colours.find((/** @type {any} */ one) => one.name === name)
    ?? (start.name === name ? start : { name, hex: "#888888", symbol_mm: [] });
}

/** @param {string} id @param {any} [deck] */
export function faceOf(id, deck = rig.deck) {
  const { faces, starting_face: start } = deck;
  return start.id === id ? start : faces.find((/** @type {any} */ one) => one.id === id) ?? null;
}

/** @param {string} hex */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} hex the ink that stands out most on this ground */
export const inkOn = (hex) => (luminance(hex) > 0.179 ? "#000000" : "#ffffff");

/** @param {number[][]} points */
export const path = (points) => points.map(([x, y]) => `${x},${y}`).join(" ");

/** @param {string} name @param {any} [deck] */
export function symbol(name, deck) {
  const { hex, symbol_mm: polygons } = colourOf(name, deck);
  const ink = inkOn(hex);
  return [
    svg("rect", { x: -3, y: -3, width: 6, height: 6, rx: 1.4, fill: hex }),
    polygons.map((/** @type {number[][]} */ one) => svg("polygon", { points: path(one), fill: ink })),
  ];
}

/** @param {string} name @param {any} [deck] */
export const chip = (name, deck) =>
  svg("svg", { class: "chip", viewBox: "-3.2 -3.2 6.4 6.4", "aria-hidden": "true" }, symbol(name, deck));

const SUITS = {
  circle: () => svg("circle", { r: 9 }),
  square: () => svg("rect", { x: -8.5, y: -8.5, width: 17, height: 17 }),
  triangle: () => svg("polygon", { points: "0,-12.5 11.5,8 -11.5,8" }),
};

/**
 * A card as it would lie before you.
 * @param {string} colour
 * @param {string} face
 * @param {boolean} [mirrored]
 * @param {any} [deck]
 */
export function drawnCard(colour, face, mirrored = false, deck = rig.deck) {
  const [w, height] = deck.card_mm;
  const { hex } = colourOf(colour, deck);
  const ink = inkOn(hex);
  const drawn = faceOf(face, deck);
  const shapes = (drawn?.shapes ?? []).map((/** @type {any} */ shape) => [
    svg("polygon", { points: path(shape.outline_mm), fill: "none", stroke: ink, "stroke-width": 2,
      "stroke-linejoin": "round" }),
    shape.dots_mm.map((/** @type {number[]} */ [x, y]) => svg("circle", { cx: x, cy: y, r: 3, fill: ink })),
  ]);
  const suit = drawn?.suit;
  return svg("svg", { class: "drawn", viewBox: `${-w / 2} ${-height / 2} ${w} ${height}`, "aria-hidden": "true" },
    svg("rect", { x: -w / 2, y: -height / 2, width: w, height, rx: 5, fill: hex }),
    svg("g", mirrored ? { transform: "scale(-1 1)" } : {}, shapes),
    suit && svg("g", { fill: hex, stroke: ink, "stroke-width": 1.5 }, SUITS[/** @type {"circle"} */ (suit)]()),
    suit && svg("text", { "text-anchor": "middle", y: 4.5, "font-size": 13, "font-weight": 700, fill: ink },
      String(drawn.value)),
  );
}

/** @param {string} id how people call a face: its value and its suit @param {any} [deck] */
export function faceName(id, deck) {
  const face = faceOf(id, deck);
  if (isStart(id, deck) || !face?.suit) return t("face.start");
  return `${face.value}\u00a0${t(`suit.${face.suit}.sign`)}`;
}

/** @param {string} id @param {any} [deck] */
const isStart = (id, deck = rig.deck) => deck.starting_face.id === id;

/** @param {{colour: string, face: string}} card */
export const cardName = (card) => (isStart(card.face) ? t("card.start") : `${colourName(card.colour)} ${faceName(card.face)}`);

/** @param {string} name */
export const colourLabel = (name) => h("span", { class: "colour" }, chip(name), colourName(name));
