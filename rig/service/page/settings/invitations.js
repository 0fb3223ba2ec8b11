/** Inviting one phone or those of a whole table, counted down, and ended by one tap. */

import { button, h, swap } from "../dom.js";
import { ask, get, post } from "../rig.js";
import { trying } from "../told.js";
import { t } from "../words.js";

const ROLES = ["player", "viewer", "admin"];
const MANY = [1, 2, 3, 4, 5, 6, 8, 10, 20];

export class Invitations {
  constructor() {
    /** @type {any} the one whose PIN is shown */
    this.shown = null;
    /** @type {any[]} */
    this.open = [];
    this.many = h("select", { id: "invite-phones" }, MANY.map((n) => h("option", { value: n }, t(n === 1 ? "invite.one" : "invite.many", { n }))));
    this.drawing = h("div", {});
    this.list = h("ul", { class: "list" });
    this.root = h("section", { class: "card" }, h("h2", {}, t("invite")), h("p", {}, t("invite.how")),
      h("label", { class: "field", for: "invite-phones" }, t("invite.phones"), this.many),
      h("div", { class: "row" }, ROLES.map((role) => button(t(`invite.${role}`), () => this.invite(role)))), this.drawing, this.list);
    this.ticking = 0;
  }

  async load() {
    ({ invitations: this.open } = await get("/invitations"));
    if (this.shown && !this.open.some((one) => one.id === this.shown.id)) {
      this.shown = null;
      swap(this.drawing);
    }
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.count(), 1000);
    this.render();
  }

  close() {
    clearInterval(this.ticking);
  }

  render() {
    swap(this.list, this.open.map((one) => h("li", { class: "line" },
      h("span", {}, t("invite.left", { left: one.left, phones: one.phones }), h("small", {}, `${t(`role.${one.role}`)} · `, h("time", { "data-until": one.expires_at }, left(one)))),
      button(t("invite.end"), () => trying(async () => {
        await ask("DELETE", `/invitations/${one.id}`);
        await this.load();
      }), { class: "danger", "data-key": `end-${one.id}` }))));
  }

  count() {
    if (!this.root.isConnected) return this.close();
    if (this.open.some((one) => one.expires_at * 1000 <= Date.now())) return void trying(() => this.load());
    for (const one of this.list.querySelectorAll("time")) one.textContent = left({ expires_at: Number(one.dataset.until) });
  }

  /** @param {string} role */
  async invite(role) {
    await trying(async () => {
      const invited = await post("/invitations", { role, phones: Number(this.many.value) });
      this.shown = invited;
      const code = `data:image/svg+xml,${encodeURIComponent(invited.qr_svg)}`;
      swap(this.drawing, h("p", {}, t("invite.scan", { role: t(`role.${role}`) })),
        h("img", { class: "qr", src: code, alt: invited.link }),
        h("p", {}, t("invite.pin"), " ", h("strong", { class: "pin" }, invited.pin)));
      await this.load();
    });
  }
}

/** Minutes and seconds. @param {{expires_at: number}} one */
function left(one) {
  const seconds = Math.max(0, Math.round(one.expires_at - Date.now() / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
