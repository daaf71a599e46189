// @ts-check
/** Who can join: the door, the refusals of those who could not, and devices that came in a burst. */

import { fill, make, makeButton, say } from "./common.js";

/** Refusals that say something to the teacher, in the order of their importance. */
const REFUSALS = ["address_full", "class_full", "address_streams_full", "streams_full", "joins_too_fast", "locked"];

export class Door {
  /**
   * @param {Record<string, string>} words
   * @param {(what: object) => void} change
   * @param {(burst: import("./staff.js").Burst) => void} remove
   */
  constructor(words, change, remove) {
    this.words = words;
    this.remove = remove;
    this.locked = /** @type {HTMLInputElement} */ (make("input"));
    this.locked.type = "checkbox";
    this.locked.addEventListener("change", () => change({ locked: this.locked.checked }));
    this.most = 0;
    this.shown = "[]";
    this.more = makeButton("plain", () => change({ per_address: this.most }), "");
    this.refusals = make("ul", "refusals");
    this.refusals.setAttribute("role", "status");
    this.bursts = make("ul", "bursts");
    this.element = make("section", "box", make("h2", "", words.door),
      make("label", "check", this.locked, ` ${words.door_locked}`), this.refusals, this.more, this.bursts);
  }

  /** @param {import("./staff.js").Place} place */
  show({ counts, refused = {} }) {
    const { words } = this;
    const { door } = counts;
    if (!door) return;
    this.locked.checked = door.locked;
    this.most = door.most;
    const sentences = REFUSALS.filter((key) => refused[key]).map((key) =>
      fill(words[`refused_${key}`], { n: refused[key], most: key === "address_full" ? door.per_address : door.most }));
    // a screen reader reads only what changed
    if (sentences.join() !== [...this.refusals.children].map((line) => line.textContent).join()) {
      this.refusals.replaceChildren(...sentences.map((sentence) => make("li", "", sentence)));
    }
    // all of one school can come from one address
    this.more.hidden = door.per_address >= door.most || (door.largest < door.per_address && !refused.address_full);
    say(this.more, fill(words.door_more, { most: door.most }));
    const bursts = JSON.stringify(door.bursts);
    if (bursts === this.shown) return;
    this.shown = bursts;
    this.bursts.replaceChildren(...door.bursts.map((burst) => make("li", "",
      fill(words.burst, { n: burst.devices, seconds: Math.max(1, Math.round((burst.last - burst.first) / 1000)) }), " ",
      makeButton("plain", () => this.remove(burst), fill(words.remove, { n: burst.devices })))));
  }
}
