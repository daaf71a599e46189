// @ts-check
/** What Python sends, and how to read it. */

/**
 * @typedef {{dtype: string, bdata: string}} Packed  a typed array in base64, little endian
 * @typedef {[number, number, number, number]} Axis  size, wrap, dx, dy: see Axis in scene.py
 * @typedef {{sizes: number[], places?: number[][], axes: Axis[], width: number, height: number}} Tensor  places: where
 *   only a part is drawn, the indices of each dimension
 * @typedef {Tensor & {name: string, called: string, title: string, role: "values" | "control" | "index",
 *            x: number, y: number, first: number, labels: string[] | null}} Placed
 *   called: in sentences; title: above it; x, y: its corner within its side, in cells; first: its first cell's number
 * @typedef {{tensors: Placed[], width: number, height: number, air: number,
 *            rowGap: number, title: number, several?: boolean, own?: {width: number, height: number}}} Side
 *   all inputs or all outputs: cells are numbered through them, control tensors last; air: cells
 *   between a tensor and one below it; rowGap: between planes; title: letters above it that are to have room;
 *   several: whether there is room for the titles of several planes, although there may be one; own: what it
 *   takes itself, where width and height leave room for wrong answers
 * @typedef {["input" | "output", number, number, number]} Point  side, which of its tensors, dimension, and the
 *   place along it in cells: 0 is the start of the first one
 * @typedef {{title: string, caption: string, points?: Point[], marks?: number[], used?: number[]}} Step
 *   marks: input cells that are framed with it although nothing comes from them; used: output cells
 *   of earlier steps that are framed with it
 * @typedef {Step & {tensor: Tensor, order: Packed, places: Packed | null, constants: string[]}} Part
 *   order: for each place the input's element, or -1; places: the place in the tensor before, or -1; null where
 *   every element is taken once; constants: the labels of those that are no element, in order
 * @typedef {{name: string, called: string, call: number, text: string, tensor: Tensor | null, numbers: Packed | null}} StripTensor
 *   called: its sizes; call: that makes it, from 1, or 0 of an input; text: the call's; numbers: for each element
 *   its number through all inputs of the chain, below 0 for a constant
 * @typedef {{call: number, whole: boolean, input: Packed, output: Packed, color: Packed, tensors: StripTensor[]}} ChainStrip
 *   call: on the stage, 0 for all; whole: whether all calls can be; input: the numbers of the stage's elements that move; output: the numbers of the stage's output cells; color: of all inputs' elements
 * @typedef {{scale: [number, string][], kinds: string[], tints: string[], corners: string[], ink: string,
 *            paper: string, slot: string, line: string, padding: string, hatch: string,
 *            accent: string, pins: string[], axes: string[]}} Palette
 * @typedef {[string, ...any[]]} Tree  an expression: see Expr in expressions.py
 * @typedef {{dimension: number, start: number, size: number, period: number, before: string,
 *            behind: string}} Beyond
 * @typedef {{value: Tree, start: number, stop: number}} Range  of a value over an output's indices
 * @typedef {{tensor: string, output: string, sizes: number[], names: string[], source: Tree[],
 *            shown: Tree[], before: string, after: string, missing: string, where: Range[],
 *            constants: {values: string[], at: Tree | null, ways: Bounds[][]}[]}} Formula
 *   sizes: of the input it reads; shown: the source as it is written, between before and after
 * @typedef {{value: Tree, low: number | null, high: number | null}} Bounds
 * @typedef {Record<string, {sizes: number[], values: number[]}>} Tables  tensors of indices
 * @typedef {{of: Record<string, Formula[]>, tables: Tables, outside: Record<string, string>, where: string,
 *            beyond: Record<string, Beyond[]>, remarks?: Record<string, Record<string, string>>}} Formulas
 *   of, beyond: of every output, by name; remarks: what is said of an output's elements beside a formula, by their indices
 * @typedef {{figure: {data: any[], layout: any}, input: Side, output: Side}} Way  a picture's geometry
 * @typedef {Way & {ways: Way[],
 *            color: Packed, range: [number, number], rgb: number, source: Packed,
 *            drivers: Packed | null, driverLength: number, driverApart?: number, stepOf: Packed, via: Packed | null, paddingLabel: string,
 *            covered: Packed | null, contested: number[], planes: [number, string][],
 *            strip?: ChainStrip | null, steps: Step[], parts: Part[], usual: import("./model.js").View, differing: number[], compared?: number, check: string, formula: Formulas,
 *            palettes: {light: Palette, dark: Palette}, language: string,
 *            words: Record<string, string>}} Payload
 *   planes: outer dimensions of several planes, and how each was asked to stand: "auto", "across" or "down"
 *   ways: the same for windows of other shapes, without labels; compared: how many elements A has, as
 *   many as B, where two outputs of equal sizes are compared
 * @typedef {{x: Float64Array, y: Float64Array}} Cells  left and upper edges, in cells
 */

/**
 * The control cells that chose an output cell: one, all of a tuple, or one of each list; none where
 * nothing chose it.
 * @param {{drivers: Int32Array | null, driverLength: number, driverApart?: number}} by
 * @param {number} element
 * @returns {number[]}
 */
export function chosenBy({ drivers, driverLength, driverApart = 1 }, element) {
  const first = drivers ? drivers[element] : -1;
  return first < 0 ? [] : Array.from({ length: driverLength }, (_none, k) => first + k * driverApart);
}

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
  const text = atob(packed.bdata);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
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
 * Left and upper edge of every cell of a side, by number, in cells.
 * @param {Side} side
 * @returns {Cells}
 */
export function sideCells(side) {
  const count = cellCount(side);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (const tensor of side.tensors) {
    const own = cellsOf(tensor);
    x.set(own.x.map((v) => v + tensor.x), tensor.first);
    y.set(own.y.map((v) => v + tensor.y), tensor.first);
  }
  return { x, y };
}

/**
 * How many cells a side has.
 * @param {Side} side
 * @returns {number}
 */
export function cellCount(side) {
  return side.tensors.reduce((sum, tensor) => sum + countOf(tensor.sizes), 0);
}

/**
 * The tensor that a cell belongs to, and its indices in it.
 * @param {Side} side
 * @param {number} cell
 * @returns {{tensor: Placed, index: number[]}}
 */
export function tensorAt(side, cell) {
  const tensor = /** @type {Placed} */ (side.tensors.find(
    ({ first, sizes }) => first <= cell && cell < first + countOf(sizes)));
  const position = indexOf(cell - tensor.first, tensor.sizes);
  const { places } = tensor;
  return { tensor, index: places ? position.map((i, d) => places[d][i]) : position };
}

/**
 * A cell as sentences name it: out[1, 2]; or several in a row of its last dimension: out[1, :].
 * @param {Side} side
 * @param {number} cell
 * @param {number} length
 * @returns {string}
 */
export function cellName(side, cell, length = 1) {
  const { tensor, index } = tensorAt(side, cell);
  if (length > 1) return elementName(tensor.called, [...index.slice(0, -1), ":"]);
  return elementName(tensor.called, index);
}

/**
 * An element of a tensor: out[1, 2]; the only one of a tensor without dimensions has its name.
 * @param {string} name empty for an index without a name
 * @param {(string | number)[]} index
 * @returns {string}
 */
export function elementName(name, index) {
  return name && !index.length ? name : `${name}[${index.join(", ")}]`;
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
 * For every input cell, the output cells that are copies of it, or that it chose.
 * @param {Int32Array} source of every output cell
 * @param {number} count of input cells
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
 * The cell of a side that lies next in a direction, or the same one at the border.
 * @param {Cells} cells
 * @param {number} from
 * @param {number} dx -1, 0 or 1
 * @param {number} dy -1, 0 or 1
 * @param {number} [count] of the cells that may be gone to, the first ones
 * @returns {number}
 */
export function neighbour(cells, from, dx, dy, count = cells.x.length) {
  const { x, y } = cells;
  let best = from;
  let nearest = Infinity;
  for (let i = 0; i < count; i++) {
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

/**
 * The payload arranged in one of its ways: 0 for most windows, then those for other shapes.
 * @param {Payload} payload
 * @param {number} number
 * @returns {Payload}
 */
export function turned(payload, number) {
  if (!number) return payload;
  const { figure, input, output } = payload.ways[number - 1];
  const labelled = (/** @type {Side} */ side, /** @type {Side} */ first) =>
    ({ ...side, tensors: side.tensors.map((tensor, k) => ({ ...tensor, labels: first.tensors[k].labels })) });
  return { ...payload, figure, input: labelled(input, payload.input), output: labelled(output, payload.output) };
}
