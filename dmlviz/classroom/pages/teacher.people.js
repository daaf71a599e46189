// @ts-check
/** Those who have given a nickname: who has answered, who is lost, and who can be removed. */

import { fill, make, makeButton, say } from "./common.js";

export class People {
  /**
   * @param {Record<string, string>} words
   * @param {HTMLElement} choice who sees nicknames
   * @param {(person: import("./staff.js").Person) => void} remove
   */
  constructor(words, choice, remove) {
    this.words = words;
    this.remove = remove;
    this.shown = "";
    this.list = make("ul", "people");
    this.unnamed = make("p", "quiet");
    this.element = make("section", "box", make("h2", "", words.people), choice,
      make("p", "quiet", words.nicknames_kept), this.list, this.unnamed);
  }

  /** @param {import("./staff.js").Place} place */
  show({ self_paced: alone, options, counts }) {
    const { words } = this;
    const people = counts.people ?? [];
    this.list.hidden = this.unnamed.hidden = options.nicknames === "none";
    say(this.unnamed, fill(words.unnamed, { n: counts.unnamed ?? 0 }));
    const shown = JSON.stringify([people, alone]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...people.map((person) => {
      const state = alone ? fill(words.of_questions, { n: person.answered, all: counts.alone_questions ?? 0 }) : person.answered ? "✓" : "";
      const removing = makeButton("link", () => this.remove(person), words.remove_person);
      removing.setAttribute("aria-label", fill(words.remove_name, { name: person.nickname }));
      const item = make("li", "person", make("span", "name", person.nickname),
        make("span", "state", person.lost ? `${words.stat_lost} ${state}` : state), removing);
      if (!alone && person.answered) item.querySelector(".state")?.setAttribute("aria-label", words.stat_votes);
      return item;
    }));
  }
}
