// @ts-check
/** What an answer is given with: buttons to choose from, or a field. */

import { make, makeButton, say, unbroken } from "./common.js";

/**
 * @typedef {{open: boolean, chosen: string, first: string, right: string, busy: boolean, whys: Record<string, string>}} Shown
 *   first: what was answered in the first round, where this is the second; whys: what is wrong with each answer
 * @typedef {{element: HTMLElement, show: (shown: Shown) => void, sent?: (answer: string) => void,
 *   refused?: (why: string) => void}} Answers
 *   sent, refused: called when a typed answer is stored, or is not one
 */

/**
 * @param {any} question
 * @param {Record<string, string>} words
 * @param {(answer: string) => void} choose
 * @returns {Answers}
 */
export function answersOf(question, words, choose) {
  if (question.input === "choice") return choices(question.choices, question.marks, words, choose);
  if (question.input === "place") return choices([words.constant], ["∅"], words, choose, -1);
  if (!question.input) return { element: make("div", "answers"), show() {} };
  return field(question, words, choose);
}

/**
 * @param {string[]} texts
 * @param {string[]} marks what they are called
 * @param {Record<string, string>} words
 * @param {(answer: string) => void} choose
 * @param {number} first the answer that the first text stands for
 * @returns {Answers}
 */
function choices(texts, marks, words, choose, first = 0) {
  const buttons = texts.map((text, i) => {
    const badge = make("span", "badge", marks[i]);
    badge.setAttribute("aria-hidden", String(first < 0));
    return makeButton(first < 0 ? "choice none" : "choice", () => choose(String(i + first)),
      badge, make("span", "text", unbroken(text)), make("span", "note"));
  });
  const element = make("div", "answers", ...buttons);
  element.style.setProperty("--letters", String(Math.max(...texts.map(({ length }) => length))));
  return {
    element,
    show({ open, chosen, first: before, right, busy, whys }) {
      buttons.forEach((button, i) => {
        const answer = String(i + first);
        const own = chosen === answer;
        button.setAttribute("aria-pressed", String(own));
        // no button that is pressed loses the focus, as a disabled one would
        button.setAttribute("aria-disabled", String(!open));
        button.classList.toggle("busy", own && busy);
        button.classList.toggle("right", right === answer);
        button.classList.toggle("wrong", right !== "" && own && right !== answer);
        const note = right === answer ? words.right_one
          // what is wrong with the own one is said first of all, above
          : right !== "" ? (own ? words.yours : whys[answer] ?? "") : before === answer && !own ? words.first_one : "";
        say(/** @type {Node} */ (button.lastChild), unbroken(note));
      });
    },
  };
}

/**
 * What was typed, as the server reads it: either decimal mark, and more marks between sizes.
 * @param {string} input
 * @param {string} typed
 */
export function readTyped(input, typed) {
  if (input === "sizes") return typed.trim().replace(/[;*]/g, ",");
  if (input === "text") return typed.trim();
  return typed.trim().replace("−", "-").replace(/^(-?\d*),(\d+)$/, "$1.$2");
}

/**
 * @param {{input: string, label: string}} question
 * @param {Record<string, string>} words
 * @param {(answer: string) => void} choose
 * @returns {Answers}
 */
function field(question, words, choose) {
  const number = question.input === "number";
  const input = /** @type {HTMLInputElement} */ (make("input", "typed"));
  Object.assign(input, {
    id: "typed", type: "text", inputMode: number ? "decimal" : "text", autocomplete: "off", spellcheck: false,
    maxLength: 60, enterKeyHint: "send",
  });
  const label = /** @type {HTMLLabelElement} */ (make("label", "", question.label));
  label.htmlFor = "typed";
  const problem = make("p", "problem");
  problem.id = "refused";
  problem.setAttribute("role", "alert");
  input.setAttribute("aria-describedby", problem.id);
  const send = /** @type {HTMLButtonElement} */ (make("button", "primary", words.send));
  /** @type {string | null} what is typed and not stored yet */
  let draft = null;
  const write = () => {
    draft = input.value;
    say(problem, "");
  };
  input.addEventListener("input", write);
  // some keypads of phones have no minus
  const sign = makeButton("tool", () => {
    const text = input.value.trim();
    input.value = text.startsWith("-") ? text.slice(1) : `-${text}`;
    write();
    input.focus();
  }, "±");
  sign.setAttribute("aria-label", words.sign);
  const form = make("form", "answers field", label, make("div", "row", ...(number ? [sign] : []), input, send), problem);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = readTyped(question.input, input.value);
    if (answer && !input.readOnly) choose(answer);
    else input.focus();
  });
  return {
    element: form,
    show({ open, chosen }) {
      input.readOnly = !open;
      send.hidden = sign.hidden = !open;
      if (!open) say(problem, "");
      // what is typed stays, and comes back when answers are taken again
      const text = open && draft !== null ? draft : chosen.replace(/[{}]/g, "");
      if (input.value !== text) input.value = text;
    },
    sent(answer) {
      if (readTyped(question.input, input.value) === answer) draft = null;
    },
    refused(why) {
      say(problem, why);
      problem.scrollIntoView({ block: "nearest" });
    },
  };
}
