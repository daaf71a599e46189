// @ts-check
/** What all pages of a class share: what the server told them, requests, the stream, small elements. */

/**
 * @typedef {{language: string, base: string, words: Record<string, string>} & Record<string, any>} PageData
 * @typedef {{status: number, body: any}} Answer
 * @typedef {{state: (state: any) => void, ended: (why: string) => void, lost: (away: boolean) => void,
 *   renew: (refusal: Answer) => Promise<boolean>}} Listener
 *   ended: the server ended the stream, because the class is "gone", or the device was "removed" or "replaced"
 *   renew: asked for when the stream was refused; whether it may be opened again
 */

const PATIENCE_MS = 12_000;
/** A stream that comes back within this time was never noticed to be away. */
const UNNOTICED_MS = 2_500;
const LONGEST_MS = 15_000;
/** How long to wait after a break until the server has said how long. */
const DELAY_MS = 2_000;
/** Without any byte for so long a stream is dead. */
const SILENT_MS = 40_000;
/** Pixels of the rooms that pictures are drawn for: see showing.py. */
const HEIGHTS = [160, 200, 250, 320, 400, 500, 640];

/** The step at which a reveal stands at its end, and the one at which its movement plays to it: see phases.py. */
export const STANDS = 10_000_000;
export const PLAYED = STANDS + 1;

/** @returns {PageData} what stands in the page */
export function readPageData() {
  return JSON.parse(document.getElementById("page-data")?.textContent ?? "{}");
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
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

/**
 * @param {string} name
 * @param {() => void} press
 * @param {...(Node | string)} children
 * @returns {HTMLButtonElement}
 */
export function makeButton(name, press, ...children) {
  const button = /** @type {HTMLButtonElement} */ (make("button", name, ...children));
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

/**
 * A cell of a question as people read it: the tensor that it is in, and its index, such as [1, 2],
 * which is empty in a tensor without dimensions.
 * @param {string} answer the cell's number through all tensors
 * @param {{name: string, sizes: number[]}[]} tensors
 * @param {Record<string, string>} words
 */
export function cellText(answer, tensors, words) {
  let flat = Number(answer);
  if (flat < 0) return words.constant;
  for (const { name, sizes } of tensors) {
    const count = sizes.reduce((product, size) => product * size, 1);
    const index = sizes.length ? `[${indexOf(flat, sizes).join(", ")}]` : "";
    if (flat < count) return `${tensors.length > 1 ? name : "in"}${index}`;
    flat -= count;
  }
  return answer;
}

/** @param {number} flat @param {number[]} sizes */
function indexOf(flat, sizes) {
  return [...sizes].reverse().map((size) => {
    const at = flat % size;
    flat = Math.floor(flat / size);
    return at;
  }).reverse();
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
  return text.replace(/[[{][-\d:, ]{1,40}[\]}]/g, (brackets) => brackets.replaceAll(" ", "\u00a0"));
}

/**
 * The operator and its settings, with a line for each of two settings that are compared.
 * @param {string} text
 */
export function settingLines(text) {
  return unbroken(text.replace(/ \u00b7 (?=[AB]: )/g, "\n"));
}

/**
 * Lines of code after their library's name, in a code font; they break between calls rather than within their brackets.
 * @param {string} text with each line of code after a library, or below it
 * @returns {(string | HTMLElement)[]}
 */
export function codeLines(text) {
  return text.split("\n").flatMap((line, k) => {
    const [, library, code] = /^((?:[AB]: )?[^\u00b7]+ \u00b7 )(.+)$/.exec(line)
      ?? (!k || /^[AB]: /.test(line) ? ["", line, ""] : ["", "", line]);
    const whole = code.replace(/[[({][^[\](){}]{1,40}[\])}]/g, (inner) => inner.replaceAll(" ", "\u00a0"));
    return [...(k ? ["\n"] : []), library, ...(code ? [make("code", "", whole.replace(/([)\]])\./g, "$1\u200b."))] : [])];
  });
}

/**
 * The height that a question's picture is drawn for; a little more than its room is scaled down.
 * @param {number} room pixels that it has
 */
export function drawnHeight(room) {
  return HEIGHTS.find((height) => height >= 0.9 * room) ?? HEIGHTS[HEIGHTS.length - 1];
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
  const address = new URL(link, "http://host/");
  const page = address.pathname.split("/").pop() ?? "";
  address.searchParams.set("lang", language);
  return `${base}/${encodeURIComponent(page)}${address.search}`;
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

  /** @returns {Record<string, string>} the secret, where there is one */
  headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /**
   * Status and JSON; status 0 if there was no response or not one of ours.
   * @param {string} address
   * @param {RequestInit & {headers: Record<string, string>}} asked
   * @returns {Promise<Answer>}
   */
  async send(address, asked) {
    const headers = { ...asked.headers, ...this.headers() };
    try {
      const answer = await fetch(address, { ...asked, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
      return { status: answer.status, body: await answer.json() };
    } catch {
      return { status: 0, body: {} };
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

/** A class's events, requested with the secret in a header; reconnects whenever the stream breaks. */
export class Feed {
  /**
   * @param {Api} api
   * @param {string} code
   * @param {Listener} listener
   */
  constructor(api, code, listener) {
    this.address = api.address(`/${code}/events`);
    this.headers = api.headers();
    this.listener = listener;
    this.failed = 0;
    this.delay = DELAY_MS;
    this.heard = performance.now();
    /** @type {AbortController | null} */
    this.stream = null;
    this.notice = 0;
    this.again = 0;
    // the server sends a sign of life more often
    setInterval(() => { if (performance.now() - this.heard > SILENT_MS) this.wake(); }, SILENT_MS / 8);
    this.open();
  }

  async open() {
    clearTimeout(this.again);
    this.stream?.abort();
    // the notice stays: what failed again has been away since it first failed
    const stream = this.stream = new AbortController();
    const patience = setTimeout(() => stream.abort(), PATIENCE_MS);
    this.heard = performance.now();
    /** @type {Answer | null} */
    let refusal = null;
    try {
      const answer = await fetch(this.address, { headers: this.headers, cache: "no-store", signal: stream.signal });
      clearTimeout(patience);
      if (answer.ok && answer.body) {
        this.well();
        await this.read(answer.body.getReader());
      } else refusal = { status: answer.status, body: await answer.json().catch(() => ({})) };
    } catch {
      // the network is away
    }
    clearTimeout(patience);
    if (stream !== this.stream) return;
    this.notice ||= window.setTimeout(() => this.listener.lost(true), UNNOTICED_MS);
    this.retry(refusal);
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async read(reader) {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.heard = performance.now();
      const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) this.take(event);
    }
  }

  /** @param {string} event its lines; a line that begins with a colon is a sign of life */
  take(event) {
    const fields = new Map(event.split("\n").map((line) => {
      const [name] = line.split(":", 1);
      return [name, line.slice(name.length + 1).trimStart()];
    }));
    if (fields.has("retry")) this.delay = Number(fields.get("retry"));
    const kind = fields.get("event");
    if (kind === "state") {
      this.well();
      this.listener.state(JSON.parse(fields.get("data") ?? "{}"));
    } else if (kind) {
      this.close();
      this.listener.ended(kind);
    }
  }

  well() {
    this.heard = performance.now();
    this.failed = 0;
    clearTimeout(this.notice);
    this.notice = 0;
    this.listener.lost(false);
  }

  /** @param {Answer | null} refusal why the stream was not opened; null where the connection broke */
  retry(refusal) {
    clearTimeout(this.again);
    const wait = refusal || this.failed ? backoff(this.failed) : this.delay;
    this.failed++;
    this.again = window.setTimeout(async () => {
      if (!refusal || (await this.listener.renew(refusal))) this.open();
    }, wait);
  }

  /** Check the stream after a sleep: it may look open but be dead. */
  wake() {
    if (this.stream) this.open();
  }

  close() {
    clearTimeout(this.again);
    clearTimeout(this.notice);
    this.notice = 0;
    this.stream?.abort();
    this.stream = null;
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
