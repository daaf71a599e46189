// @ts-check
/** What learners have written about the question: which of it the wall shows, and what it must not show. */

import { fill, make, makeButton } from "./common.js";

export class Sentences {
  /**
   * @param {Record<string, string>} words
   * @param {(device: string) => void} hide
   */
  constructor(words, hide) {
    this.words = words;
    this.hide = hide;
    this.shown = "";
    this.list = make("ol", "sentences");
    this.element = make("section", "", make("h2", "", words.sentences), this.list);
    this.element.hidden = true;
  }

  /** @param {import("./staff.js").Counts} counts */
  show({ sentences = [], sentences_shown: most = 0 }) {
    const { words } = this;
    this.element.hidden = !sentences.length;
    const shown = JSON.stringify(sentences);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...sentences.map(({ text, answer, device = "" }, n) => {
      const hiding = makeButton("link", () => this.hide(device), words.hide);
      hiding.setAttribute("aria-label", fill(words.hide_sentence, { text }));
      return make("li", "sentence", make("bdi", "", text), make("span", "quiet", [answer, n < most ? words.on_wall : ""].filter(Boolean).join(" · ")), hiding);
    }));
  }
}
