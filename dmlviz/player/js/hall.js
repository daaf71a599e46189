// @ts-check
/** The stage for a room: large, keys alone, the output hidden until it is asked for, a QR code. */

import { writeLook } from "./address.js";
import { make } from "./dom.js";

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {(name: string, value: any) => void} Ask
 * @typedef {{search: string, address: string, image: string, note: string}} Code
 *   search: the address's words that it is of; image: empty where there is none; note: what to know
 */

/** A stage of this width has titles and indices as large as a page's; a wider one has larger ones. */
const HALL_WIDTH = 960;
const HALL_LEAST = 1.3;
/** How much of a cell's height its number takes. */
const HALL_SHARE = 0.56;
const HALL_MOST = 170;
const HINT_MS = 7000;

export class Hall {
  /**
   * @param {Player} player
   * @param {Ask} [ask] tells the server
   * @param {boolean} [leads] whether this player has the keys; of two that step together one has
   */
  constructor(player, ask = () => {}, leads = true) {
    this.player = player;
    this.ask = ask;
    this.leads = leads;
    this.share = HALL_SHARE;
    this.veiled = false;
    this.wanted = false;
    this.timer = 0;
    /** @type {Code | null} */
    this.code = null;
    this.veil = make("p", "dmlviz-caption");
    this.veil.hidden = true;
    this.veil.setAttribute("aria-live", "polite");
    this.below = make("div", "dmlviz-hall-words");
    this.keys = make("p", "dmlviz-hall-keys");
    this.sheet = make("div", "dmlviz-qr");
    this.sheet.hidden = true;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onMove = () => this.hint();
  }

  /**
   * Put everything but buttons below the stage.
   * @param {Record<string, string>} words
   * @param {boolean} veiled whether the output is hidden at first
   */
  build(words, veiled) {
    const { player, below } = this;
    const { root, controls, pins } = player;
    root.classList.add("dmlviz-hall");
    this.veil.replaceChildren(
      make("strong", "dmlviz-caption-title", words.hall_veil_title),
      make("span", "dmlviz-caption-text", words.hall_veil),
    );
    this.keys.textContent = words.hall_keys;
    below.replaceChildren(controls.caption, this.veil, controls.count, controls.ruler);
    root.append(below, pins.panel, this.keys, this.sheet);
    // it keeps its room beside a stage that leads
    this.keys.style.visibility = this.leads ? "" : "hidden";
    if (veiled) this.hide(true);
    if (!this.leads) return;
    // before Streamlit's own keys
    window.addEventListener("keydown", this.onKey, true);
    window.addEventListener("mousemove", this.onMove);
    this.hint();
  }

  /**
   * The player's words where there is nothing to press but keys.
   * @param {Record<string, string>} words
   */
  words(words) {
    return { ...words, start_caption: words.hall_start };
  }

  close() {
    window.removeEventListener("keydown", this.onKey, true);
    window.removeEventListener("mousemove", this.onMove);
    window.clearTimeout(this.timer);
  }

  /** How the stage is laid out: as large as the window lets it. */
  fit() {
    const { root, pins } = this.player;
    const left = window.innerHeight - root.getBoundingClientRect().top - 14;
    const panel = pins.pins.length ? pins.panel.offsetHeight + 12 : 0;
    const tall = left - this.wordsHeight() - panel - this.keys.offsetHeight;
    const scale = Math.max(HALL_LEAST, root.clientWidth / HALL_WIDTH);
    return { tall: Math.max(200, tall), most: HALL_MOST, scale, share: this.share };
  }

  /** The height of the longest caption, so that the stage stands still from step to step. */
  wordsHeight() {
    const { below, player } = this;
    const longest = player.controls.longest(player.moves.steps, player.words);
    below.style.minHeight = `calc(${longest}px + 0.6rem)`;
    return below.offsetHeight;
  }

  /**
   * What may be seen of the movement: nothing of the output while it is hidden.
   * @param {import("./model.js").Moves} moves
   * @returns {import("./model.js").Moves}
   */
  seen(moves) {
    if (!this.veiled) return moves;
    const never = new Float32Array(this.player.model.source.length).fill(Infinity);
    return { steps: moves.steps, stepOf: never, via: null, groups: moves.steps.map(() => []) };
  }

  /**
   * Hide the output or show it.
   * @param {boolean} on
   */
  hide(on) {
    const { player } = this;
    this.veiled = on;
    this.veil.hidden = !on;
    player.controls.caption.hidden = on;
    player.root.dataset.veiled = String(on);
    // the formulas hold the answer
    player.pins.hide(on);
    player.repaint();
  }

  /** The line of keys, which goes by itself. */
  hint() {
    window.clearTimeout(this.timer);
    this.player.root.classList.remove("dmlviz-idle");
    this.timer = window.setTimeout(() => this.player.root.classList.add("dmlviz-idle"), HINT_MS);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { player } = this;
    if (!player.root.isConnected) return;
    const { clock } = player;
    // a keyboard set to other letters still has these keys
    const letter = /^Key([A-Z])$/.exec(event.code);
    const name = /^[a-z]$/i.test(event.key) || !letter ? event.key : letter[1];
    const act = /** @type {Record<string, () => void>} */ ({
      " ": () => clock.toggle(),
      ArrowLeft: () => clock.back(),
      ArrowRight: () => clock.forward(),
      // what a presenter's remote control sends
      PageUp: () => clock.back(),
      PageDown: () => clock.forward(),
      Home: () => clock.seek(0),
      End: () => clock.seek(clock.steps),
      r: () => this.hide(!this.veiled),
      q: () => this.scan(),
      f: () => fullWindow(),
      p: () => this.leave(),
      Escape: () => this.leave(),
    })[name.length === 1 ? name.toLowerCase() : name];
    if (!act) return this.hint();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat || name.startsWith("Arrow")) act();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    writeLook(this.player);
    this.ask("present", window.location.search);
  }

  /** Show the QR code of what is seen now, or put it away. */
  scan() {
    this.wanted = !this.wanted;
    this.sheet.hidden = true;
    if (!this.wanted) return;
    writeLook(this.player);
    const { search } = window.location;
    if (this.code?.search === search) this.unroll(this.code);
    else this.ask("scan", search);
  }

  /**
   * The server has made a code.
   * @param {Code | null | undefined} code
   */
  take(code) {
    if (!code || code.search === this.code?.search) return;
    this.code = code;
    if (this.wanted && code.search === window.location.search) this.unroll(code);
  }

  /** @param {Code} code */
  unroll(code) {
    const parts = [make("p", "dmlviz-qr-address", code.address)];
    if (code.note) parts.push(make("p", "dmlviz-qr-note", code.note));
    if (code.image) {
      const image = document.createElement("img");
      image.setAttribute("src", code.image);
      image.alt = code.address;
      parts.unshift(image);
    }
    this.sheet.replaceChildren(...parts);
    this.sheet.hidden = false;
  }
}

function fullWindow() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}
