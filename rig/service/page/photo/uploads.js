/**
 * Photos on their way to the rig: sent in the background, read there, cancelled if somebody wants.
 * They stand below every view, outlive the view that began them, and take nobody anywhere.
 */

import { h, swap } from "../dom.js";
import { untilLifted } from "../fingers.js";
import { lensFor } from "../settings/lens.js";
import { ask, get, rig, send } from "../rig.js";
import { shrunk } from "./shrink.js";
import { tellTrouble } from "../told.js";
import { colourName, t } from "../words.js";

const POLL_MS = 2500;
const STAGES = ["captured", "table_found", "cards_found", "scored"];
const MOST_SHOWN = 3;

/**
 * @typedef {object} Upload
 * @property {number} id
 * @property {"preparing" | "sending" | "capturing" | "waiting" | "reading" | "done"} state
 * @property {string} name
 * @property {number} part sent, of 1
 * @property {number | null} place in the queue
 * @property {string} stage
 * @property {any} frame once the rig has it
 * @property {AbortController} line
 */

/** @type {Upload[]} */
let uploads = [];
let count = 0;

/** @param {File} file @param {(frame: any) => void} [onKept] @param {(frame: any) => void} [onRead] */
export function upload(file, onKept, onRead) {
  return bring("preparing", file.name, async (one) => {
    const { blob, name, size, sent } = await shrunk(file);
    const form = new FormData();
    form.append("photo", blob, name);
    const lens = lensFor(size, sent);
    if (lens) form.append("lens", lens);
    one.state = "sending";
    show();
    return send("/frames", form, one.line.signal, (/** @type {number} */ part) => {
      one.part = part;
      show();
    });
  }, onKept, onRead);
}

/** @param {(frame: any) => void} [onKept] @param {(frame: any) => void} [onRead] */
export const capture = (onKept, onRead) => bring("capturing", "", () => ask("POST", "/capture", undefined, { Prefer: "respond-async" }), onKept, onRead);

/**
 * @param {Upload["state"]} state @param {string} name @param {(one: Upload) => Promise<any>} work
 * @param {(frame: any) => void} [onKept] @param {(frame: any) => void} [onRead]
 */
async function bring(state, name, work, onKept, onRead) {
  const one = { id: ++count, state, name, part: 0, place: null, stage: "captured", frame: null, line: new AbortController() };
  uploads = [...uploads.filter((other) => other.state !== "done").slice(-20), ...uploads.filter((other) => other.state === "done").slice(-MOST_SHOWN), one];
  show();
  try {
    one.frame = await work(one);
    await untilLifted();
    if (one.line.signal.aborted) return await takeBack(one);
    onKept?.(one.frame);
    await untilRead(one);
    one.state = "done";
    show();
    onRead?.(one.frame);
  } catch (error) {
    drop(one);
    if (!one.line.signal.aborted) tellTrouble(error);
  }
  return null;
}

/** Ask until the frame is read, sooner where an event says so. @param {Upload} one */
async function untilRead(one) {
  for (;;) {
    const { state, place } = one.frame;
    if (state !== "waiting" && state !== "reading") return;
    one.state = state;
    one.place = place;
    show();
    await news(one.frame.id);
    if (one.line.signal.aborted) throw new Error("cancelled");
    const isNew = one.frame.is_new;
    one.frame = await get(`/frames/${one.frame.id}`).catch(unlessSilent(one.frame));
    one.frame.is_new = isNew;
  }
}

/** A rig that does not answer is asked again: the photo is safe there. @param {any} before */
const unlessSilent = (before) => (/** @type {any} */ error) => {
  if (error.code === "no-answer") return before;
  throw error;
};

/** Wait for an event about the frame, or a while. @param {string} frame */
function news(frame) {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener("tacta-frame", heard);
      clearTimeout(timer);
      resolve(null);
    };
    const heard = (/** @type {any} */ event) => event.detail === frame && done();
    const timer = setTimeout(done, POLL_MS);
    addEventListener("tacta-frame", heard);
  });
}

/** @param {string} name @param {any} data of a live event */
export function heardOfFrame(name, data) {
  const one = uploads.find((other) => other.frame?.id === data.frame);
  if (name === "frame-progress" && one) {
    if (one.state === "done") return; // told late: it is read already
    one.stage = data.stage;
    one.state = "reading";
    show();
  } else if (name === "frame-read" || name === "frame-unread" || name === "frame-deleted") {
    dispatchEvent(new CustomEvent("tacta-frame", { detail: data.frame }));
  }
}

/** @param {Upload} one */
async function cancel(one) {
  one.line.abort();
  drop(one);
  if (one.frame && one.state !== "done") await takeBack(one);
}

/** @param {Upload} one */
async function takeBack(one) {
  try {
    if (one.frame.is_new) await ask("POST", `/frames/${one.frame.id}/cancel`);
  } catch (error) {
    tellTrouble(error);
  }
}

/** @param {Upload} one */
function drop(one) {
  uploads = uploads.filter((other) => other !== one);
  show();
}

/** The frame has been looked at: nothing is left to say of it. @param {string} frame */
export function seen(frame) {
  const done = uploads.find((one) => one.state === "done" && one.frame.id === frame);
  if (done) drop(done);
}

/** Drawn once a frame of the screen at most: a fast line would draw a hundred times a second. */
let isDue = false;
export function show() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(async () => {
    await untilLifted();
    isDue = false;
    const place = document.getElementById("uploads");
    if (place) swap(place, rig.me.role && uploads.map(line));
  });
}

/** @param {Upload} one */
function line(one) {
  const isDone = one.state === "done";
  const said = isDone ? outcome(one.frame) : stateOf(one);
  const isWaiting = one.state === "waiting" || one.state === "capturing" || one.state === "preparing";
  const [value, max] = one.state === "sending" ? [one.part, 1] : [STAGES.indexOf(one.stage) + 1, STAGES.length];
  return h("div", { class: "upload", "data-upload": one.id, "data-state": one.state },
    h("div", {}, h("p", {}, said),
      !isDone && h("progress", isWaiting ? { "aria-label": said } : { max, value, "aria-label": said })),
    isDone && h("a", { class: "button", href: `#/photo/${one.frame.id}`, "data-key": `see-${one.id}`, onclick: () => drop(one) }, t("upload.see")),
    h("button", { type: "button", class: "plain", "data-key": `drop-${one.id}`, "aria-label": t(isDone ? "close" : "upload.cancel"),
      onclick: () => (isDone ? drop(one) : cancel(one)) }, "×"));
}

/** @param {Upload} one */
function stateOf(one) {
  if (one.state === "sending") return t("upload.sending", { n: Math.round(one.part * 100) });
  if (one.state === "waiting") return one.place ? t("upload.waiting", { n: one.place }) : t("frame.waiting");
  if (one.state === "reading") return t(`stage.${one.stage}`);
  return t(one.state === "capturing" ? "capturing" : "upload.preparing");
}

/** @param {any} frame */
function outcome({ state, reading, is_new: isNew, why_unread: why }) {
  if (state !== "read") return [t(`frame.${state}`), why?.message].filter(Boolean).join(" ");
  const scores = Object.entries(reading.scores_without_illegal).sort(([, a], [, b]) => b - a)
    .map(([name, points]) => `${colourName(name)} ${points}`).join(", ");
  return [!isNew && t("same-photo"), scores, !reading.sure_without_illegal && t("sure.no")].filter(Boolean).join(" · ");
}
