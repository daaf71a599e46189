// @ts-check
/** Wrong answers, kept only on this phone, to repeat after the class. */

import { make, ownLink } from "./common.js";

const DAY_MS = 86_400_000;

/** @param {string} code */
function keyOf(code) {
  return `dmlviz-class-${code}`;
}

/**
 * @param {string} code
 * @returns {{at: number, missed: Record<string, {prompt: string, settings?: string, link: string}>}}
 */
function kept(code) {
  const none = { at: Date.now(), missed: {} };
  try {
    const record = JSON.parse(localStorage.getItem(keyOf(code)) ?? "null");
    // codes are reused
    return record && Date.now() - record.at < DAY_MS ? record : none;
  } catch {
    return none;
  }
}

/**
 * Once a question has its answer.
 * @param {string} code
 * @param {number} number
 * @param {any} question
 * @param {string} own the answer given; empty for none
 */
export function keepMissed(code, number, question, own) {
  const record = kept(code);
  if (own === question.answer) delete record.missed[number];
  else record.missed[number] = { prompt: question.prompt, settings: question.settings, link: question.repeat };
  try {
    localStorage.setItem(keyOf(code), JSON.stringify(record));
  } catch {
    // this browser stores nothing, so there is nothing to repeat
  }
}

/**
 * Links to everything that was missed; null where nothing was.
 * @param {string} code
 * @param {import("./common.js").PageData} pageData
 */
export function missedList(code, pageData) {
  const all = Object.entries(kept(code).missed).sort(([a], [b]) => Number(a) - Number(b));
  if (!all.length) return null;
  const items = all.map(([, { prompt, settings, link }]) => {
    const words = [...(settings ? [make("span", "settings", settings)] : []), prompt];
    // a question without a picture has no page of its own
    if (!link) return make("li", "missed-words", ...words);
    const anchor = /** @type {HTMLAnchorElement} */ (make("a", "repeat", ...words));
    anchor.href = ownLink(pageData.base, link, pageData.language);
    return make("li", "", anchor);
  });
  return make("section", "missed", make("h2", "", pageData.words.repeat), make("ul", "", ...items));
}
