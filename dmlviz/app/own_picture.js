// @ts-check
/**
 * Takes a picture by choosing, dropping or pasting, and sends it small: the file itself, which may
 * be large and say where it was taken, stays in the browser.
 */

import { PICTURE_TYPES, smallPicture } from "../picture/js/own_picture.js";

/** @type {WeakMap<Element, AbortController>} */
const listening = new WeakMap();

/**
 * @param {{data: {most: number, choose: string, drop: string, wrong: string},
 *          parentElement: HTMLElement, setTriggerValue: (name: string, value: string) => void}} component
 */
export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector(".dmlviz-own-picture")?.remove();
  listening.get(parentElement)?.abort();
  const control = new AbortController();
  listening.set(parentElement, control);
  const { signal } = control;
  const input = Object.assign(document.createElement("input"), { type: "file", accept: PICTURE_TYPES.join() });
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
      if (!file || !PICTURE_TYPES.includes(file.type)) throw new Error("another type");
      const canvas = await smallPicture(file, data.most);
      setTriggerValue("picture", canvas.toDataURL("image/png").split(",")[1]);
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
