// @ts-check
/** The canvas over the heatmaps: what is hidden until it lands, what flies, what has just landed. */

import { chosenBy } from "./data.js";
import { FAINT, drawPiece, drawSquare, flightOf, isHatched, liftOf, trail } from "./flight.js";
import { cross, dashedFrame, dots, fold, hatch, plainTensor, runsOf, sizeCanvas } from "./marks.js";
import MEASURES from "./measures.json" with { type: "json" };
import { rulers } from "./rulers.js";
import { Sprites, usesSprites, roomOf } from "./sprites.js";
import { ease } from "./timeline.js";

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./model.js").Moves} Moves
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, w: number, h: number}} Pixels
 * @typedef {{input: Pixels, output: Pixels, source: Int32Array, drivers: Int32Array | null, driverLength: number, driverApart?: number,
 *            tensors: {input: import("./data.js").Placed[], output: import("./data.js").Placed[]},
 *            moving: number, width: number, height: number, controls: {first: number, count: number}[], indices: {first: number, count: number}[],
 *            computed: (cell: number) => boolean,
 *            moves: Moves, colors: string[],
 *            inks: string[] | null, labels: string[], inputLabels: string[], strange: number[],
 *            differing: number[], contested: number[], covers: Int32Array, palette: Palette, font: string, fontSize: number, gap: number, scale: number,
 *            still: boolean, followed: Set<number> | null, texts: {boxes: import("./arrange.js").Box[]},
 *            room: import("./arrange.js").Box,
 *            parts: {at: Pixels, order: Int32Array, places: Int32Array, labels: string[], fontSize: number}[] | null}} Board
 * @typedef {{from: Pixels, to: Pixels, places: Int32Array, order: Int32Array, f: number}} Turn
 *   places: where the element at each new place was, or -1; order: the element; f: from 0 to 1
 */

export class Painter {
  /**
   * @param {HTMLCanvasElement} ground for what stands still during a step
   * @param {HTMLCanvasElement} canvas for what moves, over it
   */
  constructor(ground, canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.ground = ground;
    this.groundStep = -1;
    /** @type {import("./flight.js").Flight | null} */
    this.flight = null;
    /** @type {Sprites | null} */
    this.sprites = null;
    this.moment = { step: 0, fraction: 0 };
    this.whole = false;
    /** @type {Board | null} */
    this.board = null;
  }

  /**
   * Prepare for a new picture; discard what was drawn for the old one.
   * @param {Board} board
   */
  show(board) {
    this.board = board;
    this.groundStep = -1;
    this.flight = null;
    const small = usesSprites(board);
    for (const { style } of [this.canvas, this.ground]) {
      style.imageRendering = small ? "pixelated" : "";
      style.translate = "";
    }
    if (!small) sizeCanvas(this.ground, board.width, board.height);
    this.sprites = small ? new Sprites(contextOf(this.ground), this.context, board) : null;
  }

  /**
   * Draw the moment (step, fraction) from scratch.
   * @param {number} step
   * @param {number} fraction
   */
  paint(step, fraction) {
    const { board, context, canvas } = this;
    if (!board) return;
    this.moment = { step, fraction };
    const steps = board.moves.steps.length;
    if (this.sprites?.look(this.whole)) this.groundStep = -1;
    if (this.groundStep !== step) this.prepare(step);
    // an empty canvas would be copied for every frame, too
    const empty = step === steps || step + fraction === 0;
    if (empty && canvas.hidden) return;
    canvas.hidden = empty;
    if (this.sprites) {
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.restore();
    } else sizeCanvas(canvas, board.width, board.height);
    if (board.parts) {
      if (step < steps) this.turn(step, fraction);
    } else if (step < steps && fraction > 0) this.fly(step, fraction);
    else if (step > 0 && step < steps) this.mark(step - 1);
  }

  /** The page was scrolled: draw what has come into the window. */
  scrolled() {
    if (!this.sprites?.look(this.whole)) return;
    this.groundStep = -1;
    this.paint(this.moment.step, this.moment.fraction);
  }

  /**
   * What stands still during a step: empty places, and the marks on what has landed.
   * @param {number} step
   */
  prepare(step) {
    const board = /** @type {Board} */ (this.board);
    const g = contextOf(this.ground);
    g.clearRect(0, 0, this.ground.width, this.ground.height);
    this.groundStep = step;
    if (this.sprites) {
      this.sprites.prepare(step);
      return;
    }
    const { palette, gap, moves, output } = board;
    const { x, y, w, h } = output;
    const hidden = (/** @type {number} */ i) => moves.stepOf[i] >= step;
    g.fillStyle = palette.paper;
    for (const [first, last] of runsOf(output, hidden)) {
      g.fillRect(x[first] - 0.5, y[first] - 0.5, x[last] - x[first] + w + 1, h + 1);
    }
    if (board.parts && step < moves.steps.length) {
      // between the parts of the rule the output's own titles and indices would be wrong
      const { left, top, right, bottom } = roomOf(board);
      g.fillRect(left, top, right - left, bottom - top);
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
    for (const own of board.controls) plainTensor(g, board.input, own, board);
    for (const own of board.indices) dashedFrame(g, output, own, board);
    this.decorate(g, landed);
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
      if (isHatched(board, i)) hatch(g, palette, x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
      else if (strange.has(source[i])) dots(g, palette, output, i);
      if (differing.has(i)) cross(g, palette, output, i);
      if (contested.has(i)) fold(g, palette, output, i);
    }
  }

  /**
   * @param {number} step
   * @param {number} fraction
   */
  fly(step, fraction) {
    const board = /** @type {Board} */ (this.board);
    if (this.sprites) {
      this.sprites.fly(step, fraction);
      return;
    }
    const g = this.context;
    const f = board.still ? 1 : ease(fraction);
    if (this.flight?.step !== step) this.flight = flightOf(board, step);
    frames(g, board, board.input, [...this.flight.sources, ...(board.moves.steps[step].marks ?? [])]);
    frames(g, board, board.output, board.moves.steps[step].used ?? []);
    // a tile that passes another one hides its number otherwise
    for (const layer of /** @type {import("./flight.js").Layer[]} */ (["tiles", "labels"])) {
      for (const piece of this.flight.pieces) {
        g.globalAlpha = (board.still ? fraction : 1) * (piece.faint ? FAINT : 1);
        if (board.still) drawPiece(g, board, piece, piece.dx, piece.dy, 1, layer);
        else if (piece.grows) drawPiece(g, board, piece, 0, 0, f, layer);
        else {
          if (piece.trail && layer === "tiles") trail(g, board, piece);
          const lift = liftOf(piece.dx, piece.dy) * 4 * f * (1 - f);
          drawPiece(g, board, piece, piece.dx * f, piece.dy * f - lift, 1, layer);
        }
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
    const { via, groups, steps } = board.moves;
    const passed = (/** @type {number} */ i) => (via ? via[i] : -1);
    const own = groups[step];
    const landed = own.concat(own.map(passed).filter((v) => v >= 0), steps[step].used ?? []);
    const taken = own.filter((i) => source[i] >= 0 && passed(i) < 0).map((i) => source[i]);
    const chose = own.flatMap((i) => chosenBy(board, i));
    const marked = taken.concat(chose, steps[step].marks ?? []);
    if (this.sprites) this.sprites.mark({ input: marked, output: landed });
    else {
      frames(this.context, board, output, landed);
      frames(this.context, board, input, marked);
    }
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
    const places = from === to ? to.order.map((_element, place) => place) : to.places;
    const a = from ? from.at : board.input;
    if (this.sprites) {
      this.sprites.turn({ from: a, to: to.at, places, order: to.order, f });
      return;
    }
    const { gap, palette } = board;
    g.textAlign = "center";
    g.textBaseline = "middle";
    const inks = (/** @type {number} */ element) => (element >= 0 && board.inks ? board.inks[element] : palette.ink);
    const tile = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h,
      /** @type {number} */ element) => {
      g.fillStyle = element < 0 ? palette.padding : board.colors[element];
      g.fillRect(x + gap / 2, y + gap / 2, w - gap, h - gap);
      if (element < 0) hatch(g, palette, x + gap / 2, y + gap / 2, w - gap, h - gap);
    };
    const number = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h,
      /** @type {number} */ element, /** @type {string} */ label, /** @type {number} */ size) => {
      if (size < 8) return;
      g.font = `600 ${size}px ${board.font}`;
      g.fillStyle = inks(element);
      g.fillText(label, x + w / 2, y + h / 2 + size * 0.06);
    };
    const labelOf = (/** @type {number} */ element, /** @type {string} */ constant) => (element < 0 ? constant : board.inputLabels[element]);
    // what is not taken fades where it is
    if (from && from !== to && f < 1) {
      const taken = new Uint8Array(from.order.length);
      for (const place of places) if (place >= 0) taken[place] = 1;
      g.globalAlpha = 1 - f;
      from.order.forEach((element, place) => {
        if (taken[place]) return;
        tile(a.x[place], a.y[place], a.w, a.h, element);
        number(a.x[place], a.y[place], a.w, a.h, element, labelOf(element, from.labels[place]), from.fontSize);
      });
      g.globalAlpha = 1;
    }
    const go = (/** @type {number} */ p, /** @type {number} */ q) => p + (q - p) * f;
    const size = go(from ? from.fontSize : board.fontSize, to.fontSize);
    // a tile that passes another one hides its number otherwise
    for (const draw of [tile, number]) {
      for (let place = 0; place < to.order.length; place++) {
        const element = to.order[place];
        const was = places[place];
        const label = labelOf(element, to.labels[place]);
        if (was < 0) {
          // a constant comes from nowhere
          g.globalAlpha = f;
          draw(to.at.x[place], to.at.y[place], to.at.w, to.at.h, element, label, to.fontSize);
          g.globalAlpha = 1;
        } else {
          draw(go(a.x[was], to.at.x[place]), go(a.y[was], to.at.y[place]), go(a.w, to.at.w), go(a.h, to.at.h), element, label, size);
        }
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
  g.globalAlpha = at.w > 16 ? 1 : MEASURES.patterns.faintFrame;
  g.beginPath();
  for (const i of new Set(cells)) g.rect(at.x[i] + 1, at.y[i] + 1, at.w - 2, at.h - 2);
  g.stroke();
  g.globalAlpha = 1;
}

/** @param {HTMLCanvasElement} canvas */
function contextOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}
