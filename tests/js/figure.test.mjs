import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { fillGrid, fillTraces, gridElements } = await load("figure");

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

test("the element at each place, none in gaps", () => {
  const trace = { x: [0, 1, 1.9, 2.9], y: [0, 1, 2] };
  const cells = { x: Float64Array.of(0, 1.9, 1.9), y: Float64Array.of(0, 0, 1) };
  assert.deepEqual([...gridElements(trace, cells)], [0, -1, 1, -1, -1, 2]);
});

test("an output element has its source's colour, a padding value a heatmap of its own", () => {
  const grid = () => ({ x: [0, 1, 2, 3, 4], y: [0, 1] });
  const traces = [
    { ...grid(), name: "input" }, { ...grid(), name: "output" }, { ...grid(), name: "padding" },
    { name: "title", text: ["[0, :, :]"] },
  ];
  const row = { x: Float64Array.of(0, 1, 2, 3), y: new Float64Array(4) };
  const model = {
    input: row, output: row, source: Int32Array.of(2, -1, 0, 3),
    inputLabels: ["a", "b", "c", "d"], labels: ["c", "9", "a", "d"],
  };
  fillTraces(traces, model, { z: [0, 0.25, 0.5, 1] });
  assert.deepEqual(traces[0].z, [[0, 0.25, 0.5, 1]]);
  assert.deepEqual(traces[0].text, [["a", "b", "c", "d"]]);
  assert.deepEqual(traces[1].z, [[0.5, null, 0, 1]]);
  assert.deepEqual(traces[1].text, [["c", "", "a", "d"]]);
  assert.deepEqual(traces[2].z, [[null, 0, null, null]]);
  assert.deepEqual(traces[2].text, [["", "9", "", ""]]);
  assert.deepEqual(traces[3], { name: "title", text: ["[0, :, :]"] });
});
