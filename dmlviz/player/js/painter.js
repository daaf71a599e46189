// @ts-check
/** The canvas over the heatmaps: what is hidden until it lands, what flies, what is marked. */

import { ease } from "./timeline.js";

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./arrange.js").Arrangement} Arrangement
 * @typedef {{x: Float64Array, y: Float64Array, w: number, h: number}} Pixels
 * @typedef {{input: Pixels, output: Pixels, source: Int32Array, stepOf: ArrayLike<number>,
 *            via: ArrayLike<number> | null, colors: string[], labels: string[],
 *            palette: Palette, font: string, fontSize: number, gap: number, steps: number,
 *            groups: number[][], still: boolean}} Board
 */

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.ground = document.createElement("canvas");
    this.groundStep = -1;
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
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  /**
   * The moment (step, fraction), and nothing that was before it.
   * @param {number} step
   * @param {number} fraction
   */
  paint(step, fraction) {
    const { board, context, canvas, ground } = this;
    if (!board) return;
    if (this.groundStep !== step) this.prepare(step);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(ground, 0, 0);
    context.restore();
    if (step < board.steps && fraction > 0) this.fly(step, fraction);
    else if (step > 0 && step < board.steps) this.mark(step - 1);
  }

  /**
   * What stands still during a step: empty places, and the hatching of padding that has landed.
   * @param {number} step
   */
  prepare(step) {
    const board = /** @type {Board} */ (this.board);
    const g = /** @type {CanvasRenderingContext2D} */ (this.ground.getContext("2d"));
    g.clearRect(0, 0, this.ground.width, this.ground.height);
    const { x, y, w, h } = board.output;
    const { palette, gap } = board;
    g.fillStyle = palette.paper;
    for (let i = 0; i < x.length; i++) {
      if (board.stepOf[i] >= step) g.fillRect(x[i] - 0.5, y[i] - 0.5, w + 1, h + 1);
    }
    g.fillStyle = palette.slot;
    for (let i = 0; i < x.length; i++) {
      if (board.stepOf[i] >= step) g.fillRect(x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
      else if (board.source[i] < 0) {
        this.hatch(g, x[i] + gap / 2, y[i] + gap / 2, w - gap, h - gap);
        g.fillStyle = palette.slot;
      }
    }
    this.groundStep = step;
  }

  /**
   * Strokes that say "padding value" where colour alone would not.
   * @param {CanvasRenderingContext2D} g
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {number} h
   */
  hatch(g, x, y, w, h) {
    const board = /** @type {Board} */ (this.board);
    // in a corner, so that the number stays clear of it
    const reach = Math.min(w, h) * 0.42;
    g.strokeStyle = board.palette.hatch;
    g.lineWidth = Math.max(1, reach / 9);
    g.beginPath();
    for (let part = 1; part <= 3; part++) {
      const d = (reach * part) / 3;
      g.moveTo(x, y + d);
      g.lineTo(x + d, y);
    }
    g.stroke();
  }

  /**
   * @param {number} step
   * @param {number} fraction
   */
  fly(step, fraction) {
    const board = /** @type {Board} */ (this.board);
    const g = this.context;
    const { input, output, source, via, gap } = board;
    const f = board.still ? 1 : ease(fraction);
    g.globalAlpha = board.still ? fraction : 1;
    g.lineWidth = 1.5;
    g.strokeStyle = board.palette.accent;
    for (const i of board.groups[step]) {
      if (source[i] >= 0 && !(via && via[i] >= 0)) {
        const s = source[i];
        g.strokeRect(input.x[s] + 1, input.y[s] + 1, input.w - 2, input.h - 2);
      }
    }
    g.font = `600 ${board.fontSize}px ${board.font}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (const i of board.groups[step]) {
      const toX = output.x[i];
      const toY = output.y[i];
      let x = toX;
      let y = toY;
      let grown = 1;
      const s = source[i];
      const from = via && via[i] >= 0 ? output : input;
      const at = via && via[i] >= 0 ? via[i] : s;
      if (board.still) {
        // a cross-cut: it appears where it lands
      } else if (at < 0) {
        grown = f;
      } else {
        const dx = toX - from.x[at];
        const dy = toY - from.y[at];
        // a slight arc keeps squares off the cells that they pass over
        const lift = Math.min(34, Math.hypot(dx, dy) * 0.1) * 4 * f * (1 - f);
        x = from.x[at] + dx * f;
        y = from.y[at] + dy * f - lift;
      }
      const w = (output.w - gap) * grown;
      const h = (output.h - gap) * grown;
      const left = x + output.w / 2 - w / 2;
      const top = y + output.h / 2 - h / 2;
      g.fillStyle = board.colors[i];
      g.fillRect(left, top, w, h);
      if (s < 0) this.hatch(g, left, top, w, h);
      if (output.w > 6) {
        g.strokeStyle = board.palette.accent;
        g.lineWidth = 1.5;
        g.strokeRect(left + 0.75, top + 0.75, w - 1.5, h - 1.5);
      }
      if (board.fontSize && grown > 0.6) {
        g.fillStyle = board.palette.ink;
        g.fillText(board.labels[i], x + output.w / 2, y + output.h / 2 + board.fontSize * 0.06);
      }
    }
    g.globalAlpha = 1;
  }

  /**
   * Frames round what has just landed and where it came from.
   * @param {number} step
   */
  mark(step) {
    const board = /** @type {Board} */ (this.board);
    const g = this.context;
    const { input, output, source, via } = board;
    g.strokeStyle = board.palette.accent;
    g.lineWidth = output.w > 14 ? 2 : 1;
    for (const i of board.groups[step]) {
      g.strokeRect(output.x[i] + 1, output.y[i] + 1, output.w - 2, output.h - 2);
      const s = source[i];
      if (via && via[i] >= 0) {
        const v = via[i];
        g.strokeRect(output.x[v] + 1, output.y[v] + 1, output.w - 2, output.h - 2);
      } else if (s >= 0) {
        g.strokeRect(input.x[s] + 1, input.y[s] + 1, input.w - 2, input.h - 2);
      }
    }
  }
}
