// @ts-check
/** Checks a guess against the engine's source map, and explains a wrong one with its numbers. */

import { cellName } from "./data.js";
import { fillIn } from "./sentence.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {{text: string, why: string, key: string, told: string}} Choice
 *   why: it is wrong; empty for the right one; told: what is said once it is chosen
 * @typedef {{cell: number, value: string, traps: Record<string, string>, depends?: string}} Marked
 *   cell: flat in the output; traps: wrong input elements, -1 for padding, with the misreading;
 *   depends: the control elements that choose the source
 * @typedef {{choices: Choice[], cells: Marked[], pads: boolean, words: Record<string, string>,
 *   hides?: "sizes" | "cells" | "nothing"}} Asked
 *   hides: what waits for the answer to a question that the page asks beside the player
 * @typedef {{verdict: "right" | "wrong" | "near" | "unclear" | "shown", text: string}} Answer
 *   near: the right value at another place; unclear: no guess at all. Neither counts as wrong.
 *   shown: it was revealed
 */

const MOST_PLACES = 3;
const NAMED = new Map([["nan", NaN], ["infinity", Infinity], ["inf", Infinity], ["∞", Infinity]]);

/** @param {Choice} chosen @returns {Answer} */
export function judgeChoice({ why, told }) {
  return { verdict: why ? "wrong" : "right", text: told };
}

/**
 * @param {Asked} asked
 * @param {Marked} marked
 * @param {Model} model
 * @param {number} input the flat input element that was chosen, or -1 for the padding value
 * @returns {Answer}
 */
export function judgeSource(asked, marked, model, input) {
  const { words } = asked;
  const due = model.source[marked.cell];
  if (input === due) return { verdict: "right", text: truth(asked, marked, model, "right") };
  const parts = partsOf(asked, marked, model, input);
  if (input >= 0 && due >= 0 && model.inputLabels[input] === model.inputLabels[due] && parts.places) {
    return { verdict: "near", text: fillIn(words.same_value, parts) };
  }
  const sentence = input < 0 ? words.wrong_padding : parts.places ? words.wrong_source : words.wrong_nowhere;
  return { verdict: "wrong", text: withTrap(fillIn(sentence, parts), marked, input) };
}

/**
 * @param {Asked} asked
 * @param {Marked} marked
 * @param {Model} model
 * @param {string} typed
 * @returns {Answer}
 */
export function judgeValue(asked, marked, model, typed) {
  const { words } = asked;
  const value = clean(typed);
  if (sameNumber(value, marked.value) || sameNumber(value, model.labels[marked.cell])) {
    return { verdict: "right", text: truth(asked, marked, model, "right") };
  }
  if (numberOf(value) === null) {
    return { verdict: "unclear", text: fillIn(words.no_number, { value: model.inputLabels[0] }) };
  }
  const padding = asked.pads && sameNumber(value, model.payload.paddingLabel);
  if (padding) {
    return { verdict: "wrong", text: withTrap(fillIn(words.wrong_padding_value, partsOf(asked, marked, model, -1)), marked, -1) };
  }
  const holds = (/** @type {number} */ i) => i >= 0 && sameNumber(value, model.inputLabels[i]);
  const trap = Object.keys(marked.traps).map(Number).find(holds);
  const input = trap ?? model.inputLabels.findIndex((_label, i) => i < model.moving && holds(i));
  if (input < 0) return { verdict: "wrong", text: fillIn(words.wrong_number, { cell: cellName(model.payload.output, marked.cell), value }) };
  const parts = partsOf(asked, marked, model, input);
  const sentence = parts.places ? words.wrong_value : words.wrong_nowhere;
  return { verdict: "wrong", text: withTrap(fillIn(sentence, parts), marked, input) };
}

/**
 * The true source of the marked cell.
 * @param {Asked} asked
 * @param {Marked} marked
 * @param {Model} model
 * @param {"right" | "shown"} how
 * @returns {string}
 */
export function truth(asked, marked, model, how) {
  const due = model.source[marked.cell];
  const sentence = asked.words[`${how}_${due < 0 ? "padding" : "source"}`];
  return fillIn(sentence, { ...partsOf(asked, marked, model, due), value: marked.value });
}

/**
 * @param {Asked} asked
 * @param {Marked} marked
 * @param {Model} model
 * @param {number} input
 */
function partsOf(asked, marked, model, input) {
  const { payload } = model;
  const copies = input < 0 ? [] : Array.from(model.copies(input)).filter((copy) => !model.naming(copy));
  const named = copies.slice(0, MOST_PLACES).map((copy) => cellName(payload.output, copy)).join(", ");
  const rest = copies.length - MOST_PLACES;
  return {
    cell: cellName(payload.output, marked.cell),
    source: input < 0 ? "" : cellName(payload.input, input),
    value: input < 0 ? payload.paddingLabel : model.inputLabels[input],
    places: rest > 0 ? fillIn(asked.words.more, { places: named, n: rest }) : named,
  };
}

/** @param {string} sentence @param {Marked} marked @param {number} input @returns {string} */
function withTrap(sentence, marked, input) {
  return [sentence, marked.traps[input], marked.depends].filter(Boolean).join(" ");
}

/**
 * Whether two texts are the same number: 2.50 and 2.5, but not two large integers that round alike.
 * @param {string} a
 * @param {string} b
 * @returns {boolean}
 */
export function sameNumber(a, b) {
  if (a === b) return a !== "";
  const whole = /^-?\d{1,40}$/;
  if (whole.test(a) && whole.test(b)) return BigInt(a) === BigInt(b);
  const [one, two] = [numberOf(a), numberOf(b)];
  return one !== null && two !== null && (one === two || (Number.isNaN(one) && Number.isNaN(two)));
}

/** @param {string} text @returns {number | null} */
function numberOf(text) {
  const named = NAMED.get(text.replace(/^-/, "").toLowerCase());
  if (named !== undefined) return text.startsWith("-") ? -named : named;
  const number = Number(text);
  return text === "" || Number.isNaN(number) ? null : number;
}

/** @param {string} typed @returns {string} */
function clean(typed) {
  return typed.trim().replace(/^−/, "-").replace(",", ".").replace(/^\+/, "").slice(0, 60);
}
