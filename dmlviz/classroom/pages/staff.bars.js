// @ts-check
/** Bars: each answer with the votes of each round, and which color is which round. */

import { fill, make, say, unbroken } from "./common.js";
import { percent } from "./staff.js";

export class Bars {
  /** @param {Record<string, string>} words */
  constructor(words) {
    this.words = words;
    this.key = "";
    this.element = make("ol", "bars");
    this.legend = make("p", "legend");
    /** @type {{fills: HTMLElement[], numbers: HTMLElement[]}[]} */
    this.drawn = [];
  }

  /**
   * @param {import("./staff.js").Row[]} rows
   * @param {import("./staff.js").Round[]} rounds
   * @param {{revealed?: boolean, whys?: boolean}} how revealed: the right one is marked; whys: with misconceptions
   */
  show(rows, rounds, { revealed = false, whys = false } = {}) {
    const used = rounds.map((round, number) => ({ ...round, number })).filter(({ votes }, i) => i === 0 || votes > 0);
    const turns = used.map(({ number }) => number + 1);
    const key = JSON.stringify([rows.map(({ answer, label, why }) => [answer, label, why]), turns, revealed, whys]);
    if (key !== this.key) this.build(rows, turns, revealed, whys);
    this.key = key;
    this.legend.hidden = used.length < 2;
    rows.forEach((row, r) => {
      used.forEach(({ number, votes }, i) => {
        const share = percent(row.counts[number] ?? 0, votes);
        this.drawn[r].fills[i].style.width = `${share}%`;
        say(this.drawn[r].numbers[i], votes ? `${share}% · ${row.counts[number] ?? 0}` : "");
      });
    });
  }

  /**
   * @param {import("./staff.js").Row[]} rows
   * @param {number[]} turns the numbers of the rounds
   * @param {boolean} revealed
   * @param {boolean} whys
   */
  build(rows, turns, revealed, whys) {
    this.drawn = [];
    this.legend.replaceChildren(...turns.flatMap((n) => [make("span", `key key-${n}`), fill(this.words.round, { n })]));
    this.element.replaceChildren(...rows.map((row) => {
      const fills = [];
      const numbers = [];
      const lines = [];
      for (const n of turns) {
        const filled = make("span", "fill");
        const number = make("span", "number");
        const name = fill(this.words.round, { n });
        lines.push(make("div", `line round-${n}`, make("span", "sr", `${name}: `), make("span", "track", filled), number));
        fills.push(filled);
        numbers.push(number);
      }
      this.drawn.push({ fills, numbers });
      const head = make("div", "label");
      if (row.letter) head.append(make("span", "letter", row.letter));
      head.append(make("span", "text", unbroken(row.label)));
      if (revealed && row.right) head.append(make("span", "mark", this.words.right));
      const item = make("li", "row", head, make("div", "lines", ...lines));
      if (revealed) item.classList.add(row.right ? "right" : "wrong");
      if (whys && row.why) item.append(make("p", "why", unbroken(row.why)));
      return item;
    }));
  }
}
