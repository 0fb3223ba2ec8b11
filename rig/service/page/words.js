/** The page's language: that of the browser, unless somebody chose another here. */

/** @param {string} name @returns {Promise<Record<string, string>>} */
const wordsOf = async (name) => (await fetch(`/words/${name}.json`)).json();

const [ENGLISH, FRENCH] = await Promise.all([wordsOf("en"), wordsOf("fr")]);
/** @type {Record<string, Record<string, string>>} */
export const LANGUAGES = { en: ENGLISH, fr: FRENCH };
const KEPT = "tacta.language";

/** @returns {string} */
function firstLanguage() {
  const kept = localStorage.getItem(KEPT);
  if (kept && kept in LANGUAGES) return kept;
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const name = wanted.toLowerCase().split("-")[0];
    if (name in LANGUAGES) return name;
  }
  return "en";
}

let current = firstLanguage();

/** @returns {string} */
export const language = () => current;

/** @param {string} name */
export function chooseLanguage(name) {
  current = name;
  localStorage.setItem(KEPT, name);
  document.documentElement.lang = name;
}

/**
 * A sentence in the page's language; {facts} are filled in. `{n:# card|# cards}` is said of one and
 * of many; of three such forms the first is said of none.
 * @param {string} key
 * @param {Record<string, any>} [facts]
 * @returns {string}
 */
export function t(key, facts = {}) {
  const sentence = LANGUAGES[current][key] ?? ENGLISH[key] ?? key;
  return sentence.replace(/\{(\w+)(?::([^{}]*))?\}/g, (_, name, forms) =>
    (forms ? counted(facts[name], forms.split("|")) : String(facts[name] ?? "")));
}

/** French counts none as one. @param {number} count @param {string[]} forms */
function counted(count, forms) {
  const [many, one, none] = forms.reverse();
  const isOne = count === 1 || (count === 0 && current === "fr");
  return ((count === 0 && none) || (isOne ? one : many)).replace("#", String(count));
}

const SUITS = { "●": "circle", "■": "square", "▲": "triangle" };
/** A face as people see it: its value and its suit's sign. */
export const FACE = /(?:(\d+)\s)?([●■▲])/g;

/** A face read out: a screen reader passes over its sign. @param {string} seen @param {string | undefined} value @param {string} sign */
export const faceAloud = (seen, value, sign) => [t(`suit.${SUITS[/** @type {"●"} */ (sign)]}`), value].filter(Boolean).join(" ");

/**
 * The sentence for a key that may not be known here, or else this text.
 * @param {string} key
 * @param {string} otherwise
 */
export const known = (key, otherwise) => (key in ENGLISH ? t(key) : otherwise);

/** @param {string} name a colour of the deck; colours that are not known keep their name */
export const colourName = (name) => known(`colour.${name}`, name);

/**
 * @param {number} value
 * @param {number} [digits]
 */
export const number = (value, digits = 0) =>
  value.toLocaleString(current, { maximumFractionDigits: digits });

/** @param {number} value with its sign, the minus a real one */
export const signed = (value) => (value > 0 ? `+${value}` : `−${Math.abs(value)}`);

/** @param {string} iso */
export const day = (iso) => new Date(iso).toLocaleDateString(current, { weekday: "long", day: "numeric", month: "long" });

/** 1:04 PM, 09:04 */
const clock = () => /** @type {const} */ ({ hour: current === "fr" ? "2-digit" : "numeric", minute: "2-digit" });

/** @param {string} iso */
export const time = (iso) => new Date(iso).toLocaleTimeString(current, clock());

/** @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  const day = today ? {} : { day: "numeric", month: "short" };
  return date.toLocaleString(current, { ...day, ...clock() });
}
