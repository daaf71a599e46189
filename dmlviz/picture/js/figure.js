// @ts-check
/** Python's figure, filled in for this width, theme and tensor, ready for Plotly. */

import { INDEXED_CELL, INDEXED_ROOM, isSingle, roomOver } from "./arrange.js";
import { countOf } from "./data.js";
import { titleParts } from "./texts.js";

// of a title, in the widest of the usual fonts; one that runs out of the window is worse than a
// shorter one
const WIDEST_LETTER = 10.2;
/** Pixels of the smallest indices and titles of planes that are written. */
const SMALLEST_INDEX = 9;
/** Pixels between a title and what is beside it. */
const BESIDE_TITLE = 12;
/** The smallest title, as a share of the usual one. */
const SMALLEST_TITLE = 0.6;
/** What is half as wide as a letter, among sizes. */
const NARROW_LETTERS = /[ ,](?=[^{]*\})/g;

/** How wide a letter of a plane's title is, as a share of its height. */
const PLANE_LETTER = 0.5;

/** How far a title stands above a tensor that is not the first, over indices and plane titles. */
const UP = 41;

/** What indices alone need above a plane, in pixels. */
const LEAST_OVER_INDICES = 16;

/** How far a plane's title alone stands above it, clear of a dashed line around its tensor. */
const TITLE_UP = 5;

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {import("./data.js").Placed} Placed
 * @typedef {{first: number, sizes: number[]}} Own  a tensor's cells among those of its side
 * @typedef {import("./data.js").Cells} Cells
 * @typedef {import("./arrange.js").Arrangement} Arrangement
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./colors.js").Coloring} Coloring
 * @typedef {{text: string, holds: string}} Title  a text that can stand above a tensor
 *   holds: besides its name, in words: settings, sizes, type; "short" for its short name alone
 */

/**
 * The tensor that a heatmap shows, and on which side it stands.
 * @param {any} trace
 * @param {Payload} payload
 * @returns {{side: "input" | "output", tensor: Placed}}
 */
export function shownIn(trace, payload) {
  const side = trace.name === "input" ? "input" : "output";
  return { side, tensor: payload[side].tensors[trace.meta] };
}

/**
 * The cells alone, without titles and indices.
 * @param {Payload["figure"]} figure changed in place
 */
export function bareFigure(figure) {
  figure.data = figure.data.filter(({ type }) => type === "heatmap");
  figure.layout.annotations = [];
}

/**
 * All heatmaps' colors, and which of their cells have a number.
 * @param {any[]} traces changed in place
 * @param {Model} model
 * @param {Coloring} coloring
 */
export function fillTraces(traces, model, coloring) {
  const { source, moving, payload } = model;
  for (const trace of traces) {
    delete trace.letters;
    if (trace.name === "title" && coloring.letters) trace.letters = lettersOf(trace, model, coloring.letters);
    if (trace.type !== "heatmap") continue;
    const { side, tensor } = shownIn(trace, payload);
    const z = {
      input: (/** @type {number} */ i) => (i < moving ? coloring.z[i] : 0),
      output: (/** @type {number} */ i) => (source[i] < 0 ? null : coloring.z[source[i]]),
      padding: (/** @type {number} */ i) => (source[i] < 0 ? 0 : null),
    }[/** @type {"input" | "output" | "padding"} */ (trace.name)];
    fillGrid(trace, model[side], tensor, z);
    trace.numbered = ownCells(tensor).filter((i) => z(i) !== null);
  }
}

/**
 * For each plane's title, the letter that all of its elements have; empty if they differ.
 * @param {any} trace
 * @param {Model} model
 * @param {string[]} letters of the elements
 * @returns {string[]}
 */
function lettersOf(trace, model, letters) {
  const { x, y } = trace.meta ?? trace;
  const side = trace.xaxis === "x" ? "input" : "output";
  const cells = model[side];
  const key = (/** @type {number} */ left, /** @type {number} */ top) => `${edgeKey(left)} ${edgeKey(top)}`;
  const byPlace = new Map();
  for (const { first, sizes } of model.payload[side].tensors) {
    const plane = sizes.slice(-2).reduce((a, b) => a * b, 1);
    for (let start = first; start < first + countOf(sizes); start += plane) {
      const own = new Set();
      for (let cell = start; cell < start + plane; cell++) {
        const element = side === "input" ? cell : model.source[cell];
        if (element >= 0) own.add(letters[element] ?? "");
      }
      byPlace.set(key(cells.x[start], cells.y[start]), own.size === 1 ? [...own][0] : "");
    }
  }
  return x.map((/** @type {number} */ left, /** @type {number} */ k) => byPlace.get(key(left, y[k])) ?? "");
}

/**
 * Values of one tensor on the grid of its heatmap, whose gaps hold nothing.
 * @param {any} trace a heatmap whose x and y are edges
 * @param {Cells} cells of the whole side
 * @param {Own} tensor
 * @param {(cell: number) => number | null} z
 */
export function fillGrid(trace, cells, tensor, z) {
  const place = gridPlaces(trace, cells);
  const rows = trace.y.length - 1;
  const columns = trace.x.length - 1;
  trace.z = Array.from({ length: rows }, () => new Array(columns).fill(null));
  for (const cell of ownCells(tensor)) {
    const [r, c] = place(cell);
    trace.z[r][c] = z(cell);
  }
}

/**
 * The cell at each place of a heatmap's grid, -1 in gaps: what a hover event means.
 * @param {any} trace
 * @param {Cells} cells of the whole side
 * @param {Own} tensor
 * @returns {Int32Array} row by row
 */
export function gridElements(trace, cells, tensor) {
  const place = gridPlaces(trace, cells);
  const columns = trace.x.length - 1;
  const elements = new Int32Array((trace.y.length - 1) * columns).fill(-1);
  for (const cell of ownCells(tensor)) {
    const [r, c] = place(cell);
    elements[r * columns + c] = cell;
  }
  return elements;
}

/** @param {Own} tensor @returns {number[]} the numbers of its cells */
function ownCells({ first, sizes }) {
  return Array.from({ length: countOf(sizes) }, (_cell, i) => first + i);
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
 * Sizes, colors and fonts, which follow the page and its theme.
 * @param {Payload} payload whose figure is changed in place
 * @param {Arrangement} at
 * @param {Palette} palette
 * @param {string} font
 * @param {Coloring} coloring
 */
export function dress(payload, at, palette, font, coloring) {
  const { figure, input, output } = payload;
  const { layout } = figure;
  Object.assign(layout, { width: at.width, height: at.height, autosize: false });
  layout.font = { family: font, color: palette.ink };
  for (const [name, box] of /** @type {const} */ ([["", at.input], ["2", at.output]])) {
    const x = layout[`xaxis${name}`];
    const y = layout[`yaxis${name}`];
    // Plotly drops texts that lie outside an axis: the axes reach around titles and indices
    const { left, top, right, bottom } = at.margin;
    x.domain = [(box.left - left) / at.width, (box.left + box.width + right) / at.width].map(unit);
    x.range = [-left / at.cellWidth, (box.width + right) / at.cellWidth];
    y.domain = [1 - (box.top + box.height + bottom) / at.height, 1 - (box.top - top) / at.height].map(unit);
    y.range = [(box.height + bottom) / at.cell, -top / at.cell];
  }
  const heads = [
    ...headsOf(input, at.input, at, at.stacked ? at.width : at.output.left - BESIDE_TITLE),
    ...headsOf(output, at.output, at, at.width),
  ];
  const wide = (/** @type {string} */ title) => {
    const [name, rest = ""] = titleParts(title);
    return (name.length + rest.length - (rest.match(NARROW_LETTERS)?.length ?? 0) / 2) * WIDEST_LETTER * at.scale;
  };
  /** @type {Title[][]} */
  const offered = layout.meta;
  const titles = offered.map((all, i) => {
    const fits = (/** @type {Title} */ title) => wide(title.text) < heads[i].room / smallest(title);
    return all.find(fits) ?? all[all.length - 1];
  });
  if (heads.length === 2 && !at.stacked) keepSizes(titles, offered, heads, at, wide);
  // a data type in one title of two runs would look like a difference
  const runs = offered.flatMap((all, i) => (all.some(({ holds }) => holds.includes("settings")) ? [i] : []));
  const typed = runs.filter((i) => titles[i] === offered[i][0]);
  if (typed.length < runs.length) for (const i of typed) titles[i] = offered[i][1];
  // where one is, all are
  const short = titles.some(({ holds }) => holds === "short");
  layout.annotations.forEach((/** @type {any} */ note, /** @type {number} */ i) => {
    const { left, bottom, room } = heads[i];
    note.y = unit(1 - bottom / at.height);
    note.text = short ? titles[i].text.replace(/Tensors?/, "") : titles[i].text;
    // the shortest is written smaller rather than cut, and moved rather than out of the stage
    const part = Math.min(1, Math.max(SMALLEST_TITLE, room / wide(note.text)));
    note.font = { size: 15 * at.scale * part, color: palette.ink };
    note.x = unit(Math.min(left, at.width - wide(note.text) * part) / at.width);
  });
  const titled = new Set(figure.data.filter(({ name, text }) => name === "title" && text.some(Boolean)).map(({ xaxis }) => xaxis));
  for (const trace of figure.data) {
    if (trace.type === "heatmap") {
      const padding = trace.name === "padding";
      const control = shownIn(trace, payload).tensor.role === "control";
      const plain = padding ? palette.padding : control ? palette.paper : "";
      trace.colorscale = plain ? [[0, plain], [1, plain]] : coloring.scale;
      trace.xgap = trace.ygap = at.gap;
    } else {
      const [side, box] = trace.xaxis === "x" ? [input, at.input] : [output, at.output];
      const room = roomOver(at, side);
      const above = placeText(trace, at, box, { room, titled: titled.has(trace.xaxis), single: isSingle(side) }, palette, font);
      if (trace.name === "title" && above) nameChannels(trace, room, at.scale);
    }
  }
}

/**
 * How small a title may be written before a shorter one takes its place, as a share of the usual size:
 * a little smaller without its data type, and as small as any with the settings by which two runs differ.
 * @param {Title} title
 */
function smallest({ holds }) {
  if (holds.includes("type")) return 1;
  return holds.includes("settings") && !holds.includes("sizes") ? SMALLEST_TITLE : 0.75;
}

/**
 * A lone output's sizes rather than a data type: its title may begin before it, clear of the one input
 * beside it and of that one's title.
 * @param {Title[]} titles as chosen, changed in place
 * @param {Title[][]} offered
 * @param {{left: number, room: number}[]} heads the output's room is changed in place
 * @param {Arrangement} at
 * @param {(text: string) => number} wide pixels of a title
 */
function keepSizes(titles, offered, heads, at, wide) {
  if (titles[1].holds.includes("sizes")) return;
  const [first, second] = offered.map((all) => all.find(({ holds }) => holds === "sizes"));
  if (!first || !second) return;
  const end = Math.max(at.input.left + at.input.width, heads[0].left + wide(first.text)) + BESIDE_TITLE * at.scale;
  const room = at.width - end;
  if (wide(second.text) >= room / smallest(second)) return;
  titles.splice(0, 2, first, second);
  heads[1].room = room;
}

/**
 * Where the titles of a side's tensors stand: left end, lower edge, and how wide they may be.
 * @param {import("./data.js").Side} side
 * @param {import("./arrange.js").Box} box
 * @param {Arrangement} at
 * @param {number} end where what is beside the side begins
 */
export function headsOf(side, box, at, end) {
  const corner = (/** @type {Placed} */ { x, y }) => ({ left: box.left + x * at.cellWidth, top: box.top + y * at.cell });
  return side.tensors.map((tensor) => {
    const { left, top } = corner(tensor);
    // close to its own tensor, and not into the one above
    const up = tensor.y ? Math.min(UP * at.scale, side.air * at.cell - 26 * at.scale) : at.head - 26 * at.scale;
    const beside = side.tensors.filter(({ x, y }) => x > tensor.x && y === tensor.y).map((t) => corner(t).left - BESIDE_TITLE);
    return { left, bottom: top - up, room: Math.min(end, ...beside) - left };
  });
}

/**
 * The letter of its color over every plane that is tinted, before its title if that has room.
 * @param {any} trace
 * @param {number} room above every plane
 * @param {number} scale
 */
function nameChannels(trace, room, scale) {
  const { letters = [], visible } = trace;
  trace.customdata ??= trace.text;
  const named = letters.some(Boolean);
  trace.text = trace.customdata.map((/** @type {string} */ text, /** @type {number} */ k) =>
    [letters[k], visible || !named ? text : ""].filter(Boolean).join(" "));
  if (visible || !named || room < 12 * scale) return;
  trace.visible = true;
  trace.textfont.size = 11 * scale;
}

/**
 * A plane's title or indices, off its edge by a few pixels, if there is room between planes.
 * @param {any} trace
 * @param {Arrangement} at
 * @param {import("./arrange.js").Box} box of the side
 * @param {{room: number, titled: boolean, single: boolean}} above every plane: pixels, whether there are
 *   titles, above the indices, and whether every tensor is one plane, whose title says less than its indices
 * @param {Palette} palette
 * @param {string} font
 * @returns {boolean} whether there is room for a title: indices alone leave none
 */
function placeText(trace, at, box, { room, titled, single }, palette, font) {
  trace.meta ??= { x: trace.x, y: trace.y };
  const title = trace.name === "title";
  const { scale } = at;
  let size = Math.min((title ? 12.5 : 11) * scale, Math.max(SMALLEST_INDEX * scale, at.cell * (title ? 0.62 : 0.5)));
  if (title) size = Math.min(size, roomBeside(trace, at, box) / (longestOf(trace.text) * PLANE_LETTER));
  const both = room >= INDEXED_ROOM * scale;
  const indices = at.cell >= INDEXED_CELL * scale && (both || ((single || !titled) && room >= LEAST_OVER_INDICES * scale));
  trace.visible = title ? room >= 18 * scale && size >= SMALLEST_INDEX && (both || !indices) : indices;
  const up = title ? (indices ? 18 : TITLE_UP) : trace.name === "columns" ? 9 : 0;
  const left = trace.name === "rows" ? 10 : 0;
  trace.y = trace.meta.y.map((/** @type {number} */ y) => y - up * scale / at.cell);
  trace.x = trace.meta.x.map((/** @type {number} */ x) => x - left * scale / at.cellWidth);
  trace.textfont = { size, color: palette.line, family: font };
  return both || !indices;
}

/**
 * How far it is from a plane's title to the next one, or to the stage's edge, in pixels.
 * @param {any} trace
 * @param {Arrangement} at
 * @param {import("./arrange.js").Box} box
 */
function roomBeside(trace, at, box) {
  const lefts = [...new Set(/** @type {number[]} */ (trace.meta.x))].sort((a, b) => a - b);
  const steps = lefts.slice(1).map((left, i) => (left - lefts[i]) * at.cellWidth);
  const last = at.width - box.left - lefts[lefts.length - 1] * at.cellWidth;
  return Math.min(last, ...steps);
}

/** @param {string[]} texts */
function longestOf(texts) {
  return Math.max(...texts.map((text) => text.length));
}

/** @param {number} value */
function unit(value) {
  return Math.min(1, Math.max(0, value));
}
