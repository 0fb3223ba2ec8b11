/** A round step by step: the photo or a drawn plan of each, with the score beside it; and to share. */

import { button, h, svg, swap } from "../dom.js";
import { chip, path } from "../cards.js";
import { API, get, pictureOf } from "../rig.js";
import { scoreTable } from "../match/scores.js";
import { tell, tellTrouble } from "../told.js";
import { colourName, language, t, when } from "../words.js";
import { drawnPlan } from "./plan.js";
import { verdictOf, verdictSign } from "./verdict.js";

const STEP_MS = 1100;
const PHOTO_WIDTH = 1280;

export class ReplayView {
  /** @param {HTMLElement} root @param {string} [id] of a game that was followed before */
  constructor(root, id = "") {
    this.root = root;
    this.path = id ? `/games/${encodeURIComponent(id)}` : "/game";
    /** Games that can be replayed, the newest first. @type {any[]} */
    this.games = [];
    this.waits = false;
    /** @type {any} */
    this.game = null;
    this.at = 0;
    this.shows = "plan";
    /** While it plays. @type {any} */
    this.playing = null;
    this.place = h("div", { class: "replay" });
  }

  async open() {
    await this.look();
    this.games = (await get("/games")).games;
    this.at = Math.max(0, this.steps.length - 1);
    swap(this.root, h("h1", { class: "unseen" }, t("replay")), this.place);
    this.render();
  }

  close() {
    this.stop();
  }

  async look() {
    this.game = await get(this.path);
    this.at = Math.min(this.at, Math.max(0, this.steps.length - 1));
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name !== "game" && name !== "reset") return;
    await this.look();
    this.render();
  }

  /** @returns {any[]} */
  get steps() {
    return this.game.events;
  }

  render() {
    const { steps } = this;
    if (!steps.length) {
      return swap(this.place, h("section", { class: "card" }, h("h2", {}, t("replay")), h("p", {}, t("game.history.none")), this.away()), this.others());
    }
    const step = steps[this.at];
    return swap(this.place,
      h("section", { class: "card replay-now", "data-step": this.at + 1, "data-shows": this.shows },
        h("div", { class: "row", role: "group", "aria-label": t("replay.as") },
          ["plan", "photo"].map((kind) => h("button", { type: "button", "data-key": `as-${kind}`, "aria-pressed": String(this.shows === kind), onclick: () => this.show(kind) }, t(`replay.${kind}`)))),
        this.shows === "photo" ? this.photo(step) : drawnPlan(steps, this.at),
        this.strip(step), this.said(step), this.controls()),
      h("div", { class: "replay-rest" }, this.scores(step), this.sharing(), this.others(), this.away()));
  }

  /** @param {string} kind plan or photo */
  show(kind) {
    this.shows = kind;
    this.render();
  }

  /** @param {any} step */
  said(step) {
    const verdict = verdictOf(step);
    return h("p", { class: "replay-said", role: "status" }, verdictSign(verdict), h("span", {}, step.message,
      step.stays && h("small", {}, t("game.stays.by", { who: step.stays.by }))));
  }

  /** @param {any} step its photo, the card outlined */
  photo(step) {
    if (!step.frame_id) return drawnPlan(this.steps, this.at);
    const layer = h("div", { class: "layer" });
    const image = h("img", { src: pictureOf(step.frame_id, PHOTO_WIDTH), alt: t("photo.alt") });
    const box = h("figure", { class: "replay-photo" }, image, layer);
    // How it is turned shows once it is there.
    Promise.all([get(`/frames/${step.frame_id}`), image.decode()]).then(([{ width, height }]) => {
      const isTurned = image.naturalWidth > image.naturalHeight !== width > height;
      const [w, high] = isTurned ? [height, width] : [width, height];
      const marks = step.outline_px && svg("svg", { viewBox: `0 0 ${w} ${high}`, class: "overlay", "aria-hidden": "true" },
        svg("polygon", { class: "laid-here under", points: path(step.outline_px) }), svg("polygon", { class: "laid-here", points: path(step.outline_px) }));
      swap(layer, marks);
    }, () => {});
    image.onerror = () => swap(box, h("p", { class: "state look" }, t("photo.missing")));
    return box;
  }

  controls() {
    const last = this.steps.length - 1;
    const range = h("input", { type: "range", min: 0, max: last, value: this.at, "aria-label": t("replay.step", { n: this.at + 1, of: last + 1 }), "data-key": "range",
      oninput: () => this.go(Number(range.value)) });
    return h("div", { class: "replay-controls" },
      h("div", { class: "row" },
        h("button", { type: "button", "data-key": "back", "aria-label": t("replay.back"), disabled: this.at === 0, onclick: () => this.go(this.at - 1) }, "‹"),
        h("button", { type: "button", class: "main", "data-key": "play", onclick: () => this.play() }, t(this.playing ? "replay.stop" : "replay.play")),
        h("button", { type: "button", "data-key": "on", "aria-label": t("replay.on"), disabled: this.at === last, onclick: () => this.go(this.at + 1) }, "›")),
      range, h("p", { class: "faint" }, t("replay.step", { n: this.at + 1, of: last + 1 })));
  }

  /** @param {number} step counted from 0; whoever steps by hand stops what plays */
  go(step) {
    this.stop();
    this.at = Math.max(0, Math.min(this.steps.length - 1, step));
    this.render();
  }

  play() {
    if (this.playing) {
      this.stop();
      return this.render();
    }
    if (this.at === this.steps.length - 1) this.at = 0;
    this.playing = setInterval(() => {
      if (this.at < this.steps.length - 1) this.at += 1;
      if (this.at === this.steps.length - 1) this.stop();
      this.render();
    }, STEP_MS);
    return this.render();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
  }

  /** @param {any} step */
  lines(step) {
    const colours = [...new Set([...this.game.players, ...Object.keys(step.scores)])];
    return colours.map((colour) => ({ colour, points: step.scores[colour] ?? 0 }));
  }

  /** @param {any} step */
  scores(step) {
    if (!step.scores) return h("section", { class: "card" }, h("p", {}, t("game.scores.hidden")));
    return h("section", { class: "card" }, scoreTable(this.lines(step), { caption: t("replay.scores") }));
  }

  /** The same beside the picture, where there is no room for the table. @param {any} step */
  strip(step) {
    return step.scores && h("p", { class: "replay-strip", "aria-hidden": "true" }, this.lines(step).map(({ colour, points }) => h("span", {}, chip(colour), String(points))));
  }

  sharing() {
    const isHidden = this.game.hide_scores && !this.game.ended;
    return h("section", { class: "card" }, h("h2", {}, t("replay.share")),
      isHidden ? h("p", {}, t("game.scores.hidden")) : [
        h("p", {}, t("replay.share.about")),
        h("div", { class: "row" },
          button(t(this.shows === "photo" ? "replay.share.photos" : "replay.share.plan"), () => this.share(), { class: "main", "data-key": "share" }),
          h("a", { class: "button", href: `${API}${this.path}/export`, download: "tacta-game.json", "data-key": "export" }, t("replay.export")))]);
  }

  /** The games that were followed before, and the one that is. */
  others() {
    const others = this.games.filter(({ game }) => game !== this.game.game);
    return others.length > 0 && h("section", { class: "card" }, h("h2", {}, t("replay.others")),
      h("ul", { class: "list" }, others.map((one) => h("li", {},
        h("a", { class: "line", href: `#/replay/${one.game}`, "data-game": one.game },
          h("span", {}, when(one.begun_at), h("small", {}, one.players.map(colourName).join(", "))))))));
  }

  /** One animated picture, to whatever the phone shares with; else it is saved. */
  async share() {
    const unsay = tell(t("replay.making"), null, true);
    try {
      const film = await fetched(`${API}${this.path}/replay.webp?photos=${this.shows === "photo"}`);
      const file = new File([film], "tacta.webp", { type: "image/webp" });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: "TACTA" });
      else save(film);
    } catch (error) {
      if (/** @type {any} */ (error).name !== "AbortError") tellTrouble(error);
    } finally {
      unsay();
    }
  }

  away() {
    return h("p", {}, h("a", { class: "button", href: "#/game", "data-key": "to-game" }, t("game")));
  }
}

/** @param {string} address @returns {Promise<Blob>} */
async function fetched(address) {
  const answer = await fetch(address, { headers: { "Accept-Language": language() } });
  if (answer.ok) return answer.blob();
  throw Object.assign(new Error(), await answer.json());
}

/** @param {Blob} film */
function save(film) {
  const address = URL.createObjectURL(film);
  const link = h("a", { href: address, download: "tacta.webp" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
