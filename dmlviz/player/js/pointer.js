// @ts-check
/** What is under the pointer, as Plotly says it, told to what listens: a cell of a side. */

import { gridElements, shownIn } from "./figure.js";

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
  plot.on("plotly_hover", (/** @type {any} */ event) => player.pointed.hover(spot(event)));
  plot.on("plotly_unhover", () => player.pointed.hover(null));
  plot.on("plotly_click", (/** @type {any} */ event) => player.pointed.toggle(spot(event)));
  // Plotly misses a pointer that leaves while it redraws
  plot.addEventListener("pointerleave", () => {
    plotly.Fx.unhover(plot);
    player.pointed.hover(null);
  });
}
