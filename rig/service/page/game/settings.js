/** How a game is followed: the colours in order of play, what is shown, and what this phone does. */

import { chip } from "../cards.js";
import { button, h } from "../dom.js";
import { may, rig } from "../rig.js";
import { colourName, t } from "../words.js";
import { can, isOn, switchOn } from "./signals.js";
import { turnTime } from "./turn-clock.js";

/** @param {any} view */
export function gameSettings(view) {
  const { game } = view;
  const isPlayer = may("player");
  return h("details", { class: "card game-settings", "data-fix": "game-settings" }, h("summary", { "data-key": "game-settings" }, t("game.settings")),
    h("h3", {}, t("game.this-device")), deviceSwitch(view, "sound"), deviceSwitch(view, "vibration"),
    isPlayer && [
      h("h3", {}, t("game.everybody")), hiding(view), turnTime(view), colours(view),
      h("div", { class: "row" },
        button(t(game.following ? "game.stop" : "game.start"), () => view.set(() => ({ following: !game.following })), { "data-key": "follow" }),
        button(t("game.afresh"), () => view.afresh(), { class: "danger", "data-key": "afresh" }))]);
}

/** @param {any} view @param {"sound" | "vibration"} which */
function deviceSwitch(view, which) {
  if (!can(which)) return h("p", { class: "faint" }, t(`game.${which}.not`));
  const id = `game-${which}`;
  const box = h("input", { type: "checkbox", id, checked: isOn(which), onchange: () => switchOn(which, box.checked) });
  return h("label", { class: "check", for: id }, box, h("span", {}, t(`game.${which}`)));
}

/** @param {any} view */
export function hiding(view) {
  const box = h("input", { type: "checkbox", id: "game-hidden", checked: view.game.hide_scores, onchange: () => {
    const hides = box.checked;
    return view.set(() => ({ hide_scores: hides }));
  } });
  return h("label", { class: "check", for: "game-hidden" }, box, h("span", {}, t("game.hide")));
}

/** The colours that play, in their order. @param {any} view */
export function colours(view) {
  const { players } = view.game;
  const others = rig.deck.colours.map((/** @type {any} */ one) => one.name).filter((/** @type {string} */ one) => !players.includes(one));
  /** @param {(names: string[]) => string[]} change of those that play once its turn has come */
  const set = (change) => view.set((/** @type {any} */ now) => ({ players: change(now.players) }));
  const inMatch = [...view.names.keys()];
  return h("fieldset", { class: "seats" }, h("legend", {}, t("game.order")),
    h("ol", { class: "list" }, players.map((/** @type {string} */ colour, /** @type {number} */ at) => h("li", { class: "line", "data-seat": colour }, chip(colour),
      h("span", {}, view.names.get(colour) ?? colourName(colour), view.names.has(colour) && h("small", {}, colourName(colour))),
      at > 0 && button("↑", () => set((names) => moved(names, colour)), { "data-key": `up-${colour}`, "aria-label": t("game.up", { colour: colourName(colour) }) }),
      button("×", () => set((names) => names.filter((one) => one !== colour)), { "data-key": `away-${colour}`, "aria-label": t("game.away", { colour: colourName(colour) }) })))),
    !players.length && h("p", { class: "faint" }, t("game.order.none")),
    inMatch.length > 0 && inMatch.join() !== players.join() && button(t("game.as-match"), () => set(() => inMatch), { "data-key": "as-match" }),
    others.length > 0 && h("div", { class: "row", role: "group", "aria-label": t("game.add") }, others.map((/** @type {string} */ colour) =>
      h("button", { type: "button", "data-key": `add-${colour}`, "aria-label": t("game.add.one", { colour: colourName(colour) }), onclick: () => set((names) => (names.includes(colour) ? names : [...names, colour])) }, "+", chip(colour), colourName(colour)))));
}

/** @param {string[]} names @param {string} name goes one up */
function moved(names, name) {
  const all = [...names];
  const at = all.indexOf(name);
  if (at <= 0) return all;
  [all[at - 1], all[at]] = [all[at], all[at - 1]];
  return all;
}
