// @ts-check
/** The moves of one step: elements that move alike are drawn once and moved as one piece. */

import { chosenBy } from "./data.js";
import { hatch, sizeCanvas } from "./marks.js";
import MEASURES from "./measures.json" with { type: "json" };

/**
 * @typedef {import("./painter.js").Board} Board
 * @typedef {{cells: number[], fromX: number[], fromY: number[], dx: number, dy: number,
 *            grows: boolean, faint: boolean, trail: boolean, images: Partial<Record<Layer, HTMLCanvasElement>> | null,
 *            left: number, top: number}} Piece
 * @typedef {"tiles" | "labels"} Layer what of elements is drawn: the numbers of all are over the tiles of all
 * @typedef {{step: number, sources: number[], pieces: Piece[]}} Flight
 *   sources: the input cells that it begins at, and those that chose them
 */

const WORTH_AN_IMAGE = 24;
/** How much is seen of elements that are not followed. */
export const FAINT = 0.16;

/**
 * @param {Board} board
 * @param {number} step
 * @returns {Flight}
 */
export function flightOf(board, step) {
  const { input, output, source, followed } = board;
  const { via, groups } = board.moves;
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  const sources = new Set();
  for (const i of groups[step]) {
    const passed = via ? via[i] : -1;
    const from = passed >= 0 ? output : input;
    const at = passed >= 0 ? passed : source[i];
    if (passed < 0 && at >= 0) sources.add(at);
    for (const cell of chosenBy(board, i)) sources.add(cell);
    const grows = at < 0;
    const x = grows ? output.x[i] : from.x[at];
    const y = grows ? output.y[i] : from.y[at];
    const dx = output.x[i] - x;
    const dy = output.y[i] - y;
    const faint = Boolean(followed && !followed.has(i));
    const name = `${Math.round(dx * 4)} ${Math.round(dy * 4)} ${grows} ${faint}`;
    let piece = pieces.get(name);
    if (!piece) {
      const trail = Boolean(followed?.has(i)) && !grows;
      piece = { cells: [], fromX: [], fromY: [], dx, dy, grows, faint, trail, images: null, left: 0, top: 0 };
      pieces.set(name, piece);
    }
    piece.cells.push(i);
    piece.fromX.push(x);
    piece.fromY.push(y);
  }
  for (const piece of pieces.values()) {
    if (!piece.grows && piece.cells.length >= WORTH_AN_IMAGE) paintImages(board, piece);
  }
  return { step, sources: [...sources], pieces: [...pieces.values()] };
}

/**
 * A piece at some distance from where it begins.
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {Piece} piece
 * @param {number} dx
 * @param {number} dy
 * @param {number} grown from 0 to 1
 * @param {Layer} layer
 */
export function drawPiece(g, board, piece, dx, dy, grown, layer) {
  if (piece.images) {
    const image = piece.images[layer];
    if (image) g.drawImage(image, piece.left + dx, piece.top + dy, parseFloat(image.style.width), parseFloat(image.style.height));
    return;
  }
  for (let k = 0; k < piece.cells.length; k++) {
    const [x, y] = [piece.fromX[k] + dx, piece.fromY[k] + dy];
    if (layer === "tiles") drawTile(g, board, piece.cells[k], x, y, grown);
    else drawLabel(g, board, piece.cells[k], x, y, grown);
  }
}

/**
 * The way of followed elements.
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {Pick<Piece, "fromX" | "fromY" | "dx" | "dy">} piece
 */
export function trail(g, board, piece) {
  const { w, h } = board.output;
  g.strokeStyle = board.palette.accent;
  g.lineWidth = 2;
  g.setLineDash([5, 4]);
  g.beginPath();
  for (let k = 0; k < piece.fromX.length; k++) {
    const x = piece.fromX[k] + w / 2;
    const y = piece.fromY[k] + h / 2;
    g.moveTo(x, y);
    g.lineTo(x + piece.dx, y + piece.dy);
  }
  g.stroke();
  g.setLineDash([]);
}

/**
 * @param {Board} board
 * @param {Piece} piece
 */
function paintImages(board, piece) {
  const { w, h } = board.output;
  const smallest = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.min(a, b), Infinity);
  const largest = (/** @type {number[]} */ list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
  piece.left = smallest(piece.fromX) - 1;
  piece.top = smallest(piece.fromY) - 1;
  /** @type {Partial<Record<Layer, HTMLCanvasElement>>} */
  const images = {};
  for (const layer of /** @type {Layer[]} */ (board.fontSize ? ["tiles", "labels"] : ["tiles"])) {
    const image = document.createElement("canvas");
    sizeCanvas(image, largest(piece.fromX) + w + 1 - piece.left, largest(piece.fromY) + h + 1 - piece.top);
    const g = /** @type {CanvasRenderingContext2D} */ (image.getContext("2d"));
    drawPiece(g, board, piece, -piece.left, -piece.top, 1, layer);
    images[layer] = image;
  }
  piece.images = images;
}

/**
 * One element, moving or at rest.
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {number} i
 * @param {number} x
 * @param {number} y
 * @param {number} grown
 * @param {boolean} [framed]
 */
export function drawSquare(g, board, i, x, y, grown, framed = true) {
  drawTile(g, board, i, x, y, grown, framed);
  drawLabel(g, board, i, x, y, grown);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {number} i
 * @param {number} x
 * @param {number} y
 * @param {number} grown
 * @param {boolean} [framed]
 */
function drawTile(g, board, i, x, y, grown, framed = true) {
  const { palette, gap, source } = board;
  const { w: cellWidth, h: cellHeight } = board.output;
  const w = (cellWidth - gap) * grown;
  const h = (cellHeight - gap) * grown;
  const left = x + (cellWidth - w) / 2;
  const top = y + (cellHeight - h) / 2;
  g.fillStyle = source[i] < 0 ? palette.padding : board.colors[source[i]];
  g.fillRect(left, top, w, h);
  if (isHatched(board, i)) hatch(g, palette, left, top, w, h);
  if (framed && cellWidth > 16) {
    g.strokeStyle = palette.accent;
    g.lineWidth = cellWidth > 18 ? 1.5 : 1;
    g.strokeRect(left + 0.75, top + 0.75, w - 1.5, h - 1.5);
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Board} board
 * @param {number} i
 * @param {number} x
 * @param {number} y
 * @param {number} grown
 */
function drawLabel(g, board, i, x, y, grown) {
  const { palette, source, fontSize } = board;
  const { w: cellWidth, h: cellHeight } = board.output;
  if (fontSize && grown > 0.6) {
    g.font = `600 ${fontSize}px ${board.font}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillStyle = board.inks && source[i] >= 0 ? board.inks[source[i]] : palette.ink;
    g.fillText(board.labels[i], x + cellWidth / 2, y + cellHeight / 2 + fontSize * 0.06);
  }
}

/**
 * Whether an output cell holds a constant: not what is copied, nor what is computed.
 * @param {Board} board
 * @param {number} i
 */
export function isHatched({ source, computed }, i) {
  return source[i] < 0 && !computed(i);
}

/**
 * How high the arc of a way is: it keeps squares off the cells that they pass over.
 * @param {number} dx
 * @param {number} dy
 */
export function liftOf(dx, dy) {
  return Math.min(MEASURES.arc.most, Math.hypot(dx, dy) * MEASURES.arc.share);
}
