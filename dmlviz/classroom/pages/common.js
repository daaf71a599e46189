// @ts-check
/** What all pages of a class share: what the server told them, requests, the stream, small elements. */

/**
 * @typedef {{language: string, base: string, words: Record<string, string>} & Record<string, any>} Told
 * @typedef {{status: number, told: any}} Answer
 * @typedef {{state: (state: any) => void, gone: () => void, lost: (away: boolean) => void,
 *   renew: () => Promise<boolean>}} Listener
 *   renew: asked for when the stream was refused; whether it may be opened again
 */

const PATIENCE_MS = 12_000;
/** A stream that comes back within this time was never noticed to be away. */
const UNNOTICED_MS = 2_500;
const LONGEST_MS = 15_000;

/** @returns {Told} what stands in the page */
export function readTold() {
  return JSON.parse(document.getElementById("told")?.textContent ?? "{}");
}

/**
 * @param {string} text with {names}
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/**
 * @param {string} tag
 * @param {string} name its class
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, name = "", ...children) {
  const found = document.createElement(tag);
  if (name) found.className = name;
  found.append(...children);
  return found;
}

/**
 * @param {string} name
 * @param {() => void} press
 * @param {...(Node | string)} children
 * @returns {HTMLButtonElement}
 */
export function makeButton(name, press, ...children) {
  const found = /** @type {HTMLButtonElement} */ (make("button", name, ...children));
  found.type = "button";
  found.addEventListener("click", press);
  return found;
}

/**
 * Set a text only if it changed, so that screen readers read it once.
 * @param {Node} node
 * @param {string} text
 */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A text that keeps each index and each list of sizes on one line.
 * @param {string} text
 */
export function unbroken(text) {
  return text.replace(/[[{][-\d:, ]{1,40}[\]}]/g, (found) => found.replaceAll(" ", "\u00a0"));
}

/**
 * The operator and its settings, with a line for each of two settings that are compared.
 * @param {string} text
 */
export function settingLines(text) {
  return unbroken(text.replace(/ \u00b7 (?=[AB]: )/g, "\n"));
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/**
 * How long to wait before a retry; it is random, so that phones do not all retry at once.
 * @param {number} failed times it has failed
 */
export function backoff(failed) {
  return Math.min(LONGEST_MS, 400 * 2 ** Math.min(failed, 6)) * (0.6 + 0.8 * Math.random());
}

/**
 * The address of a link within this app only.
 * @param {string} base
 * @param {string} link
 * @param {string} language
 */
export function ownLink(base, link, language) {
  const found = new URL(link, "http://host/");
  const page = found.pathname.split("/").pop() ?? "";
  found.searchParams.set("lang", language);
  return `${base}/${encodeURIComponent(page)}${found.search}`;
}

/** Requests to a class, in the page's language. */
export class Api {
  /**
   * @param {string} base
   * @param {string} language
   * @param {string} token of the wall or the teacher; a learner's device has a cookie
   */
  constructor(base, language, token = "") {
    this.base = base;
    this.language = language;
    this.token = token;
  }

  /**
   * @param {string} path below /class
   * @param {Record<string, string | number>} query
   */
  address(path, query = {}) {
    const all = Object.entries({ ...query, lang: this.language });
    const words = new URLSearchParams(all.map(([name, value]) => [name, String(value)]));
    return `${this.base}/class${path}?${words}`;
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {string} method
   */
  post(path, body = {}, method = "POST") {
    return this.send(this.address(path), {
      method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
    });
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number>} query
   */
  get(path, query = {}) {
    return this.send(this.address(path, query), { headers: {} });
  }

  /**
   * Status and JSON; status 0 if there was no response or not one of ours.
   * @param {string} address
   * @param {RequestInit & {headers: Record<string, string>}} asked
   * @returns {Promise<Answer>}
   */
  async send(address, asked) {
    if (this.token) asked.headers.Authorization = `Bearer ${this.token}`;
    try {
      const answer = await fetch(address, { ...asked, signal: AbortSignal.timeout(PATIENCE_MS) });
      return { status: answer.status, told: await answer.json() };
    } catch {
      return { status: 0, told: {} };
    }
  }
}

/**
 * Whether the same request can be sent again.
 * @param {Answer} answer
 */
export function isPassing({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/** A class's events; reconnects whenever the stream breaks. */
export class Feed {
  /**
   * @param {string} address
   * @param {Listener} listener
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
    this.failed = 0;
    this.heard = performance.now();
    /** @type {EventSource | null} */
    this.source = null;
    this.notice = 0;
    this.again = 0;
    this.open();
  }

  open() {
    this.close();
    const source = this.source = new EventSource(this.address);
    source.addEventListener("open", () => this.well());
    source.addEventListener("state", (event) => {
      this.well();
      this.listener.state(JSON.parse(event.data));
    });
    source.addEventListener("gone", () => {
      this.close();
      this.listener.gone();
    });
    source.addEventListener("error", () => {
      this.notice ||= window.setTimeout(() => this.listener.lost(true), UNNOTICED_MS);
      // a browser reconnects by itself, except after a refusal
      if (source.readyState === EventSource.CLOSED) this.retry();
    });
  }

  well() {
    this.heard = performance.now();
    this.failed = 0;
    clearTimeout(this.notice);
    this.notice = 0;
    this.listener.lost(false);
  }

  retry() {
    clearTimeout(this.again);
    this.again = window.setTimeout(async () => {
      if (await this.listener.renew()) this.open();
    }, backoff(this.failed++));
  }

  /** Check the stream after a sleep: it may look open but be dead. */
  wake() {
    if (this.source) this.open();
  }

  close() {
    clearTimeout(this.again);
    clearTimeout(this.notice);
    this.notice = 0;
    this.source?.close();
    this.source = null;
  }
}

/**
 * Minutes and seconds, counted up to the full second.
 * @param {number} ms
 */
export function clockText(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
