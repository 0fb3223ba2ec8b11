/** Pairing this phone with the rig, by the code of its QR or by the PIN. */

import { button, h, swap } from "../dom.js";
import { post } from "../rig.js";
import { tellTrouble } from "../told.js";
import { t } from "../words.js";

const ASKED_EVERY_MS = 2000;

/**
 * @param {HTMLElement} root
 * @param {string} code from the QR, or nothing: then the PIN is typed
 * @param {() => any} onPaired
 */
export function showPairing(root, code, onPaired) {
  const name = h("input", { id: "phone-name", required: true, maxlength: 40, autocomplete: "given-name" });
  const pin = h("input", { id: "pin", required: true, inputmode: "numeric", autocomplete: "one-time-code",
    maxlength: 100, class: "pin" });
  const taken = h("div", {});
  const field = (/** @type {string} */ label, /** @type {any} */ input) => h("label", { class: "field", for: input.id }, label, input);
  const wish = () => ({ secret: code || pin.value.replace(/\s/g, ""), name: name.value.trim() });
  const refused = (/** @type {any} */ error) => {
    if (error.code === "name-taken") return offer();
    tellTrouble(error);
    if (code && error.code === "secret-wrong") showPairing(root, "", onPaired);
  };
  const offer = () => {
    const wanted = wish();
    swap(taken, h("p", { role: "alert" }, t("pair.taken", wanted)), button(t("pair.mine", wanted), async () => {
      try {
        waitForAnswer(root, await post("/pairing/ask", wanted), onPaired);
      } catch (error) {
        refused(error);
      }
    }, { class: "wide", "data-ask": "phone" }));
    name.focus();
    name.select();
  };
  const form = h("form", { class: "card pairing", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    swap(taken);
    try {
      await post("/pairing", wish());
      onPaired();
    } catch (error) {
      refused(error);
    }
  } },
  h("h1", {}, t("pair")), h("p", {}, t(code ? "pair.code" : "pair.pin")),
  !code && field(t("pair.pin.label"), pin), field(t("pair.name"), name),
  h("button", { type: "submit", class: "main wide" }, t("pair.go")), taken);
  swap(root, form);
  (code ? name : pin).focus();
}

/**
 * Until the other phone, or who runs the table, has answered.
 * @param {HTMLElement} root
 * @param {{key: string, name: string}} asked
 * @param {() => any} onPaired
 */
function waitForAnswer(root, asked, onPaired) {
  const card = h("div", { class: "card pairing" }, h("h1", {}, t("pair.asked")),
    h("p", { role: "status" }, t("pair.asked.how", { name: asked.name })),
    button(t("pair.other"), () => showPairing(root, "", onPaired)));
  swap(root, card);
  const look = async () => {
    if (!card.isConnected) return;
    try {
      const now = await post("/pairing/asked", { key: asked.key });
      if (now.role) return onPaired();
    } catch (error) {
      if (/** @type {any} */ (error).code !== "no-answer") {
        tellTrouble(error);
        return showPairing(root, "", onPaired);
      }
    }
    setTimeout(look, ASKED_EVERY_MS);
  };
  setTimeout(look, ASKED_EVERY_MS);
}
