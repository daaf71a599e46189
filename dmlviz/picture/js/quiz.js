// @ts-check
/** Predict first: asks about a hidden output, one question at a time; then plays the move. */

import { cellName, neighbour, tensorAt } from "./data.js";
import { drawIcon, make, makeButton } from "./dom.js";
import { judgeChoice, judgeSource, judgeValue, truth } from "./guess.js";
import { Layer } from "./layer.js";
import { fillIn } from "./sentence.js";
import { coverOutput, markCell, offStage, hideOutput } from "./hidden_output.js";

/**
 * @typedef {import("./guess.js").Asked} Asked
 * @typedef {import("./guess.js").Answer} Answer
 * @typedef {import("./pins.js").Spot} Spot
 * @typedef {"off" | "choice" | "place" | "whole" | "answered" | "done"} Phase
 *   whole: only the movement waits for the answer
 */

const LOOK_MS = 1500;

export class Quiz {
  /** @param {import("./player.js").Player} player */
  constructor(player) {
    this.player = player;
    /** @type {Asked | null} */
    this.asked = null;
    this.phase = /** @type {Phase} */ ("off");
    this.number = 0;
    this.cursor = -1;
    this.hovered = -1;
    this.right = 0;
    this.missed = false;
    this.landing = 0;
    this.waiting = 0;
    /** Pixels below the stage while a question is open, but for the panel. */
    this.besides = 0;
    /** @type {{width: number, bare: number, open: number, answered: number} | null}
     * how high the panel is at most: before an answer, with one to a question that stays open, after it */
    this.highest = null;
    /** @type {{drawn: import("./pins.js").Drawn, font: string, width: number, room: import("./arrange.js").Box} | null} */
    this.placed = null;
    this.layer = new Layer();
    this.tip = make("div", "dmlviz-quiz-tip");
    this.tip.hidden = true;
    player.board.append(this.layer.canvas, this.tip);
    this.count = make("p", "dmlviz-quiz-count");
    this.prompt = make("p", "dmlviz-quiz-prompt");
    this.tools = make("div", "dmlviz-bar dmlviz-quiz-tools");
    this.answer = make("p", "dmlviz-quiz-answer");
    // what is said here is spoken at once, the cell under the cursor too
    this.spoken = make("p", "dmlviz-quiz-spoken");
    for (const part of [this.prompt, this.answer, this.spoken]) part.setAttribute("aria-live", "polite");
    this.panel = make("section", "dmlviz-quiz", this.count, this.prompt, this.tools, this.answer, this.spoken);
    this.ruler = make("div", "dmlviz-ruler");
    this.ruler.setAttribute("aria-hidden", "true");
    this.panel.append(this.ruler);
    this.panel.hidden = true;
  }

  /** Whether the output is hidden now. */
  get asking() {
    return this.phase === "choice" || this.phase === "place" || this.phase === "whole";
  }

  /** Whether the output is hidden now, but for the cell that was asked about: what is asked next is not shown. */
  get withheld() {
    return this.asking || (this.phase === "answered" && this.number < /** @type {Asked} */ (this.asked).cells.length);
  }

  /** Whether the page asks the question, and takes the answer. */
  get beside() {
    return this.asking && this.asked?.hides !== undefined;
  }

  /** The moment that may be seen. @param {number} t of the clock */
  moment(t) {
    return this.phase === "whole" ? this.player.steps : this.asking ? 0 : t;
  }

  /**
   * The moves that may be seen: while the other cells are hidden, only that of the cell that was asked about.
   * @param {import("./model.js").Moves} moves
   * @returns {import("./model.js").Moves}
   */
  seen(moves) {
    if (this.asking || !this.withheld) return moves;
    const { cell } = this.marked;
    const stepOf = new Float32Array(moves.stepOf.length).fill(Infinity);
    stepOf[cell] = moves.stepOf[cell];
    const groups = moves.steps.map((_step, k) => (k === stepOf[cell] ? [cell] : []));
    return { ...moves, stepOf, groups, via: null };
  }

  /** The number of the first question: 0 for the sizes, 1 where they are a setting. */
  get first() {
    return this.asked?.choices?.length ? 0 : 1;
  }

  get marked() {
    return /** @type {Asked} */ (this.asked).cells[this.number - 1];
  }

  /** @param {Asked | null} asked the questions about the operation that is shown next */
  load(asked) {
    // where the settings say everything there is nothing to ask
    if (asked?.hides === undefined && !asked?.choices.length && !asked?.cells.length) asked = null;
    this.asked = asked;
    this.right = 0;
    this.highest = null;
    if (asked?.hides === undefined) return this.turn(!asked ? "off" : this.first ? "place" : "choice", this.first);
    this.turn(/** @type {Phase} */ ({ sizes: "choice", cells: "place", nothing: "whole" }[asked.hides]), 1);
  }

  /**
   * Another question, or none.
   * @param {Phase} phase
   * @param {number} number 0 for the sizes, then the marked cells
   */
  turn(phase, number) {
    window.clearTimeout(this.waiting);
    Object.assign(this, { phase, number, waiting: 0, landing: 0, cursor: -1, hovered: -1, missed: false });
    this.prepareStage();
    this.say(null);
    this.render();
  }

  /** Take away what waits for the answer, or bring it back. @param {boolean} away */
  clear(away) {
    const { classList } = this.player.root;
    classList.toggle("dmlviz-asking", away);
    classList.toggle("dmlviz-asked-beside", away && this.beside);
  }

  /** The stage and the controls are as the phase says. */
  prepareStage() {
    const { clock, pins, stage } = this.player;
    this.clear(this.withheld);
    stage.setAttribute("aria-label", this.withheld ? /** @type {Asked} */ (this.asked).words.hidden : this.player.heard);
    if (!this.asking) return;
    clock.seek(0);
    pins.pins = [];
    pins.hover(null);
  }

  /**
   * Take out of a figure what must not be seen yet.
   * @param {{data: any[], layout: any}} figure
   * @param {import("./data.js").Palette} palette
   */
  hide(figure, palette) {
    if (!this.asking || this.phase === "whole") return;
    const title = this.phase === "choice" ? /** @type {Asked} */ (this.asked).words.title : "";
    hideOutput(figure, this.player.model, palette.slot, title);
  }

  /**
   * The board for the painter: lines around a tensor would tell its sizes.
   * @param {any} drawing
   */
  cleared(drawing) {
    return this.phase === "choice" ? { ...drawing, output: offStage(drawing.output) } : drawing;
  }

  /**
   * Where the cells stand now.
   * @param {import("./pins.js").Drawn} drawn
   * @param {string} font
   * @param {import("./arrange.js").Arrangement} at
   */
  place(drawn, font, at) {
    this.placed = { drawn, font, width: at.width, room: at.output };
    this.layer.fit(at.width, at.height);
    this.draw();
  }

  draw() {
    const { placed, layer, tip } = this;
    const at = this.hovered >= 0 ? this.hovered : this.cursor;
    tip.hidden = true;
    const g = layer.begin(placed !== null && this.asking);
    if (!placed || !g) return;
    const { drawn, font, width, room } = placed;
    if (this.phase === "choice") return coverOutput(g, room, drawn.palette, font);
    if (this.phase === "whole" || this.marked.cell < 0) return;
    markCell(g, drawn.output, this.marked.cell, drawn.palette, font, width);
    if (at < 0) return;
    const { x, y, w, h } = drawn.input;
    g.strokeStyle = drawn.palette.accent;
    g.lineWidth = Math.min(4, Math.max(1.5, w / 6));
    g.strokeRect(x[at], y[at], w, h);
    tip.hidden = false;
    tip.textContent = this.named(at);
    tip.style.left = `${Math.max(0, Math.min(x[at], width - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, y[at] - tip.offsetHeight - 6)}px`;
  }

  /** @param {number} input @returns {string} */
  named(input) {
    const { model } = this.player;
    const cell = cellName(model.payload.input, input);
    return fillIn(/** @type {Asked} */ (this.asked).words.cursor, { cell, value: model.inputLabels[input] });
  }

  /** @param {Spot | null} spot */
  hover(spot) {
    const answers = spot?.side === "input" && this.phase === "place" && !this.beside && spot.element < this.player.model.moving;
    this.hovered = answers ? spot.element : -1;
    this.draw();
  }

  /** @param {Spot} spot that was clicked */
  toggle(spot) {
    if (this.phase !== "place" || !this.asked || this.beside) return;
    if (spot.side === "output") return this.say({ verdict: "unclear", text: this.asked.words.in_output });
    const { model } = this.player;
    if (spot.element >= model.moving) {
      const { called } = tensorAt(model.payload.input, spot.element).tensor;
      return this.say({ verdict: "unclear", text: fillIn(this.asked.words.in_control, { tensor: called }) });
    }
    this.cursor = spot.element;
    this.guess(judgeSource(this.asked, this.marked, model, spot.element));
  }

  /** @param {Spot | null} spot that was tapped, null beside the cells */
  tap(spot) {
    if (spot) this.toggle(spot);
  }

  /** @param {Answer} answer */
  guess(answer) {
    if (answer.verdict === "right") return this.settle(answer, true);
    if (answer.verdict === "wrong") this.missed = true;
    this.say(answer);
    this.draw();
  }

  reveal() {
    const { asked } = this;
    if (!asked || !this.asking) return;
    const text = this.phase === "choice"
      ? asked.words.shown_choice
      : truth(asked, this.marked, this.player.model, "shown");
    this.settle({ verdict: "shown", text }, false);
  }

  /**
   * The question is over: after the sizes comes the first cell, after a cell its move.
   * @param {Answer} answer
   * @param {boolean} byLearner whether the learner gave it
   */
  settle(answer, byLearner) {
    const { player } = this;
    if (byLearner && !this.missed) this.right += 1;
    if (this.phase === "choice") {
      const [cell] = /** @type {Asked} */ (this.asked).cells;
      if (cell) this.turn("place", 1);
      else this.turn("answered", 0);
      this.say(answer);
      this.redraw();
      if (!cell) player.clock.play(0, player.steps);
      return;
    }
    const { cell } = this.marked;
    this.turn("answered", this.number);
    this.say({ ...answer, text: this.watching(this.marked, answer.text) });
    player.pins.toggle({ side: "output", element: cell });
    this.redraw();
    // what is not to be seen is covered before anything moves
    player.repaint();
    this.landing = player.moves.stepOf[cell] + 1;
    // until the last question the cell moves alone
    player.clock.play(this.withheld ? this.landing - 1 : 0, this.landing);
  }

  /** The clock has moved: from where the cell has landed, the rest follows after a look. */
  ticked() {
    const { clock } = this.player;
    if (!this.landing || clock.playing) return;
    const until = this.landing;
    this.landing = 0;
    // the reader has stopped it, or the next question is about what follows
    if (clock.t !== until || this.withheld) return;
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      if (!clock.playing && clock.t === until) clock.play(until, clock.steps);
    }, LOOK_MS);
  }

  /** The next question, the score at the end, or a new start. */
  next() {
    const { asked } = this;
    if (!asked || this.asking || this.phase === "off") return;
    if (this.phase === "done") this.load(asked);
    else if (this.number < asked.cells.length) this.turn("place", this.number + 1);
    else {
      this.turn("done", this.number);
      this.player.clock.seek(this.player.steps);
    }
    this.redraw();
  }

  redraw() {
    const { player } = this;
    player.fitted = "";
    player.refit();
    // the focused element may be gone
    if (!player.root.contains(document.activeElement)) player.stage.focus({ preventScroll: true });
  }

  /** @param {Answer | null} answer */
  say(answer) {
    const verdict = answer?.verdict;
    const signs = verdict === "right" || verdict === "wrong" ? [drawIcon(verdict)] : [];
    this.answer.replaceChildren(...signs, answer?.text ?? "");
    this.answer.dataset.verdict = answer?.verdict ?? "";
    this.spoken.textContent = "";
    if (answer) this.answer.scrollIntoView({ block: "nearest" });
  }

  /** The panel of the phase. */
  render() {
    const { asked, phase } = this;
    this.panel.hidden = phase === "off" || this.beside;
    this.player.root.classList.toggle("dmlviz-answered", phase === "answered" || phase === "done");
    if (!asked || this.panel.hidden) return;
    this.panel.setAttribute("aria-label", asked.words.name);
    const { count, prompt, tools } = this.content(asked, phase, this.number);
    this.count.textContent = count;
    this.prompt.hidden = phase === "answered";
    if (phase === "answered") this.panel.append(this.tools);
    else this.prompt.after(this.tools);
    this.prompt.textContent = prompt;
    this.tools.replaceChildren(...tools);
  }

  /**
   * What the panel has in a phase, besides an answer.
   * @param {Asked} asked
   * @param {Phase} phase
   * @param {number} number of the question, as of {@link turn}
   * @returns {{count: string, prompt: string, tools: HTMLElement[]}}
   */
  content(asked, phase, number) {
    const { words } = asked;
    const all = asked.cells.length + 1 - this.first;
    const count = phase === "done" ? words.name
      : fillIn(words.count, { n: number + 1 - this.first, all }) + (words.settings ? ` · ${words.settings}` : "");
    const prompt = phase === "choice" ? words.choice
      : phase === "place" ? fillIn(asked.pads ? words.cell_pads : words.cell, { cell: this.cell(number) })
      : `${fillIn(words.done, { right: this.right, all })} ${words.done_more}`;
    if (phase === "answered" || phase === "done") {
      const onward = phase === "done" ? words.again : number < asked.cells.length ? words.next : words.finish;
      return { count, prompt, tools: [keyed(onward, "N", "dmlviz-quiz-next dmlviz-toggle", () => this.next())] };
    }
    const tools = phase === "choice" ? this.choices(asked) : this.fields(asked, number);
    const keys = make("span", "dmlviz-quiz-keys", phase === "choice" ? words.choice_keys : words.keys);
    return { count, prompt, tools: [...tools, keyed(words.reveal, "R", "dmlviz-quiz-reveal", () => this.reveal()), keys] };
  }

  /**
   * How much stands below the stage at most, from the first question to the last answer, so that no
   * cell moves at an answer; the score has its own height.
   * @param {() => number} others measures what stands there besides the panel
   * @returns {number} pixels
   */
  below(others) {
    // the controls of the movement are not laid out while a question is open
    if (this.asking && !this.beside) this.besides = others();
    this.clear(false);
    const answered = others();
    this.clear(this.withheld);
    if (this.panel.hidden) return answered;
    const width = this.panel.clientWidth;
    if (this.highest?.width !== width) this.highest = { width, ...this.measure() };
    const { open, answered: panel } = this.highest;
    const score = this.phase === "done" ? this.panel.offsetHeight + answered : 0;
    return parseFloat(getComputedStyle(this.panel).marginTop) + Math.max(open + this.besides, panel + answered, score);
  }

  /** How much a question takes below the stage before an answer; 0 without one. As {@link below}, after it. */
  get bare() {
    if (this.panel.hidden || !this.highest) return 0;
    // heights are rounded to whole pixels, and together may be one too few
    return parseFloat(getComputedStyle(this.panel).marginTop) + this.highest.bare + this.besides + 1;
  }

  /** How high the panel is without an answer and with its longest, while a question is open and after it. */
  measure() {
    const asked = /** @type {Asked} */ (this.asked);
    const { model } = this.player;
    /** @param {Phase} phase @param {number} number @param {string[]} answers */
    const height = (phase, number, answers) => {
      const { count, prompt, tools } = this.content(asked, phase, number);
      const longest = answers.reduce((most, text) => (text.length > most.length ? text : most), "");
      const parts = [make("p", "dmlviz-quiz-count", count), make("div", "dmlviz-bar dmlviz-quiz-tools", ...tools)];
      if (phase !== "answered") parts.push(make("p", "dmlviz-quiz-prompt", prompt));
      // a sign stands before what is right or wrong
      this.ruler.replaceChildren(...parts, make("p", "dmlviz-quiz-answer", drawIcon("right"), longest));
      return this.ruler.offsetHeight;
    };
    const told = asked.choices.map((choice) => choice.told);
    const right = asked.choices.find((choice) => !choice.why)?.told ?? "";
    const open = this.first ? [] : [height("choice", 0, told)];
    const bare = [...(this.first ? [] : [height("choice", 0, [])]), ...asked.cells.map((_marked, k) => height("place", k + 1, []))];
    /** @type {number[]} */
    const answered = asked.cells.length ? [] : [height("answered", 0, [right])];
    asked.cells.forEach((marked, k) => {
      const elements = [...(model.moving ? [0, model.moving - 1] : []), ...Object.keys(marked.traps).map(Number)];
      const wrong = elements.map((element) => judgeSource(asked, marked, model, element).text);
      open.push(height("place", k + 1, [...wrong, ...(k ? [] : [right])]));
      answered.push(height("answered", k + 1, ["right", "shown"].map((how) => this.watching(marked, truth(asked, marked, model, /** @type {any} */ (how))))));
    });
    this.ruler.replaceChildren();
    return { bare: Math.max(...bare), open: Math.max(...open), answered: Math.max(...answered) };
  }

  /**
   * The answer about a cell, and after the last one in which step it lands.
   * @param {import("./guess.js").Marked} marked
   * @param {string} text
   */
  watching({ cell }, text) {
    const { cells } = /** @type {Asked} */ (this.asked);
    if (cell !== cells[cells.length - 1].cell) return text;
    const { moves } = this.player;
    const step = moves.stepOf[cell];
    const { title } = moves.steps[step];
    return `${text} ${fillIn(/** @type {Asked} */ (this.asked).words.watch, { step: step + 1, title })}`;
  }

  /** @param {number} [number] */
  cell(number = this.number) {
    const { cell } = /** @type {Asked} */ (this.asked).cells[number - 1];
    return cellName(this.player.model.payload.output, cell);
  }

  /** @param {Asked} asked @returns {HTMLElement[]} */
  choices(asked) {
    return asked.choices.map(({ text, key }, i) =>
      keyed(text, key, "dmlviz-quiz-choice", () => this.choose(i)));
  }

  /** @param {number} i */
  choose(i) {
    if (!this.asked || this.phase !== "choice") return;
    this.guess(judgeChoice(this.asked.choices[i]));
  }

  /** @param {Asked} asked @param {number} number @returns {HTMLElement[]} */
  fields(asked, number) {
    const { words } = asked;
    const field = document.createElement("input");
    Object.assign(field, { type: "text", className: "dmlviz-quiz-value", autocomplete: "off", inputMode: "text", maxLength: 60 });
    field.setAttribute("aria-label", fillIn(words.value_name, { cell: this.cell(number) }));
    const check = () => this.guess(judgeValue(asked, this.marked, this.player.model, field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") check();
    });
    const parts = [make("label", "dmlviz-label", words.value, field), makeButton(words.check, "dmlviz-quiz-check", check, words.check)];
    if (asked.pads) {
      parts.push(makeButton(words.padding, "dmlviz-quiz-padding",
        () => this.guess(judgeSource(asked, this.marked, this.player.model, -1)), words.padding));
    }
    return parts;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {boolean} onStage whether nothing but the stage has the focus
   * @returns {boolean} whether the key is not the player's
   */
  key(event, onStage) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (this.phase === "off") return false;
    if (this.beside) return true;
    const field = /** @type {HTMLElement | null} */ (this.tools.querySelector(".dmlviz-quiz-value"));
    if (target === field) return true;
    const letter = event.key.toLowerCase();
    const chosen = this.asked?.choices.findIndex((choice) => choice.key.toLowerCase() === letter) ?? -1;
    /** @type {(() => void) | undefined} */
    let act;
    if (letter === "n" && !this.asking) act = () => this.next();
    else if (letter === "r" && this.asking) act = () => this.reveal();
    else if (this.phase === "choice" && chosen >= 0) act = () => this.choose(chosen);
    else if (this.phase === "place" && onStage) {
      const [dx, dy] = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] }[letter] ?? [0, 0];
      if (dx || dy) act = () => this.walk(dx, dy);
      else if (letter === "enter" && this.cursor >= 0) act = () => this.toggle({ side: "input", element: this.cursor });
      // the browser also types the digit into the field
      else if (/^[-0-9.]$/.test(letter)) field?.focus();
    }
    if (act) {
      event.preventDefault();
      event.stopImmediatePropagation();
      act();
    } else if (this.withheld && onStage && [" ", "home", "end"].includes(letter)) event.preventDefault();
    return Boolean(act) || this.withheld;
  }

  /** @param {number} dx @param {number} dy */
  walk(dx, dy) {
    const { input, moving } = this.player.model;
    if (!moving) return;
    this.cursor = this.cursor < 0 ? 0 : neighbour(input, this.cursor, dx, dy, moving);
    this.hovered = -1;
    this.spoken.textContent = this.named(this.cursor);
    this.draw();
  }
}

/**
 * A button that names its key.
 * @param {string} text
 * @param {string} key
 * @param {string} name
 * @param {() => void} act
 */
function keyed(text, key, name, act) {
  const button = makeButton(text, name, act, text, " ", make("kbd", "", key));
  // heard as it stands there, with its key
  button.removeAttribute("aria-label");
  button.setAttribute("aria-keyshortcuts", key);
  return button;
}
