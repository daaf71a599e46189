// @ts-check
/** All tensors of a chain, small, one for each call: choosing one puts its call on the stage. */

import { UNSEEN, colorAt } from "./colors.js";
import { cellsOf, indexOf, unpack } from "./data.js";
import { make, makeButton } from "./dom.js";
import { sizeCanvas } from "./marks.js";
import { fillIn } from "./sentence.js";

/**
 * @typedef {import("./data.js").ChainStrip} ChainStrip
 * @typedef {import("./data.js").StripTensor} StripTensor
 * @typedef {{own: StripTensor, box: HTMLElement, places: HTMLElement, numbers: Int32Array | null,
 *            base: HTMLCanvasElement | null, marks: HTMLCanvasElement | null,
 *            cells: import("./data.js").Cells | null, scale: number}} Drawn
 */

/** The largest picture of a tensor, and the largest cell, in pixels. */
const STRIP_WIDE = 148;
const STRIP_HIGH = 32;
const STRIP_CELL = 14;
/** The smallest mark around a cell, in pixels. */
const STRIP_MARK = 5;

export class Strip {
  /**
   * @param {(call: string) => void} choose
   * @param {boolean} chooses whether a call can be chosen: a saved page has one picture
   */
  constructor(choose, chooses) {
    this.choose = choose;
    this.chooses = chooses;
    this.holder = make("div", "dmlviz-strip");
    this.holder.setAttribute("role", "group");
    this.holder.hidden = true;
    /** @type {ChainStrip | null} */
    this.strip = null;
    /** @type {Int32Array} */
    this.output = new Int32Array(0);
    /** @type {Drawn[]} */
    this.drawn = [];
    this.painted = "";
  }

  /**
   * Pinned cells of the stage in another picture of the same chain; null if it is another chain, or
   * the same part of it.
   * @param {ChainStrip | null} next
   * @param {number[]} pins
   * @returns {number[] | null}
   */
  followed(next, pins) {
    const { strip } = this;
    if (!strip || !next || strip.call === next.call || signOf(strip) !== signOf(next)) return null;
    const numbers = /** @type {Int32Array} */ (unpack(next.output));
    return pins
      .map((pin) => (this.output[pin] < 0 ? -1 : numbers.indexOf(this.output[pin])))
      .filter((cell, k, all) => cell >= 0 && all.indexOf(cell) === k);
  }

  /**
   * @param {ChainStrip | null} strip
   * @param {Record<string, string>} words
   */
  load(strip, words) {
    this.strip = strip;
    this.words = words;
    this.painted = "";
    this.holder.hidden = !strip;
    if (!strip) return;
    this.holder.setAttribute("aria-label", words.strip);
    this.output = /** @type {Int32Array} */ (unpack(strip.output));
    this.drawn = strip.tensors.map((own) => this.drawnOf(own));
    const all = makeButton(words.strip_all, "dmlviz-strip-all", () => this.choose("0"), words.strip_all);
    this.press(all, 0);
    this.holder.replaceChildren(...(strip.whole ? [all] : []), ...this.drawn.map(({ box }) => box));
    const open = this.holder.querySelector("[aria-pressed=true]");
    if (open instanceof HTMLElement) this.holder.scrollLeft = open.offsetLeft - 60;
  }

  /**
   * @param {StripTensor} own
   * @returns {Drawn}
   */
  drawnOf(own) {
    const words = /** @type {Record<string, string>} */ (this.words);
    const title = make("code", "dmlviz-strip-call", own.call ? own.text : words.strip_input);
    const label = make("span", "dmlviz-strip-sizes", `${own.name} ${own.called}`);
    const places = make("span", "dmlviz-strip-places");
    /** @type {Drawn} */
    const drawn = { own, box: label, places, numbers: null, base: null, marks: null, cells: null, scale: 0 };
    const parts = [title];
    if (own.tensor && own.numbers) {
      const { width, height } = own.tensor;
      drawn.scale = Math.min(STRIP_CELL, STRIP_WIDE / width, STRIP_HIGH / height);
      drawn.cells = cellsOf(own.tensor);
      drawn.numbers = /** @type {Int32Array} */ (unpack(own.numbers));
      [drawn.base, drawn.marks] = [make("canvas", ""), make("canvas", "dmlviz-canvas")].map(
        (canvas) => /** @type {HTMLCanvasElement} */ (canvas));
      parts.push(make("span", "dmlviz-strip-picture", drawn.base, drawn.marks));
    }
    parts.push(make("span", "dmlviz-strip-told", label, places));
    if (own.call) {
      const name = fillIn(words.strip_call, { number: own.call, text: own.text, sizes: own.called });
      const button = makeButton(name, "dmlviz-strip-tensor", () => this.choose(String(own.call)), ...parts);
      // what stands on it is its name
      button.removeAttribute("aria-label");
      this.press(button, own.call);
      drawn.box = button;
    } else drawn.box = make("div", "dmlviz-strip-tensor", ...parts);
    return drawn;
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {number} call
   */
  press(button, call) {
    button.setAttribute("aria-pressed", String(this.strip?.call === call));
    button.disabled = !this.chooses;
  }

  /**
   * Draw the tensors, and mark the sources of pinned cells in every one of them.
   * @param {import("./data.js").Palette} palette
   * @param {number[]} pins cells of the stage's output
   * @param {string[]} colors of the elements that move on the stage
   * @param {boolean} byValue whether colors are those of values
   */
  draw(palette, pins, colors, byValue) {
    const { strip } = this;
    if (!strip) return;
    const painted = JSON.stringify([palette.scale, palette.padding, byValue, colors]);
    if (this.painted !== painted) {
      this.painted = painted;
      const css = elementColors(strip, palette, colors, byValue);
      for (const drawn of this.drawn) paintTensor(drawn, (number) => (number < 0 ? palette.padding : css[number]));
    }
    const marked = pins.map((pin) => this.output[pin]);
    for (const drawn of this.drawn) this.mark(drawn, marked, palette);
  }

  /**
   * @param {Drawn} drawn
   * @param {number[]} marked numbers of elements, one for each pin
   * @param {import("./data.js").Palette} palette
   */
  mark({ own, places, numbers, marks, cells, scale }, marked, palette) {
    places.replaceChildren();
    if (!own.tensor || !numbers || !marks || !cells) return;
    const g = canvasOf(marks, own.tensor, scale);
    marked.forEach((number, k) => {
      if (number < 0) return;
      const color = palette.pins[k % palette.pins.length];
      const indices = cellsAt(numbers, number);
      g.strokeStyle = color;
      g.lineWidth = 2;
      const size = Math.max(STRIP_MARK, scale);
      for (const i of indices) {
        const middle = (/** @type {Float64Array} */ at) => (at[i] + 0.5) * scale - size / 2;
        g.strokeRect(middle(cells.x) + 1, middle(cells.y) + 1, size - 2, size - 2);
      }
      if (!indices.length) return;
      const cell = `[${indexOf(indices[0], own.tensor ? own.tensor.sizes : []).join(", ")}]`;
      const words = /** @type {Record<string, string>} */ (this.words);
      const text = indices.length > 1 ? fillIn(words.strip_more, { cell, more: indices.length - 1 }) : cell;
      const place = make("span", "", text);
      place.style.borderColor = color;
      places.append(place);
    });
  }
}

/**
 * What two strips of the same chain have in common.
 * @param {ChainStrip} strip
 * @returns {string}
 */
function signOf(strip) {
  return JSON.stringify(strip.tensors.map(({ name, called, call, text }) => [name, called, call, text]));
}

/**
 * A color for each element of the chain: the stage's, or that of its value if it is not on the stage.
 * @param {ChainStrip} strip
 * @param {import("./data.js").Palette} palette
 * @param {string[]} colors of the elements that move on the stage
 * @param {boolean} byValue whether colors are those of values
 * @returns {string[]}
 */
export function elementColors(strip, palette, colors, byValue) {
  const values = /** @type {Float32Array} */ (unpack(strip.color));
  const css = Array.from(values, (at) => (byValue ? colorAt(palette.scale, at) : UNSEEN));
  /** @type {Int32Array} */ (unpack(strip.input)).forEach((number, k) => {
    if (number >= 0 && colors[k]) css[number] = colors[k];
  });
  return css;
}

/**
 * The places of an element.
 * @param {Int32Array} numbers
 * @param {number} number
 * @returns {number[]}
 */
export function cellsAt(numbers, number) {
  const cells = [];
  for (let i = numbers.indexOf(number); i >= 0; i = numbers.indexOf(number, i + 1)) cells.push(i);
  return cells;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./data.js").Tensor} tensor
 * @param {number} scale
 * @returns {CanvasRenderingContext2D} empty, in pixels of the page
 */
function canvasOf(canvas, { width, height }, scale) {
  sizeCanvas(canvas, Math.ceil(width * scale), Math.ceil(height * scale));
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/**
 * @param {Drawn} drawn
 * @param {(number: number) => string} colorOf
 */
function paintTensor({ own, numbers, base, cells, scale }, colorOf) {
  if (!own.tensor || !numbers || !base || !cells) return;
  const g = canvasOf(base, own.tensor, scale);
  const gap = scale > 6 ? 1 : 0;
  numbers.forEach((number, i) => {
    g.fillStyle = colorOf(number);
    g.fillRect(cells.x[i] * scale, cells.y[i] * scale, Math.max(0.5, scale - gap), Math.max(0.5, scale - gap));
  });
}
