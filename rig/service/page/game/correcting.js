/** Saying which card it was that was laid: everything after it is judged again. */

import { colourPicker, facePicker } from "../photo/card-panel.js";
import { cardName, drawnCard } from "../cards.js";
import { button, h } from "../dom.js";
import { rig } from "../rig.js";
import { t } from "../words.js";

/** @param {any} view @param {any} event */
export function correcting(view, event) {
  const wish = view.wishes.get(event.id) ?? { colour: event.card.colour, face: event.card.face };
  const choose = (/** @type {any} */ part) => {
    view.wishes.set(event.id, withStart({ ...wish, ...part }));
    view.render();
  };
  const isOther = wish.colour !== event.card.colour || wish.face !== event.card.face;
  return h("details", { "data-fix": `named-${event.id}`, class: "naming" },
    h("summary", { "data-key": `named-${event.id}` }, t("game.correct")),
    colourPicker(wish.colour, (colour) => choose({ colour })),
    facePicker(wish.colour, wish.face, event.card.mirrored, (face) => choose({ face })),
    h("div", { class: "facts" }, drawnCard(wish.colour, wish.face, event.card.mirrored),
      button(t(isOther ? "game.correct.to" : "game.correct.right", { card: cardName(wish) }), () => view.name(event, wish),
        { class: "main", "data-key": `name-${event.id}` })));
}

/** The starting card has a colour of its own, so the two change together there. @param {any} wish */
function withStart({ colour, face }) {
  const { starting_face: start, starting_colour: white, colours } = rig.deck;
  if (face === start.id) return { colour: white.name, face };
  return { colour: colour === white.name ? colours[0].name : colour, face };
}
