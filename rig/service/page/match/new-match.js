/** Beginning a match: who sits where with which colour, and the way to play. */

import { button, h, swap } from "../dom.js";
import { get, post, rig } from "../rig.js";
import { trying } from "../told.js";
import { colourName, t } from "../words.js";
import { chip } from "../cards.js";

const KINDS = ["plain", "limited_space", "quick", "sabotage"];
const SWITCHES = ["free_for_all", "teams", "illegal_stay", "one_winner"];
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
  /** @type {Record<string, string>} what is wrong, by the field beside which it is said */
  let faults = {};
  const add = () => {
    const free = colours.find((/** @type {string} */ one) => !players.some((/** @type {any} */ other) => other.colour === one));
    players.push({ name: "", colour: free ?? colours[0] });
    render();
  };
  const render = () => swap(rows, players.map((/** @type {any} */ player, /** @type {number} */ at) => playerRow(player, at, colours, {
    redraw: render, faults,
    remove: players.length > 1 ? () => { players.splice(at, 1); render(); } : null,
  })));
  render();
  const way = waysToPlay();
  const form = h("form", { class: "new-match", novalidate: true, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    faults = { ...playerFaults(players, way.isTeams()), ...way.faults(new Set(players.map((/** @type {any} */ one) => one.colour)).size) };
    render();
    way.say(faults);
    const first = Object.keys(faults)[0];
    if (first) return form.querySelector(`[data-field="${first}"]`)?.focus();
    return trying(async () => {
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

/** @param {any[]} players @param {boolean} isTeams */
function playerFaults(players, isTeams) {
  /** @type {Record<string, string>} */
  const faults = {};
  const names = players.map((player, at) => named(player, at).name);
  players.forEach((player, at) => {
    if (names.indexOf(names[at]) < at) faults[`name-${at}`] = t("fault.same-name");
    const others = players.slice(0, at).filter((one) => one.colour === player.colour);
    if (others.length && !isTeams) faults[`colour-${at}`] = t("fault.colour-taken", { colour: colourName(player.colour), name: names[players.indexOf(others[0])] });
    else if (others.length > 1) faults[`colour-${at}`] = t("fault.three-of-colour", { colour: colourName(player.colour) });
  });
  return faults;
}

/** What is wrong stands beside the field. @param {Record<string, string>} faults @param {string} field */
const faultLine = (faults, field) => (field in faults
  ? h("p", { class: "fault", id: `fault-${field}`, "data-fault": field }, faults[field]) : null);

/** @param {Record<string, string>} faults @param {string} field */
const marked = (faults, field) => ({ "data-field": field, "aria-invalid": field in faults ? "true" : false,
  "aria-describedby": field in faults ? `fault-${field}` : false });

/** @param {any} player @param {number} at @param {string[]} colours @param {any} acts */
export function playerRow(player, at, colours, { redraw, remove, up, faults = {} }) {
  const id = `player-${at}`;
  return h("li", {}, chip(player.colour),
    h("input", { id, "data-key": id, value: player.name, maxlength: 40, placeholder: t("player.n", { n: at + 1 }),
      "aria-label": t("player.name", { n: at + 1 }), autocomplete: "off", ...marked(faults, `name-${at}`),
      oninput: (/** @type {any} */ event) => { player.name = event.target.value; } }),
    h("select", { "data-key": `colour-${at}`, "aria-label": t("player.colour", { n: at + 1 }), ...marked(faults, `colour-${at}`),
      onchange: (/** @type {any} */ event) => { player.colour = event.target.value; redraw(); } },
    colours.map((name) => h("option", { value: name, selected: name === player.colour }, colourName(name)))),
    remove && h("button", { type: "button", class: "away", "aria-label": t("player.remove", { n: at + 1 }), onclick: remove }, "×"),
    up !== undefined && h("button", { type: "button", class: "up", "data-key": `up-${at}`, "aria-label": t("player.up", { n: at + 1 }), disabled: !up, onclick: up }, "↑"),
    faultLine(faults, `name-${at}`), faultLine(faults, `colour-${at}`));
}

/** First the kind of play, then what it asks for; house rules are folded away. */
function waysToPlay() {
  const box = (/** @type {string} */ name, /** @type {string} */ label, checked = false) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", name, checked }), h("span", {}, label));
  const amount = (/** @type {string} */ name, /** @type {any} */ value) => h("div", {}, h("label", { class: "field" }, t(`way.${name}`),
    h("input", { type: "number", name, "data-field": name, min: name === "target" ? 1 : 0, max: name === "target" ? 100000 : 180, step: name === "target" ? 1 : 0.1, value, inputmode: "decimal" })),
  h("div", { "data-said": name }));
  const kinds = KINDS.map((name) => h("label", { class: "check" },
    h("input", { type: "radio", name: "kind", value: name, checked: name === "plain", onchange: () => follow() }),
    h("span", {}, t(`way.${name}`))));
  const suits = h("fieldset", { class: "suits", hidden: true }, h("legend", {}, t("way.suits")),
    h("p", { class: "faint" }, t("way.suits.how")),
    SUITS.map((name) => h("label", { class: "check" }, h("input", { type: "checkbox", name: `suit-${name}`, ...(name === "circle" ? { "data-field": "suits" } : {}) }),
      h("span", {}, `${t(`suit.${name}`)} ${t(`suit.${name}.sign`)}`))),
    h("div", { "data-said": "suits" }));
  const element = h("div", {},
    h("fieldset", {}, h("legend", {}, t("way")), kinds, suits, SWITCHES.map((name) => box(name, t(`way.${name}`))),
      amount("target", "")),
    h("details", {}, h("summary", {}, t("way.house")),
      rig.deck.rules.map((/** @type {string} */ name) => box(`rule-${name}`, t("way.rule", { rule: t(`rule.${name}`) }), true)),
      Object.entries(LIMITS).map(([name, value]) => amount(name, value))));
  const input = (/** @type {string} */ name) => element.querySelector(`[name="${name}"]`);
  const kind = () => element.querySelector("[name=kind]:checked").value;
  const asksForSuits = () => kind() === "quick" || kind() === "sabotage";
  const follow = () => {
    suits.hidden = !asksForSuits();
    element.querySelector("[name=target]").closest("div").hidden = kind() === "limited_space";
  };
  const chosen = () => SUITS.filter((name) => input(`suit-${name}`).checked);
  const figure = (/** @type {string} */ name) => parseFloat(input(name).value);
  const limits = () => Object.fromEntries(Object.entries(LIMITS).map(([name, usual]) => [name, Number.isNaN(figure(name)) ? usual : figure(name)]));
  const value = () => ({
    limited_space: kind() === "limited_space",
    sabotage: kind() === "sabotage",
    ...Object.fromEntries(SWITCHES.filter((name) => name !== "teams").map((name) => [name, input(name).checked])),
    suits: asksForSuits() ? chosen() : null,
    target: kind() === "limited_space" || Number.isNaN(figure("target")) ? null : figure("target"),
    off: rig.deck.rules.filter((/** @type {string} */ name) => !input(`rule-${name}`).checked),
    tolerance: limits(),
  });
  const faults = (/** @type {number} */ sides) => {
    /** @type {Record<string, string>} */
    const found = {};
    if (kind() === "sabotage" && chosen().length !== 2) found.suits = t("fault.two-suits");
    else if (kind() === "sabotage" && sides < 2) found.suits = t("fault.two-colours");
    if (kind() === "quick" && (chosen().length < 1 || chosen().length > 2)) found.suits = t("fault.fewer-suits");
    const target = input("target").value;
    if (target !== "" && kind() !== "limited_space" && !(Number.isInteger(figure("target")) && figure("target") > 0)) found.target = t("fault.target");
    const { legal_mm: mm, illegal_mm: mostMm, legal_deg: deg, illegal_deg: mostDeg } = limits();
    if (mm > mostMm) found.legal_mm = t("fault.limits");
    if (deg > mostDeg) found.legal_deg = t("fault.limits");
    return found;
  };
  const say = (/** @type {Record<string, string>} */ found) => {
    for (const place of element.querySelectorAll("[data-said]")) {
      const field = place.dataset.said;
      swap(place, faultLine(found, field));
      const control = element.querySelector(`[data-field="${field}"]`);
      control.toggleAttribute("aria-invalid", field in found);
      if (field in found) {
        control.setAttribute("aria-describedby", `fault-${field}`);
        place.closest("details")?.setAttribute("open", "");
      } else control.removeAttribute("aria-describedby");
    }
  };
  return { element, value, faults, say, isTeams: () => input("teams").checked };
}
