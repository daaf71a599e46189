// @ts-check
/** An operator's index formula with one element's numbers; evaluates Python's expressions. */

import { fillIn } from "./sentence.js";

/**
 * @typedef {import("./data.js").Tree} Tree
 * @typedef {import("./data.js").Formula} Formula
 * @typedef {import("./data.js").Formulas} Formulas
 * @typedef {import("./data.js").Tables} Tables
 * @typedef {{text: string, axis: number}} Token  axis -1 where the text is of no dimension
 */

const SYMBOLS = /** @type {Record<string, string>} */ ({
  add: "+", sub: "−", mul: "·", over: "/", mod: "mod", div: "div", same: "==",
});
const BINDING = /** @type {Record<string, number>} */ ({ same: 0, add: 1, sub: 1, mul: 2, over: 2, mod: 2, div: 2 });

/**
 * The value of an expression for an output element.
 * @param {Tree} tree
 * @param {number[]} index
 * @param {Tables} [tables] the tensors that are looked up
 * @returns {number}
 */
export function evaluate(tree, index, tables = {}) {
  const [op, first, second] = tree;
  if (op === "const" || op === "real") return first;
  if (op === "index") return index[first];
  if (op === "look") {
    const { sizes, values } = tables[first];
    // outside the tensor, the nearest element
    const at = tree.slice(2).map((part, d) => Math.min(Math.max(evaluate(part, index, tables), 0), sizes[d] - 1));
    return values[at.reduce((flat, i, d) => flat * sizes[d] + i, 0)];
  }
  if (op === "below") {
    const less = evaluate(first, index, tables) < evaluate(second, index, tables);
    return evaluate(tree[less ? 3 : 4], index, tables);
  }
  const a = evaluate(first, index, tables);
  if (op === "single") return Math.fround(a);
  // -0 is not an index
  if (op === "floor" || op === "ceil") return Math[op](a) + 0;
  const b = evaluate(second, index, tables);
  switch (op) {
    case "add": return a + b;
    case "sub": return a - b;
    case "mul": return a * b;
    case "over": return a / b;
    case "div": return Math.floor(a / b);
    case "mod": return ((a % b) + b) % b;
    case "min": return Math.min(a, b);
    case "same": return Number(a === b);
    default: return Math.max(a, b);
  }
}

/**
 * What is left to work out for an output element: the branch that holds, and numbers for what is
 * looked up, unless that is all there is.
 * @param {Tree} tree
 * @param {number[]} index
 * @param {Tables} tables
 * @returns {Tree}
 */
export function settled(tree, index, tables) {
  const [op, ...parts] = tree;
  if (op === "below") {
    const less = evaluate(parts[0], index, tables) < evaluate(parts[1], index, tables);
    return settled(parts[less ? 2 : 3], index, tables);
  }
  if (op === "look") return tree;
  return /** @type {Tree} */ ([op, ...parts.map((part) => {
    const left = Array.isArray(part) ? settled(/** @type {Tree} */ (part), index, tables) : part;
    return left[0] === "look" ? ["const", evaluate(left, index, tables)] : left;
  })]);
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
  if (op === "const") return [plainToken(outer > 1 && first < 0 ? `(${first})` : String(first))];
  if (op === "real") return [plainToken(second)];
  if (op === "index") return [{ text: names[first], axis: first }];
  if (op === "single") return write(first, names, outer);
  if (op === "floor" || op === "ceil") return [plainToken(`${op}(`), ...write(first, names), plainToken(")")];
  if (op === "look") return list(first, tree.slice(2).map((part) => write(part, names)));
  if (op === "below") {
    const [a, b, then, other] = tree.slice(1).map((part) => write(part, names, 1));
    const text = [...then, plainToken(" if "), ...a, plainToken(" < "), ...b, plainToken(" else "), ...other];
    return outer ? [plainToken("("), ...text, plainToken(")")] : text;
  }
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
 * The whole explanation of one output element, line by line.
 * @param {Formulas} formulas
 * @param {string} name of the output
 * @param {number[]} index
 * @returns {Token[][]}
 */
export function explain(formulas, name, index) {
  const lines = (formulas.of[name] ?? [])
    .filter((formula) => holds(formula, index, formulas.tables))
    .flatMap((formula) => ruleLines(formula, formulas, index));
  const remark = formulas.remarks?.[name]?.[index.join()];
  if (remark) lines.push(...remark.split("\n").map((text) => [plainToken(text)]));
  for (const beyond of formulas.beyond[name] ?? []) {
    const sentence = sentenceBeyond(beyond, index[beyond.dimension]);
    if (sentence) lines.push([{ text: sentence, axis: beyond.dimension }]);
  }
  return lines;
}

/**
 * Whether a formula is the one of an output element.
 * @param {Formula} formula
 * @param {number[]} index
 * @param {Tables} tables
 */
export function holds({ where }, index, tables) {
  return where.every(({ value, start, stop }) => {
    const i = evaluate(value, index, tables);
    return start <= i && i < stop;
  });
}

/**
 * The constant of an output element; null if it has a source.
 * @param {Formula} formula
 * @param {number[]} index
 * @param {Tables} tables
 */
function constantAt({ constants }, index, tables) {
  const part = constants.find(({ ways }) => ways.some((way) => way.every(({ value, low, high }) => {
    const i = evaluate(value, index, tables);
    return (low === null || i >= low) && (high === null || i <= high);
  })));
  if (!part) return null;
  return part.values[part.at ? evaluate(part.at, index) : 0];
}

/**
 * A rule, and the same with an element's numbers.
 * @param {Formula} formula
 * @param {Formulas} formulas
 * @param {number[]} index
 * @returns {Token[][]}
 */
function ruleLines(formula, { tables, ...words }, index) {
  const { tensor, output, names, source, sizes, missing, where } = formula;
  const shown = index.map(String);
  const inner = formula.shown.map((e) => write(e, names));
  const rule = [...bracket(output, names), plainToken(` = ${formula.before}`), ...list(tensor, inner)];
  for (const { value, start, stop } of where) {
    const letter = textOf(write(value, names));
    rule.push(plainToken(fillIn(words.where, { text: "", letter, start, last: stop - 1 })));
  }
  if (formula.after) rule.push(plainToken(formula.after));
  const constant = constantAt(formula, index, tables);
  if (constant !== null) return [rule, [...bracket(output, shown), plainToken(` = ${constant}: ${missing}`)]];
  const coordinates = source.map((e) => evaluate(e, index, tables));
  const put = source.map((e) => write(settled(e, index, tables), shown));
  const outside = coordinates.findIndex((i, d) => i < 0 || i >= sizes[d]);
  if (outside >= 0) {
    // no element has that index, so none is named
    const i = String(coordinates[outside]), sum = textOf(put[outside]);
    const side = (coordinates[outside] < 0 ? "before" : "past") + (sizes.length > 1 ? "-in" : "");
    // the formula says -1 for no element at all: no index that somebody counts to
    const none = sum === "-1" || sum === "max(-1, -1)";
    const why = fillIn(words.outside[none ? "none" : side], {
      index: sum === i ? i : `${sum} = ${i}`, last: sizes[outside] - 1, d: outside, missing,
    });
    return [rule, [...bracket(output, shown), { text: why, axis: outside }]];
  }
  const numbers = [...bracket(output, shown), plainToken(" = "), ...list(tensor, put)];
  const worked = coordinates.map((i, axis) => [{ text: String(i), axis }]);
  if (textOf(list(tensor, put)) !== textOf(list(tensor, worked))) {
    numbers.push(plainToken(" = "), ...list(tensor, worked));
  }
  return [rule, numbers];
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
  if (!parts.length) return [plainToken(name)];
  const inner = parts.flatMap((part, i) => (i ? [plainToken(", "), ...part] : part));
  return [plainToken(`${name}[`), ...inner, plainToken("]")];
}
