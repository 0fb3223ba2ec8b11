/** Setting the rig up: camera, table, lens, colours, deck, each with what it is for and how it stands. */

import { DeckPanel } from "./deck-panel.js";
import { button, h, swap } from "../dom.js";
import { cameraState } from "../home-view.js";
import { lensState } from "./lens-view.js";
import { get, LONGEST_CHECK_MS, may, post } from "../rig.js";
import { trying } from "../told.js";
import { t, when } from "../words.js";

const LOOKS = { good: "fine", look: "look", bad: "lost", unknown: "none" };
/** What is checked, by the step in which it is shown. */
const CHECKS = { table: ["table", "fit", "place", "light"], colours: ["colours"], machine: ["disk", "kept", "clock"] };

export class SetupView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.waits = false;
    this.said = h("p", { class: "state none", role: "status", hidden: true });
    this.steps = h("ol", { class: "steps" });
    this.deck = new DeckPanel((setup) => this.show(setup));
    this.deckStep = step("deck", this.deck.root);
  }

  async open() {
    const [setup] = await Promise.all([get("/setup"), this.look()]);
    this.show(setup);
    swap(this.root, h("h1", {}, t("setup")), h("p", {}, t("setup.about")),
      may("admin") && h("div", { class: "row" }, button(t("setup.check"), () => this.check(false), { class: "main" })),
      this.said, this.steps);
  }

  /** What is asked of others than the setup itself. */
  async look() {
    [this.camera, this.lens] = await Promise.all([get("/camera"), get("/lens")]);
  }

  /** @param {any} setup */
  show(setup) {
    this.setup = setup;
    this.deck.show(setup);
    swap(this.steps,
      step("camera", cameraState(this.camera)),
      step("table", this.found("table"), this.moved()),
      step("lens", lensState(this.lens), h("a", { class: "button", href: "#/lens" }, t("lens.open"))),
      step("colours", this.found("colours")),
      this.deckStep,
      step("machine", this.found("machine")));
    if (setup.checked_at && this.said.hidden) this.say(t("setup.checked", { when: when(setup.checked_at) }));
  }

  /** @param {"table" | "colours" | "machine"} step */
  found(step) {
    const those = this.setup.findings.filter((/** @type {any} */ one) => CHECKS[step].includes(one.check));
    if (!those.length) return h("p", { class: "state none" }, t("setup.unchecked"));
    return those.map((/** @type {any} */ one) => h("div", { "data-check": one.check },
      h("p", { class: `state ${LOOKS[/** @type {"good"} */ (one.status)]}` }, h("span", { class: "unseen" }, `${t(`setup.is.${one.status}`)} `), sentence(one.found)),
      one.advice && h("p", {}, sentence(one.advice))));
  }

  /** What has moved may stay where it is now. */
  moved() {
    const place = this.setup.findings.find((/** @type {any} */ one) => one.check === "place");
    return may("admin") && place?.status === "look" && button(t("setup.accept"), () => confirm(t("setup.accept.sure")) && this.check(true));
  }

  /** @param {boolean} accepts that camera and table stay as they are now */
  async check(accepts) {
    this.say(t("setup.checking"));
    const isDone = await trying(async () => {
      const setup = await post("/setup/check", { accept_table: accepts }, LONGEST_CHECK_MS);
      this.show(setup);
      this.say(t("setup.checked", { when: when(setup.checked_at) }));
      await this.look();
      this.show(this.setup);
    });
    if (!isDone) this.say("");
  }

  /** @param {string} text */
  say(text) {
    this.said.hidden = !text;
    this.said.textContent = text;
  }

  /** @param {string} name */
  async onEvent(name) {
    if (name !== "reset" && name !== "camera-changed") return;
    await this.look();
    this.show(name === "reset" ? await get("/setup") : this.setup);
  }

  close() {}
}

/** @param {string} name @param {any[]} content */
const step = (name, ...content) => h("li", { class: "card", "data-step": name },
  h("h2", {}, t(`setup.${name}`)), h("p", { class: "faint" }, t(`setup.${name}.for`)), content);

/** @param {string} text */
const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
