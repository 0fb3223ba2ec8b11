/** How long the present turn may still last (V3), counted on between two answers of the rig. */

import { h, swap } from "../dom.js";
import { number, t } from "../words.js";

const TICK_MS = 200;

/** @typedef {{seconds: number, since: string, lasted_s: number, runs: boolean}} Said what the rig says of the turn */

export class TurnClock {
  /** @param {() => void} onOver called when the time of a turn is over, once, while this is looked at */
  constructor(onOver) {
    this.onOver = onOver;
    /** @type {Said | null} */
    this.said = null;
    this.heardMs = 0;
    /** The turn of which time was left the last time. */
    this.running = "";
    this.shown = "";
    /** @type {any} */
    this.ticking = null;
    this.element = h("span", { class: "turn-clock", role: "timer" });
  }

  /** What the rig has just said of the turn; null where no time is kept. @param {Said | null} said */
  hear(said) {
    this.said = said;
    this.heardMs = performance.now();
    this.tick();
  }

  open() {
    this.ticking = setInterval(() => this.tick(), TICK_MS);
  }

  close() {
    clearInterval(this.ticking);
  }

  /** Seconds that are left; less than none once the time is over. @param {Said} said */
  left({ seconds, lasted_s: lasted, runs }) {
    return seconds - lasted - (runs ? (performance.now() - this.heardMs) / 1000 : 0);
  }

  tick() {
    const { said } = this;
    this.element.hidden = !said;
    if (!said) return;
    const left = this.left(said);
    this.show(left > 0 ? "left" : "over", Math.max(0, left > 0 ? Math.ceil(left) : Math.floor(-left)));
    if (left > 0) this.running = said.since;
    else if (this.running === said.since) {
      this.running = "";
      this.onOver();
    }
  }

  /** @param {string} kind left or over @param {number} seconds whole ones */
  show(kind, seconds) {
    if (this.shown === `${kind} ${seconds}`) return;
    this.shown = `${kind} ${seconds}`;
    this.element.dataset.clock = kind;
    swap(this.element, t(`game.time.${kind}`, { s: number(seconds) }));
  }
}

const CHOICES = [5, 10, 15, 20, 30, 45, 60, 90, 120];

/** How long a turn may last. @param {any} view */
export function turnTime(view) {
  const now = view.game.turn_s ?? 0;
  const seconds = [...new Set([...CHOICES, now])].filter(Boolean).sort((a, b) => a - b);
  const chosen = h("select", { id: "game-turn-time", "data-key": "turn-time", onchange: () => {
    const turnS = Number(chosen.value);
    return view.set(() => ({ turn_s: turnS }));
  } },
    h("option", { value: 0, selected: !now }, t("game.turn-time.none")),
    seconds.map((n) => h("option", { value: n, selected: n === now }, t("game.turn-time.s", { n }))));
  return h("div", { class: "field" }, h("label", { for: "game-turn-time" }, t("game.turn-time")), chosen,
    h("small", { class: "faint" }, t("game.turn-time.about")));
}
