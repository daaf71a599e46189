// @ts-check
/**
 * The graph of an ONNX file without its weights: as much of the file as its parts are found with.
 *
 * Source: onnx.in.proto of ONNX and "Encoding" at protobuf.dev. What is kept is what
 * dmlviz/code/model_file.py reads; a tensor without its elements has its type and sizes.
 */

/** By the message, the fields that are kept; one that is a message itself by its name. */
const KEPT = {
  model: { 1: "", 7: "graph", 8: "", 25: "function" },
  graph: { 1: "node", 2: "", 5: "tensor", 11: "", 12: "", 13: "" },
  node: { 1: "", 2: "", 3: "", 4: "", 5: "attribute", 7: "" },
  attribute: { 1: "", 2: "", 3: "", 4: "text", 5: "tensor", 6: "graph", 7: "", 8: "", 9: "text", 11: "graph", 20: "" },
  tensor: { 1: "", 2: "", 4: "data", 5: "data", 7: "data", 8: "", 9: "data", 10: "data", 11: "data", 14: "" },
};

/** The types of indices and masks, INT32, INT64 and BOOL, and how many elements of those and of others are kept. */
const INDEX_TYPES = [6, 7, 9];
const INDICES = 65_536;
const VALUES = 1_024;

/** The bytes of a text that are read. */
const TEXT = 1_000;

/** How many bytes are read at once, and how many a field's key and length take at most. */
const PAGE = 1 << 18;
const HEAD = 20;

/** @typedef {{number: number, kind: string, wire: number, start: number, from: number, to: number}} Field */

/** Reads a file where it is used. */
class Bytes {
  /** @param {Blob} blob */
  constructor(blob) {
    this.blob = blob;
    this.page = new Uint8Array(0);
    this.at = 0;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  async part(from, to) {
    if (from < this.at || to > this.at + this.page.length) {
      const end = Math.min(this.blob.size, Math.max(to, from + PAGE));
      this.page = new Uint8Array(await this.blob.slice(from, end).arrayBuffer());
      this.at = from;
    }
    return this.page.subarray(from - this.at, to - this.at);
  }
}

/**
 * @param {Blob} file
 * @returns {Promise<Blob>} smaller, with the same nodes, sizes and indices
 */
export async function graphOf(file) {
  return new Blob(await shortened(new Bytes(file), "model", 0, file.size));
}

/**
 * @param {Bytes} bytes
 * @param {keyof typeof KEPT} message
 * @param {number} from
 * @param {number} to
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>}
 */
async function shortened(bytes, message, from, to) {
  const fields = await keptFields(bytes, message, from, to);
  const whole = message !== "tensor" || (await isRead(bytes, fields));
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const made = [];
  for (const field of fields) {
    if (field.kind === "data" && !whole) continue;
    if (field.wire !== 2 || field.kind === "" || field.kind === "data") {
      made.push((await bytes.part(field.start, field.to)).slice());
      continue;
    }
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let inner = [];
    if (field.kind === "text") inner = [(await bytes.part(field.from, Math.min(field.to, field.from + TEXT))).slice()];
    else if (field.kind in KEPT) inner = await shortened(bytes, /** @type {keyof typeof KEPT} */ (field.kind), field.from, field.to);
    const length = inner.reduce((sum, part) => sum + part.length, 0);
    made.push(Uint8Array.from([...varint((field.number << 3) | 2), ...varint(length)]), ...inner);
  }
  return made;
}

/**
 * @param {Bytes} bytes
 * @param {keyof typeof KEPT} message
 * @param {number} from
 * @param {number} to
 */
async function keptFields(bytes, message, from, to) {
  /** @type {Record<number, string>} */
  const kinds = KEPT[message];
  /** @type {Field[]} */
  const fields = [];
  let at = from;
  while (at < to) {
    const start = at;
    const head = await bytes.part(at, Math.min(to, at + HEAD));
    const [key, size] = readVarint(head, 0);
    at += size;
    const wire = key & 7;
    let inside = at;
    if (wire === 0) at += readVarint(head, size)[1];
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const [length, more] = readVarint(head, size);
      inside = at + more;
      at = inside + length;
    } else throw new Error("no field");
    if (at > to) throw new Error("no end");
    const number = Math.floor(key / 8);
    if (number in kinds) fields.push({ number, kind: kinds[number], wire, start, from: inside, to: at });
  }
  return fields;
}

/**
 * Whether a tensor's elements are read.
 * @param {Bytes} bytes
 * @param {Field[]} fields
 */
async function isRead(bytes, fields) {
  let count = 1;
  let type = 0;
  for (const field of fields.filter(({ number }) => number <= 2)) {
    // one number has its field's key before it
    const data = await bytes.part(field.wire === 2 ? field.from : field.start, field.to);
    let at = field.wire === 2 ? 0 : readVarint(data, 0)[1];
    while (at < data.length) {
      const [n, size] = readVarint(data, at);
      at += size;
      if (field.number === 1) count *= n;
      else type = n;
    }
  }
  return count <= (INDEX_TYPES.includes(type) ? INDICES : VALUES);
}

/**
 * A whole number of seven bits a byte, the lowest first, and how many bytes it takes.
 * @param {Uint8Array} data
 * @param {number} at
 * @returns {[number, number]}
 */
function readVarint(data, at) {
  let value = 0;
  for (let k = 0; k < 10; k++) {
    if (at + k >= data.length) throw new Error("no number");
    value += (data[at + k] & 0x7f) * 2 ** (7 * k);
    if (data[at + k] < 0x80) return [value, k + 1];
  }
  throw new Error("no number");
}

/** @param {number} n */
function varint(n) {
  const made = [];
  for (; n > 0x7f; n = Math.floor(n / 128)) made.push((n & 0x7f) | 0x80);
  return [...made, n];
}
