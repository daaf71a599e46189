// @ts-check
/** A question's picture, and where the class has tapped on it. */

import { isDark, onTheme } from "./staff.theme.js";
import { backoff, fill, isPassing, make, pause } from "./common.js";

const SVG = "http://www.w3.org/2000/svg";
/** Cells with at least this share of the votes have a number. */
const LEAST_SHARE = 0.02;

/** @typedef {{svg: string, width: number, height: number, words: string, cells: Record<string, number[][]>,
 *   tapped: string[]}} Drawn */

export class Picture {
  /**
   * @param {import("./common.js").Api} api
   * @param {Record<string, string>} words
   */
  constructor(api, words) {
    this.api = api;
    this.words = words;
    this.code = "";
    this.whole = "";
    this.element = make("div", "picture");
    this.wanted = "";
    /** @type {Drawn | null} */
    this.drawn = null;
    /** @type {[Record<string, number>, string, number] | null} */
    this.heat = null;
    /** called when there is one, or is none */
    this.settled = () => {};
    onTheme(() => {
      const number = this.wanted.split(" ")[1];
      if (!number) return;
      this.wanted = "";
      this.show(this.code, Number(number), this.width, this.tall);
    });
    this.width = 640;
    this.tall = 0;
  }

  /**
   * @param {string} code
   * @param {number} number of the question
   * @param {number} width that is asked for
   * @param {number} tall of its room, 0 where that is not known
   */
  async show(code, number, width = 640, tall = 0) {
    const dark = Number(isDark());
    const wanted = `${code} ${number} ${dark}`;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.code = code;
    this.width = width;
    this.tall = tall;
    this.drawn = null;
    this.element.replaceChildren();
    for (let failed = 0; this.wanted === wanted; failed++) {
      const answer = await this.api.get(`/${code}/picture`, { number, dark, width, tall });
      if (this.wanted !== wanted) return;
      if (answer.status === 200) {
        this.draw(answer.body);
        return;
      }
      if (!isPassing(answer)) {
        this.element.classList.add("none");
        this.settled();
        return;
      }
      await pause(backoff(failed));
    }
  }

  /** @param {Drawn} drawn */
  draw(drawn) {
    this.drawn = drawn;
    this.element.classList.remove("none");
    const svg = document.createElementNS(SVG, "svg");
    // an image runs no scripts
    const image = document.createElementNS(SVG, "image");
    const address = `data:image/svg+xml,${encodeURIComponent(drawn.svg)}`;
    image.setAttribute("href", address);
    image.setAttribute("width", String(drawn.width));
    image.setAttribute("height", String(drawn.height));
    svg.append(image);
    this.whole = `0 0 ${drawn.width} ${drawn.height}`;
    svg.setAttribute("viewBox", this.whole);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", drawn.words);
    this.element.replaceChildren(svg);
    if (this.heat) this.warm(...this.heat);
    this.settled();
  }

  /**
   * A heat map over the cells.
   * @param {Record<string, number>} counts of each cell, by its number through all tensors
   * @param {string} right the right cell, or empty while nobody is told
   * @param {number} above pixels above the cells that can be tapped, which are seen alone; 0 for the whole picture
   */
  warm(counts, right, above) {
    this.heat = [counts, right, above];
    const svg = this.element.querySelector("svg");
    if (!svg || !this.drawn) return;
    svg.querySelector(".heat")?.remove();
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "heat");
    const cells = Object.values(this.drawn.cells).flat();
    this.see(svg, above && cells.length ? around(cells, above) : this.whole);
    this.element.querySelector(".votes-of")?.remove();
    // what the badges in cells are
    if (cells.length) this.element.prepend(make("p", "votes-of", fill(this.words.votes_of, { tensors: this.drawn.tapped.join(", ") })));
    const votes = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const most = Math.max(1, ...Object.values(counts));
    const due = cells[Number(right)];
    if (right && due) layer.append(square(due, "due", 1));
    for (const [cell, count] of Object.entries(counts)) {
      const box = cells[Number(cell)];
      if (!box) continue;
      if (count / votes < LEAST_SHARE) continue;
      // a badge with its word below the element's value: nobody reads it as data
      const [x, y, w, h] = box;
      const text = fill(count === 1 ? this.words.vote_one : this.words.vote_many, { n: count });
      const size = Math.min((w * 1.75) / text.length, h * 0.28);
      layer.append(square([x, y + h - size * 1.2, w, size * 1.2], "warm", 0.6 + (0.4 * count) / most));
      const number = document.createElementNS(SVG, "text");
      for (const [name, value] of Object.entries({ x: x + w / 2, y: y + h - size * 0.24, "font-size": size })) {
        number.setAttribute(name, String(value));
      }
      number.setAttribute("class", "heat-number");
      number.textContent = text;
      layer.append(number);
    }
    svg.append(layer);
  }

  cool() {
    this.heat = null;
    this.element.querySelectorAll(".heat, .votes-of").forEach((part) => part.remove());
    const svg = this.element.querySelector("svg");
    if (svg) this.see(svg, this.whole);
  }

  /**
   * @param {SVGElement} svg
   * @param {string} part of the drawing
   */
  see(svg, part) {
    svg.setAttribute("viewBox", part);
    const [x, y, w, h] = part.split(" ").map(Number);
    const [, , wide, high] = this.whole.split(" ").map(Number);
    const image = /** @type {SVGElement} */ (svg.firstElementChild);
    // the room beside a part would show what is next to it
    image.style.clipPath = `inset(${y}px ${wide - x - w}px ${high - y - h}px ${x}px)`;
    // beside a part nothing else is seen
    svg.style.aspectRatio = part === this.whole ? "" : `${w} / ${h}`;
  }
}

/**
 * What shows all cells, with their indices beside and above; what stands there has one size
 * whatever theirs is, and the tensor's name above is left out.
 * @param {number[][]} cells
 * @param {number} above
 */
function around(cells, above) {
  const left = Math.min(...cells.map(([x]) => x)) - 16;
  const top = Math.min(...cells.map(([, y]) => y)) - above;
  // a plane of one column is less wide than its index
  const right = Math.max(...cells.map(([x, , wide]) => x + Math.max(wide + 4, 84)));
  const bottom = Math.max(...cells.map(([, y, , high]) => y + high)) + 4;
  return [left, top, right - left, bottom - top].map(Math.round).join(" ");
}

/**
 * @param {number[]} box
 * @param {string} name
 * @param {number} opacity
 */
function square([x, y, w, h], name, opacity) {
  const rectangle = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({ x, y, width: w, height: h, rx: Math.min(w, h) / 10, opacity })) {
    rectangle.setAttribute(key, String(value));
  }
  rectangle.setAttribute("class", name);
  return rectangle;
}
