/** Making elements without markup in strings. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} properties `onclick` and the like are listeners; true sets an
 *   empty attribute; false, null and undefined set none.
 * @param {any[]} children nodes, text, or nested lists of them; empty ones are left out
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") /** @type {HTMLInputElement} */ (element).value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child || child === 0)
    .map((child) => (typeof child === "string" ? unbroken(child) : child)));
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

/**
 * Replace what an element holds; the focus stays on the control with the same `data-key`, and
 * what was unfolded (`data-fix`) stays so.
 * @param {Element} element
 * @param {...any} children
 */
export function swap(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.getAttribute("data-key");
  const unfolded = [...element.querySelectorAll("details[data-fix][open]")].map((one) => one.getAttribute("data-fix"));
  element.replaceChildren(...children.flat(4).filter(Boolean));
  for (const one of element.querySelectorAll("details[data-fix]")) {
    if (unfolded.includes(one.getAttribute("data-fix"))) one.setAttribute("open", "");
  }
  if (key) {
    const again = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    /** @type {HTMLElement | null} */ (again)?.focus({ preventScroll: true });
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
  const made = h("button", { type: "button", "data-key": label, ...properties }, label);
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
