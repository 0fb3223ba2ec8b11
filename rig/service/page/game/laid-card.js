/** The card just laid, large enough for a tablet on a shelf: what it is, whether it may lie there, and why not. */

import { cardName, chip, drawnCard } from "../cards.js";
import { button, h } from "../dom.js";
import { API, may } from "../rig.js";
import { capture } from "../photo/uploads.js";
import { known, number, t } from "../words.js";
import { isCovered, lying, newest } from "./events.js";
import { verdictOf, verdictSign, verdictWord, why } from "./verdict.js";

/** @param {number} id of the event @param {string} fresh changes when another picture is to be shown */
export const pictureOf = (id, fresh) => `${API}/game/events/${id}/picture?${encodeURIComponent(fresh)}`;

/** What the newest picture said. @param {any} view */
export function laidCard(view) {
  const { events } = view.game;
  const [first, ...others] = newest(events);
  if (!first) return h("section", { class: "card laid", "data-laid": "" }, h("p", {}, t("game.empty")));
  const verdict = verdictOf(first);
  const table = lying(events);
  return h("section", { class: `card laid ${verdict.look}`, "data-laid": first.id, "data-status": verdict.kind },
    first.card ? h("div", { class: "laid-facts" },
      drawnCard(first.card.colour, first.card.face, first.card.mirrored),
      h("div", {},
        h("h2", { class: "laid-name" }, cardName(first.card)),
        h("p", { class: "laid-colour" }, chip(first.card.colour), suitName(first.card)),
        verdictLine(first, verdict), notes(first))) : disturbed(view, first, verdict),
    reasons(view, first, table, "laid"),
    others.filter((one) => one.card && one.card.id !== first.card?.id).map(otherLine));
}

/** More than a turn: put back, or taken as it lies. @param {any} view @param {any} event @param {import("./verdict.js").Verdict} verdict */
const disturbed = (view, event, verdict) => [verdictLine(event, verdict), notes(event), h("p", {}, t("game.disturbed.do")), picture(view, event, "laid"),
  may("player") && h("div", { class: "row" }, view.hasCamera && button(t("game.look-again"), () => { capture(); }, { class: "main", "data-key": "look-again" }),
    button(t("game.afresh.lies"), () => view.afresh(), { "data-key": "afresh-lies" }))];

/** @param {any} event @param {import("./verdict.js").Verdict} verdict */
const verdictLine = (event, verdict) =>
  h("p", { class: `verdict ${verdict.look}` }, verdictSign(verdict), h("span", {}, verdictWord(verdict)));

/** @param {any} card */
const suitName = ({ face }) => {
  const [suit, value] = face.split("-");
  return value ? `${known(`suit.${suit}`, suit)} ${value}` : "";
};

/** What else there is to say of an event. @param {any} event */
export function notes(event) {
  const { was, card } = event;
  const isNoted = (/** @type {string} */ note) => event.notes.includes(note);
  const isRenamed = was && (was.colour !== card.colour || was.face !== card.face);
  return [
    event.event === "corrected" && isRenamed && h("p", { class: "note" }, t("game.was", { was: cardName(was), card: cardName(card) })),
    isNoted("judged_again") && h("p", { class: "note" }, t("game.judged-again")),
    event.event === "moved" && h("p", { class: "note" }, t(isNoted("camera_moved") ? "game.camera-moved" : "game.moved")),
    isNoted("removed_illegal") && h("p", { class: "note" }, t("game.removed-illegal")),
    isNoted("several_laid") && h("p", { class: "note" }, t("game.several")),
    isNoted("other_table") && h("p", { class: "note" }, t("game.other-table")),
    event.out_of_turn && h("p", { class: "note" }, h("strong", {}, t("game.out-of-turn"))),
    event.late_s && h("p", { class: "note" }, t("game.late", { s: number(event.late_s, 1) })),
    event.named_by && h("p", { class: "note" }, t("game.named-by", { who: event.named_by })),
    event.stays && h("p", { class: "note" }, t("game.stays.by", { who: event.stays.by })),
    !event.sure && !event.named_by && card && event.status !== "borderline" && event.event !== "taken_back"
      && h("p", { class: "note unsure" }, t("game.unsure")),
    event.status === "free" && h("p", { class: "note" }, t(isNoted("place_existed") ? "game.place-existed" : "game.free")),
  ];
}

/**
 * Why it is not plainly legal, with the picture, and what can be done about it.
 * @param {any} view @param {any} event
 * @param {Map<number, any>} table @param {string} place on the page
 */
export function reasons(view, event, table, place) {
  const isAsked = event.card && event.event !== "taken_back" && (event.status === "illegal" || event.status === "borderline");
  if (!isAsked) return null;
  return h("div", { class: "reasons" },
    whyLine(event, table),
    picture(view, event, place),
    choices(view, event));
}

/** The rule on a line of its own, then by how much and on which card. @param {any} event @param {Map<number, any>} table */
function whyLine(event, table) {
  const [rule, ...facts] = why(event, table);
  return h("p", { class: "why" }, h("strong", {}, rule), facts.join(" · "));
}

/** The card cut out and enlarged. @param {any} view @param {any} event @param {string} place on the page */
export function picture(view, event, place) {
  if (!event.frame_id) return null;
  return view.kept(`${place}-${event.id}`, [event.card, event.status, event.rule], () => {
    const image = h("img", { class: "cut-out", src: pictureOf(event.id, [event.frame_id, event.card?.colour, event.card?.face, event.card?.x_mm].join()),
      alt: event.card ? t("game.picture", { card: cardName(event.card) }) : t("photo.alt") });
    const figure = h("figure", { class: "cut" }, image,
      (event.status === "illegal" || event.status === "borderline") && event.target_px && h("figcaption", {}, t("game.outlines")));
    image.onerror = () => { figure.hidden = true; };
    return figure;
  });
}

/** @param {any} view @param {any} event */
function choices(view, event) {
  if (view.game.ended) return null;
  const covered = isCovered(view.game.events, event.card.id);
  const isOpen = view.isTaking === event.card.id;
  if (event.stays) return may("player") && h("div", { class: "row" }, button(t("game.stays.not"), () => view.rule(event, false), { "data-key": `not-${event.id}` }));
  return [
    h("div", { class: "row choices" },
      h("button", { type: "button", class: "main", "data-key": `take-${event.id}`, "aria-expanded": String(isOpen), onclick: () => {
        view.isTaking = isOpen ? null : event.card.id;
        view.render();
        view.root.querySelector(".how")?.scrollIntoView({ block: "nearest" });
      } }, t("game.take")),
      may("player") && button(t("game.stays"), () => view.rule(event, true), { "data-key": `stays-${event.id}` })),
    isOpen && h("p", { class: "how state look", role: "status" }, t(covered ? "game.take.covered" : "game.take.how", { card: cardName(event.card) })),
  ];
}

/** Another that came with it. @param {any} event */
function otherLine(event) {
  const verdict = verdictOf(event);
  return h("p", { class: "other", "data-other": event.id }, verdictSign(verdict), event.card && chip(event.card.colour),
    h("span", {}, event.card ? t("named", { a: cardName(event.card), b: verdictWord(verdict) }) : verdictWord(verdict)));
}
