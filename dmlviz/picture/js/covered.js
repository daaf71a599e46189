// @ts-check
/** Cells that a later step covers; they are drawn as separate cells. */

/**
 * @typedef {import("./painter.js").Board} Board
 * @typedef {import("./painter.js").Pixels} Pixels
 */

/**
 * A board with the cells that are covered later behind the output's own.
 * @param {Board} board
 * @returns {Board}
 */
export function withCovered(board) {
  const { covers = new Int32Array(0), before = new Int32Array(0) } = board.moves;
  if (!covers.length) return board;
  const { output, source, drivers, labels, inputLabels } = board;
  const nothing = new Int32Array(covers.length).fill(-1);
  return {
    ...board,
    covers,
    output: { ...output, x: longer(output.x, covers), y: longer(output.y, covers) },
    source: joined(source, before),
    drivers: drivers && joined(drivers, nothing),
    labels: [...labels, ...Array.from(before, (i) => inputLabels[i])],
  };
}

/**
 * @param {ArrayLike<number>} places
 * @param {Int32Array} covers
 */
function longer(places, covers) {
  return Float64Array.from([...Array.from(places), ...Array.from(covers, (i) => places[i])]);
}

/**
 * @param {Int32Array} first
 * @param {Int32Array} second
 */
function joined(first, second) {
  const both = new Int32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
