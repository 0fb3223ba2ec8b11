/**
 * Live events: one stream, resumed after the last event that arrived, and opened again when it
 * has said nothing for longer than the rig ever stays silent.
 */

import { EVENTS, rig } from "./rig.js";

const NAMES = [
  "hello", "reset", "frame-added", "frame-read", "frame-deleted", "frame-progress",
  "frame-unread", "frame-changed", "match-changed", "match-deleted", "round-changed", "phones-changed",
  "camera-changed", "asks-changed", "game", "still-here",
];
const LONGEST_PAUSE_MS = 15000;
const LONGEST_SILENCE_MS = 40000;

/** @type {EventSource | null} */
let source = null;
let last = "";
let pause = 1000;
let waiting = 0;
let silence = 0;

/**
 * @param {(name: string, data: any) => void} onEvent
 * @param {(connected: boolean) => void} onLine
 */
export function follow(onEvent, onLine) {
  clearTimeout(waiting);
  clearTimeout(silence);
  source?.close();
  if (rig.me.role === null) return;
  // A browser resumes its own stream by Last-Event-ID; a stream opened anew says it in `since`.
  const opened = new EventSource(last ? `${EVENTS}?since=${encodeURIComponent(last)}` : EVENTS);
  source = opened;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => follow(onEvent, onLine), LONGEST_SILENCE_MS);
  };
  listen();
  for (const name of NAMES) {
    opened.addEventListener(name, (event) => {
      const { data, lastEventId } = /** @type {MessageEvent} */ (event);
      // What came between the page's first look and its first stream was told to nobody.
      const isFirst = name === "hello" && !last;
      if (lastEventId) last = lastEventId;
      listen();
      if (name !== "still-here") onEvent(isFirst ? "reset" : name, JSON.parse(data || "{}"));
    });
  }
  opened.onopen = () => {
    pause = 1000;
    onLine(true);
  };
  opened.onerror = () => {
    onLine(false);
    if (opened.readyState !== EventSource.CLOSED) return;
    waiting = setTimeout(() => follow(onEvent, onLine), pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };
}
