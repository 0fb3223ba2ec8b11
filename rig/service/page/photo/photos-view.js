/** The captured photos, the newest first. */

import { button, h, swap } from "../dom.js";
import { lensLine, lensPart } from "../settings/lens.js";
import { get, may, pictureOf } from "../rig.js";
import { sendButtons } from "./send.js";
import { trying } from "../told.js";
import { chip } from "../cards.js";
import { colourName, day, t, time, when } from "../words.js";

export class PhotosView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    this.list = h("div", {});
    this.choice = h("div", {});
    this.match = "";
    this.foot = h("div", { class: "row" });
  }

  async open() {
    const [{ camera }, { matches }] = await Promise.all([get("/state"), get("/matches?limit=20")]);
    this.offerMatches(matches);
    await this.load();
    const place = h("div", {});
    const lens = () => swap(place, lensLine());
    lens();
    swap(this.root, h("h1", {}, t("nav.photos")),
      sendButtons(camera.condition !== "none"), place, this.choice, this.list, this.foot, may("player") && lensPart(lens));
  }

  async load() {
    const { match } = this;
    const { frames, next } = await get(match ? `/frames?match=${match}` : "/frames?limit=24");
    if (match !== this.match) return; // others were chosen meanwhile
    this.waits = frames.some((/** @type {any} */ one) => one.state === "waiting" || one.state === "reading");
    this.frames = frames;
    swap(this.list, frames.length ? days(frames) : h("p", {}, t(this.match ? "photo.none-of-match" : "photo.none")));
    this.offerMore(next);
  }

  /** @param {any[]} matches */
  offerMatches(matches) {
    if (!matches.length) return;
    const chosen = h("select", { id: "photos-of", "data-key": "photos-of", onchange: () => {
      this.match = chosen.value;
      return trying(() => this.load());
    } }, h("option", { value: "" }, t("photos.all")),
    matches.map((/** @type {any} */ one) => h("option", { value: one.id }, matchName({ ...one, players: one.players.map((/** @type {any} */ player) => player.name) }))));
    chosen.value = this.match;
    swap(this.choice, h("label", { class: "field", for: "photos-of" }, t("photos.of"), chosen));
  }

  /** @param {string | null} next */
  offerMore(next) {
    swap(this.foot, next && button(t("older"), () => trying(async () => {
      const { match } = this;
      const older = await get(next);
      if (match !== this.match) return;
      this.frames = [...this.frames, ...older.frames];
      swap(this.list, days(this.frames));
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

/** @param {any[]} frames the newest first, under the day on which they were taken */
function days(frames) {
  /** @type {Map<string, any[]>} */
  const byDay = new Map();
  for (const frame of frames) {
    const name = day(frame.taken_at);
    byDay.set(name, [...byDay.get(name) ?? [], frame]);
  }
  return [...byDay].map(([name, those]) => h("section", {}, h("h2", { class: "day" }, name), h("ul", { class: "photos" }, those.map(tile))));
}

/** @param {any} summary the score, the best first */
const scores = ({ scores_without_illegal: points, sure }) => Object.entries(points).sort(([, a], [, b]) => b - a)
  .map(([name, dots]) => h("span", { class: "tally" }, chip(name), h("span", { class: "unseen" }, colourName(name)), ` ${dots}${sure ? "" : " ?"}`));

/** When it began, and who plays. @param {any} match */
const matchName = ({ begun_at: begun, players }) => t("named", { a: t("match.of", { when: when(begun) }), b: players.join(", ") });

/** @param {any} frame */
const tile = (frame) => h("li", {},
  h("a", { href: `#/photo/${frame.id}`, "data-frame": frame.id },
    h("img", { src: pictureOf(frame.id, 320), alt: "", loading: "lazy", width: 320, height: 240 }),
    h("span", {}, time(frame.taken_at),
      frame.summary && h("small", { class: "tallies" }, scores(frame.summary)),
      frame.summary && h("small", { class: frame.summary.open ? "state look" : "state fine" },
        frame.summary.open ? t("check.left", { n: frame.summary.open }) : t("photo.checked")),
      frame.state !== "read" && h("small", { class: "state look" }, t(`frame.${frame.state}`)),
      frame.kept && h("small", {}, t("kept")),
      frame.rounds.map((/** @type {any} */ one) => h("small", { "data-match": one.match }, `${t("round.n", { n: one.number })} · ${matchName(one)}`)))));
