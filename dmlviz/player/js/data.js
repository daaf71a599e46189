// @ts-check
/** What Python sends, and how to read it. */

/**
 * @typedef {{dtype: string, bdata: string}} Packed  a typed array in base64, little endian
 * @typedef {[number, number, number, number]} Axis  size, wrap, dx, dy: see Axis in scene.py
 * @typedef {{sizes: number[], axes: Axis[], width: number, height: number}} Tensor
 * @typedef {Tensor & {labels: string[] | null}} LabelledTensor
 * @typedef {{title: string, caption: string}} Step
 * @typedef {Step & {tensor: Tensor, order: Packed}} Stage
 * @typedef {{scale: [number, string][], kinds: string[], corners: string[], ink: string,
 *            paper: string, slot: string, line: string, padding: string, hatch: string,
 *            accent: string, pins: string[], axes: string[]}} Palette
 * @typedef {[string, ...any[]]} Tree  an expression: see Expr in expressions.py
 * @typedef {{dimension: number, start: number, size: number, period: number, before: string,
 *            behind: string}} Beyond
 * @typedef {{names: string[], source: Tree[], outside: string, missing: string,
 *            beyond: Beyond[]}} Formula
 * @typedef {{figure: {data: any[], layout: any}, input: LabelledTensor, output: LabelledTensor,
 *            color: Packed, range: [number, number], rgb: number, source: Packed, stepOf: Packed,
 *            via: Packed | null, paddingLabel: string, steps: Step[], stages: Stage[],
 *            differing: number[], check: string, formula: Formula,
 *            palettes: {light: Palette, dark: Palette}, language: string,
 *            words: Record<string, string>}} Payload
 * @typedef {{x: Float64Array, y: Float64Array}} Cells  left and upper edges, in cells
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
 * How many elements a tensor of these sizes has.
 * @param {number[]} sizes
 * @returns {number}
 */
export function countOf(sizes) {
  return sizes.reduce((a, b) => a * b, 1);
}

/**
 * Left and upper edge of every cell of a tensor, flat, in cells.
 * @param {Tensor} tensor
 * @returns {Cells}
 */
export function cellsOf(tensor) {
  const count = countOf(tensor.sizes);
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
  return { x, y };
}

/**
 * The indices of a flat index.
 * @param {number} flat
 * @param {number[]} sizes
 * @returns {number[]}
 */
export function indexOf(flat, sizes) {
  const index = new Array(sizes.length);
  let rest = flat;
  for (let d = sizes.length - 1; d >= 0; d--) {
    index[d] = rest % sizes[d];
    rest = Math.floor(rest / sizes[d]);
  }
  return index;
}

/**
 * For every input element, the output elements that are copies of it.
 * @param {Int32Array} source
 * @param {number} count of input elements
 * @returns {(input: number) => Int32Array}
 */
export function copiesOf(source, count) {
  const begin = new Int32Array(count + 1);
  for (const s of source) if (s >= 0) begin[s + 1]++;
  for (let i = 0; i < count; i++) begin[i + 1] += begin[i];
  const list = new Int32Array(begin[count]);
  const next = begin.slice(0, count);
  source.forEach((s, o) => {
    if (s >= 0) list[next[s]++] = o;
  });
  return (input) => list.subarray(begin[input], begin[input + 1]);
}

/**
 * The cell of a tensor that lies next in a direction, or the same one at the border.
 * @param {Cells} cells
 * @param {number} from
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @returns {number}
 */
export function neighbour(cells, from, dx, dy) {
  const { x, y } = cells;
  let best = from;
  let nearest = Infinity;
  for (let i = 0; i < x.length; i++) {
    const ahead = (x[i] - x[from]) * dx + (y[i] - y[from]) * dy;
    const aside = Math.abs((x[i] - x[from]) * dy) + Math.abs((y[i] - y[from]) * dx);
    if (ahead < 0.5) continue;
    // straight ahead first; another plane that stands a little aside counts as further
    const far = ahead + aside * 8;
    if (far < nearest) {
      nearest = far;
      best = i;
    }
  }
  return best;
}
