// @ts-check
/** Cards with questions: each shows what goes in, and plays what comes out when it is visited. */

import { plotlyFrom } from "./plotly.js";

/**
 * @typedef {{key: string, title: string, question: string, opens: string, payload: string,
 *   stills: {image: string, name: string, alt: string}[]}} Card
 * @typedef {{plotly: string, player: string, failed: string, show: string, cards: Card[]}} Gallery
 */

const SVG = "http://www.w3.org/2000/svg";
const ARROW = "M4 12h34M30 5l8 7-8 7";
const PLAY = "M8 5l11 7-11 7z";
/** Whoever crosses a card on the way to another has not visited it. */
const LINGERS = 180;

/**
 * @param {{data: Gallery, parentElement: any, setTriggerValue: (name: string, value: any) => void}} component
 * @returns {() => void}
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(":scope > ul") ?? parentElement.appendChild(element("ul", "dmlviz-cards"));
  list.dmlvizOpen = (/** @type {string} */ key) => setTriggerValue("opened", key);
  const told = JSON.stringify(data);
  if (list.dmlvizTold !== told) {
    list.dmlvizTold = told;
    clear(list);
    list.append(...data.cards.map((card) => drawCard(data, card, list)));
  }
  return () => {
    clear(list);
    list.remove();
  };
}

/** @param {HTMLElement} list */
function clear(list) {
  for (const player of /** @type {Iterable<any>} */ (list.querySelectorAll(".dmlviz-player"))) player.dmlviz?.destroy();
  list.replaceChildren();
}

/**
 * @param {Gallery} data
 * @param {Card} card
 * @param {any} list
 * @returns {HTMLElement}
 */
function drawCard(data, card, list) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", "dmlviz-card-question", card.question));
  link.href = card.opens;
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    list.dmlvizOpen(card.key);
  });
  const still = element("div", "dmlviz-card-still", ...card.stills.map(drawStill), drawing("0 0 42 24", ARROW), element("span", "dmlviz-card-unknown", "?"));
  const show = /** @type {HTMLButtonElement} */ (element("button", "dmlviz-card-show", drawing("0 0 24 24", PLAY)));
  show.type = "button";
  show.title = data.show;
  show.setAttribute("aria-label", `${data.show}: ${card.question}`);
  const picture = element("div", "dmlviz-card-picture", still, show);
  const title = element("p", "dmlviz-card-title", card.title);
  let asked = false;
  const unveil = () => {
    if (asked) return;
    asked = true;
    play(data, card, picture);
  };
  let waits = 0;
  picture.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") waits = window.setTimeout(unveil, LINGERS);
  });
  picture.addEventListener("pointerleave", () => window.clearTimeout(waits));
  picture.addEventListener("click", unveil);
  return element("li", "dmlviz-card", picture, title, link);
}

/**
 * The player in the still picture's place, on its way.
 * @param {Gallery} data
 * @param {Card} card
 * @param {HTMLElement} picture
 */
function play(data, card, picture) {
  const root = element("div", "dmlviz-player");
  const at = (/** @type {string} */ path) => new URL(path, document.baseURI).href;
  Promise.all([plotlyFrom(at(data.plotly)), import(at(data.player))])
    .then(([plotly, { mount }]) => {
      const tall = picture.clientHeight;
      picture.replaceChildren(root);
      mount(root, JSON.parse(card.payload), { plotly, compact: true, tall }).visit();
    })
    .catch((error) => {
      picture.textContent = `${data.failed} ${error.message}`;
    });
}

/** @param {Card["stills"][number]} still */
function drawStill({ image, name, alt }) {
  const picture = /** @type {HTMLImageElement} */ (element("img", ""));
  picture.src = image;
  picture.alt = alt;
  // a long name may be broken between its words
  const words = name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, i) => (i ? [document.createElement("wbr"), word] : [word]));
  return element("figure", "", picture, ...(name ? [element("figcaption", "", ...words)] : []));
}

/**
 * @param {string} box
 * @param {string} path
 */
function drawing(box, path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/**
 * @param {string} tag
 * @param {string} name
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function element(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}
