// @ts-check
/** Small patterns on cells, so that color is not the only sign. */

import MEASURES from "./measures.json" with { type: "json" };

const { patterns: PATTERNS, dashes: DASHES } = MEASURES;

/**
 * @typedef {import("./data.js").Palette} Palette
 * @typedef {import("./painter.js").Pixels} Pixels
 */

/**
 * A canvas of so many CSS pixels, sharp on this screen.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} [ratio] its pixels for each of the page's; by default as many as the screen has
 */
export function sizeCanvas(canvas, width, height, ratio = window.devicePixelRatio || 1) {
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.setTransform(1, 0, 0, 1, 0, 0);
  // the same memory once more: browsers take long to give a canvas another
  if (canvas.width === wide && canvas.height === high) g.clearRect(0, 0, wide, high);
  else Object.assign(canvas, { width: wide, height: high });
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/**
 * Strokes in a corner, clear of the number: a padding value.
 * @param {CanvasRenderingContext2D} g
 * @param {Palette} palette
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 */
export function hatch(g, palette, x, y, w, h) {
  const reach = Math.min(w, h) * PATTERNS.hatchReach;
  g.strokeStyle = palette.hatch;
  g.lineWidth = Math.max(1, reach / PATTERNS.hatchThin);
  g.beginPath();
  for (let part = 1; part <= PATTERNS.hatchStrokes; part++) {
    const d = (reach * part) / PATTERNS.hatchStrokes;
    g.moveTo(x, y + d);
    g.lineTo(x + d, y);
  }
  g.stroke();
}

/**
 * Dots along the lower edge: NaN or an infinity, which are not on the scale.
 * @param {CanvasRenderingContext2D} g
 * @param {Palette} palette
 * @param {Pixels} at
 * @param {number} i
 */
export function dots(g, palette, at, i) {
  const size = Math.max(PATTERNS.dotLeast, at.w / PATTERNS.dotThin);
  g.fillStyle = palette.ink;
  const apart = PATTERNS.dotsApart;
  for (let k = 0; k < PATTERNS.dots; k++) {
    g.fillRect(at.x[i] + at.w * (apart + k * apart) - size / 2, at.y[i] + at.h - size * PATTERNS.dotsUp, size, size);
  }
}

/**
 * A corner with a stroke: this element differs.
 * @param {CanvasRenderingContext2D} g
 * @param {Palette} palette
 * @param {Pixels} at
 * @param {number} i
 */
export function cross(g, palette, at, i) {
  const reach = Math.max(PATTERNS.cornerLeast, at.w * PATTERNS.corner);
  const right = at.x[i] + at.w - 1;
  g.fillStyle = palette.accent;
  g.beginPath();
  g.moveTo(right - reach, at.y[i] + 1);
  g.lineTo(right, at.y[i] + 1);
  g.lineTo(right, at.y[i] + 1 + reach);
  g.fill();
}

/**
 * A folded corner: several were put here, and one of them stands here.
 * @param {CanvasRenderingContext2D} g
 * @param {Palette} palette
 * @param {Pixels} at
 * @param {number} i
 */
export function fold(g, palette, at, i) {
  const reach = Math.max(PATTERNS.cornerLeast, at.w * PATTERNS.corner);
  const right = at.x[i] + at.w - 1;
  const bottom = at.y[i] + at.h - 1;
  g.fillStyle = palette.ink;
  g.globalAlpha = PATTERNS.foldOpacity;
  g.beginPath();
  g.moveTo(right - reach, bottom);
  g.lineTo(right, bottom);
  g.lineTo(right, bottom - reach);
  g.fill();
  g.globalAlpha = 1;
}

/**
 * A control tensor: no color says anything here, so that its cells have thin edges, and a dashed
 * line stands around the whole.
 * @param {CanvasRenderingContext2D} g
 * @param {Pixels} at
 * @param {{first: number, count: number}} own its cells
 * @param {import("./painter.js").Board} board
 */
export function plainTensor(g, at, own, board) {
  const { x, y, w, h } = at;
  const { gap } = board;
  g.strokeStyle = board.palette.line;
  g.lineWidth = 1;
  g.globalAlpha = PATTERNS.edgeOpacity;
  g.beginPath();
  for (let i = own.first; i < own.first + own.count; i++) {
    if (gap) g.rect(x[i] + gap / 2 + 0.5, y[i] + gap / 2 + 0.5, w - gap - 1, h - gap - 1);
  }
  g.stroke();
  g.globalAlpha = 1;
  dashedFrame(g, at, own, board);
}

/**
 * A dashed line around a tensor of indices, interrupted where a plane's title is longer than its plane.
 * @param {CanvasRenderingContext2D} g
 * @param {Pixels} at
 * @param {{first: number, count: number}} own its cells
 * @param {import("./painter.js").Board} board
 */
export function dashedFrame(g, { x, y, w, h }, { first, count }, { palette, scale, texts }) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = first; i < first + count; i++) {
    left = Math.min(left, x[i]);
    top = Math.min(top, y[i]);
    right = Math.max(right, x[i] + w);
    bottom = Math.max(bottom, y[i] + h);
  }
  g.strokeStyle = palette.line;
  g.lineWidth = DASHES.thick * scale;
  g.setLineDash([DASHES.dash * scale, DASHES.apart * scale]);
  const off = DASHES.off * scale;
  g.strokeRect(left - off, top - off, right - left + 2 * off, bottom - top + 2 * off);
  g.setLineDash([]);
  const end = right + off;
  for (const box of texts.boxes) {
    const within = box.top > top && box.top + box.height < bottom;
    if (within && box.left < end && box.left + box.width > end) g.clearRect(end - off, box.top, 2 * off, box.height);
  }
}

/**
 * Cells that stand side by side, as first and last of each row: fewer rectangles to fill.
 * @param {Pixels} at
 * @param {(i: number) => boolean} wanted
 * @returns {[number, number][]}
 */
export function runsOf(at, wanted) {
  /** @type {[number, number][]} */
  const runs = [];
  let open = false;
  for (let i = 0; i < at.x.length; i++) {
    if (!wanted(i)) {
      open = false;
      continue;
    }
    const run = runs[runs.length - 1];
    const beside = open && Math.abs(at.x[i] - at.x[run[1]] - at.w) < 0.1 && at.y[i] === at.y[run[1]];
    if (beside) run[1] = i;
    else runs.push([i, i]);
    open = true;
  }
  return runs;
}
