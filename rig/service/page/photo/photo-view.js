/** One frame: the photo with the reading over it, and below it what to look at and to correct. */

import { cardName, chip } from "../cards.js";
import { cardPanel, lookedUp, movePanel, addPanel } from "./card-panel.js";
import { changesPanel } from "./changes-panel.js";
import { checkPanel, openTroubles, troubles } from "./check-panel.js";
import { button, h, icon, swap } from "../dom.js";
import { coach, coachPanel, drawnPlaces, firstCard, tappedPlace } from "../game/coach.js";
import { drawnReading, typicalPx } from "./overlay.js";
import { cardAt, longest, middle } from "./places.js";
import { get, may, pictureOf } from "../rig.js";
import { scorePanel } from "./score-panel.js";
import { correct, undo } from "./send.js";
import { tell, tellTrouble } from "../told.js";
import { seen } from "./uploads.js";
import { colourName, t, when } from "../words.js";
import { Zoom } from "./zoom.js";

const FIRST_WIDTH = 1280;
const EYE = "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 3a4 4 0 1 0 .01 0z";
const WHOLE = "M3 5h18v14H3zM5 7v10h14V7zM8 10h8v4H8z";
const WIDE = "M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z";
const SMALL_PX = 70;
const TABS = ["score", "check", "cards", "changes"];

export class PhotoView {
  /** @param {HTMLElement} root @param {string} id of the frame */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    /** @type {any} */
    this.frame = null;
    this.tab = "score";
    /** @type {number | null} */
    this.card = null;
    /** @type {[number, number] | null} */
    this.pin = null;
    /** A tap on the picture goes here first. @type {((at: [number, number]) => any) | null} */
    this.placing = null;
    /** @type {string | null} which trouble is looked at */
    this.trouble = null;
    this.troubleAt = -1;
    this.mode = "";
    /** What the coach was asked. @type {any} */
    this.coaching = null;
    /** What is offered to be read with this photo, and chosen. @type {any} */
    this.together = null;
    this.waits = false;
    this.hasOverlay = localStorage.getItem("tacta.overlay") !== "off";
  }

  get reading() {
    return this.frame.reading;
  }

  /** @param {any} query */
  async open(query) {
    await this.fetch();
    this.build();
    if (this.reading) seen(this.id);
    if (query.tab) this.tab = query.tab;
    this.render();
    if (query.card) this.choose(Number(query.card), true);
    if (query.coach !== undefined && this.reading) await this.coach(firstCard(this.reading, query.coach));
  }

  /** Fetch and draw again. */
  async refresh() {
    await this.fetch();
    if (this.isLost) this.load();
    if (!this.placing) this.render();
  }

  async fetch() {
    const now = await get(`/frames/${this.id}`);
    if (this.frame && now.version < this.frame.version) return; // overtaken by a correction's answer
    this.frame = now;
    this.waits = now.state === "waiting" || now.state === "reading";
    if (!this.reading) return;
    if (this.card !== null && !lookedUp(this.reading, this.card)) this.card = null;
  }

  build() {
    this.picture = h("img", { class: "photo", alt: t("photo.alt"), draggable: "false" });
    this.layer = h("div", { class: "layer" });
    this.content = h("div", { class: "content" }, this.picture, this.layer);
    this.stage = h("div", { class: "stage", tabindex: 0, role: "application", "aria-label": t("photo.stage") },
      this.content);
    this.eye = h("button", { type: "button", class: "tool eye", onclick: () => this.switchOverlay() }, icon(EYE));
    this.tools = h("div", { class: "tools" }, this.eye,
      h("button", { type: "button", class: "tool", "aria-label": t("fit"), onclick: () => this.zoom.fit() }, icon(WHOLE)),
      this.wide = h("button", { type: "button", class: "tool", "aria-pressed": "false",
        "aria-label": t("picture-only"), onclick: () => this.widen() }, icon(WIDE)));
    this.panel = h("section", { class: "panel", "aria-label": t("reading") });
    this.frameTabs = h("div", { class: "strip", role: "group", "aria-label": t("reading") });
    swap(this.root, h("h1", { class: "unseen" }, this.title), h("div", { class: "photo-view" },
      h("div", { class: "stage-box" }, this.stage, this.tools), this.frameTabs, this.panel));
    this.zoom = new Zoom(this.stage, this.content, (at) => this.tapped(at));
    this.load();
  }

  load() {
    const small = pictureOf(this.id, FIRST_WIDTH);
    const full = this.frame.kind === "heic" ? pictureOf(this.id, 4096) : pictureOf(this.id);
    this.picture.onload = () => {
      this.picture.onload = null;
      const [w, height] = this.pictureSize();
      this.zoom.show(w, height);
      this.draw();
      if (this.card !== null) this.fly();
      const sharp = new Image();
      sharp.src = full;
      sharp.decode().then(() => {
        // Until it is there the picture has no size, and what is drawn meanwhile is left out.
        this.picture.onload = () => this.draw();
        this.picture.src = full;
      }, () => {});
    };
    this.isLost = false;
    this.picture.onerror = () => {
      this.isLost = true;
      tell(t("photo.missing"), null, true);
    };
    this.picture.src = small;
  }

  /** Of the photo as it is shown; the frame knows the file's, before any turn. */
  pictureSize() {
    const { width, height } = this.frame;
    const { naturalWidth, naturalHeight } = this.picture;
    const isTurned = naturalWidth > naturalHeight !== width > height;
    return isTurned ? [height, width] : [width, height];
  }

  close() {
    this.zoom?.close();
  }

  switchOverlay() {
    this.hasOverlay = !this.hasOverlay;
    localStorage.setItem("tacta.overlay", this.hasOverlay ? "on" : "off");
    this.draw();
  }

  widen() {
    const isWide = this.root.classList.toggle("wide");
    this.wide.setAttribute("aria-pressed", String(isWide));
    this.zoom.fit();
  }

  draw() {
    this.eye.setAttribute("aria-pressed", String(this.hasOverlay));
    this.eye.setAttribute("aria-label", t("overlay"));
    const shows = this.reading && this.picture.naturalWidth;
    if (!shows) return swap(this.layer);
    const asked = troubles(this.reading).find((one) => one.key === this.trouble);
    const drawing = drawnReading(this.reading, this.pictureSize(), this.card, asked);
    if (!this.hasOverlay || this.mode === "coach") drawing.classList.add("bare");
    return swap(this.layer, drawing, this.mode === "coach" && drawnPlaces(this, this.pictureSize()));
  }

  /** Where this card could go. @param {{colour: string, face: string}} card */
  coach({ colour, face }) {
    return coach(this, colour, face);
  }

  /** @param {[number, number]} at */
  tapped(at) {
    if (!this.reading) return;
    if (this.placing) {
      const [width, height] = this.pictureSize();
      if (at[0] >= 0 && at[1] >= 0 && at[0] < width && at[1] < height) this.placing(at);
      return;
    }
    if (this.mode === "coach") return tappedPlace(this, at);
    const card = cardAt(this.reading.cards, at);
    if (card) this.choose(card.id, longest(card.outline_px) * this.zoom.scale < SMALL_PX);
    else this.leave();
  }

  /** @param {number} id @param {boolean} flies */
  choose(id, flies) {
    this.reset();
    this.card = lookedUp(this.reading, id) ? id : null;
    this.root.classList.remove("wide");
    this.render();
    if (flies) this.fly();
    this.panel.scrollTop = 0;
  }

  fly() {
    const card = this.card === null ? null : lookedUp(this.reading, this.card);
    const at = this.pin ?? (card && middle(card.outline_px));
    const across = card ? longest(card.outline_px) : typicalPx(this.reading.cards);
    if (at && this.picture.naturalWidth) this.zoom.flyTo(at, across * 2.2);
  }

  /** @param {any} trouble an item of `troubles` */
  chooseTrouble(trouble) {
    this.reset();
    this.tab = "check";
    this.trouble = trouble.key;
    this.troubleAt = openTroubles(this.reading).findIndex((one) => one.key === trouble.key);
    this.card = trouble.card;
    this.pin = trouble.sort === "illegal" || trouble.item.kind === "verdict" ? null : trouble.at;
    this.root.classList.remove("wide");
    this.render();
    this.fly();
    this.panel.scrollTop = 0;
  }

  reset() {
    this.card = null;
    this.pin = null;
    this.placing = null;
    this.mode = "";
    this.trouble = null;
  }

  leave() {
    this.reset();
    this.render();
  }

  /** One step back: out of moving and adding, then away from the card or the question. */
  escape() {
    if (this.mode === "move") {
      this.placing = null;
      this.enter("");
    } else this.leave();
    const tab = this.frameTabs.querySelector(`[data-tab="${this.tab}"]`);
    /** @type {HTMLElement | null} */ (tab)?.focus({ preventScroll: true });
  }

  /** @param {string} mode move, add, or nothing */
  enter(mode) {
    this.mode = mode;
    this.render();
  }

  render() {
    const { reading } = this;
    this.draw();
    const open = reading ? openTroubles(reading).length : 0;
    const count = { check: open, cards: reading?.cards.length ?? 0, changes: reading?.corrections ?? 0 };
    swap(this.frameTabs, reading && TABS.map((name) =>
      h("button", { type: "button", "data-key": `tab-${name}`, "data-tab": name,
        "aria-pressed": String(this.tab === name && (this.card === null || this.trouble !== null) && !this.mode),
        onclick: () => { this.tab = name; this.leave(); } },
      t(`tab.${name}`), name in count && h("span", { class: "count" }, count[/** @type {"check"} */ (name)]))));
    swap(this.panel, this.panelNow());
  }

  panelNow() {
    const { reading } = this;
    if (!reading) return this.unread();
    if (this.mode === "add") return addPanel(this);
    if (this.mode === "coach") return coachPanel(this);
    const card = this.card === null ? null : lookedUp(reading, this.card);
    if (this.mode === "move" && card) return movePanel(this, card);
    if (this.trouble || (this.tab === "check" && !card)) return checkPanel(this);
    if (card) return cardPanel(this, card);
    if (this.tab === "cards") return this.cardList();
    if (this.tab === "changes") return changesPanel(this);
    return scorePanel(this);
  }

  unread() {
    const { state, why_unread: why } = this.frame;
    const isLost = state === "not_seen" || state === "failed";
    return [
      h("p", { class: isLost ? "state lost" : "state look" }, t(`frame.${state}`)),
      why && h("p", {}, why.message),
      isLost && h("p", {}, t("frame.retake")),
      scorePanel(this),
    ];
  }

  cardList() {
    const sorted = [...this.reading.cards].sort((a, b) =>
      a.colour.localeCompare(b.colour) || a.face.localeCompare(b.face));
    return [
      h("div", { class: "row" }, may("player") && button(t("add"), () => this.enter("add"), { "data-key": "add" }),
        button(t("coach.open"), () => this.coach(firstCard(this.reading)), { "data-key": "coach" })),
      h("ul", { class: "list cards" }, sorted.map((card) => h("li", {},
        h("button", { type: "button", class: "line", onclick: () => this.choose(card.id, true) },
          chip(card.colour), h("span", {}, cardName(card), h("small", {}, t("card.shows", { n: card.visible_dots }))))))),
    ];
  }

  /**
   * Correct the reading, say what it changed, and offer the way back.
   * @param {any} correction
   * @param {string} sentence
   */
  async correct(correction, sentence) {
    await this.change(
      () => correct(this.id, this.reading.version, correction),
      sentence,
      (made) => ({ label: t("undo"), act: () => this.undo(made.correction.id) }),
    );
  }

  /** @param {number} id of the correction */
  async undo(id) {
    await this.change(() => undo(this.id, this.reading.version, id), t("undone"), () => null);
  }

  /**
   * @param {() => Promise<any>} work
   * @param {string} sentence
   * @param {(made: any) => any} way back
   */
  async change(work, sentence, way) {
    const before = this.reading.scores_without_illegal;
    try {
      const made = await work();
      this.take(made.reading);
      const changes = scoreChanges(before, made.reading.scores_without_illegal);
      tell([sentence, changes || t("score.same")].join(" "), way(made));
    } catch (error) {
      const { code, present } = /** @type {any} */ (error);
      if (code === "version-conflict" && present?.cards) this.take(present);
      tellTrouble(error);
    }
  }

  /** The answers that were not worked out yet. @param {any} item a doubt or an illegal placement of the reading */
  async workOut(item) {
    if (item.isAsked) return;
    item.isAsked = true;
    const { reading } = this;
    try {
      Object.assign(item, await get(`/frames/${this.id}/${item.key ? `doubts/${item.key}` : `illegal/${item.card}`}`));
      this.render();
    } catch (error) {
      item.isAsked = false;
      if (reading === this.reading) tellTrouble(error); // else it may be answered by now
    }
  }

  /** @param {any} made the reading that a change made; another phone's may be there already */
  take(made) {
    const reading = made.version < this.frame.version ? this.reading : made;
    this.frame.reading = reading;
    this.frame.version = reading.version;
    this.placing = null;
    this.mode = "";
    if (this.card !== null && !lookedUp(reading, this.card)) this.card = null;
    const open = openTroubles(reading);
    const isAnswered = this.trouble && !open.some((one) => one.key === this.trouble);
    if (!isAnswered) return this.render();
    const at = this.troubleAt;
    this.reset();
    this.tab = "check";
    if (at < 0 || !open.length) return this.render();
    return this.chooseTrouble(open[Math.min(at, open.length - 1)]);
  }

  /** @param {string} name @param {any} data */
  async onEvent(name, data) {
    if (name === "frame-deleted" && data.frame === this.id) {
      tell(t("photo.deleted"), null, true);
      location.hash = "#/photos";
      return;
    }
    const isMine = data.frame === this.id && data.version !== this.frame.version;
    const isRound = name === "round-changed";
    if (!isMine && !isRound && name !== "reset") return;
    if (name === "frame-progress") return;
    await this.refresh();
  }

  get title() {
    return t("photo.of", { when: when(this.frame.taken_at) });
  }
}

/** @param {Record<string, number>} before @param {Record<string, number>} after */
function scoreChanges(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => (before[name] ?? 0) !== (after[name] ?? 0))
    .map((name) => `${colourName(name)} ${before[name] ?? 0}\u00a0→\u00a0${after[name] ?? 0}`).join(", ");
}
