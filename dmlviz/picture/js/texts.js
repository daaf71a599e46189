// @ts-check
/** Titles, indices and the numbers in cells, on a canvas over the heatmaps: Plotly takes many times as long. */

import { make } from "./dom.js";
import { Layer } from "./layer.js";
import MEASURES from "./measures.json" with { type: "json" };

/** Pixels of a board whose texts are all written at once, whatever is in the window: a page may be printed. */
const WRITTEN_WHOLE = 4_000_000;

/** How wide a letter is at most, as a share of its height. */
const TEXT_LETTER = MEASURES.numbers.letter;

export class Texts {
  constructor() {
    this.layer = new Layer("dmlviz-texts", WRITTEN_WHOLE);
    // titles are heard
    this.layer.canvas.removeAttribute("aria-hidden");
    /** @type {any} where everything is, and how it is painted */
    this.drawing = null;
    /** @type {any[]} as they are drawn: heatmaps of hidden cells have no numbers */
    this.traces = [];
    /** @type {any[]} */
    this.titles = [];
    /** @type {import("./arrange.js").Box[] | null} */
    this.taken = null;
  }

  /** Where letters and figures stand, as long as nothing else is written: no line goes through them. */
  get boxes() {
    return (this.taken ??= this.drawing ? boxesOf(this.traces, this.titles, this.drawing) : []);
  }

  /**
   * @param {{data: any[], layout: any}} figure as it may be seen, ready to be drawn
   * @param {any} drawing
   */
  write({ data, layout }, drawing) {
    this.drawing = drawing;
    this.taken = null;
    this.traces = data.filter(({ type, visible }) => type === "heatmap" || visible);
    this.titles = layout.annotations.filter((/** @type {any} */ { text }) => text);
    this.layer.canvas.replaceChildren(...this.titles.map(({ text }) => make("span", "", titleParts(text).join(""))));
    this.layer.fit(drawing.width, drawing.height);
    this.draw();
  }

  draw() {
    const { drawing, traces, titles } = this;
    const g = this.layer.begin(Boolean(drawing.fontSize || titles.length || traces.some(({ type }) => type !== "heatmap")));
    if (!g) return;
    for (const trace of traces) {
      if (trace.type !== "heatmap") writeMarks(g, trace, drawing);
      else if (drawing.fontSize) writeNumbers(g, trace, drawing);
    }
    for (const title of titles) writeTitle(g, title, drawing);
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {any} heatmap
 * @param {any} drawing
 */
export function writeNumbers(g, { name, numbered }, { input, output, source, inputLabels, labels, inks, palette, font, fontSize }) {
  const [at, texts] = name === "input" ? [input, inputLabels] : [output, labels];
  g.font = `600 ${fontSize}px ${font}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const i of numbered ?? []) {
    g.fillStyle = inks?.[name === "input" ? i : source[i]] ?? palette.ink;
    g.fillText(texts[i], at.x[i] + at.w / 2, at.y[i] + at.h / 2 + fontSize * 0.06);
  }
}

/**
 * Titles of planes, which stand on their places, or indices, in the middle of theirs.
 * @param {CanvasRenderingContext2D} g
 * @param {any} marks as Plotly's scatter traces
 * @param {any} drawing
 */
export function writeMarks(g, { name, xaxis, x, y, text, textfont: { size, color, family } }, { input, output }) {
  const { left, top, w, h } = xaxis === "x" ? input : output;
  g.font = `${size}px ${family}`;
  g.fillStyle = color;
  g.textAlign = name === "title" ? "left" : "center";
  g.textBaseline = "alphabetic";
  const down = (name === "title" ? -0.25 : 0.25) * size;
  text.forEach((/** @type {string} */ one, /** @type {number} */ i) => g.fillText(one, left + x[i] * w, top + y[i] * h + down));
}

/**
 * The name of a tensor, bold, and what else is said about it.
 * @param {CanvasRenderingContext2D} g
 * @param {any} title as Plotly's annotations
 * @param {any} drawing
 */
export function writeTitle(g, { text, x, y, font: { size, color } }, { width, height, font }) {
  const [name, rest] = titleParts(text);
  const left = x * width + 2;
  const down = (1 - y) * height - 2 - size / 4;
  g.fillStyle = color;
  g.textAlign = "left";
  g.textBaseline = "alphabetic";
  g.font = `700 ${size}px ${font}`;
  g.fillText(name, left, down);
  const after = left + g.measureText(name).width;
  g.font = `${size}px ${font}`;
  g.fillText(rest, after, down);
}

/**
 * @param {any[]} traces
 * @param {any[]} titles
 * @param {any} drawing
 * @returns {import("./arrange.js").Box[]}
 */
function boxesOf(traces, titles, drawing) {
  const { input, output, fontSize } = drawing;
  const numbers = fontSize ? traces.filter(({ type }) => type === "heatmap") : [];
  return [
    ...numbers.flatMap(({ name, numbered }) => {
      const [at, texts] = name === "input" ? [input, drawing.inputLabels] : [output, drawing.labels];
      return (numbered ?? []).map((/** @type {number} */ i) => numberBox(at, i, texts[i], fontSize));
    }),
    ...traces.filter(({ type }) => type !== "heatmap").flatMap(({ name, xaxis, x, y, text, textfont: { size } }) => {
      const { left, top, w, h } = xaxis === "x" ? input : output;
      const planes = name === "title";
      const down = top - size * (planes ? 1.05 : 0.55);
      return text.map((/** @type {string} */ one, /** @type {number} */ i) => {
        const width = one.length * size * TEXT_LETTER;
        return { left: left + x[i] * w - (planes ? 0 : width / 2), top: down + y[i] * h, width, height: size };
      });
    }),
    ...titles.map(({ text, x, y, font: { size } }) => ({
      left: x * drawing.width, top: (1 - y) * drawing.height - 2 - 1.1 * size,
      width: titleParts(text).join("").length * size * TEXT_LETTER, height: 1.2 * size,
    })),
  ];
}

/**
 * Where the number of a cell stands.
 * @param {import("./painter.js").Pixels} at
 * @param {number} i
 * @param {string} text
 * @param {number} size of its font
 * @returns {import("./arrange.js").Box}
 */
export function numberBox({ x, y, w, h }, i, text, size) {
  const width = Math.min(w - 2, text.length * size * TEXT_LETTER);
  return { left: x[i] + (w - width) / 2, top: y[i] + h / 2 - size * MEASURES.numbers.above, width, height: size * MEASURES.numbers.high };
}

/** @param {string} title with its name in Plotly's bold */
export function titleParts(title) {
  return title.replace("<b>", "").split("</b>");
}
