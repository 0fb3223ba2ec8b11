/** Photos on their way to the rig: sent or taken, then read, with the stages as they come. */

import { button, h, swap } from "./dom.js";
import { lensFor } from "./lens.js";
import { ask, get, may, post } from "./rig.js";
import { shrunk } from "./shrink.js";
import { tell, tellTrouble } from "./told.js";
import { t } from "./words.js";

const LATER = { Prefer: "respond-async" };
const POLL_MS = 2500;
const STAGES = ["captured", "table_found", "cards_found", "scored"];

/** The frames that are being read here: id -> stage. @type {Map<string, string>} */
const underway = new Map();
let sending = "";

/** @param {(frame: any) => void} onRead called with the frame once it is read, or could not be */
export function sendButtons(onRead, hasCamera = true) {
  if (!may("player")) return null;
  const file = h("input", { type: "file", accept: "image/*", class: "unseen", id: "photo-file",
    onchange: () => {
      const chosen = file.files?.[0];
      file.value = "";
      if (chosen) bring(t("sending"), () => upload(chosen), onRead);
    } });
  return h("div", { class: "row send" },
    hasCamera && button(t("capture"), () => bring(t("capturing"), capture, onRead), { class: "main" }),
    h("label", { class: hasCamera ? "button" : "button main", for: "photo-file" }, t("upload"), file),
  );
}

/** @param {File} file */
async function upload(file) {
  const { blob, name, size, sent } = await shrunk(file);
  const form = new FormData();
  form.append("photo", blob, name);
  const lens = lensFor(size, sent);
  if (lens) form.append("lens", lens);
  return ask("POST", "/frames", form, LATER);
}

const capture = () => ask("POST", "/capture", undefined, LATER);

/**
 * @param {string} sentence
 * @param {() => Promise<any>} work
 * @param {(frame: any) => void} onRead
 */
async function bring(sentence, work, onRead) {
  sending = sentence;
  showProgress();
  try {
    const frame = await work();
    if (!frame.is_new) tell(t("same-photo"));
    sending = "";
    onRead(await untilRead(frame));
  } catch (error) {
    tellTrouble(error);
  }
  sending = "";
  showProgress();
}

/** Ask until the frame is read, sooner where an event says so. @param {any} frame */
async function untilRead(frame) {
  let now = frame;
  underway.set(frame.id, underway.get(frame.id) ?? "captured");
  showProgress();
  try {
    while (now.state === "waiting" || now.state === "reading") {
      await news(frame.id);
      now = await get(`/frames/${frame.id}`).catch(unlessSilent(now));
    }
  } finally {
    underway.delete(frame.id);
    showProgress();
  }
  return now;
}

/** A rig that does not answer is asked again: the photo is safe there. @param {any} before */
const unlessSilent = (before) => (/** @type {any} */ error) => {
  if (error.code === "no-answer") return before;
  throw error;
};

/** Wait for an event that says the frame is read, or a while. @param {string} frame */
function news(frame) {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener("tacta-read", heard);
      clearTimeout(timer);
      resolve(null);
    };
    const heard = (/** @type {any} */ event) => event.detail === frame && done();
    const timer = setTimeout(done, POLL_MS);
    addEventListener("tacta-read", heard);
  });
}

/** @param {string} name @param {any} data of a live event */
export function heardOfFrame(name, data) {
  if (name === "frame-progress" && underway.has(data.frame)) {
    underway.set(data.frame, data.stage);
    showProgress();
  } else if (name === "frame-read" || name === "frame-unread") {
    dispatchEvent(new CustomEvent("tacta-read", { detail: data.frame }));
  }
}

/** Where the stages are shown. */
export function progress() {
  const place = h("div", { id: "progress", "aria-live": "polite" });
  showProgress(place);
  return place;
}

function showProgress(place = document.getElementById("progress")) {
  if (!place) return;
  const [stage] = underway.values();
  if (!sending && !stage) return swap(place);
  const done = stage ? STAGES.indexOf(stage) + 1 : 0;
  return swap(place,
    h("div", { class: "card" },
      h("p", {}, sending || t(`stage.${stage}`)),
      h("progress", { max: STAGES.length, value: done, "aria-label": t("progress") })));
}

/** @param {string} frame @param {number} version @param {any} correction */
export const correct = (frame, version, correction) =>
  post(`/frames/${frame}/corrections`, { version, correction });

/** @param {string} frame @param {number} version @param {number} id */
export const undo = (frame, version, id) =>
  post(`/frames/${frame}/corrections/${id}/undo`, { version });
