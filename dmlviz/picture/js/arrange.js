// @ts-check
/** Arranges the two tensors on a canvas of a given width, in CSS pixels. */

import MEASURES from "./measures.json" with { type: "json" };

const { stage: STAGE, cells: CELLS, numbers: NUMBERS } = MEASURES;
const FOOT = 4;
const LEAST = 2;
/** Pixels of the smallest cell where cells are a picture: in all of a board, or in so many rows. */
const DOT = 1;
const PICTURE_ROWS = 100;
/** Cells that no window holds with numbers in them. */
const MANY_CELLS = 2_000;
/** Browsers draw no picture with more pixels down than these. */
const TALLEST = 32_000;
/** Pixels of the smallest cell that has indices. */
export const INDEXED_CELL = 16;
/** What stands around a tensor, and between the two; the largest cell; pixels of it beside its number. */
const FRAME = { head: 72, left: STAGE.left, right: STAGE.right, between: 48, stretch: 1, most: Infinity, beside: 4 };
const FRAME_NARROW = { ...FRAME, left: STAGE.narrowLeft, between: STAGE.narrowBetween };
/** For a room, where everything is larger, what stands between the two is not. */
const FRAME_WALL = { ...FRAME, between: STAGE.left };
/** On a phone without room for indices: a title, and under it the titles of planes. */
const FRAME_LOW = { ...FRAME_NARROW, head: 44 };
/** The same with wider cells, for longer numbers. */
const FRAME_LONG = { ...FRAME_LOW, stretch: CELLS.widest };
/** Long rows from edge to edge: no index of a row stands before such small cells. */
const FRAME_EDGE = { ...FRAME_LOW, left: STAGE.right, most: INDEXED_CELL - 1, beside: 2 };
/** Pixels above a plane that its title and its indices take. */
export const INDEXED_ROOM = 32;
/** Pixels of a title above what else stands over a tensor. */
const TITLE = 26;
/** Pixels of the smallest cell before a stage is scrolled, of those of a phone's picture, and of the largest ones. */
const SMALLEST_CELL = 10;
const SMALLEST_SEEN = 5;
const LARGEST_CELL_FULL = 120;
const LARGEST_CELL_BARE = 44;
/** Cells alone, without titles and indices. */
const FRAME_BARE = { ...FRAME, head: 6, left: 4, right: 4, between: 28 };
/** The approximate width of a title's letter. */
export const LETTER = 8.2;

/**
 * @typedef {{left: number, top: number, width: number, height: number}} Box
 * @typedef {{width: number, height: number, cell: number, cellWidth: number, font: number,
 *            input: Box, output: Box, stacked: boolean, head: number,
 *            gap: number, scale: number,
 *            margin: {left: number, top: number, right: number, bottom: number}, screens?: number, legible?: number}} Arrangement
 *   screens: what many cells take of the stage to be seen; legible: as of {@link legibility}
 * @typedef {{width: number, height: number, title?: number} & Partial<import("./data.js").Side>} Extent  in cells; title: its letters
 */

/**
 * Side by side if there is room, else one below the other; cells are as large as fit.
 * @param {number} width pixels across
 * @param {number} tall pixels down that are pleasant to have
 * @param {Extent} input nothing if there are no inputs
 * @param {Extent} output
 * @param {number} letters the longest label
 * @param {number} [most] the largest cell
 * @param {boolean} [whole] nothing may be cut off, and the largest cells win
 * @param {typeof FRAME} [frame]
 * @returns {Arrangement}
 */
export function arrange(width, tall, input, output, letters, most = CELLS.most, whole = false, frame = FRAME) {
  const { head, left, right } = frame;
  // without inputs, the output stands alone
  const alone = !input.width;
  const between = alone ? 0 : frame.between;
  const margins = between + (alone ? 1 : 2) * (left + right);
  // long numbers get wider cells, not smaller print
  const stretch = Math.min(CELLS.widest, Math.max(frame.stretch, 1 + (letters - CELLS.letters) * CELLS.perLetter));
  const acrossBoth = (width - margins) / ((input.width + output.width) * stretch);
  const rows = alone ? output.height : Math.min(input.height, output.height);
  const least = whole || rows > PICTURE_ROWS ? DOT : LEAST;
  const high = Math.max(input.height, output.height);
  const beside = cellFor(acrossBoth, (tall - head - FOOT) / high, Math.min(most, TALLEST / high), whole, least);
  const below = cellFor(
    (width - left - right) / (Math.max(input.width, output.width) * stretch),
    (tall * (whole ? 1 : STAGE.stackedLonger) - 2 * head - 2 * FOOT) / (input.height + output.height),
    Math.min(most, TALLEST / (input.height + output.height)),
    whole,
    least,
  );
  // wide screens put input and output side by side, unless that halves the cells
  const much = whole ? 1
    : width < STAGE.narrow ? STAGE.stackedWhenNarrow
    : width < STAGE.middle ? STAGE.stackedWhenMiddle : STAGE.stackedWhenWide;
  const stacked = !alone && (below > beside * much || acrossBoth < least);
  const cell = stacked ? below : beside;
  const cellWidth = cell * stretch;
  const size = (/** @type {Extent} */ e) => ({ width: e.width * cellWidth, height: e.height * cell });
  const a = size(input);
  const b = size(output);
  const font = fontFor(cell, cellWidth, letters);
  const shared = {
    cell, cellWidth, font, stacked, head, scale: 1,
    margin: { left, top: Math.max(0, head - 30), right, bottom: FOOT },
    gap: cell > CELLS.wideGapAbove ? 2 : cell > CELLS.gapAbove ? 1 : 0,
  };
  const titled = [Math.max(a.width, (input.title ?? 0) * LETTER), Math.max(b.width, (output.title ?? 0) * LETTER)];
  if (stacked) {
    // both begin at the same line, so that columns of the same number stand below each other
    const start = left + Math.max(0, (width - left - right - Math.max(...titled)) / 2);
    const second = head + a.height + FOOT + head;
    return {
      // what is too long even in the smallest cells is scrolled to
      ...shared, width: Math.max(width, left + Math.max(a.width, b.width) + right), height: second + b.height + FOOT,
      input: { left: start, top: head, ...a },
      output: { left: start, top: second, ...b },
    };
  }
  // titles that are wider than their tensors get room if there is any
  const [room, other] = titled[0] + titled[1] + margins <= width ? titled : [a.width, b.width];
  const used = room + other + margins;
  const start = Math.max(0, (width - used) / 2) + left;
  return {
    ...shared, width: Math.max(width, used), height: head + Math.max(a.height, b.height) + FOOT,
    input: { left: start, top: head, ...a },
    output: { left: alone ? start : start + room + right + between + left, top: head, ...b },
  };
}

/**
 * For a page: all of both sides, unless their cells would be too small to point at; then the stage
 * is scrolled. Many cells are a picture, which is seen at once, or by scrolling
 * once, if it can be.  A phone has no room to give away: its cells are without indices, and wider,
 * rather than without numbers, and without numbers rather than scrolled.
 * @param {number} width
 * @param {number} tall
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters
 * @param {number} zoom
 * @param {boolean} full the whole screen
 * @param {number} [share] of a cell's height that its number takes at most, rather than none
 * @returns {Arrangement}
 */
export function arrangeFitting(width, tall, input, output, letters, zoom, full, share) {
  const most = (full ? LARGEST_CELL_FULL : Math.min(CELLS.largest, Math.max(CELLS.most, tall / 7))) * zoom;
  const ways = (cramped(width, tall) ? [FRAME_NARROW, FRAME_LOW, FRAME_LONG, FRAME_EDGE] : [FRAME]).map((frame) => {
    const at = fitting(width, tall, input, output, letters, zoom, Math.min(most, frame.most), frame);
    const font = at.font || fontFor(at.cell, at.cellWidth, letters, share, frame.beside);
    return { ...at, font, legible: legibility({ ...at, font }, width, tall) };
  });
  // no room is kept for indices that are not written
  if (ways.length > 1 && !indexed(ways[0], [input, output])) ways.shift();
  return ways.reduce((best, at) => (at.legible > best.legible ? at : best));
}

/**
 * How much of a picture can be read without scrolling: 3 all of it, with its numbers; on a phone
 * up to 2 all of it, more in larger cells, 1 numbers of a part; 0 less.
 * @param {Arrangement} at
 * @param {number} width
 * @param {number} tall
 */
function legibility({ cell, font, ...at }, width, tall) {
  const whole = at.width <= width && at.height <= tall;
  if (whole && font) return 3;
  if (!cramped(width, tall)) return 0;
  return whole ? 1 + Math.min(1, cell / SMALLEST_CELL) : font ? 1 : 0;
}

/**
 * Whether a stage is as small as on a phone, upright or on its side.
 * @param {number} width
 * @param {number} tall
 */
function cramped(width, tall) {
  return width < STAGE.narrow || tall < STAGE.low;
}

/**
 * Whether there is room for indices above every plane, below its title.
 * @param {Arrangement} at
 * @param {Extent[]} sides
 */
function indexed(at, sides) {
  const room = (/** @type {Extent} */ side) => roomOver(at, /** @type {import("./data.js").Side} */ (side));
  return at.cell >= INDEXED_CELL && sides.every((side) => !side.tensors || room(side) >= INDEXED_ROOM);
}

/**
 * @param {number} width
 * @param {number} tall
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters
 * @param {number} zoom
 * @param {number} most
 * @param {typeof FRAME} frame
 * @returns {Arrangement}
 */
function fitting(width, tall, input, output, letters, zoom, most, frame) {
  const way = (/** @type {boolean} */ whole, screens = 1) =>
    arrange(width * Math.max(1, zoom), tall * zoom * screens, input, output, letters, most, whole, frame);
  const all = way(true);
  if (all.cell >= (cramped(width, tall) ? SMALLEST_SEEN : SMALLEST_CELL) || zoom > 1) return all;
  const many = Math.max(input.width * input.height, output.width * output.height) >= MANY_CELLS;
  for (const screens of many ? [1, 2] : []) {
    const at = way(true, screens);
    if (at.height <= tall * zoom * screens && at.width <= width) return { ...at, screens };
  }
  return way(false);
}

/**
 * For a card: all cells, as large as fit.
 * @param {number} width
 * @param {number} tall
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters
 * @returns {Arrangement}
 */
export function arrangeBare(width, tall, input, output, letters) {
  const [a, b] = [input, output].map((side) => ({ width: side.width, height: side.height }));
  return arrange(width, tall, a, b, letters, LARGEST_CELL_BARE, true, FRAME_BARE);
}

/**
 * For a room: titles, indices and margins larger too, numbers that fill more of their cells.
 * @param {number} width
 * @param {{tall: number, most: number, scale: number, share: number}} wall
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters
 * @returns {Arrangement}
 */
export function arrangeWall(width, { tall, most, scale, share }, input, output, letters) {
  const at = arrange(width / scale, tall / scale, input, output, letters, most / scale, true, FRAME_WALL);
  const times = (/** @type {number} */ v) => v * scale;
  const box = (/** @type {Box} */ b) => ({
    left: times(b.left), top: times(b.top), width: times(b.width), height: times(b.height),
  });
  const { left, top, right, bottom } = at.margin;
  return {
    ...at, scale, width: Math.max(width, Math.round(times(at.width))), height: times(at.height),
    cell: times(at.cell), cellWidth: times(at.cellWidth),
    head: times(at.head), input: box(at.input), output: box(at.output),
    margin: { left: times(left), top: times(top), right: times(right), bottom: times(bottom) },
    font: fontFor(times(at.cell), times(at.cellWidth), letters, share),
  };
}

/**
 * What there is above every plane of a side for its title and indices.
 * @param {Arrangement} at
 * @param {import("./data.js").Side} side
 * @returns {number}
 */
export function roomOver(at, side) {
  const { rowGap, air } = side;
  // between two tensors the lower one's own title stands, too
  const between = air ? air * at.cell - 28 * at.scale : Infinity;
  return Math.min(isSingle(side) ? Infinity : rowGap * at.cell, at.head - TITLE * at.scale, between);
}

/** Whether every tensor of a side is one plane. @param {import("./data.js").Side} side */
export function isSingle({ tensors, several }) {
  return !several && tensors.every(({ sizes }) => sizes.slice(0, -2).every((n) => n === 1));
}

/**
 * The size of the numbers in the cells; 0 if they would be too small to read.
 * @param {number} cell
 * @param {number} cellWidth
 * @param {number} letters
 * @param {number} [share] of the cell's height
 * @param {number} [beside] pixels of the cell's width
 * @returns {number}
 */
export function fontFor(cell, cellWidth, letters, share = NUMBERS.share, beside = FRAME.beside) {
  const font = Math.min(cell * share, (cellWidth - beside) / (Math.max(2, letters) * NUMBERS.digit), NUMBERS.largest);
  return font < NUMBERS.readable ? 0 : Math.floor(font * 2) / 2;
}

/**
 * @param {number} across
 * @param {number} down
 * @param {number} most
 * @param {boolean} whole
 * @param {number} least
 * @returns {number}
 */
function cellFor(across, down, most, whole, least) {
  // a tall tensor may run off the bottom before its cells get small
  const cell = Math.min(most, across, whole ? down : Math.max(down, Math.min(across, 17)));
  return Math.max(least, cell);
}

/**
 * A tensor's cells as large as they fit into a box, in its upper left corner.
 * @param {Box} box
 * @param {import("./data.js").Tensor} tensor
 * @param {import("./data.js").Cells} cells
 * @param {number} most the largest cell
 * @returns {{x: Float64Array, y: Float64Array, w: number, h: number}}
 */
export function fitInto(box, tensor, cells, most) {
  const side = Math.min(most, box.width / tensor.width, box.height / tensor.height);
  return { x: cells.x.map((v) => box.left + v * side), y: cells.y.map((v) => box.top + v * side), w: side, h: side };
}
