// @ts-check
/** The buttons, the scrubber, the speed and the caption; they know time, not tensors. */

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with a class and children.
 * @param {string} tag
 * @param {string} name
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, name, ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}

/**
 * @param {keyof typeof ICONS} icon
 * @returns {SVGElement}
 */
function drawIcon(icon) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[icon]);
  svg.append(path);
  return svg;
}

export class Controls {
  /**
   * @param {Record<string, string>} words
   * @param {Record<"first"|"back"|"toggle"|"forward"|"last", () => void>} act
   * @param {(t: number) => void} scrub
   * @param {(speed: number) => void} setSpeed
   */
  constructor(words, act, scrub, setSpeed) {
    this.words = words;
    const button = (/** @type {keyof typeof ICONS} */ icon, /** @type {keyof typeof act} */ action,
      /** @type {string} */ name) => {
      const element = /** @type {HTMLButtonElement} */ (make("button", `dmlviz-button dmlviz-${action}`, drawIcon(icon)));
      element.type = "button";
      element.title = name;
      element.setAttribute("aria-label", name);
      element.addEventListener("click", act[action]);
      return element;
    };
    this.playing = false;
    this.toggle = button("play", "toggle", words.play);
    this.toggleText = make("span", "dmlviz-toggle-text", words.play_short);
    this.toggle.append(this.toggleText);
    this.range = document.createElement("input");
    Object.assign(this.range, { type: "range", min: "0", step: "any", className: "dmlviz-scrub" });
    this.range.setAttribute("aria-label", words.scrub);
    this.range.addEventListener("input", () => scrub(Number(this.range.value)));
    this.count = make("span", "dmlviz-count");
    this.speed = document.createElement("select");
    this.speed.className = "dmlviz-speed";
    this.speed.title = words.speed;
    this.speed.setAttribute("aria-label", words.speed);
    for (const speed of SPEEDS) {
      const option = new Option(`${speed}×`, String(speed), speed === 1, speed === 1);
      this.speed.append(option);
    }
    this.speed.addEventListener("change", () => setSpeed(Number(this.speed.value)));
    this.bar = make("div", "dmlviz-bar",
      button("first", "first", words.first), button("back", "back", words.back), this.toggle,
      button("forward", "forward", words.forward), button("last", "last", words.last),
      this.range, this.count, this.speed);
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", words.controls);
    this.title = make("strong", "dmlviz-caption-title");
    this.text = make("span", "dmlviz-caption-text");
    this.caption = make("p", "dmlviz-caption", this.title, this.text);
    this.caption.setAttribute("aria-live", "polite");
  }

  /**
   * @param {number} t
   * @param {import("./data.js").Step[]} steps
   * @param {boolean} playing
   */
  update(t, steps, playing) {
    const { words } = this;
    this.range.max = String(steps.length);
    this.range.value = String(t);
    const under = t === 0 ? 0 : Math.ceil(t);
    const count = words.count.replace("{step}", String(under)).replace("{steps}", String(steps.length));
    if (this.count.textContent !== count) {
      this.count.textContent = count;
      this.range.setAttribute("aria-valuetext", count);
    }
    const { title, caption } = under === 0
      ? { title: words.start_title, caption: words.start_caption }
      : steps[under - 1];
    // a live region speaks whatever is set: set it only when it changes
    if (this.title.textContent !== title) this.title.textContent = title;
    if (this.text.textContent !== caption) this.text.textContent = caption;
    if (playing !== this.playing) {
      this.playing = playing;
      this.toggle.replaceChildren(drawIcon(playing ? "pause" : "play"), this.toggleText);
      this.toggleText.textContent = playing ? words.pause_short : words.play_short;
      const name = playing ? words.pause : words.play;
      this.toggle.title = name;
      this.toggle.setAttribute("aria-label", name);
    }
  }
}
