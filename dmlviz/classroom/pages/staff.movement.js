// @ts-check
/** The movement that answers a question, for the room. */

import { backoff, isPassing, make, pause } from "./common.js";
import { begin, engine } from "./common.engine.js";

export class Movement {
  /**
   * @param {import("./common.js").Told} told
   * @param {import("./common.js").Api} api
   * @param {string} code
   * @param {number} number
   * @param {() => void} none called where there is nothing to play
   */
  constructor(told, api, code, number, none) {
    this.told = told;
    this.number = number;
    this.step = 0;
    /** @type {any} */
    this.player = null;
    this.gone = false;
    this.stage = make("div", "stage");
    this.element = make("div", "movement", this.stage);
    this.load(api, code, none);
  }

  /**
   * @param {import("./common.js").Api} api
   * @param {string} code
   * @param {() => void} none
   */
  async load(api, code, none) {
    for (let failed = 0; !this.gone; failed++) {
      const answer = await api.get(`/${code}/movement`, { number: this.number });
      if (this.gone) return;
      if (answer.status === 200) {
        try {
          const [plotly, { mount }] = await engine(this.told);
          if (this.gone) return;
          const room = () => this.element.clientHeight - 8;
          this.player = mount(this.stage, answer.told, { plotly, bare: true, room });
          begin(this.player, this.step);
          return;
        } catch (error) {
          console.warn(error);
        }
      } else if (!isPassing(answer)) {
        none();
        return;
      }
      await pause(backoff(failed));
    }
  }

  /** @param {number} step that everybody sees; below 0 it is left where it is */
  follow(step) {
    const before = this.step;
    this.step = step;
    const { player } = this;
    if (!player || step === before || step < 0) return;
    if (step === before + 1 && !player.reduced.matches) player.clock.play(before, step);
    else player.seek(Math.min(step, player.steps));
  }

  destroy() {
    this.gone = true;
    this.player?.destroy();
    this.element.remove();
  }
}
