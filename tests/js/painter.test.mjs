import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

globalThis.window = /** @type {any} */ ({ devicePixelRatio: 1 });
const { Painter } = await load("painter");
const { withCovered } = await load("covered");
const { ease } = await load("timeline");
const { Quiz } = await load("quiz");

/** A canvas that keeps what was drawn since it was cleared, with the colour it was drawn in. */
function sheet() {
  const drawn = [];
  const g = new Proxy({}, {
    get(set, name) {
      if (name in set) return set[name];
      if (name === "clearRect") return () => { drawn.length = 0; };
      return (...numbers) => {
        const color = String(name).startsWith("stroke") ? set.strokeStyle : set.fillStyle;
        drawn.push({ name, numbers, color, alpha: set.globalAlpha });
      };
    },
    set(set, name, value) { set[name] = value; return true; },
  });
  const calls = (name) => drawn.filter((one) => one.name === name);
  const order = () => drawn.map(({ name }) => name);
  return { width: 0, height: 0, style: {}, getContext: () => g, calls, order };
}

const palette = { paper: "paper", slot: "slot", ink: "ink", accent: "accent", padding: "padding", hatch: "hatch" };

/** A row of two cells, and below it to the right a row of four, which two steps fill. */
function shown(more = {}) {
  const source = [0, 1, -1, 1];
  const board = {
    input: { x: [0, 40], y: [0, 0], w: 40, h: 40 },
    output: { x: [200, 240, 280, 320], y: [160, 160, 160, 160], w: 40, h: 40 },
    source: Int32Array.from(source),
    moves: { via: null, groups: [[0, 1], [2, 3]], stepOf: [0, 0, 1, 1], steps: ["one", "two"] },
    colors: ["red", "blue"], inks: null, labels: ["1", "2", "0", "2"], inputLabels: ["1", "2"],
    strange: [1], differing: [0], contested: [], covers: new Int32Array(0), palette, font: "serif", fontSize: 20, gap: 2, scale: 1,
    still: false, followed: null, parts: null, texts: { boxes: [] }, width: 400, height: 240, drivers: null, driverLength: 1, controls: [], indices: [], computed: () => false, moving: 2, ...more,
  };
  const [ground, canvas] = [sheet(), sheet()];
  const painter = new Painter(ground, canvas);
  painter.show(board);
  return { board, ground, canvas, painter };
}

/** Where squares of a colour were drawn, without the gap round them. */
const squares = (canvas, color) => canvas.calls("fillRect")
  .filter((one) => one.color === color && one.numbers[2] === 38)
  .map(({ numbers: [x, y] }) => [x - 1, y - 1]);

test("a flight begins at its source, ends in its place, and rises over the straight way", () => {
  const { painter, canvas } = shown();
  for (const fraction of [1e-9, 0.25, 0.5, 0.75, 1 - 1e-9]) {
    painter.paint(0, fraction);
    const f = ease(fraction);
    const lift = Math.hypot(200, 160) * 0.1 * 4 * f * (1 - f);
    const [[x, y]] = squares(canvas, "red");
    assert.ok(Math.abs(x - 200 * f) < 0.01);
    assert.ok(Math.abs(y - (160 * f - lift)) < 0.01, `at ${fraction}: ${y}`);
    assert.deepEqual(squares(canvas, "blue"), [[x + 40, y]]);
  }
});

test("a way may be long, its arc is not", () => {
  const output = { x: [5000, 5040, 5080, 5120], y: [0, 0, 0, 0], w: 40, h: 40 };
  const { painter, canvas } = shown({ output });
  painter.paint(0, 0.5);
  assert.deepEqual(squares(canvas, "red"), [[2500, -34]]);
});

test("a number stands in the middle of its square, in flight, too", () => {
  const { painter, canvas } = shown();
  painter.paint(0, 0.5);
  const due = squares(canvas, "red").concat(squares(canvas, "blue"))
    .map(([x, y]) => [x + 20, y + 20 + 20 * 0.06]);
  assert.deepEqual(canvas.calls("fillText").map(({ numbers: [, x, y] }) => [x, y]), due);
});

test("padding values grow in the middle of their places", () => {
  const { painter, canvas } = shown();
  painter.paint(1, 0.5);
  const [{ numbers }] = canvas.calls("fillRect").filter(({ color }) => color === "padding");
  assert.deepEqual(numbers, [280 + 20 - 9.5, 160 + 20 - 9.5, 19, 19]);
});

test("what has landed has its marks, what has not an empty place", () => {
  const { painter, ground } = shown();
  const dots = () => ground.calls("fillRect").filter(({ color }) => color === "ink").map(({ numbers: [x] }) => Math.floor(x / 40));
  painter.paint(1, 0);
  assert.deepEqual(squares(ground, "slot"), [[280, 160], [320, 160]]);
  assert.deepEqual(dots(), [1, 1, 1, 1, 6, 6, 6, 6], "NaN in the input, and its copy");
  assert.equal(ground.calls("fill").filter(({ color }) => color === "accent").length, 1, "one differs");
  assert.equal(ground.calls("stroke").filter(({ color }) => color === "hatch").length, 0);
  painter.paint(2, 0);
  assert.deepEqual(squares(ground, "slot"), []);
  assert.deepEqual(dots(), [1, 1, 1, 1, 6, 6, 6, 6, 8, 8, 8, 8]);
  assert.equal(ground.calls("stroke").filter(({ color }) => color === "hatch").length, 1);
});

test("between steps what has landed is framed, and where it came from", () => {
  const { painter, canvas } = shown();
  painter.paint(1, 0);
  assert.deepEqual(canvas.calls("rect").map(({ numbers: [x, y] }) => [x - 1, y - 1]), [
    [200, 160], [240, 160], [0, 0], [40, 0],
  ]);
  for (const step of [0, 2]) {
    painter.paint(step, 0);
    assert.deepEqual(canvas.calls("rect"), []);
  }
});

test("what is covered later lands first and is seen until it is covered", () => {
  const { board, painter, ground } = shown();
  const moves = {
    via: null, groups: [[0, 4, 5], [1], [2, 3]], stepOf: [0, 1, 2, 2, 0, 0], steps: [{}, { marks: [0] }, {}],
    covers: Int32Array.of(1, 3), before: Int32Array.of(0, 0),
  };
  painter.show(withCovered({ ...board, strange: [], moves, source: Int32Array.of(0, 1, -1, 1), contested: [1] }));
  const red = () => squares(ground, "red").map(([x]) => x);
  painter.paint(0, 0);
  assert.deepEqual(red(), []);
  painter.paint(1, 0);
  assert.deepEqual(red(), [240, 320]);
  assert.equal(ground.calls("fill").filter(({ color }) => color === "ink").length, 0);
  painter.paint(2, 0);
  assert.deepEqual(red(), [320]);
  assert.equal(ground.calls("fill").filter(({ color }) => color === "ink").length, 1);
  painter.paint(3, 0);
  assert.deepEqual(red(), []);
  painter.paint(1, 0);
  assert.deepEqual(red(), [240, 320]);
});

test("a value that is computed has no strokes of a constant", () => {
  const strokes = (/** @type {object} */ more) => {
    const { painter, ground } = shown(more);
    painter.paint(2, 0);
    return ground.calls("stroke").filter(({ color }) => color === "hatch").length;
  };
  assert.equal(strokes({}), 1);
  assert.equal(strokes({ computed: () => true }), 0);
});

test("a dashed line stands round an output of indices, and its cells keep their colours", () => {
  const { painter, canvas, ground } = shown({ indices: [{ first: 2, count: 2 }] });
  painter.paint(2, 0);
  const [line] = ground.calls("strokeRect").filter(({ numbers: [, , width] }) => width > 80);
  assert.deepEqual(line.numbers, [277.5, 157.5, 85, 45]);
  assert.equal(canvas.calls("strokeRect").length, 0);
});

test("while sizes are asked for, nothing is drawn where the output is, no line around it either", () => {
  const { board, painter, ground } = shown({ indices: [{ first: 2, count: 2 }] });
  const right = () => ground.calls("strokeRect").concat(ground.calls("fillRect"))
    .filter(({ numbers: [x, , width] }) => x + width > 100);
  const lines = () => right().filter(({ name }) => name === "strokeRect").length;
  for (const [phase, drawn] of [["place", 1], ["answered", 1], ["off", 1], ["choice", 0]]) {
    painter.show(Quiz.prototype.cleared.call({ phase }, board));
    painter.paint(0, 0);
    assert.equal(lines(), drawn, phase);
  }
  assert.deepEqual(right(), []);
});

/** A row of two, tiled to four, of which the first is left out, and a constant comes behind. */
function stages() {
  const at = (n, y) => ({ x: Array.from({ length: n }, (_none, k) => 200 + 40 * k), y: new Array(n).fill(y), w: 40, h: 40 });
  const part = (order, places, labels) => ({
    at: at(order.length, 160), order: Int32Array.from(order), places: Int32Array.from(places), labels, fontSize: 20,
  });
  return shown({
    parts: [part([0, 1, 0, 1], [0, 1, 0, 1], ["", "", "", ""]), part([1, 0, 1, -1], [1, 2, 3, -1], ["", "", "", "9"])],
    room: { left: 200, top: 160, width: 200, height: 80 },
    moves: { via: null, groups: [[], [0, 1, 2, 3]], stepOf: [1, 1, 1, 1], steps: ["tile", "cut"] },
  });
}

test("between parts a copied element leaves its source twice", () => {
  const { painter, canvas } = stages();
  painter.paint(0, 0.5);
  const f = ease(0.5);
  assert.deepEqual(squares(canvas, "red"), [[200 * f, 160 * f], [280 * f, 160 * f]]);
  assert.deepEqual(squares(canvas, "blue"), [[40 + 200 * f, 160 * f], [40 + 280 * f, 160 * f]]);
});

test("no tile hides the number of another one on its way", () => {
  for (const { painter, canvas } of [shown({ source: Int32Array.from([1, 0, -1, 1]) }), stages()]) {
    painter.paint(0, 0.5);
    const order = canvas.order();
    assert.equal(canvas.calls("fillText").length, painter.board.parts ? 4 : 2);
    assert.ok(order.indexOf("fillText") > order.lastIndexOf("fillRect"));
  }
});

test("between parts what is left out fades where it is, and a constant comes in its place", () => {
  const { painter, canvas } = stages();
  painter.paint(1, 0.25);
  const f = ease(0.25);
  const drawn = canvas.calls("fillRect").filter(({ numbers }) => numbers[2] === 38);
  const faded = drawn.filter(({ alpha }) => Math.abs(alpha - (1 - f)) < 1e-9);
  assert.deepEqual(faded.map(({ color, numbers: [x] }) => [color, x]), [["red", 201]]);
  const added = drawn.filter(({ color }) => color === "padding");
  assert.deepEqual(added.map(({ alpha, numbers: [x, y] }) => [alpha, x, y]), [[f, 321, 161]]);
  const nine = canvas.calls("fillText").filter(({ numbers: [text] }) => text === "9");
  assert.equal(nine.length, 1);
});

test("between two steps the tensor of the part stands still", () => {
  const { painter, canvas } = stages();
  painter.paint(1, 0);
  assert.deepEqual(squares(canvas, "red"), [[200, 160], [280, 160]]);
  assert.deepEqual(squares(canvas, "blue"), [[240, 160], [320, 160]]);
});
