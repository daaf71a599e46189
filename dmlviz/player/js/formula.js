// @ts-check
/** An operator's index formula with one element's numbers: Python's expressions, worked out here. */

import { indexOf } from "./data.js";

/**
 * @typedef {import("./data.js").Tree} Tree
 * @typedef {import("./data.js").Formula} Formula
 * @typedef {{text: string, axis: number}} Token  axis -1 where the text is of no dimension
 */

const SYMBOLS = /** @type {Record<string, string>} */ ({ add: "+", sub: "−", mul: "·", mod: "mod", div: "div" });
const BINDING = /** @type {Record<string, number>} */ ({ add: 1, sub: 1, mul: 2, mod: 2, div: 2 });

/**
 * The value of an expression for an output element.
 * @param {Tree} tree
 * @param {number[]} index
 * @returns {number}
 */
export function evaluate(tree, index) {
  const [op, first, second] = tree;
  if (op === "const") return first;
  if (op === "index") return index[first];
  const a = evaluate(first, index);
  const b = evaluate(second, index);
  switch (op) {
    case "add": return a + b;
    case "sub": return a - b;
    case "mul": return a * b;
    case "div": return Math.floor(a / b);
    case "mod": return ((a % b) + b) % b;
    case "min": return Math.min(a, b);
    default: return Math.max(a, b);
  }
}

/**
 * An expression as text, each index marked with its dimension.
 * @param {Tree} tree
 * @param {string[]} names a letter or a number for each dimension
 * @param {number} [outer] how tightly what stands around it binds
 * @returns {Token[]}
 */
export function write(tree, names, outer = 0) {
  const [op, first, second] = tree;
  if (op === "const") return [plainToken(String(first))];
  if (op === "index") return [{ text: names[first], axis: first }];
  if (op === "min" || op === "max") {
    return [plainToken(`${op}(`), ...write(first, names), plainToken(", "), ...write(second, names), plainToken(")")];
  }
  const binding = BINDING[op];
  const loose = op === "mod" || op === "div";
  const inner = [
    ...write(first, names, loose ? 3 : binding),
    plainToken(` ${SYMBOLS[op]} `),
    ...write(second, names, binding + 1),
  ];
  const bracketed = binding < outer || (outer > 0 && loose);
  return bracketed ? [plainToken("("), ...inner, plainToken(")")] : inner;
}

/**
 * All that there is to say of one output element, line by line.
 * @param {Formula} formula
 * @param {number} output flat
 * @param {number[]} sizes of the input
 * @param {number[]} outputSizes
 * @returns {Token[][]}
 */
export function explain(formula, output, sizes, outputSizes) {
  const index = indexOf(output, outputSizes);
  const shown = index.map(String);
  const rule = [...bracket("out", formula.names), plainToken(" = "), ...list("in", formula.source.map((e) => write(e, formula.names)))];
  const found = formula.source.map((e) => evaluate(e, index));
  const put = formula.source.map((e) => write(e, shown));
  const numbers = [...bracket("out", shown), plainToken(" = "), ...list("in", put)];
  const worked = found.map((i, axis) => [{ text: String(i), axis }]);
  if (textOf(list("in", put)) !== textOf(list("in", worked))) {
    numbers.push(plainToken(" = "), ...list("in", worked));
  }
  const outside = found.findIndex((i, d) => i < 0 || i >= sizes[d]);
  if (outside >= 0) {
    const tail = formula.outside
      .replace("{text}", "")
      .replace("{i}", String(found[outside]))
      .replace("{last}", String(sizes[outside] - 1))
      .replace("{d}", String(outside))
      .replace("{missing}", formula.missing);
    numbers.push(plainToken(tail));
  }
  const lines = [rule, numbers];
  for (const beyond of formula.beyond) {
    const sentence = sentenceBeyond(beyond, index[beyond.dimension]);
    if (sentence) lines.push([{ text: sentence, axis: beyond.dimension }]);
  }
  return lines;
}

/**
 * Which side, how far, and in which fold an element lies; empty inside.
 * @param {import("./data.js").Beyond} beyond
 * @param {number} at
 * @returns {string}
 */
export function sentenceBeyond(beyond, at) {
  const distance = Math.max(beyond.start - at, at - beyond.start - beyond.size + 1);
  if (distance <= 0) return "";
  const fold = beyond.period ? Math.floor((distance - 1) / beyond.period) + 1 : 0;
  const text = at < beyond.start ? beyond.before : beyond.behind;
  return text.replace("{distance}", String(distance)).replace("{fold}", String(fold));
}

/**
 * Tokens as one text.
 * @param {Token[]} tokens
 * @returns {string}
 */
export function textOf(tokens) {
  return tokens.map((token) => token.text).join("");
}

/** @param {string} text @returns {Token} */
function plainToken(text) {
  return { text, axis: -1 };
}

/** @param {string} name @param {string[]} texts @returns {Token[]} */
function bracket(name, texts) {
  return list(name, texts.map((text, axis) => [{ text, axis }]));
}

/** @param {string} name @param {Token[][]} parts @returns {Token[]} */
function list(name, parts) {
  const inner = parts.flatMap((part, i) => (i ? [plainToken(", "), ...part] : part));
  return [plainToken(`${name}[`), ...inner, plainToken("]")];
}
