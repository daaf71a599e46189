// @ts-check
/** Shows where elements come from: linked hover, pinned cells and their formulas. */

import { drawIcon, make } from "./dom.js";
import { cellName, chosenBy, neighbour, tensorAt } from "./data.js";
import { explain, holds, textOf } from "./formula.js";
import { Layer } from "./layer.js";
import { runsOf } from "./marks.js";
import { fillIn } from "./sentence.js";

/**
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./painter.js").Pixels} Pixels
 * @typedef {{side: "input" | "output", element: number}} Spot
 * @typedef {{input: Pixels, output: Pixels, palette: import("./data.js").Palette,
 *   texts?: {boxes: import("./arrange.js").Box[]}, between?: ReturnType<typeof roomBetween>}} Drawn
 *   texts: what no line goes through; between: as of {@link roomBetween}, once it is computed
 */

const MOST_PINS = 6;
const MOST_LINES = 40;
/** More frames than these take longer to draw than a frame of the screen lasts. */
const MOST_FRAMES = 500;

/** The event of a page when another element's numbers are the newest pin's. */
export const PINNED = "dmlviz-pinned";

export class Pins {
  /**
   * @param {HTMLElement} stage
   * @param {() => void} changed called when pins come or go
   */
  constructor(stage, changed) {
    this.changed = changed;
    this.taps = window.matchMedia("(hover: none)");
    this.layer = new Layer();
    this.tip = make("div", "dmlviz-tip");
    this.tip.hidden = true;
    this.panel = make("div", "dmlviz-pins");
    this.panel.setAttribute("aria-live", "polite");
    // the newest pin's numbers in the place of the caption: the panel may be below the window. The panel is heard
    this.line = make("div", "dmlviz-pinned");
    this.line.ariaHidden = "true";
    this.line.hidden = true;
    stage.append(this.layer.canvas, this.tip);
    /** @type {number[]} */
    this.pins = [];
    /** @type {number[]} pinned cells whose formulas the page has beside the stage */
    this.explained = [];
    /** whether a formula also stands with letters for the indices, above that with their numbers */
    this.letters = true;
    /** the input cell that a wrong answer takes, -1 for none */
    this.mistaken = -1;
    /** @type {number | null} the output cell that was clicked or walked to last */
    this.selected = null;
    /** whether the selected cell is shown as if the pointer were on it */
    this.shown = false;
    /** whether where things come from is not to be told yet */
    this.hidden = false;
    /** @type {Spot | null} */
    this.hovered = null;
    /** @type {Model | null} */
    this.model = null;
    /** @type {Drawn | null} */
    this.drawn = null;
  }

  /**
   * Another operation; pins stay where the output still has such elements.
   * @param {Model} model
   */
  load(model) {
    const sizes = (/** @type {Model} */ of) => of.payload.output.tensors.map((tensor) => tensor.sizes.join()).join(";");
    const same = this.model && sizes(this.model) === sizes(model);
    this.model = model;
    this.hovered = null;
    this.tip.hidden = true;
    if (!same) {
      this.pins = [];
      this.select(null);
    }
    this.list();
  }

  /**
   * Where the cells stand now.
   * @param {Drawn} drawn
   * @param {number} width
   * @param {number} height
   */
  place(drawn, width, height) {
    this.drawn = drawn;
    this.layer.fit(width, height);
    this.draw();
    this.tell(this.spot);
    this.list();
  }

  /**
   * Hide or show where elements come from.
   * @param {boolean} on
   */
  hide(on) {
    this.hidden = on;
    this.panel.hidden = on;
    this.hover(null);
    this.list();
  }

  /**
   * @param {Spot | null} spot
   */
  hover(spot) {
    if (this.hidden && spot) return;
    this.hovered = spot;
    this.draw();
    this.tell(this.spot);
  }

  /** @type {Spot | null} what is pointed at */
  get spot() {
    if (this.hovered || !this.shown || this.hidden || this.selected === null) return this.hovered;
    return { side: "output", element: this.selected };
  }

  /**
   * Point at an output cell, until another is selected.
   * @param {number | null} output
   */
  show(output) {
    this.select(output, true);
    this.hover(null);
    this.changed();
  }

  /**
   * @param {number | null} output
   * @param {boolean} [shown]
   */
  select(output, shown = false) {
    this.selected = output;
    this.shown = shown;
  }

  /**
   * Pin or unpin an output element; an input element pins the first element that copies it.
   * @param {Spot} spot
   */
  toggle(spot) {
    const { model } = this;
    if (!model) return;
    const output = outputOf(model, spot);
    if (output === undefined) return;
    const others = this.pins.filter((pin) => !bothOf(model, output).includes(pin));
    this.pins = this.pins.includes(output) ? others : [...others, ...bothOf(model, output)].slice(-MOST_PINS);
    this.select(this.pins.includes(output) ? output : null);
    this.update();
  }

  /**
   * A tap shows a cell as the pointer of a mouse does, and pins it; the second tap on it undoes both.
   * @param {Spot | null} spot null beside the cells
   */
  tap(spot) {
    if (spot) this.toggle(spot);
    const output = spot && this.model ? outputOf(this.model, spot) : undefined;
    this.hover(output === undefined || this.pins.includes(output) ? spot : null);
  }

  /** The keyboard's pin: what is hovered, else the first cell, else one more beside the newest. */
  enter() {
    const { model, pins } = this;
    if (!model) return;
    const last = pins[pins.length - 1];
    if (this.hovered) this.toggle(this.hovered);
    else if (last === undefined) this.toggle({ side: "output", element: 0 });
    else {
      const next = [neighbour(model.output, last, 1, 0), neighbour(model.output, last, 0, 1)]
        .find((element) => !pins.includes(element));
      if (next !== undefined) this.toggle({ side: "output", element: next });
    }
  }

  clear() {
    this.pins = [];
    this.select(null);
    this.hover(null);
    this.update();
  }

  /**
   * Move the newest pin to the next cell, in any direction.
   * @param {number} dx
   * @param {number} dy
   */
  walk(dx, dy) {
    if (!this.model || !this.pins.length) return;
    const from = this.pins[this.pins.length - 1];
    const to = neighbour(this.model.output, from, dx, dy);
    const both = bothOf(this.model, to);
    const left = [...bothOf(this.model, from), ...both];
    this.pins = [...this.pins.filter((pin) => !left.includes(pin)), ...both];
    this.select(to);
    this.update();
  }

  update() {
    this.draw();
    this.list();
    this.changed();
  }

  /** Everything that is linked to the hovered and the pinned cells, right now. */
  draw() {
    const { drawn, model, spot } = this;
    const g = this.layer.begin(!this.hidden && (this.pins.length > 0 || spot !== null || this.mistaken >= 0));
    if (!drawn || !model || !g) return;
    const { palette } = drawn;
    const colors = this.pins.map((_pin, k) => palette.pins[k % palette.pins.length]);
    this.pins.forEach((output, k) => this.leadTo(g, output, colors[k], k));
    const came = spot?.side === "input" ? cameOf(model, spot.element) : null;
    const control = spot !== null && spot.side === "input" && spot.element >= model.moving;
    if (spot && came) {
      // what was chosen stands in blocks: a line to the corner of each
      const ends = control ? cornersOf(drawn.output, came) : came;
      ends.slice(0, MOST_LINES).forEach((output) => {
        line(g, drawn, spot.element, output, palette.ink, ends.length > 8 ? 0.35 : 0.8, 0, control);
      });
    } else if (spot) this.leadTo(g, spot.element, palette.ink, 0, 0.8);
    spareTexts(g, drawn, this.layer.part);
    if (this.mistaken >= 0) {
      g.setLineDash([4, 3]);
      frame(g, drawn.input, this.mistaken, palette.accent, 3);
      g.setLineDash([]);
    }
    this.pins.forEach((output, k) => this.frameLinked(g, output, colors[k]));
    if (!spot || !came) {
      if (spot) this.frameLinked(g, spot.element, palette.ink);
      return;
    }
    frame(g, drawn.input, spot.element, palette.ink, 3);
    if (control && came.length) for (const cell of chosenBy(model, came[0])) frame(g, drawn.input, cell, palette.ink, 2);
    frameAll(g, drawn.output, came, palette.ink, 2);
    if (control) frameAll(g, drawn.input, came.map((output) => model.source[output]).filter((s) => s >= 0), palette.ink, 2);
  }

  /**
   * A line to an output cell from its source, and a dashed one from the control cell that chose it.
   * @param {CanvasRenderingContext2D} g
   * @param {number} output
   * @param {string} color
   * @param {number} lane
   * @param {number} [strength]
   */
  leadTo(g, output, color, lane, strength = 1) {
    const model = /** @type {Model} */ (this.model);
    const drawn = /** @type {Drawn} */ (this.drawn);
    const source = model.source[output];
    // a tuple chooses as one, each of several lists by itself
    const chose = chosenBy(model, output).filter((_cell, k) => !k || model.driverApart > 1);
    if (source >= 0) line(g, drawn, source, output, color, strength, lane);
    for (const cell of chose) line(g, drawn, cell, output, color, strength, lane, true);
  }

  /**
   * An output cell, its source, every other copy of that source, the control cells that chose it, and
   * what a sum is made of.
   * @param {CanvasRenderingContext2D} g
   * @param {number} output
   * @param {string} color
   */
  frameLinked(g, output, color) {
    const model = /** @type {Model} */ (this.model);
    const drawn = /** @type {Drawn} */ (this.drawn);
    const source = model.source[output];
    if (source >= 0) {
      g.setLineDash([4, 3]);
      frameAll(g, drawn.output, model.copies(source).filter((copy) => copy !== output), color, 1.5);
      g.setLineDash([]);
      frame(g, drawn.input, source, color, 3);
    }
    for (const cell of chosenBy(model, output)) frame(g, drawn.input, cell, color, 2);
    if (model.computed(output)) {
      const { marks = [], used = [] } = model.madeIn(output);
      frameAll(g, drawn.input, marks, color, 2);
      frameAll(g, drawn.output, used, color, 2);
    }
    frame(g, drawn.output, output, color, 3);
  }

  /**
   * One line beside the pointer.
   * @param {Spot | null} spot
   */
  tell(spot) {
    const { model, drawn, tip } = this;
    tip.hidden = !spot;
    if (!spot || !model || !drawn) return;
    tip.textContent = this.sentence(spot);
    const at = drawn[spot.side];
    const right = this.layer.size.width;
    const left = Math.min(at.x[spot.element], right - tip.offsetWidth);
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${Math.max(0, at.y[spot.element] - tip.offsetHeight - 6)}px`;
  }

  /**
   * @param {Spot} spot
   * @returns {string}
   */
  sentence({ side, element }) {
    const model = /** @type {Model} */ (this.model);
    const { words, input, output } = model.payload;
    if (side === "input") {
      return fillIn(element < model.moving ? words.tip_input : words.tip_control, {
        cell: cellName(input, element),
        value: model.inputLabels[element],
        copies: cameOf(model, element).filter((output) => !model.naming(output)).length,
      });
    }
    const source = model.source[element];
    const chose = chosenBy(model, element);
    const text = fillIn(model.computed(element) ? words.tip_computed : source < 0 ? words.tip_padding : model.naming(element) ? words.tip_index : words.tip_output, {
      cell: cellName(output, element),
      source: source < 0 ? "" : cellName(input, source),
      value: model.labels[element],
    });
    if (!chose.length) return text;
    const numbers = chose.map((cell) => model.inputLabels[cell]);
    const value = chose.length > 1 ? `(${numbers.join(", ")})` : numbers[0];
    const control = model.driverApart > 1 ? chose.map((cell) => cellName(input, cell)).join(", ")
      : cellName(input, chose[0], chose.length);
    return fillIn(words.tip_driven, { text, control, value });
  }

  /**
   * @param {boolean} on whether the newest pin's numbers stand in the place of the caption
   * @param {boolean} once those of a single pin do not stand below it as well
   */
  showLine(on, once = false) {
    const { line, panel } = this;
    line.hidden = !on || this.hidden || !line.hasChildNodes();
    panel.classList.toggle("dmlviz-said", once && !line.hidden && this.pins.length === 1);
  }

  /** The pinned cells' formulas, each index in the color of its dimension. */
  list() {
    const { model, drawn, panel, line } = this;
    line.replaceChildren();
    if (this.hidden) panel.replaceChildren();
    if (!model || !drawn || this.hidden) {
      announce("");
      return;
    }
    const { formula, output, words } = model.payload;
    let pinned = "";
    const cards = this.pins.flatMap((pin, k) => {
      if (this.explained.includes(pin)) return [];
      const { tensor, index } = tensorAt(output, pin);
      const lines = explain(formula, tensor.name, index);
      // without a rule in letters, all lines are of this element
      const ruled = formula.of[tensor.name]?.some((one) => holds(one, index, formula.tables)) ? 1 : 0;
      pinned = lines.slice(ruled).map(textOf).join("\n");
      const color = drawn.palette.pins[k % drawn.palette.pins.length];
      let numbers = lines[1] ?? lines[0];
      // without a formula, show the engine's own source
      if (!lines.length) lines.push(numbers = [{ text: this.sentence({ side: "output", element: pin }), axis: -1 }]);
      else if (model.source[pin] >= 0 && !model.naming(pin)) {
        // the value follows a formula, no sentence
        const formulas = lines.slice(0, 2).filter((tokens) => !tokens.at(-1)?.text.endsWith("."));
        formulas.at(-1)?.push({ text: ` = ${model.labels[pin]}`, axis: -1 });
        numbers = formulas.at(-1) ?? numbers;
      }
      const close = /** @type {HTMLButtonElement} */ (make("button", "dmlviz-unpin", drawIcon("close")));
      close.type = "button";
      close.setAttribute("aria-label", fillIn(words.unpin, { cell: cellName(output, pin) }));
      close.title = close.getAttribute("aria-label") ?? "";
      close.addEventListener("click", () => this.toggle({ side: "output", element: pin }));
      const card = make("div", "dmlviz-pin", close);
      card.style.borderColor = line.style.borderColor = color;
      card.append(...lines.slice(this.letters ? 0 : ruled).map((tokens) => make("code", "dmlviz-formula", ...colored(tokens, drawn.palette))));
      line.replaceChildren(...colored(numbers, drawn.palette));
      return [card];
    });
    panel.replaceChildren(...(cards.length ? cards : [make("p", "dmlviz-hint", words[this.taps.matches ? "pin_hint_touch" : "pin_hint"])]));
    announce(pinned);
  }
}

/**
 * Tell the page's other parts the newest pin's numbers; see dmlviz/app/pinned_formula.js.
 * @param {string} numbers empty if nothing is pinned
 */
function announce(numbers) {
  const page = /** @type {Document & {dmlvizPinned?: string}} */ (document);
  if ((page.dmlvizPinned ?? "") === numbers) return;
  page.dmlvizPinned = numbers;
  page.dispatchEvent(new CustomEvent(PINNED));
}

/** Spaces at which no line breaks: a term stays whole. */
const WITHIN_TERM = / (?=[·/]|mod |div )|(?<=[·/]|\bmod|\bdiv) /g;

/**
 * A line of a formula, each index in the color of its dimension.
 * @param {import("./formula.js").Token[]} tokens
 * @param {import("./data.js").Palette} palette
 */
function colored(tokens, { axes }) {
  return tokens.map(({ text, axis }) => {
    const [first, ...rest] = text.split(WITHIN_TERM);
    const span = make("span", "", first);
    // a space itself, not one that never breaks: the formula can be copied into code
    for (const part of rest) span.append(make("i", "dmlviz-joined", " "), part);
    if (axis >= 0) span.style.color = axes[axis % axes.length];
    return span;
  });
}

/**
 * Of cells that stand side by side and below each other, those with none to the left or above.
 * @param {Pixels} at
 * @param {Int32Array} cells
 * @returns {Int32Array}
 */
function cornersOf({ x, y, w, h }, cells) {
  const place = (/** @type {number} */ across, /** @type {number} */ down) => `${Math.round(across)} ${Math.round(down)}`;
  const taken = new Set(Array.from(cells, (i) => place(x[i], y[i])));
  return cells.filter((i) => !taken.has(place(x[i] - w, y[i])) && !taken.has(place(x[i], y[i] - h)));
}

/**
 * The output cell that a cell pins: itself, or the first that an input cell came to.
 * @param {Model} model
 * @param {Spot} spot
 * @returns {number | undefined}
 */
function outputOf(model, { side, element }) {
  return side === "output" ? element : cameOf(model, element)[0];
}

/**
 * An output cell, after the same one of the output that it is compared with.
 * @param {Model} model
 * @param {number} output
 * @returns {number[]}
 */
function bothOf({ payload: { compared } }, output) {
  return compared ? [output < compared ? output + compared : output - compared, output] : [output];
}

/**
 * The output cells that an input cell came to, or that a control cell chose.
 * @param {Model} model
 * @param {number} input
 * @returns {Int32Array}
 */
function cameOf(model, input) {
  return input < model.moving ? model.copies(input) : model.chosen(input);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Pixels} at
 * @param {number} i
 * @param {string} color
 * @param {number} width
 */
function frame(g, at, i, color, width) {
  g.strokeStyle = color;
  g.lineWidth = Math.min(width, Math.max(1, at.w / 5));
  g.strokeRect(at.x[i], at.y[i], at.w, at.h);
}

/**
 * Frames around cells; of very many, a tint over those that stand side by side.
 * @param {CanvasRenderingContext2D} g
 * @param {Pixels} at
 * @param {ArrayLike<number> & Iterable<number>} cells
 * @param {string} color
 * @param {number} width
 */
function frameAll(g, at, cells, color, width) {
  if (cells.length <= MOST_FRAMES) {
    for (const i of cells) frame(g, at, i, color, width);
    return;
  }
  const wanted = new Uint8Array(at.x.length);
  for (const i of cells) wanted[i] = 1;
  g.globalAlpha = 0.35;
  g.fillStyle = color;
  for (const [first, last] of runsOf(at, (i) => wanted[i] > 0)) {
    g.fillRect(at.x[first], at.y[first], at.x[last] - at.x[first] + at.w, at.h);
  }
  g.globalAlpha = 1;
}

/**
 * Interrupt the lines where they would go through a number, an index or a title.
 * @param {CanvasRenderingContext2D} g
 * @param {Drawn} drawn
 * @param {import("./arrange.js").Box | null} part of the board that is drawn
 */
function spareTexts(g, { texts }, part) {
  if (!part) return;
  for (const { left, top, width, height } of texts?.boxes ?? []) {
    if (left > part.left + part.width || top > part.top + part.height) continue;
    if (left + width > part.left && top + height > part.top) g.clearRect(left - 1, top, width + 2, height);
  }
}

/** Pixels before the outputs that indices take: lines go between them, and bend before. */
const BEFORE_INDICES = 18;
/** Pixels between the lines of several pins along the same edge. */
const APART = 2.5;

/**
 * The room between the inputs and the outputs, in which lines go from one row or column to another.
 * @param {Pick<Drawn, "input" | "output">} drawn
 * @returns {{beside: boolean, from: number, to: number}} beside: whether the outputs are to the right
 */
export function roomBetween({ input: a, output: b }) {
  const least = (/** @type {ArrayLike<number>} */ places) => Array.from(places).reduce((x, y) => Math.min(x, y), Infinity);
  const most = (/** @type {ArrayLike<number>} */ places) => Array.from(places).reduce((x, y) => Math.max(x, y), -Infinity);
  const beside = least(b.x) >= most(a.x) + a.w;
  const [from, to] = beside ? [most(a.x) + a.w, least(b.x)] : [most(a.y) + a.h, least(b.y)];
  return { beside, from, to: Math.max(from, to - BEFORE_INDICES) };
}

/**
 * The corners of a line from a source to an output cell: it keeps to the edges of cells, where no
 * number stands, and bends in the room between.
 * @param {Pick<Drawn, "input" | "output">} drawn
 * @param {ReturnType<typeof roomBetween>} room
 * @param {number} source
 * @param {number} output
 * @param {number} lane of lines along the same edge
 * @returns {[number, number][]} its start, the ends of the bend, and its end
 */
export function wayBetween({ input: a, output: b }, { beside, from, to }, source, output, lane = 0) {
  const [u, v, high] = beside ? [a.y[source], b.y[output], b.h] : [a.x[source], b.x[output], b.w];
  // numbers fill a cell across: there is no room for two lines between columns
  const aside = beside ? [0, 1, -1][lane % 3] * Math.min(APART, high / 10) : 0;
  const deep = beside ? a.h : a.w;
  // the edges that are turned to each other
  const start = u + (v > u + deep / 2 ? deep : 0) + aside;
  const end = v + (v < u - deep / 2 ? high : 0) + aside;
  return beside
    ? [[a.x[source] + a.w, start], [from, start], [to, end], [b.x[output], end]]
    : [[start, a.y[source] + a.h], [start, from], [end, to], [end, b.y[output]]];
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Drawn} drawn
 * @param {number} source
 * @param {number} output
 * @param {string} color
 * @param {number} strength
 * @param {number} lane
 * @param {boolean} [dashed] thin and dashed: it chose, it was not copied
 */
function line(g, drawn, source, output, color, strength, lane, dashed = false) {
  const room = (drawn.between ??= roomBetween(drawn));
  const [[x, y], [x1, y1], [x2, y2], [u, v]] = wayBetween(drawn, room, source, output, lane);
  g.globalAlpha = strength;
  g.strokeStyle = color;
  g.lineWidth = dashed ? 1.5 : 2;
  if (dashed) g.setLineDash([6, 5]);
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x1, y1);
  if (room.beside) g.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2);
  else g.bezierCurveTo(x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2);
  g.lineTo(u, v);
  g.stroke();
  g.setLineDash([]);
  g.globalAlpha = 1;
}
