/**
 * The page: which view is shown, the bar and the tabs around it, and the events that reach it.
 *
 * Events only make things sooner. What a view shows is asked for again while it waits for
 * something, after a line that was lost, and when the phone wakes up.
 */

import { h, icon, swap } from "./dom.js";
import { untilLifted } from "./fingers.js";
import { GameView } from "./game/game-view.js";
import { ReplayView } from "./game/replay-view.js";
import { HistoryView } from "./match/history-view.js";
import { HomeView } from "./home-view.js";
import { install, sendShared } from "./install.js";
import { LensView } from "./settings/lens-view.js";
import { follow } from "./live.js";
import { MatchView } from "./match/match-view.js";
import { showAsks } from "./settings/asks.js";
import { showPairing } from "./settings/pair-view.js";
import { SetupView } from "./settings/setup-view.js";
import { StatisticsView } from "./match/statistics-view.js";
import { PhotoView } from "./photo/photo-view.js";
import { PhotosView } from "./photo/photos-view.js";
import { meet, rig } from "./rig.js";
import { RigView } from "./settings/rig-view.js";
import { hush, tellTrouble, trying } from "./told.js";
import { heardOfFrame, show as showUploads } from "./photo/uploads.js";
import { chooseLanguage, language, t } from "./words.js";

const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const root = /** @type {HTMLElement} */ (document.getElementById("view"));
const tabs = /** @type {HTMLElement} */ (document.getElementById("tabs"));
const TABS = [["", "home", "M4 11 12 4l8 7v9h-6v-6h-4v6H4z"],
  ["game", "game", "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 3a4 4 0 1 0 .01 0z"],
  ["photos", "photos", "M3 6h5l2-2h4l2 2h5v14H3zM12 9a4 4 0 1 0 .01 0z"],
  ["match", "match", "M5 21V4h14l-3 5 3 5H7v7z"],
  ["history", "history", "M4 5h16v3H4zM4 11h16v3H4zM4 17h10v3H4z"]];
const TOGETHER_MS = 200;
const OFFLINE_MS = 6000;
const AGAIN_MS = 2500;

/** @type {any} */
let view = null;
/** What the view is doing; events wait for it, so that an older answer never comes last. */
let work = Promise.resolve();
/** Something that found nobody to answer, to be tried again. @type {(() => any) | null} */
let untried = null;
/** Whether the stream of events is open, and the last request was answered. */
const line = { stream: true, answers: true };
let isConnected = true;
let opening = 0;
let lost = 0;
/** @type {Map<string, [string, any]>} */
const heard = new Map();

const VIEWS = {
  "": (/** @type {HTMLElement} */ ground) => new HomeView(ground),
  game: (/** @type {HTMLElement} */ ground) => new GameView(ground),
  replay: (/** @type {HTMLElement} */ ground, /** @type {string} */ id) => new ReplayView(ground, id),
  photos: (/** @type {HTMLElement} */ ground) => new PhotosView(ground),
  photo: (/** @type {HTMLElement} */ ground, /** @type {string} */ id) => new PhotoView(ground, id),
  match: (/** @type {HTMLElement} */ ground, /** @type {string} */ id) => new MatchView(ground, id),
  history: (/** @type {HTMLElement} */ ground) => new HistoryView(ground),
  statistics: (/** @type {HTMLElement} */ ground) => new StatisticsView(ground),
  rig: (/** @type {HTMLElement} */ ground) => new RigView(ground),
  setup: (/** @type {HTMLElement} */ ground) => new SetupView(ground),
  lens: (/** @type {HTMLElement} */ ground) => new LensView(ground),
};

/** @returns {{name: string, id: string, query: Record<string, string>}} */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id = ""] = path.split("/");
  return { name: name in VIEWS ? name : "", id, query: Object.fromEntries(new URLSearchParams(query)) };
}

async function show() {
  const turn = ++opening;
  view?.close();
  hush();
  untried = null;
  const { name, id, query } = place();
  root.className = `at-${name || "home"}`;
  // Each view has ground of its own: an older one whose answer comes late no longer touches the page.
  const ground = h("div", { class: "ground" }, h("p", { class: "wait" }, t("wait")));
  swap(root, ground);
  view = VIEWS[/** @type {"photo"} */ (name)](ground, id);
  furnish(name);
  root.scrollTop = 0;
  work = opened(view, query, turn);
  await work;
}

/** @param {any} shown @param {any} query @param {number} turn */
async function opened(shown, query, turn) {
  try {
    await shown.open(query);
  } catch (error) {
    if (turn === opening) unopened(error, show);
  }
  if (turn === opening) document.title = [root.querySelector("h1, h2")?.textContent, "TACTA"].filter(Boolean).join(" · ");
}

/** @param {any} error @param {() => any} again */
function unopened(error, again) {
  if (error.code === "not-paired") return;
  if (error.code === "no-answer") untried = again;
  tellTrouble(error);
  swap(root, h("div", { class: "card" }, h("p", {}, error.code ? error.message : t("error.page")),
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => location.reload() }, t("again")),
      h("a", { class: "button", href: "#/" }, t("nav.home")))));
}

/** @param {string} name of the view */
function furnish(name) {
  const isPhoto = name === "photo";
  swap(bar,
    isPhoto ? h("button", { type: "button", class: "plain", "aria-label": t("back"), onclick: back }, "‹ ", t("back")) : h("span", { class: "brand" }, "TACTA"),
    h("span", { class: "line-state", role: "status" }, isConnected ? "" : t("offline")),
    rig.me.role && h("a", { class: "gear", href: "#/rig", "aria-label": t("nav.rig"), "aria-current": name === "rig" ? "page" : false }, "⚙"));
  const at = { photo: "photos", statistics: "history", replay: "game" }[name] ?? name;
  swap(tabs, rig.me.role && TABS.map(([path, label, drawing]) =>
    h("a", { href: `#/${path}`, "data-key": label, "aria-current": path === at && name !== "rig" ? "page" : false }, icon(drawing), t(`nav.${label}`))));
}

function back() {
  if (history.length > 1) history.back();
  else location.hash = "#/photos";
}

/** Events come in bunches; the view hears each kind once. @param {string} name @param {any} data */
function onEvent(name, data) {
  heardOfFrame(name, data);
  if (name === "hello") return;
  if (heard.size === 0) setTimeout(pass, TOGETHER_MS);
  heard.set(`${name} ${data.frame ?? data.match ?? ""}`, [name, data]);
}

function pass() {
  const news = [...heard.values()];
  heard.clear();
  const shown = view;
  work = work.then(() => deliver(shown, news));
}

/** @param {any} shown @param {[string, any][]} news */
async function deliver(shown, news) {
  for (const [name, data] of news) {
    if (view !== shown) return;
    try {
      if (name === "reset") await meet(); // the rig may play with another deck now
      if (name === "reset" || name.endsWith("s-changed") || name === "match-changed") await showAsks();
      await shown?.onEvent(name, data);
    } catch (error) {
      if (view !== shown) return;
      if (/** @type {any} */ (error).code === "no-answer") untried = lookAgain;
      else tellTrouble(error);
    }
  }
}

/** Whatever was told or not: what is shown may have changed. */
const lookAgain = () => onEvent("reset", {});

function tick() {
  if (document.visibilityState !== "visible") return;
  const again = untried;
  untried = null;
  if (again) again();
  else if (view?.waits) lookAgain();
}

/** A phone that slept has missed what was told, and its stream may be dead without knowing. */
function awake() {
  if (document.visibilityState !== "visible" || rig.me.role === null) return;
  follow(onEvent, onStream);
  lookAgain();
}

/** What is lost comes back at once as a rule; only a line that stays away is worth a word. */
function onLine(/** @type {"stream" | "answers"} */ part, /** @type {boolean} */ isThere) {
  if (line[part] === isThere) return;
  line[part] = isThere;
  clearTimeout(lost);
  const connected = line.stream && line.answers;
  const say = () => {
    if (connected === isConnected) return;
    isConnected = connected;
    furnish(place().name);
  };
  const sayOnceLifted = () => untilLifted().then(say);
  if (connected) sayOnceLifted();
  else lost = setTimeout(sayOnceLifted, OFFLINE_MS);
}

const onStream = (/** @type {boolean} */ isOpen) => onLine("stream", isOpen);

/** @param {string} code */
function pair(code) {
  view?.close();
  view = null;
  untried = null;
  rig.me.role = null;
  trying(showAsks);
  root.className = "";
  furnish("");
  showPairing(root, code, start);
}

/** The code behind #pair= is used once and does not stay in the address. */
function pairingCode() {
  const code = location.hash.match(/^#pair=(.+)/)?.[1] ?? "";
  if (code) history.replaceState(null, "", "#/");
  return decodeURIComponent(code);
}

async function start() {
  chooseLanguage(language());
  const code = pairingCode();
  try {
    await meet();
  } catch (error) {
    furnish("");
    return unopened(error, start);
  }
  if (rig.me.role === null) return pair(code);
  follow(onEvent, onStream);
  trying(showAsks);
  sendShared();
  return show();
}

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#pair=")) start();
  else if (rig.me.role !== null) show();
});
addEventListener("tacta-language", () => {
  show();
  trying(showAsks);
  showUploads();
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (!hush(true)) view?.escape?.();
});
addEventListener("tacta-answered", (event) => onLine("answers", /** @type {CustomEvent} */ (event).detail));
addEventListener("online", awake);
addEventListener("pageshow", (event) => event.persisted && awake());
document.addEventListener("visibilitychange", awake);
setInterval(tick, AGAIN_MS);
addEventListener("tacta-not-paired", () => pair(""));
install();
start();
