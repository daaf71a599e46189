// @ts-check
/** Places on a ruler along a tensor's dimension, marked across its planes: between two cells as well as in one. */

import MEASURES from "./measures.json" with { type: "json" };
import { numberBox } from "./texts.js";

/**
 * @typedef {import("./data.js").Placed} Placed
 * @typedef {import("./data.js").Point} Point
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./painter.js").Pixels} Pixels
 * @typedef {[number, number, number, number]} Line  from x, y to x, y
 */

const RULERS = MEASURES.rulers;

/**
 * A line through every plane at a place of one of the last two dimensions; none where it is an outer one.
 * @param {Pixels} at
 * @param {Pick<Placed, "sizes" | "first">} tensor
 * @param {number} d
 * @param {number} place 0 is the start of the first cell, 1 its end
 * @returns {Line[]}
 */
export function linesAt(at, { sizes, first }, d, place) {
  const columns = sizes[sizes.length - 1];
  const rows = sizes.length > 1 ? sizes[sizes.length - 2] : 1;
  const upright = d === sizes.length - 1;
  if (!upright && d !== sizes.length - 2) return [];
  const count = upright ? columns : rows;
  const inside = Math.min(Math.max(place, 0), count);
  const cell = Math.min(Math.floor(inside), count - 1);
  const planes = sizes.slice(0, -2).reduce((product, n) => product * n, 1);
  return Array.from({ length: Math.min(planes, RULERS.planes) }, (_plane, p) => {
    const start = first + p * rows * columns + cell * (upright ? 1 : columns);
    const end = start + (upright ? (rows - 1) * columns : columns - 1);
    const x = at.x[start] + (upright ? (inside - cell) * at.w : 0);
    const y = at.y[start] + (upright ? 0 : (inside - cell) * at.h);
    return upright ? [x, y, x, at.y[end] + at.h] : [x, y, at.x[end] + at.w, y];
  });
}

/**
 * The places of a step, on both sides.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Board} board
 * @param {Point[]} points
 */
export function rulers(g, board, points) {
  for (const [side, number, d, place] of points) {
    const at = board[side];
    const tensor = board.tensors[side][number];
    const text = String(Math.round(place * 1000) / 1000);
    const numbers = cellNumbers(board, side, tensor);
    // a cell's number has its middle, the place has what remains above or below
    const size = Math.min(RULERS.size * board.scale, at.h / 2 - RULERS.fromNumber * board.fontSize - RULERS.beside * board.scale);
    for (const line of linesAt(at, tensor, d, place)) {
      through(g, board, line, Math.min(at.w, at.h), numbers);
      if (size >= RULERS.smallest * board.scale) numbered(g, board, line, text, at, intoRow(tensor, place), size);
    }
  }
}

/**
 * Where a tensor's numbers stand.
 * @param {import("./painter.js").Board} board
 * @param {"input" | "output"} side
 * @param {Placed} tensor
 */
function cellNumbers({ input, output, inputLabels, labels, fontSize }, side, { first, sizes }) {
  if (!fontSize) return [];
  const [at, texts] = side === "input" ? [input, inputLabels] : [output, labels];
  const count = sizes.reduce((product, n) => product * n, 1);
  return Array.from({ length: count }, (_cell, i) => numberBox(at, first + i, texts[first + i], fontSize));
}

/**
 * How far into its row a place of the second to last dimension lies, from 0 to 1.
 * @param {Pick<Placed, "sizes">} tensor
 * @param {number} place
 */
function intoRow({ sizes }, place) {
  const inside = Math.min(Math.max(place, 0), sizes[sizes.length - 2]);
  return inside - Math.min(Math.floor(inside), sizes[sizes.length - 2] - 1);
}

/**
 * What is left of a line between numbers.
 * @param {Line} line
 * @param {import("./arrange.js").Box[]} numbers
 * @returns {Line[]}
 */
export function piecesOf([x1, y1, x2, y2], numbers) {
  const upright = x1 === x2;
  const met = numbers
    .filter(({ left, top, width, height }) => upright
      ? x1 > left - 1 && x1 < left + width + 1 && top < y2 && top + height > y1
      : y1 > top - 1 && y1 < top + height + 1 && left < x2 && left + width > x1)
    .map(({ left, top, width, height }) => (upright ? [top, top + height] : [left - 1, left + width + 1]))
    .sort(([a], [b]) => a - b);
  const [start, end] = upright ? [y1, y2] : [x1, x2];
  const ends = [start, ...met.flat(), end];
  return Array.from({ length: ends.length / 2 }, (_part, i) => [ends[2 * i], ends[2 * i + 1]])
    .filter(([a, b]) => b > a)
    .map(([a, b]) => (upright ? [x1, a, x1, b] : [a, y1, b, y1]));
}

/**
 * A line that leaves numbers alone, with an arrow head inside each end.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Board} board
 * @param {Line} line
 * @param {number} cell
 * @param {import("./arrange.js").Box[]} numbers
 */
function through(g, { palette, scale }, [x1, y1, x2, y2], cell, numbers) {
  const reach = Math.min(RULERS.head * scale, cell / RULERS.headsPerCell);
  const half = reach * RULERS.headHalf;
  const upright = x1 === x2;
  g.strokeStyle = palette.accent;
  g.fillStyle = palette.accent;
  g.lineWidth = RULERS.thick * scale;
  g.globalAlpha = RULERS.opacity;
  g.beginPath();
  for (const [x, y, u, v] of piecesOf([x1, y1, x2, y2], numbers)) {
    g.moveTo(x, y);
    g.lineTo(u, v);
  }
  g.stroke();
  g.globalAlpha = 1;
  for (const [x, y, way] of /** @type {Line[]} */ ([[x1, y1, 1, 0], [x2, y2, -1, 0]])) {
    g.beginPath();
    g.moveTo(upright ? x - half : x, upright ? y : y - half);
    g.lineTo(upright ? x + half : x, upright ? y : y + half);
    g.lineTo(upright ? x : x + way * reach, upright ? y + way * reach : y);
    g.fill();
  }
}

/**
 * The place in figures, near the line's end, above or below the cells' own numbers.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Board} board
 * @param {Line} line
 * @param {string} text
 * @param {Pixels} at
 * @param {number} into how far into its row a line across is
 * @param {number} size of the figures
 */
function numbered(g, { palette, scale, font, fontSize }, [x1, , x2, y2], text, { w, h }, into, size) {
  const upright = x1 === x2;
  g.font = `600 ${size}px ${font}`;
  const wide = text.length * size * 0.62 + RULERS.wider * scale;
  const across = x2 - x1 > w * 1.5 ? x2 - w - wide / 2 : x2 - wide - RULERS.before * scale;
  const left = upright ? x2 + RULERS.beside * scale : across;
  const high = size + RULERS.higher * scale;
  // across, in its own row: between the row's edge and the numbers
  const middle = y2 + (0.5 - into) * h;
  const fromNumber = RULERS.fromNumber * fontSize;
  const above = Math.max(middle - h / 2, Math.min(y2 - scale, middle - fromNumber) - high);
  const below = Math.min(middle + h / 2 - high, Math.max(y2 + scale, middle + fromNumber));
  const top = upright ? y2 - high - scale : into <= 0.5 ? above : below;
  g.fillStyle = palette.paper;
  g.globalAlpha = RULERS.paper;
  g.fillRect(left, top, wide, high);
  g.globalAlpha = 1;
  g.fillStyle = palette.accent;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, left + wide / 2, top + high / 2 + scale / 2);
}
