// @ts-check
/** The controls of a class's options: each one's choices, and nothing else knows them. */

import { fill, make } from "./common.js";

const DISCUSSIONS = [0, 60, 90, 120, 180, 300];

export class OptionControls {
  /**
   * @param {Record<string, string>} words
   * @param {(options: object) => void} change called with all options, one of them changed
   */
  constructor(words, change) {
    this.words = words;
    this.change = change;
    /** @type {import("./staff.js").Options | null} */
    this.options = null;
    const minutes = DISCUSSIONS.map((n) => /** @type {[string, string]} */ ([String(n), n ? fill(words.seconds, { n }) : words.no_clock]));
    const named = (/** @type {string} */ name, /** @type {string[]} */ values) =>
      values.map((value) => /** @type {[string, string]} */ ([value, words[`${name}_${value}`]]));
    this.discussion = this.select("discussion", minutes, Number);
    this.finishes = /** @type {HTMLInputElement} */ (make("input"));
    this.finishes.type = "checkbox";
    this.finishes.addEventListener("change", () => this.choose({ finishes: this.finishes.checked }));
    this.theme = this.select("theme", named("theme", ["screen", "light", "dark"]));
    this.nicknames = this.select("nicknames", named("nicknames", ["none", "teacher", "wall"]));
    this.clocks = make("div", "clocks", make("label", "field", make("span", "", words.discussion), this.discussion),
      make("label", "check", this.finishes, ` ${words.finishes}`));
    this.looks = make("label", "field", make("span", "", words.theme), this.theme);
    this.people = make("label", "field", make("span", "", words.nicknames), this.nicknames);
    /** nothing to change until the class's options are known */
    this.fields = [this.discussion, this.finishes, this.theme, this.nicknames];
    for (const field of this.fields) field.disabled = true;
    /** the minutes of a discussion's own part, which no choice changes */
    this.planned = new Option("", "planned");
  }

  /**
   * @param {string} name
   * @param {[string, string][]} choices values and what they are called
   * @param {(value: string) => unknown} read
   */
  select(name, choices, read = String) {
    const select = /** @type {HTMLSelectElement} */ (make("select"));
    select.name = name;
    for (const [value, text] of choices) select.append(new Option(text, value));
    select.addEventListener("change", () => this.choose({ [name]: read(select.value) }));
    return select;
  }

  /** @param {object} changed */
  choose(changed) {
    if (!this.options) return;
    // the next change may come before the class's state has this one
    this.options = { ...this.options, ...changed };
    this.change(this.options);
  }

  /**
   * @param {import("./staff.js").Options} options
   * @param {number} minutes of the discussion that is the current part; 0 if it is none
   */
  show(options, minutes) {
    this.options = options;
    for (const field of this.fields) field.disabled = false;
    if (minutes) {
      this.planned.text = fill(this.words[minutes === 1 ? "minute" : "minutes"], { n: minutes });
      this.discussion.append(this.planned);
    } else this.planned.remove();
    this.discussion.disabled = minutes > 0;
    this.discussion.value = minutes ? this.planned.value : String(options.discussion);
    this.finishes.checked = options.finishes;
    this.theme.value = options.theme;
    this.nicknames.value = options.nicknames;
  }
}
