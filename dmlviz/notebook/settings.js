// @ts-check
/** A form above the movement: a slider, a menu or a box for each number or name of an operator's settings. */

/**
 * One control.
 * @typedef {{kind: "menu" | "text" | "number" | "slider", options?: (string | number)[], least?: number, most?: number, step?: number}} Part
 * A setting; `ranked` if it has a part for each dimension.
 * @typedef {{name: string, label: string, help: string, ranked: boolean, parts: Part[]}} Field
 * @typedef {string | number} Value
 * @typedef {{element: HTMLElement, show: (value: Value) => void}} Control
 */

/**
 * A control that tells its value when somebody has changed it.
 * @param {Part} part
 * @param {string} label
 * @param {(value: Value) => void} told
 * @returns {Control}
 */
function control({ kind, options = [], least, most, step }, label, told) {
  if (kind === "menu") {
    const menu = document.createElement("select");
    menu.append(...options.map((option) => new Option(String(option))));
    menu.ariaLabel = label;
    menu.addEventListener("change", () => told(options[menu.selectedIndex]));
    return { element: menu, show: (value) => { menu.selectedIndex = options.indexOf(value); } };
  }
  const box = document.createElement("input");
  box.type = kind === "slider" ? "range" : kind;
  box.ariaLabel = label;
  if (least !== undefined) box.min = String(least);
  if (most !== undefined) box.max = String(most);
  if (step !== undefined) box.step = String(step);
  // an emptied box of a number is no number
  box.addEventListener("change", () => { if (kind === "text" || box.value) told(kind === "text" ? box.value : Number(box.value)); });
  if (kind !== "slider") return { element: box, show: (value) => { box.value = String(value); } };
  const number = document.createElement("span");
  number.ariaHidden = "true";
  box.addEventListener("input", () => { number.textContent = box.value; });
  const both = document.createElement("span");
  both.className = "dmlviz-slider";
  both.append(box, number);
  return { element: both, show: (value) => { box.value = String(value); number.textContent = String(value); } };
}

/**
 * The form of a model that has one: it sets the trait `settings`, and shows it, `_unused` and `problem`.
 * @param {import("./widget.js").Model} model
 * @param {AbortSignal} ended
 * @returns {HTMLElement | null}
 */
export function settingsForm(model, ended) {
  const told = model.get("_form");
  if (!told) return null;
  const form = document.createElement("div");
  form.className = "dmlviz-settings";
  // JupyterLab would take a slider's arrow keys
  form.addEventListener("keydown", (event) => event.stopPropagation());
  const problem = document.createElement("p");
  problem.className = "dmlviz-problem";
  problem.role = "status";
  /** @type {Map<string, {row: HTMLElement, controls: Control[]}>} */
  const rows = new Map();
  for (const { name, label, help, ranked, parts } of /** @type {Field[]} */ (JSON.parse(told))) {
    const row = document.createElement("div");
    const title = document.createElement("span");
    row.title = help;
    title.textContent = label;
    const controls = parts.map((part, k) => control(part, ranked ? `${label} [${k}]` : label, (value) => {
      const settings = model.get("settings");
      const numbers = ranked ? [...settings[name]] : [];
      numbers[k] = value;
      model.set("settings", { ...settings, [name]: ranked ? numbers : value });
      model.save_changes();
    }));
    const side = document.createElement("div");
    controls.forEach(({ element }, k) => {
      const one = document.createElement("label");
      if (ranked) one.append(`[${k}]`);
      one.append(element);
      side.append(one);
    });
    row.append(title, side);
    form.append(row);
    rows.set(name, { row, controls });
  }
  form.append(problem);
  const show = () => {
    const settings = model.get("settings");
    for (const [name, { row, controls }] of rows) {
      row.hidden = model.get("_unused").includes(name);
      controls.forEach(({ show }, k) => show([settings[name]].flat()[k]));
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
