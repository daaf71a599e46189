// @ts-check
/**
 * Takes a picture by choosing, dropping or pasting, and sends it small: the file itself, which may
 * be large and say where it was taken, stays in the browser.
 */

const TYPES = ["image/png", "image/jpeg", "image/webp"];

/** @type {WeakMap<Element, AbortController>} */
const listening = new WeakMap();

/**
 * @param {Blob} file
 * @param {number} most pixels of the longer side
 * @returns {Promise<string>} a PNG in base64, upright
 */
async function shrunk(file, most) {
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  const part = Math.min(1, most / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * part));
  canvas.height = Math.max(1, Math.round(image.height * part));
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  g.imageSmoothingQuality = "high";
  g.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.toDataURL("image/png").split(",")[1];
}

/**
 * @param {{data: {most: number, choose: string, drop: string, wrong: string},
 *          parentElement: HTMLElement, setTriggerValue: (name: string, value: string) => void}} told
 */
export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector(".dmlviz-own-picture")?.remove();
  listening.get(parentElement)?.abort();
  const control = new AbortController();
  listening.set(parentElement, control);
  const { signal } = control;
  const input = Object.assign(document.createElement("input"), { type: "file", accept: TYPES.join() });
  const label = document.createElement("label");
  label.append(input, Object.assign(document.createElement("span"), { textContent: data.choose }));
  const said = document.createElement("p");
  said.textContent = data.drop;
  said.setAttribute("role", "status");
  const zone = document.createElement("div");
  zone.className = "dmlviz-own-picture";
  zone.append(label, said);
  parentElement.append(zone);

  const take = async (/** @type {Blob | null | undefined} */ file) => {
    try {
      if (!file || !TYPES.includes(file.type)) throw new Error("another type");
      setTriggerValue("picture", await shrunk(file, data.most));
    } catch {
      said.textContent = data.wrong;
    }
  };
  input.addEventListener("change", () => {
    take(input.files?.[0]);
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => event.preventDefault());
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  });
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file && zone.isConnected) take(file);
  }, { signal });
  return () => control.abort();
}
