import assert from "node:assert/strict";
import { test } from "node:test";
import { load, pack } from "./modules.mjs";

const { Strip, cellsAt, elementColors } = await load("strip");

/** x (2, 2) tiled across, then transposed; what is pinned is a cell of the call's output. */
const TENSORS = [["x", "{2, 2}", 0, ""], ["t1", "{2, 4}", 1, "np.tile(x, 2)"], ["out", "{4, 2}", 2, ".T"]]
  .map(([name, called, call, text]) => ({ name, called, call, text, tensor: null, numbers: null }));
const TILED = Int32Array.of(0, 1, 0, 1, 2, 3, 2, 3);
const TURNED = Int32Array.of(0, 2, 1, 3, 0, 2, 1, 3);
const stripOf = (call, output, tensors = TENSORS) =>
  ({ call, output: pack(output, "i4"), color: pack(Float32Array.of(0, 0, 0, 0), "f4"), tensors });

/** A strip that shows a call, without a page. */
function shown(strip, output) {
  return Object.assign(Object.create(Strip.prototype), { strip, output });
}

test("a pinned element is found in the tensor of another call", () => {
  const strip = shown(stripOf(1, TILED), TILED);
  assert.deepEqual(strip.followed(stripOf(2, TURNED), [5, 1]), [3, 2]);
  // two copies of one element are one pin there
  assert.deepEqual(strip.followed(stripOf(2, TURNED), [1, 3]), [2]);
});

test("a constant, and an element that the other call leaves out, are followed nowhere", () => {
  const output = Int32Array.of(-1, 0, 3);
  const strip = shown(stripOf(1, output), output);
  assert.deepEqual(strip.followed(stripOf(2, Int32Array.of(0, -1)), [0, 1, 2]), [0]);
});

test("nothing is followed into another chain, or into the same call", () => {
  const strip = shown(stripOf(1, TILED), TILED);
  assert.equal(strip.followed(stripOf(1, TILED), [1]), null);
  assert.equal(strip.followed(stripOf(2, TURNED, TENSORS.slice(1)), [1]), null);
  assert.equal(strip.followed(null, [1]), null);
  assert.equal(shown(null, TILED).followed(stripOf(1, TILED), []), null);
});

test("all places of an element", () => {
  assert.deepEqual(cellsAt(TILED, 1), [1, 3]);
  assert.deepEqual(cellsAt(TILED, 7), []);
});

test("elements have the stage's colors, and others those of their values or none", () => {
  const strip = {
    call: 2, input: pack(Int32Array.of(2, -1, 0), "i4"), output: pack(Int32Array.of(2), "i4"),
    color: pack(Float32Array.of(0, 1, 0), "f4"), tensors: [],
  };
  const palette = { scale: [[0, "#000000"], [1, "#ffffff"]] };
  const colors = ["rgb(1,2,3)", "rgb(9,9,9)", "rgb(4,5,6)"];
  const byPicture = elementColors(strip, palette, colors, false);
  assert.deepEqual([byPicture[0], byPicture[2]], ["rgb(4,5,6)", "rgb(1,2,3)"]);
  assert.equal(byPicture[1], "rgb(128,128,128)");
  const byValue = elementColors(strip, palette, colors, true);
  assert.deepEqual([byValue[0], byValue[2]], ["rgb(4,5,6)", "rgb(1,2,3)"]);
  assert.match(byValue[1], /#ffffff|rgb\(255, ?255, ?255\)/);
});
