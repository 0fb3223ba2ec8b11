/** Whether what lies round the table is blurred in photos, for whoever runs the table. */

import { button, h, swap } from "../dom.js";
import { ask, get } from "../rig.js";
import { trying } from "../told.js";
import { t } from "../words.js";

export class BlurringPanel {
  constructor() {
    this.stands = h("p", { role: "status" });
    this.choice = h("div", { class: "row" });
    this.root = h("section", { class: "card", "data-panel": "blurring" }, h("h2", {}, t("blurring")), this.stands, this.choice,
      h("p", {}, t("blurring.how")), h("p", {}, t("blurring.not")));
  }

  async load() {
    this.show(await get("/setup"));
  }

  /** @param {any} setup */
  show({ blurring }) {
    const now = blurring ? "on" : "off";
    this.stands.className = `state ${blurring ? "fine" : "none"}`;
    this.stands.textContent = t(`blurring.${now}`);
    swap(this.choice, button(t(`blurring.${now}.end`), () => confirm(t(`blurring.${now}.end.sure`)) && trying(async () => {
      this.show(await ask("PUT", "/setup/blurring", { blurring: !blurring }));
    }), { "data-key": "blurring" }));
  }
}
