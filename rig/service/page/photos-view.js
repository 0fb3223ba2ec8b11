/** The captured photos, the newest first. */

import { button, h, swap } from "./dom.js";
import { lensLine, lensPart } from "./lens.js";
import { get, may, pictureOf } from "./rig.js";
import { progress, sendButtons } from "./send.js";
import { trying } from "./told.js";
import { t, when } from "./words.js";

export class PhotosView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    this.list = h("ul", { class: "photos" });
    this.foot = h("div", { class: "row" });
  }

  async open() {
    const { camera } = await get("/state");
    await this.load();
    const place = h("div", {});
    const lens = () => swap(place, lensLine());
    lens();
    swap(this.root, h("h1", {}, t("nav.photos")),
      sendButtons((read) => { location.hash = `#/photo/${read.id}`; }, camera.condition !== "none"), place,
      progress(), this.list, this.foot, may("player") && lensPart(lens));
  }

  async load() {
    const { frames, next } = await get("/frames?limit=24");
    this.waits = frames.some((/** @type {any} */ one) => one.state === "waiting" || one.state === "reading");
    swap(this.list, frames.length ? frames.map(tile) : h("li", { class: "wide" }, t("photo.none")));
    this.offerMore(next);
  }

  /** @param {string | null} next */
  offerMore(next) {
    swap(this.foot, next && button(t("older"), () => trying(async () => {
      const older = await get(next);
      this.list.append(...older.frames.map(tile));
      this.offerMore(older.next);
    })));
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name.startsWith("frame-") && name !== "frame-progress") await this.load();
    if (name === "reset") await this.load();
  }

  close() {}
}

/** @param {any} frame */
const tile = (frame) => h("li", {},
  h("a", { href: `#/photo/${frame.id}`, "data-frame": frame.id },
    h("img", { src: pictureOf(frame.id, 320), alt: "", loading: "lazy", width: 320, height: 240 }),
    h("span", {}, when(frame.taken_at),
      frame.state !== "read" && h("small", { class: "state look" }, t(`frame.${frame.state}`)),
      frame.kept && h("small", {}, t("kept")),
      frame.rounds.map((/** @type {any} */ one) => h("small", {}, t("round.n", { n: one.number }))))));
