// @ts-check
/** The colors of a staff page: those that its screen prefers, or those that the class has chosen. */

const DARK = window.matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const listeners = new Set();
let chosen = "screen";

export function isDark() {
  return chosen === "screen" ? DARK.matches : chosen === "dark";
}

/** @param {string} theme screen, light or dark */
export function setTheme(theme) {
  chosen = theme;
  const wanted = isDark() ? "dark" : "light";
  const { dataset } = document.documentElement;
  if (dataset.theme === wanted) return;
  dataset.theme = wanted;
  for (const changed of listeners) changed();
}

/** @param {() => void} changed called when the page has become dark or light */
export function onTheme(changed) {
  listeners.add(changed);
}

DARK.addEventListener("change", () => setTheme(chosen));
setTheme(chosen);
