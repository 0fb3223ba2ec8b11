/**
 * Whether somebody is pressing something: a finger, the mouse, or the space bar. What is drawn anew
 * between a press and its click takes the click away: the button that was pressed is no longer there.
 */

const LONGEST_MS = 10_000;
/** A click comes right after its press has ended; a busy phone takes a while, and a swipe has none. */
const CLICK_MS = 300;

/** Pointers by their number, keys by their name. */
const held = new Set();
/** @type {(() => void)[]} */
let waiting = [];
let settling = 0;

function settle() {
  clearTimeout(settling);
  settling = 0;
  if (held.size > 0) return;
  const those = waiting;
  waiting = [];
  those.forEach((go) => go());
}

/** @param {number | string} what */
function lift(what) {
  if (!held.delete(what)) return;
  clearTimeout(settling);
  settling = setTimeout(settle, CLICK_MS);
}

addEventListener("pointerdown", ({ pointerId }) => { held.add(pointerId); }, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => lift(/** @type {PointerEvent} */ (event).pointerId), true);
}
// A list or menu of the browser's own keeps the end of the press that opened it.
addEventListener("pointermove", ({ buttons, pointerId }) => { if (!buttons) lift(pointerId); }, true);
addEventListener("keydown", ({ key }) => { if (key === " ") held.add(key); }, true);
addEventListener("keyup", ({ key }) => lift(key), true);
// After the listeners of what was clicked, which this one comes before.
addEventListener("click", () => { if (settling) setTimeout(settle); }, true);
addEventListener("blur", () => {
  held.clear();
  settle();
});

/** @returns {Promise<void>} once nothing is pressed and its click has come; after 10 s at the latest */
export const untilLifted = () => (held.size === 0 && settling === 0 ? Promise.resolve() : new Promise((resolve) => {
  waiting.push(resolve);
  setTimeout(resolve, LONGEST_MS);
}));
