/** The whole scores that are still possible, where a doubt could change the one to announce. */

import { chip } from "../cards.js";
import { h } from "../dom.js";
import { colourName, number, signed, t } from "../words.js";

/** @typedef {{points: Record<string, number>, probability: number}} Possible */

/** The likeliest; nobody chooses among more. */
const MOST_SHOWN = 5;
/** What is left for something else, where it comes to 1 % when rounded. */
const LEAST_TOLD = 0.005;

/** @param {any} reading nothing where it is sure, or has no outcomes */
export function outcomesPart(reading) {
  const possible = announced(reading.outcomes);
  if (reading.sure_without_illegal || !possible.length) return null;
  const shown = possible.slice(0, MOST_SHOWN);
  const rest = 1 - shown.reduce((sum, one) => sum + one.probability, 0);
  const hasMore = rest >= LEAST_TOLD;
  const leaders = reading.common_leaders ?? [];
  return h("div", { class: "outcomes" },
    h("h3", {}, t("outcomes")),
    h("ul", { class: "list" },
      shown.map((one) => h("li", {}, points(reading.scores_without_illegal, one.points), share(one.probability))),
      hasMore && h("li", {}, h("span", {}, t("outcomes.else")), share(rest))),
    leaders.length > 0 && possible.length > 1 && h("p", {},
      t("outcomes-lead", { leaders: leaders.map(colourName).join(", ") }), hasMore && ` ${t("outcomes.unlisted")}`));
}

/** Those that announce the same score are one. @param {any[]} outcomes @returns {Possible[]} the likeliest first */
function announced(outcomes) {
  /** @type {Map<string, Possible>} */
  const found = new Map();
  for (const { scores_without_illegal: points, probability } of outcomes) {
    const key = JSON.stringify(Object.entries(points).filter(([, dots]) => dots).sort());
    const before = found.get(key)?.probability ?? 0;
    found.set(key, { points, probability: before + probability });
  }
  return [...found.values()].sort((a, b) => b.probability - a.probability);
}

/** What is not as read, with its symbol. @param {Record<string, number>} read @param {Record<string, number>} now */
function points(read, now) {
  const changed = Object.keys({ ...read, ...now }).filter((name) => (read[name] ?? 0) !== (now[name] ?? 0));
  if (!changed.length) return h("span", {}, t("outcomes.read"));
  return h("span", {}, changed.map((name) => h("span", { class: "tally" }, chip(name),
    `${colourName(name)} ${now[name] ?? 0} (${signed((now[name] ?? 0) - (read[name] ?? 0))})`)));
}

/** @param {number} probability */
const share = (probability) => h("strong", {}, t("percent", { n: number(100 * probability) }));
