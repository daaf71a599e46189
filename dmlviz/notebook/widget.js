// @ts-check
/** What a notebook runs: fetch the player from Python once for all widgets, then tell and heed the traits. */

import { settingsForm } from "./settings.js";

/**
 * @typedef {{get: (name: string) => any, set: (name: string, value: any) => void,
 *   save_changes: () => void, send: (content: any) => void,
 *   on: (name: string, heard: (...changes: any[]) => void) => void,
 *   off: (name: string, heard: (...changes: any[]) => void) => void}} Model
 * @typedef {import("../picture/js/player.js").Player} Player
 * @typedef {{mount: typeof import("../picture/js/mount.js").mount, plotly: any}} Parts
 */

const TRAITS = ["step", "playing", "pinned", "selected"];
const TELL_EVERY_MS = 100;
/** The most that a stage takes of the window, in pixels and as a part. */
const TALL = 720;
const PART = 0.8;

/**
 * Shared by all widgets of the page, each of which has a copy of this file: players by their
 * version; and of the views of one widget the one that plays, which the others follow.
 * @type {{held: Map<string, Promise<Parts>>, leaders: Map<string, Player>}}
 */
const { held, leaders } = (/** @type {any} */ (globalThis)[Symbol.for("dmlviz.notebook")] ??= {
  held: new Map(), leaders: new Map(),
});

/**
 * The player, from whichever widget asked first.
 * @param {Model} model
 * @param {AbortSignal} ended
 * @returns {Promise<Parts>}
 */
async function load(model, ended) {
  const version = model.get("_version");
  for (;;) {
    const own = !held.has(version);
    if (own) held.set(version, ask(model, ended));
    const asked = /** @type {Promise<Parts>} */ (held.get(version));
    try {
      return await asked;
    } catch (error) {
      // the widget that asked may have gone before Python answered
      if (held.get(version) === asked) held.delete(version);
      if (own || ended.aborted) throw error;
    }
  }
}

/**
 * @param {Model} model
 * @param {AbortSignal} ended
 * @returns {Promise<Parts>}
 */
function ask(model, ended) {
  return new Promise((resolve, reject) => {
    const heard = (/** @type {any} */ content, /** @type {DataView[]} */ buffers) => {
      if (!content?.player) return;
      model.off("msg:custom", heard);
      unpack(buffers[0]).then(resolve, reject);
    };
    model.on("msg:custom", heard);
    ended.addEventListener("abort", () => {
      model.off("msg:custom", heard);
      reject(new Error("The widget was closed."));
    });
    model.send({ ask: "player" });
  });
}

/** @param {any} packed a module, compressed by gzip @returns {Promise<Parts>} */
async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const text = await new Response(stream).text();
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {Player} player @param {Model} model @returns {boolean} whether another view plays */
function follows(player, model) {
  const leader = leaders.get(model.get("_key"));
  return leader !== undefined && leader !== player && leader.clock.playing;
}

/**
 * The color behind an element, as #rrggbb, from whatever CSS calls it.
 * @param {Element | null} element
 * @returns {string} empty where there is none
 */
function paperOf(element) {
  const dot = /** @type {CanvasRenderingContext2D} */ (
    Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  );
  // what is not in the page has no color
  for (let at = element?.isConnected ? element : null; at; at = at.parentElement ?? /** @type {any} */ (at.getRootNode()).host ?? null) {
    dot.clearRect(0, 0, 1, 1);
    // what is not a color leaves the last one
    dot.fillStyle = "transparent";
    dot.fillStyle = getComputedStyle(at).backgroundColor;
    dot.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = dot.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }
  return "";
}

/** @param {string} hex @returns {boolean} */
function dark(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

/**
 * Keep a frame in the colors of the notebook.
 * @param {HTMLElement} frame
 * @param {AbortSignal} ended
 */
function dress(frame, ended) {
  const colors = () => {
    const paper = paperOf(frame.parentElement ?? /** @type {any} */ (frame.getRootNode()).host);
    if (!paper || frame.style.getPropertyValue("--st-background-color") === paper) return;
    frame.dataset.scheme = dark(paper) ? "dark" : "light";
    frame.style.setProperty("--st-background-color", paper);
  };
  // themes are attributes of the page, styles in its head, or the system's choice
  const watching = new MutationObserver(() => { colors(); window.setTimeout(colors, 300); });
  const attributes = { attributes: true, attributeFilter: ["class", "style", "data-theme", "theme", "data-jp-theme-light"] };
  for (const part of [document.documentElement, document.body]) watching.observe(part, attributes);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colors, { signal: ended });
  // a notebook may put the widget into the page later
  const sizes = new ResizeObserver(colors);
  sizes.observe(frame);
  ended.addEventListener("abort", () => { watching.disconnect(); sizes.disconnect(); });
}

/**
 * The state of a player as the traits have it.
 * @param {Player} player
 */
function stateOf({ clock, pins }) {
  return { step: Math.floor(clock.t), playing: clock.playing, pinned: pins.pins, selected: pins.selected };
}

/**
 * Make a player do what a trait says; nothing if it does so already.
 * @param {Player} player
 * @param {Model} model
 * @param {string} trait
 */
function heed(player, model, trait) {
  const value = model.get(trait);
  const { clock, pins } = player;
  if (String(/** @type {any} */ (stateOf(player))[trait]) === String(value)) return;
  // a player that plays is the one that tells the step
  if (trait === "step" && !(clock.playing && Math.abs(value - clock.t) < 2)) clock.seek(value);
  if (trait === "playing" && value && !follows(player, model)) clock.play(clock.t >= clock.steps ? 0 : clock.t, clock.steps);
  if (trait === "playing" && !value) clock.seek(clock.t);
  if (trait === "pinned") { pins.pins = [...value]; pins.update(); }
  if (trait === "selected") pins.show(value);
}

/**
 * Join a player and a model: each heeds the other until it ends.
 * @param {Player} player
 * @param {Model} model
 * @param {AbortSignal} ended
 * @returns {() => void} to tell the model soon what the player does
 */
function join(player, model, ended) {
  let timer = 0;
  const { clock, pins } = player;
  const tell = () => {
    timer = 0;
    if (follows(player, model) && !clock.playing) return;
    let news = false;
    for (const [trait, value] of Object.entries(stateOf(player))) {
      if (String(model.get(trait)) === String(value)) continue;
      model.set(trait, value);
      news = true;
    }
    if (news) model.save_changes();
  };
  const soon = () => { timer ||= window.setTimeout(tell, TELL_EVERY_MS); };
  const { tick } = clock;
  clock.tick = () => {
    if (clock.playing && leaders.get(model.get("_key")) !== player) {
      leaders.get(model.get("_key"))?.clock.stop();
      leaders.set(model.get("_key"), player);
    }
    tick();
    soon();
  };
  const { changed } = pins;
  pins.changed = () => { changed(); soon(); };
  for (const trait of TRAITS) {
    const heard = () => heed(player, model, trait);
    model.on(`change:${trait}`, heard);
    ended.addEventListener("abort", () => model.off(`change:${trait}`, heard));
    heard();
  }
  ended.addEventListener("abort", () => {
    window.clearTimeout(timer);
    if (leaders.get(model.get("_key")) === player) leaders.delete(model.get("_key"));
  });
  return soon;
}

/** @param {{model: Model, el: HTMLElement}} view */
function render({ model, el }) {
  const closing = new AbortController();
  const ended = closing.signal;
  const frame = document.createElement("div");
  frame.className = "dmlviz-notebook";
  // JupyterLab, which hears keys before any element: without Ctrl and the like they are the stage's
  window.addEventListener("keydown", ({ altKey, ctrlKey, metaKey }) => {
    frame.toggleAttribute("data-lm-suppress-shortcuts", !altKey && !ctrlKey && !metaKey);
  }, { capture: true, signal: ended });
  const wait = document.createElement("p");
  wait.className = "dmlviz-wait";
  wait.textContent = model.get("_loading");
  const root = document.createElement("div");
  const form = settingsForm(model, ended);
  if (form) frame.append(form);
  frame.append(wait);
  el.append(frame);
  dress(frame, ended);
  /** @type {Player | null} */
  let player = null;
  load(model, ended).then(({ mount, plotly }) => {
    if (ended.aborted) return;
    wait.replaceWith(root);
    const room = () => Math.min(TALL, window.innerHeight * PART);
    const show = () => mount(root, JSON.parse(model.get("_payload")), { plotly, room });
    player = show();
    const soon = join(player, model, ended);
    const changed = () => { show(); soon(); };
    model.on("change:_payload", changed);
    ended.addEventListener("abort", () => model.off("change:_payload", changed));
  }).catch((error) => {
    if (!ended.aborted) wait.textContent = String(error.message);
  });
  return () => {
    closing.abort();
    player?.destroy();
    frame.remove();
  };
}

export default { render };
