// @ts-check
/** Places on a ruler along a tensor's dimension, marked across its planes: between two cells as well as in one. */

/**
 * @typedef {import("./data.js").Placed} Placed
 * @typedef {import("./data.js").Point} Point
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./painter.js").Pixels} Pixels
 * @typedef {[number, number, number, number]} Line  from x, y to x, y
 */

const MOST_PLANES = 64;
/** A cell lower than this has no room for a number beside its own. */
const NUMBERED = 34;

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
  return Array.from({ length: Math.min(planes, MOST_PLANES) }, (_plane, p) => {
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
    const text = String(Math.round(place * 1000) / 1000);
    for (const line of linesAt(at, board.tensors[side][number], d, place)) {
      through(g, board, line, Math.min(at.w, at.h));
      if (at.h >= NUMBERED * board.scale) numbered(g, board, line, text, at.w);
    }
  }
}

/**
 * A line with an arrow head inside each end.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Board} board
 * @param {Line} line
 * @param {number} cell
 */
function through(g, { palette, scale }, [x1, y1, x2, y2], cell) {
  const reach = Math.min(7 * scale, cell / 3);
  const upright = x1 === x2;
  g.strokeStyle = palette.accent;
  g.fillStyle = palette.accent;
  g.lineWidth = 1.5 * scale;
  g.globalAlpha = 0.45;
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
  g.globalAlpha = 1;
  for (const [x, y, way] of /** @type {Line[]} */ ([[x1, y1, 1, 0], [x2, y2, -1, 0]])) {
    g.beginPath();
    g.moveTo(upright ? x - reach * 0.7 : x, upright ? y : y - reach * 0.7);
    g.lineTo(upright ? x + reach * 0.7 : x, upright ? y : y + reach * 0.7);
    g.lineTo(upright ? x : x + way * reach, upright ? y + way * reach : y);
    g.fill();
  }
}

/**
 * The place in figures, near the line's end, beside the cells' own numbers.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Board} board
 * @param {Line} line
 * @param {string} text
 * @param {number} cell
 */
function numbered(g, { palette, scale, font }, [x1, , x2, y2], text, cell) {
  const size = 11 * scale;
  const upright = x1 === x2;
  g.font = `600 ${size}px ${font}`;
  const wide = text.length * size * 0.62 + 4 * scale;
  const across = x2 - x1 > cell * 1.5 ? x2 - cell - wide / 2 : x2 - wide - 8 * scale;
  const left = upright ? x2 + 3 * scale : across;
  const top = y2 - size - 4 * scale;
  g.fillStyle = palette.paper;
  g.globalAlpha = 0.85;
  g.fillRect(left, top, wide, size + 3 * scale);
  g.globalAlpha = 1;
  g.fillStyle = palette.accent;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, left + wide / 2, top + size * 0.62);
}
