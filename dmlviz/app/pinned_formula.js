// @ts-check
/** The numbers of the formula: those of the element that is pinned in the picture, else of the last. */

/** The event of the picture's pins, and its last text; see dmlviz/picture/js/pins.js. */
const PINNED = "dmlviz-pinned";

/** @param {{data: {last: string}, parentElement: HTMLElement}} section last: of the last element */
export default function ({ data, parentElement }) {
  const page = /** @type {Document & {dmlvizPinned?: string}} */ (document);
  const text = document.createElement("pre");
  text.style.cssText = "margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem";
  const tell = () => { text.textContent = page.dmlvizPinned || data.last; };
  document.addEventListener(PINNED, tell);
  tell();
  parentElement.replaceChildren(text);
  return () => document.removeEventListener(PINNED, tell);
}
