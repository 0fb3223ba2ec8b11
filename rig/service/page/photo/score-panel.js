/** Below a photo: its score, the rounds it belongs to, and what to do with the photo. */

import { button, h } from "../dom.js";
import { currentRound } from "../match/match-view.js";
import { outcomesPart } from "./outcomes.js";
import { ask, get, may, overlayOf, pictureOf, post } from "../rig.js";
import { isBare, linesOf, scoreTable, sureLine } from "../match/scores.js";
import { tell, trying } from "../told.js";
import { togetherPart } from "./together.js";
import { t, when } from "../words.js";

/** @param {any} view */
export function scorePanel(view) {
  const { frame, reading } = view;
  const rounds = h("div", { class: "row" });
  if (may("player")) offerRound(view, rounds);
  return [
    h("h2", {}, view.title),
    reading && sureLine(reading),
    reading && !isBare(reading) && scoreTable(linesOf(reading), { caption: t("score.announced"), sure: reading.sure_without_illegal }),
    reading && !isBare(reading) && outcomesPart(reading),
    rounds,
    frame.rounds.map((/** @type {any} */ one) => h("a", { class: "button", href: `#/match/${one.match}` },
      t("round.of-photo", { n: one.number }))),
    togetherPart(view),
    h("details", {}, h("summary", {}, t("photo.more")), h("div", { class: "row" }, files(view)),
      h("p", { class: "faint" }, `${frame.width} × ${frame.height}, ${when(frame.taken_at)}, ${frame.name}`)),
  ];
}

/** @param {any} view */
function files({ frame, reading, id }) {
  const name = `tacta-${frame.taken_at.slice(0, 16).replace(/[:T]/g, "-")}`;
  const kept = frame.kept;
  return [
    h("a", { class: "button", href: pictureOf(id), download: `${name}.${frame.kind === "jpeg" ? "jpg" : frame.kind}` }, t("save.photo")),
    reading && h("a", { class: "button", href: overlayOf(id), download: `${name}-read.jpg` }, t("save.overlay")),
    reading && may("player") && h("a", { class: "button", href: frame.links.scene, download: `${name}.zip` }, t("save.scene")),
    may("player") && button(t(kept ? "unkeep" : "keep"), () => trying(async () => {
      const changed = await ask("PUT", `/frames/${id}/kept`, { kept: !kept });
      frame.kept = changed.kept;
      tell(t(changed.kept ? "kept" : "unkept"));
    })),
    may("admin") && button(t("delete"), async () => {
      if (!confirm(t("delete.sure"))) return;
      await trying(async () => {
        await ask("DELETE", `/frames/${id}`);
        location.hash = "#/photos";
      });
    }, { class: "danger" }),
  ];
}

/** A round that waits for its photo can take this one. */
async function offerRound(/** @type {any} */ view, /** @type {HTMLElement} */ place) {
  const { match } = await get("/state").catch(() => ({ match: null }));
  const round = currentRound(match);
  if (round?.state === "open") {
    place.append(button(t("round.end-with", { n: round.number }), () => trying(async () => {
      await post(`/matches/${match.id}/rounds/${round.number}/end`, { frame: view.id });
      location.hash = `#/match/${match.id}`;
    }), { class: "main" }));
  } else if (round?.state === "ended" && round.frame !== view.id) {
    place.append(button(t("round.use-photo", { n: round.number }), () => trying(async () => {
      await ask("PUT", `/matches/${match.id}/rounds/${round.number}/frame`, { frame: view.id });
      location.hash = `#/match/${match.id}`;
    })));
  }
}
