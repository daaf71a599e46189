import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

globalThis.ImageData = /** @type {any} */ (class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(width * height * 4) });
  }
});
const { Raster, faded } = await load("raster");
const { usesSprites } = await load("sprites");

const RED = 0xff0000ff;
const rows = ({ pixels, image }) => Array.from({ length: image.height }, (_row, y) =>
  Array.from(pixels.subarray(y * image.width, (y + 1) * image.width), (ink) => (ink ? 1 : 0)).join(""));

test("an edge is on the nearest pixel, and neighbors leave no gap wherever they are", () => {
  const raster = new Raster(0, 0, 6, 2);
  raster.fill(0.6, 0, 2.9, 1, RED);
  assert.deepEqual(rows(raster), ["011000", "000000"]);
  for (let off = 0; off < 1; off += 0.07) {
    const row = new Raster(0, 0, 9, 1);
    for (let k = 0; k < 3; k++) row.fill(off + k * 2.3, 0, off + (k + 1) * 2.3, 1, RED);
    assert.match(rows(row)[0], /^0?1{6,7}0*$/);
  }
});

test("what lies outside a part of the board is left out", () => {
  const part = new Raster(10, 20, 3, 2);
  part.fill(-5, -5, 11, 21, RED);
  part.fill(12, 21, 900, 900, RED);
  part.fill(-1e6, -1e6, -1e6 + 4, -1e6 + 4, RED);
  part.stamp({ width: 2, height: 2, pixels: Uint32Array.of(RED, RED, RED, RED) }, 9, 21);
  assert.deepEqual(rows(part), ["100", "101"]);
});

test("a frame is one pixel wide, a small one is filled", () => {
  const raster = new Raster(0, 0, 7, 4);
  raster.frame(0, 0, 4, 4, RED);
  raster.frame(5, 0, 7, 2, RED);
  assert.deepEqual(rows(raster), ["1111011", "1001011", "1001000", "1111000"]);
});

test("a faint color lets through what is below a stamp", () => {
  assert.equal(faded(RED, 0.4), 0x660000ff);
  const raster = new Raster(0, 0, 1, 1);
  raster.fill(0, 0, 1, 1, 0xffff0000);
  raster.stamp({ width: 1, height: 1, pixels: Uint32Array.of(RED) }, 0, 0, 0.4);
  assert.equal(raster.pixels[0], 0xff990066);
});

test("only many small cells without numbers are drawn pixel by pixel", () => {
  const board = (/** @type {number} */ count, /** @type {number} */ w, fontSize = 0) =>
    ({ input: { x: new Float64Array(4) }, output: { x: new Float64Array(count), w }, fontSize });
  assert.ok(usesSprites(board(16_384, 6)));
  assert.ok(!usesSprites(board(16_384, 6, 9)));
  assert.ok(!usesSprites(board(16_384, 40)));
  assert.ok(!usesSprites(board(64, 6)));
});
