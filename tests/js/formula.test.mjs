import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { evaluate, explain, sentenceBeyond, settled, textOf, write } = await load("formula");
const h = ["index", 0];
const w = ["index", 1];
const number = (n) => ["const", n];
const shown = (tree, names = ["h", "w"]) => textOf(write(tree, names));

test("expressions are worked out as in Python", () => {
  const cases = [
    [["add", h, number(2)], 9], [["sub", w, h], -4], [["mul", h, w], 21], [["div", h, number(2)], 3],
    [["div", ["sub", w, h], number(3)], -2], [["mod", ["sub", w, h], number(3)], 2],
    [["mod", ["sub", w, h], number(4)], 0], [["min", h, w], 3], [["max", h, w], 7], [number(-5), -5],
    [["same", h, w], 0], [["same", h, ["add", w, number(4)]], 1],
    [["below", h, number(8), w, h], 3], [["below", h, number(7), w, h], 7],
  ];
  for (const [tree, due] of cases) assert.equal(evaluate(tree, [7, 3]) + 0, due, shown(tree));
});

test("a place outside a tensor of indices is the nearest", () => {
  const tables = { T: { sizes: [2], values: [7, 8] } };
  assert.deepEqual([0, 1, 2, 3].map((i) => evaluate(["look", "T", ["sub", h, number(1)]], [i], tables)), [7, 7, 8, 8]);
});

test("brackets stand where they are needed, and round mod and div beside other arithmetic", () => {
  assert.equal(shown(["add", ["mul", h, number(4)], w]), "h · 4 + w");
  assert.equal(shown(["mul", ["add", h, w], number(4)]), "(h + w) · 4");
  assert.equal(shown(["sub", h, ["sub", w, number(1)]]), "h − (w − 1)");
  assert.equal(shown(["sub", ["sub", h, w], number(1)]), "h − w − 1");
  assert.equal(shown(["mod", ["sub", h, number(1)], number(6)]), "(h − 1) mod 6");
  assert.equal(shown(["add", ["mod", h, number(2)], w]), "(h mod 2) + w");
  assert.equal(shown(["mod", ["div", h, number(2)], number(3)]), "(h div 2) mod 3");
  assert.equal(shown(["below", h, w, ["sub", w, h], h]), "w − h if h < w else h");
  assert.equal(shown(["add", ["below", h, w, w, h], number(1)]), "(w if h < w else h) + 1");
  assert.equal(shown(["max", number(0), ["min", h, number(3)]]), "max(0, min(h, 3))");
  assert.equal(shown(["same", ["add", h, number(4)], w]), "h + 4 == w");
  assert.equal(shown(["add", ["same", h, w], number(1)]), "(h == w) + 1");
});

test("an element's numbers have no branch that does not hold, and looked-up numbers in arithmetic", () => {
  const tables = { T: { sizes: [2], values: [3, -1] } };
  const look = ["look", "T", h];
  const row = ["below", w, look, ["sub", ["sub", look, number(1)], w], w];
  const put = (tree, index) => shown(settled(tree, index, tables), index.map(String));
  assert.equal(put(row, [0, 1]), "3 − 1 − 1");
  assert.equal(put(row, [0, 4]), "4");
  assert.equal(put(["mod", look, number(5)], [1, 0]), "(-1) mod 5");
  // a place says which element chose
  assert.equal(put(look, [1, 0]), "T[1]");
});

test("only an index is marked with its dimension", () => {
  assert.deepEqual(write(["mod", w, number(3)], ["5", "8"]), [
    { text: "8", axis: 1 }, { text: " mod ", axis: -1 }, { text: "3", axis: -1 },
  ]);
});

const formula = {
  tensor: "in", output: "out", sizes: [2, 3], names: ["h", "w"], source: [h, ["mod", w, number(3)]],
  missing: "", where: [], before: "", after: "", constants: [],
};
const all = (formulas, more = {}) => ({
  of: { out: formulas.map((one) => ({ shown: one.source, ...one })) }, tables: {}, beyond: {}, where: "{text} for {letter} from {start} to {last}",
  outside: {
    "before-in": ": in dimension {d} index {index} is before 0, so {missing}",
    "past-in": ": in dimension {d} index {index} is past {last}, so {missing}",
  },
  ...more,
});
const lines = (one, index, more) => explain(all([one], more), "out", index).map(textOf);

test("the rule, then the same with an element's numbers", () => {
  assert.deepEqual(lines(formula, [1, 5]), [
    "out[h, w] = in[h, w mod 3]", "out[1, 5] = in[1, 5 mod 3] = in[1, 2]",
  ]);
});

test("the marks of a line: each index in its dimension's colour", () => {
  const axes = explain(all([formula]), "out", [1, 5])[1].filter(({ axis }) => axis >= 0);
  assert.deepEqual(axes.map(({ text, axis }) => [text, axis]), [
    ["1", 0], ["5", 1], ["1", 0], ["5", 1], ["1", 0], ["2", 1],
  ]);
});

test("nothing is worked out twice where there is nothing to work out", () => {
  const plain = { ...formula, source: [h, w] };
  assert.deepEqual(lines(plain, [1, 2])[1], "out[1, 2] = in[1, 2]");
});

test("why no element is the source", () => {
  const padding = {
    ...formula, source: [["sub", h, number(1)], w], missing: "it is the padding value 9.",
  };
  const more = {
    beyond: { out: [{ dimension: 0, start: 1, size: 2, period: 0, before: "{distance} before.", behind: "{distance} behind." }] },
  };
  assert.deepEqual(lines(padding, [0, 1], more), [
    "out[h, w] = in[h − 1, w]",
    "out[0, 1]: in dimension 0 index 0 − 1 = -1 is before 0, so it is the padding value 9.",
    "1 before.",
  ]);
  assert.equal(lines(padding, [1, 1], more).length, 2, "inside there is no such sentence");
  assert.match(lines(padding, [3, 1], more)[1], /in dimension 0 index 3 − 1 = 2 is past 1, so/);
});

test("a constant of the code stands before the source, with its condition", () => {
  const written = {
    ...formula, missing: "it is a constant.", before: "[7, 8][h] if w < 2 else ", after: ", for these values of x",
    source: [h, ["below", w, number(2), number(-1), w]], shown: [h, w],
    constants: [{ values: ["7", "8"], at: h, ways: [[{ value: w, low: null, high: 1 }]] }],
  };
  assert.deepEqual(lines(written, [1, 0]), [
    "out[h, w] = [7, 8][h] if w < 2 else in[h, w], for these values of x", "out[1, 0] = 8: it is a constant.",
  ]);
  assert.equal(lines(written, [1, 2])[1], "out[1, 2] = in[1, 2]");
});

test("which side, how far, which fold", () => {
  const beyond = { dimension: 0, start: 4, size: 3, period: 2, before: "{distance} before, fold {fold}.", behind: "{distance} behind, fold {fold}." };
  assert.deepEqual([0, 1, 2, 3, 4, 6, 7, 8, 9].map((i) => sentenceBeyond(beyond, i)), [
    "4 before, fold 2.", "3 before, fold 2.", "2 before, fold 1.", "1 before, fold 1.", "", "",
    "1 behind, fold 1.", "2 behind, fold 1.", "3 behind, fold 2.",
  ]);
  assert.equal(sentenceBeyond({ ...beyond, period: 0, before: "{distance} before." }, 0), "4 before.");
});

test("tokens as one text", () => {
  assert.equal(textOf([{ text: "a", axis: 0 }, { text: " b", axis: -1 }]), "a b");
  assert.equal(textOf([]), "");
});

test("a control tensor is looked up, and stands in the formula by its name", () => {
  const look = ["look", "IndicesTensor", number(0), w];
  const tables = { IndicesTensor: { sizes: [1, 3], values: [2, 0, 5] } };
  assert.equal(evaluate(["add", look, number(1)], [0, 2], tables), 6);
  const gather = { ...formula, tensor: "InputTensor", source: [h, look] };
  assert.deepEqual(lines(gather, [1, 0], { tables }), [
    "out[h, w] = InputTensor[h, IndicesTensor[0, w]]",
    "out[1, 0] = InputTensor[1, IndicesTensor[0, 0]] = InputTensor[1, 2]",
  ]);
});

test("of several formulas the one that holds is said", () => {
  const part = (tensor, start, stop) => ({
    ...formula, tensor, source: [["sub", h, number(start)], w], where: [{ value: h, start, stop }],
  });
  const both = all([part("A", 0, 2), part("B", 2, 3)]);
  assert.deepEqual(explain(both, "out", [2, 1]).map(textOf), [
    "out[h, w] = B[h − 2, w] for h from 2 to 2", "out[2, 1] = B[2 − 2, 1] = B[0, 1]",
  ]);
  assert.deepEqual(explain(both, "other", [0]), []);
});

test("real numbers are FLOATs, and a place between two indices is rounded", () => {
  const tenth = ["real", Math.fround(0.1), "0.1"];
  const there = ["single", ["over", ["single", ["add", w, tenth]], ["real", 1.5, "1.5"]]];
  assert.equal(evaluate(there, [0, 2]), Math.fround(Math.fround(2 + Math.fround(0.1)) / 1.5));
  assert.equal(evaluate(["floor", there], [0, 2]), 1);
  assert.ok(Object.is(evaluate(["ceil", ["single", ["sub", w, tenth]]], [0, 0]), 0), "0, not -0");
  assert.equal(textOf(write(["floor", there], ["h", "w"])), "floor((w + 0.1) / 1.5)");
});

test("a tensor without dimensions has no brackets", () => {
  const lines = (parts, index) => explain(all([{ ...formula, ...parts }]), "out", index).map(textOf);
  const first = lines({ sizes: [3], names: [], source: [number(2)], shown: [number(2)] }, []);
  assert.deepEqual(first, ["out = in[2]", "out = in[2]"]);
  const back = lines({ sizes: [], names: ["w"], source: [], shown: [] }, [0]);
  assert.deepEqual(back, ["out[w] = in", "out[0] = in"]);
});
