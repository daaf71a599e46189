// @ts-check
/** Plotly's library, fetched once for all players of a page. */

const page = /** @type {any} */ (window);
/** @type {Map<string, Promise<any>>} */
const waiting = new Map();

/**
 * @param {string} address
 * @returns {Promise<any>}
 */
export function plotlyFrom(address) {
  const loading = waiting.get(address) ?? new Promise((resolve, reject) => {
    if (page.Plotly) return resolve(page.Plotly);
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(page.Plotly);
    script.onerror = () => reject(new Error(address));
    document.head.append(script);
  });
  waiting.set(address, loading);
  return loading;
}
