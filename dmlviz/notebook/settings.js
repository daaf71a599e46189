// @ts-check
/** A form above the movement: the rows of an operator's settings, as on a live page. */

import { Form } from "../picture/js/form.js";

/**
 * The form of a model that has one: it sets the trait `settings`, and shows `_form` and `problem`.
 * @param {import("./widget.js").Model} model
 * @param {AbortSignal} ended
 * @returns {HTMLElement | null}
 */
export function settingsForm(model, ended) {
  if (!model.get("_form")) return null;
  const form = new Form((name, text) => {
    model.set("settings", { ...model.get("settings"), [name]: text });
    model.save_changes();
  });
  const problem = document.createElement("p");
  problem.className = "dmlviz-problem";
  problem.role = "status";
  const above = document.createElement("div");
  above.append(form.element, problem);
  const show = () => {
    form.load(/** @type {import("../picture/js/page_data.js").Group[]} */ (JSON.parse(model.get("_form"))));
    problem.textContent = model.get("problem");
  };
  for (const trait of ["_form", "problem"]) {
    model.on(`change:${trait}`, show);
    ended.addEventListener("abort", () => model.off(`change:${trait}`, show));
  }
  show();
  return above;
}
