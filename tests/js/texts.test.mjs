import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { writeMarks, writeNumbers, writeTitle } = await load("texts");

/** What is written, with its font and color, on a canvas whose letters are all half as wide as they are high. */
function written(write) {
  const found = [];
  const g = {
    fillText: (...text) => found.push([...text, g.fillStyle, g.font, g.textAlign]),
    measureText: (text) => ({ width: text.length * parseFloat(/[\d.]+(?=px)/.exec(g.font)[0]) / 2 }),
  };
  write(g);
  return found;
}

const drawing = {
  input: { x: [10, 50], y: [20, 20], w: 40, h: 40, left: 10, top: 20 },
  output: { x: [200, 240, 280, 320], y: [160, 160, 160, 160], w: 40, h: 40, left: 200, top: 160 },
  source: [0, 1, -1, 1], labels: ["1", "2", "0", "2"], inputLabels: ["1", "2"],
  inks: ["white", "black"], palette: { ink: "ink" }, font: "serif", fontSize: 20, width: 400, height: 240,
};

test("a number stands in the middle of its cell, in the ink that its color takes", () => {
  const traces = [{ name: "input", numbered: [0, 1] }, { name: "output", numbered: [0, 3] }, { name: "padding", numbered: [2] }];
  const found = written((g) => traces.forEach((trace) => writeNumbers(g, trace, drawing)));
  const style = ["600 20px serif", "center"];
  assert.deepEqual(found, [
    ["1", 30, 41.2, "white", ...style], ["2", 70, 41.2, "black", ...style],
    ["1", 220, 181.2, "white", ...style], ["2", 340, 181.2, "black", ...style], ["0", 300, 181.2, "ink", ...style],
  ]);
});

test("a plane's title begins at its corner, an index is in the middle of its place", () => {
  const textfont = { size: 12, color: "line", family: "serif" };
  const title = { name: "title", xaxis: "x2", x: [0, 2], y: [-0.5, -0.5], text: ["[0, :, :]", "[1, :, :]"], textfont };
  assert.deepEqual(written((g) => writeMarks(g, title, drawing)), [
    ["[0, :, :]", 200, 137, "line", "12px serif", "left"], ["[1, :, :]", 280, 137, "line", "12px serif", "left"],
  ]);
  const rows = { name: "rows", xaxis: "x", x: [-0.25], y: [0.5], text: ["0"], textfont };
  assert.deepEqual(written((g) => writeMarks(g, rows, drawing)), [["0", 0, 43, "line", "12px serif", "center"]]);
});

test("a tensor's name is bold, and what else is said follows it", () => {
  const title = { text: "<b>Input</b>  {1, 2}", x: 0.25, y: 0.75, font: { size: 16, color: "ink" } };
  assert.deepEqual(written((g) => writeTitle(g, title, drawing)), [
    ["Input", 102, 54, "ink", "700 16px serif", "left"], ["  {1, 2}", 142, 54, "ink", "16px serif", "left"],
  ]);
});
