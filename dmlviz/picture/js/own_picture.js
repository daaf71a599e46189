// @ts-check
/** A reader's own picture, decoded by the browser and made small: the file itself goes nowhere. */

import { make } from "./dom.js";

export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp"];

/**
 * @param {Blob} file
 * @param {number} most pixels of the longer side
 * @returns {Promise<HTMLCanvasElement>} upright
 */
export async function smallPicture(file, most) {
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  const part = Math.min(1, most / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * part));
  canvas.height = Math.max(1, Math.round(image.height * part));
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.imageSmoothingQuality = "high";
  g.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas;
}

/**
 * A picture as a text: its height, its width, and three bytes of each pixel in base64; on white.
 * @param {HTMLCanvasElement} canvas
 */
function pixelsAsText(canvas) {
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.globalCompositeOperation = "destination-over";
  g.fillStyle = "#fff";
  g.fillRect(0, 0, canvas.width, canvas.height);
  const { data } = g.getImageData(0, 0, canvas.width, canvas.height);
  const letters = [];
  for (let k = 0; k < data.length; k += 4) letters.push(String.fromCharCode(data[k], data[k + 1], data[k + 2]));
  return `${canvas.height},${canvas.width},${btoa(letters.join(""))}`;
}

/**
 * A row of a form in which a picture is chosen, dropped or pasted.
 * @param {import("./page_data.js").Row} row its control's titles: of the button, and what is said of another file
 * @param {(value: string, k: number) => void} report the picture as a text
 * @returns {import("./form.js").DrawnRow}
 */
export function makePictureRow({ label, help, controls: [{ titles = [], most = 1 }] }, report) {
  const [choose, wrong] = titles;
  const input = document.createElement("input");
  input.type = "file";
  input.accept = PICTURE_TYPES.join();
  input.ariaLabel = label;
  const note = make("p", "dmlviz-problem");
  note.hidden = true;
  const row = make("div", "dmlviz-row dmlviz-own-picture", make("label", "", make("span", "", choose), input), make("p", "", help), note);
  const refuse = (/** @type {string} */ problem) => {
    note.hidden = !problem;
    note.textContent = problem;
  };
  const take = async (/** @type {Blob | null | undefined} */ file) => {
    try {
      if (!file || !PICTURE_TYPES.includes(file.type)) throw new Error("another type");
      report(pixelsAsText(await smallPicture(file, most)), 0);
    } catch {
      refuse(wrong);
    }
  };
  input.addEventListener("change", () => take(input.files?.[0]));
  row.addEventListener("dragover", (event) => event.preventDefault());
  row.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  });
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file && row.isConnected) take(file);
  });
  return { element: row, boxes: [input], show: () => {}, refuse };
}
