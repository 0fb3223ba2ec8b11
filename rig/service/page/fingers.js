/**
 * Whether a finger is on the screen. What is drawn anew while one is takes its tap away: the finger
 * goes down on one button and comes up on another, and neither hears of it.
 */

const LONGEST_MS = 3000;
/** A tap's click comes a moment after the finger is up. */
const CLICK_MS = 80;

let fingers = 0;
/** @type {(() => void)[]} */
let waiting = [];

function lifted() {
  if (fingers > 0) return;
  const those = waiting;
  waiting = [];
  those.forEach((go) => go());
}

addEventListener("pointerdown", () => { fingers += 1; }, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => {
    fingers = Math.max(0, fingers - 1);
    setTimeout(lifted, CLICK_MS);
  }, true);
}
addEventListener("blur", () => { fingers = 0; lifted(); });

/** @returns {Promise<void>} once no finger is on the screen; at the latest after three seconds */
export const untilLifted = () => (fingers === 0 ? Promise.resolve() : new Promise((resolve) => {
  waiting.push(resolve);
  setTimeout(resolve, LONGEST_MS);
}));
