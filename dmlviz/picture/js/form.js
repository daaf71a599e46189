// @ts-check
/** Rows of controls: a slider, a menu or a box for each number or name that a reader can set. */

/**
 * @typedef {import("./page_data.js").Control} Control
 * @typedef {import("./page_data.js").Row} Row
 * @typedef {import("./page_data.js").Group} Group
 * @typedef {string | number} Value
 * @typedef {{element: HTMLElement, box: HTMLElement, show: (value: Value) => void}} DrawnControl
 * @typedef {{element: HTMLElement, boxes: HTMLElement[], show: (values: Value[]) => void, refuse: (problem: string) => void}} DrawnRow
 */

/**
 * Have a box report its text when somebody has finished typing.
 * @param {HTMLInputElement | HTMLTextAreaElement} box
 * @param {(text: string) => void} report
 * @returns {(text: string) => void} shows a text in the box, but never replaces what is being typed
 */
export function reportTyped(box, report) {
  let typing = false;
  let current = box.value;
  const finish = () => {
    typing = false;
    if (box.value === current) return;
    current = box.value;
    report(current);
  };
  box.addEventListener("input", () => { typing = true; });
  box.addEventListener("change", finish);
  // a browser reports no change where the first text has been typed again; another window takes no focus from the box
  box.addEventListener("blur", () => { if (typing && document.activeElement !== box) finish(); });
  return (text) => {
    current = text;
    if (typing) return;
    box.value = text;
    current = box.value;
  };
}

/**
 * Put elements into another in this order; one that stays is not moved, and keeps the focus and its caret.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
function arrangeChildren(parent, children) {
  for (const child of [...parent.children]) if (!children.includes(/** @type {HTMLElement} */ (child))) child.remove();
  children.forEach((child, k) => { if (parent.children[k] !== child) parent.insertBefore(child, parent.children[k] ?? null); });
}

/**
 * A menu of numbers with a box for another one, which its last entry opens.
 * @param {HTMLSelectElement} menu
 * @param {Value[]} options
 * @param {(value: Value) => void} report
 * @returns {DrawnControl}
 */
function withOther(menu, options, report) {
  menu.append(new Option("…"));
  const box = document.createElement("input");
  box.ariaLabel = menu.ariaLabel;
  box.inputMode = "numeric";
  box.hidden = true;
  const fill = reportTyped(box, (text) => report(text.trim()));
  // this menu's own listener reports nothing for an entry that is no option
  menu.addEventListener("change", () => {
    box.hidden = menu.selectedIndex < options.length;
    if (!box.hidden) box.focus();
  });
  const both = document.createElement("span");
  both.append(menu, box);
  return { element: both, box: menu, show: (value) => {
    const at = options.findIndex((option) => String(option) === String(value));
    if (at >= 0 && box.matches(":focus")) return;
    menu.selectedIndex = at < 0 ? options.length : at;
    box.hidden = at >= 0;
    fill(at < 0 ? String(value) : "");
  } };
}

/**
 * A control that reports its value when somebody has changed it.
 * @param {Control} control
 * @param {string} label
 * @param {(value: Value) => void} report
 * @returns {DrawnControl}
 */
function makeControl({ kind, options = [], titles = [], accepts_more, least, most, step, most_characters }, label, report) {
  if (kind === "menu") {
    const menu = document.createElement("select");
    menu.append(...options.map((option, k) => new Option(titles[k] ?? String(option))));
    menu.ariaLabel = label;
    menu.addEventListener("change", () => { if (menu.selectedIndex < options.length) report(options[menu.selectedIndex]); });
    const show = (/** @type {Value} */ value) => { menu.selectedIndex = options.findIndex((option) => String(option) === String(value)); };
    // such as a block size that these sizes do not have
    return accepts_more ? withOther(menu, options, report) : { element: menu, box: menu, show };
  }
  if (kind === "lines") {
    const area = document.createElement("textarea");
    area.ariaLabel = label;
    area.rows = 4;
    area.spellcheck = false;
    if (most_characters) area.maxLength = most_characters;
    const show = reportTyped(area, report);
    return { element: area, box: area, show: (value) => show(String(value)) };
  }
  const box = document.createElement("input");
  box.ariaLabel = label;
  if (kind === "switch") {
    box.type = "checkbox";
    box.addEventListener("change", () => report(String(box.checked)));
    return { element: box, box, show: (value) => { box.checked = String(value) === "true"; } };
  }
  box.type = kind === "slider" ? "range" : kind;
  if (least !== undefined) box.min = String(least);
  if (most !== undefined) box.max = String(most);
  if (step !== undefined) box.step = String(step);
  if (most_characters) box.maxLength = most_characters;
  // an emptied box of a number is no number
  const show = reportTyped(box, (text) => { if (kind === "text" || text) report(kind === "text" ? text : Number(text)); });
  if (kind !== "slider") return { element: box, box, show: (value) => show(String(value)) };
  const number = document.createElement("span");
  number.ariaHidden = "true";
  box.addEventListener("input", () => { number.textContent = box.value; });
  const both = document.createElement("span");
  both.className = "dmlviz-slider";
  both.append(box, number);
  return { element: both, box, show: (value) => { show(String(value)); number.textContent = box.value; } };
}

/** What a control in a row of several is called. @param {Control} control @param {number} k */
const nameOf = ({ kind, titles }, k) => (kind === "slider" && titles?.[0]) || `[${k}]`;

/**
 * A row with its label.
 * @param {Row} of
 * @param {(value: Value, k: number) => void} report a control's new value, and its number in the row
 * @returns {DrawnRow}
 */
export function makeRow({ label, ranked, controls }, report) {
  const row = document.createElement("div");
  row.className = "dmlviz-row";
  const title = document.createElement("span");
  title.textContent = label;
  const side = document.createElement("div");
  const made = controls.map((kind, k) => makeControl(kind, ranked ? `${label} ${nameOf(kind, k)}` : label, (value) => report(value, k)));
  made.forEach(({ element }, k) => {
    const one = document.createElement("label");
    if (ranked) one.append(nameOf(controls[k], k));
    one.append(element);
    side.append(one);
  });
  const note = document.createElement("p");
  note.className = "dmlviz-problem";
  note.hidden = true;
  row.append(title, side, note);
  return {
    element: row,
    boxes: made.map(({ box }) => box),
    show: (values) => made.forEach(({ show }, k) => show(values[k])),
    refuse: (problem) => {
      note.hidden = !problem;
      note.textContent = problem;
      for (const { box } of made) box.ariaInvalid = problem ? "true" : "false";
    },
  };
}

/**
 * A row that has no effect now cannot be changed, and its help says why.
 * @param {HTMLElement} element
 * @param {Row} row
 */
function disable(element, { help, unavailable = "" }) {
  element.title = unavailable || help;
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (element.querySelectorAll("input, select, textarea"))) box.disabled = Boolean(unavailable);
}

/** A form whose rows come and go; a control that stays keeps the focus. */
export class Form {
  /**
   * @param {(name: string, text: string) => void} report a parameter and its new text
   * @param {Record<string, typeof makeRow>} [makers] of rows, for kinds of control that makeRow does not make
   * @param {(name: string, row: DrawnRow, saved: string[]) => void} [keep] the text of a row of lines; saved: texts that its parameter has
   */
  constructor(report, makers = {}, keep = () => {}) {
    this.report = report;
    this.makers = makers;
    this.keep = keep;
    this.element = document.createElement("form");
    this.element.className = "dmlviz-settings";
    this.element.addEventListener("submit", (event) => event.preventDefault());
    // keys here are not the stage's
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
    /** @type {Map<string, {kinds: string, row: DrawnRow, field: Row, reported: string}>} */
    this.rows = new Map();
    /** @type {Map<string, HTMLFieldSetElement>} by title and first row */
    this.sets = new Map();
  }

  /** @param {Group[]} groups */
  load(groups) {
    const at = document.activeElement;
    const before = this.rows;
    const focused = [...before].flatMap(([name, { row }]) => row.boxes.map((box, k) => ({ name, box, k }))).find(({ box }) => box === at);
    const sets = this.sets;
    this.rows = new Map();
    this.sets = new Map();
    arrangeChildren(this.element, groups.map(({ title, fields }) => {
      const key = JSON.stringify([title, fields[0]?.name]);
      const set = sets.get(key) ?? document.createElement("fieldset");
      this.sets.set(key, set);
      const heading = set.querySelector("legend") ?? document.createElement("legend");
      heading.textContent = title;
      const rows = fields.map((field) => this.row(field, before.get(field.name)));
      arrangeChildren(set, title ? [heading, ...rows] : rows);
      return set;
    }));
    // a row that is put elsewhere loses the focus
    const again = focused && this.rows.get(focused.name)?.row.boxes[focused.k];
    if (again && document.activeElement !== again) again.focus({ preventScroll: true });
  }

  /**
   * @param {Row} field
   * @param {{kinds: string, row: DrawnRow, field: Row, reported: string} | undefined} before the row of that name
   */
  row(field, before) {
    const kinds = JSON.stringify([field.label, field.controls]);
    const kept = before?.kinds === kinds ? before : null;
    const makeOne = this.makers[field.controls[0].kind] ?? makeRow;
    const entry = kept ?? { kinds, field, reported: "", row: makeOne(field, (value, k) => {
      // what was typed before the row became unavailable
      if (entry.field.unavailable) return;
      const values = [...entry.field.values];
      values[k] = String(value);
      entry.field = { ...entry.field, values };
      entry.reported = values.join(",");
      this.report(field.name, entry.reported);
    }) };
    entry.field = field;
    entry.row.show(field.values);
    entry.row.refuse(field.problem);
    // what was typed may be written otherwise in an address
    if (field.controls[0].kind === "lines") this.keep(field.name, entry.row, field.problem ? [] : [...field.values, entry.reported]);
    disable(entry.row.element, field);
    this.rows.set(field.name, entry);
    return entry.row.element;
  }
}
