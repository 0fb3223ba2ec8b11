/** Access tokens: what programs show to be let in. */

import { button, h, swap } from "../dom.js";
import { ask, get, post } from "../rig.js";
import { trying } from "../told.js";
import { language, t } from "../words.js";

const ROLES = ["viewer", "player"];
const DAYS = [1, 30, 365, 0];

/** @returns {{element: HTMLElement, load: () => Promise<void>}} */
export function tokens() {
  const list = h("ul", { class: "list" });
  const ended = h("ul", { class: "list" });
  const old = h("details", { "data-fix": "tokens-ended", hidden: true }, h("summary", { "data-key": "tokens-ended" }, t("tokens.ended")), ended);
  const made = h("div", { "aria-live": "polite" });
  const name = h("input", { id: "token-name", "data-key": "token-name", maxlength: 40, autocomplete: "off" });
  const role = h("select", { id: "token-role", "data-key": "token-role" }, ROLES.map((one) => h("option", { value: one }, t(`token.may.${one}`))));
  const days = h("select", { id: "token-days", "data-key": "token-days" }, DAYS.map((n) => h("option", { value: n, selected: n === 30 }, t(`token.days.${n}`))));
  const load = async () => {
    const { tokens: found } = await get("/tokens");
    const over = found.filter((/** @type {any} */ one) => !one.counts);
    swap(list, found.filter((/** @type {any} */ one) => one.counts).map(line));
    swap(ended, over.map((/** @type {any} */ one) => h("li", { class: "line" }, h("span", {}, one.name, h("small", {}, ending(one))))));
    old.hidden = !over.length;
  };
  const line = (/** @type {any} */ token) => h("li", { class: "line", "data-token": token.id },
    h("span", {}, token.name, h("small", {}, t(`token.may.${token.role}`)),
      h("small", {}, `${ending(token)} ${token.used_at ? t("token.used", { when: day(token.used_at) }) : t("token.unused")}`)),
    button(t("token.revoke"), () => confirm(t("token.revoke.sure", { name: token.name })) && trying(async () => {
      await ask("DELETE", `/tokens/${token.id}`);
      await load();
    }), { class: "danger", "data-key": `revoke-${token.id}` }));
  const make = () => trying(async () => {
    const token = await post("/tokens", { name: name.value.trim() || t("token.name.none"), role: role.value, days: Number(days.value) || null });
    swap(made, h("p", {}, t("token.shown")), h("p", {}, h("code", {}, token.token)));
    name.value = "";
    await load();
  });
  const element = h("section", { class: "card stacked tokens" }, h("h2", {}, t("tokens")), h("p", {}, t("tokens.about")), list, old,
    h("details", { "data-fix": "token" }, h("summary", { "data-key": "token" }, t("token.make")),
      h("label", { class: "field", for: name.id }, t("hook.name"), name),
      h("label", { class: "field", for: role.id }, t("token.may"), role),
      h("label", { class: "field", for: days.id }, t("token.lasts"), days),
      button(t("token.make"), make, { class: "main", "data-key": "token-make" })), made);
  return { element, load };
}

/** @param {any} token */
function ending(token) {
  if (token.revoked_at) return t("token.revoked", { when: day(token.revoked_at) });
  if (!token.expires_at) return t("token.endless");
  return t(token.counts ? "token.until" : "token.expired", { when: day(token.expires_at) });
}

/** @param {string} iso */
const day = (iso) => new Date(iso).toLocaleDateString(language(), { year: "numeric", month: "short", day: "numeric" });
