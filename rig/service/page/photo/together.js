/** Other photos of the same table, to be read with this one as one. */

import { button, h, swap } from "../dom.js";
import { get, may, pictureOf, post } from "../rig.js";
import { tellTrouble } from "../told.js";
import { t, time } from "../words.js";

const MOST = 8;

/** @param {any} view */
export function togetherPart(view) {
  const { reading } = view;
  if (!reading || !may("player")) return null;
  const joint = reading.together ?? [];
  const { of, list, chosen } = offered(view, joint);
  const details = h("details", { "data-key": "together", "data-fix": `together-${of}`, ontoggle: () => {
    if (!details.open) swap(list);
    else if (!list.childElementCount) offer(view, list, chosen);
  } }, h("summary", {}, t("together")),
  h("p", {}, t("together.help")), list,
  h("div", { class: "row" },
    button(t("together.read"), () => join(view, [...chosen]), { class: "main", "data-key": "together-read" }),
    joint.length > 0 && button(t("together.alone"), () => join(view, []), { "data-key": "together-alone" })));
  return [
    joint.length > 0 && h("p", { class: "together" }, t("together.of", { n: joint.length })),
    details,
  ];
}

/**
 * What is offered and chosen, until the photo is read with others: the view may be drawn anew between two choices.
 * @param {any} view @param {string[]} joint
 * @returns {{of: string, list: HTMLElement, chosen: Set<string>}}
 */
function offered(view, joint) {
  const of = joint.join();
  if (view.together?.of !== of) view.together = { of, list: h("div", { class: "row" }), chosen: new Set(joint.slice(1)) };
  return view.together;
}

/** @param {any} view @param {HTMLElement} list @param {Set<string>} chosen */
async function offer(view, list, chosen) {
  try {
    const { frames } = await get("/frames?limit=24");
    const others = frames.filter((/** @type {any} */ one) => one.state === "read" && one.id !== view.id).slice(0, MOST);
    if (!others.length) return swap(list, h("p", {}, t("together.none")));
    return swap(list, others.map((/** @type {any} */ one) => choice(one, chosen)));
  } catch (error) {
    return tellTrouble(error);
  }
}

/** @param {any} frame @param {Set<string>} chosen */
function choice(frame, chosen) {
  const box = h("button", { type: "button", class: "button", "data-together": frame.id,
    "aria-pressed": String(chosen.has(frame.id)), onclick: () => {
      if (!chosen.delete(frame.id)) chosen.add(frame.id);
      box.setAttribute("aria-pressed", String(chosen.has(frame.id)));
    } },
  h("img", { src: pictureOf(frame.id, 160), alt: "", width: 120, height: 90 }), " ", time(frame.taken_at));
  return box;
}

/** @param {any} view @param {string[]} frames */
async function join(view, frames) {
  await view.change(
    async () => ({ reading: await post(`/frames/${view.id}/together`, { version: view.reading.version, frames }) }),
    t(frames.length ? "together.done" : "together.undone"),
    () => null,
  );
}
