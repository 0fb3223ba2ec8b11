/** Putting a match right: undone endings, other names, colours and seats, and what was changed. */

import { button, h, swap } from "../dom.js";
import { allColours, playerRow } from "./new-match.js";
import { ask, InTurn, may, post } from "../rig.js";
import { tell, trying } from "../told.js";
import { colourName, t, when } from "../words.js";

const finishing = new InTurn();

/** @param {any} view @param {any} round that has ended */
export function puttingRight(view, round) {
  const address = `/matches/${round.match}/rounds/${round.number}`;
  const forGood = may("admin") && button(t("round.delete"), () => confirm(t("round.delete.sure", { n: round.number })) && view.act(async () => {
    await ask("DELETE", `${address}?for_good=true`);
    tell(t("round.deleted", { n: round.number }));
  }), { class: "danger", "data-key": `delete-${round.number}` });
  if (round.state === "signed") {
    return may("admin") && h("div", { class: "row" },
      button(t("reopen"), () => (confirm(t("reopen.sure")) ? view.act(() => post(`${address}/reopen`)) : null)), forGood);
  }
  if (!may("player")) return null;
  const first = h("select", { id: `first-${round.number}`, "data-key": `first-${round.number}`, onchange: () => {
    const chosen = first.value || null;
    return finishing.take(() => view.act(() => ask("PUT", `${address}/finished`, { finished_first: chosen })));
  } },
  h("option", { value: "" }, t("nobody-asked")),
  round.sides.map((/** @type {any} */ side) => h("option", { value: side.colour }, t("named", { a: colourName(side.colour), b: side.players.join(" & ") }))));
  first.value = round.finished_first ?? "";
  return h("details", { "data-fix": `right-${round.number}` }, h("summary", { "data-key": `right-${round.number}` }, t("round.right")),
    h("label", { class: "field", for: first.id }, t("finished-first"), first),
    h("div", { class: "row" }, button(t("resume"), () => confirm(t("resume.sure", { n: round.number })) && view.act(async () => {
      await post(`${address}/resume`);
      tell(t("resumed", { n: round.number }));
    }), { class: "danger" }), forGood));
}

/** The players anew: names, colours, and the order in which they sit. @param {any} view */
export function changePlayers(view) {
  const { match } = view;
  view.isForm = true;
  const players = match.players.map((/** @type {any} */ one) => ({ name: one.name, colour: one.colour, was: one.name }));
  const rows = h("ol", { class: "players seated" });
  const render = () => swap(rows, players.map((/** @type {any} */ player, /** @type {number} */ at) => playerRow(player, at, allColours(), {
    redraw: render,
    remove: players.length > 1 ? () => { players.splice(at, 1); render(); } : null,
    up: at > 0 ? () => { players.splice(at - 1, 0, ...players.splice(at, 1)); render(); } : null,
  })));
  render();
  const done = () => { view.isForm = false; return view.again(); };
  swap(view.root, h("h1", {}, t("match.change")), h("form", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    trying(async () => {
      const named = players.map((/** @type {any} */ one, /** @type {number} */ at) => ({ ...one, name: one.name.trim() || t("player.n", { n: at + 1 }) }));
      await ask("PUT", `/matches/${match.id}/players`, { version: match.version, players: named });
      await done();
    });
  } },
  h("p", { class: "faint" }, t("players.how")), rows,
  h("div", { class: "row" },
    h("button", { type: "submit", class: "main" }, t("match.save")),
    button(t("player.add"), () => { players.push({ name: "", colour: allColours()[0], was: null }); render(); }),
    button(t("close"), done))));
}

/** What was changed, the newest first. @param {any} match */
export function matchHistory(match) {
  return match.history.length > 0 && h("details", { "data-fix": "history" }, h("summary", { "data-key": "history" }, t("match.history")),
    h("ul", { class: "list" }, [...match.history].reverse().map((one) => h("li", { class: "line" },
      h("span", {}, t(`history.${one.what}`, { n: one.round, player: one.facts.player }), h("small", {}, `${one.who} · ${when(one.at)}`))))));
}
