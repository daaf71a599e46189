// @ts-check
/** The numbers in cells, on a canvas over Plotly's heatmaps: Plotly takes many times as long to write them. */

import { sizeCanvas } from "./marks.js";

/**
 * @param {HTMLCanvasElement} canvas between the heatmaps and what hides their cells
 * @param {any[]} traces as they are drawn: those of hidden cells have no numbers
 * @param {any} drawing where everything is, and how it is painted
 */
export function writeNumbers(canvas, traces, drawing) {
  const { input, output, source, inputLabels, labels, inks, palette, font, fontSize, width, height } = drawing;
  canvas.hidden = !fontSize;
  if (!fontSize) {
    canvas.width = canvas.height = 1;
    return;
  }
  sizeCanvas(canvas, width, height);
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.font = `600 ${fontSize}px ${font}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const { name, numbered = [] } of traces) {
    const [at, texts] = name === "input" ? [input, inputLabels] : [output, labels];
    for (const i of numbered) {
      g.fillStyle = inks?.[name === "input" ? i : source[i]] ?? palette.ink;
      g.fillText(texts[i], at.x[i] + at.w / 2, at.y[i] + at.h / 2 + fontSize * 0.06);
    }
  }
}
