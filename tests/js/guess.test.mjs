import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { modelOf } = await load("model");
const { judgeSizes, judgeSource, judgeValue, sameNumber, truth } = await load("guess");
const pack = (array, dtype) => ({ dtype, bdata: Buffer.from(array.buffer).toString("base64") });
const row = (n) => ({ sizes: [n], axes: [[n, n, 1, 0]], width: n, height: 1 });

/** [5, 7, 5, 8], padded by one 9 in front; element 3 lands nowhere, element 1 in five places. */
const model = modelOf({
  input: { ...row(4), labels: ["5", "7", "5", "8"] },
  output: { ...row(8), labels: null },
  color: pack(Float32Array.of(0, 0, 0, 0), "f4"),
  source: pack(Int32Array.of(-1, 0, 1, 2, 1, 1, 1, 1), "i4"),
  paddingLabel: "9",
  stages: [],
});
const words = {
  right_sizes: "right {sizes}", wrong_sizes: "not {sizes}.",
  right_source: "right out[{index}] = in[{source}] = {value}", right_padding: "right out[{index}] pad {value}",
  shown_source: "out[{index}] = in[{source}] = {value}", shown_padding: "out[{index}] pad {value}",
  wrong_source: "in[{source}] = {value} lands at {places}, not at out[{index}].",
  wrong_nowhere: "in[{source}] = {value} lands nowhere.",
  wrong_padding: "out[{index}] is a copy.", wrong_padding_value: "{value} pads; out[{index}] is a copy.",
  wrong_value: "{value} stands at in[{source}], lands at {places}.", wrong_number: "nothing is {value}.",
  same_value: "{value} lands at {places}. Which {value} comes to out[{index}]?",
  more: "{places} and {n} more", no_number: "a number, such as {value}",
};
const asked = {
  choices: [{ text: "{4}", why: "That is the input." }, { text: "{8}", why: "" }],
  cells: [
    { cell: 1, value: "5", traps: { 1: "Off by one.", "-1": "Too much padding." } },
    { cell: 0, value: "9", traps: {} },
    { cell: 2, value: "7.0", traps: { 2: "Mirrored." } },
  ],
  pads: true,
  words,
};
const [first, padding, second] = asked.cells;

test("sizes: the wrong ones say why", () => {
  assert.deepEqual(judgeSizes(asked, 1), { verdict: "right", text: "right {8}" });
  assert.deepEqual(judgeSizes(asked, 0), { verdict: "wrong", text: "not {4}. That is the input." });
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
