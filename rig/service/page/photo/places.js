/** Places in the picture: where a card's points lie, what a finger touches, what shows. */

/** @typedef {[number, number]} Point */

/**
 * From millimetres on a card to the picture: the projective map of its four corners.
 * @param {Point[]} outline top left, top right, bottom right, bottom left
 * @param {[number, number]} size the card's width and height in millimetres
 * @returns {(x: number, y: number) => Point}
 */
export function cardToPicture(outline, [width, height]) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = outline;
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = ax * by - bx * ay || 1;
  const g = (sx * by - bx * sy) / area;
  const k = (ax * sy - sx * ay) / area;
  return (x, y) => {
    const [u, v] = [x / width + 0.5, y / height + 0.5];
    const w = g * u + k * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / w,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / w,
    ];
  };
}

/**
 * @param {Point} point
 * @param {Point[]} polygon
 */
export function inside([x, y], polygon) {
  let isInside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isInside = !isInside;
  }
  return isInside;
}

/** @param {Point[]} polygon @returns {Point} */
export function middle(polygon) {
  const sum = polygon.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / polygon.length, sum[1] / polygon.length];
}

/** @param {Point[]} polygon its longest side */
export function longest(polygon) {
  return Math.max(...polygon.map(([x, y], i) => {
    const [u, v] = polygon[(i + 1) % polygon.length];
    return Math.hypot(u - x, v - y);
  }));
}

/**
 * The cards from the lowest to the topmost.
 * @param {any[]} cards of a reading
 */
export function inOrder(cards) {
  const byId = new Map(cards.map((card) => [card.id, card]));
  /** @type {Set<any>} */
  const laid = new Set();
  const seen = new Set();
  const lay = (/** @type {any} */ card) => {
    if (!card || seen.has(card.id)) return;
    seen.add(card.id);
    for (const below of card.over) lay(byId.get(below));
    laid.add(card);
  };
  cards.forEach(lay);
  return [...laid];
}

/** @param {any[]} cards @param {any} card the cards that lie over this one */
export const above = (cards, card) => cards.filter((other) => other.over.includes(card.id));

/**
 * The topmost card under a place.
 * @param {any[]} cards
 * @param {Point} point
 */
export const cardAt = (cards, point) =>
  inOrder(cards).reverse().find((card) => inside(point, card.outline_px)) ?? null;
