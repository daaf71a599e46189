// @ts-check
/** Lets the field for a model send the graph alone: the file itself, which may be very large, stays in the browser. */

import { graphOf } from "./onnx_graph.js";

/** What is sent of a file that is no model, so that the server can say so. */
const START = 1_000;

/** The fields that send graphs, and the events that have one already. */
const sending = new WeakSet();
const shortenedEvents = new WeakSet();

/** @param {{parentElement: HTMLElement}} component */
export default function ({ parentElement }) {
  const place = parentElement.closest("[class*=st-key-modelfile]");
  if (!place || sending.has(place)) return;
  sending.add(place);
  place.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.type === "file") replace(event, input.files?.[0], (files) => {
      input.files = files.files;
      return new Event("change", { bubbles: true });
    });
  }, true);
  place.addEventListener("drop", (event) => {
    const { dataTransfer } = /** @type {DragEvent} */ (event);
    replace(event, dataTransfer?.files[0], (files) => new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files }));
  }, true);
}

/**
 * Send an event again, with the graph in place of the file.
 * @param {Event} event
 * @param {File | undefined} file
 * @param {(files: DataTransfer) => Event} again
 */
async function replace(event, file, again) {
  if (shortenedEvents.has(event) || !file) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  const { target } = event;
  const graph = await graphOf(file).catch(() => file.slice(0, START));
  const files = new DataTransfer();
  files.items.add(new File([graph], file.name));
  const next = again(files);
  shortenedEvents.add(next);
  target?.dispatchEvent(next);
}
