/** Taking and choosing photos, and telling the rig what is to be changed. */

import { button, h } from "../dom.js";
import { may, post } from "../rig.js";
import { t } from "../words.js";
import { capture, upload } from "./uploads.js";

/** A photo from the rig's camera, or from this phone; both go on in the background. */
export function sendButtons(hasCamera = true) {
  if (!may("player")) return null;
  return h("div", { class: "row send" },
    hasCamera && button(t("capture"), () => { capture(); }, { class: "main" }),
    chooser("photo-file", t("upload"), (files) => files.forEach((file) => upload(file)), { multiple: true }, hasCamera ? "button" : "button main"));
}

/**
 * A button that has a photo chosen, or taken where `capture` says so.
 * @param {string} id @param {string} label @param {(files: File[]) => void} onChosen
 * @param {Record<string, any>} [properties] @param {string} [look]
 */
export function chooser(id, label, onChosen, properties = {}, look = "button") {
  const file = h("input", { type: "file", accept: "image/*", class: "unseen", id, "data-key": id, ...properties,
    onchange: () => {
      const chosen = [...file.files ?? []];
      file.value = "";
      if (chosen.length) onChosen(chosen);
    } });
  return h("label", { class: look, for: id }, label, file);
}

/** @param {string} frame @param {number} version @param {any} correction */
export const correct = (frame, version, correction) =>
  post(`/frames/${frame}/corrections`, { version, correction });

/** @param {string} frame @param {number} version @param {number} id */
export const undo = (frame, version, id) =>
  post(`/frames/${frame}/corrections/${id}/undo`, { version });
