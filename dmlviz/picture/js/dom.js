// @ts-check
/** Making elements; texts are always set as text. */

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  replay: "M5 12a7 7 0 1 0 2.5-5.4M5 4v5h5",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  film: "M4 7h10v10H4zM17 12l4-4v8z",
  stop: "M7 7h10v10H7z",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  view: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  present: "M4 5h16v10H4zM12 15v4M8 20h8",
  share: "M12 15V4M8 8l4-4 4 4M5 12v8h14v-8",
  minus: "M6 12h12",
  plus: "M6 12h12M12 6v12",
  close: "M7 7l10 10M17 7L7 17",
  leads: "M2 12h20M15 6l7 6-7 6",
  right: "M5 13l5 5 9-12",
  wrong: "M6 6l12 12M18 6L6 18",
};

/** Icons that are filled; all others are drawn with lines. */
const FILLED = new Set(["first", "back", "play", "pause", "forward", "last", "film", "stop"]);

/**
 * An element with a class and children.
 * @param {string} tag
 * @param {string} name
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

/**
 * @param {keyof typeof ICONS} icon
 * @returns {SVGElement}
 */
export function drawIcon(icon) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  if (!FILLED.has(icon)) svg.setAttribute("class", "dmlviz-lines");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[icon]);
  svg.append(path);
  return svg;
}

/**
 * A button with a name for screen readers.
 * @param {string} name
 * @param {string} className
 * @param {() => void} act
 * @param {...(Node | string)} children
 * @returns {HTMLButtonElement}
 */
export function makeButton(name, className, act, ...children) {
  const element = /** @type {HTMLButtonElement} */ (make("button", `dmlviz-button ${className}`, ...children));
  element.type = "button";
  element.title = name;
  element.setAttribute("aria-label", name);
  element.addEventListener("click", act);
  return element;
}

/**
 * Show an element on the whole screen, or leave it.
 * @param {HTMLElement} element
 */
export function turnFullScreen(element) {
  if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen?.();
}

/**
 * A choice of a few.
 * @param {string} name
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} chosen
 * @returns {HTMLSelectElement}
 */
export function makeSelect(name, options, chosen) {
  const select = document.createElement("select");
  select.className = "dmlviz-select";
  select.title = name;
  select.setAttribute("aria-label", name);
  setOptions(select, options);
  select.addEventListener("change", () => chosen(select.value));
  return select;
}

/**
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options
 */
export function setOptions(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}
