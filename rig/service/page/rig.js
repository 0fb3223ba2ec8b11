/** Talking to the rig: requests, their refusals, and who this phone is to it. */

import { untilLifted } from "./fingers.js";
import { language, t } from "./words.js";

export const API = "/api/v1";
const ROLES = ["viewer", "player", "admin"];
/** A line that died without a word must not be waited on for ever; a photo may take its time. */
const LONGEST_MS = 30_000;
const LONGEST_UPLOAD_MS = 180_000;
/** Hands over the table are waited for, and the picture is read before the answer. */
export const LONGEST_CAPTURE_MS = LONGEST_UPLOAD_MS;
/** A camera may take a while to start, and a picture to be looked at. */
export const LONGEST_CHECK_MS = 90_000;
/** All photos are read, written and read back. */
export const LONGEST_BACKUP_MS = 1_800_000;

/** What every view reads: filled in when the page starts. */
export const rig = {
  /** @type {{name: string | null, role: string | null, network: boolean, write_header: string}} */
  me: { name: null, role: null, network: false, write_header: "X-Tacta" },
  /** @type {any} */
  deck: null,
};

/** @param {string} role */
export const may = (role) => ROLES.indexOf(rig.me.role ?? "") >= ROLES.indexOf(role);

/** What the rig, or the way to it, refused; the message is for people. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {any} [present]
   */
  constructor(code, message, present = null) {
    super(message);
    this.code = code;
    this.present = present;
  }
}

/** Counts what is asked for and the changes that are answered, in their order. */
let turns = 0;
/** When the last change of this page was answered. */
let changed = 0;
/** When the newest answer that was given was asked for, by its path. @type {Map<string, number>} */
const newest = new Map();

/**
 * @param {string} method
 * @param {string} path below /api/v1, or from there
 * @param {any} [body] a FormData, or a value that becomes JSON
 * @param {Record<string, string>} [headers]
 * @param {number} [longest] to wait for the answer, in ms; a photo may always take longer
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, headers = {}, longest = LONGEST_MS) {
  const sent = { "Accept-Language": language(), ...headers };
  if (method !== "GET") sent[rig.me.write_header] = "1";
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) sent["Content-Type"] = "application/json";
  const address = path.startsWith(API) ? path : API + path;
  let answer;
  try {
    const content = isForm || body === undefined ? body : JSON.stringify(body);
    const signal = AbortSignal.timeout?.(isForm ? LONGEST_UPLOAD_MS : longest);
    answer = await fetch(address, { method, headers: sent, body: content, signal });
  } catch {
    dispatchEvent(new CustomEvent("tacta-answered", { detail: false }));
    throw new Refused("no-answer", t("error.no-answer"));
  }
  dispatchEvent(new CustomEvent("tacta-answered", { detail: true }));
  if (method !== "GET") changed = ++turns;
  if (answer.status === 204) return null;
  const document = await answer.json().catch(() => null);
  await untilLifted(); // what the rig says is drawn
  if (answer.ok && document !== null) return document;
  if (answer.ok) throw new Refused("no-answer", t("error.no-answer"));
  const code = document?.code ?? "fault";
  if (code === "not-paired") dispatchEvent(new Event("tacta-not-paired"));
  throw new Refused(code, document?.message ?? t("error.fault"), document?.present);
}

/**
 * Send a form and say how much of it has gone: a number of 1, as often as it changes.
 * @param {string} path
 * @param {FormData} form
 * @param {AbortSignal} stop
 * @param {(part: number) => void} onPart
 * @returns {Promise<any>}
 */
export function send(path, form, stop, onPart) {
  return new Promise((resolve, reject) => {
    const line = new XMLHttpRequest();
    const lost = () => {
      dispatchEvent(new CustomEvent("tacta-answered", { detail: false }));
      reject(new Refused("no-answer", t("error.no-answer")));
    };
    line.open("POST", API + path);
    for (const [name, value] of Object.entries({ "Accept-Language": language(), Prefer: "respond-async", [rig.me.write_header]: "1" })) line.setRequestHeader(name, value);
    line.timeout = LONGEST_UPLOAD_MS;
    line.responseType = "json";
    line.upload.onprogress = ({ loaded, total }) => total && onPart(loaded / total);
    line.onerror = lost;
    line.ontimeout = lost;
    line.onabort = () => reject(new Refused("cancelled", ""));
    stop.addEventListener("abort", () => line.abort());
    line.onload = () => {
      dispatchEvent(new CustomEvent("tacta-answered", { detail: true }));
      const document = line.response;
      if (line.status < 300 && document) return resolve(document);
      const code = document?.code ?? "fault";
      if (code === "not-paired") dispatchEvent(new Event("tacta-not-paired"));
      return reject(new Refused(code, document?.message ?? t("error.fault")));
    };
    line.send(form);
  });
}

/**
 * Changes that are asked for one after the other, each once the one before has been answered: of two requests that run
 * beside one another either may be heard last. What a change sends is therefore worked out when its turn comes.
 */
export class InTurn {
  constructor() {
    /** @type {Promise<any>} */
    this.last = Promise.resolve();
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} what it ends with; one that fails does not keep up the next */
  take(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }
}

/**
 * What was asked for before a change of this page was answered, or before a newer answer to the same question, may tell
 * of how things were: it is asked for again, so that nothing older is ever drawn over what is newer.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  for (;;) {
    const turn = ++turns;
    const answer = await ask("GET", path);
    if (turn < changed || turn < (newest.get(path) ?? 0)) continue;
    newest.set(path, turn);
    return answer;
  }
}

/**
 * @param {string} path
 * @param {any} [body]
 * @param {number} [longest] to wait for the answer, in ms
 */
export const post = (path, body, longest) => ask("POST", path, body, {}, longest);

/** Who this phone is, and the deck in play. */
export async function meet() {
  rig.me = await get("/me");
  if (rig.me.role !== null) rig.deck = await get("/deck");
}

/**
 * @param {string} frame
 * @param {number} [width]
 */
export const pictureOf = (frame, width) =>
  `${API}/frames/${frame}/picture${width ? `?width=${width}` : ""}`;

/** @param {string} frame */
export const overlayOf = (frame) => `${API}/frames/${frame}/overlay`;

/** @param {string} name @param {number} fresh */
export const drawingOf = (name, fresh) => `${API}/lens/drawings/${name}?${fresh}`;

export const PREVIEW = `${API}/camera/preview`;
export const EVENTS = `${API}/events`;
export const EXPORTS = { csv: `${API}/export.csv`, json: `${API}/export.json` };
