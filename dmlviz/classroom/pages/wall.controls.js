// @ts-check
/** Controls at the edge of a wall, for a teacher who has no other screen: keys, and faint buttons for them. */

import { make, makeButton, say } from "./common.js";
import { Control } from "./staff.control.js";

export class WallControls {
  /**
   * @param {import("./common.js").Api} api with the teacher's secret
   * @param {string} code
   * @param {Record<string, string>} words
   */
  constructor(api, code, words) {
    this.words = words;
    this.error = make("p", "control-error");
    this.error.setAttribute("role", "alert");
    const control = this.control = new Control(api, code, words, (sentence) => say(this.error, sentence));
    this.next = control.next = makeButton("control next", () => control.forward());
    this.others = make("span", "control-others");
    this.pause = makeButton("control", () => control.use("pause"));
    this.more = key(makeButton("control", () => control.use("more"), words.more), "+");
    this.bars = makeButton("control", () => control.use("bars"));
    this.code = makeButton("control", () => control.use("invite"));
    this.element = make("nav", "controls", this.error, this.more, this.pause, this.bars, this.code, this.others, this.next);
    this.element.setAttribute("aria-label", words.controls);
  }

  /** There is nothing to play. @param {number} number of the question */
  still(number) {
    this.control.still = number;
    if (this.control.place) this.show(this.control.place);
  }

  /** @param {import("./staff.js").Place} place */
  show(place) {
    const { control, words } = this;
    control.at(place);
    const { main, others } = control;
    this.next.hidden = !main;
    if (main) relabel(this.next, main.label, words.key_space);
    this.others.replaceChildren(...others.map((action) => {
      const button = makeButton("control", () => control.act(action), action.label);
      return action.key ? key(button, action.key) : button;
    }));
    this.pause.hidden = !control.can("pause");
    relabel(this.pause, place.paused ? words.go_on : words.pause, ".");
    this.more.hidden = !control.can("more");
    this.bars.hidden = !control.can("bars");
    relabel(this.bars, place.counts.bars_shown ? words.hide_bars : words.show_bars, "B");
    this.code.hidden = !control.can("invite");
    relabel(this.code, place.invites ? words.hide_code : words.show_code, "Q");
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} name
 */
function key(button, name) {
  button.append(make("kbd", "", name));
  return button;
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} text
 * @param {string} name of its key
 */
function relabel(button, text, name) {
  if (button.dataset.label === text) return;
  button.dataset.label = text;
  button.replaceChildren(text);
  key(button, name);
}
