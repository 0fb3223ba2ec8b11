/** The coach: every place where a card could legally go, drawn on the photo, best first. */

import { cardName, colourOf, drawnCard, faceOf, path } from "../cards.js";
import { colourPicker, facePicker } from "../photo/card-panel.js";
import { button, h, svg } from "../dom.js";
import { cardToPicture, middle } from "../photo/places.js";
import { get, rig } from "../rig.js";
import { tellTrouble } from "../told.js";
import { colourName, known, signed, t } from "../words.js";

/** @typedef {{colour: string, face: string, answer: any, at: number, refused: string}} Coaching */

/**
 * Ask for a card's places, and show them once they are there.
 * @param {any} view of a photo @param {string} colour @param {string} face
 */
export async function coach(view, colour, face) {
  /** @type {Coaching} */
  const asked = { colour, face, answer: null, at: 0, refused: "" };
  view.coaching = asked;
  view.enter("coach");
  try {
    asked.answer = await get(`/frames/${view.id}/coach?${new URLSearchParams({ colour, face })}`);
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (code === "coach-off") asked.refused = message;
    else tellTrouble(error);
  }
  if (view.mode === "coach" && view.coaching === asked) view.render();
}

/**
 * The card that the coach begins with, where nobody chose one: the first that is not laid.
 * @param {any} reading @param {string} [turn] the colour whose turn it is, which goes first
 */
export function firstCard(reading, turn) {
  const laid = new Set(reading.cards.map((/** @type {any} */ card) => `${card.colour} ${card.face}`));
  const played = rig.deck.colours.filter((/** @type {any} */ one) => one.name in reading.scores);
  const colours = [...(played.length ? played : rig.deck.colours)].sort((a, b) => Number(b.name === turn) - Number(a.name === turn));
  for (const { name } of colours) {
    for (const { id } of rig.deck.faces) if (!laid.has(`${name} ${id}`)) return { colour: name, face: id };
  }
  return { colour: rig.deck.colours[0].name, face: rig.deck.faces[0].id };
}

/** @param {any} view */
export function coachPanel(view) {
  const { colour, face, answer, at, refused } = /** @type {Coaching} */ (view.coaching);
  const places = answer?.places ?? [];
  return h("article", { class: "one-card coach", "data-coach": `${colour} ${face}`, "data-places": answer ? places.length : false },
    h("div", { class: "head" }, button(t("close"), () => view.leave(), { class: "plain" })),
    h("div", { class: "facts" }, drawnCard(colour, face, places[at]?.mirrored),
      h("div", {}, h("h2", {}, t("coach.card", { card: cardName({ colour, face }) })),
        answer && h("p", {}, t(places.length ? "coach.places" : "coach.none", { n: places.length })),
        answer?.lifted.length > 0 && h("p", { class: "faint" }, t("coach.lifted")))),
    answer && !view.reading.sure && h("p", { class: "state look" }, t("coach.unsure")),
    refused && h("p", { class: "state look" }, refused),
    !answer && !refused && h("p", { class: "wait" }, t("wait")),
    h("ol", { class: "list coach-places" }, places.map((/** @type {any} */ place, /** @type {number} */ n) => h("li", {},
      h("button", { type: "button", class: "line", "data-key": `place-${n}`, "aria-pressed": String(n === at), onclick: () => choose(view, n) },
        h("strong", { class: "coach-number" }, n + 1), h("span", {}, gains(place.gain, colour), h("small", {}, facts(place))))))),
    h("details", { "data-fix": "coach-card" }, h("summary", { "data-key": "coach-card" }, t("coach.other")),
      colourPicker(colour, (name) => coach(view, name, face)),
      facePicker(colour, face, false, (id) => id !== rig.deck.starting_face.id && coach(view, colour, id))));
}

/** @param {any} view @param {number} n */
function choose(view, n) {
  view.coaching.at = n;
  view.render();
  view.zoom.flyTo(middle(view.coaching.answer.places[n].outline_px), 2.2 * across(view));
}

/** How long a card is in the picture. @param {any} view */
const across = (view) => {
  const [a, , c] = view.coaching.answer.places[view.coaching.at].outline_px;
  return Math.hypot(a[0] - c[0], a[1] - c[1]);
};

/** The own colour first. @param {Record<string, number>} gain @param {string} own */
const gains = (gain, own) => Object.keys({ [own]: 0, ...gain })
  .map((name) => `${colourName(name)} ${gain[name] ? signed(gain[name]) : "±0"}`).join(", ");

/** @param {any} place */
function facts(place) {
  const covered = Object.entries(place.covers).map(([name, dots]) => `${colourName(name)} ${dots}`).join(", ");
  return [
    t("coach.on", { card: cardName({ colour: place.on_colour, face: place.on_face }) }),
    covered ? t("coach.covers", { dots: covered }) : t("coach.covers.none"),
    place.safe_dots > 0 && t("coach.safe", { n: place.safe_dots }),
    known(place.mirrored ? "coach.back" : "coach.front", ""),
  ].filter(Boolean).join(" · ");
}

/** The places on the photo: all of them thinly, the chosen one with its number. @param {any} view @param {[number, number]} size */
export function drawnPlaces(view, [width, height]) {
  const { answer, at, colour, face } = /** @type {Coaching} */ (view.coaching);
  const places = answer?.places ?? [];
  const { hex } = colourOf(colour);
  const chosen = places[at];
  const [x, y] = chosen ? middle(chosen.outline_px) : [0, 0];
  return svg("svg", { class: "overlay coach-overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    places.map((/** @type {any} */ place) => svg("polygon", { class: "place", points: path(place.outline_px) })),
    chosen && [
      svg("polygon", { class: "best under", points: path(chosen.outline_px) }),
      svg("polygon", { class: "best", points: path(chosen.outline_px), stroke: hex, fill: hex }),
      shapes(chosen, face, hex),
      svg("text", { class: "best-number", x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": across(view) / 5 }, String(at + 1)),
    ]);
}

/** The card's shapes as it would lie there. @param {any} place @param {string} face @param {string} hex */
function shapes(place, face, hex) {
  const to = cardToPicture(place.outline_px, rig.deck.card_mm);
  const at = (/** @type {number[]} */ [x, y]) => to(x, y);
  return (faceOf(face)?.shapes ?? []).map((/** @type {any} */ shape) => [
    svg("polygon", { class: "best-shape", points: path(shape.outline_mm.map(at)), fill: shape.dots_mm.length ? hex : "#0008" }),
    shape.dots_mm.map(at).map((/** @type {number[]} */ [cx, cy]) => svg("circle", { class: "best-dot", cx, cy, r: "0.35%" })),
  ]);
}

/** The place that was tapped: of those that lie over one another, the next one. @param {any} view @param {[number, number]} at */
export function tappedPlace(view, at) {
  const { answer, at: now } = /** @type {Coaching} */ (view.coaching);
  const places = answer?.places ?? [];
  const hit = places.map((/** @type {any} */ place, /** @type {number} */ n) => (isInside(at, place.outline_px) ? n : -1)).filter((/** @type {number} */ n) => n >= 0);
  if (!hit.length) return;
  view.coaching.at = hit.find((/** @type {number} */ n) => n > now) ?? hit[0];
  view.render();
}

/** @param {[number, number]} at @param {number[][]} outline */
const isInside = ([x, y], outline) => {
  const sides = outline.map(([ax, ay], n) => {
    const [bx, by] = outline[(n + 1) % outline.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
  });
  return sides.every((one) => one === sides[0]);
};
