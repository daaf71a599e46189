// @ts-check
/** A documentation page's own text, as text: its lines, and below them what was found there. */

/**
 * @typedef {{line: number, from: number, to: number, kind: string, code: string, rule: string, message: string,
 *   where: string, example: number}} Mark
 * @typedef {{label: string, lines: string[], marks: Mark[], extents: [number, number][]}} Page
 * @typedef {{example: number, only: boolean}} Place
 */

/** Lines that are laid out together, once they come into view. */
const PART = 80;
/** Lines around a problem that stay when only problems are shown. */
const AROUND = 2;
const SIGNS = { error: "✗", warning: "!", good: "✓", skip: "↷", unchecked: "?" };

/**
 * One instance of the component is sent a page; another, which is small, where to look in it.
 * @param {{data: {identity?: string, page?: string, place?: Place}, parentElement: any,
 *   setTriggerValue: (name: string, value: any) => void}} component
 * @returns {() => void}
 */
export default function ({ data, parentElement, setTriggerValue }) {
  if (data.place) {
    parentElement.dataset.dmlvizPlace = JSON.stringify(data.place);
    window.dispatchEvent(new Event("dmlviz-place"));
    return () => {};
  }
  const text = parentElement.querySelector(":scope > .dmlviz-text") ?? parentElement.appendChild(document.createElement("div"));
  text.dmlvizChoose = (/** @type {string} */ said) => setTriggerValue("chosen", said);
  if (text.dmlvizIdentity !== data.identity) {
    text.dmlvizIdentity = data.identity;
    draw(text, JSON.parse(data.page ?? "{}"));
  }
  const follow = () => goTo(text);
  window.addEventListener("dmlviz-place", follow);
  follow();
  return () => window.removeEventListener("dmlviz-place", follow);
}

/**
 * @param {any} text
 * @param {Page} page
 */
function draw(text, page) {
  text.className = "dmlviz-text";
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", page.label);
  text.dmlvizExtents = page.extents;
  text.dmlvizExample = undefined;
  text.style.setProperty("--dmlviz-digits", String(String(page.lines.length).length));
  const near = nearProblems(page);
  /** @type {Map<number, Mark[]>} */
  const at = new Map();
  for (const mark of page.marks) at.set(mark.line, [...(at.get(mark.line) ?? []), mark]);
  const parts = [];
  text.dmlvizRows = [];
  for (let first = 1; first <= page.lines.length; first += PART) {
    const part = make("div", "dmlviz-text-part");
    const last = Math.min(first + PART - 1, page.lines.length);
    part.style.containIntrinsicSize = `auto ${(last - first + 1) * 20}px`;
    for (let line = first; line <= last; line++) {
      const marks = at.get(line) ?? [];
      const row = drawLine(page.lines[line - 1], line, marks);
      if (near.has(line)) row.classList.add("dmlviz-near", ...(near.has(line - 1) ? [] : ["dmlviz-gap"]));
      text.dmlvizRows.push(row);
      part.append(row, ...marks.map(drawMark));
    }
    part.classList.toggle("dmlviz-near", Boolean(part.querySelector(".dmlviz-near")));
    parts.push(part);
  }
  text.replaceChildren(...parts);
  const marks = marksOf(text);
  if (marks[0]) marks[0].tabIndex = 0;
  text.onclick = (/** @type {MouseEvent} */ event) => {
    const mark = /** @type {HTMLElement} */ (event.target).closest(".dmlviz-text-mark");
    if (mark) choose(text, /** @type {HTMLElement} */ (mark));
  };
  text.onkeydown = (/** @type {KeyboardEvent} */ event) => move(text, event);
}

/**
 * @param {string} said
 * @param {number} line
 * @param {Mark[]} marks
 */
function drawLine(said, line, marks) {
  const row = make("div", "dmlviz-text-line");
  row.dataset.line = String(line);
  const mark = marks.find((one) => one.from);
  if (!mark) {
    row.textContent = said;
    return row;
  }
  const letters = [...said];
  const marked = make("span", `dmlviz-text-${mark.kind}`);
  marked.textContent = letters.slice(mark.from - 1, mark.to - 1).join("");
  row.append(letters.slice(0, mark.from - 1).join(""), marked, letters.slice(mark.to - 1).join(""));
  return row;
}

/** @param {Mark} mark */
function drawMark(mark) {
  const button = /** @type {HTMLButtonElement} */ (make("button", `dmlviz-text-mark dmlviz-text-${mark.kind}`));
  button.type = "button";
  button.tabIndex = -1;
  button.dataset.line = String(mark.line);
  button.dataset.example = String(mark.example);
  const sign = make("span", "dmlviz-text-sign");
  sign.textContent = SIGNS[/** @type {keyof typeof SIGNS} */ (mark.kind)];
  sign.setAttribute("aria-hidden", "true");
  const where = make("span", "dmlviz-text-where");
  where.textContent = `${mark.where} `;
  const message = make("span", "dmlviz-text-message");
  if (mark.code) {
    const code = make("b", "");
    code.textContent = mark.code;
    button.title = mark.rule;
    message.append(code, " ");
  }
  message.append(mark.message);
  button.append(sign, where, message);
  return button;
}

/**
 * @param {Page} page
 * @returns {Set<number>}
 */
function nearProblems(page) {
  const near = new Set();
  for (const { line, kind } of page.marks) {
    if (kind !== "error" && kind !== "warning") continue;
    for (let other = line - AROUND; other <= line + AROUND; other++) near.add(other);
  }
  return near;
}

/**
 * @param {any} text
 * @returns {HTMLButtonElement[]} those that are shown
 */
function marksOf(text) {
  const only = text.classList.contains("dmlviz-only");
  return [...text.querySelectorAll(only ? ".dmlviz-text-mark:is(.dmlviz-text-error, .dmlviz-text-warning)" : ".dmlviz-text-mark")];
}

/**
 * @param {any} text
 * @param {HTMLElement} mark
 */
function choose(text, mark) {
  focusOn(text, mark);
  const example = Number(mark.dataset.example);
  if (example < 0) return;
  show(text, example);
  text.dmlvizChoose(String(example));
  // on a phone the pictures are above the text
  const pictures = document.querySelector(".st-key-verify_picture");
  const top = pictures?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight / 2) pictures?.scrollIntoView();
}

/**
 * @param {any} text
 * @param {HTMLElement} mark
 */
function focusOn(text, mark) {
  for (const other of text.querySelectorAll(".dmlviz-text-mark[tabindex='0']")) other.tabIndex = -1;
  mark.tabIndex = 0;
  mark.focus({ preventScroll: true });
  bring(text, mark, false);
}

/**
 * The arrow keys, Home and End go from mark to mark, which are one stop of the Tab key.
 * @param {any} text
 * @param {KeyboardEvent} event
 */
function move(text, event) {
  const marks = marksOf(text);
  const now = marks.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  if (now < 0) return;
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: marks.length - 1 }[event.key];
  if (to === undefined || !marks[to]) return;
  event.preventDefault();
  focusOn(text, marks[to]);
}

/** Follow what the server shows. @param {any} text */
function goTo(text) {
  const placeText = /** @type {HTMLElement | null} */ (document.querySelector("[data-dmlviz-place]"))?.dataset.dmlvizPlace;
  if (!placeText) return;
  /** @type {Place} */
  const place = JSON.parse(placeText);
  const filtered = text.classList.toggle("dmlviz-only", place.only) !== Boolean(text.dmlvizOnly);
  text.dmlvizOnly = place.only;
  if (text.dmlvizExample === place.example && !filtered) return;
  show(text, place.example);
  const marks = marksOf(text);
  const own = marks.filter((mark) => mark.dataset.example === String(place.example));
  const first = ["error", "warning"].map((kind) => own.find((mark) => mark.matches(`.dmlviz-text-${kind}`))).find(Boolean) ?? own[0];
  for (const mark of marks) mark.tabIndex = -1;
  const stop = first ?? marks[0];
  if (stop) stop.tabIndex = 0;
  if (first) bring(text, first, true);
}

/**
 * Mark the lines and remarks of an example.
 * @param {any} text
 * @param {number} example
 */
function show(text, example) {
  text.dmlvizExample = example;
  for (const old of text.querySelectorAll(".dmlviz-chosen")) old.classList.remove("dmlviz-chosen");
  for (const old of text.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const [first, last] = text.dmlvizExtents[example] ?? [1, 0];
  for (const row of text.dmlvizRows.slice(first - 1, last)) row.classList.add("dmlviz-chosen");
  for (const mark of text.querySelectorAll(`.dmlviz-text-mark[data-example="${example}"]`)) mark.setAttribute("aria-current", "true");
}

/**
 * Scroll the text alone; parts that come into view for the first time may change their height.
 * @param {any} text
 * @param {HTMLElement} mark
 * @param {boolean} always also where it is in view
 */
function bring(text, mark, always) {
  let [tries, passes] = [60, 3];
  const step = () => {
    const [box, own] = [text.getBoundingClientRect(), mark.getBoundingClientRect()];
    // Streamlit may not have put it on the page yet
    if (own.height) {
      const seen = own.top >= box.top && own.bottom <= box.bottom;
      if (always || !seen) text.scrollTop += own.top - box.top - text.clientHeight / 3;
      passes -= 1;
    }
    tries -= 1;
    if (tries && passes) requestAnimationFrame(step);
  };
  step();
}

/**
 * @param {string} tag
 * @param {string} name
 */
function make(tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  return element;
}
