// @ts-check
/** What Streamlit runs: fetch Plotly and the player once, then hand over the data. */

import { plotlyFrom } from "./plotly.js";

/**
 * @param {{data: any, parentElement: HTMLElement, setTriggerValue: (name: string, value: any) => void}} component
 * @returns {() => void}
 */
export default function ({ data, parentElement, setTriggerValue }) {
  /** @type {any} */
  let root = parentElement.querySelector(":scope > .dmlviz-player");
  if (!root) {
    root = document.createElement("div");
    root.className = "dmlviz-player";
    parentElement.append(root);
  }
  // only the newest of several quick reruns is drawn
  const turn = (root.dmlvizTurn = (root.dmlvizTurn ?? 0) + 1);
  root.dmlvizAsk = setTriggerValue;
  // a picture of other settings than those on the page is neither used nor heard
  root.inert = Boolean(data.outdated);
  root.classList.toggle("dmlviz-outdated", root.inert);
  if (root.dmlvizShown !== data.identity) draw(root, data, turn);
  else root.dmlviz?.wall?.take(data.code);
  return () => {
    root.dmlvizTurn = -1;
    root.dmlviz?.destroy();
    root.remove();
  };
}

/** @type {Map<string, [any, any]>} Plotly and the player, by the player's address */
const loaded = new Map();

/**
 * Draw at once what needs no loading: the new picture is in the same frame as the page around it.
 * @param {any} root
 * @param {any} data
 * @param {number} turn
 */
async function draw(root, data, turn) {
  const at = (/** @type {string} */ path) => new URL(path, document.baseURI).href;
  try {
    if (!loaded.has(data.player)) {
      loaded.set(data.player, await Promise.all([plotlyFrom(at(data.plotly)), import(at(data.player))]));
    }
    const [plotly, { mount }] = /** @type {[any, any]} */ (loaded.get(data.player));
    if (turn !== root.dmlvizTurn) return;
    const ask = (/** @type {string} */ name, /** @type {any} */ value) => root.dmlvizAsk(name, value);
    mount(root, JSON.parse(data.payload), { plotly, ask, ...JSON.parse(data.options) });
    root.dmlvizShown = data.identity;
  } catch (error) {
    root.textContent = `${data.failed} ${/** @type {Error} */ (error).message}`;
  }
}
