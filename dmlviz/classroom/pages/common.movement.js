// @ts-check
/** The movement that answers a question, in the app's own player, fetched when it is needed. */

import { PLAYED, STANDS, backoff, isPassing, make, pause } from "./common.js";
import { engine } from "./common.engine.js";

/** Wall and phones say what differs: where it stands, and what is said while it loads. */
export class Movement {
  /**
   * @param {import("./common.js").PageData} pageData
   * @param {import("./common.js").Api} api
   * @param {string} code
   * @param {number} number
   */
  constructor(pageData, api, code, number) {
    this.pageData = pageData;
    this.number = number;
    this.step = PLAYED;
    /** @type {any} */
    this.player = null;
    this.gone = false;
    this.stage = make("div", "stage");
    this.element = make("section", "movement", this.stage);
    this.load(api, `/${code}/movement`);
  }

  /** @returns {object} how large the player is */
  room() { return {}; }

  /** It can be seen. */
  ready() {}

  /** It could not be fetched, and will be asked for again. */
  failed() {}

  /** There is nothing to play. */
  none() {}

  /**
   * @param {import("./common.js").Api} api
   * @param {string} path
   */
  async load(api, path) {
    for (let failed = 0; !this.gone; failed++) {
      const answer = await api.get(path, { number: this.number });
      if (this.gone) return;
      if (answer.status === 200) {
        try {
          const [plotly, { mount }] = await engine(this.pageData);
          if (this.gone) return;
          this.player = mount(this.stage, answer.body, { plotly, bare: true, strips: true, ...this.room() });
          // what was asked about, and where it comes from, stand in frames
          this.player.pins.pins = answer.body.asked;
          this.begin();
          return this.ready();
        } catch (error) {
          console.warn(error);
        }
      } else if (!isPassing(answer)) return this.none();
      this.failed();
      await pause(backoff(failed));
    }
  }

  /** Where the teacher is; at its end as the answer if everybody looks freely. */
  begin() {
    const { player, step } = this;
    if (step === PLAYED) this.play();
    else if (step < 0 || step === STANDS) this.stand();
    else player.seek(Math.min(step, player.steps));
    player.pins.draw();
  }

  /** At its end, with the words of what was asked about and not those of the last step. */
  stand() {
    const { player } = this;
    player.controls.rests = true;
    player.seek(player.steps);
    player.pins.update();
  }

  play() {
    const { player } = this;
    if (player.reduced.matches) player.seek(player.steps);
    else player.clock.play(0, player.steps);
  }

  /** @param {number} step that everybody sees; below 0 everybody looks freely */
  follow(step) {
    const before = this.step;
    this.step = step;
    const { player } = this;
    if (!player || step === before || step < 0) return;
    if (step === PLAYED) this.play();
    else if (step === STANDS) this.stand();
    else if (step === before + 1 && before >= 0 && !player.reduced.matches) player.clock.play(before, step);
    else player.seek(Math.min(step, player.steps));
  }

  destroy() {
    this.gone = true;
    this.player?.destroy();
    this.element.remove();
  }
}
