// @ts-check
/** How far a class is where everybody goes at their own pace. */

import { fill, make, settingLines, unbroken } from "./common.js";
import { percent } from "./staff.js";

export class Progress {
  /** @param {Record<string, string>} words */
  constructor(words) {
    this.words = words;
    this.shown = "";
    /** @type {{input: string, prompt: string, settings: string}[]} */
    this.questions = [];
    this.element = make("ol", "progress");
  }

  /**
   * @param {import("./staff.js").Round[]} rounds the answers to each question
   * @param {number} joined
   */
  show(rounds, joined) {
    const shown = JSON.stringify([rounds, joined, this.questions.length]);
    if (shown === this.shown) return;
    this.shown = shown;
    const { words } = this;
    let place = 0;
    this.element.replaceChildren(...rounds.flatMap(({ votes, right = 0 }, number) => {
      const { input, prompt = "", settings = "" } = this.questions[number] ?? {};
      // nobody discusses alone, and phones count as this list does
      if (input === "") return [];
      const bar = make("span", "fill");
      bar.style.width = `${percent(votes, joined)}%`;
      const rights = make("span", "fill right");
      rights.style.width = `${percent(right, joined)}%`;
      return make("li", "", make("p", "", `${++place}. `, unbroken(prompt)), make("p", "quiet", settingLines(settings)),
        make("div", "line", make("span", "track", bar, rights),
          make("span", "number", fill(words.progress, { n: votes, right }))));
    }));
  }
}
