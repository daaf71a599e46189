// @ts-check
/** What a live page has below its picture: the result in other forms, each asked for when it is opened. */

import { make, makeButton, makeSelect } from "./dom.js";

/**
 * A part of a section, as dmlviz/live/below.py has it.
 * @typedef {{key: string, title: string, notes: string[], text: string, link: string, columns: string[], rows: string[][]}} SectionPart
 * @typedef {{words: Record<string, string>, ask: (name: string) => void, address: (link: string) => string}} Around
 *   ask: for the parts of a section; address: of a link's page
 */

/** The browser's key for the dialect that was chosen last, on any page. */
const DIALECT = "dmlviz-dialect";
const FIRST_DIALECT = "numpy";

export class Sections {
  /**
   * @param {Record<string, string>} titles of the sections, by name
   * @param {Around} around
   */
  constructor(titles, around) {
    this.around = around;
    this.hidden = make("p", "", around.words.hidden);
    this.hidden.hidden = true;
    this.element = make("div", "dmlviz-live-sections", this.hidden);
    /** @type {Map<string, {fold: HTMLDetailsElement, inside: HTMLElement}>} */
    this.folds = new Map();
    for (const [name, title] of Object.entries(titles)) {
      const inside = make("div", "");
      const fold = /** @type {HTMLDetailsElement} */ (make("details", "dmlviz-live-section", make("summary", "", title), inside));
      fold.dataset.section = name;
      fold.addEventListener("toggle", () => this.renew(name));
      this.folds.set(name, { fold, inside });
      this.element.append(fold);
    }
  }

  /** Ask again for what is open; another picture is shown. */
  renewAll() {
    for (const name of this.folds.keys()) this.renew(name);
  }

  /** @param {string} name */
  renew(name) {
    const { fold, inside } = /** @type {{fold: HTMLDetailsElement, inside: HTMLElement}} */ (this.folds.get(name));
    if (fold.open) this.around.ask(name);
    else inside.replaceChildren();
  }

  /** Nothing that gives the output away. @param {boolean} on */
  hide(on) {
    this.hidden.hidden = !on;
    for (const { fold } of this.folds.values()) fold.hidden = on;
  }

  /** @param {string} name @param {SectionPart[]} blocks */
  show(name, blocks) {
    const { words } = this.around;
    const inside = this.folds.get(name)?.inside;
    if (!blocks.some(({ key }) => key)) {
      inside?.replaceChildren(...blocks.flatMap((block) => this.parts(block, block.title)));
      return;
    }
    const open = make("div", "");
    const choose = (/** @type {string} */ key) => {
      const block = blocks.find((one) => one.key === key);
      if (block) open.replaceChildren(...this.parts(block, words.as_code));
    };
    const menu = makeSelect(words.dialect, blocks.map(({ key, title }) => [key, title]), (key) => {
      keepDialect(key);
      choose(key);
    });
    const [last, first] = [lastDialect(), FIRST_DIALECT].map((key) => blocks.find((one) => one.key === key)?.key);
    menu.value = last ?? first ?? blocks[0].key;
    choose(menu.value);
    inside?.replaceChildren(menu, open);
  }

  /** @param {SectionPart} block @param {string} title of its link @returns {HTMLElement[]} */
  parts({ notes, text, link, columns, rows }, title) {
    const { words, address } = this.around;
    const parts = notes.map((note) => make("p", "dmlviz-live-note", note));
    if (text) parts.push(make("div", "dmlviz-live-text", make("pre", "", text), copyButton(words, text)));
    if (columns.length) parts.push(makeTable(columns, rows));
    if (link) {
      const open = /** @type {HTMLAnchorElement} */ (make("a", "", title));
      open.href = address(link);
      parts.push(make("p", "", open));
    }
    return parts;
  }
}

/** @param {string[]} columns @param {string[][]} rows */
function makeTable(columns, rows) {
  const row = (/** @type {string} */ tag, /** @type {string[]} */ texts) => make("tr", "", ...texts.map((text) => make(tag, "", text)));
  return make("div", "dmlviz-live-table", make("table", "", make("thead", "", row("th", columns)), make("tbody", "", ...rows.map((texts) => row("td", texts)))));
}

/**
 * A button that copies, and says whether it could.
 * @param {Record<string, string>} words
 * @param {string} text
 */
export function copyButton(words, text) {
  const button = makeButton(words.copy, "dmlviz-copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = words.copied;
    } catch {
      button.textContent = words.by_hand;
    }
  }, words.copy);
  button.ariaLive = "polite";
  return button;
}

// a browser may keep nothing

/** @returns {string} */
function lastDialect() {
  try {
    return window.localStorage.getItem(DIALECT) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} dialect */
function keepDialect(dialect) {
  try {
    window.localStorage.setItem(DIALECT, dialect);
  } catch {
    // the choice holds until the section is opened again
  }
}
