// @ts-check
/** How to look: the view, the colors, follow one, loop, zoom, full screen; and take it along. */

import { drawIcon, make, makeButton, makeSelect, setOptions } from "./dom.js";
import { filmButtons } from "./film.js";
import { fillIn } from "./sentence.js";

/**
 * @typedef {{view: (v: string) => void, color: (c: string) => void, follow: (on: boolean) => void,
 *            loop: (on: boolean) => void, memory: (on: boolean) => void, zoom: (by: number) => void, full: () => void}} ViewActs
 */

export class ViewBar {
  /**
   * @param {Record<string, string>} words
   * @param {ViewActs} act
   * @param {import("./film.js").Stage} stage
   */
  constructor(words, act, stage) {
    this.view = makeSelect(words.view, [], act.view);
    this.color = makeSelect(words.color, [], act.color);
    this.view.classList.add("dmlviz-view");
    this.color.classList.add("dmlviz-color");
    this.follow = this.switch(words.follow, "dmlviz-follow", act.follow);
    this.loop = this.switch(words.loop, "dmlviz-loop", act.loop);
    this.memory = this.switch(words.memory, "dmlviz-in-memory", act.memory);
    const cells = make("span", "dmlviz-pair",
      makeButton(words.smaller, "dmlviz-smaller", () => act.zoom(0.8), drawIcon("minus")),
      makeButton(words.larger, "dmlviz-larger", () => act.zoom(1.25), drawIcon("plus")));
    this.menu = make("div", "dmlviz-menu",
      make("label", "dmlviz-label dmlviz-views", words.view_short, this.view),
      make("label", "dmlviz-label", words.color_short, this.color),
      make("div", "dmlviz-label", words.cells_short, cells),
      this.follow, this.loop, this.memory,
      ...filmButtons(words, stage));
    this.planes = make("div", "dmlviz-planes");
    cells.parentElement?.after(this.planes);
    this.menu.setAttribute("role", "group");
    this.menu.setAttribute("aria-label", words.looks);
    this.menu.popover = "auto";
    this.menu.addEventListener("toggle", () => this.place());
    this.button = makeButton(`${words.looks_short}: ${words.looks}`, "dmlviz-looks", () => {}, drawIcon("view"), make("span", "dmlviz-name", words.looks_short));
    this.button.popoverTargetElement = this.menu;
    this.full = makeButton(words.full, "dmlviz-full", act.full, drawIcon("full"), make("span", "dmlviz-name", words.full));
  }

  /**
   * What else may be done with the view: beside the button where there is room, else in the menu.
   * @param {HTMLElement[]} offered
   * @param {boolean} beside
   */
  gather(offered, beside) {
    const buttons = [...offered, this.full];
    if (beside) this.button.after(...buttons);
    else this.menu.append(...buttons);
  }

  /**
   * The speed: in the bar, before what else is there, or in the menu.
   * @param {HTMLSelectElement} speed
   * @param {HTMLElement} next in the bar
   * @param {boolean} within the menu
   */
  placeSpeed(speed, next, within) {
    if (within === this.menu.contains(speed)) return;
    if (within) this.menu.prepend(make("label", "dmlviz-label", speed.title, speed));
    else {
      speed.parentElement?.remove();
      next.before(speed);
    }
  }

  /**
   * How the planes of each outer dimension stand, to be chosen.
   * @param {[number, string][]} planes
   * @param {Record<string, string>} words
   * @param {(choice: string) => void} chosen such as "1:across"
   */
  arrange(planes, words, chosen) {
    const ways = /** @type {[string, string][]} */ (["auto", "across", "down"].map((way) => [way, words[`planes_${way}`]]));
    this.planes.replaceChildren(...planes.map(([d, way]) => {
      const name = fillIn(words.planes, { d });
      const select = makeSelect(name, ways, (to) => chosen(`${d}:${to}`));
      select.value = way;
      return make("label", "dmlviz-label", name, select);
    }));
  }

  /** Above its button, within the window. */
  place() {
    const { right, top } = this.button.getBoundingClientRect();
    Object.assign(this.menu.style, {
      right: `${Math.max(8, document.documentElement.clientWidth - right)}px`,
      bottom: `${window.innerHeight - top + 8}px`,
      maxHeight: `${top - 16}px`,
    });
  }

  /**
   * A button that stays pressed.
   * @param {string} name
   * @param {string} className
   * @param {(on: boolean) => void} act
   * @returns {HTMLButtonElement}
   */
  switch(name, className, act) {
    const button = makeButton(name, `dmlviz-switch ${className}`, () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      act(on);
    }, name);
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  /**
   * What this operation can be looked at as.
   * @param {[string, string][]} views
   * @param {string} view
   * @param {[string, string][]} colors
   * @param {string} color
   */
  offer(views, view, colors, color) {
    setOptions(this.view, views);
    this.view.value = view;
    setOptions(this.color, colors);
    this.color.value = color;
  }
}
