/** About the rig itself: the language, this phone, and inviting others. */

import { BackupsPanel } from "./backups-panel.js";
import { BlurringPanel } from "./blurring-panel.js";
import { brokers } from "./brokers.js";
import { button, h, swap } from "../dom.js";
import { Invitations } from "./invitations.js";
import { ask, get, may, rig } from "../rig.js";
import { tokens } from "./tokens.js";
import { trying } from "../told.js";
import { webhooks } from "./webhooks.js";
import { chooseLanguage, language, LANGUAGES, t, when } from "../words.js";

export class RigView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.invitations = new Invitations();
    this.phones = h("ul", { class: "list" });
    this.backups = new BackupsPanel();
    this.blurring = new BlurringPanel();
    this.programs = [webhooks(), brokers(), tokens()];
  }

  async open() {
    const isAdmin = may("admin");
    if (isAdmin) await Promise.all([this, this.invitations, this.backups, this.blurring, ...this.programs].map((one) => one.load()));
    swap(this.root, h("h1", {}, t("nav.rig")),
      h("section", { class: "card" }, h("h2", {}, t("language")), h("div", { class: "row", role: "group" },
        Object.keys(LANGUAGES).map((name) => h("button", { type: "button", lang: name, "data-language": name,
          "aria-pressed": String(name === language()), onclick: () => {
            chooseLanguage(name);
            dispatchEvent(new Event("tacta-language"));
          } }, LANGUAGES[name]["language.own"])))),
      h("section", { class: "card" }, h("h2", {}, t("setup")), h("p", {}, t("setup.about")),
        h("div", { class: "row" }, h("a", { class: "button", href: "#/setup" }, t("setup")),
          h("a", { class: "button", href: "#/lens" }, t("lens.open")))),
      h("section", { class: "card" }, h("h2", {}, t("phone.this")),
        h("p", {}, t(rig.me.phone ? "phone.is" : "phone.is.rig", { name: rig.me.name, role: t(`role.${rig.me.role}`) })),
        rig.me.network && button(t("phone.leave"), () => confirm(t("phone.leave.sure")) && trying(async () => {
          await ask("DELETE", "/me");
          location.reload();
        }), { class: "danger" })),
      isAdmin && rig.me.network && this.invitations.root,
      isAdmin && rig.me.network && h("section", { class: "card" }, h("h2", {}, t("phones")), this.phones),
      isAdmin && this.blurring.root,
      isAdmin && this.backups.root,
      isAdmin && this.programs.map((one) => one.element));
  }

  async load() {
    const { phones } = await get("/phones");
    swap(this.phones, phones.map((/** @type {any} */ phone) => h("li", { class: "line" },
      h("span", {}, phone.name, h("small", {}, `${t(`role.${phone.role}`)} · ${when(phone.used_at ?? phone.paired_at)}`)),
      button(t("phone.away"), () => confirm(t("phone.away.sure", { name: phone.name })) && trying(async () => {
        await ask("DELETE", `/phones/${phone.id}`);
        await this.load();
      }), { class: "danger", "data-key": phone.id }))));
  }

  /** @param {string} name */
  async onEvent(name) {
    if ((name === "phones-changed" || name === "asks-changed") && may("admin")) await Promise.all([this.load(), this.invitations.load()]);
  }

  close() {
    this.invitations.close();
  }
}
