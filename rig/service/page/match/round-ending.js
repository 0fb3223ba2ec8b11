/** How a round ends: a photo is taken or chosen, seen with its score, and then ends it. */

import { button, h, swap } from "../dom.js";
import { ask, get, LONGEST_CAPTURE_MS, may, pictureOf, post } from "../rig.js";
import { scoreTable } from "./scores.js";
import { chooser } from "../photo/send.js";
import { tell, tellTrouble } from "../told.js";
import { seen, upload } from "../photo/uploads.js";
import { colourName, t, when } from "../words.js";

/** The photo that is to end a round, by match and round: it outlives the view. @type {Map<string, any>} */
const chosenFor = new Map();

/** Photos that may end a round, as they were when last asked for: nothing jumps while they are asked for again. @type {any[]} */
let offered = [];

/** @param {any} view @param {any} round that is being played */
export function ending(view, round) {
  if (!may("player")) return h("p", {}, t("round.is.open", { n: round.number }));
  const { limited_space: isLimited, sabotage: isSabotage } = view.match.way;
  const suits = round.suits?.map((/** @type {string} */ one) => `${t(`suit.${one}`)} ${t(`suit.${one}.sign`)}`).join(", ");
  const first = h("select", { id: `first-${round.number}`, "data-key": "finished-first", onchange: () => { view.finishedFirst = first.value; } }, h("option", { value: "" }, t("nobody-asked")),
    round.sides.map((/** @type {any} */ side) => h("option", { value: side.colour }, t("named", { a: colourName(side.colour), b: side.players.join(" & ") }))));
  first.value = view.finishedFirst;
  const key = `${round.match}/${round.number}`;
  const place = h("div", { class: "ending" });
  const end = (/** @type {string | null} */ frame) => post(`/matches/${round.match}/rounds/${round.number}/end`,
    { frame, finished_first: first.value || null }, LONGEST_CAPTURE_MS);
  const choose = (/** @type {any} */ chosen) => {
    if (chosen) chosenFor.set(key, chosen);
    else chosenFor.delete(key);
    if (place.isConnected) draw();
    else if (view.root.isConnected) view.render(); // drawn anew while the photo was chosen or sent
  };
  const draw = () => {
    const chosen = chosenFor.get(key);
    swap(place, chosen ? preview(round, chosen, draw, {
      end: () => view.act(async () => {
        await end(chosen.frame.id);
        chosenFor.delete(key);
        seen(chosen.frame.id);
      }),
      drop: () => {
        chosenFor.delete(key);
        draw();
      },
    }) : choices(view, key, end, choose));
  };
  draw();
  return [
    isLimited && h("p", { class: "step" }, t("round.of-three", { n: round.number })),
    suits && h("p", {}, t("round.only", { suits })),
    isSabotage && h("p", {}, t("round.how.sabotage")),
    h("p", {}, t("round.how")),
    h("label", { class: "field", for: first.id }, t("finished-first"), first),
    place,
    button(t("round.cancel"), () => {
      if (!confirm(t("round.cancel.sure", { n: round.number }))) return null;
      return view.act(async () => {
        await ask("DELETE", `/matches/${round.match}/rounds/${round.number}`);
        chosenFor.delete(key);
        tell(t("round.cancelled", { n: round.number }));
      });
    }, { class: "danger" }),
  ];
}

/** @param {any} view @param {string} key @param {(frame: string | null) => Promise<any>} end @param {(chosen: any) => void} choose */
function choices(view, key, end, choose) {
  const bring = ([file]) => {
    const chosen = { url: URL.createObjectURL(file), frame: null };
    choose(chosen);
    const heard = (/** @type {any} */ frame) => {
      Object.assign(chosen, { frame });
      if (chosenFor.get(key) === chosen) choose(chosen); // else another was chosen meanwhile
    };
    upload(file, heard, heard).then(() => chosenFor.get(key) === chosen && !chosen.frame && choose(null));
  };
  const endByCamera = () => view.act(async () => {
    const unsay = tell(t("capturing"));
    await end(null);
    unsay();
  });
  const photos = h("div", {});
  const tile = (/** @type {any} */ frame) => h("li", {},
    h("button", { type: "button", "data-frame": frame.id, onclick: () => choose({ url: pictureOf(frame.id, 640), frame }) },
      h("img", { src: pictureOf(frame.id, 320), alt: "", width: 320, height: 240 }), h("span", {}, when(frame.taken_at))));
  const offer = () => swap(photos, offered.length > 0 && [h("h3", {}, t("round.end-photo")), h("ul", { class: "photos" }, offered.map(tile))]);
  offer();
  const shown = offered.map(({ id }) => id).join();
  get("/frames?limit=6").then(({ frames }) => {
    offered = frames.filter((/** @type {any} */ one) => one.state === "read" && !one.rounds.length);
    if (offered.map(({ id }) => id).join() !== shown) offer();
  }, tellTrouble);
  return [
    view.hasCamera && button(t("round.end-camera"), endByCamera, { class: "main wide" }),
    h("div", { class: "row send" },
      chooser("round-take", t("round.take"), bring, { capture: "environment" }, view.hasCamera ? "button" : "button main"),
      chooser("round-choose", t("round.choose"), bring)),
    photos,
  ];
}

/** @param {any} round @param {any} chosen @param {() => void} redraw @param {{end: () => any, drop: () => void}} acts */
function preview(round, chosen, redraw, { end, drop }) {
  const { frame, url } = chosen;
  const isRead = frame?.state === "read";
  const isLost = frame?.state === "not_seen" || frame?.state === "failed";
  if (isRead && chosen.round?.frame !== frame.id) {
    get(`/matches/${round.match}/rounds/${round.number}/preview?frame=${frame.id}`).then((found) => {
      chosen.round = found;
      redraw();
    }, (error) => {
      if (!chosen.isUnjudged && !chosen.round) tellTrouble(error);
      chosen.isUnjudged = true;
      place.querySelector("button").disabled = false;
    });
  }
  const seen = chosen.round;
  // The score of a photo that is read comes at once, and moves the button: nobody taps beside it.
  const isToCome = isRead && !seen && !chosen.isUnjudged;
  const place = h("div", { class: "row" },
    button(t("round.end", { n: round.number }), end, { class: "main", disabled: !frame || isLost || isToCome }),
    button(t("round.other"), drop),
    isRead && h("a", { class: "button", href: `#/photo/${frame.id}` }, t("round.look")));
  return [
    h("h3", {}, t("round.chosen")),
    h("img", { class: "preview", src: url, alt: t("round.chosen") }),
    isToCome && h("p", { class: "state look" }, t("wait")),
    !isRead && h("p", { class: isLost ? "state lost" : "state look" }, isLost ? [t(`frame.${frame.state}`), " ", t("frame.retake")] : t("round.chosen.wait")),
    seen && [missingLine(seen), seen.sure === false && h("p", { class: "state look" }, t("sure.no")), scoreTable(seen.sides.map((/** @type {any} */ side) => (
      { colour: side.colour, players: side.players, points: side.announced, lies: side.as_it_lies })), { leaders: seen.leaders, sure: seen.sure, caption: t("score.announced") })],
    // Each stays in its place: whoever chooses another photo must not end the round with this one.
    place,
  ];
}

/** Cards missing, in the headline: how many, of which colours. @param {any} round */
export function missingLine(round) {
  const by = Object.entries(round.missing_by_colour);
  const n = by.reduce((sum, [, count]) => sum + Number(count), 0);
  return n > 0 && h("p", { class: "state lost", "data-missing": n },
    t("missing.which", { n, by: by.map(([name, count]) => `${colourName(name)} ${count}`).join(", ") }));
}
