// @ts-check
/** A page that holds one player, or several folded away: start them, tell its frame its size. */

import { takeLook } from "./address.js";
import { mount } from "./mount.js";

/** What stands around the player, in pixels. */
const AROUND = 48;
const NARROW = 700;

/** @type {Promise<void> | null} */
let unpacking = null;

/** Play the payload of #payload in #stage, and those in folds when they are opened; do nothing on other pages. */
export async function startPage() {
  document.querySelectorAll("details.dmlviz-movement").forEach((fold) => playWhenOpen(/** @type {HTMLDetailsElement} */ (fold)));
  const stage = document.getElementById("stage");
  const data = document.getElementById("payload");
  if (!stage || !data) return;
  const plotly = await plotlyOfPage();
  const framed = window.parent !== window;
  // a frame that grows with its content must not make the content grow with it
  const begun = window.innerHeight;
  const room = () => (framed ? begun - AROUND : roomBelow(stage));
  const payload = JSON.parse(data.textContent ?? "");
  const player = mount(stage, payload, { plotly, room, keys: true });
  if (payload.look) takeLook(player, payload.look, true);
  if (framed) tellSize(document.body);
}

/**
 * The height that the window has for a stage.
 * @param {HTMLElement} stage
 * @returns {number} pixels
 */
export function roomBelow(stage) {
  // a phone is scrolled until the words above the stage are gone
  const above = window.innerWidth < NARROW ? 0 : stage.getBoundingClientRect().top + window.scrollY;
  return window.innerHeight - AROUND - above;
}

/**
 * The payload in a fold plays in its div while it is open.
 * @param {HTMLDetailsElement} fold
 */
function playWhenOpen(fold) {
  const stage = /** @type {any} */ (fold.querySelector("div"));
  const data = fold.querySelector("script");
  fold.addEventListener("toggle", async () => {
    if (!fold.open) {
      stage.dmlviz?.destroy();
      stage.dmlviz = null;
      return;
    }
    const plotly = await plotlyOfPage();
    // it may have been closed, or opened twice, while plotly.js was unpacked
    if (!fold.open || stage.dmlviz) return;
    mount(stage, JSON.parse(data?.textContent ?? ""), { plotly, room: () => window.innerHeight - AROUND });
  });
}

/** Plotly's library, unpacked once where the page has it packed. */
async function plotlyOfPage() {
  const packed = document.getElementById("plotly");
  if (packed) await (unpacking ??= unpackPlotly(packed.textContent ?? ""));
  return /** @type {any} */ (window).Plotly;
}

/**
 * plotly.js, which stands in the page as compressed data.
 * @param {string} base64 of gzip
 */
async function unpackPlotly(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
}

/**
 * The size of the content, at once and whenever it changes, to whoever frames this page.
 * @param {HTMLElement} content
 */
export function tellSize(content) {
  let reported = "";
  const tell = () => {
    const width = Math.ceil(document.documentElement.scrollWidth);
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (reported === `${width} ${height}`) return;
    reported = `${width} ${height}`;
    // a size is not secret, and any page can frame this one
    window.parent.postMessage({ type: "dmlviz:size", width, height }, "*");
    fitOwnFrame(height);
  };
  new ResizeObserver(tell).observe(content);
  window.addEventListener("resize", tell);
  tell();
}

/**
 * In a notebook the frame is ours, and the page around it does not listen.
 * @param {number} height
 */
function fitOwnFrame(height) {
  const frame = /** @type {HTMLElement | null} */ (window.frameElement);
  if (frame?.dataset.dmlviz === "fit") frame.style.height = `${height}px`;
}
