// @ts-check
/** Text that was typed and that no address has yet: this tab of the browser keeps it, and offers it after a reload. */

/**
 * @typedef {HTMLInputElement | HTMLTextAreaElement} TextBox
 * The words of an offer, from dmlviz/states/controls.py.
 * @typedef {{kept_text: string, use_text: string, delete_text: string}} OfferWords
 */

/** The most characters of a box that are kept: a part of a text would be another text. */
const MOST_KEPT = 65_536;

/** @param {string} name of a box of this page @returns {string} where the tab's storage has its text */
const storageKey = (name) => `dmlviz-typed ${window.location.pathname} ${name}`;

/** @param {string} name @returns {string} empty if none is kept */
function keptText(name) {
  try {
    return sessionStorage.getItem(storageKey(name)) ?? "";
  } catch {
    return "";
  }
}

/**
 * Keep what is in a box; nothing of an empty one, nor of one with too much.
 * @param {string} name
 * @param {string} text
 */
export function keepText(name, text) {
  try {
    if (text.trim() && text.length <= MOST_KEPT) sessionStorage.setItem(storageKey(name), text);
    else sessionStorage.removeItem(storageKey(name));
  } catch {
    // a browser may keep nothing; a reload then loses the text
  }
}

/**
 * Keep no text that something else has by now.
 * @param {string} name
 * @param {string[]} saved texts that a reload brings back
 */
export function forgetSaved(name, saved) {
  if (saved.includes(keptText(name))) keepText(name, "");
}

/**
 * What offers a box's kept text; null if there is none, or if the box has it.
 * @param {string} name
 * @param {TextBox} box
 * @param {OfferWords} words
 * @returns {HTMLElement | null}
 */
export function offerText(name, box, words) {
  const text = keptText(name);
  if (!text || text === box.value) return null;
  const offer = document.createElement("p");
  offer.className = "dmlviz-typed";
  offer.setAttribute("role", "note");
  const choice = (/** @type {string} */ label, /** @type {() => void} */ act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      act();
      offer.remove();
      box.focus();
    });
    return button;
  };
  offer.append(
    `${words.kept_text} `,
    choice(words.use_text, () => writeInto(box, text)),
    " · ",
    choice(words.delete_text, () => { if (keptText(name) === text) keepText(name, ""); }),
  );
  return offer;
}

/**
 * Keeps the texts of a form's rows of lines, and offers them below the rows when the page opens.
 * @param {OfferWords} words
 * @returns {(name: string, row: import("./form.js").DrawnRow, saved: string[]) => void}
 */
export function rowKeeper(words) {
  /** @type {WeakMap<HTMLElement, string[]>} */
  const savedOf = new WeakMap();
  return (name, row, saved) => {
    const box = /** @type {TextBox} */ (row.boxes[0]);
    forgetSaved(name, saved);
    const drawn = savedOf.has(box);
    savedOf.set(box, saved);
    if (drawn) return;
    box.addEventListener("input", () => keepText(name, savedOf.get(box)?.includes(box.value) ? "" : box.value));
    row.element.append(offerText(name, box, words) ?? "");
  };
}

/**
 * As if somebody typed it: what draws the box, such as React, hears of it.
 * @param {TextBox} box
 * @param {string} text
 */
function writeInto(box, text) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value")?.set?.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
}
