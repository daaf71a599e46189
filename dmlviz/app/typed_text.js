// @ts-check
/** Boxes of this page whose text the tab keeps while it is typed, and offers below them when the page opens. */

import { forgetSaved, keepText, offerText } from "../picture/js/typed_text.js";

/**
 * @typedef {import("../picture/js/typed_text.js").TextBox} TextBox
 * @typedef {{name: string, saved: string[]}} Kept name: of the box on its page; saved: texts that a reload brings back
 * @typedef {HTMLElement & {dmlvizOffers?: Map<string, HTMLElement | null>}} Place
 */

/** What Streamlit writes around the box with a key, inside the element that has the key. */
const BOX = ":is(.stTextArea, .stTextInput)";

/** @param {string} key of a widget @returns {string} the class by which Streamlit names it */
const classOf = (key) => `st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")}`;

/**
 * @param {{data: {boxes: Record<string, Kept>, words: import("../picture/js/typed_text.js").OfferWords},
 *   parentElement: Place}} component boxes: by the keys of their widgets
 * @returns {() => void}
 */
export default function ({ data, parentElement }) {
  const { words } = data;
  const boxes = new Map(Object.entries(data.boxes).map(([key, box]) => [classOf(key), box]));
  // each box is looked at once: what is typed while the page is open is not offered
  const offers = parentElement.dmlvizOffers ??= new Map();
  const names = new Set([...boxes.values()].map(({ name }) => name));
  for (const name of offers.keys()) if (!names.has(name)) offers.delete(name);
  for (const { name, saved } of boxes.values()) forgetSaved(name, saved);

  const keep = (/** @type {Event} */ { target }) => {
    const box = /** @type {TextBox} */ (target);
    const named = box.closest(BOX)?.closest("[class*=st-key-]");
    const kept = [...named?.classList ?? []].map((one) => boxes.get(one)).find(Boolean);
    if (kept) keepText(kept.name, kept.saved.includes(box.value) ? "" : box.value);
  };
  // Streamlit draws a box later than this, and what is folded when it is opened
  const offer = () => {
    for (const [key, { name }] of boxes) {
      const around = offers.has(name) ? null : document.querySelector(`.${key} ${BOX}`);
      const box = /** @type {TextBox | null} */ (around?.querySelector("textarea, input"));
      if (!around || !box) continue;
      offers.set(name, offerText(name, box, words));
      around.append(offers.get(name) ?? "");
    }
    if (offers.size === names.size) drawn.disconnect();
  };
  const drawn = new MutationObserver(offer);
  drawn.observe(document.body, { childList: true, subtree: true });
  offer();
  document.addEventListener("input", keep, true);
  return () => {
    drawn.disconnect();
    document.removeEventListener("input", keep, true);
  };
}
