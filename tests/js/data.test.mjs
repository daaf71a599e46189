import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { cellsOf, colorAt, unpack } = await load("data");
const pack = (array, dtype) => ({ dtype, bdata: Buffer.from(array.buffer).toString("base64") });

test("every type of array that Python packs", () => {
  for (const [dtype, array] of [
    ["u1", Uint8Array.of(0, 255)], ["u2", Uint16Array.of(1, 65535)], ["u4", Uint32Array.of(7)],
    ["i1", Int8Array.of(-128)], ["i2", Int16Array.of(-2, 3)], ["i4", Int32Array.of(-1, 2 ** 30)],
    ["f4", Float32Array.of(0.5, NaN)], ["f8", Float64Array.of(1e300)],
  ]) {
    assert.deepEqual(unpack(pack(array, dtype)), array);
  }
  assert.equal(unpack({ dtype: "i4", bdata: "" }).length, 0);
});

test("cells of a matrix, row by row", () => {
  const cells = cellsOf({ sizes: [2, 3], axes: [[2, 1, 0, 1], [3, 3, 1, 0]], width: 3, height: 2 });
  assert.deepEqual([...cells.x], [0, 1, 2, 0, 1, 2]);
  assert.deepEqual([...cells.y], [0, 0, 0, 1, 1, 1]);
  assert.deepEqual([cells.width, cells.height], [3, 2]);
});

test("an axis wraps", () => {
  const cells = cellsOf({ sizes: [5], axes: [[5, 2, 1, 1.5]], width: 2, height: 4 });
  assert.deepEqual([...cells.x], [0, 1, 0, 1, 0]);
  assert.deepEqual([...cells.y], [0, 0, 1.5, 1.5, 3]);
});

const scale = [[0, "#000000"], [0.5, "#ff0000"], [1, "#ff00c8"]];

test("colours at the stops, between them, and beyond", () => {
  assert.equal(colorAt(scale, 0), "rgb(0,0,0)");
  assert.equal(colorAt(scale, 0.25), "rgb(128,0,0)");
  assert.equal(colorAt(scale, 0.5), "rgb(255,0,0)");
  assert.equal(colorAt(scale, 0.75), "rgb(255,0,100)");
  assert.equal(colorAt(scale, 1), "rgb(255,0,200)");
  assert.equal(colorAt(scale, -1), "rgb(0,0,0)");
  assert.equal(colorAt(scale, 2), "rgb(255,0,200)");
});
