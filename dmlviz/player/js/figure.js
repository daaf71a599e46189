// @ts-check
/** Python's figure, filled in for this width, theme and tensor, ready for Plotly. */

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./data.js").Cells} Cells
 * @typedef {import("./arrange.js").Arrangement} Arrangement
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./colors.js").Coloring} Coloring
 */

/**
 * All heatmaps' numbers and texts.
 * @param {any[]} traces changed in place
 * @param {Model} model
 * @param {Coloring} coloring
 */
export function fillTraces(traces, model, coloring) {
  const { source, labels, inputLabels } = model;
  for (const trace of traces) {
    if (trace.name === "input") {
      fillGrid(trace, model.input, (i) => coloring.z[i], (i) => inputLabels[i]);
    } else if (trace.name === "output") {
      fillGrid(trace, model.output, (i) => (source[i] < 0 ? null : coloring.z[source[i]]),
        (i) => (source[i] < 0 ? "" : labels[i]));
    } else if (trace.name === "padding") {
      fillGrid(trace, model.output, (i) => (source[i] < 0 ? 0 : null),
        (i) => (source[i] < 0 ? labels[i] : ""));
    }
  }
}

/**
 * Values and texts of one tensor on the grid of its heatmap, whose gaps hold nothing.
 * @param {any} trace a heatmap whose x and y are edges
 * @param {Cells} cells
 * @param {(flat: number) => number | null} z
 * @param {(flat: number) => string} text
 */
export function fillGrid(trace, cells, z, text) {
  const place = gridPlaces(trace, cells);
  const rows = trace.y.length - 1;
  const columns = trace.x.length - 1;
  trace.z = Array.from({ length: rows }, () => new Array(columns).fill(null));
  trace.text = Array.from({ length: rows }, () => new Array(columns).fill(""));
  for (let flat = 0; flat < cells.x.length; flat++) {
    const [r, c] = place(flat);
    trace.z[r][c] = z(flat);
    trace.text[r][c] = text(flat);
  }
}

/**
 * The element at each place of a heatmap's grid, -1 in gaps: what a hover event means.
 * @param {any} trace
 * @param {Cells} cells
 * @returns {Int32Array} row by row
 */
export function gridElements(trace, cells) {
  const place = gridPlaces(trace, cells);
  const columns = trace.x.length - 1;
  const elements = new Int32Array((trace.y.length - 1) * columns).fill(-1);
  for (let flat = 0; flat < cells.x.length; flat++) {
    const [r, c] = place(flat);
    elements[r * columns + c] = flat;
  }
  return elements;
}

/** @param {any} trace @param {Cells} cells @returns {(flat: number) => [number, number]} */
function gridPlaces(trace, cells) {
  const column = edgeIndex(trace.x);
  const row = edgeIndex(trace.y);
  return (flat) => [
    /** @type {number} */ (row.get(edgeKey(cells.y[flat]))),
    /** @type {number} */ (column.get(edgeKey(cells.x[flat]))),
  ];
}

/** @param {number[]} edges */
function edgeIndex(edges) {
  return new Map(edges.slice(0, -1).map((edge, i) => [edgeKey(edge), i]));
}

/** @param {number} coordinate */
function edgeKey(coordinate) {
  return Math.round(coordinate * 1000);
}

/**
 * Sizes, colours and fonts, which follow the page and its theme.
 * @param {{data: any[], layout: any}} figure changed in place
 * @param {Arrangement} at
 * @param {Palette} palette
 * @param {string} font
 * @param {Coloring} coloring
 */
export function dress(figure, at, palette, font, coloring) {
  const { layout } = figure;
  Object.assign(layout, { width: at.width, height: at.height, autosize: false });
  layout.font = { family: font, color: palette.ink };
  for (const [name, box] of /** @type {const} */ ([["", at.input], ["2", at.output]])) {
    const x = layout[`xaxis${name}`];
    const y = layout[`yaxis${name}`];
    // Plotly drops texts that lie outside an axis: the axes reach round titles and indices
    const { left, top, right, bottom } = at.margin;
    x.domain = [(box.left - left) / at.width, (box.left + box.width + right) / at.width].map(unit);
    x.range = [-left / at.cellWidth, (box.width + right) / at.cellWidth];
    y.domain = [1 - (box.top + box.height + bottom) / at.height, 1 - (box.top - top) / at.height].map(unit);
    y.range = [(box.height + bottom) / at.cell, -top / at.cell];
  }
  const boxes = [at.input, at.output];
  layout.annotations.forEach((/** @type {any} */ note, /** @type {number} */ i) => {
    const box = boxes[i];
    const end = i === 0 && !at.stacked ? at.output.left - 12 : at.width;
    note.x = unit(box.left / at.width);
    note.y = unit(1 - (box.top - at.head + 26 * at.scale) / at.height);
    note.font = { size: 15 * at.scale, color: palette.ink };
    note.text = layout.meta[i].find((/** @type {string} */ text) =>
      text.replace(/<[^>]*>/g, "").length * 8.2 * at.scale < end - box.left) ?? layout.meta[i].at(-1);
  });
  for (const trace of figure.data) {
    if (trace.type === "heatmap") {
      const padding = trace.name === "padding";
      trace.colorscale = padding ? [[0, palette.padding], [1, palette.padding]] : coloring.scale;
      trace.xgap = trace.ygap = at.gap;
      // where cells have inks of their own the canvas writes the numbers
      trace.texttemplate = at.font && !(coloring.ink && !padding) ? "%{text}" : "";
      trace.textfont = { size: at.font || 1, color: palette.ink, family: font, weight: 600 };
    } else {
      placeText(trace, at, palette, font);
    }
  }
}

/**
 * A plane's title or indices, off its edge by a few pixels, if there is room between planes.
 * @param {any} trace
 * @param {Arrangement} at
 * @param {Palette} palette
 * @param {string} font
 */
function placeText(trace, at, palette, font) {
  trace.meta ??= { x: trace.x, y: trace.y };
  const title = trace.name === "title";
  const { scale } = at;
  const size = Math.min((title ? 12.5 : 11) * scale, at.cell * (title ? 0.62 : 0.5));
  const room = at.single ? at.head : at.rowGap * at.cell;
  const indices = at.cell >= 16 * scale && room >= 32 * scale;
  trace.visible = title ? room >= 14 * scale && size >= 8 : indices;
  const up = title ? (indices ? 18 : 1) : trace.name === "columns" ? 9 : 0;
  const left = trace.name === "rows" ? 10 : title ? 3 : 0;
  trace.y = trace.meta.y.map((/** @type {number} */ y) => y - up * scale / at.cell);
  trace.x = trace.meta.x.map((/** @type {number} */ x) => x - left * scale / at.cellWidth);
  trace.textfont = { size, color: palette.line, family: font };
}

/** @param {number} value */
function unit(value) {
  return Math.min(1, Math.max(0, value));
}
