// @ts-check
/** The speaker's view beside Present: it follows the window that presents, and leads it. */

/** The channel of both windows of a browser: see wall_stage.js. */
const CHANNEL = "dmlviz-present";

/**
 * @typedef {{series: string, at: number, count: number, minutes: number,
 *   words: {previous: string, next: string, reveal: string, time: string, alone: string, together: string}}} Data
 *   series: a name of the series that both windows show; count: 0 if it is endless
 * @typedef {{data: Data, parentElement: HTMLElement, setTriggerValue: (name: string, value: any) => void}} Component
 */

/** @param {Component} component */
export default function (component) {
  const root = /** @type {any} */ (component.parentElement);
  const speaker = (root.dmlvizSpeaker ??= new Speaker(root));
  speaker.show(component);
  return () => speaker.close();
}

class Speaker {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Component | null} */
    this.component = null;
    this.at = 0;
    this.began = Date.now();
    this.joined = false;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => this.heard(data);
    this.time = document.createElement("strong");
    this.time.className = "dmlviz-speaker-time";
    this.state = document.createElement("span");
    this.buttons = ["previous", "reveal", "next"].map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => this.press(name));
      return button;
    });
    this.bar = document.createElement("div");
    this.bar.className = "dmlviz-speaker";
    this.bar.append(...this.buttons, this.time, this.state);
    root.append(this.bar);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    window.addEventListener("keydown", this.onKey);
    this.timer = window.setInterval(() => this.tick(), 1000);
  }

  /** @param {Component} component */
  show(component) {
    const { data } = (this.component = component);
    const { words } = data;
    [words.previous, words.reveal, words.next].forEach((text, i) => (this.buttons[i].textContent = text));
    this.buttons[0].disabled = data.at <= 1;
    this.buttons[2].disabled = data.count > 0 && data.at >= data.count;
    if (this.at !== data.at) this.began = Date.now();
    this.at = data.at;
    this.tick();
    if (!this.joined) this.channel.postMessage({ kind: "hello", series: data.series });
  }

  /** @param {any} message from the window that presents */
  heard(message) {
    const { component } = this;
    if (!component || message?.kind !== "at" || message.series !== component.data.series) return;
    this.joined = true;
    this.tick();
    if (Number.isInteger(message.at) && message.at !== this.at) this.turn(message.at);
  }

  /** @param {string} name of a button */
  press(name) {
    const { component } = this;
    if (!component) return;
    const { series } = component.data;
    if (name === "reveal") {
      this.channel.postMessage({ kind: "reveal", series });
      return;
    }
    const at = this.at + (name === "next" ? 1 : -1);
    if (at < 1 || (component.data.count && at > component.data.count)) return;
    this.channel.postMessage({ kind: "go", series, at });
    this.turn(at);
  }

  /** @param {number} at the question to show here */
  turn(at) {
    this.at = at;
    this.began = Date.now();
    this.component?.setTriggerValue("at", String(at));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    // a presenter's remote control does what it does in the window that presents
    const way = { PageDown: "forward", PageUp: "back" }[event.key];
    const name = { n: "next", p: "previous", r: "reveal", PageDown: "next", PageUp: "previous" }[event.key];
    if (!name) return;
    event.preventDefault();
    if (event.repeat) return;
    if (way && this.joined) this.channel.postMessage({ kind: way, series: this.component?.data.series });
    else this.press(name);
  }

  /** Minutes and seconds of this question, of those planned. */
  tick() {
    const { component } = this;
    if (!component) return;
    const { minutes, words } = component.data;
    const seconds = Math.floor((Date.now() - this.began) / 1000);
    const passed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.time.textContent = minutes ? words.time.replace("{passed}", passed) : passed;
    this.time.dataset.late = String(minutes > 0 && seconds > 60 * minutes);
    this.state.textContent = this.joined ? words.together : words.alone;
  }

  close() {
    if (this.root.isConnected) return;
    window.clearInterval(this.timer);
    window.removeEventListener("keydown", this.onKey);
    this.channel.close();
  }
}
