import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { colorAt, colorings, luminance, modesFor, numbersOf, readableInk } = await load("colors");
const scale = [[0, "#000000"], [0.5, "#ff0000"], [1, "#ff00c8"]];
const palette = {
  scale, tints: ["#ff5f52", "#35cf70", "#6ea0ff"],
  kinds: ["#111111", "#222222", "#333333"], corners: ["#000000", "#f00000", "#00f000", "#0000f0"],
};
const picture = {
  inputs: [{ first: 0, sizes: [1, 3, 2, 2] }], outputs: [{ first: 0, sizes: [1, 3, 2, 4] }], range: [0, 255], rgb: 255,
  value: Float32Array.of(...[1, 0, 0, 1], ...[0, 1, 0, 1], ...[0, 0, 1, 1]),
  source: Int32Array.of(...[0, 1, 0, 1, 2, 3, 2, 3], ...[4, 5, 4, 5, 6, 7, 6, 7], ...[8, 9, 8, 9, 10, 11, 10, 11]),
};

test("colours at the stops, between them, and beyond", () => {
  assert.equal(colorAt(scale, 0), "rgb(0,0,0)");
  assert.equal(colorAt(scale, 0.25), "rgb(128,0,0)");
  assert.equal(colorAt(scale, 0.5), "rgb(255,0,0)");
  assert.equal(colorAt(scale, 0.75), "rgb(255,0,100)");
  assert.equal(colorAt(scale, 1), "rgb(255,0,200)");
  assert.equal(colorAt(scale, -1), "rgb(0,0,0)");
  assert.equal(colorAt(scale, 2), "rgb(255,0,200)");
});

test("by value: the palette's scale", () => {
  const found = colorings("value", picture, palette);
  assert.equal(found.z, picture.value);
  assert.equal(found.scale, scale);
  assert.equal(found.css[0], "rgb(255,0,200)");
  assert.equal(found.css[1], "rgb(0,0,0)");
  assert.equal(found.ink, null);
});

test("by channel: one colour a channel, again from the start after the last", () => {
  const of = { ...picture, inputs: [{ first: 0, sizes: [1, 4, 1, 2] }], value: new Float32Array(8) };
  const { css } = colorings("channel", of, palette);
  assert.deepEqual(css, ["#111111", "#111111", "#222222", "#222222", "#333333", "#333333", "#111111", "#111111"]);
});

test("by channel where there are fewer dimensions: by the first", () => {
  const flat = { ...picture, inputs: [{ first: 0, sizes: [2, 2] }], outputs: [{ first: 0, sizes: [2, 2] }], value: new Float32Array(4) };
  assert.deepEqual(colorings("channel", flat, palette).css, ["#111111", "#111111", "#222222", "#222222"]);
});

test("by position: the corners have the corners' colours", () => {
  const of = { ...picture, inputs: [{ first: 0, sizes: [3, 5] }], outputs: [{ first: 0, sizes: [3, 5] }], value: new Float32Array(15) };
  const { css } = colorings("position", of, palette);
  assert.deepEqual([0, 4, 10, 14].map((i) => numbersOf(css[i])), palette.corners.map(numbersOf));
  assert.deepEqual(numbersOf(css[2]), [128, 0, 0], "half way, in sixteenths");
  assert.ok(new Set(css).size === 15, "every place has a colour of its own");
});

test("by position in a row, and in one cell", () => {
  const row = colorings("position", { ...picture, inputs: [{ first: 0, sizes: [4] }], value: new Float32Array(4) }, palette);
  assert.deepEqual([row.css[0], row.css[3]].map(numbersOf), palette.corners.slice(0, 2).map(numbersOf));
  const one = colorings("position", { ...picture, inputs: [{ first: 0, sizes: [1, 1] }], value: new Float32Array(1) }, palette);
  assert.deepEqual(one.css.map(numbersOf), [[0, 0, 0]]);
});

for (const mode of ["value", "channel", "position", "picture", "planes"]) {
  test(`${mode}: the scale runs from 0 to 1, and each cell's place on it has its colour`, () => {
    const found = colorings(mode, picture, palette);
    const stops = found.scale.map(([at]) => at);
    assert.equal(stops[0], 0);
    assert.equal(stops.at(-1), 1);
    assert.deepEqual(stops, [...stops].sort((a, b) => a - b));
    assert.equal(found.z.length, 12);
    assert.equal(found.css.length, 12);
    for (let i = 0; i < 12; i++) {
      assert.deepEqual(numbersOf(colorAt(found.scale, found.z[i])), numbersOf(found.css[i]), `${i}`);
    }
  });
}

test("an output of three channels is a picture, its elements have their pixel's colour", () => {
  const { css } = colorings("picture", picture, palette);
  const due = ["rgb(255,0,0)", "rgb(0,255,0)", "rgb(0,0,255)", "rgb(255,255,255)"];
  assert.deepEqual(css, [...due, ...due, ...due]);
});

test("an input of three channels is a picture, whatever becomes of it", () => {
  const of = { ...picture, outputs: [{ first: 0, sizes: [1, 12, 1, 1] }] };
  assert.deepEqual(modesFor(of), ["value", "channel", "position", "picture", "planes"]);
  assert.equal(colorings("picture", of, palette).css[1], "rgb(0,255,0)");
});

test("DepthToSpace: the output is the picture, channels of the input are parts of it", () => {
  // 12 channels of 1 by 1 become 3 channels of 2 by 2: channel k goes to place floor(k / 3)
  const of = {
    inputs: [{ first: 0, sizes: [1, 12, 1, 1] }], outputs: [{ first: 0, sizes: [1, 3, 2, 2] }], range: [0, 1], rgb: 1,
    value: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    source: Int32Array.of(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11),
  };
  const { css } = colorings("picture", of, palette);
  assert.deepEqual([0, 1, 2].map((i) => css[i]), Array(3).fill("rgb(255,0,0)"));
  assert.deepEqual([3, 4, 5].map((i) => css[i]), Array(3).fill("rgb(0,255,0)"));
  assert.equal(css[9], "rgb(0,0,0)");
});

test("padded channels count as black, and an element that is nowhere is grey", () => {
  const of = {
    inputs: [{ first: 0, sizes: [1, 1, 3] }], outputs: [{ first: 0, sizes: [3, 1, 2] }], range: [0, 255], rgb: 255,
    value: Float32Array.of(1, 0.4, 1), source: Int32Array.of(-1, -1, 0, 1, -1, -1),
  };
  assert.deepEqual(colorings("picture", of, palette).css, ["rgb(0,255,0)", "rgb(0,102,0)", "rgb(128,128,128)"]);
});

test("a picture is offered only where there are three channels and brightness makes sense", () => {
  const without = ["value", "channel", "position"];
  assert.deepEqual(modesFor({ ...picture, rgb: 0 }), without);
  assert.deepEqual(modesFor({ ...picture, inputs: [{ first: 0, sizes: [1, 4, 2, 2] }], outputs: [{ first: 0, sizes: [1, 4, 2, 2] }] }), without);
  assert.deepEqual(modesFor({ ...picture, inputs: [{ first: 0, sizes: [3, 4] }], outputs: [{ first: 0, sizes: [3, 4] }] }), without);
  assert.deepEqual(modesFor(picture), [...without, "picture", "planes"]);
});

test("numbers are readable on every colour of a picture", () => {
  const { ink, css } = colorings("picture", picture, palette);
  assert.deepEqual(ink, css.map(readableInk));
  for (let r = 0; r < 256; r += 17) for (let g = 0; g < 256; g += 17) for (let b = 0; b < 256; b += 17) {
    const [low, high] = [luminance([r, g, b]), luminance(numbersOf(readableInk(`rgb(${r},${g},${b})`)))]
      .sort((one, other) => one - other);
    assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${r} ${g} ${b}`);
  }
});

test("luminance as WCAG has it", () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.ok(Math.abs(luminance([255, 255, 255]) - 1) < 1e-12);
  assert.ok(Math.abs(luminance([119, 119, 119]) - 0.1845) < 1e-4);
});

test("every tensor has channels and places of its own, one scale of values for all", () => {
  const inputs = [{ first: 0, sizes: [2, 1] }, { first: 2, sizes: [3, 1] }];
  const of = { ...picture, inputs, value: Float32Array.of(0, 0.25, 0.5, 0.75, 1) };
  assert.deepEqual(colorings("channel", of, palette).css, ["#111111", "#222222", "#111111", "#222222", "#333333"]);
  const { css } = colorings("position", of, palette);
  assert.equal(css[0], css[2]);
  assert.equal(css[1], css[4]);
  assert.equal(colorings("value", of, palette).z, of.value);
});

test("a picture among several tensors: the others are grey", () => {
  const of = {
    inputs: [{ first: 0, sizes: [2, 1] }, { first: 2, sizes: [3, 1, 1] }], outputs: [{ first: 0, sizes: [5, 1] }],
    range: [0, 1], rgb: 1, value: Float32Array.of(1, 1, 1, 0, 1), source: Int32Array.of(0, 1, 2, 3, 4),
  };
  assert.deepEqual(colorings("picture", of, palette).css, [
    "rgb(128,128,128)", "rgb(128,128,128)", "rgb(255,0,255)", "rgb(255,0,255)", "rgb(255,0,255)",
  ]);
});

test("two pictures of the same elements, as in a comparison: the first has its own colours", () => {
  const of = {
    ...picture, outputs: [{ first: 0, sizes: [3, 2, 2] }, { first: 12, sizes: [3, 2, 2] }],
    source: Int32Array.of(...Array(12).keys(), ...[...Array(12).keys()].reverse()),
  };
  const alone = { ...of, outputs: of.outputs.slice(0, 1) };
  assert.deepEqual(colorings("picture", of, palette).css, colorings("picture", alone, palette).css);
});

test("planes: every element has the tint and the letter of its channel, as light as it is bright", () => {
  const { css, letters, ink } = colorings("planes", picture, palette);
  assert.equal(letters.join(""), "RRRRGGGGBBBB");
  assert.deepEqual([css[0], css[5], css[10]].map(numbersOf).map((rgb) => rgb.indexOf(Math.max(...rgb))), [0, 1, 2]);
  assert.equal(css[1], "rgb(0,0,0)");
  assert.deepEqual([ink[0], ink[1]], ["#000000", "#ffffff"]);
});

test("planes of an output alone: its sources have its channels' tints, what is in none has no letter", () => {
  const of = {
    ...picture, inputs: [{ first: 0, sizes: [1, 4, 1, 1] }], outputs: [{ first: 0, sizes: [1, 3, 1, 1] }],
    value: Float32Array.of(1, 1, 1, 1), source: Int32Array.of(2, 0, 1),
  };
  const { css, letters } = colorings("planes", of, palette);
  assert.deepEqual(letters, ["G", "B", "R", ""]);
  assert.equal(css[3], "rgb(128,128,128)");
});
