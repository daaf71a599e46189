// @ts-check
/** The stage: Plotly's heatmaps, the canvas over them, and the clock. */

import { arrange } from "./arrange.js";
import { Controls, make } from "./controls.js";
import { cellsOf, unpack } from "./data.js";
import { cssColors, dress, fillGrid, outputColor } from "./figure.js";
import { Painter } from "./painter.js";
import { momentAt, playFrom, stepBack, stepForward } from "./timeline.js";

/**
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {{plotly: any, compact?: boolean, tall?: number}} Options
 */

const PLOTLY_CONFIG = { displayModeBar: false, responsive: false, scrollZoom: false, doubleClick: false };

export class Player {
  /**
   * @param {HTMLElement} root an empty element; the player fills it
   * @param {Payload} payload
   * @param {Options} options
   */
  constructor(root, payload, options) {
    this.root = root;
    this.plotly = options.plotly;
    this.compact = Boolean(options.compact);
    this.tall = options.tall ?? 560;
    this.t = 0;
    this.speed = 1;
    this.playing = false;
    this.frame = 0;
    this.began = 0;
    this.from = 0;
    this.drawn = Promise.resolve();
    this.reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.plot = make("div", "dmlviz-plot");
    const canvas = document.createElement("canvas");
    canvas.className = "dmlviz-canvas";
    canvas.setAttribute("aria-hidden", "true");
    this.painter = new Painter(canvas);
    this.stage = make("div", "dmlviz-stage", this.plot, canvas);
    this.controls = new Controls(
      payload.words,
      {
        first: () => this.seek(0),
        back: () => this.seek(stepBack(this.t)),
        toggle: () => this.toggle(),
        forward: () => this.advance(),
        last: () => this.seek(this.steps),
      },
      (t) => this.seek(t),
      (speed) => this.setSpeed(speed),
    );
    root.classList.add("dmlviz-player");
    root.classList.toggle("dmlviz-compact", this.compact);
    root.replaceChildren(this.stage);
    if (this.compact) {
      root.append(make("p", "dmlviz-visit", payload.words.visit));
      this.playOnVisit();
    } else root.append(this.controls.caption, this.controls.bar);
    this.listener = (/** @type {KeyboardEvent} */ event) => this.key(event);
    root.addEventListener("keydown", this.listener);
    if (!this.compact) {
      this.stage.tabIndex = 0;
      this.stage.setAttribute("role", "img");
    }
    this.sizes = new ResizeObserver(() => this.refit());
    this.sizes.observe(root);
    this.themes = new MutationObserver(() => this.refit());
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.recolor = () => this.refit();
    this.dark.addEventListener("change", this.recolor);
    const themed = root.closest('[style*="--st-"]');
    if (themed) this.themes.observe(themed, { attributes: true, attributeFilter: ["style", "class"] });
    this.show(payload);
  }

  get steps() {
    return this.payload ? this.payload.steps.length : 0;
  }

  /**
   * Another operation in the same place; whoever was at the end stays at the end.
   * @param {Payload} payload
   */
  show(payload) {
    const ended = this.payload && this.t >= this.steps;
    this.stop();
    this.payload = payload;
    this.t = this.compact || ended ? payload.steps.length : 0;
    this.input = cellsOf(payload.input);
    this.output = cellsOf(payload.output);
    this.source = /** @type {Int32Array} */ (unpack(payload.source));
    this.stepOf = unpack(payload.stepOf);
    this.via = payload.via ? unpack(payload.via) : null;
    this.inputColor = /** @type {Float32Array} */ (unpack(payload.color));
    this.outputColor = outputColor(this.inputColor, this.source);
    const inputLabels = payload.input.labels ?? [];
    this.inputLabels = inputLabels;
    this.labels = payload.output.labels
      ?? Array.from(this.source, (s) => (s < 0 ? payload.paddingLabel : inputLabels[s]));
    /** @type {number[][]} */
    this.groups = payload.steps.map(() => []);
    for (let i = 0; i < this.stepOf.length; i++) this.groups[this.stepOf[i]].push(i);
    this.stage.setAttribute("aria-label", payload.words.picture);
    this.fill(payload);
    this.fitted = "";
    this.refit();
  }

  /** @param {Payload} payload */
  fill(payload) {
    const { source, labels, inputLabels } = this;
    for (const trace of payload.figure.data) {
      if (trace.name === "input") {
        fillGrid(trace, this.input, (i) => this.inputColor[i], (i) => inputLabels[i]);
      } else if (trace.name === "output") {
        fillGrid(trace, this.output, (i) => (source[i] < 0 ? null : this.outputColor[i]),
          (i) => (source[i] < 0 ? "" : labels[i]));
      } else if (trace.name === "padding") {
        fillGrid(trace, this.output, (i) => (source[i] < 0 ? 0 : null),
          (i) => (source[i] < 0 ? labels[i] : ""));
      }
    }
  }

  /** Draw anew if the width or the theme is another. */
  refit() {
    const { payload, root } = this;
    const width = Math.floor(root.clientWidth);
    if (!payload || width < 40) return;
    const style = getComputedStyle(root);
    const theme = isDark(style.backgroundColor, style.getPropertyValue("--dmlviz-paper")) ? "dark" : "light";
    const paper = style.getPropertyValue("--dmlviz-paper").trim();
    const wanted = `${width} ${theme} ${paper}`;
    if (this.fitted === wanted) return;
    this.fitted = wanted;
    const palette = { ...payload.palettes[theme] };
    if (paper) palette.paper = paper;
    const font = style.fontFamily || "sans-serif";
    const letters = Math.max(1, ...this.lengths());
    const most = this.compact ? 34 : undefined;
    const at = arrange(width, this.tall, payload.input, payload.output, letters, most);
    at.single = [payload.input, payload.output].every((tensor) =>
      tensor.sizes.slice(0, -2).every((size) => size === 1));
    dress(payload.figure, at, palette, font);
    root.dataset.cell = at.cell.toFixed(2);
    this.stage.style.height = `${at.height}px`;
    this.drawn = this.plotly
      .react(this.plot, payload.figure.data, payload.figure.layout, PLOTLY_CONFIG)
      .then(() => {
        if (this.fitted !== wanted) return;
        this.board(at, palette, font);
        this.paint();
        root.dataset.ready = "true";
      });
  }

  *lengths() {
    for (const label of this.inputLabels) yield label.length;
    if (this.payload?.paddingLabel) yield this.payload.paddingLabel.length;
  }

  /**
   * Where the cells stand in pixels, by Plotly's own axes.
   * @param {import("./arrange.js").Arrangement} at
   * @param {import("./data.js").Palette} palette
   * @param {string} font
   */
  board(at, palette, font) {
    const full = /** @type {any} */ (this.plot)._fullLayout;
    const pixels = (/** @type {any} */ x, /** @type {any} */ y, /** @type {any} */ cells) => ({
      x: cells.x.map((/** @type {number} */ v) => x._offset + x.l2p(v)),
      y: cells.y.map((/** @type {number} */ v) => y._offset + y.l2p(v)),
      w: x.l2p(1) - x.l2p(0),
      h: y.l2p(1) - y.l2p(0),
    });
    this.painter.show(
      {
        input: pixels(full.xaxis, full.yaxis, this.input),
        output: pixels(full.xaxis2, full.yaxis2, this.output),
        source: this.source,
        stepOf: this.stepOf,
        via: this.via,
        colors: cssColors(this.outputColor, palette),
        labels: this.labels,
        palette,
        font,
        fontSize: at.font,
        gap: at.cell > 12 ? 2 : at.cell > 6 ? 1 : 0,
        steps: this.steps,
        groups: this.groups,
        still: this.reduced.matches,
      },
      at.width,
      at.height,
    );
  }

  paint() {
    const { step, fraction } = momentAt(this.t, this.steps);
    this.painter.paint(step, fraction);
    this.root.dataset.t = String(this.t);
    if (this.payload) this.controls.update(this.t, this.payload.steps, this.playing);
  }

  /** @param {number} t */
  seek(t) {
    this.stop();
    this.t = Math.min(this.steps, Math.max(0, t));
    this.paint();
  }

  toggle() {
    if (this.playing) {
      this.stop();
      this.paint();
    } else {
      this.play(this.t >= this.steps ? 0 : this.t, this.steps);
    }
  }

  /** One step forward, seen. */
  advance() {
    const from = this.playing ? Math.floor(this.t) + 1 : this.t;
    this.play(Math.min(from, this.steps), stepForward(Math.min(from, this.steps), this.steps));
  }

  /**
   * @param {number} from
   * @param {number} until
   */
  play(from, until) {
    this.stop();
    this.t = from;
    if (from >= until) {
      this.paint();
      return;
    }
    this.playing = true;
    this.from = from;
    this.began = performance.now();
    const tick = (/** @type {number} */ now) => {
      const elapsed = Math.max(0, now - this.began) * this.speed;
      this.t = Math.min(until, playFrom(this.from, elapsed, this.steps));
      if (this.t >= until) this.playing = false;
      this.paint();
      if (this.playing) this.frame = requestAnimationFrame(tick);
    };
    this.paint();
    this.frame = requestAnimationFrame(tick);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.playing = false;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.from = this.t;
    this.began = performance.now();
    this.speed = speed;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target instanceof HTMLSelectElement) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return;
    const act = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.seek(stepBack(this.t)),
      ArrowRight: () => this.advance(),
      Home: () => this.seek(0),
      End: () => this.seek(this.steps),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** A small picture plays while it is visited and rests, complete, otherwise. */
  playOnVisit() {
    const start = () => {
      if (!this.playing) this.play(0, this.steps);
    };
    const end = () => this.seek(this.steps);
    this.root.addEventListener("pointerenter", start);
    this.root.addEventListener("pointerleave", end);
    this.root.addEventListener("click", start);
  }

  destroy() {
    this.stop();
    this.sizes.disconnect();
    this.themes.disconnect();
    this.dark.removeEventListener("change", this.recolor);
    this.root.removeEventListener("keydown", this.listener);
    this.plotly.purge(this.plot);
    this.root.replaceChildren();
  }
}

/**
 * Whether the page behind the stage is dark.
 * @param {...string} candidates CSS colours, the first that is one decides
 * @returns {boolean}
 */
export function isDark(...candidates) {
  for (const css of candidates) {
    const hex = /^\s*#([0-9a-f]{6})/i.exec(css);
    const rgb = hex
      ? [0, 2, 4].map((p) => parseInt(hex[1].slice(p, p + 2), 16))
      : /^\s*rgb\((\d+),\s*(\d+),\s*(\d+)\)/.exec(css)?.slice(1).map(Number);
    if (rgb) return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] < 128;
  }
  return false;
}

/**
 * A player in an element, or the next operation in the player that is there.
 * @param {HTMLElement} root
 * @param {Payload} payload
 * @param {Options} options
 * @returns {Player}
 */
export function mount(root, payload, options) {
  const holder = /** @type {any} */ (root);
  if (holder.dmlviz) holder.dmlviz.show(payload);
  else holder.dmlviz = new Player(root, payload, options);
  return holder.dmlviz;
}
