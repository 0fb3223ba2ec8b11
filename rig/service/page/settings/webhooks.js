/** Webhooks: programs that are told what happens, and what came of telling them. */

import { button, h, swap } from "../dom.js";
import { ask, get, post } from "../rig.js";
import { trying } from "../told.js";
import { t, when } from "../words.js";

/** @returns {{element: HTMLElement, load: () => Promise<void>}} */
export function webhooks() {
  const list = h("ul", { class: "list" });
  const made = h("div", { "aria-live": "polite" });
  const name = h("input", { id: "hook-name", "data-key": "hook-name", maxlength: 40, autocomplete: "off" });
  const url = h("input", { id: "hook-url", "data-key": "hook-url", type: "url", maxlength: 500, autocomplete: "off", placeholder: "http:/" + "/" });
  const load = async () => {
    const { webhooks: found } = await get("/webhooks");
    swap(list, found.map(line));
  };
  const line = (/** @type {any} */ hook) => h("li", { class: "line", "data-hook": hook.id },
    h("span", {}, hook.name, h("small", {}, hook.url), h("small", { class: hook.last_error ? "state look" : "" }, answered(hook))),
    button(t("hook.test"), () => trying(async () => {
      await post(`/webhooks/${hook.id}/test`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await load();
    }), { "data-key": `test-${hook.id}` }),
    button(t("hook.remove"), () => confirm(t("hook.remove.sure", { name: hook.name })) && trying(async () => {
      await ask("DELETE", `/webhooks/${hook.id}`);
      await load();
    }), { class: "danger", "data-key": `remove-${hook.id}` }));
  const add = () => trying(async () => {
    const hook = await post("/webhooks", { name: name.value.trim() || t("hook.name.none"), url: url.value.trim() });
    swap(made, h("p", {}, t("hook.secret")), h("p", {}, h("code", {}, hook.secret)));
    name.value = "";
    url.value = "";
    await load();
  });
  const element = h("section", { class: "card stacked webhooks" }, h("h2", {}, t("hooks")), h("p", {}, t("hooks.about")), list,
    h("details", { "data-fix": "hook" }, h("summary", { "data-key": "hook" }, t("hook.add")),
      h("label", { class: "field", for: name.id }, t("hook.name"), name),
      h("label", { class: "field", for: url.id }, t("hook.url"), url),
      button(t("hook.add"), add, { class: "main", "data-key": "hook-add" })), made);
  return { element, load };
}

/** @param {any} hook */
function answered(hook) {
  if (!hook.last_at) return t("hook.never");
  const facts = { when: when(hook.last_at), why: hook.last_error ?? "", n: hook.waiting };
  return t(hook.last_error ? "hook.failed" : "hook.took", facts);
}
