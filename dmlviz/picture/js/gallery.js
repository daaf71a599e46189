// @ts-check
/** Cards with questions: each shows the inputs, and plays the movement when it is visited. */

import { drawIcon, make } from "./dom.js";
import { plotlyFrom } from "./plotly.js";

/**
 * @typedef {{key: string, title: string, question: string, opens: string, payload: string,
 *   stills: {image: string, name: string, alt: string}[]}} Card
 * @typedef {{plotly: string, player: string, failed: string, show: string, cards: Card[]}} Gallery
 */

/** Moving the pointer across a card does not count as a visit before this time. */
const LINGERS = 180;

/**
 * @param {{data: Gallery, parentElement: any, setTriggerValue: (name: string, value: any) => void}} component
 * @returns {() => void}
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(":scope > ul") ?? parentElement.appendChild(make("ul", "dmlviz-cards"));
  list.dmlvizOpen = (/** @type {string} */ key) => setTriggerValue("opened", key);
  const serialized = JSON.stringify(data);
  if (list.dmlvizData !== serialized) {
    list.dmlvizData = serialized;
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
  const link = /** @type {HTMLAnchorElement} */ (make("a", "dmlviz-card-question", card.question));
  link.href = card.opens;
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    list.dmlvizOpen(card.key);
  });
  const still = make("div", "dmlviz-card-still", ...card.stills.map(drawStill), drawIcon("leads"), make("span", "dmlviz-card-unknown", "?"));
  const show = /** @type {HTMLButtonElement} */ (make("button", "dmlviz-card-show", drawIcon("play")));
  show.type = "button";
  show.title = data.show;
  show.setAttribute("aria-label", `${data.show}: ${card.question}`);
  const picture = make("div", "dmlviz-card-picture", still, show);
  const title = make("p", "dmlviz-card-title", card.title);
  let asked = false;
  const showMovement = () => {
    if (asked) return;
    asked = true;
    play(data, card, picture);
  };
  let waits = 0;
  picture.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") waits = window.setTimeout(showMovement, LINGERS);
  });
  picture.addEventListener("pointerleave", () => window.clearTimeout(waits));
  picture.addEventListener("click", showMovement);
  return make("li", "dmlviz-card", picture, title, link);
}

/**
 * Start loading the player in place of the still picture.
 * @param {Gallery} data
 * @param {Card} card
 * @param {HTMLElement} picture
 */
function play(data, card, picture) {
  const root = make("div", "dmlviz-player");
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
  const picture = /** @type {HTMLImageElement} */ (make("img", ""));
  picture.src = image;
  picture.alt = alt;
  // a long name may be broken between its words
  const words = name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, i) => (i ? [document.createElement("wbr"), word] : [word]));
  return make("figure", "", picture, ...(name ? [make("figcaption", "", ...words)] : []));
}
