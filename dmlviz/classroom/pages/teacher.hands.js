// @ts-check
/** A show of hands: the numbers that the teacher counts and enters. */

import { fill, make, say } from "./common.js";

const MOST = 10_000;

export class Hands {
  /**
   * @param {Record<string, string>} words
   * @param {(round: number, counts: Record<string, number>) => Promise<import("./common.js").Answer>} store
   */
  constructor(words, store) {
    this.words = words;
    this.store = store;
    this.key = "";
    this.place = /** @type {import("./staff.js").Place | null} */ (null);
    /** @type {Map<string, HTMLInputElement>} */
    this.inputs = new Map();
    this.fields = make("div", "fields");
    this.note = make("p", "quiet");
    this.note.setAttribute("aria-live", "polite");
    const send = /** @type {HTMLButtonElement} */ (make("button", "plain", words.hands_store));
    const form = make("form", "", make("p", "quiet", words.hands_hint), this.fields, send, this.note);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.element = make("details", "box hands", make("summary", "", words.hands), form);
  }

  /**
   * @param {import("./staff.js").Question | null} question
   * @param {import("./staff.js").Place} place
   */
  show(question, place) {
    this.place = place;
    this.element.hidden = !question || question.input !== "choice" || ["door", "ended"].includes(place.layout);
    const key = `${place.number} ${place.round}`;
    if (!question || key === this.key) return;
    this.key = key;
    say(this.note, fill(this.words.round, { n: place.round }));
    this.inputs = new Map(question.choices.map((_text, number) => {
      const input = /** @type {HTMLInputElement} */ (make("input"));
      Object.assign(input, { type: "number", inputMode: "numeric", min: "0", max: String(MOST), value: "" });
      return [String(number), input];
    }));
    this.fields.replaceChildren(...[...this.inputs].map(([answer, input]) => make("label", "", question.marks[Number(answer)], input)));
  }

  async send() {
    if (!this.place) return;
    const counts = Object.fromEntries([...this.inputs].map(([answer, input]) =>
      [answer, Math.min(MOST, Math.max(0, Math.round(Number(input.value) || 0)))]));
    const answer = await this.store(this.place.round, counts);
    say(this.note, answer.status === 200 ? this.words.hands_stored : answer.body.message ?? this.words.offline);
  }
}
