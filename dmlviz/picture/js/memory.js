// @ts-check
/** Every tensor as it is in memory: all its elements in one row, in the colors of the stage. */

import { countOf } from "./data.js";
import { make } from "./dom.js";
import { sizeCanvas } from "./marks.js";
import { fillIn } from "./sentence.js";

/** Elements of all tensors together: more are not drawn. */
const MOST_IN_MEMORY = 16_384;
/** The largest cell in pixels, and the smallest that has its number; a longer row is scrolled. */
const MEMORY_CELL = 28;
const MEMORY_LEAST = 18;
/** More elements than these are drawn without numbers. */
const MOST_NUMBERED_IN_MEMORY = 512;
/** Between two rows of the last dimension, in pixels. */
const MEMORY_APART = 4;

/**
 * @typedef {{tensor: import("./data.js").Placed, lands: boolean, canvas: HTMLCanvasElement}} Row
 */

export class Memory {
  constructor() {
    this.holder = make("div", "dmlviz-memory");
    this.holder.setAttribute("role", "group");
    this.on = false;
    /** @type {Row[]} */
    this.rows = [];
    this.step = -1;
    this.drawing = /** @type {any} */ (null);
    /** @type {ArrayLike<number>} */
    this.stepOf = [];
    /** @type {number[]} */
    this.pins = [];
    this.payload = /** @type {import("./data.js").Payload | null} */ (null);
    this.holder.hidden = true;
  }

  /** @param {import("./data.js").Payload} payload */
  load(payload) {
    const { on } = this;
    if (payload === this.payload && on === !this.holder.hidden) return;
    Object.assign(this, { payload, step: -1, drawing: null });
    const { input, output, words } = payload;
    this.holder.hidden = !on;
    this.holder.setAttribute("aria-label", words.memory);
    const tensors = [...input.tensors, ...output.tensors];
    const count = tensors.reduce((sum, { sizes }) => sum + countOf(sizes), 0);
    // a part of a tensor is no row of memory
    if (!on || count > MOST_IN_MEMORY || tensors.some(({ places }) => places)) {
      this.rows = [];
      this.holder.replaceChildren(on ? make("p", "", fillIn(words.memory_large, { n: MOST_IN_MEMORY.toLocaleString("en") })) : "");
      return;
    }
    this.rows = tensors.map((tensor) => ({
      tensor, lands: output.tensors.includes(tensor), canvas: /** @type {HTMLCanvasElement} */ (make("canvas", "")),
    }));
    this.holder.replaceChildren(...this.rows.map(({ tensor, canvas }) => {
      const name = fillIn(words.memory_of, { name: tensor.title, n: countOf(tensor.sizes) });
      const scroller = make("div", "dmlviz-memory-row", canvas);
      scroller.tabIndex = 0;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", name);
      return make("div", "", make("span", "", name), scroller);
    }));
  }

  /**
   * @param {any} drawing as the painter takes it
   * @param {ArrayLike<number>} stepOf of every output cell
   * @param {number[]} pins
   * @param {number} step
   */
  draw(drawing, stepOf, pins, step) {
    Object.assign(this, { drawing, stepOf, pins, step: -1 });
    this.paint(step);
  }

  /** @param {number} step the one that runs: what the steps before it moved has landed */
  paint(step) {
    if (!this.on || !this.drawing || step === this.step) return;
    this.step = step;
    for (const row of this.rows) this.paintRow(row);
  }

  /** @param {Row} row */
  paintRow({ tensor, lands, canvas }) {
    const { palette, font, source, colors, inks, labels, inputLabels } = this.drawing;
    const { stepOf, pins } = this;
    const { sizes, first, role } = tensor;
    const count = countOf(sizes);
    const across = sizes[sizes.length - 1] || 1;
    /** @type {string[]} */
    const written = (lands ? labels : inputLabels).slice(first, first + count);
    const letters = written.reduce((most, label) => Math.max(most, label?.length ?? 0), 1);
    const numbered = count <= MOST_NUMBERED_IN_MEMORY;
    const gaps = numbered ? Math.ceil(count / across) - 1 : 0;
    const room = this.holder.clientWidth - 2;
    const least = numbered ? Math.max(MEMORY_LEAST, 8 * letters + 4) : 1;
    const wide = Math.max(least, Math.min(Math.max(MEMORY_CELL, least), (room - gaps * MEMORY_APART) / count));
    const high = MEMORY_CELL - 4;
    sizeCanvas(canvas, Math.ceil(count * wide + gaps * MEMORY_APART) + 2, high + 2);
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.font = `${numbered ? 13 : 0}px ${font}`;
    const marked = new Map();
    pins.forEach((pin, k) => marked.set(lands ? pin : source[pin], palette.pins[k % palette.pins.length]));
    for (let i = 0; i < count; i++) {
      const cell = first + i;
      const x = 1 + i * wide + (numbered ? Math.floor(i / across) * MEMORY_APART : 0);
      const landed = !lands || stepOf[cell] < this.step;
      const element = lands ? source[cell] : cell;
      // what chooses elements has no color that could be a value's
      const plain = role !== "values" || element < 0;
      g.fillStyle = !landed ? palette.slot : plain ? palette.padding : colors[element];
      if (landed && role !== "values") {
        g.strokeStyle = palette.line;
        g.lineWidth = 1;
        g.strokeRect(x + 0.5, 1.5, wide - 2, high - 1);
      } else g.fillRect(x, 1, wide - (wide > 4 ? 1 : 0), high);
      if (numbered && landed) {
        g.fillStyle = plain || !inks ? palette.ink : inks[element];
        g.fillText(written[i] ?? "", x + (wide - 1) / 2, 1 + high / 2);
      }
      if (marked.has(cell)) {
        g.strokeStyle = marked.get(cell);
        g.lineWidth = 2;
        g.strokeRect(x, 1, wide - 1, high);
      }
    }
  }
}
