// @ts-check
/** A payload unpacked: everything that drawing, hovering and playing need. It draws nothing. */

import { cellCount, cellsOf, copiesOf, countOf, sideCells, unpack } from "./data.js";

/** By how much of a digit a decimal point is narrower. */
const POINT = 0.4;

/**
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {import("./data.js").Cells} Cells
 * @typedef {import("./data.js").Step} Step
 * @typedef {"steps" | "all" | "stages"} View
 * @typedef {{steps: Step[], stepOf: ArrayLike<number>, via: ArrayLike<number> | null,
 *            groups: number[][], covers?: Int32Array, before?: Int32Array}} Moves
 *   of output cells, then of those that they cover later: covers names the former for each of the
 *   latter, and before the input cell that is seen there
 * @typedef {ReturnType<typeof modelOf>} Model
 */

/**
 * @param {Payload} payload
 */
export function modelOf(payload) {
  const source = /** @type {Int32Array} */ (unpack(payload.source));
  const drivers = payload.drivers ? /** @type {Int32Array} */ (unpack(payload.drivers)) : null;
  const inputCount = cellCount(payload.input);
  const inputLabels = labelsOf(payload.input);
  const sent = labelsOf(payload.output);
  const labels = Array.from(source, (s, i) => sent[i] ?? (s < 0 ? payload.paddingLabel : inputLabels[s]));
  const values = payload.input.tensors.filter(({ role }) => role === "values");
  const moving = values.reduce((sum, { sizes }) => sum + countOf(sizes), 0);
  const stepOf = unpack(payload.stepOf);
  const chosen = copiesOf(drivers ?? new Int32Array(0), inputCount);
  return {
    payload,
    source,
    /** for every output cell the control cell that chose it, or -1 */
    drivers,
    /** how many control cells choose an output cell: the one in drivers is the first */
    driverLength: payload.driverLength,
    /** how far they are from each other */
    driverApart: payload.driverApart ?? 1,
    input: sideCells(payload.input),
    output: sideCells(payload.output),
    inputLabels,
    labels,
    value: /** @type {Float32Array} */ (unpack(payload.color)),
    ...coveredOf(payload),
    /** how many input cells hold what travels: those from here on are control */
    moving,
    /** the output cells that are copies of an input cell, or its index */
    copies: copiesOf(source, inputCount),
    /** for every output cell whether it is an index, and no copy */
    naming: ofRole(payload.output, "index"),
    /** for every output cell whether it is a new value, and no copy */
    computed: ofRole(payload.output, "computed"),
    /** the step that makes every output cell */
    madeIn: (/** @type {number} */ cell) => payload.steps[stepOf[cell]],
    /** the output cells that a control cell chose, alone, as part of a tuple, or with other lists' */
    chosen: (/** @type {number} */ cell) => {
      const { driverLength, driverApart = 1 } = payload;
      const place = (cell - moving) % (driverLength * driverApart);
      return chosen(cell - place + (place % driverApart));
    },
    letters: longest(inputLabels, longest([payload.paddingLabel], longest(sent, 1))),
    strange: inputLabels.slice(0, moving).flatMap((label, i) => (isStrange(label) ? [i] : [])),
    parts: partsOfRule(payload),
  };
}

/**
 * The tensors between the parts of the rule: for each of their places the input's element, and
 * where it was in the tensor before.
 * @param {Payload} payload
 */
function partsOfRule(payload) {
  /** @type {Int32Array | null} */
  let before = null;
  return payload.parts.map((part) => {
    const order = /** @type {Int32Array} */ (unpack(part.order));
    const places = part.places ? /** @type {Int32Array} */ (unpack(part.places)) : placesOf(before, order);
    before = order;
    let constant = 0;
    const labels = Array.from(order, (element) => (element < 0 ? part.constants[constant++] ?? payload.paddingLabel : ""));
    return { tensor: part.tensor, cells: cellsOf(part.tensor), order, places, labels };
  });
}

/**
 * Where every element was before; each was there once.
 * @param {Int32Array | null} before the elements of the tensor before; null for the input itself
 * @param {Int32Array} order
 * @returns {Int32Array}
 */
function placesOf(before, order) {
  if (!before) return order;
  const started = new Int32Array(before.length);
  before.forEach((element, place) => { started[element] = place; });
  return order.map((element) => started[element]);
}

/**
 * Output cells in whose places something else lands first, and the input cells that it comes from.
 * @param {Payload} payload
 * @returns {{covers: Int32Array, before: Int32Array}}
 */
function coveredOf(payload) {
  const both = payload.covered ? /** @type {Int32Array} */ (unpack(payload.covered)) : new Int32Array(0);
  return { covers: both.subarray(0, both.length / 2), before: both.subarray(both.length / 2) };
}

/**
 * The labels of a side's cells, by number, as far as they were sent.
 * @param {import("./data.js").Side} side
 * @returns {string[]}
 */
function labelsOf(side) {
  /** @type {string[]} */
  const labels = [];
  for (const { first, labels: sent } of side.tensors) {
    sent?.forEach((label, i) => { labels[first + i] = label; });
  }
  return labels;
}

/**
 * @param {import("./data.js").Side} side
 * @param {string} role
 * @returns {(cell: number) => boolean} whether a cell's tensor has this role
 */
function ofRole(side, role) {
  const tensors = side.tensors.filter((tensor) => tensor.role === role);
  return (cell) => tensors.some(({ first, sizes }) => first <= cell && cell < first + countOf(sizes));
}

/**
 * The movement as a view shows it: step by step, all at once, or by the parts of the rule.
 * @param {Model} model
 * @param {View} view
 * @returns {Moves}
 */
export function movesOf(model, view) {
  const { payload, source } = model;
  const { words } = payload;
  if (view === "steps") {
    // what is covered later lands with the first step
    const { covers, before } = model;
    const stepOf = new Uint32Array(source.length + covers.length);
    stepOf.set(unpack(payload.stepOf));
    /** @type {number[][]} */
    const groups = payload.steps.map(() => []);
    for (let i = 0; i < stepOf.length; i++) groups[stepOf[i]].push(i);
    /** @type {Int32Array | null} */
    let via = null;
    if (payload.via) {
      via = new Int32Array(stepOf.length).fill(-1);
      via.set(unpack(payload.via));
    }
    return { steps: payload.steps, stepOf, via, groups, covers, before };
  }
  const everything = Array.from(source, (_s, i) => i);
  if (view === "all") {
    const steps = [{ title: words.all_title, caption: words.all_caption }];
    return { steps, stepOf: new Uint8Array(source.length), via: null, groups: [everything] };
  }
  const steps = payload.parts.map(({ title, caption }) => ({ title, caption }));
  // hidden until the last part is done: until then the stage draws the elements itself
  const stepOf = new Uint8Array(source.length).fill(steps.length - 1);
  return { steps, stepOf, via: null, groups: steps.map((_s, k) => (k === steps.length - 1 ? everything : [])) };
}

/**
 * Output elements and every other copy of their sources.
 * @param {Model} model
 * @param {number[]} outputs
 * @returns {Set<number>}
 */
export function alikeOf(model, outputs) {
  return new Set(outputs.flatMap((output) => {
    const source = model.source[output];
    return source < 0 ? [output] : Array.from(model.copies(source));
  }));
}

/** @param {string} label @returns {boolean} whether a value is no ordinary number */
function isStrange(label) {
  return label === "NaN" || label.endsWith("∞");
}

/**
 * How many digits are as wide as the longest label.
 * @param {string[]} labels
 * @param {number} least
 * @returns {number}
 */
function longest(labels, least) {
  return labels.reduce((most, label) => Math.max(most, label.length - (label.includes(".") ? POINT : 0)), least);
}
