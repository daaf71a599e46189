import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { flightOf } = await load("flight");

/** A row of three cells and, far to the right, its copies in one row. */
function board(source, groups, more = {}) {
  const n = source.length;
  return {
    input: { x: [0, 10, 20], y: [0, 0, 0], w: 10, h: 10 },
    output: { x: Array.from({ length: n }, (_n, i) => 100 + 10 * i), y: new Array(n).fill(5), w: 10, h: 10 },
    source: Int32Array.from(source),
    moves: { via: null, groups },
    followed: null,
    drivers: null,
    driverLength: 1,
    ...more,
  };
}

test("cells that move alike are one piece", () => {
  const { pieces, sources, step } = flightOf(board([0, 1, 2, 0, 1, 2], [[0, 1, 2], [3, 4, 5]]), 1);
  assert.equal(step, 1);
  assert.deepEqual(sources, [0, 1, 2]);
  assert.equal(pieces.length, 1);
  const [piece] = pieces;
  assert.deepEqual([piece.cells, piece.dx, piece.dy], [[3, 4, 5], 130, 5]);
  assert.deepEqual([piece.fromX, piece.fromY], [[0, 10, 20], [0, 0, 0]]);
  assert.deepEqual([piece.grows, piece.faint, piece.trail, piece.images], [false, false, false, null]);
});

test("cells that move differently are pieces of their own", () => {
  const { pieces, sources } = flightOf(board([2, 1, 0], [[0, 1, 2]]), 0);
  assert.deepEqual(pieces.map(({ cells, dx }) => [cells, dx]), [[[0], 80], [[1], 100], [[2], 120]]);
  assert.deepEqual(new Set(sources), new Set([0, 1, 2]));
});

test("a source that is copied twice is named once", () => {
  assert.deepEqual(flightOf(board([1, 1, 1], [[0, 1, 2]]), 0).sources, [1]);
});

test("padding values grow where they are", () => {
  const { pieces, sources } = flightOf(board([-1, 0, -1], [[0, 1, 2]]), 0);
  const growing = pieces.find(({ grows }) => grows);
  assert.deepEqual([growing.cells, growing.dx, growing.dy], [[0, 2], 0, 0]);
  assert.deepEqual(growing.fromX, [100, 120]);
  assert.deepEqual(sources, [0]);
});

test("what passes on from the output starts there", () => {
  const via = Int32Array.of(-1, -1, -1, 1);
  const { pieces, sources } = flightOf(board([0, 1, 2, 1], [[0, 1, 2], [3]], { moves: { via, groups: [[0, 1, 2], [3]] } }), 1);
  assert.deepEqual([pieces[0].fromX, pieces[0].dx, pieces[0].dy], [[110], 20, 0]);
  assert.deepEqual(sources, [], "no cell of the input is framed");
});

test("followed elements have a trail, the others are faint", () => {
  const { pieces } = flightOf(board([0, 1, 2], [[0, 1, 2]], { followed: new Set([1]) }), 0);
  assert.deepEqual(pieces.map(({ cells, faint, trail }) => [cells, faint, trail]), [
    [[0, 2], true, false], [[1], false, true],
  ]);
});

test("what chose the elements is named with their sources", () => {
  const { sources } = flightOf(board([0, 1], [[0, 1]], { drivers: Int32Array.of(2, -1) }), 0);
  assert.deepEqual(new Set(sources), new Set([0, 1, 2]));
  const tuple = flightOf(board([0, 1], [[0, 1]], { drivers: Int32Array.of(2, -1), driverLength: 2 }), 0);
  assert.deepEqual(new Set(tuple.sources), new Set([0, 1, 2, 3]));
});
