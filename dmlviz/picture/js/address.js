// @ts-check
/** The player's own parameters of the address, which the server does not need. Only in the app. */

import { cellCount, tensorAt } from "./data.js";
import { drawIcon, make, makeButton } from "./dom.js";
import { watchConnection } from "./reconnect.js";

/**
 * @typedef {import("./player.js").Player} Player
 * @typedef {{colors?: string, moves?: string, step?: number, pinned?: number[], memory?: boolean,
 *   explained?: boolean, mistaken?: number, letters?: boolean}} Look
 *   explained: whether the page itself has the formulas of pinned cells; mistaken: the number of the
 *   input cell that a wrong answer takes, -1 for none; letters: false for formulas with numbers only
 * @typedef {{page: string, opened: number, writes: boolean, shares: boolean, view: Look,
 *   program?: string, pins?: boolean, plays?: boolean, answers?: boolean, home?: string}} Link
 *   page: of the address; opened: how many links were opened there; writes: whether the address
 *   is this player's; shares: whether it offers it; view: what the newest link said; program: the
 *   code of the view, and another one begins at its start without pinned cells; pins: whether
 *   pinned cells are taken although the address is another's; plays: whether it waits at its start
 *   for the reader, and the first Play ends at the view's step; answers: whether the view is that of
 *   an answer, to whose pinned cells it plays; home: on a page that no server
 *   answers, what it shows where the address has nothing after its #, such as `/tile`: all words
 *   stand there
 */

/** The index of the only element of a tensor without dimensions, as a link has it. */
const ONLY_INDEX = "0";
const LOOK_WORDS = ["colors", "moves", "step", "pinned", "memory"];
// browsers refuse more than a few hundred changes in half a minute
const WRITE_EVERY_MS = 400;

/** @type {Map<string, {opened: number, player: Player, program?: string}>} who wrote each page's words last */
const writers = new Map();
/** @type {Player | null} the last one whose rows of memory no address keeps: the next one has them, too */
let unwritten = null;

/**
 * Look at it as the newest link says, and keep the address after that.
 * @param {Player} player
 * @param {Link} link
 * @param {import("./wall_stage.js").Ask} [ask] tells the server
 */
export function keepAddress(player, link, ask) {
  const known = /** @type {any} */ (player);
  const before = writers.get(link.page);
  const continues = before?.opened === link.opened;
  if (continues && before.program !== link.program) {
    takeLook(player, { ...lookOf(before.player), step: 0, pinned: [] }, link.writes);
    known.opened = link.opened;
  } else if (known.opened !== link.opened) {
    const answers = Boolean(link.answers) && !continues;
    // a player that replaces another continues at its moment; an answer is no other way of looking
    const look = continues ? lookOf(before.player)
      : answers && known.opened !== undefined ? { ...lookOf(player), pinned: link.view.pinned }
      : link.writes ? link.view : { ...link.view, memory: link.view.memory || unwritten?.memory.on };
    takeLook(player, look, link.writes || Boolean(link.pins));
    known.opened = link.opened;
    if (link.plays) waitAtStart(player);
    if (answers) playToPins(player);
  }
  if (!link.writes) {
    unwritten = player;
    return;
  }
  writers.set(link.page, { opened: link.opened, player, program: link.program });
  if (link.shares && ask) player.viewbar.arrange(player.payload.planes, player.payload.words, (choice) => ask("arrange", choice));
  known.home = link.home;
  if (known.keeps) return;
  known.keeps = true;
  if (link.home === undefined) watchConnection();
  const path = window.location.pathname;
  if (link.shares && ask) offer(player, ask);
  const timer = window.setInterval(() => {
    if (!player.root.isConnected) window.clearInterval(timer);
    else if (window.location.pathname === path) writeLook(player);
  }, WRITE_EVERY_MS);
}

/**
 * Words come first: the movement waits at its start, and plays to where it would stand once the
 * reader asks for it; the keys are the stage's.
 * @param {Player} player
 */
function waitAtStart(player) {
  const { clock, stage } = player;
  const until = clock.t;
  clock.seek(0);
  clock.until = until;
  const focus = () => {
    if (!player.root.isConnected) return;
    if (player.drawing) stage.focus({ preventScroll: true });
    else requestAnimationFrame(focus);
  };
  focus();
}

/**
 * Play from the start until all pinned cells have landed, or to the end where none is pinned.
 * @param {Player} player
 */
function playToPins({ clock, moves, pins }) {
  const landed = pins.pins.map((pin) => moves.stepOf[pin] + 1).filter(Number.isFinite);
  clock.play(0, Math.min(clock.steps, landed.length ? Math.max(...landed) : clock.steps));
}

/**
 * What the reader can do with this view: show it to a room, or share it.
 * @param {Player} player
 * @param {import("./wall_stage.js").Ask} ask
 */
function offer(player, ask) {
  const { words } = player.payload;
  const asking = (/** @type {string} */ name) => () => {
    // a dialog would open behind a full screen
    if (document.fullscreenElement) document.exitFullscreen();
    writeLook(player);
    ask(name, window.location.search);
  };
  const button = (/** @type {"present" | "share"} */ name, /** @type {string} */ text) =>
    makeButton(words[name], `dmlviz-${name}`, asking(name), drawIcon(name), make("span", "dmlviz-name", text));
  player.offerMore([button("share", words.share_short), button("present", words.present_short)]);
}

/**
 * @param {Player} player
 * @returns {Look}
 */
function lookOf(player) {
  const { t, playing } = player.clock;
  return {
    colors: player.color,
    moves: player.view,
    step: playing ? Math.floor(t) : Math.round(t * 100) / 100,
    pinned: player.pins.pins,
    memory: player.memory.on,
  };
}

/**
 * The colors, moves, moment and pins of somebody else's view.
 * @param {Player} player
 * @param {Look} look
 * @param {boolean} pinning whether pinned cells are taken too
 */
export function takeLook(player, look, pinning) {
  const { payload, clock, pins } = player;
  const asked = look.moves || usualMoves(payload.usual, look.step);
  const moves = asked === "stages" && !payload.parts.length ? "steps" : asked;
  const color = look.colors ?? "value";
  if (moves !== player.view || color !== player.color) {
    player.look(/** @type {any} */ ({ color, ...(moves === player.view ? {} : { view: moves }) }));
  }
  if (Boolean(look.memory) !== player.memory.on) player.viewbar.memory.click();
  clock.stop();
  // an open question hides what the link would show
  const { asking } = player.quiz;
  clock.t = asking ? 0 : Math.min(clock.steps, look.step ?? 0);
  const count = cellCount(payload.output);
  pins.pins = pinning && !asking ? (look.pinned ?? []).filter((pin) => pin < count) : [];
  pins.explained = look.explained ? [...pins.pins] : [];
  pins.letters = look.letters ?? true;
  pins.mistaken = asking ? -1 : look.mistaken ?? -1;
  pins.update();
}

/**
 * The moves that an address means which does not say them: one with a step means that step.
 * @param {string} usual
 * @param {number | undefined} step
 */
function usualMoves(usual, step) {
  return step ? "steps" : usual;
}

/** What the address says of the view: in the app before its #, elsewhere after it. */
export function addressWords() {
  return window.location.search + window.location.hash;
}

/** @param {Player} player */
export function writeLook(player) {
  const { pathname, search, hash } = window.location;
  const { home } = /** @type {any} */ (player);
  if (home === null) return;
  if (home !== undefined) {
    const before = hash.slice(1) || home;
    const now = linkWithLook(player, before);
    if (now !== before) window.history.replaceState(window.history.state, "", `#${now}`);
    return;
  }
  const now = withLook(search, lookOf(player), player.payload.output, player.payload.usual);
  if (now !== search) window.history.replaceState(window.history.state, "", `${pathname}${now}${hash}`);
}

/** Leave the address alone until another link is kept. @param {Player} player */
export function keepQuiet(player) {
  /** @type {any} */ (player).home = null;
}

/**
 * A link, such as `/tile?sizes=5`, with the player's own words.
 * @param {Player} player
 * @param {string} link
 * @returns {string}
 */
export function linkWithLook(player, link) {
  const [page] = link.split("?", 1);
  return page + withLook(link.slice(page.length), lookOf(player), player.payload.output, player.payload.usual);
}

/** @param {string} link @returns {string} without the player's own words */
export function linkWithoutLook(link) {
  const [page, words = ""] = link.split(/\?(.*)/s);
  const kept = words.split("&").filter((part) => part && !LOOK_WORDS.includes(part.split("=")[0]));
  return kept.length ? `${page}?${kept.join("&")}` : page;
}

/**
 * The address's words with the player's own; what is as on a new page is left out.
 * @param {string} search with its question mark, or empty
 * @param {Look} look
 * @param {import("./data.js").Side} output in which elements are pinned
 * @param {string} usual the moves of a new page
 * @returns {string}
 */
export function withLook(search, { colors, moves, step, pinned = [], memory = false }, output, usual = "steps") {
  const kept = search.slice(1).split("&")
    .filter((part) => part && !LOOK_WORDS.includes(part.split("=")[0]))
    // as people read them, and as phones scan them in fewer dots
    .map((part) => part.replace(/%(2C|3A|3B)/gi, decodeURIComponent));
  const own = {
    colors: colors === "value" ? "" : colors,
    moves: moves === usualMoves(usual, step) ? "" : moves,
    step: step ? String(step) : "",
    pinned: pinned.map((pin) => pinWord(output, pin)).join(";"),
    memory: memory ? "true" : "",
  };
  const words = [...kept, ...Object.entries(own).filter(([, text]) => text).map((pair) => pair.join("="))];
  return words.length ? `?${words.join("&")}` : "";
}

/**
 * What a link says of the view; null if it says nothing.
 * @param {Player} player that shows its state
 * @param {string} link
 * @returns {Look | null}
 */
export function lookInLink({ payload: { output }, viewbar }, link) {
  const words = new URLSearchParams(link.split("?")[1] ?? "");
  if (!LOOK_WORDS.some((word) => words.has(word))) return null;
  const offered = (/** @type {HTMLSelectElement} */ { options }, /** @type {string} */ name) => (
    [...options].find(({ value }) => value === words.get(name))?.value);
  const pins = (words.get("pinned") ?? "").split(";").map((word) => pinOf(output, word));
  return {
    colors: offered(viewbar.color, "colors"),
    moves: offered(viewbar.view, "moves"),
    step: Math.max(0, Number(words.get("step")) || 0),
    pinned: pins.filter((pin) => pin >= 0),
    memory: words.get("memory") === "true",
  };
}

/** @param {import("./data.js").Side} output @param {string} word as pinWord has it @returns {number} the element, or -1 */
function pinOf(output, word) {
  const [place, number = "0"] = word.split(":").reverse();
  const tensor = output.tensors[Number(number)];
  if (!tensor) return -1;
  const { sizes, first, places } = tensor;
  const named = sizes.length || place !== ONLY_INDEX ? place.split(",").map(Number) : [];
  const index = places ? named.map((i, d) => (places[d] ?? []).indexOf(i)) : named;
  const inside = index.length === sizes.length && index.every((i, d) => Number.isInteger(i) && i >= 0 && i < sizes[d]);
  return inside ? first + index.reduce((flat, i, d) => flat * sizes[d] + i, 0) : -1;
}

/** @param {import("./data.js").Side} output @param {number} pin @returns {string} the element's indices */
function pinWord(output, pin) {
  const { tensor, index } = tensorAt(output, pin);
  const place = index.join(",") || ONLY_INDEX;
  const several = output.tensors.length > 1 || tensor.name.includes("[");
  // the number of the output, from 0
  return several ? `${output.tensors.indexOf(tensor)}:${place}` : place;
}
