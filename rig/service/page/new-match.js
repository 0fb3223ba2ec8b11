/** Beginning a match: who sits where with which colour, and the way to play. */

import { button, h, swap } from "./dom.js";
import { get, post, rig } from "./rig.js";
import { trying } from "./told.js";
import { colourName, t } from "./words.js";
import { chip } from "./cards.js";

const SWITCHES = ["limited_space", "free_for_all", "sabotage", "illegal_stay", "one_winner"];
const SUITS = ["circle", "square", "triangle"];
const LIMITS = { legal_mm: 2, illegal_mm: 3, legal_deg: 3, illegal_deg: 4.5 };
const MOST = 16;

/**
 * Nameless players of the colours that lie on the newest photo.
 * @param {any} latest that photo, null where there is none
 */
export async function playersSeen(latest) {
  const reading = latest?.state === "read" ? await get(`/frames/${latest.id}/reading`).catch(() => null) : null;
  const seen = new Set(reading?.cards.map((/** @type {any} */ card) => card.colour));
  return allColours().filter((name) => seen.has(name)).map((colour) => ({ name: "", colour }));
}

/** @returns {string[]} */
export const allColours = () => rig.deck.colours.map((/** @type {any} */ one) => one.name);

/** @param {any[]} proposed players: of the match before, or as the newest photo shows them */
export function newMatch(proposed) {
  const colours = allColours();
  const players = proposed.length ? proposed.map((one) => ({ ...one }))
    : [{ name: "", colour: colours[0] }, { name: "", colour: colours[1 % colours.length] }];
  const rows = h("ol", { class: "players" });
  const add = () => {
    const free = colours.find((/** @type {string} */ one) => !players.some((/** @type {any} */ other) => other.colour === one));
    players.push({ name: "", colour: free ?? colours[0] });
    render();
  };
  const render = () => swap(rows, players.map((/** @type {any} */ player, /** @type {number} */ at) => playerRow(player, at, colours, {
    redraw: render,
    remove: players.length > 1 ? () => { players.splice(at, 1); render(); } : null,
  })));
  render();
  const way = waysToPlay();
  const form = h("form", { class: "new-match", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    trying(async () => {
      const made = await post("/matches", { players: players.map(named), way: way.value() });
      await post(`/matches/${made.id}/rounds`);
      location.hash = `#/match/${made.id}`;
    });
  } },
  h("fieldset", {}, h("legend", {}, t("players")), h("p", { class: "faint" }, t("players.how")), rows,
    button(t("player.add"), () => players.length < MOST && add())),
  way.element,
  h("button", { type: "submit", class: "main wide" }, t("match.begin")));
  return form;
}

/** @param {any} player @param {number} at nobody has to type a name */
const named = ({ name, colour }, at) => ({ name: name.trim() || t("player.n", { n: at + 1 }), colour });

/** @param {any} player @param {number} at @param {string[]} colours @param {any} acts */
export function playerRow(player, at, colours, { redraw, remove, up = null }) {
  const id = `player-${at}`;
  return h("li", { class: up === null && at === 0 ? "first" : "" }, chip(player.colour),
    h("input", { id, "data-key": id, value: player.name, maxlength: 40, placeholder: t("player.n", { n: at + 1 }),
      "aria-label": t("player.name", { n: at + 1 }), autocomplete: "off",
      oninput: (/** @type {any} */ event) => { player.name = event.target.value; } }),
    h("select", { "data-key": `colour-${at}`, "aria-label": t("player.colour", { n: at + 1 }),
      onchange: (/** @type {any} */ event) => { player.colour = event.target.value; redraw(); } },
    colours.map((name) => h("option", { value: name, selected: name === player.colour }, colourName(name)))),
    remove && h("button", { type: "button", "aria-label": t("player.remove", { n: at + 1 }), onclick: remove }, "×"),
    up && h("button", { type: "button", class: "up", "data-key": `up-${at}`, "aria-label": t("player.up", { n: at + 1 }), onclick: up }, "↑"));
}

/** The variants and house rules; what is left alone is as published. */
function waysToPlay() {
  const box = (/** @type {string} */ name, /** @type {string} */ label, checked = false) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", name, checked }), h("span", {}, label));
  const amount = (/** @type {string} */ name, /** @type {any} */ value) => h("label", { class: "field" }, t(`way.${name}`),
    h("input", { type: "number", name, min: 0, max: name === "target" ? 100000 : 180, step: name === "target" ? 1 : 0.1, value, inputmode: "decimal" }));
  const element = h("div", {},
    h("fieldset", {}, h("legend", {}, t("way")), SWITCHES.map((name) => box(name, t(`way.${name}`))),
      amount("target", "")),
    h("details", {}, h("summary", {}, t("way.suits")), h("p", { class: "faint" }, t("way.suits.how")),
      SUITS.map((name) => box(`suit-${name}`, `${t(`suit.${name}`)} ${t(`suit.${name}.sign`)}`, true))),
    h("details", {}, h("summary", {}, t("way.house")),
      rig.deck.rules.map((/** @type {string} */ name) => box(`rule-${name}`, t("way.rule", { rule: t(`rule.${name}`) }), true)),
      Object.entries(LIMITS).map(([name, value]) => amount(name, value))));
  const input = (/** @type {string} */ name) => element.querySelector(`[name="${name}"]`);
  const value = () => {
    const suits = SUITS.filter((name) => input(`suit-${name}`).checked);
    const target = parseInt(input("target").value, 10);
    return {
      ...Object.fromEntries(SWITCHES.map((name) => [name, input(name).checked])),
      suits: suits.length === SUITS.length ? null : suits,
      target: Number.isNaN(target) ? null : target,
      off: rig.deck.rules.filter((/** @type {string} */ name) => !input(`rule-${name}`).checked),
      tolerance: Object.fromEntries(Object.entries(LIMITS).map(([name, usual]) => {
        const given = parseFloat(input(name).value);
        return [name, Number.isNaN(given) ? usual : given];
      })),
    };
  };
  return { element, value };
}
