// @ts-check
/** The dialog of a live page that gives its address, the element that embeds it, and a QR code. */

import { make, makeButton } from "./dom.js";
import { copyButton } from "./sections.js";

const EMBED_HEIGHT = 560;

/** @typedef {{address: string, image: string, note: string}} Code of an address; a note where there is no image */

/**
 * The element that shows an address inside another page.
 * @param {string} address
 * @param {string} title
 */
export function embedding(address, title) {
  const shown = new URL(address);
  shown.searchParams.set("embed", "true");
  const frame = document.createElement("iframe");
  frame.src = shown.href;
  frame.title = title;
  frame.width = "100%";
  frame.height = String(EMBED_HEIGHT);
  frame.setAttribute("style", "border:0");
  frame.loading = "lazy";
  return frame.outerHTML;
}

/**
 * @param {string} address
 * @param {string} problem why no address holds the view, or what it leaves out; empty if it holds all
 * @param {boolean} whole whether there is an address
 * @param {Record<string, string>} words
 * @param {() => void} scan asks for a QR code of it
 * @returns {(code: Code) => void} shows that code
 */
export function openSharing(address, problem, whole, words, scan) {
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog", "dmlviz-live-share", make("h2", "", words.share)));
  const code = make("div", "dmlviz-live-code");
  code.role = "status";
  if (problem) dialog.append(make("p", "dmlviz-problem", problem));
  if (whole) {
    const ask = makeButton(words.scan, "", () => {
      ask.disabled = true;
      scan();
    }, words.scan);
    code.append(ask);
    dialog.append(copyLine(words.address, address, words), make("p", "", words.embed), copyLine(words.embed, embedding(address, document.title), words), code);
  }
  dialog.append(makeButton(words.close, "dmlviz-live-close", () => dialog.close(), words.close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  /** @type {HTMLInputElement | null} */ (dialog.querySelector("input"))?.select();
  return (made) => {
    if (made.address !== address) return;
    const image = document.createElement("img");
    image.src = made.image;
    image.alt = words.scanned;
    code.replaceChildren(made.image ? image : make("p", "", made.note));
  };
}

/** A text to copy. @param {string} name @param {string} text @param {Record<string, string>} words */
function copyLine(name, text, words) {
  const box = /** @type {HTMLInputElement} */ (make("input", ""));
  box.readOnly = true;
  box.value = text;
  box.ariaLabel = name;
  box.addEventListener("focus", () => box.select());
  return make("div", "", box, copyButton(words, text));
}
