// @ts-check
/** What a cell's color says: its value, its source's channel, its source's place, or a picture. */

import { countOf, indexOf } from "./data.js";
import MEASURES from "./measures.json" with { type: "json" };

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {{z: Float32Array, scale: [number, string][], css: string[], ink: string[] | null, letters?: string[]}} Coloring
 *   for every input element: its number on the scale, its color, and its own ink where the
 *   theme's ink may not be readable on it; letters: the plane of a picture that it belongs to, R, G or B
 * @typedef {{first: number, sizes: number[]}} Tensor  first: the number of its first cell
 * @typedef {{inputs: Tensor[], outputs: Tensor[], value: Float32Array,
 *            range: [number, number], rgb: number, source: Int32Array}} Colored
 *   inputs: those that have colors; value: of all their elements, by number
 * @typedef {"value" | "channel" | "position" | "picture" | "planes"} Mode
 */

const { levels: LEVELS, unseen: GRAY, blackAbove: BLACK_ABOVE } = MEASURES.colors;
/** The color of an element that is in no picture. */
export const UNSEEN = `rgb(${GRAY},${GRAY},${GRAY})`;

/**
 * A color between the stops of a scale, as CSS.
 * @param {[number, string][]} scale stops from 0 to 1, colours as #rrggbb
 * @param {number} at
 * @returns {string}
 */
export function colorAt(scale, at) {
  let k = 1;
  while (k < scale.length - 1 && scale[k][0] < at) k++;
  const [a, from] = scale[k - 1];
  const [b, to] = scale[k];
  return mix(from, to, Math.min(1, Math.max(0, (at - a) / (b - a))));
}

/**
 * The colors of all input elements; copies have the color of their source.
 * @param {Mode} mode
 * @param {Colored} of
 * @param {Palette} palette
 * @returns {Coloring}
 */
export function colorings(mode, of, palette) {
  if (mode === "value") {
    const known = new Map();
    const css = Array.from(of.value, (v) => remember(known, v, () => colorAt(palette.scale, v)));
    return { z: of.value, scale: palette.scale, css, ink: null };
  }
  if (mode === "picture" || mode === "planes") {
    const letters = mode === "planes" ? planeLetters(of) : undefined;
    const css = letters
      ? letters.map((letter, i) => (letter ? mix("#000000", palette.tints["RGB".indexOf(letter)], byteOf(of, i) / 255) : UNSEEN))
      : pictureColors(of);
    return { ...steps(css), ink: css.map(readableInk), letters };
  }
  const css = new Array(of.value.length);
  for (const { first, sizes } of of.inputs) {
    const rank = sizes.length;
    for (let i = 0; i < countOf(sizes); i++) {
      const index = indexOf(i, sizes);
      if (mode === "channel") {
        css[first + i] = palette.kinds[index[Math.max(rank - 3, 0)] % palette.kinds.length];
      } else {
        const [top, bottom] = [mix(palette.corners[0], palette.corners[1], part(index, sizes, rank - 1)),
          mix(palette.corners[2], palette.corners[3], part(index, sizes, rank - 1))];
        css[first + i] = mix(top, bottom, rank > 1 ? part(index, sizes, rank - 2) : 0);
      }
    }
  }
  return { ...steps(css), ink: null };
}

/**
 * Which colorings make sense for these tensors.
 * @param {Colored} of
 * @returns {Mode[]}
 */
export function modesFor(of) {
  /** @type {Mode[]} */
  const modes = ["value", "channel", "position"];
  if (pictureSide(of)) modes.push("picture", "planes");
  return modes;
}

/**
 * Black or white, whichever is readable on a color.
 * @param {string} css rgb(r,g,b)
 * @returns {string}
 */
export function readableInk(css) {
  return luminance(numbersOf(css)) > BLACK_ABOVE ? "#000000" : "#ffffff";
}

/**
 * WCAG's relative luminance.
 * @param {number[]} rgb
 * @returns {number}
 */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * A scale of even steps for a list of colors, and each color's place on it.
 * @param {string[]} css
 * @returns {{z: Float32Array, scale: [number, string][], css: string[]}}
 */
function steps(css) {
  const kinds = [...new Set(css)];
  const place = new Map(kinds.map((color, k) => [color, (k + 0.5) / kinds.length]));
  const scale = /** @type {[number, string][]} */ (kinds.flatMap((color, k) => [
    [k / kinds.length, color], [(k + 1) / kinds.length, color],
  ]));
  return { z: Float32Array.from(css, (c) => /** @type {number} */ (place.get(c))), scale, css };
}

/**
 * On which side a tensor has three channels, and so is a picture.
 * @param {Colored} of
 * @returns {"input" | "output" | ""}
 */
function pictureSide(of) {
  if (!of.rgb) return "";
  if (of.outputs.some(isPicture)) return "output";
  return of.inputs.some(isPicture) ? "input" : "";
}

/** @param {Tensor} tensor @returns {boolean} */
export function isPicture({ sizes }) {
  return sizes.length >= 3 && sizes[sizes.length - 3] === 3;
}

/**
 * Each element in the color of the pixel that it belongs to.
 * @param {Colored} of
 * @returns {string[]}
 */
function pictureColors(of) {
  const side = pictureSide(of);
  const byte = (/** @type {number} */ element) => byteOf(of, element);
  const elementAt = (/** @type {number} */ cell) => (side === "output" ? of.source[cell] : cell);
  /** @type {string[]} */
  const css = new Array(of.value.length);
  for (const { first, sizes } of (side === "output" ? of.outputs : of.inputs).filter(isPicture)) {
    const plane = sizes[sizes.length - 1] * sizes[sizes.length - 2];
    for (let i = 0; i < countOf(sizes); i++) {
      const element = elementAt(first + i);
      // one element, one color: of several pictures, as in a comparison, the first has its own
      if (element < 0 || css[element]) continue;
      const pixel = first + Math.floor(i / (3 * plane)) * 3 * plane + (i % plane);
      const [r, g, b] = [0, 1, 2].map((channel) => byte(elementAt(pixel + channel * plane)));
      css[element] = `rgb(${r},${g},${b})`;
    }
  }
  return Array.from(css, (color) => color ?? UNSEEN);
}

/**
 * For each element the letter of its plane; empty where it is in no picture.
 * @param {Colored} of
 * @returns {string[]}
 */
function planeLetters(of) {
  // an output may lack some of the picture
  const side = of.inputs.some(isPicture) ? "input" : pictureSide(of);
  const letters = /** @type {string[]} */ (new Array(of.value.length).fill(""));
  for (const { first, sizes } of (side === "output" ? of.outputs : of.inputs).filter(isPicture)) {
    const plane = sizes[sizes.length - 1] * sizes[sizes.length - 2];
    for (let i = 0; i < countOf(sizes); i++) {
      const element = side === "output" ? of.source[first + i] : first + i;
      if (element >= 0) letters[element] ||= "RGB"[Math.floor(i / plane) % 3];
    }
  }
  return letters;
}

/**
 * How bright an element is, from 0 to 1.
 * @param {Colored} of
 * @param {number} element
 * @returns {number}
 */
export function levelOf(of, element) {
  const value = of.range[0] + of.value[element] * (of.range[1] - of.range[0]);
  return Math.min(1, Math.max(0, value / of.rgb));
}

/**
 * The same from 0 to 255, in few steps, so that the scale stays short; 0 for no element.
 * @param {Colored} of
 * @param {number} element
 * @returns {number}
 */
function byteOf(of, element) {
  return element < 0 ? 0 : Math.round(levelOf(of, element) * LEVELS) * (255 / LEVELS);
}

/**
 * @param {number[]} index
 * @param {number[]} sizes
 * @param {number} d
 * @returns {number} from 0 to 1 in a few steps, so that the scale stays short
 */
function part(index, sizes, d) {
  return sizes[d] > 1 ? Math.round((index[d] / (sizes[d] - 1)) * LEVELS) / LEVELS : 0;
}

/** @param {string} hex @returns {number[]} */
function hexNumbers(hex) {
  return [1, 3, 5].map((p) => parseInt(hex.slice(p, p + 2), 16));
}

/** @param {string} css @returns {number[]} */
export function numbersOf(css) {
  return css.startsWith("#") ? hexNumbers(css) : (css.match(/\d+/g) ?? []).slice(0, 3).map(Number);
}

/** @param {string} from @param {string} to @param {number} f @returns {string} */
function mix(from, to, f) {
  const a = numbersOf(from);
  const b = numbersOf(to);
  return `rgb(${a.map((v, i) => Math.round(v + (b[i] - v) * f)).join(",")})`;
}

/**
 * @template K, V
 * @param {Map<K, V>} known
 * @param {K} key
 * @param {() => V} make
 * @returns {V}
 */
function remember(known, key, make) {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
