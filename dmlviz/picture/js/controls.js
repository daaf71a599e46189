// @ts-check
/** The buttons, the scrubber, the speed and the caption; they depend on time, not on tensors. */

import { drawIcon, make, makeButton, makeSelect } from "./dom.js";

/** @typedef {"play" | "pause" | "replay"} Does  what the button of the movement does when it is pressed */

const SPEEDS = ["0.25", "0.5", "1", "2", "4"];

export class Controls {
  /**
   * @param {Record<string, string>} words
   * @param {Record<"first"|"back"|"toggle"|"forward"|"last", () => void>} act
   * @param {(t: number) => void} scrub
   * @param {(speed: number) => void} setSpeed
   */
  constructor(words, act, scrub, setSpeed) {
    this.words = words;
    this.does = /** @type {Does} */ ("play");
    /** whether everything stands at its end as an answer: no step has words until the movement goes on */
    this.rests = false;
    this.toggleText = make("span", "dmlviz-toggle-text", words.play_short);
    this.toggle = makeButton(words.play, "dmlviz-toggle", act.toggle, drawIcon("play"), this.toggleText);
    this.range = document.createElement("input");
    Object.assign(this.range, { type: "range", min: "0", step: "any", className: "dmlviz-scrub" });
    this.range.setAttribute("aria-label", words.scrub);
    this.range.addEventListener("input", () => scrub(Number(this.range.value)));
    this.count = make("span", "dmlviz-count");
    this.speed = makeSelect(words.speed, SPEEDS.map((s) => [s, `${s}×`]), (s) => setSpeed(Number(s)));
    this.speed.value = "1";
    this.speed.classList.add("dmlviz-speed");
    this.bar = make("div", "dmlviz-bar",
      makeButton(words.first, "dmlviz-first", act.first, drawIcon("first")),
      makeButton(words.back, "dmlviz-back", act.back, drawIcon("back")),
      this.toggle,
      makeButton(words.forward, "dmlviz-forward", act.forward, drawIcon("forward")),
      makeButton(words.last, "dmlviz-last", act.last, drawIcon("last")),
      this.range, this.count, this.speed);
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", words.controls);
    this.title = make("strong", "dmlviz-caption-title");
    this.text = make("span", "dmlviz-caption-text");
    this.caption = make("p", "dmlviz-caption", this.title, this.text);
    this.caption.setAttribute("aria-live", "polite");
    this.ruler = make("p", "dmlviz-caption dmlviz-ruler");
    this.ruler.setAttribute("aria-hidden", "true");
    this.holder = make("div", "dmlviz-words", this.caption, this.ruler);
  }

  /**
   * How high the longest caption of a movement is, so that the stage stands still from step to step.
   * @param {import("./data.js").Step[]} steps
   * @param {Record<string, string>} words
   * @returns {number} pixels
   */
  longest(steps, words) {
    const size = (/** @type {{title: string, caption: string}} */ { title, caption }) => title.length + caption.length;
    const { title, caption } = steps.reduce(
      (most, step) => (size(step) > size(most) ? step : most),
      { title: words.start_title, caption: words.start_caption },
    );
    // what is set is laid out, even if it is the same again
    if (this.ruler.textContent !== title + caption) this.ruler.replaceChildren(make("strong", "", title), make("span", "", caption));
    return this.ruler.offsetHeight;
  }

  /**
   * @param {number} t
   * @param {import("./data.js").Step[]} steps
   * @param {boolean} playing
   * @param {Record<string, string>} words of the operation shown
   */
  update(t, steps, playing, words) {
    this.range.max = String(steps.length);
    this.range.value = String(t);
    const under = t === 0 ? 0 : Math.ceil(t);
    const count = words.count.replace("{step}", String(under)).replace("{steps}", String(steps.length));
    if (this.count.textContent !== count) {
      this.count.textContent = count;
      this.range.setAttribute("aria-valuetext", count);
    }
    this.rests &&= t >= steps.length;
    const { title, caption } = this.rests ? { title: "", caption: "" } : under === 0
      ? { title: words.start_title, caption: words.start_caption }
      : steps[under - 1];
    // screen readers read a live region whenever it is set, so set it only when it changes
    if (this.title.textContent !== title) this.title.textContent = title;
    if (this.text.textContent !== caption) this.text.textContent = caption;
    const does = playing ? "pause" : steps.length && t >= steps.length && !this.rests ? "replay" : "play";
    if (does !== this.does) {
      this.does = does;
      this.toggle.replaceChildren(drawIcon(does), this.toggleText);
      this.toggleText.textContent = words[`${does}_short`];
      const name = words[does];
      this.toggle.title = name;
      this.toggle.setAttribute("aria-label", name);
    }
  }
}
