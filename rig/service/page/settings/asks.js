/** What other phones ask of this one: to be its new phone, or for its seat. It stands above every view. */

import { button, h, swap } from "../dom.js";
import { ask, get, post, rig } from "../rig.js";
import { trying } from "../told.js";
import { t } from "../words.js";

/** Show what waits for an answer now. */
export async function showAsks() {
  const ground = /** @type {HTMLElement} */ (document.getElementById("asks"));
  if (!rig.me.network || rig.me.role === null) return swap(ground);
  const { asks } = await get("/asks");
  const answered = (/** @type {() => Promise<any>} */ work) => trying(async () => {
    await work();
    await showAsks();
  });
  return swap(ground, asks.map((/** @type {any} */ one) => h("section", { class: "card ask", "data-ask": one.kind },
    h("p", { role: "status" }, t(one.mine ? "ask.mine" : `ask.${one.kind}`, { name: one.name, of: one.of })),
    h("div", { class: "row" },
      !one.mine && button(t("ask.grant"), () => answered(() => post(`/asks/${one.id}/grant`)), { class: "main", "data-key": `grant-${one.id}` }),
      button(t(one.mine ? "ask.drop" : "ask.refuse"), () => answered(() => ask("DELETE", `/asks/${one.id}`)), { "data-key": `refuse-${one.id}` })))));
}
