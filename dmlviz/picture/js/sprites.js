// @ts-check
/** Many small cells without numbers: the same pictures as the painter's, pixel by pixel. */

import { chosenBy } from "./data.js";
import { FAINT, isHatched, liftOf, trail } from "./flight.js";
import { partInWindow, placeCanvas, sameBox } from "./layer.js";
import { cross, dashedFrame, dots, fold, hatch } from "./marks.js";
import { Raster, faded, inkOf, stampOf } from "./raster.js";
import { rulers } from "./rulers.js";
import { ease } from "./timeline.js";

/**
 * @typedef {import("./painter.js").Board} Board
 * @typedef {import("./painter.js").Pixels} Pixels
 * @typedef {import("./raster.js").Stamp} Stamp
 * @typedef {{step: number, cells: number[], x: Float64Array, y: Float64Array, lift: Float64Array,
 *            ink: Uint32Array, appears: Uint8Array}} Flight
 *   x, y: where each of the cells begins; lift: the height of its arc; appears: 1 if it comes from
 *   nowhere
 */

/** From so many cells on a canvas takes longer over its rectangles than over all its pixels. */
const MANY = 2_000;
/** Pixels of the largest cell that is drawn this way. */
const SMALL = 18;
/** What says no more than so many do: lines across the whole stage. */
const MOST_TRAILS = 300;
/** Pixels of the smallest cell in which strokes are seen. */
const HATCHED = 4;

/**
 * @param {Board} board
 * @returns {boolean} whether a picture is drawn this way
 */
export function usesSprites({ input, output, fontSize }) {
  return !fontSize && Math.max(input.x.length, output.x.length) >= MANY && output.w <= SMALL;
}

/**
 * Where the parts of the rule are shown, with what stands around the output.
 * @param {Board} board
 */
export function roomOf({ room: { left, top, width, height }, scale }) {
  return { left: left - 30 * scale, top: top - 44 * scale, right: left + width, bottom: top + height };
}

export class Sprites {
  /**
   * @param {CanvasRenderingContext2D} ground for what stands still during a step
   * @param {CanvasRenderingContext2D} context for what moves, over it
   * @param {Board} board
   */
  constructor(ground, context, board) {
    this.board = board;
    this.ground = ground;
    this.context = context;
    const { palette, output } = board;
    /** @type {Map<string, number>} */
    const known = new Map();
    const ink = (/** @type {string} */ css) => {
      const color = known.get(css) ?? inkOf(css);
      known.set(css, color);
      return color;
    };
    this.ink = ink;
    this.colors = Uint32Array.from(board.colors, ink);
    const [w, h] = [Math.max(1, Math.round(output.w)), Math.max(1, Math.round(output.h))];
    const one = { x: [0], y: [0], w: output.w, h: output.h };
    const inner = /** @type {const} */ ([board.gap / 2, board.gap / 2, output.w - board.gap, output.h - board.gap]);
    const stamp = (/** @type {(g: CanvasRenderingContext2D) => void} */ draw) => stampOf(w, h, draw);
    this.stamps = {
      padding: stamp((g) => {
        g.fillStyle = palette.padding;
        g.fillRect(...inner);
        hatch(g, palette, ...inner);
      }),
      dots: stamp((g) => dots(g, palette, one, 0)),
      cross: stamp((g) => cross(g, palette, one, 0)),
      fold: stamp((g) => fold(g, palette, one, 0)),
    };
    /** @type {Flight | null} */
    this.flight = null;
    /** @type {import("./arrange.js").Box | null} */
    this.seen = null;
    this.raster = new Raster(0, 0, 1, 1);
    /** the frames that elements fly over */
    this.below = this.raster;
  }

  /**
   * Follow the window: a tall board has many more pixels than are ever seen at once.
   * @param {boolean} whole everything is to be drawn, seen or not
   * @returns {boolean} whether another part is seen now, so that all has to be drawn again
   */
  look(whole) {
    const seen = partInWindow(this.context.canvas, this.board, whole);
    if (sameBox(this.seen, seen)) return false;
    this.seen = seen;
    for (const { canvas } of [this.ground, this.context]) placeCanvas(canvas, seen, 1);
    const { left, top, width, height } = seen;
    this.raster = new Raster(left, top, width, height);
    this.below = new Raster(left, top, width, height);
    this.flight = null;
    return true;
  }

  /**
   * What stands still during a step: empty places, and the marks on what has landed.
   * @param {number} step
   */
  prepare(step) {
    const { board, ground: g, stamps, ink } = this;
    const { palette, gap, moves, source, output, input, covers } = board;
    const { x, y, w, h } = output;
    const { raster } = this;
    raster.begin(null);
    const [paper, slot, padding] = [palette.paper, palette.slot, palette.padding].map(ink);
    const own = x.length - covers.length;
    const half = gap / 2;
    const strange = new Uint8Array(input.x.length);
    for (const s of board.strange) {
      strange[s] = 1;
      raster.stamp(stamps.dots, input.x[s], input.y[s]);
    }
    const resting = step >= moves.steps.length;
    // Plotly rounds edges in its own way: what it drew must not look out from under an empty place
    for (let i = 0; i < x.length; i++) {
      if (moves.stepOf[i] >= step) raster.fill(x[i] - 1, y[i] - 1, x[i] + w + 1, y[i] + h + 1, paper);
    }
    for (let i = 0; i < (resting || board.parts ? 0 : x.length); i++) {
      const empty = moves.stepOf[i] >= step;
      if (i >= own && !empty) continue;
      const ground = empty ? slot : source[i] < 0 ? padding : this.colors[source[i]];
      raster.fill(x[i] + half, y[i] + half, x[i] + w - half, y[i] + h - half, ground);
    }
    if (board.parts && !resting) {
      const { left, top, right, bottom } = roomOf(board);
      raster.fill(left, top, right, bottom, paper);
    }
    const marked = (/** @type {number[]} */ cells) => {
      const set = new Uint8Array(x.length);
      for (const i of cells) set[i] = 1;
      return set;
    };
    const [differing, contested] = [marked(board.differing), marked(board.contested)];
    for (let i = 0; i < x.length; i++) {
      const covered = i >= own && moves.stepOf[covers[i - own]] < step;
      if (moves.stepOf[i] >= step || covered) continue;
      if (i >= own) raster.fill(x[i] + half, y[i] + half, x[i] + w - half, y[i] + h - half, this.colors[source[i]]);
      if (isHatched(board, i) && w >= HATCHED) raster.stamp(stamps.padding, x[i], y[i]);
      else if (source[i] >= 0 && strange[source[i]]) raster.stamp(stamps.dots, x[i], y[i]);
      if (differing[i]) raster.stamp(stamps.cross, x[i], y[i]);
      if (contested[i]) raster.stamp(stamps.fold, x[i], y[i]);
    }
    const line = faded(ink(palette.line), 0.45);
    for (const { first, count } of gap ? board.controls : []) {
      for (let i = first; i < first + count; i++) {
        raster.frame(input.x[i] + half, input.y[i] + half, input.x[i] + w - half, input.y[i] + h - half, line);
      }
    }
    raster.put(g);
    for (const tensor of board.controls) dashedFrame(g, input, tensor, board);
    for (const tensor of board.indices) dashedFrame(g, output, tensor, board);
  }

  /**
   * The moment in a step at which elements are on their way.
   * @param {number} step
   * @param {number} fraction
   */
  fly(step, fraction) {
    const { board, context: g, raster } = this;
    if (this.flight?.step !== step) this.flight = this.flightOf(step);
    const { cells, x, y, lift, ink, appears } = this.flight;
    const { output, still, followed, source } = board;
    const f = still ? 1 : ease(fraction);
    const rise = 4 * f * (1 - f);
    const inset = board.gap / 2;
    const [w, h] = [output.w - inset, output.h - inset];
    raster.begin(this.below);
    for (let k = 0; k < cells.length; k++) {
      const i = cells[k];
      const left = x[k] + (output.x[i] - x[k]) * f;
      const top = y[k] + (output.y[i] - y[k]) * f - lift[k] * rise;
      if (source[i] < 0) {
        const strength = (still ? fraction : 1) * (followed && !followed.has(i) ? FAINT : 1);
        this.pad(raster, left, top, appears[k] ? f : 1, strength);
      } else {
        raster.fill(left + inset, top + inset, left + w, top + h, still ? faded(ink[k], fraction) : ink[k]);
      }
    }
    raster.put(g);
    if (followed && !still) this.trails(step);
    rulers(g, board, board.moves.steps[step].points ?? []);
  }

  /**
   * Every element on its way from one reading of the tensor to the next.
   * @param {import("./painter.js").Turn} turn
   */
  turn({ from, to, places, order, f }) {
    const { board, colors, raster } = this;
    const padding = this.ink(board.palette.padding);
    const half = board.gap / 2;
    const w = from.w + (to.w - from.w) * f - half;
    const h = from.h + (to.h - from.h) * f - half;
    raster.begin(null);
    for (let place = 0; place < order.length; place++) {
      const at = places[place];
      // a constant comes from nowhere
      if (at < 0 && f < 0.5) continue;
      const x = at < 0 ? to.x[place] : from.x[at] + (to.x[place] - from.x[at]) * f;
      const y = at < 0 ? to.y[place] : from.y[at] + (to.y[place] - from.y[at]) * f;
      raster.fill(x + half, y + half, x + w, y + h, order[place] < 0 ? padding : colors[order[place]]);
    }
    raster.put(this.context);
  }

  /**
   * Frames around what has just landed and where it came from.
   * @param {{input: number[], output: number[]}} cells
   */
  mark(cells) {
    const { board, context: g } = this;
    const { raster } = this;
    raster.begin(null);
    this.frames(raster, board.output, cells.output);
    this.frames(raster, board.input, cells.input);
    raster.put(g);
  }

  /**
   * @param {Raster} raster
   * @param {Pixels} at
   * @param {Iterable<number>} cells
   */
  frames(raster, at, cells) {
    const ink = faded(this.ink(this.board.palette.accent), 0.35);
    const off = at.w >= 5 ? 1 : 0;
    for (const i of cells) {
      raster.frame(at.x[i] + off, at.y[i] + off, at.x[i] + at.w - off, at.y[i] + at.h - off, ink);
    }
  }

  /**
   * A padding value, which may still be growing.
   * @param {Raster} raster
   * @param {number} left
   * @param {number} top
   * @param {number} grown from 0 to 1
   * @param {number} strength
   */
  pad(raster, left, top, grown, strength) {
    const { padding } = this.stamps;
    const { output, palette } = this.board;
    if (output.w < HATCHED) {
      const [x, y] = [output.w, output.h].map((side) => (side * (1 - grown)) / 2);
      const ink = faded(this.ink(palette.padding), strength);
      raster.fill(left + x, top + y, left + output.w - x, top + output.h - y, ink);
      return;
    }
    const inset = Math.round((Math.min(padding.width, padding.height) * (1 - grown)) / 2);
    raster.stamp(padding, left, top, strength, inset);
  }

  /**
   * @param {number} step
   * @returns {Flight}
   */
  flightOf(step) {
    const { board, colors } = this;
    const { input, output, source, followed, still } = board;
    const { via, groups, steps } = board.moves;
    const cells = groups[step];
    const [x, y, lift] = [0, 0, 0].map(() => new Float64Array(cells.length));
    const ink = new Uint32Array(cells.length);
    const appears = new Uint8Array(cells.length);
    const sources = new Uint8Array(input.x.length);
    for (let k = 0; k < cells.length; k++) {
      const i = cells[k];
      const passed = via ? via[i] : -1;
      const from = passed >= 0 ? output : input;
      const at = passed >= 0 ? passed : source[i];
      if (passed < 0 && at >= 0) sources[at] = 1;
      for (const d of chosenBy(board, i)) sources[d] = 1;
      appears[k] = Number(at < 0);
      x[k] = at < 0 || still ? output.x[i] : from.x[at];
      y[k] = at < 0 || still ? output.y[i] : from.y[at];
      lift[k] = liftOf(output.x[i] - x[k], output.y[i] - y[k]);
      if (source[i] >= 0) ink[k] = faded(colors[source[i]], followed && !followed.has(i) ? FAINT : 1);
    }
    for (const i of steps[step].marks ?? []) sources[i] = 1;
    const framed = [];
    for (let i = 0; i < sources.length; i++) if (sources[i]) framed.push(i);
    this.below.begin(null);
    this.frames(this.below, input, framed);
    return { step, cells, x, y, lift, ink, appears };
  }

  /** @param {number} step the ways of followed elements in it */
  trails(step) {
    const { board } = this;
    const { cells, x, y, appears } = /** @type {Flight} */ (this.flight);
    let drawn = 0;
    for (let k = 0; k < cells.length && drawn < MOST_TRAILS; k++) {
      if (appears[k] || !board.followed?.has(cells[k])) continue;
      drawn++;
      const [dx, dy] = [board.output.x[cells[k]] - x[k], board.output.y[cells[k]] - y[k]];
      trail(this.context, board, { fromX: [x[k]], fromY: [y[k]], dx, dy });
    }
  }
}
