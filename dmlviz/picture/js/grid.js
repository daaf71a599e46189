// @ts-check
/** A tensor's elements as a grid to type into, one plane at a time. */

import { make, makeSelect } from "./dom.js";
import { reportTyped } from "./form.js";

/**
 * @param {number[]} sizes
 * @param {number} flat
 * @returns {number[]} the indices of an element
 */
function indicesIn(sizes, flat) {
  let left = flat;
  const index = sizes.map(() => 0);
  for (let d = sizes.length - 1; d >= 0; d--) {
    index[d] = left % sizes[d];
    left = Math.floor(left / sizes[d]);
  }
  return index;
}

/**
 * A row of a form whose values are a tensor's elements.
 * @param {import("./page_data.js").Row} row
 * @param {(value: string, k: number) => void} report an element's new value, and its number
 * @returns {import("./form.js").DrawnRow}
 */
export function makeGridRow({ label, controls: [{ sizes = [] }] }, report) {
  const [down, across] = [sizes.at(-2) ?? 1, sizes.at(-1) ?? 1];
  const outer = sizes.slice(0, -2);
  const planes = outer.reduce((product, n) => product * n, 1);
  /** @type {string[]} */
  let values = [];
  let plane = 0;
  /** @type {HTMLInputElement[]} */
  let cells = [];
  /** @type {((text: string) => void)[]} */
  let fills = [];
  const table = make("table", "");
  const note = make("p", "dmlviz-problem");
  note.hidden = true;
  const titles = Array.from({ length: planes }, (_, p) => /** @type {[string, string]} */ ([String(p), `[${[...indicesIn(outer, p), ":", ":"].join(", ")}]`]));
  const menu = makeSelect(label, titles, (chosen) => {
    plane = Number(chosen);
    draw();
  });
  menu.hidden = planes === 1;
  const fold = /** @type {HTMLDetailsElement} */ (make("details", "dmlviz-grid", make("summary", "", label), menu, make("div", "", table), note));
  fold.addEventListener("toggle", () => draw());

  const cell = (/** @type {number} */ k) => {
    const box = document.createElement("input");
    box.value = values[k];
    box.ariaLabel = `[${indicesIn(sizes, k).join(", ")}]`;
    return box;
  };
  const draw = () => {
    if (!fold.open) return table.replaceChildren();
    const first = plane * down * across;
    cells = Array.from({ length: down * across }, (_, j) => cell(first + j));
    fills = cells.map((box, j) => reportTyped(box, (text) => report(text.trim(), first + j)));
    const heads = make("tr", "", make("th", ""), ...Array.from({ length: across }, (_, j) => make("th", "", String(j))));
    const row = (/** @type {number} */ i) => make("tr", "", make("th", "", String(i)), ...cells.slice(i * across, (i + 1) * across).map((box) => make("td", "", box)));
    table.replaceChildren(heads, ...Array.from({ length: down }, (_, i) => row(i)));
  };
  table.addEventListener("keydown", (event) => {
    const at = cells.indexOf(/** @type {HTMLInputElement} */ (event.target));
    const by = /** @type {Record<string, number>} */ ({ ArrowUp: -across, ArrowDown: across, Enter: across })[event.key];
    if (at < 0 || by === undefined) return;
    event.preventDefault();
    cells[at].dispatchEvent(new Event("change"));
    cells[at + by]?.focus();
  });
  return {
    element: fold,
    get boxes() { return cells; },
    show: (now) => {
      const same = now.length === values.length && cells.length > 0;
      values = now.map(String);
      if (!same) return draw();
      const first = plane * down * across;
      fills.forEach((fill, j) => fill(values[first + j]));
    },
    refuse: (problem) => {
      note.hidden = !problem;
      note.textContent = problem;
      for (const box of cells) box.ariaInvalid = problem ? "true" : "false";
    },
  };
}
