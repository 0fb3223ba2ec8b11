/** One card: what it was read as, and everything that can be corrected about it. */

import { cardName, chip, drawnCard, faceName } from "../cards.js";
import { button, h, swap } from "../dom.js";
import { typicalPx } from "./overlay.js";
import { above, middle } from "./places.js";
import { may, rig } from "../rig.js";
import { colourName, known, t } from "../words.js";

const TURN_DEG = 5;
const NUDGE_MM = 2;

/** @param {any} reading @param {number} id */
export const lookedUp = (reading, id) => reading.cards.find((/** @type {any} */ card) => card.id === id) ?? null;

/** @param {any} view @param {any} card @param {boolean} [isBelow] it stands under a trouble */
export function cardPanel(view, card, isBelow = false) {
  const { reading } = view;
  const illegal = reading.illegal.find((/** @type {any} */ one) => one.card === card.id);
  return h("article", { class: "one-card", "data-card": card.id },
    !isBelow && h("div", { class: "head" }, button(t("close"), () => view.leave(), { class: "plain" })),
    h("div", { class: "facts" }, drawnCard(card.colour, card.face, card.mirrored),
      h("div", {}, h("h2", {}, cardName(card)),
        h("p", {}, t("card.dots", { shown: card.visible_dots, hidden: card.hidden_dots }),
          card.free && ` ${t("card.free")}`),
        !isBelow && illegal && h("p", { class: "state lost" }, known(`rule.${illegal.rule}`, illegal.rule)))),
    !isBelow && card.face !== rig.deck.starting_face.id && h("div", { class: "row" }, button(t("coach.this"), () => view.coach(card), { "data-key": "coach-this" })),
    may("player") && corrections(view, card, illegal, isBelow),
  );
}

/** @param {any} view @param {any} card @param {any} illegal @param {boolean} isBelow */
function corrections(view, card, illegal, isBelow) {
  const { reading } = view;
  const send = (/** @type {any} */ correction, /** @type {string} */ key, facts = {}) =>
    view.correct({ card: card.id, ...correction }, t(key, { card: cardName(card), ...facts }));
  return [
    section("colour", colourPicker(card.colour, (colour) => recolour(view, card, colour))),
    section("face", facePicker(card.colour, card.face, card.mirrored, (face) => reface(view, card, face))),
    neighbours(view, card),
    h("div", { class: "row" },
      button(t("fix.side"), () => send({ kind: "side", mirrored: !card.mirrored }, "did.side")),
      button(t("fix.move"), () => view.enter("move"), { "data-key": "move" }),
      !isBelow && button(t(illegal ? "call.legal" : "call.illegal"),
        () => send({ kind: "verdict", legal: Boolean(illegal) }, illegal ? "did.legal" : "did.illegal")),
      button(t("fix.remove"), () => send({ kind: "remove" }, "did.remove"), { class: "danger" })),
    reading.corrections > 0 && h("p", { class: "faint" }, t("changes.where")),
  ];
}

/** @param {string} key @param {any} content */
const section = (key, content) => h("details", { "data-fix": key }, h("summary", {}, t(`fix.${key}`)), content);

/** @param {any} view @param {any} card @param {string} colour */
function recolour(view, card, colour) {
  return view.correct({ kind: "colour", card: card.id, colour },
    t("did.colour", { card: cardName(card), colour: colourName(colour) }));
}

/** The starting card has a colour of its own, so the two change together there. */
function reface(/** @type {any} */ view, /** @type {any} */ card, /** @type {string} */ face) {
  const { starting_face: start, starting_colour: white, colours } = rig.deck;
  /** @type {any} */
  const correction = { kind: "face", card: card.id, face };
  if (face === start.id) correction.colour = white.name;
  else if (card.face === start.id) correction.colour = colours[0].name;
  return view.correct(correction, t("did.face", { card: cardName(card), face: faceName(face) }));
}

/** @param {string} chosen @param {(colour: string) => any} onPick */
export function colourPicker(chosen, onPick) {
  return h("div", { class: "picker colours", role: "group" }, rig.deck.colours.map((/** @type {any} */ { name }) =>
    h("button", { type: "button", "data-colour": name, "aria-pressed": String(name === chosen),
      disabled: name === chosen, onclick: () => onPick(name) }, chip(name), colourName(name))));
}

/** @param {string} colour @param {string} chosen @param {boolean} mirrored @param {(face: string) => any} onPick */
export function facePicker(colour, chosen, mirrored, onPick) {
  const { faces, starting_face: start } = rig.deck;
  return h("div", { class: "picker faces", role: "group" }, [...faces, start].map(({ id }) =>
    h("button", { type: "button", "data-face": id, "aria-pressed": String(id === chosen), disabled: id === chosen,
      "aria-label": id === start.id ? t("face.start") : `${known(`suit.${id.split("-")[0]}`, id)} ${id.split("-")[1] ?? ""}`,
      onclick: () => onPick(id) },
    drawnCard(id === start.id ? rig.deck.starting_colour.name : colour, id, mirrored), h("span", {}, id === start.id ? t("face.start.short") : faceName(id)))));
}

/** Which of two overlapping cards lies on top. */
function neighbours(/** @type {any} */ view, /** @type {any} */ card) {
  const { cards } = view.reading;
  const lines = [
    ...card.over.map((/** @type {number} */ id) => ({ other: lookedUp(view.reading, id), kind: "under" })),
    ...above(cards, card).map((other) => ({ other, kind: "over" })),
  ].filter(({ other }) => other);
  if (!lines.length) return null;
  return section("order", h("div", { class: "column" }, lines.map(({ other, kind }) =>
    button(t(`fix.${kind}`, { other: cardName(other) }), () =>
      view.correct({ kind, card: card.id, other: other.id }, t(`did.${kind}`, { card: cardName(card), other: cardName(other) }))))));
}

/** Tap where the card's middle lies, or push and turn it a little. */
export function movePanel(/** @type {any} */ view, /** @type {any} */ card) {
  const done = t("did.move", { card: cardName(card) });
  const send = (/** @type {any} */ where) => view.correct({ kind: "move", card: card.id, snap: false, ...where }, done)
    .then(() => view.card !== null && view.enter("move"));
  view.placing = (/** @type {any} */ at) => send({ at_px: at, snap: true });
  const [x, y] = middle(card.outline_px);
  const step = NUDGE_MM * view.reading.scale_px_per_mm;
  const push = (/** @type {string} */ sign, /** @type {number} */ dx, /** @type {number} */ dy, /** @type {string} */ label) =>
    button(sign, () => send({ at_px: [x + dx * step, y + dy * step] }), { "aria-label": label });
  const turn = (/** @type {string} */ sign, /** @type {number} */ by, /** @type {string} */ label) =>
    button(sign, () => send({ angle_deg: card.angle_deg + by }), { "aria-label": label });
  return [
    h("div", { class: "head" }, button(t("close"), () => { view.placing = null; view.enter(""); }, { class: "plain" })),
    h("h2", {}, t("move.title", { card: cardName(card) })), h("p", {}, t("move.how")),
    h("div", { class: "row pad" }, push("←", -1, 0, t("move.left")), push("↑", 0, -1, t("move.up")),
      push("↓", 0, 1, t("move.down")), push("→", 1, 0, t("move.right")),
      turn("⟲", -TURN_DEG, t("turn.left")), turn("⟳", TURN_DEG, t("turn.right"))),
    button(t("move.snap"), () => send({ snap: true }), { class: "main" }),
  ];
}

/** A card that was not seen: what it is, then where it lies. */
export function addPanel(/** @type {any} */ view) {
  const wish = { colour: rig.deck.colours[0].name, face: rig.deck.faces[0].id, mirrored: false, angle_deg: 0 };
  const place = h("div", {});
  const choices = h("div", {});
  const render = () => {
    const isStart = wish.face === rig.deck.starting_face.id;
    const shown = isStart ? rig.deck.starting_colour.name : wish.colour;
    swap(choices, colourPicker(wish.colour, (colour) => { wish.colour = colour; render(); }),
      facePicker(wish.colour, wish.face, wish.mirrored, (face) => { wish.face = face; render(); }));
    swap(place, h("div", { class: "facts" }, drawnCard(shown, wish.face, wish.mirrored), h("div", {},
      h("h2", {}, cardName({ colour: shown, face: wish.face })), h("p", {}, t("add.how")))),
    h("div", { class: "row" },
      button(t("fix.side"), () => { wish.mirrored = !wish.mirrored; render(); }),
      button(`⟳ ${wish.angle_deg}°`, () => { wish.angle_deg = (wish.angle_deg + 15) % 360; render(); }, { "aria-label": t("turn.right") })));
    view.placing = (/** @type {any} */ at) => view.correct(
      { kind: "add", ...wish, colour: shown, at_px: at, snap: true },
      t("did.add", { card: cardName({ colour: shown, face: wish.face }) }));
  };
  render();
  if (view.pin) view.zoom.flyTo(view.pin, typicalPx(view.reading.cards) * 2.2);
  return [h("div", { class: "head" }, button(t("close"), () => view.leave(), { class: "plain" })), place, choices];
}
