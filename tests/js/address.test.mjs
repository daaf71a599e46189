// The player's words in the address: only its own, only what is not usual.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, side } from "./modules.mjs";

const { lookInLink, withLook } = await load("address");

const output = { tensors: [{ ...side("out", { count: 6 }).tensors[0], sizes: [2, 3] }] };
const USUAL = { colors: "value", moves: "steps", step: 0, pinned: [] };

test("a usual look writes nothing and takes its old words away", () => {
  assert.equal(withLook("", USUAL, output), "");
  assert.equal(withLook("?step=2&colors=channel&moves=all&pinned=0,1", USUAL, output), "");
});

test("the words of others stay, in their order, and readable", () => {
  assert.equal(
    withLook("?sizes=2%2C3&step=9&embed=true&directions=0%3adown&x=%26%25&&", USUAL, output),
    "?sizes=2,3&embed=true&directions=0:down&x=%26%25",
  );
});

test("every part of a look", () => {
  const look = { colors: "position", moves: "stages", step: 2.5, pinned: [4, 0] };
  const now = withLook("?values=own", look, output);
  assert.equal(now, "?values=own&colors=position&moves=stages&step=2.5&pinned=1,1;0,0");
  assert.equal(withLook(now, look, output), now);
});

test("what begins call by call says its steps, and an address with a step means that step", () => {
  const written = (look) => withLook("", { ...USUAL, ...look }, output, "stages");
  assert.equal(written({ moves: "stages" }), "");
  assert.equal(written({ moves: "steps" }), "?moves=steps");
  assert.equal(written({ moves: "steps", step: 1 }), "?step=1");
  assert.equal(written({ moves: "stages", step: 1 }), "?moves=stages&step=1");
});

test("of several outputs a pinned element says which", () => {
  const two = side("out", { name: "OutputTensors[0]", count: 2 }, { name: "OutputTensors[1]", count: 3 });
  assert.equal(withLook("", { ...USUAL, pinned: [1, 4] }, two), "?pinned=0:1;1:2");
  const one = side("out", { name: "OutputTensors[0]", count: 2 });
  assert.equal(withLook("", { ...USUAL, pinned: [1] }, one), "?pinned=0:1", "a list of one is a list");
});

test("the only element of a tensor without dimensions can be pinned", () => {
  const one = { tensors: [{ ...side("out", { count: 1 }).tensors[0], sizes: [] }] };
  assert.equal(withLook("", { ...USUAL, pinned: [0] }, one), "?pinned=0");
  const select = { options: [] };
  const player = { payload: { output: one }, viewbar: { color: select, view: select } };
  const pinned = (word) => lookInLink(player, `/code?pinned=${word}`).pinned;
  assert.deepEqual(["0", "0:0", "1", "0,0", "1:0"].map(pinned), [[0], [0], [], [], []]);
});

test("of a part of a tensor a pinned element has its index in the whole", () => {
  const places = [[7, 9], [0, 5, 300]];
  const part = { tensors: [{ ...output.tensors[0], places }] };
  assert.equal(withLook("", { ...USUAL, pinned: [5, 1] }, part), "?pinned=9,300;7,5");
  const select = { options: [] };
  const player = { payload: { output: part }, viewbar: { color: select, view: select } };
  const pinned = (word) => lookInLink(player, `/code?pinned=${word}`).pinned;
  assert.deepEqual(["9,300", "7,5", "8,5", "1,1", "7", "7,5,0"].map(pinned), [[5], [1], [], [], [], []]);
});
