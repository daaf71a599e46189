// @ts-check
/** The movement that answers a question, in the app's own player, fetched when it is needed. */

import { make, pause, backoff, isPassing } from "./common.js";
import { begin, engine } from "./common.engine.js";

/**
 * Have the browser fetch the engine while nobody waits for it; not all telephones at once.
 * @param {import("./common.js").Told} told
 */
export function fetchEarly(told) {
  const { connection } = /** @type {any} */ (navigator);
  if (told.early || connection?.saveData) return;
  told.early = true;
  setTimeout(() => {
    for (const address of [told.plotly, told.player, told.sheet]) {
      const link = /** @type {HTMLLinkElement} */ (make("link"));
      link.rel = "prefetch";
      link.href = address;
      document.head.append(link);
    }
  }, Math.random() * 6_000);
}

export class Movement {
  /**
   * @param {import("./common.js").Told} told
   * @param {import("./common.js").Api} api
   * @param {string} code
   * @param {number} number
   */
  constructor(told, api, code, number) {
    this.told = told;
    this.step = 0;
    this.followed = false;
    /** @type {any} */
    this.player = null;
    this.gone = false;
    this.stage = make("div", "stage");
    this.note = make("p", "quiet", told.words.loading);
    this.element = make("section", "movement", this.note, this.stage);
    this.load(api, `/${code}/movement`, number);
  }

  /**
   * @param {import("./common.js").Api} api
   * @param {string} path
   * @param {number} number
   */
  async load(api, path, number) {
    for (let failed = 0; !this.gone; failed++) {
      const answer = await api.get(path, { number });
      if (answer.status === 200) {
        try {
          const [plotly, { mount }] = await engine(this.told);
          if (this.gone) return;
          this.player = mount(this.stage, answer.told, { plotly, bare: true, part: 0.55 });
          this.note.hidden = true;
          // as on the wall
          begin(this.player, this.step);
          this.lead();
          return;
        } catch {
          // as below
        }
      } else if (!isPassing(answer)) {
        this.element.hidden = true;
        return;
      }
      this.note.textContent = this.told.words.offline;
      await pause(backoff(failed));
    }
  }

  /** @param {number} step that everybody sees; below 0 everybody looks freely */
  follow(step) {
    const before = this.step;
    this.step = step;
    this.lead();
    const { player } = this;
    if (!player || step === before || step < 0) return;
    this.followed = true;
    if (step === before + 1 && before >= 0 && !player.reduced.matches) player.clock.play(before, step);
    else player.seek(step);
  }

  lead() {
    const led = this.step > 0 || (this.followed && this.step === 0);
    this.element.classList.toggle("led", led);
    this.note.hidden = Boolean(this.player) && !led;
    if (led && this.player) this.note.textContent = this.told.words.led;
  }

  destroy() {
    this.gone = true;
    this.player?.destroy();
  }
}
