/** What a followed game says of its cards: which is the newest, which lie illegally, which are below others. */

/** @typedef {any} GameEvent an event of `GET /game` */

/** What says nothing of the cards is no part of the history. @param {GameEvent} event */
export const isSaid = (event) => event.event !== "waiting" && event.event !== "nothing";

/** Those that came with the newest one, the one to look at first. @param {GameEvent[]} events @returns {GameEvent[]} */
export function newest(events) {
  const said = events.filter(isSaid);
  const last = said.at(-1);
  if (!last) return [];
  const isTogether = (/** @type {GameEvent} */ one) => one === last || (last.frame_id !== null && one.frame_id === last.frame_id);
  return said.filter(isTogether).sort((a, b) => weight(b) - weight(a) || b.id - a.id);
}

/** @param {GameEvent} event */
function weight(event) {
  if (event.event === "disturbed") return 5;
  if (event.status === "illegal") return 4;
  if (event.status === "borderline" || !event.sure) return 3;
  return event.event === "laid" || event.event === "corrected" ? 2 : 1;
}

/**
 * The last that was said of each card on the table; a ruling of one that was only nudged since holds.
 * @param {GameEvent[]} events @returns {Map<number, GameEvent>}
 */
export function lying(events) {
  const last = new Map();
  for (const event of events) {
    if (!event.card) continue;
    const { id } = event.card;
    const before = last.get(id);
    if (event.event === "taken_back") last.delete(id);
    else last.set(id, event.stays || event.event === "laid" ? event : { ...event, stays: before?.stays ?? null });
  }
  return last;
}

/** Cards that lie illegally and that nobody has let stay, the newest first. @param {GameEvent[]} events */
export const illegal = (events) =>
  [...lying(events).values()].filter((one) => one.status === "illegal" && !one.stays).reverse();

/** Whether another card lies on this one, so that it cannot be taken back. @param {GameEvent[]} events @param {number} id */
export const isCovered = (events, id) => [...lying(events).values()].some((one) => one.on.includes(id));

/** Whether the colours' cards are all laid. @param {any} game */
export const isLaidOut = (game) => game.finished && !game.ended;
