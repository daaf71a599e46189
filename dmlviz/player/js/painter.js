// @ts-check
/** The canvas over the heatmaps: what is hidden until it lands, what flies, what has just landed. */

import { chosenBy } from "./data.js";
import { drawPiece, drawSquare, flightOf, trail } from "./flight.js";
import { cross, dashedFrame, dots, fold, hatch, plainTensor, runsOf, sizeCanvas } from "./marks.js";
import { rulers } from "./rulers.js";
import { ease } from "./timeline.js";

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./model.js").Moves} Moves
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, w: number, h: number}} Pixels
 * @typedef {{input: Pixels, output: Pixels, source: Int32Array, drivers: Int32Array | null, driverLength: number,
 *            tensors: {input: import("./data.js").Placed[], output: import("./data.js").Placed[]},
 *            moving: number, controls: {first: number, count: number}[], indices: {first: number, count: number}[],
 *            moves: Moves, colors: string[],
 *            inks: string[] | null, labels: string[], inputLabels: string[], strange: number[],
 *            differing: number[], contested: number[], covers: Int32Array, palette: Palette, font: string, fontSize: number, gap: number, scale: number,
 *            still: boolean, followed: Set<number> | null,
 *            room: import("./arrange.js").Box,
 *            parts: {places: Pixels, order: Int32Array, fontSize: number}[] | null}} Board
 */

export class Painter {
  /**
   * @param {HTMLCanvasElement} ground for what stands still during a step
   * @param {HTMLCanvasElement} canvas for what moves, over it
   */
  constructor(ground, canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.ground = ground;
    this.groundStep = -1;
    /** @type {import("./flight.js").Flight | null} */
    this.flight = null;
    /** @type {Board | null} */
    this.board = null;
  }

  /**
   * Prepare for a new picture; discard what was drawn for the old one.
   * @param {Board} board
   * @param {number} width
   * @param {number} height
   */
  show(board, width, height) {
    this.board = board;
    this.groundStep = -1;
    this.flight = null;
    sizeCanvas(this.canvas, width, height);
    sizeCanvas(this.ground, width, height);
  }

  /**
   * Draw the moment (step, fraction) from scratch.
   * @param {number} step
   * @param {number} fraction
   */
  paint(step, fraction) {
    const { board, context, canvas } = this;
    if (!board) return;
    const steps = board.moves.steps.length;
    if (this.groundStep !== step) this.prepare(step);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.restore();
    if (board.parts) {
      if (step < steps) this.turn(step, fraction);
    } else if (step < steps && fraction > 0) this.fly(step, fraction);
    else if (step > 0 && step < steps) this.mark(step - 1);
  }

  /**
   * What stands still during a step: empty places, and the marks on what has landed.
   * @param {number} step
   */
  prepare(step) {
    const board = /** @type {Board} */ (this.board);
    const g = /** @type {CanvasRenderingContext2D} */ (this.ground.getContext("2d"));
    g.clearRect(0, 0, this.ground.width, this.ground.height);
    const { palette, gap, moves, source, output } = board;
    const { x, y, w, h } = output;
    const hidden = (/** @type {number} */ i) => moves.stepOf[i] >= step;
    g.fillStyle = palette.paper;
    for (const [first, last] of runsOf(output, hidden)) {
      g.fillRect(x[first] - 0.5, y[first] - 0.5, x[last] - x[first] + w + 1, h + 1);
    }
    if (board.parts && step < moves.steps.length) {
      // between the parts of the rule the output's own titles and indices would be wrong
      const [aside, above] = [30 * board.scale, 44 * board.scale];
      g.fillRect(board.room.left - aside, board.room.top - above, board.room.width + aside, board.room.height + above);
    }
    g.fillStyle = palette.slot;
    if (!board.parts && !gap) {
      for (const [first, last] of runsOf(output, hidden)) g.fillRect(x[first], y[first], x[last] - x[first] + w, h);
    } else if (!board.parts) {
      for (let i = 0; i < x.length; i++) {
        if (hidden(i)) g.fillRect(x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
      }
    }
    const landed = seenOf(board, hidden);
    const own = x.length - board.covers.length;
    for (const i of landed) if (i >= own) drawSquare(g, board, i, x[i], y[i], 1, false);
    for (const s of board.strange) dots(g, palette, board.input, s);
    for (const own of board.controls) plainTensor(g, palette, board.input, own, gap, board.scale);
    for (const own of board.indices) dashedFrame(g, palette, output, own, board.scale);
    this.decorate(g, landed);
    if (board.inks && board.fontSize) {
      this.write(g, board.input, board.inputLabels, (i) => i, (i) => i < board.moving);
      this.write(g, output, board.labels, (i) => source[i], (i) => i < own && source[i] >= 0 && !hidden(i));
    }
    this.groundStep = step;
  }

  /**
   * Marks on output elements that have landed.
   * @param {CanvasRenderingContext2D} g
   * @param {number[]} landed
   */
  decorate(g, landed) {
    const board = /** @type {Board} */ (this.board);
    const { palette, gap, source, output } = board;
    const { x, y, w, h } = output;
    const strange = new Set(board.strange);
    const differing = new Set(board.differing);
    const contested = new Set(board.contested);
    for (const i of landed) {
      if (source[i] < 0) hatch(g, palette, x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
      else if (strange.has(source[i])) dots(g, palette, output, i);
      if (differing.has(i)) cross(g, palette, output, i);
      if (contested.has(i)) fold(g, palette, output, i);
    }
  }

  /**
   * Numbers in inks of their own.
   * @param {CanvasRenderingContext2D} g
   * @param {Pixels} at
   * @param {string[]} labels
   * @param {(i: number) => number} element
   * @param {(i: number) => boolean} shown
   */
  write(g, at, labels, element, shown) {
    const board = /** @type {Board} */ (this.board);
    g.font = `600 ${board.fontSize}px ${board.font}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let i = 0; i < at.x.length; i++) {
      if (!shown(i)) continue;
      g.fillStyle = board.inks ? board.inks[element(i)] : board.palette.ink;
      g.fillText(labels[i], at.x[i] + at.w / 2, at.y[i] + at.h / 2 + board.fontSize * 0.06);
    }
  }

  /**
   * @param {number} step
   * @param {number} fraction
   */
  fly(step, fraction) {
    const board = /** @type {Board} */ (this.board);
    const g = this.context;
    const f = board.still ? 1 : ease(fraction);
    if (this.flight?.step !== step) this.flight = flightOf(board, step);
    frames(g, board, board.input, [...this.flight.sources, ...(board.moves.steps[step].marks ?? [])]);
    for (const piece of this.flight.pieces) {
      g.globalAlpha = (board.still ? fraction : 1) * (piece.faint ? 0.16 : 1);
      if (board.still) drawPiece(g, board, piece, piece.dx, piece.dy, 1);
      else if (piece.grows) drawPiece(g, board, piece, 0, 0, f);
      else {
        if (piece.trail) trail(g, board, piece);
        // a slight arc keeps squares off the cells that they pass over
        const lift = Math.min(34, Math.hypot(piece.dx, piece.dy) * 0.1) * 4 * f * (1 - f);
        drawPiece(g, board, piece, piece.dx * f, piece.dy * f - lift, 1);
      }
    }
    g.globalAlpha = 1;
    rulers(g, board, board.moves.steps[step].points ?? []);
  }

  /**
   * Frames round what has just landed and where it came from.
   * @param {number} step
   */
  mark(step) {
    const board = /** @type {Board} */ (this.board);
    const { input, output, source } = board;
    const { via, groups } = board.moves;
    frames(this.context, board, output, groups[step]);
    const passed = (/** @type {number} */ i) => (via ? via[i] : -1);
    frames(this.context, board, output, groups[step].map(passed).filter((v) => v >= 0));
    frames(this.context, board, input, groups[step].filter((i) => source[i] >= 0 && passed(i) < 0).map((i) => source[i]));
    frames(this.context, board, input, groups[step].flatMap((i) => chosenBy(board, i)));
    frames(this.context, board, input, board.moves.steps[step].marks ?? []);
    rulers(this.context, board, board.moves.steps[step].points ?? []);
  }

  /**
   * The parts of the rule: every element on its way from one reading of the tensor to the next.
   * @param {number} step
   * @param {number} fraction
   */
  turn(step, fraction) {
    const board = /** @type {Board} */ (this.board);
    if (!board.parts || (step === 0 && fraction === 0)) return;
    const g = this.context;
    const f = board.still ? 1 : ease(fraction);
    const to = board.parts[fraction > 0 ? step : step - 1];
    const from = fraction > 0 ? (step > 0 ? board.parts[step - 1] : null) : to;
    const started = new Int32Array(board.input.x.length);
    if (from) from.order.forEach((element, place) => { started[element] = place; });
    const { gap, palette } = board;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let place = 0; place < to.order.length; place++) {
      const element = to.order[place];
      const a = from ? from.places : board.input;
      const at = from ? started[element] : element;
      const go = (/** @type {number} */ p, /** @type {number} */ q) => p + (q - p) * f;
      const x = go(a.x[at], to.places.x[place]);
      const y = go(a.y[at], to.places.y[place]);
      const w = go(a.w, to.places.w);
      const h = go(a.h, to.places.h);
      g.fillStyle = board.colors[element];
      g.fillRect(x + gap / 2, y + gap / 2, w - gap, h - gap);
      const size = go(from ? from.fontSize : board.fontSize, to.fontSize);
      if (size >= 8) {
        g.font = `600 ${size}px ${board.font}`;
        g.fillStyle = board.inks ? board.inks[element] : palette.ink;
        g.fillText(board.inputLabels[element], x + w / 2, y + h / 2 + size * 0.06);
      }
    }
  }
}

/**
 * Output cells that have landed and that none has covered since.
 * @param {Board} board
 * @param {(i: number) => boolean} hidden
 * @returns {number[]}
 */
function seenOf({ output, covers }, hidden) {
  const own = output.x.length - covers.length;
  const seen = [];
  for (let i = 0; i < output.x.length; i++) {
    if (!hidden(i) && (i < own || hidden(covers[i - own]))) seen.push(i);
  }
  return seen;
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {Pixels} at
 * @param {number[]} cells
 */
function frames(g, board, at, cells) {
  g.strokeStyle = board.palette.accent;
  g.lineWidth = (at.w > 18 ? 2 : 1) * board.scale;
  // around small cells full frames would be all that is seen
  g.globalAlpha = at.w > 16 ? 1 : 0.35;
  g.beginPath();
  for (const i of new Set(cells)) g.rect(at.x[i] + 1, at.y[i] + 1, at.w - 2, at.h - 2);
  g.stroke();
  g.globalAlpha = 1;
}
