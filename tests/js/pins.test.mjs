/** Lines of pins keep to the edges of cells: unbroken, and through no number. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { roomBetween, wayBetween } = await load("pins");
const { numberBox } = await load("texts");

/** Cells of rows and columns. */
function cells(left, top, rows, columns, side = 30) {
  const all = Array.from({ length: rows * columns }, (_cell, i) => i);
  return {
    x: all.map((i) => left + (i % columns) * side), y: all.map((i) => top + Math.floor(i / columns) * side),
    w: side, h: side,
  };
}

/** The number boxes that a line's straight parts go through. */
function crossed(at, [x, y], [u, v]) {
  const boxes = at.x.map((_x, i) => numberBox(at, i, "88", 0.64 * at.h));
  const [left, right] = [Math.min(x, u), Math.max(x, u)];
  const [top, bottom] = [Math.min(y, v), Math.max(y, v)];
  return boxes.filter((box) => right + 0.9 > box.left && left - 0.9 < box.left + box.width
    && bottom + 0.9 > box.top && top - 0.9 < box.top + box.height);
}

for (const [name, output] of [["beside", cells(260, 20, 5, 4)], ["below", cells(30, 260, 5, 4)]]) {
  test(`no line goes through a number where the output is ${name}`, () => {
    const input = cells(20, 20, 4, 5);
    const drawn = { input, output };
    const room = roomBetween(drawn);
    assert.equal(room.beside, name === "beside");
    for (let s = 0; s < 20; s++) {
      for (let o = 0; o < 20; o++) {
        for (const lane of [0, 1, 2]) {
          const [start, from, to, end] = wayBetween(drawn, room, s, o, lane);
          assert.deepEqual([...crossed(input, start, from), ...crossed(output, to, end)], []);
          const along = room.beside ? 0 : 1;
          assert(start[along] <= from[along] && from[along] <= to[along] && to[along] <= end[along]);
        }
      }
    }
  });
}

test("lines of several pins along the same edge lie side by side", () => {
  const drawn = { input: cells(20, 20, 4, 5), output: cells(260, 20, 5, 4) };
  const ends = [0, 1, 2].map((lane) => wayBetween(drawn, roomBetween(drawn), 0, 7, lane)[3][1]);
  assert.equal(new Set(ends).size, 3);
});
