import assert from "node:assert/strict";
import { test } from "node:test";
import { load, side } from "./modules.mjs";

const { dress, fillGrid, fillTraces, gridElements, headsOf } = await load("figure");
const own = (count) => ({ first: 0, sizes: [count] });

test("values land on their cells and gaps stay empty", () => {
  const trace = { x: [0, 1, 1.9, 2.9], y: [0, 1, 2] };
  const cells = {
    x: Float64Array.of(0, 1.9, 0, 1.9), y: Float64Array.of(0, 0, 1, 1), width: 2.9, height: 2,
  };
  fillGrid(trace, cells, own(4), (i) => (i === 3 ? null : i * 10));
  assert.deepEqual(trace.z, [[0, null, 10], [20, null, null]]);
});

test("edges that Python has rounded still fit", () => {
  const trace = { x: [0, 1, 2.916, 3.916], y: [0, 1] };
  const cells = { x: Float64Array.of(0, 2.9160000004), y: Float64Array.of(0, 0) };
  fillGrid(trace, cells, own(2), (i) => i);
  assert.deepEqual(trace.z, [[0, null, 1]]);
});

test("the element at each place, none in gaps", () => {
  const trace = { x: [0, 1, 1.9, 2.9], y: [0, 1, 2] };
  const cells = { x: Float64Array.of(0, 1.9, 1.9), y: Float64Array.of(0, 0, 1) };
  assert.deepEqual([...gridElements(trace, cells, own(3))], [0, -1, 1, -1, -1, 2]);
});

test("an output element has its source's colour, a padding value a heatmap of its own", () => {
  const grid = () => ({ type: "heatmap", meta: 0, x: [0, 1, 2, 3, 4], y: [0, 1] });
  const traces = [
    { ...grid(), name: "input" }, { ...grid(), name: "output" }, { ...grid(), name: "padding" },
    { name: "title", text: ["[0, :, :]"] },
  ];
  const row = { x: Float64Array.of(0, 1, 2, 3), y: new Float64Array(4) };
  const model = {
    input: row, output: row, source: Int32Array.of(2, -1, 0, 3),
    inputLabels: ["a", "b", "c", "d"], labels: ["c", "9", "a", "d"], moving: 4,
    payload: { input: side("in", { count: 4 }), output: side("out", { count: 4 }) },
  };
  fillTraces(traces, model, { z: [0, 0.25, 0.5, 1] });
  assert.deepEqual(traces[0].z, [[0, 0.25, 0.5, 1]]);
  assert.deepEqual(traces[0].numbered, [0, 1, 2, 3]);
  assert.deepEqual(traces[1].z, [[0.5, null, 0, 1]]);
  assert.deepEqual(traces[1].numbered, [0, 2, 3]);
  assert.deepEqual(traces[2].z, [[null, 0, null, null]]);
  assert.deepEqual(traces[2].numbered, [1]);
  assert.deepEqual(traces[3], { name: "title", text: ["[0, :, :]"] });
});

test("a heatmap has its own tensor's cells; what chooses has no colour", () => {
  const input = side("in", { name: "A", labels: ["a", "b"] }, { name: "I", role: "control", labels: ["1", "0"] });
  const row = (y) => ({ type: "heatmap", name: "input", x: [0, 1, 2], y: [y, y + 1] });
  const traces = [{ ...row(0), meta: 0 }, { ...row(2), meta: 1 }];
  const cells = { x: Float64Array.of(0, 1, 0, 1), y: Float64Array.of(0, 0, 2, 2) };
  const model = { input: cells, payload: { input }, source: [], labels: [], inputLabels: ["a", "b", "1", "0"], moving: 2 };
  fillTraces(traces, model, { z: [0.25, 1] });
  assert.deepEqual(traces.map(({ z }) => z), [[[0.25, 1]], [[0, 0]]]);
  assert.deepEqual(traces.map(({ numbered }) => numbered), [[0, 1], [2, 3]]);
  assert.deepEqual([...gridElements(traces[1], cells, input.tensors[1])], [2, 3]);
});

test("a title stands close to its own tensor, with what room there is", () => {
  const two = side("in", { name: "A", count: 3 }, { name: "B", count: 3 });
  const at = { cell: 60, cellWidth: 60, head: 72, scale: 1 };
  const [first, second] = headsOf(two, { left: 100, top: 72 }, at, 400);
  assert.deepEqual(first, { left: 100, bottom: 26, room: 300 });
  assert.equal(second.left, 100);
  assert.ok(second.bottom > 72 + 60 + 15 && second.bottom < 72 + 120, "between the two");
  two.tensors[1] = { ...two.tensors[1], x: 4, y: 0 };
  assert.equal(headsOf(two, { left: 100, top: 72 }, at, 600)[0].room, 228, "not into the next");
});

test("indices are written wherever they have room: of single planes rather than titles, of several with room for both", () => {
  const marks = (name, text) => ({ type: "scatter", name, xaxis: "x", x: [0.5], y: [0], text: [text] });
  const visible = (room, titles = [], several = false) => {
    const data = [marks("columns", "0"), ...titles.map((title) => marks("title", title))];
    const layout = { annotations: [], meta: [], xaxis: {}, yaxis: {}, xaxis2: {}, yaxis2: {} };
    const box = { left: 20, top: 72, width: 74, height: 37 };
    const at = {
      cell: 37, cellWidth: 37, scale: 1, head: 72, width: 360, height: 250, gap: 2, stacked: false,
      input: box, output: { ...box, left: 200 }, margin: { left: 20, top: 42, right: 4, bottom: 4 },
    };
    dress({ figure: { data, layout }, input: { ...side("in"), several, rowGap: 2, air: (room + 28) / 37 }, output: side("out") }, at, {}, "sans", {});
    return data.map((trace) => trace.visible);
  };
  assert.deepEqual([visible(15), visible(25)], [[false], [true]]);
  assert.deepEqual([25, 33].map((room) => visible(room, ["[0]"])), [[true, false], [true, true]]);
  assert.deepEqual([25, 33].map((room) => visible(room, ["[0]"], true)), [[false, true], [true, true]]);
});

test("where a title of two runs has no room for its data type, the other has none either", () => {
  const titles = (room, holds) => {
    const meta = ["A", "B"].map((name) => [
      { text: `<b>${name}</b>  Axis: 1  {3} INT8`, holds: `${holds} sizes type` },
      { text: `<b>${name}</b>  Axis: 1  {3}`, holds: `${holds} sizes` },
      { text: `<b>${name}</b>  Axis: 1`, holds },
    ]);
    const layout = { annotations: [{}, {}], meta, xaxis: {}, yaxis: {}, xaxis2: {}, yaxis2: {} };
    const box = { left: 0, top: 72, width: 74, height: 37 };
    const at = {
      cell: 37, cellWidth: 37, scale: 1, head: 72, width: 400 + room, height: 250, gap: 2, stacked: false,
      input: box, output: { ...box, left: 400 }, margin: { left: 20, top: 42, right: 4, bottom: 4 },
    };
    const own = (name) => side("in", { name, count: 1 });
    dress({ figure: { data: [], layout }, input: own("a"), output: own("b") }, at, {}, "sans", {});
    return layout.annotations.map(({ text }) => text);
  };
  assert.deepEqual(titles(160, "settings"), ["<b>A</b>  Axis: 1  {3}", "<b>B</b>  Axis: 1  {3}"]);
  assert.deepEqual(titles(160, ""), ["<b>A</b>  Axis: 1  {3} INT8", "<b>B</b>  Axis: 1  {3}"]);
  // rather smaller than without the settings
  assert.deepEqual(titles(70, "settings")[1], "<b>B</b>  Axis: 1");
});

test("a name and sizes are written smaller before they are shortened, and where one is shortened all are", () => {
  const titles = (room, wide = 280) => {
    const meta = ["Input", "Output"].map((name) => [
      { text: `<b>${name}Tensor</b> {3} INT8`, holds: "sizes type" },
      { text: `<b>${name}Tensor</b> {3}`, holds: "sizes" },
      { text: `<b>${name}Tensor</b>`, holds: "" },
      { text: `<b>${name}</b>`, holds: "short" },
    ]);
    const layout = { annotations: [{}, {}], meta, xaxis: {}, yaxis: {}, xaxis2: {}, yaxis2: {} };
    const box = { left: 0, top: 72, width: wide, height: 37 };
    const at = {
      cell: 37, cellWidth: 37, scale: 1, head: 72, width: 300 + room, height: 250, gap: 2, stacked: false,
      input: box, output: { ...box, left: 300 }, margin: { left: 20, top: 42, right: 4, bottom: 4 },
    };
    const own = (name) => side("in", { name, count: 1 });
    dress({ figure: { data: [], layout }, input: own("a"), output: own("b") }, at, {}, "sans", {});
    return layout.annotations.map(({ text, font }) => [text, font.size]);
  };
  assert.deepEqual(titles(200), [["<b>InputTensor</b> {3} INT8", 15], ["<b>OutputTensor</b> {3}", 15]]);
  for (const [room, rest] of [[130, " {3}"], [100, ""]]) {
    const [first, second] = titles(room);
    assert.deepEqual([first, second[0]], [["<b>InputTensor</b> {3} INT8", 15], `<b>OutputTensor</b>${rest}`]);
    assert.ok(second[1] < 15 && second[1] > 11);
  }
  // it begins before its tensor, and the input gives its data type for that
  assert.deepEqual(titles(100, 74).map(([text]) => text), ["<b>InputTensor</b> {3}", "<b>OutputTensor</b> {3}"]);
  assert.deepEqual(titles(80).map(([text]) => text), ["<b>Input</b> {3} INT8", "<b>Output</b>"]);
});
