// @ts-check
/** Small pictures of three planes together: of the input, and of what has landed in the output. */

import { isPicture, levelOf } from "./colors.js";
import { make } from "./dom.js";

/** The height of a picture in pixels, and its greatest width. */
const [HIGH, WIDE] = [64, 128];

/**
 * @typedef {import("./colors.js").Colored} Colored
 * @typedef {import("./data.js").Placed} Placed
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {{canvas: HTMLCanvasElement, tensor: Placed, lands: boolean}} Shown
 */

export class Composed {
  constructor() {
    this.holder = make("div", "dmlviz-composed");
    // the stage's description says what is to be heard
    this.holder.setAttribute("aria-hidden", "true");
    this.holder.hidden = true;
    /** @type {Shown[]} */
    this.shown = [];
    this.step = -1;
    this.of = /** @type {Colored | null} */ (null);
    this.on = false;
    this.larger = 1;
    /** The level of elements without a source. */
    this.padding = 0;
    this.payload = /** @type {Payload | null} */ (null);
  }

  /**
   * @param {Payload} payload
   * @param {boolean} on whether its planes are tinted
   * @param {() => Colored} colored its values
   * @param {number} [larger] how many times as large as on a page
   */
  load(payload, on, colored, larger = 1) {
    if (payload === this.payload && on === this.on && larger === this.larger) return;
    Object.assign(this, { payload, on, larger, step: -1 });
    const of = colored();
    const shown = (/** @type {Placed[]} */ tensors, /** @type {boolean} */ lands) =>
      tensors.filter((tensor) => on && of.rgb && tensor.role === "values" && isPicture(tensor)).map((tensor) => {
        const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", ""));
        [canvas.height, canvas.width] = tensor.sizes.slice(-2);
        const scale = larger * Math.min(HIGH / canvas.height, WIDE / canvas.width);
        canvas.style.height = `${canvas.height * scale}px`;
        canvas.style.width = `${canvas.width * scale}px`;
        return { canvas, tensor, lands };
      });
    this.of = of;
    this.padding = Math.min(1, Math.max(0, Number(payload.paddingLabel) / of.rgb || 0));
    this.shown = [...shown(payload.input.tensors, false), ...shown(payload.output.tensors, true)];
    this.holder.hidden = !this.shown.length;
    this.holder.replaceChildren(...this.shown.map(({ canvas, tensor, lands }) =>
      make("span", lands ? "dmlviz-lands" : "", `${tensor.called} `, canvas)));
  }

  /**
   * @param {ArrayLike<number>} stepOf of every output cell
   * @param {number} step the one that runs
   */
  paint(stepOf, step) {
    if (this.step === step || !this.of) return;
    this.step = step;
    const { of } = this;
    for (const { canvas, tensor, lands } of this.shown) {
      const { width, height } = canvas;
      const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const image = g.createImageData(width, height);
      for (let i = 0; i < width * height; i++) {
        for (let channel = 0; channel < 3; channel++) {
          const cell = tensor.first + channel * width * height + i;
          if (lands && stepOf[cell] >= step) continue;
          const element = lands ? of.source[cell] : cell;
          const level = element < 0 ? this.padding : levelOf(of, element);
          image.data[4 * i + channel] = Math.round(level * 255);
          image.data[4 * i + 3] = 255;
        }
      }
      g.putImageData(image, 0, 0);
    }
  }
}
