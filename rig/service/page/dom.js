/** Making elements without markup in strings. */

import { FACE, faceAloud } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} properties `onclick` and the like are listeners; true sets an
 *   empty attribute; false, null and undefined set none. Suits' signs in texts are read out by name.
 * @param {any[]} children nodes, text, or nested lists of them; empty ones are left out
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {HTMLInputElement} */ (element).value = value;
    else if (name === "aria-label" || name === "alt") element.setAttribute(name, String(value).replace(FACE, faceAloud));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child || child === 0)
    .flatMap((child) => (typeof child === "string" ? readable(unbroken(child), element) : child)));
}

/** The text, its faces with what a screen reader says of them. @param {string} text @param {Element} inside */
function readable(text, inside) {
  if (inside.localName === "option" || inside.namespaceURI === SVG) return [text];
  /** @type {(string | Element)[]} */
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(FACE)) {
    const [seen, value, sign] = found;
    const face = document.createElement("span");
    const name = faceAloud(seen, value, sign);
    const isSaid = text.slice(0, found.index).trimEnd().endsWith(name);
    if (isSaid) face.setAttribute("aria-hidden", "true");
    else {
      face.setAttribute("role", "img");
      face.setAttribute("aria-label", name);
    }
    face.append(seen);
    parts.push(text.slice(done, found.index), face);
    done = found.index + seen.length;
  }
  return [...parts, text.slice(done)].filter(Boolean);
}

/** No line begins with a sign that French sets off by a space. @param {string} text */
const unbroken = (text) => text.replace(/ ([?!:;»])/g, "\u00a0$1").replace(/« /g, "«\u00a0");

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, properties, children);
  return element;
}

/** @param {string} drawing the path of an icon in a square of 24 */
export const icon = (drawing) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: drawing, "fill-rule": "evenodd" }));

const CONTROLS = "a, button, input, select, summary, textarea";

/** By what a control is known again when it is drawn anew. @param {Element} control */
const known = (control) => control.getAttribute("data-key") ?? (control.id
  || `${control.localName} ${control.getAttribute("aria-label") ?? control.textContent}`);

/** The controls that are known by this. @param {Element} element @param {string} key */
const called = (element, key) => [...element.querySelectorAll(CONTROLS)].filter((one) => known(one) === key);

/**
 * Replace what an element holds; the focus stays on the same control, that with the same `data-key`
 * or id, or else the same text, and what was unfolded (`data-fix`) stays so.
 * @param {Element} element
 * @param {...any} children
 */
export function swap(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const key = active && known(active);
  const at = active && key ? called(element, key).indexOf(active) : 0;
  const unfolded = [...element.querySelectorAll("details[data-fix][open]")].map((one) => one.getAttribute("data-fix"));
  element.replaceChildren(...children.flat(4).filter(Boolean));
  for (const one of element.querySelectorAll("details[data-fix]")) {
    if (unfolded.includes(one.getAttribute("data-fix"))) one.setAttribute("open", "");
  }
  if (key) {
    const again = called(element, key);
    /** @type {HTMLElement | undefined} */ (again[at] ?? again.at(-1))?.focus({ preventScroll: true });
  }
}

/**
 * A button of at least the size of a thumb.
 * @param {string} label
 * @param {(event: Event) => any} onclick
 * @param {Record<string, any>} [properties]
 * @returns {HTMLButtonElement}
 */
export function button(label, onclick, properties = {}) {
  const isOfParts = label.search(FACE) >= 0; // which would stand side by side
  const made = h("button", { type: "button", "data-key": label, ...properties }, isOfParts ? h("span", {}, label) : label);
  made.addEventListener("click", async (/** @type {Event} */ event) => {
    made.disabled = true;
    try {
      await onclick(event);
    } finally {
      made.disabled = Boolean(properties.disabled);
    }
  });
  return made;
}
