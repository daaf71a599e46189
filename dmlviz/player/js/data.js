// @ts-check
/** What Python sends, and how to read it. */

/**
 * @typedef {{dtype: string, bdata: string}} Packed  a typed array in base64, little endian
 * @typedef {[number, number, number, number]} Axis  size, wrap, dx, dy: see Axis in scene.py
 * @typedef {{sizes: number[], axes: Axis[], width: number, height: number,
 *            labels: string[] | null, title: string}} PackedTensor
 * @typedef {{title: string, caption: string}} Step
 * @typedef {{scale: [number, string][], ink: string, paper: string, slot: string,
 *            line: string, padding: string, hatch: string, accent: string}} Palette
 * @typedef {{figure: {data: any[], layout: any}, input: PackedTensor, output: PackedTensor,
 *            color: Packed, source: Packed, stepOf: Packed, via: Packed | null,
 *            paddingLabel: string, steps: Step[], differing: number[], check: string,
 *            palettes: {light: Palette, dark: Palette}, words: Record<string, string>}} Payload
 * @typedef {{x: Float64Array, y: Float64Array, width: number, height: number}} Cells
 */

const READERS = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array,
  i4: Int32Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array,
};

/**
 * The typed array that was packed.
 * @param {Packed} packed
 * @returns {any}
 */
export function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.bdata), (c) => c.charCodeAt(0));
  const Reader = READERS[/** @type {keyof typeof READERS} */ (packed.dtype)];
  return new Reader(bytes.buffer);
}

/**
 * Left and upper edge of every cell of a tensor, flat, in cells.
 * @param {PackedTensor} tensor
 * @returns {Cells}
 */
export function cellsOf(tensor) {
  const count = tensor.sizes.reduce((a, b) => a * b, 1);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let stride = count;
  for (const [size, wrap, dx, dy] of tensor.axes) {
    stride /= size;
    for (let flat = 0; flat < count; flat++) {
      const i = Math.floor(flat / stride) % size;
      x[flat] += (i % wrap) * dx;
      y[flat] += Math.floor(i / wrap) * dy;
    }
  }
  return { x, y, width: tensor.width, height: tensor.height };
}

/**
 * A colour between the stops of a scale, as CSS.
 * @param {[number, string][]} scale stops from 0 to 1, colours as #rrggbb
 * @param {number} at
 * @returns {string}
 */
export function colorAt(scale, at) {
  let k = 1;
  while (k < scale.length - 1 && scale[k][0] < at) k++;
  const [a, from] = scale[k - 1];
  const [b, to] = scale[k];
  const f = Math.min(1, Math.max(0, (at - a) / (b - a)));
  const part = (/** @type {number} */ p) => {
    const u = parseInt(from.slice(p, p + 2), 16);
    const v = parseInt(to.slice(p, p + 2), 16);
    return Math.round(u + (v - u) * f);
  };
  return `rgb(${part(1)},${part(3)},${part(5)})`;
}
