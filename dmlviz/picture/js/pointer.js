// @ts-check
/** The cell under the pointer, reported to what listens: a mouse's by Plotly, a finger's from its taps. */

import { gridElements, shownIn } from "./figure.js";

/** How many pixels a finger may move while it taps. */
const TREMBLE = 12;

/**
 * The answer is drawn before Plotly's event returns.
 * @param {import("./player.js").Player} player
 * @param {any} plotly
 */
export function followPointer(player, plotly) {
  const plot = /** @type {any} */ (player.plot);
  if (plot.dmlvizListening) return;
  plot.dmlvizListening = true;
  const spot = (/** @type {any} */ event) => {
    const point = event.points[0];
    const [row, column] = point.pointNumber;
    player.elements ??= player.payload.figure.data.filter(({ type }) => type === "heatmap").map((trace) => {
      const { side, tensor } = shownIn(trace, player.payload);
      return { list: gridElements(trace, player.model[side], tensor), columns: trace.x.length - 1 };
    });
    // heatmaps come first
    const { list, columns } = player.elements[point.curveNumber];
    return { side: shownIn(point.data, player.payload).side, element: list[row * columns + column] };
  };
  const touched = followTaps(player);
  // of one tap Plotly makes two clicks, and of a scroll one
  const ofMouse = (/** @type {(event: any) => void} */ act) => (/** @type {any} */ event) => {
    if (!touched()) act(event);
  };
  plot.on("plotly_hover", ofMouse((event) => player.pointed.hover(spot(event))));
  plot.on("plotly_unhover", ofMouse(() => player.pointed.hover(null)));
  plot.on("plotly_click", ofMouse((event) => player.pointed.toggle(spot(event))));
  // Plotly misses a pointer that leaves while it redraws
  plot.addEventListener("pointerleave", ofMouse(() => {
    plotly.Fx.unhover(plot);
    player.pointed.hover(null);
  }));
}

/**
 * Report the cells that a finger or a pen taps.
 * @param {import("./player.js").Player} player
 * @returns {() => boolean} whether the newest pointer on the plot touches it: what it does comes once
 *   more, as a mouse's events
 */
function followTaps(player) {
  const { plot, root } = player;
  let touching = false;
  /** @type {PointerEvent | null} */
  let start = null;
  for (const type of /** @type {const} */ (["pointermove", "pointerdown"])) {
    plot.addEventListener(type, (event) => { touching = event.pointerType !== "mouse"; }, true);
  }
  plot.addEventListener("pointerdown", (event) => { start = touching && event.isPrimary ? event : null; });
  // the browser scrolls or zooms with it
  plot.addEventListener("pointercancel", () => { start = null; });
  plot.addEventListener("pointerup", (event) => {
    const tapped = start !== null && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < TREMBLE;
    start = null;
    if (tapped) player.pointed.tap(cellAt(player, event));
  });
  // a finger never leaves: what it touches next takes the tip away
  root.addEventListener("pointerdown", (event) => {
    if (touching && !plot.contains(/** @type {Node} */ (event.target))) player.pointed.hover(null);
  }, { signal: player.ended });
  return () => touching;
}

/**
 * @param {import("./player.js").Player} player
 * @param {PointerEvent} event
 * @returns {import("./pins.js").Spot | null}
 */
function cellAt({ plot, drawing }, { clientX, clientY }) {
  const board = plot.getBoundingClientRect();
  const [left, top] = [clientX - board.left, clientY - board.top];
  for (const side of /** @type {const} */ (["input", "output"])) {
    const { x, y, w, h } = drawing[side];
    const element = x.findIndex((/** @type {number} */ at, /** @type {number} */ i) =>
      left >= at && left < at + w && top >= y[i] && top < y[i] + h);
    if (element >= 0) return { side, element };
  }
  return null;
}
