// @ts-check
/** The picture of a question, larger and smaller, and the cell that is tapped on it. */

import { cellText, fill, make, makeButton, say } from "./common.js";

/**
 * @typedef {{svg: string, width: number, height: number, font?: number, words: string,
 *   cells: Record<string, [number, number, number, number][]>, tapped: string[]}} Drawn
 * @typedef {{x: number, y: number, w: number, h: number, name: string}} Place
 */

const SVG = "http://www.w3.org/2000/svg";
/** Pixels of the smallest cell that a finger is asked to hit. */
const FINGER = 24;
/** Pixels of the smallest number that can be read. */
const LEGIBLE = 8.5;
/** Of a picture's own size, the least where it does not say how large its numbers are. */
const LEAST = 0.66;
const REACH = 24;
const MOST = 6;

/**
 * The nearest place in a direction, or the same place if there is none.
 * @param {Place[]} places
 * @param {number} from
 * @param {number} dx
 * @param {number} dy
 */
export function neighbour(places, from, dx, dy) {
  const here = places[from];
  let best = from;
  let least = Infinity;
  places.forEach(({ x, y }, i) => {
    const ahead = (x - here.x) * dx + (y - here.y) * dy;
    const aside = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    if (i !== from && ahead > 0 && ahead + 3 * aside < least) {
      least = ahead + 3 * aside;
      best = i;
    }
  });
  return best;
}

export class Picture {
  /**
   * @param {{name: string, sizes: number[]}[]} tensors that can be tapped
   * @param {Record<string, string>} words
   * @param {(answer: string) => void} choose
   * @param {() => number} high how many pixels it has with the answers in view
   */
  constructor(tensors, words, choose, high) {
    this.high = high;
    this.tensors = tensors;
    this.words = words;
    this.choose = choose;
    this.zoom = 0;
    this.scrolls = false;
    this.open = false;
    this.chosen = "";
    this.right = "";
    this.at = 0;
    /** @type {Place[]} */
    this.places = [];
    /** @type {Drawn | null} */
    this.drawn = null;
    this.image = /** @type {HTMLImageElement} */ (make("img"));
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.board = make("div", "board", this.image, this.svg);
    this.view = make("div", "view", this.board);
    this.hint = make("p", "hint");
    this.hint.hidden = true;
    this.spoken = make("p", "heard");
    this.spoken.setAttribute("aria-live", "polite");
    const tools = make(
      "div", "zoom",
      makeButton("tool", () => this.scale(1 / 1.5), make("span", "", "−")),
      makeButton("tool", () => this.scale(1.5), make("span", "", "+")),
    );
    tools.children[0].setAttribute("aria-label", words.smaller);
    tools.children[1].setAttribute("aria-label", words.larger);
    this.element = make("div", "picture", this.hint, this.view, tools, this.spoken);
    this.element.hidden = true;
    this.view.addEventListener("click", (event) => this.tapped(event));
    this.view.addEventListener("keydown", (event) => this.key(event));
    this.view.addEventListener("focus", () => this.mark());
    this.view.addEventListener("blur", () => this.mark());
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.view);
  }

  /** @param {Drawn} drawn */
  draw(drawn) {
    const { image, svg } = this;
    // an image runs no scripts and fetches nothing
    const before = image.src;
    image.src = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
    URL.revokeObjectURL(before);
    image.alt = drawn.words;
    svg.setAttribute("viewBox", `0 0 ${drawn.width} ${drawn.height}`);
    this.places = this.tensors.flatMap(({ name }) => (
      (drawn.cells[name] ?? []).map(([x, y, w, h]) => ({ x, y, w, h, name }))));
    this.element.classList.toggle("cells", this.places.length > 0);
    this.drawn = drawn;
    say(this.hint, fill(this.words.tap, { tensors: drawn.tapped.join(", ") }));
    this.element.hidden = false;
    this.fit();
    this.center();
    this.show({});
  }

  /** @param {{open?: boolean, chosen?: string, right?: string}} state */
  show(state) {
    Object.assign(this, state);
    const taps = this.places.length > 0 && this.open;
    this.view.classList.toggle("taps", taps);
    this.hint.hidden = !taps;
    if (taps) {
      this.view.setAttribute("role", "application");
      this.view.setAttribute("aria-label", this.words.tap_keys);
    } else {
      for (const name of ["role", "aria-label"]) this.view.removeAttribute(name);
    }
    this.reach();
    const cell = Number(this.chosen);
    if (this.chosen && cell >= 0) this.at = cell;
    this.mark();
  }

  fit() {
    const { drawn, board } = this;
    const room = this.view.clientWidth;
    if (!drawn || !room) return;
    const read = drawn.font ? LEGIBLE / drawn.font : LEAST;
    const left = this.high() - this.hint.offsetHeight;
    // where the answers are scrolled to anyway, the picture has all the height that it may have
    const high = read * drawn.height > left ? parseFloat(getComputedStyle(this.view).maxHeight) : left;
    const fits = Math.min(1.4, room / drawn.width, Math.max(read, high / drawn.height));
    const { w, h } = this.places[0] ?? { w: FINGER, h: FINGER };
    // what a finger cannot hit is larger, and scrolled
    const tapped = this.places.length ? Math.min(MOST, FINGER / Math.min(w, h)) : 0;
    const usual = Math.max(fits, tapped, drawn.font ? read : 0);
    const scale = usual * (this.zoom || 1);
    board.style.width = `${Math.round(drawn.width * scale)}px`;
    board.style.height = `${Math.round(drawn.height * scale)}px`;
    const hidden = drawn.width * scale > room + 1 || drawn.height * scale > this.view.clientHeight + 1;
    this.element.classList.toggle("large", hidden || this.zoom !== 0);
    this.scrolls = hidden;
    this.reach();
  }

  /** Keys reach a picture whose cells they choose, or that they scroll. */
  reach() {
    if (this.scrolls || this.view.classList.contains("taps")) this.view.tabIndex = 0;
    else this.view.removeAttribute("tabindex");
  }

  /** What does not fit begins at what can be tapped, or at the middle: inputs stand in the middle above the output. */
  center() {
    const { drawn, places, view } = this;
    if (!drawn) return;
    const scale = this.board.clientWidth / drawn.width;
    const middle = places.length
      ? (Math.min(...places.map(({ x }) => x)) + Math.max(...places.map(({ x, w }) => x + w))) / 2 : drawn.width / 2;
    view.scrollLeft = middle * scale - view.clientWidth / 2;
  }

  /** @param {number} by */
  scale(by) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.view;
    this.zoom = Math.min(MOST, Math.max(0.5, (this.zoom || 1) * by));
    this.fit();
    this.view.scrollTo(
      (scrollLeft + clientWidth / 2) * by - clientWidth / 2, (scrollTop + clientHeight / 2) * by - clientHeight / 2);
  }

  /** @param {MouseEvent} event */
  tapped(event) {
    if (!this.open || !this.drawn || !this.places.length) return;
    const box = this.svg.getBoundingClientRect();
    const scale = this.drawn.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best = -1;
    let least = REACH * scale;
    this.places.forEach((place, i) => {
      const dx = Math.max(place.x - x, 0, x - place.x - place.w);
      const dy = Math.max(place.y - y, 0, y - place.y - place.h);
      const far = Math.hypot(dx, dy);
      if (far < least) [best, least] = [i, far];
    });
    if (best >= 0) this.pick(best);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.open || !this.places.length || event.altKey || event.ctrlKey || event.metaKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) this.at = neighbour(this.places, this.at, way[0], way[1]);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.at);
    else return;
    event.preventDefault();
    this.mark();
    say(this.spoken, cellText(String(this.at), this.tensors, this.words));
  }

  /** @param {number} cell */
  pick(cell) {
    this.at = cell;
    this.choose(String(cell));
  }

  /** Frames around the chosen cell, the right one, and the one that the keys stand on. */
  mark() {
    this.svg.replaceChildren();
    const frame = (/** @type {number} */ i, /** @type {string} */ name, /** @type {number} */ out) => {
      const place = this.places[i];
      if (!place) return;
      const rect = document.createElementNS(SVG, "rect");
      const box = { x: place.x - out, y: place.y - out, width: place.w + 2 * out, height: place.h + 2 * out, rx: 3 };
      for (const [key, value] of Object.entries(box)) rect.setAttribute(key, String(value));
      rect.setAttribute("class", name);
      this.svg.append(rect);
    };
    if (this.right !== "" && Number(this.right) >= 0) frame(Number(this.right), "right", 3);
    if (this.chosen !== "" && Number(this.chosen) >= 0) frame(Number(this.chosen), "chosen", 0);
    if (this.open && document.activeElement === this.view) frame(this.at, "cursor", 2);
  }

  destroy() {
    this.sizes.disconnect();
    URL.revokeObjectURL(this.image.src);
  }
}
