import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { cellName, cellsOf, copiesOf, countOf, indexOf, neighbour, unpack } = await load("data");
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
});

test("an axis wraps", () => {
  const cells = cellsOf({ sizes: [5], axes: [[5, 2, 1, 1.5]], width: 2, height: 4 });
  assert.deepEqual([...cells.x], [0, 1, 0, 1, 0]);
  assert.deepEqual([...cells.y], [0, 0, 1.5, 1.5, 3]);
});

test("how many elements there are", () => {
  assert.equal(countOf([2, 3, 5]), 30);
  assert.equal(countOf([7]), 7);
});

test("a flat index and its indices", () => {
  const sizes = [2, 3, 5];
  let flat = 0;
  for (let i = 0; i < 2; i++) for (let j = 0; j < 3; j++) for (let k = 0; k < 5; k++) {
    assert.deepEqual(indexOf(flat++, sizes), [i, j, k]);
  }
  assert.deepEqual(indexOf(0, [1]), [0]);
  assert.deepEqual(indexOf(6, [1, 7, 1]), [0, 6, 0]);
});

test("every copy of an element, in the output's order", () => {
  const copies = copiesOf(Int32Array.of(2, 0, -1, 2, -1, 2, 3), 5);
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => [...copies(i)]), [[1], [], [0, 3, 5], [6], []]);
});

test("an input that nothing came of", () => {
  const copies = copiesOf(Int32Array.of(-1, -1), 2);
  assert.deepEqual([...copies(0), ...copies(1)], []);
});

// two planes of 2 by 3, side by side, 0.9 apart
const planes = cellsOf({
  sizes: [2, 2, 3], axes: [[2, 2, 3.9, 3.35], [2, 1, 0, 1], [3, 3, 1, 0]], width: 6.9, height: 2,
});

test("the cell beside, above and below", () => {
  assert.equal(neighbour(planes, 0, 1, 0), 1);
  assert.equal(neighbour(planes, 4, -1, 0), 3);
  assert.equal(neighbour(planes, 1, 0, 1), 4);
  assert.equal(neighbour(planes, 5, 0, -1), 2);
});

test("over the border of a plane into the next one", () => {
  assert.equal(neighbour(planes, 2, 1, 0), 6);
  assert.equal(neighbour(planes, 9, -1, 0), 5);
});

test("the border of the tensor is the end", () => {
  assert.equal(neighbour(planes, 0, -1, 0), 0);
  assert.equal(neighbour(planes, 11, 1, 0), 11);
  assert.equal(neighbour(planes, 8, 0, -1), 8);
  assert.equal(neighbour(planes, 3, 0, 1), 3);
});

test("every cell can be walked to from the first one", () => {
  const folded = cellsOf({ sizes: [70], axes: [[70, 32, 1, 1.4]], width: 32, height: 3.8 });
  const uneven = cellsOf({
    sizes: [3, 2, 2], axes: [[3, 2, 2.9, 3.35], [2, 1, 0, 1], [2, 2, 1, 0]], width: 4.9, height: 5.35,
  });
  for (const cells of [planes, folded, uneven]) {
    const seen = new Set([0]);
    for (const at of seen) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) seen.add(neighbour(cells, at, dx, dy));
    }
    assert.equal(seen.size, cells.x.length);
  }
});

test("a cell is named with its index, which a tensor without dimensions does not have", () => {
  const named = (sizes) => cellName({ tensors: [{ called: "out", first: 0, sizes }] }, 0);
  assert.deepEqual([[2, 3], [1], []].map(named), ["out[0, 0]", "out[0]", "out"]);
  assert.equal(countOf([]), 1);
});
