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
    // without inputs Plotly has only the output's axes, and there is no cell to place
    input: pixelsOf(layout.xaxis ?? layout.xaxis2, layout.yaxis ?? layout.yaxis2, model.input),
    output: pixelsOf(layout.xaxis2, layout.yaxis2, model.output),
    gap: at.gap, fontSize: at.font, scale: at.scale, width: at.width, height: at.height,
    source: model.source, drivers: model.drivers, driverLength: model.driverLength, driverApart: model.driverApart, moving: model.moving,
    labels: model.labels, inputLabels: model.inputLabels, strange: model.strange,
    colors: coloring.css, inks: coloring.ink, differing, contested, covers: new Int32Array(0),
    tensors: { input: input.tensors, output: output.tensors },
    controls: cells(input, "control"),
    indices: [...cells(output, "index"), ...cells(output, "computed")],
    computed: model.computed,
    room: {
      left: at.output.left, top: at.output.top,
      width: at.width - at.output.left, height: at.height - at.output.top,
    },
  };
}

/**
 * Cells in pixels of the board. Plotly's own l2p rounds to hundredths, which leaves gaps of a pixel
 * between small cells.
 * @param {any} x Plotly's axis
 * @param {any} y
 * @param {import("./data.js").Cells} cells
 */
function pixelsOf(x, y, cells) {
  const w = x._length / (x.range[1] - x.range[0]);
  const h = y._length / (y.range[0] - y.range[1]);
  const left = x._offset - x.range[0] * w;
  const top = y._offset - y.range[1] * h;
  return { x: cells.x.map((v) => left + v * w), y: cells.y.map((v) => top + v * h), w, h, left, top };
}
