// @ts-check
/** Files that a page makes, for the reader to save. */

const KEEP_MS = 10_000;
/** The most pixels of a picture: some phones draw no larger canvas. */
const MOST_PIXELS = 16_000_000;

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** @param {string} name @param {Blob} file */
export function saveFile(name, file) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(file);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

/**
 * A drawing as a PNG file, twice as large where it stays small enough.
 * @param {Blob} drawing in SVG
 * @returns {Promise<Blob>}
 */
export async function pngOf(drawing) {
  const image = new Image();
  image.src = URL.createObjectURL(drawing);
  try {
    await image.decode();
    const larger = Math.min(2, Math.sqrt(MOST_PIXELS / (image.naturalWidth * image.naturalHeight)));
    const canvas = document.createElement("canvas");
    canvas.width = Math.floor(image.naturalWidth * larger);
    canvas.height = Math.floor(image.naturalHeight * larger);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => canvas.toBlob((file) => (file ? done(file) : fail(new Error("toBlob"))), "image/png"));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
