/** The deck that is played with: chosen, or enrolled from photos of its cards, seen and confirmed. */

import { chip, drawnCard, faceName } from "../cards.js";
import { button, h, swap } from "../dom.js";
import { lensFor } from "./lens.js";
import { API, ask, may, post, rig } from "../rig.js";
import { chooser } from "../photo/send.js";
import { shrunk } from "../photo/shrink.js";
import { tell, trying } from "../told.js";
import { colourName, number, t } from "../words.js";

const SHEET = `${API}/enrolment/sheet.pdf`;
const NAME = "[a-z0-9][a-z0-9\\-]*";

export class DeckPanel {
  /** @param {(setup: any) => void} onChange what the rig answered about its setup */
  constructor(onChange) {
    this.onChange = onChange;
    this.root = h("div", {});
    /** What is being done with a photo; read out. */
    this.said = h("p", { class: "state none", role: "status", hidden: true });
    // Made once: whoever types goes on typing where the rest is drawn anew.
    this.name = h("input", { id: "deck-name", "data-key": "deck-name", maxlength: 40, pattern: NAME, required: true, autocapitalize: "none", autocomplete: "off", placeholder: "my-deck", "aria-describedby": "deck-name-how" });
    this.width = h("input", { id: "deck-width", "data-key": "deck-width", type: "number", min: 20, max: 200, step: 0.1, inputmode: "decimal" });
    this.form = this.beginning();
  }

  /** @param {any} setup */
  show(setup) {
    this.setup = setup;
    const here = setup.decks.find((/** @type {any} */ one) => one.in_use);
    const isAdmin = may("admin");
    swap(this.root,
      h("p", { class: "state fine" }, t("deck.in-use", { name: here?.name ?? rig.deck.name, n: here?.faces ?? rig.deck.faces.length })),
      setup.deck_named_at_start && h("p", { class: "faint" }, t("deck.at-start")),
      isAdmin && !setup.deck_named_at_start && h("div", { class: "column" },
        setup.decks.filter((/** @type {any} */ one) => !one.in_use).map((/** @type {any} */ one) => button(t("deck.choose", { name: one.name }), () => this.choose(one.name)))),
      isAdmin && (setup.enrolment ? this.underWay(setup.enrolment) : this.form));
  }

  /** @param {string} name */
  async choose(name) {
    if (!confirm(t("deck.choose.sure", { name }))) return;
    await trying(async () => {
      await ask("PUT", "/setup/deck", { name });
      tell(t("deck.anew", { name }));
    });
  }

  beginning() {
    const { name, width } = this;
    return h("details", { "data-fix": "enrol" }, h("summary", { "data-key": "enrol" }, t("deck.enrol")),
      h("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        return trying(async () => {
          const wish = { name: name.value.trim(), card_width_mm: width.value ? Number(width.value) : null };
          this.take(await post("/enrolment", wish));
          name.value = width.value = "";
          this.form.open = false;
        });
      } },
      h("p", {}, t("deck.enrol.how")),
      h("label", { class: "field", for: name.id }, t("deck.name"), name), h("p", { class: "faint", id: "deck-name-how" }, t("deck.name.how")),
      h("label", { class: "field", for: width.id }, t("deck.width"), width),
      h("button", { type: "submit", class: "main" }, t("deck.begin"))));
  }

  /** @param {any} enrolment */
  underWay(enrolment) {
    const isMade = enrolment.deck !== null;
    return h("section", { class: "enrolment", "aria-label": t("deck.enrol") }, h("h3", {}, t("deck.under-way", { name: enrolment.name })),
      this.said,
      enrolment.photos.length > 0 && h("ul", { class: "list" }, enrolment.photos.map((/** @type {any} */ one, /** @type {number} */ at) => h("li", { class: "line" },
        h("span", {}, t("lens.photo.n", { n: at + 1 }), " ", one.reason ?? t("deck.cards", { n: one.cards }))))),
      h("div", { class: "row send" },
        chooser("deck-photo", t("lens.photo"), (files) => this.send(files), { multiple: true }, isMade ? "button" : "button main"),
        enrolment.cards > 0 && !isMade && button(t("deck.make"), () => this.make(), { class: "main" })),
      enrolment.reason && h("p", { class: "state lost" }, t("deck.none"), " ", enrolment.reason),
      isMade && this.result(enrolment),
      button(t("lens.anew"), () => confirm(t("deck.anew.sure")) && trying(async () => {
        await ask("DELETE", "/enrolment");
        this.take(null);
      }), { class: "danger" }));
  }

  /** @param {any} enrolment whose deck is made */
  result({ deck, faces, differing, doubts }) {
    const colour = deck.colours[0].name;
    const seen = new Set(faces);
    // What is amiss with the starting card stands among the doubts.
    const isSeen = (/** @type {any} */ face) => face === deck.starting_face || seen.has(face.id);
    return [
      h("p", { class: doubts.length ? "state look" : "state fine" }, t("deck.read", { n: faces.length, w: number(deck.card_mm[0], 1), h: number(deck.card_mm[1], 1) })),
      doubts.length > 0 && [h("h4", {}, t("deck.doubts")), h("ul", {}, doubts.map((/** @type {string} */ one) => h("li", {}, one)))],
      differing.length > 0 && [h("h4", {}, t("deck.differs")), h("ul", {}, differing.map((/** @type {string} */ one) => h("li", {}, one)))],
      h("h4", {}, t("deck.sheet")), h("p", { class: "faint" }, t("deck.sheet.how")),
      h("ul", { class: "sheet" }, [...deck.faces, deck.starting_face].map((/** @type {any} */ face) => h("li", { class: isSeen(face) ? "" : "unread" },
        drawnCard(face === deck.starting_face ? deck.starting_colour.name : colour, face.id, false, deck),
        h("small", {}, faceName(face.id, deck), isSeen(face) ? "" : ` ${t("deck.not-seen")}`)))),
      h("div", { class: "legend" }, deck.colours.map((/** @type {any} */ one) => h("span", {}, chip(one.name, deck), colourName(one.name)))),
      h("div", { class: "row" }, h("a", { class: "button", href: SHEET, target: "_blank" }, t("deck.pdf")),
        button(t("deck.keep"), () => this.keep(deck.name), { class: "main" })),
    ];
  }

  /** @param {any} enrolment */
  take(enrolment) {
    this.onChange({ ...this.setup, enrolment });
  }

  /** @param {File[]} photos */
  async send(photos) {
    for (const [at, photo] of photos.entries()) {
      this.say(t("lens.sending", { n: at + 1, all: photos.length }));
      const isTaken = await trying(async () => {
        const { blob, name, size, sent } = await shrunk(photo);
        const form = new FormData();
        form.append("photo", blob, name);
        const lens = lensFor(size, sent);
        if (lens) form.append("lens", lens);
        this.take(await ask("POST", "/enrolment/photos", form));
      });
      if (!isTaken) break;
    }
    this.say("");
  }

  async make() {
    this.say(t("deck.making"));
    await trying(async () => this.take(await post("/enrolment/deck", undefined, 180_000)));
    this.say("");
  }

  /** @param {string} name */
  async keep(name) {
    if (!confirm(t("deck.keep.sure", { name }))) return;
    await trying(async () => {
      this.onChange(await post("/decks"));
      tell(t("deck.kept", { name }));
    });
  }

  /** @param {string} text */
  say(text) {
    this.said.hidden = !text;
    this.said.textContent = text;
  }
}
