// @ts-check
/** The movement on a phone: fetched while nobody waits for it, and led by the teacher. */

import { STANDS, make } from "./common.js";
import { Movement } from "./common.movement.js";

/**
 * Have the browser fetch the engine while nobody waits for it; not all phones at once.
 * @param {import("./common.js").PageData} pageData
 */
export function fetchEarly(pageData) {
  const { connection } = /** @type {any} */ (navigator);
  if (pageData.early || connection?.saveData) return;
  pageData.early = true;
  setTimeout(() => {
    for (const address of [pageData.plotly, pageData.player, pageData.sheet]) {
      const link = /** @type {HTMLLinkElement} */ (make("link"));
      link.rel = "prefetch";
      link.href = address;
      document.head.append(link);
    }
  }, Math.random() * 6_000);
}

/** Pixels of a stage that leaves caption and controls in view with the answer above it. */
const LEAST = 168;

export class LedMovement extends Movement {
  /** @param {ConstructorParameters<typeof Movement>} args */
  constructor(...args) {
    super(...args);
    /** of the window's height, for the stage */
    this.part = 0.55;
    this.note = make("p", "quiet", this.pageData.words.loading);
    this.element.prepend(this.note);
  }

  room() { return { part: this.part, least: LEAST, room: () => this.beside() }; }

  /** The height that it has beside the answer, on a phone's side; 0 where it stands below. */
  beside() {
    if (getComputedStyle(this.element).position !== "sticky") return 0;
    // at one's own pace the foot stays in view, too
    const bars = ["header", "footer"].map((name) => /** @type {HTMLElement} */ (document.querySelector(name)));
    return bars.filter((bar) => getComputedStyle(bar).position === "sticky")
      .reduce((left, bar) => left - bar.offsetHeight, window.innerHeight - 8);
  }

  ready() { this.lead(); }

  failed() { this.note.textContent = this.pageData.words.offline; }

  none() { this.element.hidden = true; }

  /** @param {number} step */
  follow(step) {
    super.follow(step);
    this.lead();
  }

  lead() {
    const led = this.step >= 0 && this.step < STANDS;
    this.element.classList.toggle("led", led);
    this.note.hidden = Boolean(this.player) && !led;
    if (led && this.player) this.note.textContent = this.pageData.words.led;
  }
}
