import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { LETTER, arrange, arrangeFitting, arrangeWall, fitInto, fontFor, roomOver } = await load("arrange");
const small = { width: 3, height: 2 };
const large = { width: 9, height: 6 };

test("side by side where there is room", () => {
  const at = arrange(1200, 560, small, large, 1);
  assert.equal(at.stacked, false);
  assert.equal(at.input.top, at.output.top);
  assert.ok(at.output.left > at.input.left + at.input.width);
});

test("one below the other on a narrow page", () => {
  const at = arrange(360, 560, { width: 9, height: 6 }, { width: 9, height: 18 }, 2);
  assert.equal(at.stacked, true);
  assert.ok(at.output.top > at.input.top + at.input.height);
});

test("cells of both tensors are of one size", () => {
  const at = arrange(900, 560, small, large, 7);
  assert.ok(at.cellWidth > at.cell, "long numbers get wider cells");
  for (const [box, extent] of [[at.input, small], [at.output, large]]) {
    assert.ok(Math.abs(box.width - extent.width * at.cellWidth) < 1e-9);
    assert.ok(Math.abs(box.height - extent.height * at.cell) < 1e-9);
  }
});

test("everything lies on the canvas, whatever the sizes", () => {
  for (const width of [320, 375, 600, 1024, 1920]) {
    for (const [w, h] of [[1, 1], [3, 2], [10, 8], [32, 3.8], [40, 30], [2, 90]]) {
      for (const letters of [1, 4, 6]) {
        const at = arrange(width, 560, { width: w, height: h }, { width: w + 7, height: h + 5 }, letters);
        for (const box of [at.input, at.output]) {
          assert.ok(box.left >= 0 && box.top >= 0, `${width} ${w} ${h}`);
          assert.ok(box.left + box.width <= width + 0.001, `${width} ${w} ${h}: ${JSON.stringify(box)}`);
          assert.ok(box.top + box.height <= at.height + 0.001, `${width} ${w} ${h}`);
        }
      }
    }
  }
});

test("cells have a largest size", () => {
  assert.ok(arrange(4000, 4000, small, small, 1).cell <= 58);
  assert.equal(arrange(4000, 4000, small, small, 1, 20).cell, 20);
});

test("numbers go where they would be too small to read", () => {
  assert.equal(fontFor(8, 8, 1), 0);
  assert.equal(fontFor(30, 30, 12), 0);
  assert.ok(fontFor(58, 58, 2) >= 20);
  assert.ok(fontFor(1000, 1000, 1) <= 500, "air round the number");
});

test("a page of 1280 pixels puts them side by side, one of 390 below each other", () => {
  for (const [input, output] of [
    [{ width: 3, height: 2 }, { width: 9, height: 6 }], [{ width: 4, height: 4 }, { width: 10, height: 8 }],
    [{ width: 6.9, height: 12.05 }, { width: 6, height: 9.35 }],
  ]) {
    const wide = arrange(1000, 560, input, output, 2);
    assert.equal(wide.stacked, false);
    assert.ok(wide.output.left >= wide.input.left + wide.input.width);
    const narrow = arrange(358, 560, input, output, 2);
    assert.equal(narrow.stacked, true);
    assert.ok(narrow.output.top >= narrow.input.top + narrow.input.height);
    assert.ok(narrow.cell > arrange(1000, 560, input, output, 2).cell * 0.3);
  }
});

test("very long tensors are stacked on any page, very tall ones never", () => {
  const long = { width: 32, height: 3.8 };
  assert.equal(arrange(1000, 560, long, long, 2).stacked, true);
  const tall = { width: 2, height: 90 };
  assert.equal(arrange(1000, 560, tall, tall, 2).stacked, false);
});

test("zoom makes cells larger and smaller", () => {
  const cell = (zoom) => arrange(1000 * Math.max(1, zoom), 560 * zoom, small, large, 1, 58 * zoom).cell;
  assert.ok(cell(0.5) < cell(1) && cell(1) < cell(2) && cell(2) < cell(6));
  assert.ok(Math.abs(cell(2) / cell(1) - 2) < 0.2);
});

test("a tensor as large as it fits into a box, in its corner", () => {
  const box = { left: 100, top: 40, width: 90, height: 60 };
  const cells = { x: Float64Array.of(0, 1, 0, 1), y: Float64Array.of(0, 0, 2, 2) };
  const tensor = { width: 2, height: 3 };
  const at = fitInto(box, tensor, cells, 1000);
  assert.deepEqual([at.w, at.h], [20, 20]);
  assert.deepEqual([...at.x], [100, 120, 100, 120]);
  assert.deepEqual([...at.y], [40, 40, 80, 80]);
  assert.equal(fitInto(box, tensor, cells, 7).w, 7);
  assert.equal(fitInto({ ...box, width: 10 }, tensor, cells, 1000).w, 5);
});

test("before a room everything is in view, as large as it can be", () => {
  const wall = { tall: 860, most: 170, scale: 2, share: 0.56 };
  for (const [input, output] of [[small, large], [large, small], [{ width: 20, height: 20 }, { width: 40, height: 40 }], [{ width: 2, height: 60 }, { width: 3, height: 61 }], [{ width: 60, height: 2 }, { width: 61, height: 3 }]]) {
    const at = arrangeWall(1880, wall, input, output, 2);
    assert.ok(at.height <= wall.tall + 0.001, `${JSON.stringify(input)}: ${at.height}`);
    for (const box of [at.input, at.output]) {
      assert.ok(box.left >= 0 && box.left + box.width <= 1880.001);
      assert.ok(box.top >= at.head - 0.001 && box.top + box.height <= at.height + 0.001);
    }
    // whichever way gives larger cells
    const [other, own] = at.stacked ? ["beside", "stacked"] : ["stacked", "beside"];
    const across = at.stacked ? input.width + output.width : Math.max(input.width, output.width);
    const down = at.stacked ? Math.max(input.height, output.height) : input.height + output.height;
    const heads = at.stacked ? 1 : 2;
    const rest = (1880 - (at.stacked ? 224 : 64)) / across;
    assert.ok(at.cell >= Math.min(170, rest, (860 - heads * 152) / down) - 0.001, `${own} and not ${other}`);
  }
});

test("numbers before a room fill more of their cells", () => {
  assert.equal(fontFor(62, 62, 2, 0.56), 34.5);
  assert.ok(fontFor(62, 62, 2) < 29);
});

test("what is too long even in the smallest cells makes the canvas wider, to be scrolled", () => {
  const long = { width: 900, height: 2 };
  const at = arrange(1000, 560, long, long, 2);
  assert.equal(at.stacked, true, "one below the other: half as far to scroll");
  assert.ok(at.width > 1000);
  for (const box of [at.input, at.output]) assert.ok(box.left + box.width <= at.width);
});

test("titles wider than their tensors have room where there is some", () => {
  const titled = { ...small, title: 37 };
  const plain = arrange(1000, 560, small, small, 1);
  const at = arrange(1000, 560, titled, titled, 1);
  assert.ok(at.output.left - at.input.left >= 37 * LETTER);
  assert.equal(at.cell, plain.cell, "not at the cells' cost");
  const narrow = arrange(700, 560, titled, titled, 1);
  assert.equal(narrow.output.left, arrange(700, 560, small, small, 1).output.left);
});

test("above a plane there is what its neighbours leave", () => {
  const at = arrange(1000, 560, small, large, 1);
  const side = (sizes, air = 0) => ({ tensors: [{ sizes }], air, rowGap: 1.35 });
  assert.equal(roomOver(at, side([1, 1, 2, 3])), at.head - 26);
  assert.equal(roomOver(at, side([2, 2, 3])), Math.min(1.35 * at.cell, at.head - 26));
  assert.equal(roomOver(at, side([1, 1, 2, 3], 1.2)), Math.min(1.2 * at.cell - 28, at.head - 26));
});

test("many cells are a picture that is seen at once, fewer are large enough to point at", () => {
  const fitting = (width, tall, input, output, zoom = 1) => arrangeFitting(width, tall, input, output, 3, zoom, false);
  const square = (side) => ({ width: side, height: side });
  for (const [width, tall] of [[1366, 450], [1440, 600], [358, 560]]) {
    for (const side of [64, 128, 256]) {
      const at = fitting(width, tall, square(side / 2), square(side));
      assert.ok(at.width <= width && at.height <= tall * at.screens, `${width} ${side}`);
      assert.equal(at.screens, 1);
      assert.ok(fitting(width, tall, square(side / 2), square(side), 2).cell > 1.5 * at.cell);
    }
  }
  assert.ok(fitting(1366, 450, square(44), square(44)).cell >= 10);
  assert.equal(fitting(1366, 450, square(256), { width: 256, height: 520 }).screens, 2);
  const tall = fitting(1280, 560, { width: 128, height: 16_000 }, square(16));
  assert.ok(tall.height < 32_767, "a canvas of Firefox is not taller");
});
