import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { runsOf } = await load("marks");
// two rows of three, then one cell a gap further to the right
const at = { x: [0, 10, 20, 0, 10, 20, 39], y: [0, 0, 0, 12, 12, 12, 12], w: 10, h: 12 };

test("cells side by side are one run, rows and gaps end it", () => {
  assert.deepEqual(runsOf(at, () => true), [[0, 2], [3, 5], [6, 6]]);
});

test("a cell that is not wanted ends a run", () => {
  assert.deepEqual(runsOf(at, (i) => i !== 1), [[0, 0], [2, 2], [3, 5], [6, 6]]);
  assert.deepEqual(runsOf(at, () => false), []);
  assert.deepEqual(runsOf(at, (i) => i === 2 || i === 3), [[2, 2], [3, 3]]);
});

test("fractions of a pixel are no gap", () => {
  const near = { x: [0.5, 10.54, 20.51], y: [3, 3, 3], w: 10, h: 10 };
  assert.deepEqual(runsOf(near, () => true), [[0, 2]]);
});
