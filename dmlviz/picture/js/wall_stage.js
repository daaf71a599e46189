// @ts-check
/** The stage for a room: large, keyboard only; the output waits until it is revealed; a QR code. */

import { addressWords, writeLook } from "./address.js";
import { make, turnFullScreen } from "./dom.js";
import { makeCanvas } from "./layer.js";
import { Scan } from "./scan.js";
import { sizeCanvas } from "./marks.js";
import { askBox, frameCell, markCell, offStage, hideOutput, withoutOutput } from "./hidden_output.js";

/**
 * @typedef {(name: string, value: any) => void} Ask
 * @typedef {"all" | "sizes" | "cells" | "nothing"} Hides
 *   what waits: the input too, the output with its sizes, its elements, nothing
 * @typedef {{hidden: boolean, hides: Hides, runs: string, words: string, prompt: string, text: string,
 *   place: string, at: number, group: string, choices: string[], reasons: string[], right: number, reveal: string, marked: number, series: boolean,
 *   still?: {image: string, after: string, alt: string, scheme: string} | null,
 *   say: {keys: string, ask: string, hint: string, hidden: string, output: string, right: string}}} WallContent
 *   runs: the operator and its settings; words: to be known before; text: the documentation's;
 *   place: which of how many; at: which, and group: of which series, for the speaker's window; reasons: what is wrong with each choice, or none; right: of the choices, or -1; reveal: what there was to see;
 *   marked: the output element that is asked for, or -1; series: whether others come before or after;
 *   still: pictures where there is no stage, before the answer and after it, as addresses that may be empty
 */

/** A stage of this width has titles and indices as large as a page's; a wider one has larger ones. */
const HALL_WIDTH = 960;
const HALL_LEAST = 1.3;
/** The height of a window whose small pictures are as large as a page's; a higher one has larger ones. */
const HALL_HEIGHT = 650;
/** How much of a cell's height its number takes. */
export const HALL_SHARE = 0.64;
export const HALL_MOST = 170;
const HINT_MS = 7000;
const LETTERS = "ABCDEFGH";
/** The channel of this window and the speaker's: see speaker.js. */
const CHANNEL = "dmlviz-present";
/** Letters of a choice that takes half a row, and of all choices that are written smaller. */
const LONG = 30;
const ROW = 48;
/** Letters of the narrowest reason below a choice, of what its lines lose at their ends, and as wide as a letter of the choice, which keeps its line. */
const LEAST_COLUMN = 40;
const MORE = 16;
const CHOICE_LETTER = 3;

/** The sign of the right choice, as on a class's wall. @param {string} words for those who cannot see it */
function rightMark(words) {
  const mark = make("i", "dmlviz-wall-mark", "✓");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", words);
  return mark;
}

export class Wall {
  /**
   * @param {any} player or what else stands on the wall: see still.js
   * @param {WallContent} content
   * @param {Ask} [ask] tells the server
   */
  constructor(player, content, ask = () => {}) {
    this.player = player;
    this.ask = ask;
    this.content = content;
    this.share = HALL_SHARE;
    this.hidden = false;
    this.formulas = false;
    this.timer = 0;
    this.stands = false;
    /** whether the answer was just shown, with what it is about, and the movement waits for its key */
    this.waits = false;
    /** whether the last step has come by its key: it keeps its words until the next one */
    this.stepped = false;
    this.runs = make("p", "dmlviz-wall-runs");
    this.place = make("p", "dmlviz-wall-place");
    this.before = make("p", "dmlviz-wall-before");
    this.prompt = make("h1", "dmlviz-wall-prompt");
    const line = make("div", "dmlviz-wall-line", this.prompt, this.place);
    this.head = make("header", "dmlviz-wall-head", make("div", "", this.runs, this.before, line));
    this.text = make("pre", "dmlviz-wall-text");
    this.choices = make("ol", "dmlviz-wall-choices");
    this.answer = make("p", "dmlviz-wall-answer");
    this.after = make("div", "dmlviz-wall-after");
    this.reasons = make("ol", "dmlviz-wall-reasons");
    this.seenText = make("p", "dmlviz-caption dmlviz-wall-told");
    this.below = make("div", "dmlviz-wall-words");
    this.keys = make("p", "dmlviz-wall-keys");
    for (const live of [this.prompt, this.answer, this.seenText, this.reasons]) live.setAttribute("aria-live", "polite");
    this.canvas = makeCanvas();
    this.scan = new Scan(() => {
      if (this.player.options.link?.writes) writeLook(this.player);
      return addressWords();
    }, ask);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onMove = () => this.hint();
    /** @type {BroadcastChannel | null} */
    this.channel = null;
  }

  /** Put everything except buttons around the stage. */
  build() {
    const { player, below } = this;
    const { root, stage, controls, pins } = player;
    root.classList.add("dmlviz-wall");
    this.after.append(this.answer, controls.caption, this.seenText, this.reasons, controls.count, controls.ruler);
    below.append(this.choices, this.after);
    if (player.composed) this.head.append(player.composed.holder);
    root.prepend(this.head);
    root.append(make("div", "dmlviz-wall-middle", this.text, stage), below, pins.panel, this.keys, this.scan.sheet);
    player.board.append(this.canvas);
    this.load(this.content);
    // before Streamlit's own keys
    window.addEventListener("keydown", this.onKey, true);
    window.addEventListener("mousemove", this.onMove);
    this.hint();
    this.stands = true;
    if (typeof BroadcastChannel === "undefined") return;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => this.heard(data);
    this.speak();
  }

  /** Tell the speaker's window which question this is. */
  speak() {
    const { group, at } = this.content;
    if (group) this.channel?.postMessage({ kind: "at", series: group, at });
  }

  /** @param {any} message from the speaker's window */
  heard(message) {
    const { group, at } = this.content;
    if (!group || message?.series !== group || !this.player.root.isConnected) return;
    if (message.kind === "hello") this.speak();
    if (message.kind === "reveal") this.reveal();
    if (message.kind === "forward") this.forward();
    if (message.kind === "back") this.back();
    if (message.kind === "go" && Number.isInteger(message.at) && message.at !== at) this.ask("turn", String(message.at));
  }

  /**
   * Another question, or the same again.
   * @param {WallContent} content
   */
  load(content) {
    this.content = content;
    this.formulas = false;
    this.scan.away();
    this.runs.textContent = content.runs;
    this.place.textContent = content.place;
    this.before.textContent = content.words;
    this.text.textContent = content.text;
    this.text.hidden = !content.text;
    this.keys.textContent = content.say.keys;
    this.choices.replaceChildren(...content.choices.map((choice, i) => (
      make("li", "dmlviz-wall-choice", make("b", "", LETTERS[i]), make("span", "", choice))
    )));
    if (!content.choices.length && content.say.hint) this.choices.append(make("li", "dmlviz-wall-hint", content.say.hint));
    const letters = content.choices.map((choice) => choice.length);
    const together = letters.reduce((sum, n) => sum + n, 0);
    this.choices.dataset.long = Math.max(0, ...letters) > LONG ? "true" : together > ROW ? "row" : "false";
    this.hide(content.hidden);
    this.hint();
    this.speak();
  }

  close() {
    const { root } = this.player;
    root.classList.remove("dmlviz-wall", "dmlviz-idle");
    for (const name of ["hidden", "hides"]) delete root.dataset[name];
    this.channel?.close();
    window.removeEventListener("keydown", this.onKey, true);
    window.removeEventListener("mousemove", this.onMove);
    window.clearTimeout(this.timer);
  }

  /** The player's words where there is nothing to press but keys. @param {Record<string, string>} words */
  words(words) {
    return { ...words, start_caption: words.wall_start };
  }

  /** The description of the stage for screen readers. @param {string} picture in words, with the output */
  label(picture) {
    return this.hidden ? this.content.say.hidden : picture;
  }

  /** Pixels across that the stage has. */
  width() {
    return this.player.stage.clientWidth;
  }

  /** How many times as large as on a page small pictures are. */
  larger() {
    return Math.max(1, window.innerHeight / HALL_HEIGHT);
  }

  /** How the stage is laid out: as large as the window lets it. */
  fit() {
    const { root, pins } = this.player;
    const left = window.innerHeight - root.getBoundingClientRect().top - 10;
    const panel = this.formulas && pins.pins.length ? pins.panel.offsetHeight + 12 : 0;
    const tall = left - this.head.offsetHeight - this.wordsHeight() - panel - this.keys.offsetHeight;
    const scale = Math.max(HALL_LEAST, root.clientWidth / HALL_WIDTH);
    return { tall: Math.max(200, tall), most: HALL_MOST, scale, share: this.share };
  }

  /** The height of the choices; then of the reasons or of the longest caption, so that the stage stands still from step to step. */
  wordsHeight() {
    const { after, answer, below, player } = this;
    const { controls } = player;
    if (!this.hidden) {
      after.style.minHeight = "";
      this.rest(true);
      const rest = after.offsetHeight;
      this.rest(false);
      const moving = answer.offsetHeight + controls.longest(player.moves.steps, player.words);
      // the measured sizes would reveal the answer
      controls.ruler.replaceChildren();
      this.ticked();
      after.style.minHeight = `${Math.max(rest, moving)}px`;
    }
    return below.offsetHeight;
  }

  /** The output's place: where its sizes wait, that of the input. @param {{input: any, output: any}} way */
  extents({ input, output }) {
    if (!this.hidden || this.content.hides === "cells" || this.content.hides === "nothing") return [input, output];
    return [input, { width: input.width, height: input.height, title: 0 }];
  }

  /**
   * The figure as it may be seen now.
   * @param {{data: any[], layout: any}} figure ready to be drawn
   * @param {import("./data.js").Palette} palette
   */
  figure(figure, palette) {
    const { hides, say } = this.content;
    if (!this.hidden || hides === "nothing") return figure;
    if (hides !== "cells") return withoutOutput(figure, this.player.model, hides === "all" ? null : say.output);
    hideOutput(figure, this.player.model, palette.slot, "");
    return figure;
  }

  /**
   * Where the cells stand now.
   * @param {any} drawing
   * @param {string} font
   * @param {import("./arrange.js").Arrangement} at
   */
  settled(drawing, font, at) {
    const { canvas, content } = this;
    sizeCanvas(canvas, at.width, at.height);
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.clearRect(0, 0, canvas.width, canvas.height);
    if (!this.hidden) {
      // what was asked about stays marked at its answer
      if (content.marked >= 0) frameCell(g, drawing.output, content.marked, drawing.palette);
      return;
    }
    if (content.hides === "nothing") return;
    if (content.hides === "cells") {
      if (content.marked >= 0) markCell(g, drawing.output, content.marked, drawing.palette, font, at.width);
      return;
    }
    askBox(g, content.hides === "all" ? at.input : at.output, drawing.palette, font);
  }

  /**
   * What may be seen of the movement: nothing of the output while it is hidden.
   * @param {import("./model.js").Moves} moves
   * @returns {import("./model.js").Moves}
   */
  seen(moves) {
    if (!this.hidden || this.content.hides === "nothing") return moves;
    const never = new Float32Array(this.player.model.source.length).fill(Infinity);
    return { steps: moves.steps, stepOf: never, via: null, groups: moves.steps.map(() => []) };
  }

  /** The board for the painter, without what must not be seen. @param {any} drawing */
  cleared(drawing) {
    const { hides } = this.content;
    if (!this.hidden || (hides !== "all" && hides !== "sizes")) return drawing;
    const { input, output } = drawing;
    return { ...drawing, output: offStage(output), input: hides === "all" ? offStage(input) : input };
  }

  /** Hide the answer or show it. @param {boolean} on */
  hide(on) {
    const { player, content } = this;
    this.hidden = on;
    this.waits = this.stepped = false;
    player.root.dataset.hidden = String(on);
    // the sizes of small pictures are those of their tensors
    player.root.dataset.hides = on ? content.hides : "nothing";
    const { prompt, words, right, choices, reasons, say } = content;
    this.prompt.textContent = prompt || (on ? say.ask : "");
    this.prompt.hidden = !this.prompt.textContent;
    // the answer and the reasons need the room of what came before
    this.before.hidden = !on || !words;
    this.choices.hidden = !on;
    this.after.hidden = on;
    const lettered = choices.map((choice, i) => [make("b", "", LETTERS[i]), make("span", "", choice)]);
    const answers = on || right < 0 ? [] : lettered.map((choice, i) => (
      make("li", i === right ? "dmlviz-wall-right" : "", ...choice, ...(i === right ? [rightMark(say.right), this.seenText] : reasons[i] ? [make("p", "", reasons[i])] : []))
    ));
    this.reasons.replaceChildren(...answers);
    // as wide as they are long, so that they are equally high
    const letters = choices.map((choice, i) => Math.max(LEAST_COLUMN, CHOICE_LETTER * choice.length, (i === right ? content.reveal : reasons[i] ?? "").length + MORE));
    this.reasons.style.setProperty("--wall-columns", letters.map((count) => `minmax(0, ${count}fr)`).join(" "));
    this.answer.replaceChildren(...(answers.length ? [make("b", "", LETTERS[right]), make("span", "", choices[right]), rightMark(say.right)] : []));
    if (!answers.length) this.reasons.before(this.seenText);
    if (on) {
      player.clock.stop();
      if (content.hides === "nothing") player.clock.t = player.clock.steps;
      for (const said of [player.controls.title, player.controls.text, player.controls.count]) said.textContent = "";
      player.controls.range.removeAttribute("aria-valuetext");
    }
    // the formulas contain the answer
    player.pins.hide(on);
    player.pins.panel.hidden = on || !this.formulas;
    player.stage.setAttribute("aria-label", player.heard);
    if (this.stands) player.redraw();
  }

  /** Show the answer and its reason beside the whole output, and wait; without a reason play. Or hide it again. */
  reveal() {
    const { clock } = this.player;
    this.hide(!this.hidden);
    // other keys work now
    this.hint();
    if (this.hidden || this.content.hides === "nothing") return;
    this.waits = Boolean(this.content.reveal);
    if (this.waits) clock.seek(clock.steps);
    else clock.play(0, clock.steps);
  }

  /** What comes next: the answer, a step of the movement that led to it, and after the last one another part. */
  forward() {
    const { player: { clock }, content } = this;
    const { still, reveal, right, series } = content;
    if (this.hidden) {
      if (!still || reveal || right >= 0) this.reveal();
      else this.turn("next");
      return;
    }
    const landed = clock.t >= clock.steps;
    if (landed && this.stepped) {
      this.stepped = false;
      if (reveal || right >= 0) return this.ticked();
    }
    if (landed && series && (!this.waits || !clock.steps)) return this.turn("next");
    this.stepped = clock.steps > 0 && (!landed || this.waits);
    if (this.waits) clock.seek(0);
    clock.forward();
  }

  /** One step back, and before the first one another part. */
  back() {
    const { clock } = this.player;
    this.stepped = false;
    if (this.hidden || clock.t <= 0) this.turn("previous");
    else clock.back();
  }

  /** The moment is another one: where everything has landed stand the reasons. */
  ticked() {
    const { clock } = this.player;
    const landed = clock.t >= clock.steps;
    this.waits &&= landed;
    this.rest(landed && !this.stepped);
  }

  /** Say why the answer is right and the other choices are not; or the answer, and what a step does. @param {boolean} rests */
  rest(rests) {
    const { reveal } = this.content;
    const chosen = this.reasons.childElementCount > 0;
    const reasons = rests && !this.hidden && (Boolean(reveal) || chosen);
    this.player.controls.caption.hidden = reasons;
    this.answer.hidden = reasons || !chosen;
    this.reasons.hidden = !reasons || !chosen;
    const text = reasons ? reveal : "";
    if (this.seenText.textContent !== text) this.seenText.textContent = text;
  }

  /** The line of keys, which goes by itself. */
  hint() {
    window.clearTimeout(this.timer);
    this.player.root.classList.remove("dmlviz-idle");
    this.timer = window.setTimeout(() => this.player.root.classList.add("dmlviz-idle"), HINT_MS);
  }

  /** The formulas of pinned elements, or none. */
  explain() {
    if (this.hidden) return;
    this.formulas = !this.formulas;
    this.player.pins.panel.hidden = !this.formulas;
    this.player.redraw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { player } = this;
    if (!player.root.isConnected) return;
    const { clock } = player;
    const shown = (/** @type {() => void} */ act) => (this.hidden ? () => this.hint() : () => {
      this.stepped = false;
      act();
    });
    // a keyboard set to other letters still has these keys
    const letter = /^Key([A-Z])$/.exec(event.code);
    const name = /^[a-z]$/i.test(event.key) || !letter ? event.key : letter[1];
    const act = /** @type {Record<string, () => void>} */ ({
      " ": shown(() => clock.toggle()),
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.forward(),
      // the keys of a presenter's remote control
      PageUp: () => this.back(),
      PageDown: () => this.forward(),
      Home: shown(() => clock.seek(0)),
      End: shown(() => clock.seek(clock.steps)),
      r: () => this.reveal(),
      e: () => this.explain(),
      q: () => this.scan.turn(),
      f: () => turnFullScreen(document.documentElement),
      n: () => this.turn("next"),
      p: () => this.turn("previous"),
      Escape: () => this.leave(),
    })[name.length === 1 ? name.toLowerCase() : name];
    if (!act) return this.hint();
    event.preventDefault();
    event.stopImmediatePropagation();
    // held down, a key steps, but neither shows an answer nor leaves it
    const steps = !this.hidden && !this.waits && clock.t > 0 && clock.t < clock.steps;
    if (!event.repeat || (name.startsWith("Arrow") && steps)) act();
  }

  /** The part after this one or before it. @param {"next" | "previous"} way */
  turn(way) {
    if (this.content.series) this.ask("turn", way);
    else this.hint();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    if (this.player.options.link?.writes) writeLook(this.player);
    this.ask("present", window.location.search);
  }

  /** The server has made a code. @param {import("./scan.js").Code | null | undefined} code */
  take(code) {
    this.scan.take(code);
  }
}
