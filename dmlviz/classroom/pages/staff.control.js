// @ts-check
/** Leads a class: what the teacher's page and a wall with controls can change, and the keys for it. */


/** Clickers send PageDown, PageUp, a period and F5. @type {Record<string, (control: Control) => void>} */
const KEYS = {
  " ": (control) => control.forward(),
  ArrowRight: (control) => control.forward(),
  ArrowLeft: (control) => control.backward(),
  PageDown: (control) => control.forward(),
  PageUp: (control) => control.backward(),
  ".": (control) => control.use("pause"),
  "+": (control) => control.use("more"),
  "=": (control) => control.use("more"),
  F5: (control) => control.press("F5"),
};

/** Of letters the place counts, because a Korean keyboard gives others. @type {Record<string, (control: Control) => void>} */
const LETTERS = {
  KeyB: (control) => control.use("bars"),
  KeyQ: (control) => control.use("invite"),
  KeyR: (control) => control.press("R"),
};

/** Nobody types these into a field of a number. */
const ANYWHERE = [" ", "PageDown", "PageUp", "F5"];

/** @typedef {{what: object, seen: string | null}} Change what is sent, and the moment of the class that was in view */

/**
 * Where a class is: a move from here makes no sense anywhere else.
 * @param {import("./staff.js").Place} place
 */
function momentOf({ number, phase }) {
  return `${number} ${phase}`;
}

export class Control {
  /**
   * @param {import("./common.js").Api} api with the teacher's secret
   * @param {string} code
   * @param {Record<string, string>} words
   * @param {(sentence: string) => void} complain
   */
  constructor(api, code, words, complain) {
    this.api = api;
    this.code = code;
    this.words = words;
    this.complain = complain;
    /** @type {import("./staff.js").Place | null} */
    this.place = null;
    /** of the movement that is shown */
    this.steps = 0;
    /** the number of the last question that has nothing to play */
    this.still = -1;
    this.busy = false;
    /** @type {Change[]} what is still to be sent, in order */
    this.waiting = [];
    this.tabbed = false;
    /** @type {Element | null} the button that Space presses in any case */
    this.next = null;
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => { this.tabbed = false; });
  }

  /**
   * The class's state.
   * @param {import("./staff.js").Place} place
   */
  at(place) {
    this.place = place;
    this.send();
  }

  /** The class is gone. */
  leave() {
    this.place = null;
    this.waiting = [];
  }

  /** @param {object} what */
  change(what) {
    // pressed twice, a key does not go on twice
    if (this.busy && "to" in what) return;
    this.waiting.push({ what, seen: this.place && momentOf(this.place) });
    this.send();
  }

  /** Send what waits, one after another, each with the version of the state that is known then. */
  async send() {
    while (this.place && !this.busy && this.waiting.length) {
      const [{ what, seen }] = this.waiting;
      const { version } = this.place;
      if (seen !== null && "to" in what && momentOf(this.place) !== seen) {
        this.waiting.shift();
        this.complain(this.words.moved_on);
        continue;
      }
      this.busy = true;
      const answer = await this.api.post(`/${this.code}/phase`, { version, ...what });
      this.busy = false;
      if (!this.place) return;
      if (answer.status !== 200 && answer.body.error === "stale") {
        // somebody else changed the class: the state that says how is on its way, or here already
        if (this.place.version === version) return;
        continue;
      }
      this.waiting.shift();
      if (answer.status === 200) {
        this.complain("");
        // the stream's state arrives a moment later
        this.place = { ...this.place, ...answer.body };
      } else this.complain(answer.body.message ?? this.words.offline);
    }
  }

  /** What the one key does, if it does anything; a question without a movement has nothing to play. */
  get main() {
    const { place, still } = this;
    return place?.actions.find(({ main, plays }) => main && !(plays && still === place.number));
  }

  /** What can follow beside that. */
  get others() {
    const { main } = this;
    return (this.place?.actions ?? []).filter((action) => action !== main && !action.plays);
  }

  /** @param {import("./staff.js").Action} [action] */
  act(action) {
    if (action) this.change(action.change);
  }

  forward() {
    this.act(this.main);
  }

  /** @param {string} key of an action */
  press(key) {
    this.act(this.place?.actions.find((action) => action.key === key));
  }

  /** What can be undone: a step of the movement, or a vote that was closed. */
  backward() {
    const { place } = this;
    const at = Math.min(place?.step ?? 0, this.steps);
    if (place?.layout === "revealed" && at > 0) this.change({ step: at - 1 });
    else this.act(place?.actions.find(({ reopens }) => reopens));
  }

  /** @param {string} name of what is not always possible */
  can(name) {
    return Boolean(this.place?.can[name]);
  }

  /** @param {string} name */
  use(name) {
    const change = this.place?.can[name];
    if (change) this.change(change);
  }

  /**
   * One key for what comes next, whatever has the focus.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.key === "Tab") this.tabbed = true;
    if (!this.place || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = /** @type {HTMLElement} */ (event.target);
    // who walks the page with Tab presses its controls with Space
    const pressed = event.key === " " && this.tabbed && at !== this.next && at.closest("button, a, summary, input, select");
    const field = event.key.startsWith("Arrow") ? "input:not([type=checkbox])" : "input:not([type=checkbox]), select";
    const typed = !ANYWHERE.includes(event.key) && at.closest(field);
    const act = pressed || typed ? undefined : KEYS[event.key] ?? LETTERS[event.code];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act(this);
  }
}
