/** What a phone does so that nobody needs to look at it: a sound, a shake, a screen that stays on. Each phone for itself. */

const KEYS = { sound: "tacta.sound", vibration: "tacta.vibration" };
/** Hertz and seconds of each tone: rising is good, falling is not. */
const TONES = {
  fine: [[660, 0.09], [880, 0.12]], look: [[660, 0.12], [660, 0.12]], lost: [[440, 0.18], [294, 0.3]], none: [[560, 0.08]], over: [[880, 0.1], [880, 0.1], [880, 0.3]],
};
/** Milliseconds on, off, on. */
const SHAKES = { fine: [60], look: [80, 80, 80], lost: [250, 100, 250], none: [40], over: [60, 60, 60, 60, 200] };
const LOUDNESS = 0.25;

/** @type {AudioContext | null} */
let audio = null;
/** @type {any} */
let lock = null;
let isWatched = false;

/** @param {"sound" | "vibration"} which */
export const isOn = (which) => localStorage.getItem(KEYS[which]) === "on";

/** Whether this browser can do it. @param {"sound" | "vibration"} which */
export const can = (which) => (which === "sound" ? "AudioContext" in window : "vibrate" in navigator);

/** @param {"sound" | "vibration"} which @param {boolean} on */
export function switchOn(which, on) {
  localStorage.setItem(KEYS[which], on ? "on" : "off");
  if (on) signal("fine", which);
}

/** @param {string} look of a verdict, or `over`: the time of a turn is @param {"sound" | "vibration"} [only] */
export function signal(look, only) {
  const kind = /** @type {"none"} */ (look in TONES ? look : "none");
  if (only !== "sound" && isOn("vibration")) navigator.vibrate?.(SHAKES[kind]);
  if (only !== "vibration" && isOn("sound")) play(TONES[kind]);
}

/** @param {number[][]} tones */
function play(tones) {
  audio ??= new AudioContext();
  audio.resume();
  let at = audio.currentTime + 0.02;
  for (const [hertz, seconds] of tones) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}

/** Browsers let a page sound only once it was touched. */
addEventListener("pointerdown", () => {
  if (isOn("sound") && can("sound")) (audio ??= new AudioContext()).resume();
});

async function takeLock() {
  if (!isWatched || document.visibilityState !== "visible") return;
  lock = await /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => null);
}

/** The screen stays on while the game is watched, where the browser lets it (over HTTPS). @param {boolean} watched */
export function keepAwake(watched) {
  isWatched = watched;
  if (watched) takeLock();
  else lock?.release();
}

document.addEventListener("visibilitychange", takeLock);
