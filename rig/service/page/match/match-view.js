/** A match: the running scoreboard, its rounds, how each ends, and who has agreed. */

import { cardName, chip } from "../cards.js";
import { barChart, hexOf } from "./charts.js";
import { button, h, swap } from "../dom.js";
import { newMatch, playersSeen } from "./new-match.js";
import { ending, missingLine } from "./round-ending.js";
import { changePlayers, matchHistory, puttingRight } from "./match-changes.js";
import { ask, get, may, pictureOf, post } from "../rig.js";
import { scoreTable } from "./scores.js";
import { signing } from "./signing.js";
import { tell, tellTrouble, trying } from "../told.js";
import { colourName, t, when } from "../words.js";

export class MatchView {
  /** @param {HTMLElement} root @param {string} [id] of the match; without it the newest */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.isForm = false;
    this.isLeft = false;
    this.waits = false;
    this.finishedFirst = "";
  }

  async open() {
    if (this.id === "new") return this.form();
    const match = this.id ? await get(`/matches/${this.id}`) : (await get("/state")).match;
    if (!match || (!this.id && match.standings.over)) return this.form(match);
    this.id = match.id;
    this.match = match;
    this.hasCamera = (await get("/camera")).condition !== "none";
    return this.render();
  }

  /** @param {any} [last] the match before, whose players may play again */
  async form(last) {
    this.isForm = true;
    if (!may("player")) return swap(this.root, h("h1", {}, t("match")), h("p", {}, t("match.none")));
    const { match, latest } = await get("/state");
    const players = (last ?? match)?.players ?? await playersSeen(latest);
    return swap(this.root, h("h1", {}, t("match.new")), newMatch(players));
  }

  render() {
    const { match } = this;
    const { over, winners } = match.standings;
    const current = currentRound(match);
    const rounds = [current, ...match.rounds.filter((/** @type {any} */ one) => one !== current).reverse()].filter(Boolean);
    this.waits = rounds.some((round) => round.being_read);
    const canBegin = may("player") && !over && rounds[0]?.state !== "open" && rounds[0]?.state !== "ended";
    swap(this.root,
      h("h1", {}, t("match.of", { when: when(match.begun_at) })),
      h("p", { class: "faint" }, ways(match.way)),
      match.side_by_side.map((/** @type {string[]} */ [a, b]) => h("p", { class: "state look" }, t("side-by-side", { a, b }))),
      standingsTable(match),
      over && h("p", { class: "state fine" }, t(winners.length > 1 ? "match.shared" : "match.won",
        { who: winners.map((/** @type {string} */ one) => sideName(match, one)).join(" & ") })),
      canBegin && button(t("round.begin", { n: nextNumber(match) }), () => this.act(() => post(`/matches/${match.id}/rounds`)), { class: "main wide" }),
      rounds.map((round, at) => roundPart(this, round, at === 0)),
      roundsChart(match),
      matchHistory(match),
      h("div", { class: "row" },
        may("player") && button(t("match.change"), () => changePlayers(this)),
        may("player") && h("a", { class: "button", href: "#/match/new" }, t("match.another")),
        may("admin") && button(t("match.delete"), () => confirm(t("match.delete.sure")) && trying(async () => {
          this.isLeft = true; // what is heard meanwhile must not ask for it again
          try {
            await ask("DELETE", `/matches/${match.id}`);
          } catch (error) {
            this.isLeft = false;
            throw error;
          }
          tell(t("match.deleted"), null, true);
          location.hash = "#/history";
        }), { class: "danger" })));
  }

  /** @param {() => Promise<any>} work */
  async act(work) {
    try {
      await work();
    } catch (error) {
      tellTrouble(error);
    }
    await this.again();
  }

  async again() {
    if (this.isLeft) return;
    try {
      this.match = await get(`/matches/${this.id}`);
    } catch (error) {
      if (/** @type {any} */ (error).code !== "match-unknown") throw error;
      location.hash = "#/history";
      return;
    }
    if (!this.isForm && !this.isLeft) this.render(); // neither opened nor left meanwhile
  }

  /** @param {string} name @param {any} data */
  async onEvent(name, data) {
    if (this.isForm || this.isLeft || name === "frame-progress") return;
    if (name === "match-deleted") {
      if (data.match !== this.id) return;
      tell(t("match.deleted"), null, true);
      location.hash = "#/history";
      return;
    }
    if (/^(round|match|frame)-|reset/.test(name)) await this.again();
  }

  close() {}
}

/** @param {any} match @param {string} colour */
export const sideName = (match, colour) =>
  match.players.filter((/** @type {any} */ one) => one.colour === colour).map((/** @type {any} */ one) => one.name).join(" & ");

/** The round that is played, else the last one. */
export const currentRound = (/** @type {any} */ match) => match?.rounds.find((/** @type {any} */ one) => one.state === "open") ?? match?.rounds.at(-1);

/** As the service counts: a deleted round of limited space comes again. */
function nextNumber(/** @type {any} */ match) {
  const taken = match.rounds.map((/** @type {any} */ one) => one.number);
  const free = taken.findIndex((/** @type {number} */ number, /** @type {number} */ at) => number !== at + 1);
  return match.way.limited_space && free >= 0 ? free + 1 : (taken.at(-1) ?? 0) + 1;
}

/** Totals of signed rounds, and what the round that is not signed yet would add. */
export function standingsTable(/** @type {any} */ match) {
  const { totals, leaders, sure } = match.standings;
  const open = match.rounds.find((/** @type {any} */ one) => one.state === "ended");
  const adds = (/** @type {string} */ colour) => open?.sides.find((/** @type {any} */ one) => one.colour === colour)?.announced ?? 0;
  const lines = Object.keys(totals).map((colour) => ({
    colour, players: [sideName(match, colour)], points: totals[colour] + adds(colour) }));
  const { target } = match.way;
  const caption = [t(open ? "totals.with" : "totals", { n: open?.number }), target && t("target", { n: target })].filter(Boolean).join(" · ");
  return scoreTable(lines, { leaders: open ? [] : leaders, caption, sure: sure && open?.sure !== false });
}

/** The rounds of a match side by side. @param {any} match */
function roundsChart(match) {
  const rounds = match.rounds.filter((/** @type {any} */ one) => one.sides.some((/** @type {any} */ side) => side.announced !== null));
  if (rounds.length < 2) return null;
  const series = Object.keys(match.standings.totals).map((colour) => ({
    name: `${sideName(match, colour)} (${colourName(colour)})`, hex: hexOf(colour),
    values: rounds.map((/** @type {any} */ one) => one.sides.find((/** @type {any} */ side) => side.colour === colour)?.announced ?? null) }));
  const legend = Object.keys(match.standings.totals).map((colour) => h("span", {}, chip(colour), sideName(match, colour)));
  return h("section", { class: "card" }, barChart(t("match.chart"), rounds.map((/** @type {any} */ one) => t("round.n", { n: one.number })), series),
    h("div", { class: "legend", "aria-hidden": "true" }, legend));
}

/** @param {any} way */
function ways(way) {
  const names = ["limited_space", "free_for_all", "sabotage", "illegal_stay", "one_winner"].filter((one) => way[one]);
  const suits = way.suits && t("way.only", { suits: way.suits.map((/** @type {string} */ one) => t(`suit.${one}.sign`)).join(" ") });
  const off = way.off.map((/** @type {string} */ one) => t("way.without", { rule: t(`rule.${one}`) }));
  return [...names.map((one) => t(`way.${one}`)), suits, ...off].filter(Boolean).join(" · ") || t("way.plain");
}

/** @param {any} view @param {any} round @param {boolean} isLast */
export function roundPart(view, round, isLast) {
  const lines = round.sides.map((/** @type {any} */ side) => (
    { colour: side.colour, players: side.players, points: side.announced, lies: view.match.way.illegal_stay ? side.without_illegal : side.as_it_lies }));
  const suits = round.suits && round.suits.map((/** @type {string} */ one) => t(`suit.${one}.sign`)).join(" ");
  return h("section", { class: "card round", "data-round": round.number },
    h("h2", {}, t("round.n", { n: round.number }), suits && ` ${suits}`, " ",
      h("span", { class: `badge ${round.state}` }, t(`round.${round.state}`))),
    round.state === "open" ? ending(view, round) : [
      round.frame && h("a", { class: "newest", href: `#/photo/${round.frame}` },
        h("img", { src: pictureOf(round.frame, isLast ? 640 : 320), alt: "", width: 640, height: 480 }),
        h("span", { class: "button" }, t(round.state === "signed" ? "round.see" : "round.look"))),
      missingLine(round),
      scoreTable(lines, { leaders: round.leaders, sure: round.sure, caption: t(view.match.way.illegal_stay ? "score.lying" : "score.announced") }),
      round.state === "ended" && warnings(round),
      round.state === "signed" && round.sure === false && h("p", { class: "state look" }, t("sure.signed")),
      signing(view, round), puttingRight(view, round)]);
}

/** @param {any} round what is not as expected on the table */
function warnings(round) {
  const printed = (/** @type {any[]} */ cards) => cards.map(cardName).join(", ");
  return [
    round.being_read && h("p", { class: "state look" }, t("frame.reading")),
    round.sure === null && !round.being_read && h("p", { class: "state lost" }, t("round.unread")),
    round.sure === false && h("p", { class: "state look" }, t("sure.no")),
    Object.keys(round.missing_by_colour).length > 0 && h("details", { "data-fix": `missing-${round.number}` },
      h("summary", {}, t("missing", { n: round.missing.length })), h("p", {}, printed(round.missing)), h("p", {}, t("missing.unsure"))),
    round.twice.length > 0 && h("p", { class: "state look" }, t("twice", { cards: printed(round.twice) })),
    round.nobody_finished && h("p", { class: "state look" }, t("nobody-finished")),
    cardLinks(round, round.unexpected, "unexpected"),
    cardLinks(round, round.illegal, "illegal"),
    cardLinks(round, round.free, "free"),
  ];
}

/** @param {any} round @param {number[]} ids @param {string} key */
function cardLinks(round, ids, key) {
  if (!ids.length) return null;
  const links = ids.map((id, at) => h("a", { class: "button", href: `#/photo/${round.frame}?card=${id}` }, t("see.n", { n: at + 1 })));
  const name = () => get(`/frames/${round.frame}/reading`).then(({ cards }) => ids.forEach((id, at) => {
    const card = cards.find((/** @type {any} */ one) => one.id === id);
    if (card) swap(links[at], h("span", {}, cardName(card)));
  }), tellTrouble);
  return h("details", { "data-fix": `${key}-${round.number}`, ontoggle: name },
    h("summary", { "data-key": `${key}-${round.number}` }, t(key, { n: ids.length })), h("div", { class: "row" }, links));
}
