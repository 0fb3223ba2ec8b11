/** Backups, for whoever runs the table: made, saved, and brought back after a look at what that does. */

import { button, h, swap } from "../dom.js";
import { API, ask, get, LONGEST_BACKUP_MS, post } from "../rig.js";
import { tell, trying } from "../told.js";
import { number, t } from "../words.js";

export class BackupsPanel {
  constructor() {
    this.list = h("ul", { class: "list" });
    this.access = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name: "with-access" }));
    this.root = h("section", { class: "card stacked" }, h("h2", {}, t("backups")), h("p", {}, t("backups.how")),
      h("label", { class: "check" }, this.access, h("span", {}, t("backups.access"))),
      button(t("backups.make"), () => this.make()), this.list);
  }

  async load() {
    const { backups } = await get("/backups");
    swap(this.list, backups.map((/** @type {any} */ one) => h("li", { class: "line" },
      h("span", {}, one.name, h("small", {}, t("backups.size", { mb: number(one.bytes / 1e6, 1) }))),
      h("a", { class: "button", href: `${API}/backups/${one.name}`, download: one.name }, t("backups.save")),
      button(t("backups.restore"), () => this.restore(one.name)),
      button(t("backups.delete"), () => confirm(t("backups.delete.sure", { name: one.name })) && trying(async () => {
        await ask("DELETE", `/backups/${one.name}`);
        await this.load();
      }), { class: "danger", "data-key": one.name }))));
  }

  async make() {
    await trying(async () => {
      await post("/backups", undefined, LONGEST_BACKUP_MS);
      await this.load();
    });
  }

  /** @param {string} name */
  async restore(name) {
    await trying(async () => {
      const path = `/backups/${name}/restore`;
      const found = await post(path, { dry_run: true }, LONGEST_BACKUP_MS);
      const facts = { frames: found.frames, rounds: found.rounds, photos: found.photos,
        changed: found.frames_changed + found.matches_changed + found.rounds_changed };
      if (!confirm(t("backups.restore.sure", facts))) return;
      const access = this.access.checked && found.access.length > 0;
      const who = found.access.map((one) => `${one.name} (${t(`role.${one.role}`)})`).join(", ");
      if (access && !confirm(t("backups.access.sure", { who }))) return;
      await post(path, { dry_run: false, with_access: access }, LONGEST_BACKUP_MS);
      tell(t("backups.restored"));
    });
  }
}
