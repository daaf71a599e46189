// @ts-check
/** A form above the movement: the rows of an operator's settings, joined to the widget's traits. */

import { makeRow } from "../picture/js/form.js";

/**
 * The form of a model that has one: it sets the trait `settings`, and shows it, `_unused` and `problem`.
 * @param {import("./widget.js").Model} model
 * @param {AbortSignal} ended
 * @returns {HTMLElement | null}
 */
export function settingsForm(model, ended) {
  const fields = model.get("_form");
  if (!fields) return null;
  const form = document.createElement("div");
  form.className = "dmlviz-settings";
  // JupyterLab would take a slider's arrow keys
  form.addEventListener("keydown", (event) => event.stopPropagation());
  const problem = document.createElement("p");
  problem.className = "dmlviz-problem";
  problem.role = "status";
  /** @type {Map<string, import("../picture/js/form.js").Row>} */
  const rows = new Map();
  for (const field of /** @type {import("../picture/js/form.js").Field[]} */ (JSON.parse(fields))) {
    const { name, ranked } = field;
    rows.set(name, makeRow(field, (value, k) => {
      const settings = model.get("settings");
      const numbers = ranked ? [...settings[name]] : [];
      numbers[k] = value;
      model.set("settings", { ...settings, [name]: ranked ? numbers : value });
      model.save_changes();
    }));
  }
  form.append(...[...rows.values()].map(({ element }) => element), problem);
  const show = () => {
    const settings = model.get("settings");
    for (const [name, row] of rows) {
      row.element.hidden = model.get("_unused").includes(name);
      row.show([settings[name]].flat());
    }
    problem.textContent = model.get("problem");
  };
  for (const trait of ["settings", "_unused", "problem"]) {
    model.on(`change:${trait}`, show);
    ended.addEventListener("abort", () => model.off(`change:${trait}`, show));
  }
  show();
  return form;
}
