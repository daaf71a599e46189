// @ts-check
/** The stage: Plotly's heatmaps, the canvases over them, the clock, and everything that listens. */

import { arrangeBare, arrangeFitting, arrangeWall, fitInto, fontFor } from "./arrange.js";
import { Clock } from "./clock.js";
import { colorings, modesFor } from "./colors.js";
import { Composed } from "./composed.js";
import { Controls } from "./controls.js";
import { withCovered } from "./covered.js";
import { make, makeButton, turnFullScreen } from "./dom.js";
import { turned } from "./data.js";
import { drawingOf } from "./drawing.js";
import { bareFigure, dress, fillTraces } from "./figure.js";
import { hiddenRoom } from "./hidden_output.js";
import { HALL_MOST, HALL_SHARE, Wall } from "./wall_stage.js";
import { followPage, takeKey } from "./keys.js";
import { makeCanvas } from "./layer.js";
import MEASURES from "./measures.json" with { type: "json" };
import { Memory } from "./memory.js";
import { alikeOf, modelOf, movesOf } from "./model.js";
import { Painter } from "./painter.js";
import { Pins } from "./pins.js";
import { followPointer } from "./pointer.js";
import { Quiz } from "./quiz.js";
import { Strip } from "./strip.js";
import { LEAST_STAGE, heightInView, heightOf, isTelephone, stageHeight } from "./stage_height.js";
import { Texts } from "./texts.js";
import { isDark, watchPage } from "./theme.js";
import { momentAt } from "./timeline.js";
import { ViewBar } from "./viewbar.js";
import { playOnVisit } from "./visit.js";

/**
 * @typedef {import("./data.js").Payload} Payload
 * @typedef {{plotly: any, compact?: boolean, bare?: boolean, strips?: boolean, tall?: number, foot?: number, formulas?: number, part?: number, least?: number, within?: string,
 *   room?: () => number, far?: number, keys?: boolean,
 *   present?: import("./wall_stage.js").WallContent | null, predict?: import("./guess.js").Asked | null,
 *   predicts?: string | null, link?: import("./address.js").Link, ask?: import("./wall_stage.js").Ask}} Options
 *   predicts: the name of the switch by which a phone turns Predict first on or off, beside Play; formulas: pixels of the pinned cells' formulas, which an answer brings; strips: whether a bare one shows a chain's tensors below it; room: the height that it has with caption and bar; 0 where the window says it; far: how many times as large as on a page what stands around cells is, for a room that reads it from afar; within: a selector of what leaves room for a question that the page asks, on a phone; keys: whether its keys work wherever the focus is on the page
 */

/** Pixels of a cell that room for the largest choice has to leave, also on a phone: smaller ones are hard to read. */
const LEAST_RESERVED = 24;
const LEAST_RESERVED_PHONE = 14;
/** Pixels of a cell that is easy to read and to point at: no smaller one pays for formulas below the stage. */
const COMFORTABLE = 44;
/** Pixels across: a narrower stage has no room for all buttons beside the scrubber, or for their names. */
const LITTLE = 760;
const SOME = 980;

/** The smallest height of a stage above the choices of a question, or in a room of its own, in pixels. */
const LEAST_ASKED = 148;
/** The largest share of a phone's window that it takes there for all of it to be seen, with its numbers. */
const MOST_ASKED = 0.45;
/** Cells of a tensor whose numbers are read: more are a picture, and leave all choices in view. */
const MOST_READ = 60;
/** How much of a cell's height its number takes there at most. */
const SHARE_ASKED = 0.64;

/** Pixels by which a stage grows until it is legible. */
const LEGIBLE_STEP = 8;

/** Cells of a picture with numbers in them, however large the cells are: each number takes time to draw. */
const MOST_NUMBERS = 16_384;

const PLOTLY_CONFIG = { displayModeBar: false, responsive: false, scrollZoom: false, doubleClick: false };

export class Player {
  /**
   * @param {HTMLElement} root an empty element; the player fills it
   * @param {Payload} payload
   * @param {Options} options
   */
  constructor(root, payload, options) {
    this.root = root;
    this.options = options;
    this.compact = Boolean(options.compact);
    this.view = payload.usual;
    this.color = /** @type {import("./colors.js").Mode} */ ("value");
    this.following = false;
    this.zoom = 1;
    this.fitted = "";
    /** the height of the stage under a question that the page asks, and the window's size then */
    this.kept = [0, 0, 0];
    /** whether a phone has no room for the stage and its bar, whichever height it has: it is no higher than its picture */
    this.outOfView = false;
    /** whether the stage has taken the room of formulas: the newest stands in the place of the caption */
    this.crowded = false;
    this.drawing = /** @type {any} */ (null);
    /** @type {{list: Int32Array, columns: number}[] | null} the cells of every heatmap, by trace */
    this.elements = null;
    /** @type {HTMLElement[]} buttons for what else may be done with what is seen */
    this.offered = [];
    this.reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.life = new AbortController();
    this.clock = new Clock(() => this.paint());
    this.plot = make("div", "dmlviz-plot");
    const [ground, canvas] = [makeCanvas(), makeCanvas()];
    this.texts = new Texts();
    this.painter = new Painter(ground, canvas);
    this.board = make("div", "dmlviz-board", this.plot, this.texts.layer.canvas, ground, canvas);
    this.stage = make("div", "dmlviz-stage", this.board);
    this.small = make("p", "dmlviz-hint");
    this.composed = new Composed();
    this.beside = make("div", "dmlviz-beside", this.small, this.composed.holder);
    // until the movement goes on, the words below the stage are about the newest pin
    this.pinnedAt = NaN;
    this.pins = new Pins(this.board, () => {
      this.pinnedAt = this.t;
      this.repaint();
    });
    this.quiz = new Quiz(this);
    this.strip = new Strip((call) => options.ask?.("call", call), Boolean(options.ask));
    this.memory = new Memory();
    const { clock } = this;
    this.controls = new Controls(
      payload.words,
      {
        first: () => clock.seek(0),
        back: () => clock.back(),
        toggle: () => {
          clock.toggle();
          if (clock.playing) this.bringIntoView();
        },
        forward: () => clock.forward(),
        last: () => clock.seek(clock.steps),
      },
      (t) => clock.seek(t),
      (speed) => clock.setSpeed(speed),
    );
    this.viewbar = new ViewBar(payload.words, {
      view: (view) => this.look({ view: /** @type {any} */ (view) }),
      color: (color) => this.look({ color: /** @type {any} */ (color) }),
      follow: (on) => { this.following = on; this.repaint(); },
      loop: (on) => { clock.loop = on; },
      memory: (on) => { this.memory.on = on; this.redraw(); },
      zoom: (by) => this.look({ zoom: Math.min(6, Math.max(0.5, this.zoom * by)) }),
      full: () => turnFullScreen(root),
    }, this);
    const { predicts } = options;
    this.predicts = predicts ? makeButton(predicts, "dmlviz-predict", () => options.ask?.("predict", ""), predicts) : null;
    this.wall = options.present ? new Wall(this, options.present, options.ask) : null;
    this.whole = payload;
    this.way = 0;
    this.model = modelOf(payload);
    this.moves = movesOf(this.model, this.view);
    this.seen = this.moves;
    this.build(payload);
    this.unwatch = watchPage(root, () => this.refit(), () => this.scrolled(), this.around);
    this.show(payload, options.predict);
  }

  get t() { return this.clock.t; }

  /** The parts of a page that share its height with the stage while it asks a question, the stage's first. */
  get around() {
    const { within } = this.options;
    const own = within && this.root.closest(within)?.parentElement;
    return own ? [own, ...own.parentElement?.children ?? []].filter((part, k) => !k || part !== own) : [];
  }

  get steps() { return this.clock.steps; }

  get payload() { return this.model.payload; }

  get words() { return this.wall ? this.wall.words(this.payload.words) : this.payload.words; }

  /** The description of the stage for screen readers. */
  get heard() { return this.wall?.label(this.payload.words.picture) ?? this.payload.words.picture; }

  /** The listener of the pointer: the open question, else the pins. */
  get pointed() { return this.quiz.withheld ? this.quiz : this.pins; }

  /** The end of the player's listeners outside its own elements. */
  get ended() { return this.life.signal; }

  /** @param {number} t */
  seek(t) { this.clock.seek(t); }

  /** @param {Payload} payload */
  build(payload) {
    const { root, stage, controls } = this;
    root.classList.add("dmlviz-player");
    root.classList.toggle("dmlviz-compact", this.compact);
    root.replaceChildren(stage);
    if (this.compact) {
      stage.setAttribute("role", "img");
      playOnVisit(this, payload.words.visit);
      return;
    }
    this.wall?.build();
    if (!this.wall) {
      controls.holder.append(this.pins.line);
      root.append(this.quiz.panel, this.beside, controls.holder, controls.bar);
      root.classList.toggle("dmlviz-bare", Boolean(this.options.bare));
      if (this.options.strips) root.append(this.strip.holder);
      if (!this.options.bare) {
        controls.bar.append(...(this.predicts ? [this.predicts] : []), this.viewbar.button);
        root.append(this.viewbar.menu, this.strip.holder, this.memory.holder, this.pins.panel);
      }
      root.addEventListener("keydown", (event) => takeKey(this, event), { signal: this.ended });
      if (this.options.keys) followPage(this);
    }
    stage.tabIndex = 0;
    stage.setAttribute("role", "application");
    stage.setAttribute("aria-roledescription", payload.words.stage);
  }

  /**
   * Another operation in the same place, at the same step; whoever was at the end stays there.
   * @param {Payload} payload
   * @param {Options["predict"]} [asked] what to ask about it first
   * @param {Options["present"]} [content] what a room is asked about it
   */
  show(payload, asked, content) {
    const ended = this.steps > 0 && this.t >= this.steps;
    this.clock.stop();
    if (this.compact) for (const { figure } of [payload, ...payload.ways]) bareFigure(figure);
    const pins = this.strip.followed(payload.strip ?? null, this.pins.pins);
    const usual = this.view === this.payload.usual;
    this.whole = payload;
    this.way = 0;
    this.model = modelOf(payload);
    if (usual || (this.view === "stages" && !payload.parts.length)) this.view = payload.usual;
    this.pins.load(this.model);
    this.strip.load(payload.strip ?? null, payload.words);
    this.enter(this.compact || (ended && !pins), pins ? 0 : Math.floor(this.t));
    // another call of the chain rests at its start
    if (pins) this.pins.pins = pins;
    if (content) this.wall?.load(content);
    this.quiz.load(asked ?? null);
    this.predicts?.setAttribute("aria-pressed", String(Boolean(asked)));
    // two are compared: there is nothing to predict
    this.predicts?.toggleAttribute("hidden", Boolean(payload.compared));
    this.elements = null;
    this.fitted = "";
    this.refit();
    // the switch may be far below: what is asked first is in view with its picture
    if (isTelephone() && this.quiz.asking && !this.quiz.beside) this.stage.scrollIntoView({ block: "nearest" });
  }

  /**
   * The moves of the view, at their start or their end.
   * @param {boolean} ended
   * @param {number} [step] to begin at
   */
  enter(ended, step = 0) {
    this.moves = movesOf(this.model, this.view);
    this.seen = this.moves;
    this.clock.stop();
    this.clock.steps = this.moves.steps.length;
    this.clock.t = ended ? this.clock.steps : Math.min(step, this.clock.steps);
  }

  /**
   * Look at the same operation in another way.
   * @param {{view?: Player["view"], color?: Player["color"], zoom?: number}} way
   */
  look(way) {
    const ended = this.t >= this.steps;
    Object.assign(this, way);
    if (way.view) this.enter(ended);
    this.fitted = "";
    this.refit();
  }

  colored() {
    const { input, output, range, rgb } = this.payload;
    const { value, source } = this.model;
    const inputs = input.tensors.filter(({ role }) => role === "values");
    return { inputs, outputs: output.tensors, value, range, rgb, source };
  }

  /** Redraw if the width, the theme or the view has changed. */
  refit() {
    const { root } = this;
    const full = document.fullscreenElement === root;
    const width = Math.floor(this.wall?.width() ?? root.clientWidth - (full ? 48 : 0));
    if (width < 40) return;
    const style = getComputedStyle(root);
    const paper = style.getPropertyValue("--dmlviz-paper").trim();
    const theme = isDark(paper, style.backgroundColor) ? "dark" : "light";
    // small pictures beside the stage, where its planes are tinted
    const tinted = this.color === "planes" && !this.compact;
    this.composed.load(this.whole, tinted, () => this.colored(), this.wall?.larger());
    const wall = this.wall?.fit() ?? this.fromAfar(full);
    root.dataset.room = width < LITTLE ? "little" : width < SOME ? "some" : "much";
    if (this.viewbar.button.isConnected) this.viewbar.gather(this.offered, width >= LITTLE);
    // a phone's bar has room for one of them
    if (this.predicts) this.viewbar.placeSpeed(this.controls.speed, this.predicts, isTelephone());
    this.memory.load(this.payload);
    const tall = wall ? wall.tall : this.tall(full);
    const wanted = [width, tall, theme, paper, this.color, this.zoom, this.outOfView].join(" ");
    if (this.fitted === wanted) return this.scrolled();
    this.fitted = wanted;
    // until everything is in place
    delete root.dataset.ready;
    const { letters } = this.model;
    const at = this.turn((way) => {
      const [input, output] = this.wall?.extents(way) ?? [way.input, way.output];
      return this.compact ? arrangeBare(width, tall, input, output, letters)
        : wall ? arrangeWall(width, wall, input, output, letters)
        : this.fitting(way, width, tall, full);
    });
    const { payload, model } = this;
    const palette = { ...payload.palettes[theme], ...(paper ? { paper } : {}) };
    const modes = modesFor(this.colored());
    if (!modes.includes(this.color)) this.color = "value";
    const coloring = colorings(this.color, this.colored(), palette);
    if (!this.wall && !this.compact) {
      // where something else follows, it follows at once
      const followed = this.options.room || this.options.bare || this.options.part !== 1 || this.outOfView;
      this.stage.style.height = `${followed ? Math.min(tall, at.height) : tall}px`;
    }
    if (Math.max(model.input.x.length, model.output.x.length) > MOST_NUMBERS) at.font = 0;
    fillTraces(payload.figure.data, model, coloring);
    const font = style.fontFamily || "sans-serif";
    dress(payload, at, palette, font, coloring);
    this.quiz.hide(payload.figure, palette);
    const figure = this.wall?.figure(payload.figure, palette) ?? payload.figure;
    this.offer(modes);
    this.small.hidden = at.font > 0 || this.compact;
    this.small.textContent = payload.words.small_cells;
    root.dataset.cell = at.cell.toFixed(2);
    root.dataset.theme = theme;
    this.board.style.width = `${at.width}px`;
    this.board.style.height = `${at.height}px`;
    const heatmaps = figure.data.filter(({ type }) => type === "heatmap");
    this.options.plotly.react(this.plot, heatmaps, { ...figure.layout, annotations: [] }, PLOTLY_CONFIG).then(() => {
      if (this.fitted === wanted) this.settle(figure, at, palette, font, coloring);
    });
  }

  /**
   * The way of arranging the picture that leaves the largest cells, rather one of which more can be
   * read, of many one that is seen with the least scrolling.
   * @param {(way: import("./data.js").Way) => import("./arrange.js").Arrangement} arrange
   */
  best(arrange) {
    const ways = [this.whole, ...this.whole.ways].map(arrange);
    const least = Math.min(...ways.map(({ screens = Infinity }) => screens));
    const legible = Math.max(...ways.map((way) => way.legible ?? 0));
    const size = (/** @type {number} */ way) =>
      (ways[way].screens ?? Infinity) > least || (ways[way].legible ?? 0) < legible ? 0 : ways[way].cell;
    const best = ways.reduce((most, _way, way) => (size(way) > size(most) ? way : most), 0);
    const gained = size(best) > MEASURES.cells.larger * size(0) || (!ways[0].font && ways[best].font);
    const way = gained ? best : 0;
    return { way, at: ways[way] };
  }

  /**
   * Arrange the picture in the best way.
   * @param {(way: import("./data.js").Way) => import("./arrange.js").Arrangement} arrange
   */
  turn(arrange) {
    const { way, at } = this.best(arrange);
    if (way !== this.way) {
      this.way = way;
      this.model = modelOf(turned(this.whole, way));
      this.elements = null;
      this.pins.load(this.model);
    }
    return at;
  }

  /**
   * How high the stage may be, so that caption and controls are in view with it.
   * @param {boolean} full
   */
  tall(full) {
    const { room, ...options } = this.options;
    this.outOfView = false;
    if (this.compact) return options.tall ?? 0;
    const { caption, holder, bar } = this.controls;
    const controls = () => {
      caption.style.minHeight = `${this.controls.longest(this.moves.steps, this.words)}px`;
      return heightOf([this.beside, holder, bar, this.strip.holder, this.memory.holder]);
    };
    const below = this.quiz.below(controls);
    if (full) return Math.max(200, window.innerHeight - below - 40);
    const own = room?.();
    if (own) return Math.max(LEAST_ASKED, own - below);
    // at the answer the picture keeps its height, whatever the sentences about its steps need, or
    // grows until it is legible
    const asks = this.quiz.beside && getComputedStyle(this.root).getPropertyValue("--dmlviz-asks");
    const [before, wide, high] = this.kept;
    const kept = !asks && wide === window.innerWidth && high === window.innerHeight;
    const left = asks ? this.left() : Infinity;
    const { foot = 12, formulas = 0 } = options;
    const height = (/** @type {number | undefined} */ least, more = 0) =>
      Math.min(stageHeight(this.root, below, { ...options, least, foot: foot + more }, this.quiz.bare), left);
    const usual = kept ? before
      : formulas ? this.aboveFormulas(height(options.least), height(LEAST_STAGE, formulas))
      : height(options.least);
    // whoever sees no digits cannot answer; without a question a phone has the whole window for them
    const { input, output } = this.model;
    const picture = Math.max(input.x.length, output.x.length) > MOST_READ;
    const shared = options.within ? Math.min(window.innerHeight * MOST_ASKED, picture ? left : Infinity) : height(Infinity);
    // a phone that shows no caption with the stage shows all of the picture above Play, as far as it can be read
    this.outOfView = isTelephone() && this.quiz.phase === "off" && usual > heightInView(this.root, below + foot);
    const first = this.outOfView ? Math.max(LEAST_STAGE, heightInView(this.root, heightOf([bar]) + foot)) : usual;
    const tall = this.legible(Math.min(first, usual), isTelephone() ? shared : usual);
    if (!kept) this.kept = asks ? [tall, window.innerWidth, window.innerHeight] : [0, 0, 0];
    return tall;
  }

  /** How the stage is laid out in its own room of a wall. @param {boolean} full */
  fromAfar(full) {
    const { far } = this.options;
    return far ? { tall: this.tall(full), most: HALL_MOST, scale: far, share: HALL_SHARE } : undefined;
  }

  /** The height that a question leaves for the stage on a phone. */
  left() {
    const [own, ...others] = /** @type {HTMLElement[]} */ (this.around);
    if (!own?.parentElement || !isTelephone()) return Infinity;
    const gaps = others.length * parseFloat(getComputedStyle(own.parentElement).rowGap);
    const taken = others.reduce((sum, part) => sum + part.offsetHeight, gaps);
    return Math.max(LEAST_ASKED, own.parentElement.clientHeight - taken);
  }

  /**
   * A picture's arrangement on a stage: of a question, and on a phone, numbers fill more of their cells
   * rather than none.
   * @param {import("./data.js").Way} way
   * @param {number} width
   * @param {number} tall
   * @param {boolean} [full]
   */
  fitting({ input, output }, width, tall, full = false) {
    const share = this.options.within || this.quiz.asking || isTelephone() ? SHARE_ASKED : undefined;
    const arranged = (/** @type {typeof output} */ of) => arrangeFitting(width, tall, input, of, this.model.letters, this.zoom, full, share);
    // with room for the largest of the sizes that may be the answer nothing moves at the answer
    const still = arranged(output);
    const own = this.quiz.beside && this.quiz.phase === "choice" ? hiddenRoom(output) : output.own;
    const whole = still.width <= width && still.height <= tall;
    if (!own || (still.cell >= (isTelephone() ? LEAST_RESERVED_PHONE : LEAST_RESERVED) && (whole || !isTelephone()))) return still;
    return arranged({ ...output, ...own });
  }

  /** The picture as it stands on a stage of some height. @param {number} tall */
  arranged(tall) {
    const width = Math.floor(this.root.clientWidth);
    return this.best((way) => this.fitting(way, width, tall)).at;
  }

  /**
   * The height of a stage with formulas below it: it takes their room rather than have small cells.
   * @param {number} all the height without formulas
   * @param {number} above the height that leaves room for them
   */
  aboveFormulas(all, above) {
    const [small, large] = [above, all].map((tall) => this.arranged(tall).cell);
    this.crowded = small < COMFORTABLE && large > MEASURES.cells.larger * small;
    return this.crowded ? all : Math.min(all, above);
  }

  /**
   * The least height, from the usual one on, at which as much can be read as at the largest one.
   * @param {number} usual
   * @param {number} most
   */
  legible(usual, most) {
    const read = (/** @type {number} */ tall) => this.arranged(tall).legible ?? 0;
    const wish = read(most);
    let tall = usual;
    while (tall < most && read(tall) < wish) tall = Math.min(most, tall + LEGIBLE_STEP);
    return tall;
  }

  /** Scroll to a stage that plays out of view: a phone's Play stays in view without it, and over its foot. */
  bringIntoView() {
    const { top } = this.stage.getBoundingClientRect();
    const { bottom } = (this.outOfView ? this.controls.holder : this.stage).getBoundingClientRect();
    const height = bottom - top;
    const end = Math.min(window.innerHeight, this.controls.bar.getBoundingClientRect().top);
    const seen = Math.min(bottom, end) - Math.max(top, 0);
    if (seen >= (isTelephone() ? height : height / 2) || height > window.innerHeight) return;
    const behavior = this.reduced.matches ? "auto" : "smooth";
    if (seen > 0) this.stage.scrollIntoView({ block: "start", behavior });
    else this.root.scrollIntoView({ block: "center", behavior });
  }

  /** @param {HTMLElement[]} buttons for what else may be done with what is seen */
  offerMore(buttons) {
    this.offered = buttons;
    this.redraw();
  }

  /** @param {import("./colors.js").Mode[]} modes */
  offer(modes) {
    const { words, parts } = this.payload;
    const views = ["steps", "all", ...(parts.length ? ["stages"] : [])];
    this.viewbar.offer(
      views.map((v) => [v, words[`view_${v}`]]), this.view,
      modes.map((m) => [m, words[`color_${m}`]]), this.color,
    );
  }

  /**
   * Plotly has drawn: put everything else where its axes say.
   * @param {{data: any[], layout: any}} figure what is to be seen
   * @param {import("./arrange.js").Arrangement} at
   * @param {import("./data.js").Palette} palette
   * @param {string} font
   * @param {import("./colors.js").Coloring} coloring
   */
  settle(figure, at, palette, font, coloring) {
    this.drawing = {
      ...drawingOf(this.model, /** @type {any} */ (this.plot)._fullLayout, at, coloring),
      palette, font, still: this.reduced.matches, model: this.model, texts: this.texts,
    };
    const { input, output } = this.drawing;
    this.texts.write(figure, this.drawing);
    this.wall?.settled(this.drawing, this.drawing.font, at);
    this.pins.place(this.drawing, at.width, at.height);
    this.quiz.place({ input, output, palette }, this.drawing.font, at);
    if (!this.compact) followPointer(this, this.options.plotly);
    this.repaint();
    this.root.dataset.ready = "true";
  }

  /** Redraw although nothing in the page has changed. */
  redraw() {
    this.fitted = "";
    this.refit();
  }

  /** A new board for the painter: the same places, perhaps other moves or another followed cell. */
  repaint() {
    const { drawing, model } = this;
    // the cells of another picture have other places, until Plotly has drawn this one's
    if (drawing?.model !== model) return;
    const moves = this.quiz.seen(this.wall?.seen(this.moves) ?? this.moves);
    this.seen = moves;
    const parts = this.view === "stages" && moves === this.moves
      ? model.parts.map(({ tensor, cells, order, places, labels }, k) => {
        const last = k === model.parts.length - 1;
        const at = last ? drawing.output : fitInto(drawing.room, tensor, cells, drawing.output.w);
        return { at, order, places, labels, fontSize: last ? drawing.fontSize : fontFor(at.h, at.w, model.letters, this.wall?.share) };
      })
      : null;
    const followed = this.following && this.pins.pins.length ? alikeOf(model, this.pins.pins) : null;
    const shown = this.quiz.cleared(this.wall?.cleared(drawing) ?? drawing);
    this.painter.show(withCovered({ ...shown, moves, parts, followed }));
    this.strip.draw(drawing.palette, this.pins.pins, drawing.colors, this.color === "value");
    this.memory.draw(shown, moves.stepOf, this.pins.pins, momentAt(this.t, this.steps).step);
    this.paint();
  }

  paint() {
    const { t, steps, playing } = this.clock;
    const { step, fraction } = momentAt(this.quiz.moment(t), steps);
    this.painter.paint(step, fraction);
    this.composed.paint(this.seen.stepOf, step);
    this.memory.paint(step);
    this.root.dataset.t = String(t);
    // the caption is about the movement again
    if (t !== this.pinnedAt) this.pinnedAt = NaN;
    const ended = steps > 0 && t >= steps;
    // a page may show what comes next
    if (ended) this.root.dataset.played = "true";
    const last = this.crowded && ended && !playing;
    this.pins.showLine(!playing && (t === this.pinnedAt || last), last);
    if (!this.wall?.hidden) this.controls.update(t, this.moves.steps, playing, this.words);
    this.wall?.ticked();
    this.quiz.ticked();
  }

  /** Another part of the board may be in the window: draw what has come into it. */
  scrolled() {
    this.painter.scrolled();
    for (const marks of [this.texts, this.pins, this.quiz]) if (marks.layer.moved) marks.draw();
  }

  /** @param {boolean} whole whether what is not in the window is drawn too */
  draws(whole) {
    this.painter.whole = this.texts.layer.whole = this.pins.layer.whole = whole;
    this.scrolled();
  }

  /** Play the whole movement, unless it is already playing. */
  visit() {
    if (!this.clock.playing) this.clock.play(0, this.clock.steps);
  }

  destroy() {
    this.clock.stop();
    this.life.abort();
    this.wall?.close();
    this.unwatch();
    this.options.plotly.purge(this.plot);
    this.root.replaceChildren();
  }
}
