// @ts-check
/** Where Plotly has put everything, and how it is painted: what the canvases over it draw by. */

import { countOf } from "./data.js";

/**
 * @param {import("./model.js").Model} model
 * @param {any} layout Plotly's own, after it has drawn
 * @param {import("./arrange.js").Arrangement} at
 * @param {import("./colors.js").Coloring} coloring
 */
export function drawingOf(model, layout, at, coloring) {
  const { input, output, differing, contested } = model.payload;
  const cells = (/** @type {import("./data.js").Side} */ side, /** @type {string} */ role) =>
    side.tensors.filter((tensor) => tensor.role === role).map(({ first, sizes }) => ({ first, count: countOf(sizes) }));
  return {
    input: pixelsOf(layout.xaxis, layout.yaxis, model.input),
    output: pixelsOf(layout.xaxis2, layout.yaxis2, model.output),
    gap: at.gap, fontSize: at.font, scale: at.scale, width: at.width, height: at.height,
    source: model.source, drivers: model.drivers, driverLength: model.driverLength, moving: model.moving,
    labels: model.labels, inputLabels: model.inputLabels, strange: model.strange,
    colors: coloring.css, inks: coloring.ink, differing, contested, covers: new Int32Array(0),
    tensors: { input: input.tensors, output: output.tensors },
    controls: cells(input, "control"),
    indices: cells(output, "index"),
    room: {
      left: at.output.left, top: at.output.top,
      width: at.width - at.output.left, height: at.height - at.output.top,
    },
  };
}

/**
 * Cells in pixels of the board.
 * @param {any} x Plotly's axis
 * @param {any} y
 * @param {import("./data.js").Cells} cells
 */
function pixelsOf(x, y, cells) {
  return {
    x: cells.x.map((v) => x._offset + x.l2p(v)),
    y: cells.y.map((v) => y._offset + y.l2p(v)),
    w: x.l2p(1) - x.l2p(0),
    h: y.l2p(1) - y.l2p(0),
  };
}
