/** A verdict as a sign and a word, and the rule behind it in plain words. */

import { cardName } from "../cards.js";
import { h } from "../dom.js";
import { known, number, t } from "../words.js";

/** @typedef {{kind: string, look: string, sign: string}} Verdict `look` is a class of `.state` */

const SIGNS = { legal: "✓", illegal: "✕", borderline: "?", free: "○", stays: "✓", taken_back: "↩", moved: "↔", corrected: "↻", disturbed: "!", start: "✓" };
const LOOKS = { legal: "fine", illegal: "lost", borderline: "look", free: "look", stays: "look", disturbed: "lost", start: "fine" };

/** @param {any} event @returns {Verdict} */
export function verdictOf(event) {
  const kind = kindOf(event);
  return { kind, sign: SIGNS[/** @type {"legal"} */ (kind)], look: LOOKS[/** @type {"legal"} */ (kind)] ?? "none" };
}

/** @param {any} event */
function kindOf(event) {
  if (event.event === "taken_back" || event.event === "disturbed") return event.event;
  if (event.stays) return "stays";
  if (event.status) return event.status;
  return event.event === "laid" ? "start" : event.event;
}

/** @param {Verdict} verdict */
export const verdictSign = ({ kind, sign, look }) =>
  h("span", { class: `mark ${look}`, "data-mark": kind, "aria-hidden": "true" }, sign);

/** @param {Verdict} verdict */
export const verdictWord = ({ kind }) => t(`game.is.${kind}`);

/** How far off a placement is: millimetres and degrees. @param {any} event */
export function distance({ offset_mm: mm, offset_deg: deg }) {
  return [mm !== null && t("game.off.mm", { mm: number(mm, 1) }),
    deg !== null && Math.abs(deg) >= 0.1 && t("game.off.deg", { deg: number(Math.abs(deg), 1) })].filter(Boolean).join(", ");
}

/** The rule that a placement breaks or may break, on which cards, and by how much. @param {any} event @param {Map<number, any>} table */
export function why(event, table) {
  const isOff = event.status === "illegal" || event.status === "borderline";
  const on = event.on.map((/** @type {number} */ id) => table.get(id)?.card).filter(Boolean).map(cardName).join(", ");
  return [isOff && event.rule && known(`rule.${event.rule}`, event.rule), isOff && distance(event), on && t("on", { on })].filter(Boolean);
}
