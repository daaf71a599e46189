// @ts-check
/** A page that holds one player: start it, give it the keys, tell a page around it how large it is. */

import { takeLook } from "./address.js";
import { mount } from "./mount.js";

/** What stands around the player, in pixels. */
const AROUND = 48;
const NARROW = 700;

/** Play the payload of #payload in #stage; do nothing on other pages. */
export async function startPage() {
  const stage = document.getElementById("stage");
  const data = document.getElementById("payload");
  if (!stage || !data) return;
  const packed = document.getElementById("plotly");
  if (packed) await unpackPlotly(packed.textContent ?? "");
  const framed = window.parent !== window;
  // a frame that grows with its content must not make the content grow with it
  const begun = window.innerHeight;
  const room = () => {
    if (framed) return begun - AROUND;
    // a phone is scrolled until the words above the stage are gone
    const above = window.innerWidth < NARROW ? 0 : stage.getBoundingClientRect().top + window.scrollY;
    return window.innerHeight - AROUND - above;
  };
  const plotly = /** @type {any} */ (window).Plotly;
  const payload = JSON.parse(data.textContent ?? "");
  const player = mount(stage, payload, { plotly, room });
  if (payload.look) takeLook(player, payload.look, true);
  document.addEventListener("keydown", (event) => {
    if (event.target === document.body && !event.shiftKey) player.key(event);
  });
  if (framed) tellSize(document.body);
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
function tellSize(content) {
  let told = "";
  const tell = () => {
    const width = Math.ceil(document.documentElement.scrollWidth);
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (told === `${width} ${height}`) return;
    told = `${width} ${height}`;
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
