/** Calibrating a lens: which camera, the board photo by photo, what came of it, and saving it. */

import { button, h, swap } from "../dom.js";
import { keepLens, keptFile } from "./lens.js";
import { coverage, tilts } from "./lens-drawing.js";
import { ask, drawingOf, get, may, post, PREVIEW } from "../rig.js";
import { shrunk } from "../photo/shrink.js";
import { tell, tellTrouble, trying } from "../told.js";
import { known, number, t } from "../words.js";

const PREVIEW_MS = 1500;
const GRADES = { good: "fine", usable: "look", poor: "lost" };
const BOARDS = ["printed", "charuco", "chessboard", "other"];
const INSIST = ["lens-too-poor", "lens-better-there"];
/** The file inputs are asked for many: a phone's picker then offers its pictures as well. */
const PICTURES = { type: "file", accept: "image/*", multiple: true, class: "unseen", id: "board-file" };

export class LensView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    this.sending = "";
    /** Whether the last thing that happened was a photo. */
    this.isFresh = false;
    /** Stays while what is below changes, so that it is read out. */
    this.said = h("div", { class: "lens-said", role: "status" });
    this.ground = h("div", {});
    /** Why a lens was not saved: shown with a way to insist. @type {any} */
    this.refusal = null;
    this.look = setInterval(() => this.refreshPreview(), PREVIEW_MS);
  }

  async open() {
    const [state, { camera }] = await Promise.all([get("/lens"), get("/state")]);
    this.hasCamera = camera.condition !== "none";
    this.state = state;
    swap(this.root, h("h1", {}, t("lens.title")), this.said, this.ground);
    this.show(state.guide);
  }

  close() {
    clearInterval(this.look);
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name === "reset" && !this.sending) {
      const { guide } = await get("/lens");
      if (guide?.stage !== this.guide?.stage || guide?.taken !== this.guide?.taken) this.show(guide);
    }
  }

  /** @param {any} guide */
  show(guide) {
    this.guide = guide;
    this.waits = guide?.stage === "computing";
    swap(this.said, guide && this.tidings());
    // In sight while photos are taken; a verdict is too long for that.
    this.said.classList.toggle("sticks", this.sending !== "" || guide?.stage === "taking" || this.isFresh);
    swap(this.ground, guide ? this.underWay() : this.beginning());
  }

  beginning() {
    return [
      may("player") && h("section", { class: "card" }, h("h2", {}, t("lens.begin")),
        h("p", {}, t("lens.board.print")), boardField(),
        h("div", { class: "column" },
          this.hasCamera && button(t("lens.of.rig"), () => this.begin("rig"), { class: "main" }),
          button(t("lens.of.phone"), () => this.begin("phone"), { class: this.hasCamera ? "" : "main" }))),
      h("section", { class: "card" }, h("h2", {}, t("lens.now")),
        h("h3", {}, t("lens.now.rig")), lensState(this.state),
        h("h3", {}, t("lens.now.phone")), stated(ofPhone(keptFile()))),
    ];
  }

  /** @param {"rig" | "phone"} camera */
  async begin(camera) {
    const chosen = field("board-kind").value;
    const board = chosen === "other" ? field("board-squares").value.trim() : chosen;
    await trying(async () => this.show(await post("/lens", { camera, board })));
  }

  underWay() {
    const { guide } = this;
    const isComputing = guide.stage === "computing";
    return [
      h("p", { class: "faint" }, t(`lens.of.${guide.camera}`), " · ", guide.board ? t("lens.board.is", { board: guide.board }) : t("lens.board.sought")),
      isComputing ? h("progress", { "aria-label": t("lens.computing") }) : [this.outcome(), this.taking()],
      !isComputing && h("div", { class: "row" }, button(t("lens.anew"), () => this.anew(), { class: "danger" })),
    ];
  }

  async anew() {
    if (this.guide.used > 0 && !confirm(t("lens.anew.sure"))) return;
    await trying(async () => {
      await ask("DELETE", "/lens");
      await this.open();
    });
  }

  taking() {
    const { guide } = this;
    const isRig = guide.camera === "rig";
    const [first, ...others] = guide.wishes;
    const enough = guide.used >= guide.needed;
    const file = h("input", { ...PICTURES, onchange: () => {
      const chosen = [...(file.files ?? [])];
      file.value = "";
      this.send(chosen);
    } });
    return [
      h("section", { class: "card" },
        isRig && this.preview(),
        first ? [h("p", { class: "next" }, h("strong", {}, t("lens.next")), " ", sentence(first.sentence)),
          others.length > 0 && h("ul", { class: "faint" }, others.map((/** @type {any} */ one) => h("li", {}, sentence(one.sentence))))]
          : h("p", { class: "state fine" }, t("lens.complete")),
        h("div", { class: "row send" },
          isRig ? button(t("lens.capture"), () => this.capture(), { class: guide.complete ? "" : "main" })
            : h("label", { class: guide.complete ? "button" : "button main", for: PICTURES.id }, t("lens.photo"), file),
          button(t("lens.compute"), () => this.compute(), { class: guide.complete ? "main" : "", disabled: !enough })),
        !enough && h("p", { class: "faint" }, t("lens.least", { n: guide.needed })),
        h("label", { class: "lens-progress" }, t("lens.count", { used: guide.used, wanted: guide.wanted }),
          h("progress", { max: guide.wanted, value: Math.min(guide.used, guide.wanted) })),
        coverage(guide), tilts(guide), refusals(guide.refusals)),
    ];
  }

  /** What has just happened, in a line. */
  tidings() {
    const { taken, refused, result, stage } = this.guide;
    const line = (/** @type {string} */ state, /** @type {string} */ text) => h("p", { class: `state ${state}` }, text);
    if (this.sending) return line("none", this.sending);
    if (stage === "computing") return line("none", t("lens.computing"));
    if (result && !this.isFresh) {
      return result.figures ? line(GRADES[/** @type {"good"} */ (result.grade)], result.verdict) : line("lost", `${t("lens.none")} ${result.reason}.`);
    }
    if (!taken) return line("none", t("lens.first"));
    return refused ? line("look", `${t("lens.refused", { n: refused.photo })} ${refused.message}`) : line("fine", t("lens.taken", { n: taken }));
  }

  preview() {
    this.picture ??= h("img", { class: "preview", alt: t("camera.preview"), hidden: true,
      onload: () => { this.picture.hidden = false; }, onerror: () => { this.picture.hidden = true; } });
    this.refreshPreview();
    return this.picture;
  }

  refreshPreview() {
    if (this.guide?.camera === "rig" && this.picture && document.visibilityState === "visible") this.picture.src = `${PREVIEW}?${Date.now()}`;
  }

  /** @param {File[]} photos one after the other: each is answered before the next goes */
  async send(photos) {
    for (const [at, photo] of photos.entries()) {
      this.tellSending(t("lens.sending", { n: at + 1, all: photos.length }));
      const isTaken = await trying(async () => {
        const { blob, name } = await shrunk(photo);
        const form = new FormData();
        form.append("photo", blob, name);
        this.guide = await ask("POST", "/lens/photos", form);
      });
      if (!isTaken) break;
    }
    this.tellSending("");
  }

  async capture() {
    this.tellSending(t("lens.capturing"));
    await trying(async () => { this.guide = await post("/lens/capture"); });
    this.tellSending("");
  }

  /** @param {string} sentence */
  tellSending(sentence) {
    this.sending = sentence;
    this.isFresh = true;
    this.refusal = null;
    this.show(this.guide);
  }

  async compute() {
    await trying(async () => {
      this.refusal = null;
      this.isFresh = false;
      this.show(await post("/lens/fit"));
    });
  }

  outcome() {
    const { result, camera } = this.guide;
    if (!result) return null;
    if (!result.figures) return result.left_out.length > 0 && h("section", { class: "card" }, refusals(result.left_out));
    const mayKeep = camera === "phone" || may("admin");
    return h("section", { class: "card lens-result" }, h("h2", {}, t("lens.result")),
      figures(result.figures), drawings(), refusals(result.left_out),
      this.refusal ? [h("p", { class: "state look", role: "alert" }, this.refusal.message),
        button(t("lens.insist"), () => this.save(true), { class: "danger wide" })]
        : mayKeep ? button(t(`lens.save.${camera}`), () => this.save(false), { class: "main wide" })
          : h("p", { class: "faint" }, t("lens.admin")));
  }

  /** @param {boolean} force */
  async save(force) {
    const { camera } = this.guide;
    try {
      const saved = camera === "rig" ? await ask("PUT", "/lens", { force }) : await post("/lens/phone", { present: keptFile(), force });
      if (camera === "phone") keepLens(saved.lens);
      await ask("DELETE", "/lens");
      await this.open();
      tell(t(`lens.saved.${saved.outcome}`));
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      if (!INSIST.includes(code)) return tellTrouble(error);
      this.refusal = error;
      this.show(this.guide);
    }
  }
}

/** @param {string} text */
const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** @param {string} id @returns {any} */
const field = (id) => document.getElementById(id);

function boardField() {
  const squares = h("label", { class: "field", for: "board-squares", hidden: true }, t("lens.board.squares"),
    h("input", { id: "board-squares", value: "10x7:25", maxlength: 40, autocapitalize: "none" }));
  const kinds = h("select", { id: "board-kind", onchange: () => { squares.hidden = kinds.value !== "other"; } },
    BOARDS.map((kind) => h("option", { value: kind }, t(`lens.board.${kind}`))));
  return [h("label", { class: "field", for: "board-kind" }, t("lens.board"), kinds), squares];
}

/** A lens file that this phone keeps, as the rig tells of its own. @param {any} file */
const ofPhone = (file) => file && { size_px: file.size_px, grade: file.quality?.grade ?? null, verdict: null };

/** The lens of the rig's camera. @param {any} state */
export const lensState = (state) => [stated(state.rig), state.named_at_start && h("p", { class: "faint" }, t("lens.at-start"))];

/** @param {any} lens */
function stated(lens) {
  if (!lens) return h("p", {}, t("lens.unknown"));
  const [w, h_] = lens.size_px;
  return [h("p", {}, t("lens.for", { w, h: h_ }), lens.grade ? "" : ` ${t("lens.unrated")}`),
    lens.grade && h("p", { class: `state ${GRADES[/** @type {"good"} */ (lens.grade)]}` }, lens.verdict ?? t(`lens.grade.${lens.grade}`))];
}

/** @param {any} of */
function figures(of) {
  const lines = [["lens.rms", `${number(of.held_out_rms_px, 2)} px`], ["lens.p95", `${number(of.held_out_p95_px, 2)} px`],
    ["lens.focal", `± ${number(of.focal_bound_percent, 2)} %`], ["lens.distortion", `± ${number(of.distortion_bound_px, 2)} px`],
    ["lens.photos", number(of.photos)], ["lens.model", of.model + (of.board_bent ? `, ${t("lens.bent")}` : "")]];
  return h("table", { class: "scores" }, h("caption", {}, t("lens.figures")),
    h("tbody", {}, lines.map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, t(key)), h("td", { class: "points" }, value)))));
}

function drawings() {
  const fresh = Date.now();
  return ["distortion", "residuals"].map((name) => h("figure", { class: "lens-drawing" },
    h("img", { src: drawingOf(name, fresh), alt: t(`lens.drawing.${name}.alt`), width: 460, height: 345 }),
    h("figcaption", { class: "faint" }, t(`lens.drawing.${name}`))));
}

/** @param {any[]} left */
function refusals(left) {
  if (!left.length) return null;
  return h("details", { "data-fix": "refusals" }, h("summary", {}, t("lens.left-out", { n: left.length })),
    h("ul", {}, left.map((one) => h("li", {}, t("lens.photo.n", { n: one.photo }), " ", h("strong", {}, known(`lens.why.${one.reason}`, one.reason)), h("br"), one.message))));
}
