import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { linesAt, piecesOf, rulers } = await load("rulers");

/** Two planes of two rows and three columns side by side, behind two cells of another tensor. */
const tensor = { sizes: [2, 2, 3], first: 2 };
const at = {
  x: [0, 0, ...[0, 10, 20, 0, 10, 20], ...[100, 110, 120, 100, 110, 120]],
  y: [0, 0, ...[50, 50, 50, 60, 60, 60], ...[50, 50, 50, 60, 60, 60]],
  w: 10,
  h: 10,
};

test("a place along the last dimension is a line down through every plane", () => {
  assert.deepEqual(linesAt(at, tensor, 2, 1.25), [[12.5, 50, 12.5, 70], [112.5, 50, 112.5, 70]]);
});

test("a place along the one before it is a line across", () => {
  assert.deepEqual(linesAt(at, tensor, 1, 0.5), [[0, 55, 30, 55], [100, 55, 130, 55]]);
});

test("what lies beyond an edge is marked at the edge", () => {
  assert.deepEqual(linesAt(at, tensor, 2, -4)[0], [0, 50, 0, 70]);
  assert.deepEqual(linesAt(at, tensor, 2, 7)[0], [30, 50, 30, 70]);
  assert.deepEqual(linesAt(at, tensor, 1, 2)[1], [100, 70, 130, 70]);
});

test("an outer dimension has no line, a row has one", () => {
  assert.deepEqual(linesAt(at, tensor, 0, 1), []);
  assert.deepEqual(linesAt(at, { sizes: [2], first: 0 }, 0, 0.5), [[5, 0, 5, 10]]);
});

test("large cells have the place in figures, small ones have not", () => {
  const drawn = (/** @type {number} */ h) => {
    /** @type {string[]} */
    const told = [];
    const g = new Proxy({}, {
      get: (_set, name) => (name === "fillText" ? (/** @type {string} */ text) => told.push(text) : () => {}),
      set: () => true,
    });
    const side = { ...at, w: h, h };
    const board = { input: side, output: side, scale: 1, palette: {}, font: "serif", fontSize: h * 0.46,
      inputLabels: Array(14).fill("8"), labels: [], tensors: { input: [tensor], output: [] } };
    rulers(g, board, [["input", 0, 2, 1 / 3]]);
    return told;
  };
  assert.deepEqual(drawn(40), ["0.333", "0.333"]);
  assert.deepEqual(drawn(20), []);
});

test("a line leaves numbers alone", () => {
  const numbers = [{ left: 2, top: 3, width: 6, height: 4 }, { left: 2, top: 13, width: 6, height: 4 }];
  assert.deepEqual(piecesOf([5, 0, 5, 20], numbers), [[5, 0, 5, 3], [5, 7, 5, 13], [5, 17, 5, 20]]);
  assert.deepEqual(piecesOf([10, 0, 10, 20], numbers), [[10, 0, 10, 20]]);
  assert.deepEqual(piecesOf([0, 5, 30, 5], numbers), [[0, 5, 1, 5], [9, 5, 30, 5]]);
  assert.deepEqual(piecesOf([0, 10, 30, 10], numbers), [[0, 10, 30, 10]]);
});
