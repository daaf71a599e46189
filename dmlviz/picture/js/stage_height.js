// @ts-check
/** How much of the window a stage may have, so that caption and controls are in view below it. */

/** The smallest height of a stage in pixels. */
export const LEAST_STAGE = 168;
/** A stage that has no room for this much where it stands is scrolled to, and has the window then. */
const LEAST_BESIDE = 240;
/** A narrower window counts as a phone's. */
const TELEPHONE = 768;

/**
 * The height of a stage.
 * @param {HTMLElement} root of the player
 * @param {number} below pixels that caption and controls take
 * @param {{tall?: number, foot?: number, part?: number, least?: number}} options as of the player
 * @param {number} asking pixels that a question below the stage takes without its answer, 0 without
 *   a question: it is in view with the stage, even if an answer is not
 * @returns {number}
 */
export function stageHeight(root, below, { tall = Infinity, foot = 12, part = 1, least = LEAST_BESIDE }, asking = 0) {
  const { visible, top } = placeOf(root);
  const left = visible - top - below - foot;
  const scrolled = asking ? visible - top - asking - foot : visible - below - foot;
  const beside = left >= Math.min(least, tall) ? left : scrolled;
  // a page says by its style sheet where words come below the stage in a wider window
  const stacked = isTelephone() || getComputedStyle(root).getPropertyValue("--dmlviz-stacked");
  const most = stacked ? Math.min(tall, window.innerHeight * part) : tall;
  return Math.floor(Math.max(LEAST_STAGE, Math.min(most, beside)));
}

/**
 * What a stage has of the window before anybody scrolls.
 * @param {HTMLElement} root of the player
 * @param {number} below pixels of what is to be in view below it
 * @returns {number} pixels
 */
export function heightInView(root, below) {
  const { visible, top } = placeOf(root);
  return Math.floor(visible - top - below);
}

/**
 * What parts that stand one below the other take, with the space above each; those that are not
 * shown, or stand over something else, take nothing.
 * @param {HTMLElement[]} parts
 * @returns {number} pixels
 */
export function heightOf(parts) {
  return parts.reduce((sum, part) => {
    const { display, position, marginTop } = getComputedStyle(part);
    // what a player without buttons leaves out has no style
    const apart = !part.isConnected || display === "none" || position === "absolute";
    return apart ? sum : sum + part.offsetHeight + parseFloat(marginTop);
  }, 0);
}

/** @returns {boolean} */
export function isTelephone() {
  return window.innerWidth < TELEPHONE;
}

/**
 * The nearest element around that scrolls; null where the window does.
 * @param {Element} root
 * @returns {Element | null}
 */
export function scrollerOf(root) {
  for (let at = root.parentElement; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

/**
 * How much is seen of what scrolls, and where an element begins in it, however far it was scrolled.
 * @param {Element} root
 */
function placeOf(root) {
  const scroller = scrollerOf(root);
  const { top } = root.getBoundingClientRect();
  return scroller
    ? { visible: scroller.clientHeight, top: top - scroller.getBoundingClientRect().top + scroller.scrollTop }
    : { visible: window.innerHeight, top: top + window.scrollY };
}
