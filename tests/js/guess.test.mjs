import assert from "node:assert/strict";
import { test } from "node:test";
import { load, pack, side } from "./modules.mjs";

const { modelOf } = await load("model");
const { judgeChoice, judgeSource, judgeValue, sameNumber, truth } = await load("guess");

/** [5, 7, 5, 8], padded by one 9 in front; element 3 lands nowhere, element 1 in five places. */
const model = modelOf({
  input: side("in", { labels: ["5", "7", "5", "8"] }),
  output: side("out", { count: 8 }),
  color: pack(Float32Array.of(0, 0, 0, 0), "f4"),
  source: pack(Int32Array.of(-1, 0, 1, 2, 1, 1, 1, 1), "i4"),
  stepOf: pack(new Int32Array(8), "i4"),
  paddingLabel: "9",
  parts: [],
});
const words = {
  right_source: "right {cell} = {source} = {value}", right_padding: "right {cell} pad {value}",
  shown_source: "{cell} = {source} = {value}", shown_padding: "{cell} pad {value}",
  wrong_source: "{source} = {value} lands at {places}, not at {cell}.",
  wrong_nowhere: "{source} = {value} lands nowhere.",
  wrong_padding: "{cell} is a copy.", wrong_padding_value: "{value} pads; {cell} is a copy.",
  wrong_value: "{value} stands at {source}, lands at {places}.", wrong_number: "nothing is {value}.",
  same_value: "{value} lands at {places}. Which {value} comes to {cell}?",
  more: "{places} and {n} more", no_number: "a number, such as {value}",
};
const asked = {
  choices: [
    { text: "{4}", why: "That is the input.", key: "4", told: "Not {4}. That is the input." },
    { text: "{8}", why: "", key: "8", told: "Right: {8}." },
  ],
  cells: [
    { cell: 1, value: "5", traps: { 1: "Off by one.", "-1": "Too much padding." } },
    { cell: 0, value: "9", traps: {} },
    { cell: 2, value: "7.0", traps: { 2: "Mirrored." } },
  ],
  pads: true,
  words,
};
const [first, padding, second] = asked.cells;

test("what is wrong says which index the engine reads", () => {
  const depends = { cell: 2, value: "7", traps: { 2: "Mirrored." }, depends: "out[2] depends on i[0] = 1." };
  assert.match(judgeSource(asked, depends, model, 2).text, / Mirrored\. out\[2\] depends on i\[0\] = 1\.$/);
  assert.match(judgeSource(asked, { ...depends, traps: {} }, model, 3).text, /nowhere\. out\[2\] depends on/);
});

test("a choice is right without a reason why it is wrong", () => {
  assert.deepEqual(judgeChoice(asked.choices[1]), { verdict: "right", text: "Right: {8}." });
  assert.deepEqual(judgeChoice(asked.choices[0]), { verdict: "wrong", text: "Not {4}. That is the input." });
});

test("a cell is right by its index alone", () => {
  assert.deepEqual(judgeSource(asked, first, model, 0), { verdict: "right", text: "right out[1] = in[0] = 5" });
  assert.deepEqual(judgeSource(asked, first, model, 2), { verdict: "near", text: "5 lands at out[3]. Which 5 comes to out[1]?" });
});

test("a wrong cell is told by its own numbers, and by the misreading that leads there", () => {
  assert.deepEqual(judgeSource(asked, first, model, 1), {
    verdict: "wrong", text: "in[1] = 7 lands at out[2], out[4], out[5] and 2 more, not at out[1]. Off by one.",
  });
  assert.deepEqual(judgeSource(asked, first, model, 3), { verdict: "wrong", text: "in[3] = 8 lands nowhere." });
  assert.deepEqual(judgeSource(asked, first, model, -1), { verdict: "wrong", text: "out[1] is a copy. Too much padding." });
});

test("padding", () => {
  assert.deepEqual(judgeSource(asked, padding, model, -1), { verdict: "right", text: "right out[0] pad 9" });
  assert.equal(judgeSource(asked, padding, model, 0).verdict, "wrong");
  assert.equal(judgeValue(asked, padding, model, "9").verdict, "right");
  assert.deepEqual(judgeValue(asked, first, model, "9"), {
    verdict: "wrong", text: "9 pads; out[1] is a copy. Too much padding.",
  });
});

test("a typed value is right by value", () => {
  for (const typed of ["5", " 5 ", "5.0", "+5", "5,0", "05"]) {
    assert.equal(judgeValue(asked, first, model, typed).verdict, "right", typed);
  }
  assert.equal(judgeValue(asked, second, model, "7").verdict, "right");
  assert.deepEqual(judgeValue(asked, first, model, "7"), {
    verdict: "wrong", text: "7 stands at in[1], lands at out[2], out[4], out[5] and 2 more. Off by one.",
  });
  // of two equal values the one that a misreading takes
  assert.match(judgeValue(asked, second, model, "5").text, /in\[2\], lands at out\[3\]\. Mirrored\./);
  assert.deepEqual(judgeValue(asked, first, model, "8"), { verdict: "wrong", text: "in[3] = 8 lands nowhere." });
  assert.deepEqual(judgeValue(asked, first, model, "-5"), { verdict: "wrong", text: "nothing is -5." });
});

test("what is no number is no guess", () => {
  for (const typed of ["", "  ", "five", "constructor", "1 2", "--5"]) {
    assert.deepEqual(judgeValue(asked, first, model, typed), { verdict: "unclear", text: "a number, such as 5" }, typed);
  }
});

test("the truth", () => {
  assert.equal(truth(asked, second, model, "shown"), "out[2] = in[1] = 7.0");
  assert.equal(truth(asked, padding, model, "shown"), "out[0] pad 9");
});

test("the same number", () => {
  for (const [a, b] of [["1e3", "1000"], ["inf", "∞"], ["-Infinity", "-∞"], ["nan", "NaN"], ["0.50", ".5"]]) {
    assert.ok(sameNumber(a, b), `${a} ${b}`);
  }
  for (const [a, b] of [["", ""], ["", "0"], ["inf", "-∞"], ["9007199254740993", "9007199254740992"], ["NaN", "0"]]) {
    assert.ok(!sameNumber(a, b), `${a} ${b}`);
  }
});

test("where there are several tensors, sentences name them; a control cell's value is no answer", () => {
  const several = modelOf({
    ...model.payload,
    input: side("in", { name: "A", labels: ["5", "7"] }, { name: "B", labels: ["6"] },
      { name: "IndicesTensor", role: "control", labels: ["3"] }),
    output: side("out", { name: "C", count: 1 }, { name: "D", count: 2 }),
    source: pack(Int32Array.of(2, 0, 2), "i4"),
  });
  const question = { cell: 2, value: "6", traps: {} };
  assert.equal(truth(asked, question, several, "shown"), "D[1] = B[0] = 6");
  assert.equal(judgeSource(asked, question, several, 0).text, "A[0] = 5 lands at D[0], not at D[1].");
  assert.deepEqual(judgeValue(asked, question, several, "3"), { verdict: "wrong", text: "nothing is 3." });
});
