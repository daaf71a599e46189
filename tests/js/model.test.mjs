import assert from "node:assert/strict";
import { test } from "node:test";
import { load, pack, side } from "./modules.mjs";

const { modelOf, movesOf } = await load("model");
const { cellName, chosenBy } = await load("data");
const row = (n) => ({ sizes: [n], axes: [[n, n, 1, 0]], width: n, height: 1 });

/** [10, NaN, -∞] padded by two elements behind: the body, then the padding; with a stage more. */
function payload(more = {}) {
  return {
    input: side("in", { labels: ["10", "NaN", "-∞"] }),
    output: side("out", { count: 5 }),
    color: pack(Float32Array.of(1, 0.5, 0), "f4"),
    source: pack(Int32Array.of(0, 1, 2, -1, 1), "i4"),
    stepOf: pack(Uint8Array.of(0, 0, 0, 1, 1), "u1"),
    drivers: null,
    driverLength: 1,
    via: pack(Int32Array.of(-1, -1, -1, -1, 1), "i4"),
    paddingLabel: "9999",
    steps: [{ title: "Body", caption: "b" }, { title: "Padding", caption: "p" }],
    parts: [
      { title: "1", caption: "one", tensor: row(3), order: pack(Int32Array.of(1, 0, 2), "i4"), places: null, constants: [] },
      { title: "2", caption: "two", tensor: row(3), order: pack(Int32Array.of(2, 1, 0), "i4"), places: null, constants: [] },
    ],
    words: { all_title: "All", all_caption: "Everything" },
    ...more,
  };
}

test("labels follow from the input and the sources", () => {
  const model = modelOf(payload());
  assert.deepEqual(model.labels, ["10", "NaN", "-∞", "9999", "NaN"]);
  assert.deepEqual([...model.copies(1)], [1, 4]);
  assert.equal(model.letters, 4, "the padding value is the longest");
  assert.deepEqual(model.strange, [1, 2], "no place on a scale");
});

test("labels that were sent are taken", () => {
  const sent = payload();
  sent.output.tensors[0].labels = ["1", "2", "3", "4", "123456"];
  const model = modelOf(sent);
  assert.deepEqual(model.labels, sent.output.tensors[0].labels);
  assert.equal(model.letters, 6);
});

test("step by step", () => {
  const sent = payload();
  const moves = movesOf(modelOf(sent), "steps");
  assert.equal(moves.steps, sent.steps);
  assert.deepEqual([...moves.stepOf], [0, 0, 0, 1, 1]);
  assert.deepEqual([...moves.via], [-1, -1, -1, -1, 1]);
  assert.deepEqual(moves.groups, [[0, 1, 2], [3, 4]]);
  assert.equal(movesOf(modelOf(payload({ via: null })), "steps").via, null);
});

test("all at once", () => {
  const moves = movesOf(modelOf(payload()), "all");
  assert.deepEqual(moves.steps, [{ title: "All", caption: "Everything" }]);
  assert.deepEqual([...moves.stepOf], [0, 0, 0, 0, 0]);
  assert.equal(moves.via, null, "everything comes straight from its source");
  assert.deepEqual(moves.groups, [[0, 1, 2, 3, 4]]);
});

test("the parts of the rule: the output is there when the last one is done", () => {
  const model = modelOf(payload());
  const moves = movesOf(model, "stages");
  assert.deepEqual(moves.steps, [{ title: "1", caption: "one" }, { title: "2", caption: "two" }]);
  assert.deepEqual([...moves.stepOf], [1, 1, 1, 1, 1]);
  assert.deepEqual(moves.groups, [[], [0, 1, 2, 3, 4]]);
  assert.deepEqual(model.parts.map(({ order }) => [...order]), [[1, 0, 2], [2, 1, 0]]);
  assert.deepEqual(model.parts.map(({ places }) => [...places]), [[1, 0, 2], [2, 0, 1]], "where each was before");
});

test("several inputs: cells through all of them, control cells last and never copied", () => {
  const model = modelOf(payload({
    input: side("in",
      { name: "InputTensors[0]", labels: ["1", "2"] }, { name: "InputTensors[1]", labels: ["3"] },
      { name: "IndicesTensor", role: "control", labels: ["-∞", "7"] }),
    output: side("out", { name: "OutputTensors[0]", count: 2 }, { name: "OutputTensors[1]", count: 3 }),
    drivers: pack(Int32Array.of(3, 4, 4, -1, 3), "i4"),
  }));
  assert.deepEqual(model.inputLabels, ["1", "2", "3", "-∞", "7"]);
  assert.equal(model.moving, 3);
  assert.deepEqual(model.labels, ["1", "2", "3", "9999", "2"]);
  assert.deepEqual([...model.chosen(3)], [0, 4]);
  assert.deepEqual([...model.chosen(4)], [1, 2]);
  assert.deepEqual([...model.copies(4)], []);
  assert.deepEqual(model.strange, [], "a control cell is on no scale");
  assert.deepEqual([...model.output.y], [0, 0, 2, 2, 2]);
});

test("a tuple chooses as a whole, by whichever of its cells", () => {
  const model = modelOf(payload({
    input: side("in", { name: "x", labels: ["1", "2", "3"] }, { name: "at", role: "control", labels: ["0", "1", "1", "0"] }),
    output: side("out", { count: 3 }),
    source: pack(Int32Array.of(1, 2, 2), "i4"),
    drivers: pack(Int32Array.of(3, 5, 5), "i4"),
    driverLength: 2,
    parts: [],
  }));
  for (const cell of [5, 6]) assert.deepEqual([...model.chosen(cell)], [1, 2]);
  assert.deepEqual(chosenBy(model, 0), [3, 4]);
  assert.equal(cellName(model.payload.input, 5), "at[2]");
  assert.equal(cellName(model.payload.input, 5, 2), "at[:]");
});

test("several lists choose together, each by the cell at the same place", () => {
  const model = modelOf(payload({
    input: side("in", { name: "x", labels: ["1", "2", "3"] }, { name: "i0", role: "control", labels: ["0", "1"] }, { name: "i1", role: "control", labels: ["1", "0"] }),
    output: side("out", { count: 2 }),
    source: pack(Int32Array.of(1, 2), "i4"),
    drivers: pack(Int32Array.of(3, 4), "i4"),
    driverLength: 2,
    driverApart: 2,
    parts: [],
  }));
  assert.deepEqual([3, 4, 5, 6].map((cell) => [...model.chosen(cell)]), [[0], [1], [0], [1]]);
  assert.deepEqual([0, 1].map((i) => chosenBy(model, i)), [[3, 5], [4, 6]]);
});

test("an output of indices has labels of its own beside those that follow", () => {
  const output = side("out", { count: 3, name: "values" }, { labels: ["2", "0", "1000"], name: "at", role: "index" });
  const model = modelOf(payload({ output, source: pack(Int32Array.of(2, 0, -1, 2, 0, 1), "i4"), parts: [] }));
  assert.deepEqual(model.labels, ["-∞", "10", "9999", "2", "0", "1000"]);
  assert.deepEqual([0, 2, 3, 5].map(model.naming), [false, false, true, true]);
  assert.deepEqual([...model.copies(2)], [0, 3], "the index is linked with what it is of");
});

test("parts that copy, leave out and add constants say where each place came from", () => {
  const part = (order, places, constants) => ({
    title: "", caption: "", tensor: row(order.length), order: pack(Int32Array.from(order), "i4"),
    places: pack(Int32Array.from(places), "i4"), constants,
  });
  const { parts } = modelOf(payload({ parts: [part([-1, 0, 0], [-1, 0, 0], ["7"]), part([0, -1, -1], [2, 0, -1], ["7"])] }));
  assert.deepEqual(parts.map(({ places }) => [...places]), [[-1, 0, 0], [2, 0, -1]]);
  assert.deepEqual(parts.map(({ labels }) => labels), [["7", "", ""], ["", "7", "9999"]], "the padding value where none was sent");
});
