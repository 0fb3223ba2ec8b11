/** What was played: every match with its rounds, and the files to take home. */

import { button, h, swap } from "../dom.js";
import { sideName } from "./match-view.js";
import { EXPORTS, get } from "../rig.js";
import { scoreTable } from "./scores.js";
import { trying } from "../told.js";
import { t, when } from "../words.js";

export class HistoryView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.list = h("div", { class: "matches" });
    this.foot = h("div", { class: "row" });
  }

  async open() {
    await this.load();
    swap(this.root, h("h1", {}, t("nav.history")), h("div", { class: "row" },
      h("a", { class: "button", href: "#/statistics" }, t("statistics")),
      h("a", { class: "button", href: EXPORTS.csv, download: "tacta-rounds.csv" }, t("export.csv")),
      h("a", { class: "button", href: EXPORTS.json, download: "tacta-rounds.json" }, t("export.json"))),
    this.list, this.foot);
  }

  async load() {
    const { matches, next, deleted } = await get("/matches");
    swap(this.list, matches.length ? matches.map(matchPart) : h("p", {}, t("history.none")),
      deleted.map((/** @type {any} */ one) => h("p", { class: "faint" }, t("match.deleted.by", { when: when(one.begun_at), who: one.who, at: when(one.deleted_at) }))));
    this.offerMore(next);
  }

  /** @param {string | null} next */
  offerMore(next) {
    swap(this.foot, next && button(t("older"), () => trying(async () => {
      const older = await get(next);
      this.list.append(...older.matches.map(matchPart));
      this.offerMore(older.next);
    })));
  }

  /** @param {string} name */
  async onEvent(name) {
    if (/^(round|match)-|reset/.test(name)) await this.load();
  }

  close() {}
}

/** @param {any} match */
function matchPart(match) {
  const { totals, winners, leaders, sure } = match.standings;
  const lines = Object.keys(totals).map((colour) => ({ colour, players: [sideName(match, colour)], points: totals[colour] }));
  return h("section", { class: "card", "data-match": match.id },
    h("h2", {}, h("a", { href: `#/match/${match.id}` }, t("match.of", { when: when(match.begun_at) }))),
    scoreTable(lines, { leaders: winners.length ? winners : leaders, caption: t("totals"), sure }),
    h("ul", { class: "list" }, match.rounds.map((/** @type {any} */ round) => h("li", { "data-round": round.number, "data-state": round.state },
      h("a", { class: "line", href: round.frame ? `#/photo/${round.frame}` : `#/match/${match.id}` },
        h("span", {}, t("round.n", { n: round.number }), h("small", {}, round.sides.map((/** @type {any} */ side) =>
          side.announced === null ? null : `${side.players.join(" & ")}\u00a0${side.announced}${round.sure === false ? "\u00a0?" : ""}`).filter(Boolean).join(" · "))),
        h("span", { class: `badge ${round.state}` }, t(`round.${round.state}`)))))));
}
