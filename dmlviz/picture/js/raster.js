// @ts-check
/** Pixels written one by one: for ten thousand cells far quicker than a canvas fills rectangles. */

/**
 * @typedef {number} Ink  a pixel as ImageData keeps it: alpha, blue, green, red from the highest byte
 * @typedef {{width: number, height: number, pixels: Uint32Array}} Stamp  a small picture
 */

/** A little more than a half: an edge that two cells share is halfway for both or for neither. */
const HALF = 0.500001;

/** @type {CanvasRenderingContext2D | null} */
let inkwell = null;

export class Raster {
  /**
   * A part of the board, which is empty at first.
   * @param {number} left in the board's pixels, whole ones, as are all others
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  constructor(left, top, width, height) {
    this.left = left;
    this.top = top;
    this.image = new ImageData(Math.max(1, width), Math.max(1, height));
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** @param {Raster | null} ground of the same size: what is there before anything is drawn */
  begin(ground) {
    if (ground) this.pixels.set(ground.pixels);
    else this.pixels.fill(0);
  }

  /**
   * Fill a rectangle, each edge on the nearest pixel: neighbors that share an edge leave no gap.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {Ink} ink
   */
  fill(left, top, right, bottom, ink) {
    const { width, height } = this.image;
    const { pixels } = this;
    const x0 = within(left - this.left, width);
    const x1 = within(right - this.left, width);
    const y1 = within(bottom - this.top, height) * width;
    for (let row = within(top - this.top, height) * width; row < y1; row += width) {
      for (let at = row + x0; at < row + x1; at++) pixels[at] = ink;
    }
  }

  /**
   * The edges of a rectangle, one pixel wide.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {Ink} ink
   */
  frame(left, top, right, bottom, ink) {
    const [x0, y0, x1, y1] = [left, top, right, bottom].map((edge) => Math.floor(edge + HALF));
    this.fill(x0, y0, x1, y0 + 1, ink);
    this.fill(x0, y1 - 1, x1, y1, ink);
    this.fill(x0, y0 + 1, x0 + 1, y1 - 1, ink);
    this.fill(x1 - 1, y0 + 1, x1, y1 - 1, ink);
  }

  /**
   * Put a small picture over what is there.
   * @param {Stamp} stamp
   * @param {number} left
   * @param {number} top
   * @param {number} [strength] from 0 to 1
   * @param {number} [inset] how many pixels to leave out along each edge
   */
  stamp(stamp, left, top, strength = 1, inset = 0) {
    const { width, height } = this.image;
    const [x0, y0] = [Math.round(left) - this.left, Math.round(top) - this.top];
    for (let y = inset; y < stamp.height - inset; y++) {
      if (y0 + y < 0 || y0 + y >= height) continue;
      for (let x = inset; x < stamp.width - inset; x++) {
        if (x0 + x < 0 || x0 + x >= width) continue;
        const ink = faded(stamp.pixels[y * stamp.width + x], strength);
        const at = (y0 + y) * width + x0 + x;
        const alpha = ink >>> 24;
        if (alpha) this.pixels[at] = alpha === 255 ? ink : over(ink, this.pixels[at]);
      }
    }
  }

  /** @param {CanvasRenderingContext2D} g of a canvas that is the same part */
  put(g) {
    g.putImageData(this.image, 0, 0);
  }
}

/**
 * A color as pixels have it.
 * @param {string} css
 * @returns {Ink}
 */
export function inkOf(css) {
  inkwell ??= penOf(1, 1);
  inkwell.fillStyle = css;
  inkwell.clearRect(0, 0, 1, 1);
  inkwell.fillRect(0, 0, 1, 1);
  return pixelsIn(inkwell)[0];
}

/**
 * @param {Ink} ink
 * @param {number} strength from 0 to 1
 * @returns {Ink}
 */
export function faded(ink, strength) {
  return strength === 1 ? ink : ((ink & 0xffffff) | (Math.round((ink >>> 24) * strength) << 24)) >>> 0;
}

/**
 * A small picture, drawn once by a canvas.
 * @param {number} width
 * @param {number} height
 * @param {(g: CanvasRenderingContext2D) => void} draw
 * @returns {Stamp}
 */
export function stampOf(width, height, draw) {
  const g = penOf(width, height);
  draw(g);
  return { width, height, pixels: pixelsIn(g) };
}

/** @param {number} width @param {number} height */
function penOf(width, height) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
}

/** @param {CanvasRenderingContext2D} g */
function pixelsIn(g) {
  return new Uint32Array(g.getImageData(0, 0, g.canvas.width, g.canvas.height).data.buffer);
}

/** @param {number} edge @param {number} most @returns {number} the nearest pixel's edge from 0 to the most */
function within(edge, most) {
  return edge <= 0 ? 0 : edge >= most ? most : (edge + HALF) | 0;
}

/** @param {Ink} ink @param {Ink} below @returns {Ink} */
function over(ink, below) {
  const [a, b] = [(ink >>> 24) / 255, (below >>> 24) / 255];
  if (a === 1 || b === 0) return ink;
  const whole = a + b * (1 - a);
  const mixed = (/** @type {number} */ shift) =>
    Math.round((((ink >>> shift) & 255) * a + ((below >>> shift) & 255) * b * (1 - a)) / whole) << shift;
  return (Math.round(whole * 255) << 24 | mixed(16) | mixed(8) | mixed(0)) >>> 0;
}
