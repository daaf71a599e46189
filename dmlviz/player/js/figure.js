// @ts-check
/** Python's figure, filled in for this width, theme and tensor, ready for Plotly. */

import { colorAt } from "./data.js";

/**
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./data.js").Cells} Cells
 * @typedef {import("./arrange.js").Arrangement} Arrangement
 */

/**
 * The number that each element's colour stands for, from 0 to 1.
 * @param {Float32Array} input
 * @param {Int32Array} source
 * @returns {Float32Array}
 */
export function outputColor(input, source) {
  return Float32Array.from(source, (s) => (s < 0 ? NaN : input[s]));
}

/**
 * Values and texts of one tensor on the grid of its heatmap, whose gaps hold nothing.
 * @param {any} trace a heatmap whose x and y are edges
 * @param {Cells} cells
 * @param {(flat: number) => number | null} z
 * @param {(flat: number) => string} text
 */
export function fillGrid(trace, cells, z, text) {
  const column = edgeIndex(trace.x);
  const row = edgeIndex(trace.y);
  const rows = trace.y.length - 1;
  const columns = trace.x.length - 1;
  trace.z = Array.from({ length: rows }, () => new Array(columns).fill(null));
  trace.text = Array.from({ length: rows }, () => new Array(columns).fill(""));
  for (let flat = 0; flat < cells.x.length; flat++) {
    const r = /** @type {number} */ (row.get(key(cells.y[flat])));
    const c = /** @type {number} */ (column.get(key(cells.x[flat])));
    trace.z[r][c] = z(flat);
    trace.text[r][c] = text(flat);
  }
}

/** @param {number[]} edges */
function edgeIndex(edges) {
  return new Map(edges.slice(0, -1).map((edge, i) => [key(edge), i]));
}

/** @param {number} coordinate */
function key(coordinate) {
  return Math.round(coordinate * 1000);
}

/**
 * Sizes, colours and fonts, which follow the page and its theme.
 * @param {{data: any[], layout: any}} figure changed in place
 * @param {Arrangement} at
 * @param {Palette} palette
 * @param {string} font
 */
export function dress(figure, at, palette, font) {
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
    note.y = unit(1 - (box.top - at.head + 26) / at.height);
    note.font = { size: 15, color: palette.ink };
    note.text = layout.meta[i].find((/** @type {string} */ text) =>
      text.replace(/<[^>]*>/g, "").length * 8.2 < end - box.left) ?? layout.meta[i].at(-1);
  });
  for (const trace of figure.data) {
    if (trace.type === "heatmap") {
      const scale = trace.name === "padding"
        ? [[0, palette.padding], [1, palette.padding]]
        : palette.scale;
      trace.colorscale = scale;
      trace.xgap = trace.ygap = at.cell > 12 ? 2 : at.cell > 6 ? 1 : 0;
      trace.texttemplate = at.font ? "%{text}" : "";
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
  const size = Math.min(title ? 12.5 : 11, at.cell * (title ? 0.62 : 0.5));
  const room = at.single ? at.head : at.rowGap * at.cell;
  const indices = at.cell >= 16 && room >= 32;
  trace.visible = title ? room >= 14 && size >= 8 : indices;
  const up = title ? (indices ? 18 : 1) : trace.name === "columns" ? 9 : 0;
  const left = trace.name === "rows" ? 10 : title ? 3 : 0;
  trace.y = trace.meta.y.map((/** @type {number} */ y) => y - up / at.cell);
  trace.x = trace.meta.x.map((/** @type {number} */ x) => x - left / at.cellWidth);
  trace.textfont = { size, color: palette.line, family: font };
}

/** @param {number} value */
function unit(value) {
  return Math.min(1, Math.max(0, value));
}

/**
 * CSS colours of all elements, by index into a short list.
 * @param {Float32Array} color
 * @param {Palette} palette
 * @returns {string[]}
 */
export function cssColors(color, palette) {
  /** @type {Map<number, string>} */
  const known = new Map();
  return Array.from(color, (c) => {
    if (Number.isNaN(c)) return palette.padding;
    let css = known.get(c);
    if (css === undefined) {
      css = colorAt(palette.scale, c);
      known.set(c, css);
    }
    return css;
  });
}
