// @ts-check
/** The canvas over the heatmaps: what is hidden until it lands, what flies, what has just landed. */

import { cross, dots, hatch, sizeCanvas } from "./marks.js";
import { ease } from "./timeline.js";

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./model.js").Moves} Moves
 * @typedef {{x: ArrayLike<number>, y: ArrayLike<number>, w: number, h: number}} Pixels
 * @typedef {{input: Pixels, output: Pixels, source: Int32Array, moves: Moves, colors: string[],
 *            inks: string[] | null, labels: string[], inputLabels: string[], strange: number[],
 *            differing: number[], palette: Palette, font: string, fontSize: number, gap: number,
 *            still: boolean, followed: Set<number> | null,
 *            room: import("./arrange.js").Box,
 *            stages: {places: Pixels, order: Int32Array, fontSize: number}[] | null}} Board
 */

const SPRITES = 700;

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.ground = document.createElement("canvas");
    this.groundStep = -1;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.sprites = new Map();
    /** @type {Board | null} */
    this.board = null;
  }

  /**
   * A new picture: forget what was drawn for the old one.
   * @param {Board} board
   * @param {number} width
   * @param {number} height
   */
  show(board, width, height) {
    this.board = board;
    this.groundStep = -1;
    this.sprites.clear();
    sizeCanvas(this.canvas, width, height);
    sizeCanvas(this.ground, width, height);
  }

  /**
   * The moment (step, fraction), and nothing that was before it.
   * @param {number} step
   * @param {number} fraction
   */
  paint(step, fraction) {
    const { board, context, canvas, ground } = this;
    if (!board) return;
    const steps = board.moves.steps.length;
    if (this.groundStep !== step) this.prepare(step);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(ground, 0, 0);
    context.restore();
    if (board.stages) {
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
    for (let i = 0; i < x.length; i++) {
      if (hidden(i)) g.fillRect(x[i] - 0.5, y[i] - 0.5, w + 1, h + 1);
    }
    if (board.stages && step < moves.steps.length) {
      // between the parts of the rule the output's own titles and indices would be wrong
      g.fillRect(board.room.left - 30, board.room.top - 44, board.room.width + 30, board.room.height + 44);
    }
    g.fillStyle = palette.slot;
    for (let i = 0; i < x.length && !board.stages; i++) {
      if (hidden(i)) g.fillRect(x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
    }
    for (let i = 0; i < x.length; i++) {
      if (!hidden(i) && source[i] < 0) hatch(g, palette, x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
    }
    const strange = new Set(board.strange);
    for (const s of strange) dots(g, palette, board.input, s);
    for (let i = 0; i < x.length && strange.size; i++) {
      if (!hidden(i) && strange.has(source[i])) dots(g, palette, output, i);
    }
    for (const i of board.differing) if (!hidden(i)) cross(g, palette, output, i);
    if (board.inks && board.fontSize) {
      this.write(g, board.input, board.inputLabels, (i) => i, () => true);
      this.write(g, output, board.labels, (i) => source[i], (i) => source[i] >= 0 && !hidden(i));
    }
    this.groundStep = step;
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
    const { input, output, source, followed } = board;
    const { via, groups } = board.moves;
    const f = board.still ? 1 : ease(fraction);
    const strength = board.still ? fraction : 1;
    frames(g, board, input, groups[step].flatMap((i) => (source[i] >= 0 && !(via && via[i] >= 0) ? [source[i]] : [])));
    for (const i of groups[step]) {
      const from = via && via[i] >= 0 ? output : input;
      const at = via && via[i] >= 0 ? via[i] : source[i];
      let x = output.x[i];
      let y = output.y[i];
      let grown = 1;
      if (board.still) {
        // a cross-cut: it appears where it lands
      } else if (at < 0) {
        grown = f;
      } else {
        const dx = x - from.x[at];
        const dy = y - from.y[at];
        // a slight arc keeps squares off the cells that they pass over
        const lift = Math.min(34, Math.hypot(dx, dy) * 0.1) * 4 * f * (1 - f);
        if (followed?.has(i)) trail(g, board, from, at, x, y);
        x = from.x[at] + dx * f;
        y = from.y[at] + dy * f - lift;
      }
      g.globalAlpha = strength * (followed && !followed.has(i) ? 0.16 : 1);
      this.square(i, x, y, grown);
    }
    g.globalAlpha = 1;
  }

  /**
   * One flying element.
   * @param {number} i
   * @param {number} x
   * @param {number} y
   * @param {number} grown from 0 to 1
   */
  square(i, x, y, grown) {
    const board = /** @type {Board} */ (this.board);
    const { w, h } = board.output;
    if (grown === 1) {
      const sprite = this.sprite(i);
      if (sprite) {
        this.context.drawImage(sprite, x, y, w, h);
        return;
      }
    }
    this.drawSquare(this.context, i, x, y, grown);
  }

  /**
   * The picture of an element, drawn once for all that look like it.
   * @param {number} i
   * @returns {HTMLCanvasElement | null} null where too many look different
   */
  sprite(i) {
    const board = /** @type {Board} */ (this.board);
    const source = board.source[i];
    const name = `${source < 0 ? "" : board.colors[source]} ${board.labels[i]}`;
    const known = this.sprites.get(name);
    if (known || this.sprites.size >= SPRITES) return known ?? null;
    const canvas = document.createElement("canvas");
    sizeCanvas(canvas, board.output.w, board.output.h);
    this.drawSquare(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), i, 0, 0, 1);
    this.sprites.set(name, canvas);
    return canvas;
  }

  /**
   * @param {CanvasRenderingContext2D} g
   * @param {number} i
   * @param {number} x
   * @param {number} y
   * @param {number} grown
   */
  drawSquare(g, i, x, y, grown) {
    const board = /** @type {Board} */ (this.board);
    const { palette, gap, source, fontSize } = board;
    const { w: cellWidth, h: cellHeight } = board.output;
    const w = (cellWidth - gap) * grown;
    const h = (cellHeight - gap) * grown;
    const left = x + (cellWidth - w) / 2;
    const top = y + (cellHeight - h) / 2;
    g.fillStyle = source[i] < 0 ? palette.padding : board.colors[source[i]];
    g.fillRect(left, top, w, h);
    if (source[i] < 0) hatch(g, palette, left, top, w, h);
    if (cellWidth > 6) {
      g.strokeStyle = palette.accent;
      g.lineWidth = cellWidth > 18 ? 1.5 : 1;
      g.strokeRect(left + 0.75, top + 0.75, w - 1.5, h - 1.5);
    }
    if (fontSize && grown > 0.6) {
      g.font = `600 ${fontSize}px ${board.font}`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillStyle = board.inks && source[i] >= 0 ? board.inks[source[i]] : palette.ink;
      g.fillText(board.labels[i], x + cellWidth / 2, y + cellHeight / 2 + fontSize * 0.06);
    }
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
  }

  /**
   * The parts of the rule: every element on its way from one reading of the tensor to the next.
   * @param {number} step
   * @param {number} fraction
   */
  turn(step, fraction) {
    const board = /** @type {Board} */ (this.board);
    if (!board.stages || (step === 0 && fraction === 0)) return;
    const g = this.context;
    const f = board.still ? 1 : ease(fraction);
    const to = board.stages[fraction > 0 ? step : step - 1];
    const from = fraction > 0 ? (step > 0 ? board.stages[step - 1] : null) : to;
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
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {Pixels} at
 * @param {number[]} cells
 */
function frames(g, board, at, cells) {
  g.strokeStyle = board.palette.accent;
  g.lineWidth = at.w > 18 ? 2 : 1;
  g.beginPath();
  for (const i of new Set(cells)) g.rect(at.x[i] + 1, at.y[i] + 1, at.w - 2, at.h - 2);
  g.stroke();
}

/**
 * The way of a followed element.
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {Pixels} from
 * @param {number} at
 * @param {number} x
 * @param {number} y
 */
function trail(g, board, from, at, x, y) {
  const { w, h } = board.output;
  g.globalAlpha = 0.7;
  g.strokeStyle = board.palette.accent;
  g.lineWidth = 2;
  g.setLineDash([5, 4]);
  g.beginPath();
  g.moveTo(from.x[at] + from.w / 2, from.y[at] + from.h / 2);
  g.lineTo(x + w / 2, y + h / 2);
  g.stroke();
  g.setLineDash([]);
}
