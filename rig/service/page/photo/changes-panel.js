/** Every correction to a photo, with who and when, and the way back. */

import { cardName, faceName } from "../cards.js";
import { lookedUp } from "./card-panel.js";
import { answerName } from "./check-panel.js";
import { button, h, swap } from "../dom.js";
import { get, may } from "../rig.js";
import { tellTrouble } from "../told.js";
import { colourName, t, when } from "../words.js";

/** @param {any} view */
export function changesPanel(view) {
  const place = h("div", {}, h("p", { class: "faint" }, t("wait")));
  get(`/frames/${view.id}/corrections`).then(
    ({ corrections }) => swap(place, corrections.length
      ? h("ul", { class: "list" }, [...corrections].reverse().map((one) => line(view, one)))
      : h("p", {}, t("changes.no"))),
    tellTrouble,
  );
  return place;
}

/** @param {any} view @param {any} made */
function line(view, made) {
  const isUndone = made.undone_by !== null;
  return h("li", { class: isUndone ? "undone line" : "line", "data-correction": made.id },
    h("span", {}, described(view.reading, made.correction),
      h("small", {}, [made.who, when(made.made_at), isUndone && t("undone-by", { who: made.undone_by }),
        made.idle && t("idle")].filter(Boolean).join(" · "))),
    !isUndone && may("player") && button(t("undo"), () => view.undo(made.id), { "data-key": `undo-${made.id}` }),
  );
}

/** @param {any} reading @param {any} correction */
function described(reading, correction) {
  const name = (/** @type {number} */ id) => {
    const card = lookedUp(reading, id);
    return card ? cardName(card) : t("card.gone", { n: id });
  };
  const { kind } = correction;
  if (kind === "answer") {
    const answer = answerName(reading, correction);
    const said = t("made.answer", { answer });
    return correction.card === null ? said : t("named", { a: name(correction.card), b: said });
  }
  const key = kind === "verdict" ? (correction.legal ? "legal" : "illegal") : kind;
  const isAdded = kind === "add";
  // The card bears its new name by now.
  const sentence = kind === "colour" || kind === "face" ? `made.${kind}` : `did.${key}`;
  return t(sentence, {
    card: isAdded ? cardName(correction) : name(correction.card),
    other: name(correction.other),
    colour: correction.colour && colourName(correction.colour),
    face: correction.face && faceName(correction.face),
  });
}
