// @ts-check
/** Sends the newest answer until the server has stored or refused it. */

import { backoff, isPassing } from "./common.js";

/**
 * @typedef {{question: number, round: number, seq: number, answer: string}} Ballot
 * @typedef {"sending" | "waiting" | "sent" | "refused"} Way
 */

export class Sender {
  /**
   * @param {(ballot: Ballot) => Promise<import("./common.js").Answer>} post
   * @param {(way: Way, ballot: Ballot, body: any) => void} tell
   */
  constructor(post, tell) {
    this.post = post;
    this.tell = tell;
    this.seq = 0;
    /** @type {Ballot | null} */
    this.wish = null;
    this.busy = false;
    this.wake = () => {};
    window.addEventListener("online", () => this.wake());
  }

  /** @param {{question: number, round: number, answer: string}} vote */
  offer(vote) {
    this.wish = { ...vote, seq: ++this.seq };
    this.tell("sending", this.wish, {});
    this.wake();
    this.run();
  }

  /** What is stored has this number, so that a later answer needs a higher one. @param {number} seq */
  known(seq) {
    this.seq = Math.max(this.seq, seq);
  }

  async run() {
    if (this.busy) return;
    this.busy = true;
    let failed = 0;
    while (this.wish) {
      const ballot = this.wish;
      const answer = await this.post(ballot);
      // changed meanwhile: only the newest counts
      if (this.wish !== ballot) continue;
      if (isPassing(answer)) {
        this.tell("waiting", ballot, answer.body);
        await this.rest(backoff(failed++));
        continue;
      }
      const stored = answer.body.stored;
      if (answer.status === 200 && stored.seq > ballot.seq) {
        // another window of this phone was ahead; what was pressed last counts
        this.known(stored.seq);
        this.wish = { ...ballot, seq: ++this.seq };
        continue;
      }
      this.wish = null;
      this.tell(answer.status === 200 ? "sent" : "refused", ballot, answer.body);
    }
    this.busy = false;
  }

  /** @param {number} ms */
  rest(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => { clearTimeout(timer); resolve(null); };
    });
  }
}
