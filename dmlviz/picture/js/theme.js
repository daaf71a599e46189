// @ts-check
/** Whether the page is dark, and being told when that changes. */

import { scrollerOf } from "./stage_height.js";

/**
 * Whether a page of this color is dark.
 * @param {...string} candidates CSS colours; the first that is one decides
 * @returns {boolean}
 */
export function isDark(...candidates) {
  for (const css of candidates) {
    const hex = /^\s*#([0-9a-f]{6})/i.exec(css);
    const rgb = hex
      ? [0, 2, 4].map((p) => parseInt(hex[1].slice(p, p + 2), 16))
      : /^\s*rgb\((\d+),\s*(\d+),\s*(\d+)\)/.exec(css)?.slice(1).map(Number);
    if (rgb) return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] < 128;
  }
  return false;
}

/**
 * Call when the room for an element or the page's theme may have changed.
 * @param {HTMLElement} root
 * @param {() => void} changed
 * @param {() => void} [scrolled] called when another part of the page may be in the window
 * @param {Element[]} [around] whose sizes matter too
 * @returns {() => void} to stop
 */
export function watchPage(root, changed, scrolled = () => {}, around = []) {
  const sizes = new ResizeObserver(changed);
  sizes.observe(root);
  for (const part of around) sizes.observe(part);
  // what stands above an element pushes it down
  const scroller = scrollerOf(root);
  if (scroller) for (const part of [scroller, scroller.firstElementChild ?? scroller]) sizes.observe(part);
  window.addEventListener("resize", changed);
  // the page scrolls in Streamlit's element, a large board in its stage
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  // Streamlit sets its theme as variables in the style of an element around the component
  let frame = 0;
  const themes = new MutationObserver(() => {
    // several changes come before a frame, and reading a style between them lays out the whole page
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(changed);
  });
  for (let at = root.parentElement; at; at = at.parentElement) {
    themes.observe(at, { attributes: true, attributeFilter: ["style", "class", "data-theme"] });
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", changed);
  document.addEventListener("fullscreenchange", changed);
  return () => {
    sizes.disconnect();
    window.removeEventListener("resize", changed);
    document.removeEventListener("scroll", scrolled, { capture: true });
    themes.disconnect();
    cancelAnimationFrame(frame);
    dark.removeEventListener("change", changed);
    document.removeEventListener("fullscreenchange", changed);
  };
}
