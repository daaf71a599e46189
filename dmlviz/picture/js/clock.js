// @ts-check
/** The time of the stage, and how it passes. */

import { playFrom, stepBack, stepForward } from "./timeline.js";

const LOOP_PAUSE_MS = 1400;

export class Clock {
  /** @param {() => void} tick called whenever the moment or the playing changed */
  constructor(tick) {
    this.tick = tick;
    this.t = 0;
    this.steps = 0;
    this.speed = 1;
    this.loop = false;
    this.playing = false;
    this.frame = 0;
    this.pause = 0;
    this.began = 0;
    this.from = 0;
    /** @type {number | null} where the first Play ends; null for the last step */
    this.until = null;
  }

  /** @param {number} t */
  seek(t) {
    this.stop();
    this.until = null;
    this.t = Math.min(this.steps, Math.max(0, t));
    this.tick();
  }

  back() {
    this.seek(stepBack(this.t));
  }

  /** Play one step forward. */
  forward() {
    const from = Math.min(this.steps, this.playing ? Math.floor(this.t) + 1 : this.t);
    this.play(from, stepForward(from, this.steps));
  }

  toggle() {
    if (this.playing) {
      this.stop();
      this.tick();
    } else {
      const until = this.until ?? this.steps;
      if (this.t >= until) this.until = null;
      this.play(this.t >= this.steps ? 0 : this.t, this.until ?? this.steps);
    }
  }

  /**
   * @param {number} from
   * @param {number} until
   */
  play(from, until) {
    this.stop();
    this.t = from;
    if (from < until) {
      this.playing = true;
      this.from = from;
      this.began = performance.now();
      this.frame = requestAnimationFrame((now) => this.run(now, until));
    }
    this.tick();
  }

  /**
   * @param {number} now
   * @param {number} until
   */
  run(now, until) {
    const elapsed = Math.max(0, now - this.began) * this.speed;
    this.t = Math.min(until, playFrom(this.from, elapsed, this.steps));
    if (this.t < until) {
      this.frame = requestAnimationFrame((later) => this.run(later, until));
    } else if (this.loop && until === this.steps) {
      this.pause = window.setTimeout(() => this.play(0, this.steps), LOOP_PAUSE_MS);
    } else {
      this.playing = false;
    }
    this.tick();
  }

  stop() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.pause);
    this.playing = false;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.from = this.t;
    this.began = performance.now();
    this.speed = speed;
  }
}
