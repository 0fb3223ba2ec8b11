/** Short messages at the bottom: what happened, what was refused, and a way back. */

import { button, h } from "./dom.js";
import { untilLifted } from "./fingers.js";
import { t } from "./words.js";

const SHOWN_MS = 7000;
const LEAST_MS = 800;
let fading = 0;
let told = 0;

/**
 * Nothing to say any more, unless it was only just said.
 * @param {boolean} [atOnce]
 * @returns {boolean} whether something was taken away
 */
export function hush(atOnce = false) {
  const place = document.getElementById("told");
  if (!place?.childElementCount || (!atOnce && performance.now() - told < LEAST_MS)) return false;
  place.replaceChildren();
  return true;
}

/**
 * @param {string} text
 * @param {{label: string, act: () => any} | null} [way]
 * @param {boolean} [isTrouble] stays until it is closed
 * @returns {() => void} takes this message away, if it is still there
 */
export function tell(text, way = null, isTrouble = false) {
  const place = /** @type {HTMLElement} */ (document.getElementById("told"));
  const close = () => place.replaceChildren();
  clearTimeout(fading);
  told = performance.now();
  const act = way && button(way.label, () => {
    close();
    return way.act();
  });
  const dismiss = h("button", { type: "button", class: "plain", onclick: close,
    "aria-label": t("close") }, "×");
  const role = isTrouble ? { role: "alert" } : {};
  const toast = h("div", { class: isTrouble ? "toast trouble" : "toast", ...role }, h("p", {}, text), act, dismiss);
  place.replaceChildren(toast);
  if (!isTrouble) fading = setTimeout(() => untilLifted().then(() => toast.remove()), SHOWN_MS);
  return () => toast.remove();
}

/**
 * Say what went wrong, in the page's language.
 * @param {any} error
 */
export function tellTrouble(error) {
  const expected = error && typeof error.code === "string";
  if (!expected) console.error(error);
  tell(expected ? error.message : t("error.page"), null, true);
}

/**
 * Run something; a refusal is told. True if it went well.
 * @param {() => Promise<any>} work
 */
export async function trying(work) {
  try {
    await work();
    return true;
  } catch (error) {
    tellTrouble(error);
    return false;
  }
}
