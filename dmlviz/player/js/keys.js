// @ts-check
/** The keys of a page: those of the movement, and on the stage those of its pins. */

/**
 * @param {import("./player.js").Player} player
 * @param {KeyboardEvent} event
 */
export function takeKey({ quiz, stage, clock, pins }, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target instanceof HTMLSelectElement || quiz.key(event)) return;
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
