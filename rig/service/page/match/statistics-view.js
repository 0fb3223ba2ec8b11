/** What each player's signed rounds come to, and how it went over time. */

import { barChart } from "./charts.js";
import { h, swap } from "../dom.js";
import { get } from "../rig.js";
import { known, number, t } from "../words.js";

export class StatisticsView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
  }

  async open() {
    const { players } = await get("/statistics");
    swap(this.root, h("h1", {}, t("statistics")),
      h("div", { class: "row" }, h("a", { class: "button", href: "#/history" }, t("nav.history"))),
      players.length ? players.map(player) : h("p", {}, t("statistics.none")));
  }

  /** @param {string} name */
  async onEvent(name) {
    if (/^(round|match)-|reset/.test(name)) await this.open();
  }

  close() {}
}

/** @param {any} one */
function player(one) {
  const facts = [
    [t("statistics.rounds"), one.rounds.length], [t("statistics.wins"), one.wins],
    [t("statistics.matches"), one.matches], [t("statistics.matches-won"), one.matches_won],
    [t("statistics.mean"), number(one.mean, 1)], [t("statistics.best"), one.best],
    [t("statistics.illegal"), one.illegal],
    ...Object.entries(one.dots_by_shape).map(([shape, dots]) => [t("statistics.dots", { shape: known(`shape.${shape}`, shape) }), dots]),
  ];
  const groups = one.rounds.map((/** @type {any} */ _, /** @type {number} */ at) => String(at + 1));
  const values = one.rounds.map((/** @type {any} */ round) => round.points);
  return h("section", { class: "card", "data-player": one.name }, h("h2", {}, one.name),
    h("dl", { class: "facts-list" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    barChart(t("statistics.over-time", { name: one.name }), groups, [{ name: t("statistics.points"), values }]));
}
