// @ts-check
/** The classes that a teacher has had this browser keep: their secrets stay in this browser. */

/** @typedef {{code: string, title: string, at: number, secrets: Record<string, string>}} Kept */

const KEY = "dmlviz-classes";
const MOST = 200;
const DAY_MS = 86_400_000;

/**
 * The newest first.
 * @param {number} days how long a server keeps a class
 * @returns {Kept[]}
 */
export function keptClasses(days) {
  try {
    /** @type {Kept[]} */
    const all = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return all.filter(({ code, at, secrets }) => /^[A-Z]{4}$/.test(code) && Date.now() - at < days * DAY_MS && typeof secrets?.t === "string");
  } catch {
    return [];
  }
}

/**
 * Whether the browser has kept it.
 * @param {Kept[]} all
 */
function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Kept} one
 * @param {number} days
 */
export function keep(one, days) {
  return store([one, ...keptClasses(days).filter(({ code, secrets }) => code !== one.code || secrets.t !== one.secrets.t)]);
}

/**
 * @param {string} code
 * @param {string} token codes are reused, so the token says which class
 * @param {number} days
 */
export function forgetClass(code, token, days) {
  return store(keptClasses(days).filter((one) => one.code !== code || one.secrets.t !== token));
}
