// @ts-check
/** A field for one sentence, beside an answer that stays. */

import { make, say } from "./common.js";

const MOST = 140;

export class SentenceField {
  /**
   * @param {Record<string, string>} words
   * @param {(text: string) => void} send
   */
  constructor(words, send) {
    this.stored = "";
    this.input = /** @type {HTMLTextAreaElement} */ (make("textarea", "sentence"));
    Object.assign(this.input, { id: "sentence", maxLength: MOST, rows: 3, enterKeyHint: "send" });
    const label = /** @type {HTMLLabelElement} */ (make("label", "", words.sentence_label));
    label.htmlFor = "sentence";
    this.problem = make("p", "problem");
    this.problem.id = "sentence-refused";
    this.problem.setAttribute("role", "alert");
    this.input.setAttribute("aria-describedby", this.problem.id);
    this.element = make("form", "writing", label, this.input, make("button", "primary", words.send), this.problem);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) send(text);
      else this.input.focus();
    };
    this.element.addEventListener("submit", submit);
    // one line: Enter sends it
    this.input.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) submit(event); });
    this.input.addEventListener("input", () => say(this.problem, ""));
  }

  /**
   * @param {boolean} on
   * @param {string} stored
   */
  show(on, stored) {
    this.element.hidden = !on;
    // what is being typed stays
    if (stored && this.input.value === this.stored) this.input.value = stored;
    this.stored = stored;
  }

  /** @param {string} why */
  refused(why) {
    say(this.problem, why);
    this.problem.scrollIntoView({ block: "nearest" });
  }
}
