// @ts-check
/** How to look: the view, the colours, follow one, loop, zoom, full screen; and take it along. */

import { make, makeButton, makeSelect, setOptions } from "./dom.js";
import { filmButtons } from "./film.js";

/**
 * @typedef {{view: (v: string) => void, color: (c: string) => void, follow: (on: boolean) => void,
 *            loop: (on: boolean) => void, zoom: (by: number) => void, full: () => void}} ViewActs
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
    this.bar = make("div", "dmlviz-bar dmlviz-viewbar",
      make("label", "dmlviz-label", words.view_short, this.view),
      make("label", "dmlviz-label", words.color_short, this.color),
      this.follow, this.loop,
      makeButton(words.smaller, "dmlviz-smaller", () => act.zoom(0.8), "−"),
      makeButton(words.larger, "dmlviz-larger", () => act.zoom(1.25), "+"),
      makeButton(words.full, "dmlviz-full", act.full, "⛶"),
      ...filmButtons(words, stage));
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", words.looks);
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
