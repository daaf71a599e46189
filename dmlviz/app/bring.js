// @ts-check
/** Brings a section below the stage into view when it was opened; the focus stays where it is. */

/** The number of the last opening that was followed; the page may be drawn again without one. */
let followed = 0;

/** A section that was opened longer ago is drawn, and is not followed as it grows. */
const DRAWN_MS = 1500;

/** @param {{data: {opening: number}, parentElement: HTMLElement}} component opening: how often one was opened so far */
export default function ({ data, parentElement }) {
  if (data.opening <= followed) return;
  followed = data.opening;
  const section = parentElement.closest("[class*=st-key-section-]");
  if (!section) return;
  // Streamlit draws what is in it bit by bit
  const behavior = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  const grown = new ResizeObserver(() => section.scrollIntoView({ block: "nearest", behavior }));
  grown.observe(section);
  window.setTimeout(() => grown.disconnect(), DRAWN_MS);
}
