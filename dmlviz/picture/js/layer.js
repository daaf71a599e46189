// @ts-check
/** Canvases over the board, no larger than what the window shows of it: a tall board has many more
 * pixels than are ever seen at once, and the browser copies all of a canvas for every frame. */

import { make } from "./dom.js";
import { sizeCanvas } from "./marks.js";

/** @typedef {import("./arrange.js").Box} Box */

/** Pixels by which what is drawn grows and shrinks when the window is scrolled. */
const TILE = 128;

/**
 * A canvas that does not take the pointer.
 * @param {string} [name] of a class of its own
 */
export function makeCanvas(name = "") {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", `dmlviz-canvas ${name}`));
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/** What is marked on the board from time to time. */
export class Layer {
  /**
   * @param {string} [name] of a class of its own
   * @param {number} [most] pixels of a board that is drawn whole, whatever part is in the window
   */
  constructor(name, most = 0) {
    this.canvas = makeCanvas(name);
    this.canvas.hidden = true;
    this.most = most;
    this.size = { width: 0, height: 0 };
    /** @type {Box | null} */
    this.part = null;
    /** whether what is not in the window is drawn too */
    this.whole = false;
  }

  /**
   * @param {number} width of the board
   * @param {number} height
   */
  fit(width, height) {
    this.size = { width, height };
    this.part = null;
  }

  /** What has to be drawn now. */
  drawn() {
    const { width, height } = this.size;
    return partInWindow(this.canvas, this.size, this.whole || width * height <= this.most);
  }

  /** Whether the window shows another part of the board now than the one that is drawn. */
  get moved() {
    return !this.canvas.hidden && !sameBox(this.part, this.drawn());
  }

  /**
   * An empty canvas, in the board's pixels.
   * @param {boolean} wanted whether anything is drawn; an empty canvas would be copied, too
   * @returns {CanvasRenderingContext2D | null}
   */
  begin(wanted) {
    const { canvas } = this;
    canvas.hidden = !wanted;
    if (!wanted) {
      canvas.width = canvas.height = 1;
      this.part = null;
      return null;
    }
    const part = this.drawn();
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    if (this.part && sameBox(this.part, part)) g.clearRect(part.left, part.top, part.width, part.height);
    else placeCanvas(canvas, part);
    this.part = part;
    return g;
  }
}

/**
 * The part of the board that is in the window, in whole tiles.
 * @param {HTMLCanvasElement} canvas on the board
 * @param {{width: number, height: number}} board
 * @param {boolean} whole all of it, seen or not
 * @returns {Box}
 */
export function partInWindow(canvas, { width, height }, whole) {
  const stage = canvas.parentElement?.parentElement;
  if (whole || !stage || !canvas.parentElement) return { left: 0, top: 0, width, height };
  const at = canvas.parentElement.getBoundingClientRect();
  const around = stage.getBoundingClientRect();
  const edges = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ most) => {
    const first = Math.min(most, Math.max(0, Math.floor(from / TILE) * TILE));
    return [first, Math.max(first, Math.min(most, Math.ceil(to / TILE) * TILE))];
  };
  const [left, right] = edges(Math.max(0, around.left) - at.left, Math.min(innerWidth, around.right) - at.left, width);
  const [top, bottom] = edges(Math.max(0, around.top) - at.top, Math.min(innerHeight, around.bottom) - at.top, height);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * @param {Box | null} a
 * @param {Box} b
 */
export function sameBox(a, b) {
  return a !== null && a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}

/**
 * Make a canvas a part of the board, in whose pixels it is drawn on.
 * @param {HTMLCanvasElement} canvas
 * @param {Box} part
 * @param {number} [ratio] as sizeCanvas takes it
 */
export function placeCanvas(canvas, { left, top, width, height }, ratio) {
  sizeCanvas(canvas, width, height, ratio);
  canvas.style.translate = `${left}px ${top}px`;
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).translate(-left, -top);
}
