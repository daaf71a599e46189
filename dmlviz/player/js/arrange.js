// @ts-check
/** Where the two tensors stand on a canvas of a given width: all in CSS pixels. */

const HEAD = 72;
const LEFT = 28;
const RIGHT = 4;
const FOOT = 4;
const BETWEEN = 48;
const MOST = 58;
const ROW_GAP = 1.35;
const LEAST = 3;
const READABLE = 9;

/**
 * @typedef {{left: number, top: number, width: number, height: number}} Box
 * @typedef {{width: number, height: number, cell: number, cellWidth: number, font: number,
 *            input: Box, output: Box, stacked: boolean, head: number,
 *            single: boolean, rowGap: number, gap: number, scale: number,
 *            margin: {left: number, top: number, right: number, bottom: number}}} Arrangement
 * @typedef {{width: number, height: number}} Extent  in cells
 */

/**
 * Side by side where there is room, else one below the other; cells as large as fit.
 * @param {number} width pixels across
 * @param {number} tall pixels down that are pleasant to have
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters the longest label
 * @param {number} [most] the largest cell
 * @param {boolean} [whole] nothing may be cut off, and the largest cells win
 * @returns {Arrangement}
 */
export function arrange(width, tall, input, output, letters, most = MOST, whole = false) {
  // long numbers get wider cells, not smaller print
  const stretch = Math.min(1.7, Math.max(1, 1 + (letters - 4) * 0.16));
  const beside = cellFor(
    (width - BETWEEN - 2 * (LEFT + RIGHT)) / ((input.width + output.width) * stretch),
    (tall - HEAD - FOOT) / Math.max(input.height, output.height),
    most,
    whole,
  );
  const below = cellFor(
    (width - LEFT - RIGHT) / (Math.max(input.width, output.width) * stretch),
    (tall * (whole ? 1 : 1.25) - 2 * HEAD - 2 * FOOT) / (input.height + output.height),
    most,
    whole,
  );
  // wide screens put input and output side by side, unless that halves the cells
  const stacked = below > beside * (whole ? 1 : width < 560 ? 0.8 : width < 900 ? 1.25 : 2);
  const cell = stacked ? below : beside;
  const cellWidth = cell * stretch;
  const size = (/** @type {Extent} */ e) => ({ width: e.width * cellWidth, height: e.height * cell });
  const a = size(input);
  const b = size(output);
  const font = fontFor(cell, cellWidth, letters);
  const shared = {
    width, cell, cellWidth, font, stacked, head: HEAD, single: false, rowGap: ROW_GAP, scale: 1,
    margin: { left: LEFT, top: HEAD - 30, right: RIGHT, bottom: FOOT },
    gap: cell > 12 ? 2 : cell > 6 ? 1 : 0,
  };
  if (stacked) {
    const left = (/** @type {number} */ w) => LEFT + Math.max(0, (width - LEFT - RIGHT - w) / 2);
    const second = HEAD + a.height + FOOT + HEAD;
    return {
      ...shared, height: second + b.height + FOOT,
      input: { left: left(a.width), top: HEAD, ...a },
      output: { left: left(b.width), top: second, ...b },
    };
  }
  const used = a.width + b.width + BETWEEN + 2 * LEFT + 2 * RIGHT;
  const start = Math.max(0, (width - used) / 2) + LEFT;
  const high = Math.max(a.height, b.height);
  return {
    ...shared, height: HEAD + high + FOOT,
    input: { left: start, top: HEAD, ...a },
    output: { left: start + a.width + RIGHT + BETWEEN + LEFT, top: HEAD, ...b },
  };
}

/**
 * For a room: titles, indices and margins larger too, numbers that fill more of their cells.
 * @param {number} width
 * @param {{tall: number, most: number, scale: number, share: number}} hall
 * @param {Extent} input
 * @param {Extent} output
 * @param {number} letters
 * @returns {Arrangement}
 */
export function arrangeHall(width, { tall, most, scale, share }, input, output, letters) {
  const at = arrange(width / scale, tall / scale, input, output, letters, most / scale, true);
  const times = (/** @type {number} */ v) => v * scale;
  const box = (/** @type {Box} */ b) => ({
    left: times(b.left), top: times(b.top), width: times(b.width), height: times(b.height),
  });
  const { left, top, right, bottom } = at.margin;
  return {
    ...at, scale, width, height: times(at.height), cell: times(at.cell), cellWidth: times(at.cellWidth),
    head: times(at.head), input: box(at.input), output: box(at.output),
    margin: { left: times(left), top: times(top), right: times(right), bottom: times(bottom) },
    font: fontFor(times(at.cell), times(at.cellWidth), letters, share),
  };
}

/**
 * The size of the numbers in the cells, 0 where they would be too small to read.
 * @param {number} cell
 * @param {number} cellWidth
 * @param {number} letters
 * @param {number} [share] of the cell's height
 * @returns {number}
 */
export function fontFor(cell, cellWidth, letters, share = 0.46) {
  const font = Math.min(cell * share, (cellWidth - 4) / (Math.max(2, letters) * 0.6), 64);
  return font < READABLE ? 0 : Math.floor(font * 2) / 2;
}

/**
 * @param {number} across
 * @param {number} down
 * @param {number} most
 * @param {boolean} whole
 * @returns {number}
 */
function cellFor(across, down, most, whole) {
  // a tall tensor may run off the bottom before its cells get small
  const cell = Math.min(most, across, whole ? down : Math.max(down, Math.min(across, 17)));
  return Math.max(LEAST, cell);
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
