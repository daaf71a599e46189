// @ts-check
/** The output, hidden: empty places where its cells stand, or nothing that gives away its sizes. */

import { fillGrid, shownIn } from "./figure.js";

/** Pixels to the left of any stage. */
const OFF_STAGE = -1e5;

/**
 * Take every value of the output out of a figure that is ready to be drawn.
 * @param {{data: any[], layout: any}} figure changed in place
 * @param {import("./model.js").Model} model
 * @param {string} color of an empty place
 * @param {string} title of several outputs where their sizes are hidden too, else empty
 */
export function hideOutput(figure, model, color, title) {
  for (const trace of figure.data) {
    if (trace.name === "output" || trace.name === "padding") {
      // numbers that say nothing: of a heatmap without any, Plotly leaves out the axes
      fillGrid(trace, model.output, shownIn(trace, model.payload).tensor, () => (trace.name === "output" ? 0 : null));
      trace.numbered = [];
      trace.colorscale = [[0, color], [1, color]];
    } else if (trace.xaxis === "x2" && title) trace.visible = false;
  }
  if (!title) return;
  const notes = figure.layout.annotations.slice(model.payload.input.tensors.length);
  const said = hiddenTitle(title, notes);
  notes.forEach((/** @type {any} */ note, /** @type {number} */ k) => { note.text = k ? "" : said; });
}

/**
 * The name of a single output, without its sizes, or the title for several.
 * @param {string} title
 * @param {{text: string}[]} notes the title of each output
 */
function hiddenTitle(title, notes) {
  return notes.length === 1 ? notes[0].text.replace(/<\/b>.*/, "</b>") : `<b>${title}</b>`;
}

/**
 * The figure as if there were no output yet: nothing in it tells the sizes, not even its data.
 * @param {{data: any[], layout: any}} figure ready to be drawn
 * @param {import("./model.js").Model} model
 * @param {string | null} title of several outputs; null where the input is not to be seen either
 */
export function withoutOutput({ data, layout }, model, title) {
  const blank = (/** @type {string} */ axis) => ({
    type: "heatmap", name: axis ? "output" : "input", meta: 0, xaxis: `x${axis}`, yaxis: `y${axis}`,
    // of a heatmap without numbers Plotly leaves out the axes
    x: [0, 1], y: [0, 1], z: [[0]], opacity: 0, hoverinfo: "none", showscale: false,
  });
  const inputs = title === null ? [blank("")] : data.filter(({ xaxis }) => xaxis !== "x2");
  const count = model.payload.input.tensors.length;
  const annotations = layout.annotations.map((/** @type {any} */ note, /** @type {number} */ k) => (
    k < count && title !== null ? note : { ...note, text: k === count && title ? hiddenTitle(title, layout.annotations.slice(count)) : "" }
  ));
  return { data: [...inputs, blank("2")], layout: { ...layout, annotations, meta: null } };
}

/**
 * Cells where nobody sees them: the painter's, of what must not be seen at all.
 * @param {import("./painter.js").Pixels} at
 * @returns {import("./painter.js").Pixels}
 */
export function offStage(at) {
  const off = Float64Array.from(at.x, () => OFF_STAGE);
  return { ...at, x: off, y: off };
}

/** Cells of a hidden output, across and down at most. */
const HIDDEN_CELLS = 4;

/**
 * The room of a hidden output: it tells as little as that of the largest choice.
 * @param {{width: number, height: number}} largest
 */
export function hiddenRoom({ width, height }) {
  return { width: Math.min(width, HIDDEN_CELLS), height: Math.min(height, HIDDEN_CELLS) };
}

/**
 * An empty place with a question mark.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./arrange.js").Box} box
 * @param {import("./data.js").Palette} palette
 * @param {string} font
 */
export function askBox(g, { left, top, width, height }, palette, font) {
  g.strokeStyle = palette.line;
  g.lineWidth = 3;
  g.setLineDash([12, 9]);
  g.beginPath();
  g.roundRect(left + 2, top + 2, width - 4, height - 4, 10);
  g.stroke();
  g.setLineDash([]);
  mark(g, left + width / 2, top + height / 2, Math.min(width, height) * 0.6, palette.accent, font);
}

/**
 * Paper over the room of the output, and a question mark that is as large for every output.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./arrange.js").Box} room
 * @param {import("./data.js").Palette} palette
 * @param {string} font
 */
export function coverOutput(g, { left, top, width, height }, palette, font) {
  g.fillStyle = palette.paper;
  g.fillRect(left - 2, top - 2, width + 4, height + 4);
  const side = Math.min(width, height, 150);
  g.strokeStyle = palette.line;
  g.lineWidth = 2;
  g.setLineDash([7, 6]);
  g.strokeRect(left + 1, top + 1, side - 2, side - 2);
  g.setLineDash([]);
  mark(g, left + side / 2, top + side / 2, side * 0.6, palette.accent, font);
}

/** Pixels: a lower cell has a thinner frame, and no room for a sign. */
const LEAST_SIGNED = 20;

/**
 * A frame around a cell.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Pixels} at
 * @param {number} i
 * @param {import("./data.js").Palette} palette
 */
export function frameCell(g, at, i, palette) {
  g.strokeStyle = palette.accent;
  g.lineWidth = at.h < LEAST_SIGNED ? 2 : 3;
  g.strokeRect(at.x[i], at.y[i], at.w, at.h);
}

/**
 * The cell that is asked about.
 * @param {CanvasRenderingContext2D} g
 * @param {import("./painter.js").Pixels} at
 * @param {number} i
 * @param {import("./data.js").Palette} palette
 * @param {string} font
 * @param {number} right where the board ends
 */
export function markCell(g, at, i, palette, font, right) {
  const [x, y] = [at.x[i], at.y[i]];
  frameCell(g, at, i, palette);
  if (at.h >= LEAST_SIGNED) {
    mark(g, x + at.w / 2, y + at.h / 2, at.h * 0.74, palette.accent, font);
    return;
  }
  // too small for a sign: it stands beside the cell, on a flag
  const radius = 13;
  const away = x + at.w + radius * 2 + 6 > right ? -1 : 1;
  const fx = x + at.w / 2 + away * (at.w / 2 + radius + 5);
  const fy = Math.max(radius + 1, y - radius);
  g.beginPath();
  g.moveTo(x + at.w / 2, y + at.h / 2);
  g.lineTo(fx, fy);
  g.stroke();
  g.beginPath();
  g.arc(fx, fy, radius, 0, Math.PI * 2);
  g.fillStyle = palette.paper;
  g.fill();
  g.stroke();
  mark(g, fx, fy, radius * 1.5, palette.accent, font);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} color
 * @param {string} font
 */
function mark(g, x, y, size, color, font) {
  g.font = `700 ${size}px ${font}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillStyle = color;
  g.fillText("?", x, y + size * 0.06);
}
