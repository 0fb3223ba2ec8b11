/** MQTT brokers: where what happens is published, and what came of it. */

import { button, h, swap } from "../dom.js";
import { ask, get, post } from "../rig.js";
import { tell, trying } from "../told.js";
import { t, when } from "../words.js";

const LOOKED_AGAIN_MS = 1500;

/** @returns {{element: HTMLElement, load: () => Promise<void>}} */
export function brokers() {
  const list = h("ul", { class: "list" });
  const field = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) =>
    h("input", { id: `broker-${name}`, "data-key": `broker-${name}`, maxlength: 200, autocomplete: "off", ...more });
  const name = field("name", { maxlength: 40 });
  const url = field("url", { type: "url", maxlength: 500, placeholder: "mqtt:/" + "/" });
  const username = field("username");
  const password = field("password", { type: "password", autocomplete: "new-password" });
  const topic = field("topic", { maxlength: 100, value: "tacta", pattern: "[A-Za-z0-9_\\-]+(/[A-Za-z0-9_\\-]+)*" });
  const certificate = field("ca", { type: "file", accept: ".pem,.crt,.cer", maxlength: null });
  const load = async () => {
    const { brokers: found } = await get("/brokers");
    swap(list, found.map(line));
  };
  const later = async () => {
    await new Promise((resolve) => setTimeout(resolve, LOOKED_AGAIN_MS));
    await load();
  };
  const line = (/** @type {any} */ broker) => h("li", { class: "line", "data-broker": broker.id },
    h("span", {}, broker.name, h("small", {}, `${broker.url} · ${broker.topic}`),
      h("small", { class: broker.last_error ? "state look" : "" }, answered(broker))),
    button(t("hook.test"), () => trying(async () => {
      await post(`/brokers/${broker.id}/test`);
      await later();
    }), { "data-key": `test-${broker.id}` }),
    button(t("broker.remove"), () => confirm(t("broker.remove.sure", { name: broker.name })) && trying(async () => {
      await ask("DELETE", `/brokers/${broker.id}`);
      await load();
    }), { class: "danger", "data-key": `remove-${broker.id}` }));
  const add = () => {
    if (!topic.checkValidity()) return tell(t("broker.topic.wrong"), null, true);
    return trying(async () => {
      const ca = certificate.files?.[0] ? await certificate.files[0].text() : "";
      await post("/brokers", { name: name.value.trim() || t("broker.name.none"), url: url.value.trim(),
        username: username.value, password: password.value, topic: topic.value.trim() || "tacta", ca });
      for (const one of [name, url, username, password, certificate]) one.value = "";
      await load();
      await later();
    });
  };
  const labelled = (/** @type {string} */ word, /** @type {HTMLElement} */ input) => h("label", { class: "field", for: input.id }, t(word), input);
  const element = h("section", { class: "card stacked" }, h("h2", {}, t("brokers")), h("p", {}, t("brokers.about")), list,
    h("details", { "data-fix": "broker" }, h("summary", { "data-key": "broker" }, t("broker.add")),
      labelled("hook.name", name), labelled("broker.url", url), labelled("broker.username", username),
      labelled("broker.password", password), labelled("broker.topic", topic), labelled("broker.ca", certificate),
      button(t("broker.add"), add, { class: "main", "data-key": "broker-add" })));
  return { element, load };
}

/** @param {any} broker */
function answered(broker) {
  if (!broker.last_at) return t("hook.never");
  const facts = { when: when(broker.last_at), why: broker.last_error ?? "", n: broker.waiting };
  return t(broker.last_error ? "hook.failed" : "broker.well", facts);
}
