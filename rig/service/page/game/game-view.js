/** A game that is followed card by card: for a phone that lies on the table, or a tablet on a shelf. */

import { cardName } from "../cards.js";
import { button, h, swap } from "../dom.js";
import { sideName } from "../match/match-view.js";
import { ask, get, InTurn, LONGEST_CAPTURE_MS, may, post } from "../rig.js";
import { tell, tellTrouble } from "../told.js";
import { t } from "../words.js";
import { asks, refused } from "./asks.js";
import { ended } from "./ended.js";
import { illegal, isLaidOut, lying, newest } from "./events.js";
import { gameHistory } from "./history.js";
import { laidCard, reasons } from "./laid-card.js";
import { colours, gameSettings, hiding } from "./settings.js";
import { keepAwake, signal } from "./signals.js";
import { doingLine, standing, turnLine } from "./standing.js";
import { TurnClock, turnTime } from "./turn-clock.js";
import { verdictOf, verdictWord } from "./verdict.js";

export class GameView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    /** @type {any} */
    this.game = null;
    /** Players by colour, of the match that is played. @type {Map<string, string>} */
    this.names = new Map();
    /** Events that are unfolded. @type {Set<number>} */
    this.opened = new Set();
    /** What somebody is about to name each event. @type {Map<number, any>} */
    this.wishes = new Map();
    /** The card that somebody wants to know how to take back. @type {number | null} */
    this.isTaking = null;
    /** @type {Map<string, [string, any]>} */
    this.made = new Map();
    this.saying = h("p", { class: "unseen", role: "status" });
    this.place = h("div", { class: "game" });
    this.said = -1;
    /** Of the photo that ended the round. @type {any} */
    this.reading = null;
    this.hasCamera = false;
    this.settings = new InTurn();
    this.clock = new TurnClock(() => this.timeIsOver());
  }

  async open() {
    await Promise.all([this.look(), this.meetPlayers()]);
    this.said = newest(this.game.events)[0]?.id ?? -1;
    swap(this.root, h("h1", { class: "unseen" }, t("game")), this.saying, this.place);
    this.render();
    keepAwake(true);
    this.clock.open();
  }

  close() {
    this.clock.close();
    keepAwake(false);
  }

  async look() {
    this.game = await get("/game");
    this.clock.hear(this.game.turn_clock);
    const { ended: frame } = this.game;
    this.reading = frame && (await get(`/frames/${frame}`).catch(() => null))?.reading;
    this.waits = this.game.doing === "reading";
  }

  async meetPlayers() {
    const { match, camera } = await get("/state");
    this.hasCamera = camera.condition !== "none";
    const isPlayed = match && !match.standings.over;
    this.names = new Map(isPlayed ? match.players.map((/** @type {any} */ one) => [one.colour, sideName(match, one.colour)]) : []);
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name === "match-changed" || name === "match-deleted" || name === "reset") await this.meetPlayers();
    else if (name !== "game") return;
    await this.look();
    this.render();
    this.speak();
  }

  /** A sound, a shake and a word for who does not look, once for each news. */
  speak() {
    const [event] = newest(this.game.events);
    if (!event || event.id === this.said) return;
    this.said = event.id;
    this.isTaking = null;
    const verdict = verdictOf(event);
    signal(verdict.look);
    this.saying.textContent = event.card ? t("named", { a: cardName(event.card), b: verdictWord(verdict) }) : verdictWord(verdict);
  }

  timeIsOver() {
    signal("over");
    this.saying.textContent = t("game.time.is-over");
  }

  render() {
    const { game } = this;
    const isPlayer = may("player");
    const isOff = !game.following && !game.ended;
    if (isOff && !game.events.length) return swap(this.place, this.beginning(isPlayer));
    const laid = laidCard(this);
    const now = game.ended ? ended(this) : [laid, asks(this)];
    return swap(this.place,
      h("div", { class: "game-now" }, doingLine(game), refused(game), turnLine(this), now, this.stillIllegal()),
      h("div", { class: "game-rest" }, !game.ended && standing(this),
        isPlayer && !game.ended && button(t("game.end"), () => this.end(), { class: isLaidOut(game) ? "main wide" : "wide", "data-key": "end" }),
        gameHistory(this), this.coach(), h("p", {}, h("a", { class: "button wide", href: "#/replay", "data-key": "replay" }, t("replay.open"))),
        gameSettings(this)));
  }

  /** Where a card could go on this table; in a match that counts nobody is told. */
  coach() {
    const { game } = this;
    const last = game.events.findLast((/** @type {any} */ event) => event.frame_id);
    if (!last || game.match || game.ended) return null;
    return h("p", {}, h("a", { class: "button wide", href: `#/photo/${last.frame_id}?${new URLSearchParams({ coach: game.turn ?? "" })}`, "data-key": "coach" }, t("coach.open")));
  }

  /** @param {boolean} isPlayer */
  beginning(isPlayer) {
    return h("section", { class: "card" }, h("h2", {}, t("game")), h("p", {}, t("game.about")),
      isPlayer ? [colours(this), turnTime(this), hiding(this), button(t("game.start"), () => this.set(() => ({ following: true })), { class: "main wide", "data-key": "follow" })]
        : h("p", {}, t("game.doing.off")),
      h("p", {}, h("a", { class: "button", href: "#/replay", "data-key": "replay" }, t("replay.others"))));
  }

  /** Illegal cards that were laid before the newest. */
  stillIllegal() {
    const shown = this.game.ended ? null : newest(this.game.events)[0];
    const others = illegal(this.game.events).filter((one) => one.card.id !== shown?.card?.id);
    const table = lying(this.game.events);
    return others.length > 0 && h("section", { class: "card still", "data-still": others.length }, h("h2", {}, t("game.still", { n: others.length })),
      others.map((one) => h("details", { "data-fix": `still-${one.card.id}` }, h("summary", { "data-key": `still-${one.card.id}` }, cardName(one.card)), reasons(this, one, table, "still"))));
  }

  /**
   * An element that is made anew only when its facts change: a picture is not loaded twice.
   * @param {string} key of one place on the page @param {any} facts @param {() => any} make
   */
  kept(key, facts, make) {
    const text = JSON.stringify(facts);
    const before = this.made.get(key);
    if (before?.[0] === text) return before[1];
    const element = make();
    this.made.set(key, [text, element]);
    return element;
  }

  /** @param {() => Promise<any>} work */
  async act(work) {
    try {
      await work();
    } catch (error) {
      tellTrouble(error);
    }
    try {
      await this.look();
      this.render();
    } catch (error) {
      if (/** @type {any} */ (error).code !== "no-answer") throw error; // that is told, and once the line is there again all is looked at
    }
  }

  /**
   * Settings are sent one after the other, so that the last one made is the one that stays.
   * @param {(game: any) => any} part of what can be set, of the game as it is once those before are set
   */
  set(part) {
    return this.settings.take(() => this.act(() => ask("PUT", "/game", part(this.game))));
  }

  /** @param {any} event @param {{colour: string, face: string}} card */
  name(event, card) {
    return this.act(async () => {
      await post(`/game/events/${event.id}/name`, { colour: card.colour, face: card.face });
      this.wishes.delete(event.id);
      this.root.querySelectorAll(`[data-fix="named-${event.id}"]`).forEach((one) => one.removeAttribute("open"));
      tell(t("game.corrected", { card: cardName(card) }));
    });
  }

  /** @param {any} event @param {boolean} stays */
  rule(event, stays) {
    return this.act(() => post(`/game/events/${event.id}/stays`, { stays }));
  }

  afresh() {
    if (!confirm(t("game.afresh.sure"))) return null;
    return this.act(() => ask("DELETE", "/game"));
  }

  end() {
    if (!isLaidOut(this.game) && !confirm(t("game.end.sure"))) return null;
    return this.act(async () => {
      const unsay = tell(t("game.ending"));
      const ended = await post("/game/end", {}, LONGEST_CAPTURE_MS);
      unsay();
      if (ended.match) location.hash = `#/match/${ended.match}`; // where it is signed
    });
  }
}
