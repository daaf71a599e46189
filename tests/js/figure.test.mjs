import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { cssColors, fillGrid, outputColor } = await load("figure");

test("an output element has its source's colour, a padding value none", () => {
  const color = outputColor(Float32Array.of(0, 0.25, 1), Int32Array.of(2, -1, 0, 1));
  assert.deepEqual([...color], [1, NaN, 0, 0.25]);
});

test("values land on their cells and gaps stay empty", () => {
  const trace = { x: [0, 1, 1.9, 2.9], y: [0, 1, 2] };
  const cells = {
    x: Float64Array.of(0, 1.9, 0, 1.9), y: Float64Array.of(0, 0, 1, 1), width: 2.9, height: 2,
  };
  fillGrid(trace, cells, (i) => (i === 3 ? null : i * 10), (i) => `#${i}`);
  assert.deepEqual(trace.z, [[0, null, 10], [20, null, null]]);
  assert.deepEqual(trace.text, [["#0", "", "#1"], ["#2", "", "#3"]]);
});

test("edges that Python has rounded still fit", () => {
  const trace = { x: [0, 1, 2.916, 3.916], y: [0, 1] };
  const cells = { x: Float64Array.of(0, 2.9160000004), y: Float64Array.of(0, 0) };
  fillGrid(trace, cells, (i) => i, String);
  assert.deepEqual(trace.z, [[0, null, 1]]);
});

test("colours as CSS", () => {
  const palette = { scale: [[0, "#000000"], [1, "#ffffff"]], padding: "#123456" };
  assert.deepEqual(cssColors(Float32Array.of(1, NaN, 0, 1), palette), [
    "rgb(255,255,255)", "#123456", "rgb(0,0,0)", "rgb(255,255,255)",
  ]);
});
