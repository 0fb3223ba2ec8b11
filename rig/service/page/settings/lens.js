/** The lens file of this phone's camera: kept here, and sent along with photos of its size. */

import { button, h, swap } from "../dom.js";
import { tell } from "../told.js";
import { t } from "../words.js";

/** @typedef {[number, number]} Size width and height in pixels */
/** @typedef {{size_px: Size, matrix: number[][], distortion: number[], model?: string}} Lens */

const KEPT = "tacta.lens";

/** The lens file that is kept here, with its quality if it states one. @returns {any} */
export function keptFile() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** @returns {Lens | null} */
export const keptLens = () => lensOf(keptFile());

/** @param {any} file of a lens */
export const keepLens = (file) => localStorage.setItem(KEPT, JSON.stringify(file));

/** Where in a file the lens stands: a photo's truth has it under `camera`. @param {any} data */
const within = (data) => (data?.size_px ? data : data?.camera);

/** The lens in a lens file, or in a simulated photo's truth; the rig checks its figures. @param {any} data */
function lensOf(data) {
  const { size_px, matrix, distortion, model } = within(data) ?? {};
  const isLens = [size_px, matrix, distortion].every(Array.isArray) && size_px.length === 2;
  if (!isLens) return null;
  return model === undefined ? { size_px, matrix, distortion } : { size_px, matrix, distortion, model };
}

/**
 * What goes along with a photo: the kept lens, for the size at which the photo is sent; nothing
 * for a photo of another size. One whose size is not known here goes with the lens as it is.
 * @param {Size | null} size of the photo as it was taken
 * @param {Size | null} sent its size as it is sent
 * @returns {string | null}
 */
export function lensFor(size, sent) {
  const lens = keptLens();
  if (!lens) return null;
  if (!size || !sent || isFor(lens, sent)) return JSON.stringify(lens);
  if (!isFor(lens, size)) {
    tell(t("lens.other-size", { w: size[0], h: size[1] }));
    return null;
  }
  return JSON.stringify(scaled(lens, sent));
}

/** @param {Lens} lens @param {Size} size */
const isFor = (lens, size) => size[0] === lens.size_px[0] && size[1] === lens.size_px[1];

/** Pixel middles are whole numbers, so a picture's edge lies at -0.5. @param {Lens} lens @param {Size} size */
export function scaled(lens, size) {
  const [sx, sy] = [size[0] / lens.size_px[0], size[1] / lens.size_px[1]];
  const [[fx, , cx], [, fy, cy]] = lens.matrix;
  const matrix = [[fx * sx, 0, (cx + 0.5) * sx - 0.5], [0, fy * sy, (cy + 0.5) * sy - 0.5], [0, 0, 1]];
  return { ...lens, size_px: size, matrix };
}

/** Where the lens file is chosen and let go. @param {() => any} onChange */
export function lensPart(onChange) {
  const content = h("div", {});
  const part = h("details", { "data-fix": "lens" }, h("summary", {}, t("lens")), content);
  const changed = () => {
    render();
    onChange();
  };
  const input = h("input", { type: "file", accept: ".json,application/json", class: "unseen", id: "lens-file",
    onchange: async () => {
      const text = (await input.files?.[0]?.text()) ?? "";
      input.value = "";
      keep(text);
      changed();
    } });
  const render = () => {
    const lens = keptLens();
    swap(content, h("p", { class: "faint" }, t("lens.how")),
      lens && h("p", {}, t("lens.kept", sizeOf(lens))),
      h("div", { class: "row" }, h("a", { class: "button", href: "#/lens" }, t("lens.open")),
        h("label", { class: "button", for: input.id }, t("lens.choose"), input),
        lens && button(t("lens.remove"), () => {
          localStorage.removeItem(KEPT);
          changed();
        }, { class: "danger" })));
  };
  render();
  return part;
}

/** @param {string} text of a file */
function keep(text) {
  let file = null;
  try {
    file = JSON.parse(text);
  } catch {
    file = null;
  }
  const lens = lensOf(file);
  if (lens) keepLens({ ...lens, quality: within(file).quality });
  else tell(t("lens.bad"), null, true);
}

/** @param {Lens} lens */
const sizeOf = (lens) => ({ w: lens.size_px[0], h: lens.size_px[1] });

/** Beside the buttons that send: a lens goes along. */
export function lensLine() {
  const lens = keptLens();
  return lens && h("p", { class: "faint" }, t("lens.with", sizeOf(lens)));
}
