// @ts-check
/** The app's own player and what it draws with, fetched when there is a movement to play. */

import { make } from "./common.js";

/** @type {Promise<any> | null} */
let fetched = null;

/**
 * The player and what it draws with; a page that failed to fetch them tries again.
 * @param {import("./common.js").PageData} pageData
 */
export function engine(pageData) {
  fetched ??= Promise.all([plotly(pageData.plotly), import(pageData.player), sheet(pageData.sheet)]).catch((error) => {
    fetched = null;
    throw error;
  });
  return fetched;
}

/** @param {string} address */
function plotly(address) {
  return new Promise((resolve, reject) => {
    const page = /** @type {any} */ (window);
    if (page.Plotly) return resolve(page.Plotly);
    const script = /** @type {HTMLScriptElement} */ (make("script"));
    script.onload = () => resolve(page.Plotly);
    script.onerror = () => { script.remove(); reject(new Error(address)); };
    script.src = address;
    document.head.append(script);
  });
}

/** @param {string} address */
function sheet(address) {
  return new Promise((resolve, reject) => {
    const link = /** @type {HTMLLinkElement} */ (make("link"));
    link.rel = "stylesheet";
    link.onload = resolve;
    link.onerror = () => { link.remove(); reject(new Error(address)); };
    link.href = address;
    document.head.append(link);
  });
}
