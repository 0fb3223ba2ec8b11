/** How things stand: the camera, the newest photo with its score, and the match that is played. */

import { h, swap } from "./dom.js";
import { followed } from "./game/on-home.js";
import { lensLine } from "./settings/lens.js";
import { currentRound, standingsTable } from "./match/match-view.js";
import { get, pictureOf, PREVIEW } from "./rig.js";
import { isBare, linesOf, scoreTable, sureLine } from "./match/scores.js";
import { sendButtons } from "./photo/send.js";
import { known, number, t, when } from "./words.js";

const PREVIEW_MS = 1500;
const CAMERA_MS = 4000;
const CONDITIONS = { fresh: "fine", starting: "look", slow: "look", lost: "lost", none: "none" };

export class HomeView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    this.timers = [
      setInterval(() => this.preview && this.look(), PREVIEW_MS),
      setInterval(() => this.watchCamera(), CAMERA_MS),
    ];
  }

  async open() {
    this.camera = h("section", { class: "card camera", "aria-label": t("camera") });
    this.now = h("div", { class: "now" });
    this.live = h("div", {});
    await this.render();
  }

  close() {
    this.timers.forEach(clearInterval);
  }

  async render() {
    const [state, game] = await Promise.all([get("/state"), get("/game")]);
    const frame = state.latest && await get(`/frames/${state.latest.id}`).catch(() => null);
    this.showCamera(state.camera);
    this.hasCamera = state.camera.condition !== "none";
    this.waits = state.queue > 0 || (state.latest !== null && !frame) || ["waiting", "reading"].includes(frame?.state);
    swap(this.live, followed(game));
    swap(this.now, newest(frame), running(this, state.match), problems(state));
    if (!this.root.contains(this.now)) {
      swap(this.root, h("h1", { class: "unseen" }, t("nav.home")), this.live, this.camera,
        sendButtons(this.hasCamera), lensLine(), this.now);
    }
  }

  /** @param {any} camera */
  showCamera(camera) {
    const isGood = camera.condition === "fresh" || camera.condition === "slow";
    if (!this.preview && isGood) this.preview = previewPicture();
    if (!isGood) this.preview = null;
    swap(this.camera, this.preview, h("div", {}, cameraState(camera)));
    if (this.preview) this.look();
  }

  look() {
    if (document.visibilityState === "visible" && this.preview) this.preview.src = `${PREVIEW}?${Date.now()}`;
  }

  async watchCamera() {
    if (document.visibilityState !== "visible" || !this.hasCamera) return;
    const camera = await get("/camera").catch(() => null);
    if (camera) this.showCamera(camera);
    else this.forgetCamera();
  }

  /** What was known of it holds no longer while the rig does not answer. */
  forgetCamera() {
    const state = this.camera?.querySelector(".state");
    if (state) swap(this.camera, h("p", { class: "state none" }, t("camera.is.unknown")));
    this.preview = null;
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name !== "frame-progress") await this.render();
  }
}

/** How the camera is, and what to do about it. @param {any} camera */
export function cameraState(camera) {
  const { condition, reason } = camera;
  const isWell = condition === "fresh";
  const sentence = isWell ? "" : condition === "none" ? t("camera-not-connected") : known(`camera.${reason}`, camera.sentence);
  const advice = isWell ? "" : condition === "none" ? t("camera.none.do") : known(`camera.${reason}.do`, camera.advice);
  const facts = { camera: camera.camera ?? "", n: number(camera.age_s ?? 0) };
  return [
    h("p", { class: `state ${CONDITIONS[/** @type {"fresh"} */ (condition)]}` }, t(`camera.is.${condition}`)),
    sentence && h("p", {}, filled(sentence, facts)), advice && h("p", {}, h("strong", {}, advice)),
  ];
}

/** Out of sight until there is a picture. */
function previewPicture() {
  const picture = h("img", { class: "preview", alt: t("camera.preview"), hidden: true });
  picture.onload = () => { picture.hidden = false; };
  picture.onerror = () => { picture.hidden = true; };
  return picture;
}

/** @param {string} sentence @param {Record<string, any>} facts */
const filled = (sentence, facts) => sentence.replace(/\{(\w+)\}/g, (_, key) => facts[key] ?? "");

/** @param {any} frame */
function newest(frame) {
  if (!frame) return h("section", { class: "card" }, h("h2", {}, t("photo.newest")), h("p", {}, t("photo.none")));
  const { reading } = frame;
  return h("section", { class: "card" }, h("h2", {}, t("photo.newest")),
    h("a", { class: "newest", href: `#/photo/${frame.id}` },
      h("img", { src: pictureOf(frame.id, 640), alt: t("photo.of", { when: when(frame.taken_at) }), width: 640, height: 480 }),
      h("span", { class: "button" }, t("photo.open", { when: when(frame.taken_at) }))),
    reading ? [sureLine(reading), !isBare(reading) && scoreTable(linesOf(reading), { caption: t("score.announced"), sure: reading.sure_without_illegal })]
      : [h("p", { class: "state look" }, t(`frame.${frame.state}`)), frame.why_unread && h("p", {}, frame.why_unread.message)]);
}

/** @param {any} view @param {any} match */
function running(view, match) {
  if (!match || match.standings.over) {
    return h("section", { class: "card" }, h("h2", {}, t("match")), h("p", {}, t("match.none")),
      h("a", { class: "button", href: "#/match" }, t("match.begin")));
  }
  const round = currentRound(match);
  return h("section", { class: "card" }, h("h2", {}, t("match")), standingsTable(match),
    round && h("p", {}, t(`round.is.${round.state}`, { n: round.number })),
    h("a", { class: "button", href: `#/match/${match.id}` }, t("match.open")));
}

/** @param {any} state */
function problems({ problems: found, frames, free_bytes: room }) {
  const lines = found.filter((/** @type {any} */ one) => !one.key.startsWith("camera-"));
  return [
    lines.length > 0 && h("section", { class: "card" }, h("h2", {}, t("problems")),
      h("ul", {}, lines.map((/** @type {any} */ one) => h("li", {}, known(`problem.${one.key}`, one.sentence))))),
    h("p", { class: "faint" }, t("room", { n: frames, gb: number(room / 1e9, 1) })),
  ];
}

