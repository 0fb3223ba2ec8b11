/** Pairing this phone with the rig, by the code of its QR or by the PIN. */

import { h, swap } from "./dom.js";
import { post } from "./rig.js";
import { tellTrouble } from "./told.js";
import { t } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {string} code from the QR, or nothing: then the PIN is typed
 * @param {() => any} onPaired
 */
export function showPairing(root, code, onPaired) {
  const name = h("input", { id: "phone-name", required: true, maxlength: 40, autocomplete: "given-name" });
  const pin = h("input", { id: "pin", required: true, inputmode: "numeric", autocomplete: "one-time-code",
    maxlength: 100, class: "pin" });
  const field = (/** @type {string} */ label, /** @type {any} */ input) => h("label", { class: "field", for: input.id }, label, input);
  const form = h("form", { class: "card pairing", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await post("/pairing", { secret: code || pin.value.replace(/\s/g, ""), name: name.value.trim() });
      onPaired();
    } catch (error) {
      tellTrouble(error);
      const { code: why } = /** @type {any} */ (error);
      if (code && why === "secret-wrong") showPairing(root, "", onPaired);
    }
  } },
  h("h1", {}, t("pair")), h("p", {}, t(code ? "pair.code" : "pair.pin")),
  !code && field(t("pair.pin.label"), pin), field(t("pair.name"), name),
  h("button", { type: "submit", class: "main wide" }, t("pair.go")));
  swap(root, form);
  (code ? name : pin).focus();
}
