// @ts-check
/** The keys of a page: those of the movement, and on the stage those of its pins. */

/** Elements that have keys of their own, whatever stands in them. */
const OWN_KEYS = "[role=dialog], [role=grid], [role=listbox], [role=menu], [role=radiogroup], [role=tablist], .dmlviz-text";
/** What only Space and Enter press; on everything else a key is nobody's. */
const PRESSED = "a, button, summary, input[type=checkbox]";
const NOBODYS = "body, html, .stMain";

/**
 * Take the keys that are pressed while nothing that needs them has the focus, if the player is the first
 * on the page that can be seen.
 * @param {import("./player.js").Player} player
 */
export function followPage(player) {
  const { root, ended } = player;
  // before Streamlit's own keys
  window.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.shiftKey || !target.matches || root.contains(target) || target.closest(OWN_KEYS)) return;
    const pressed = target.matches(PRESSED);
    if (!pressed && !target.matches(NOBODYS)) return;
    if (pressed && (event.key === " " || event.key === "Enter")) return;
    if (firstInWindow() === root) takeKey(player, event, true);
  }, { capture: true, signal: ended });
}

/** @returns {HTMLElement | undefined} the first stage with controls of which something is in the window */
function firstInWindow() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dmlviz-player:not([inert])"))].find((root) => {
    const stage = root.querySelector(":scope > .dmlviz-stage[role=application]");
    const { top = 0, bottom = 0 } = stage?.getBoundingClientRect() ?? {};
    return bottom > 0 && top < window.innerHeight && bottom > top;
  });
}

/**
 * @param {import("./player.js").Player} player
 * @param {KeyboardEvent} event
 * @param {boolean} [anywhere] whether it was pressed beside the player: a question is answered there too
 */
export function takeKey({ quiz, stage, clock, pins, viewbar }, event, anywhere = false) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  // the browser closes the menu, and nothing else changes
  if (event.key === "Escape" && viewbar.menu.matches(":popover-open")) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target instanceof HTMLSelectElement || quiz.key(event, anywhere || target === stage)) return;
  if ((event.key === " " || event.key === "Enter") && target instanceof HTMLButtonElement) return;
  const walking = target === stage && pins.pins.length > 0;
  const act = {
    " ": () => clock.toggle(),
    ArrowLeft: () => (walking ? pins.walk(-1, 0) : clock.back()),
    ArrowRight: () => (walking ? pins.walk(1, 0) : clock.forward()),
    ArrowUp: walking ? () => pins.walk(0, -1) : null,
    ArrowDown: walking ? () => pins.walk(0, 1) : null,
    Home: () => clock.seek(0),
    End: () => clock.seek(clock.steps),
    Escape: pins.pins.length ? () => pins.clear() : null,
    Enter: target === stage ? () => pins.enter() : null,
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
