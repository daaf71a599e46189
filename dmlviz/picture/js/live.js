// @ts-check
/** A page that no server answers: still, until a reader touches a control; then Python runs in the browser. */

import { keepQuiet, linkWithLook, linkWithoutLook, lookInLink, takeLook } from "./address.js";
import { make, makeButton } from "./dom.js";
import { Form } from "./form.js";
import { makeGridRow } from "./grid.js";
import { mount } from "./mount.js";
import { makePictureRow } from "./own_picture.js";
import { PINNED } from "./pins.js";
import { roomBelow, tellSize } from "./page.js";
import { bytesOf, pngOf, saveFile } from "./saving.js";
import { Sections } from "./sections.js";
import { openSharing } from "./sharing.js";
import { rowKeeper } from "./typed_text.js";

/**
 * @typedef {import("./page_data.js").Page} Page
 * The page as it was written: its operator, its own state, the titles of its sections and its files.
 * @typedef {{page: string, language: string, edition: string, files: string[], bytes: Record<string, number>,
 *   words: Record<string, string>, shown: Page, sections: Record<string, string>,
 *   saves: [string, string][], posed?: Posed}} Written
 * A question for a room, and the addresses of those before and after it, empty where there is none.
 * @typedef {{wall: import("./wall_stage.js").WallContent, turns: Record<string, string>}} Posed
 */

const PRESENT = "present=true";

/** @param {string} link @returns {string} without the word that opens it for a room */
function withoutPresent(link) {
  const [page, words = ""] = link.split(/\?(.*)/s);
  const kept = words.split("&").filter((part) => part && part !== PRESENT);
  return kept.length ? `${page}?${kept.join("&")}` : page;
}

/** @param {string} link @returns {string} with that word */
const withPresent = (link) => `${link}${link.includes("?") ? "&" : "?"}${PRESENT}`;

/**
 * What a page shows as it was written.
 * @param {Written} page
 * @param {import("./data.js").Payload} picture
 * @param {string} check
 * @param {string} settings
 * @returns {Page}
 */
function shownAsWritten(page, picture, check, settings) {
  return { ...page.shown, picture, look: /** @type {any} */ (picture).look ?? {}, check, settings };
}

/** Open the page of an operator that the address of the gallery names. */
function leadOn() {
  const page = /^#\/([a-z0-9-]+)(?:\?|$)/.exec(window.location.hash)?.[1];
  const edition = /\.([a-z]+)\.html$/.exec(window.location.pathname)?.[1];
  if (page) window.location.replace(`${page}${edition ? `.${edition}` : ""}.html${window.location.hash}`);
}

/** Make this page live as soon as somebody touches a control of it. */
export function startLive() {
  const written = document.getElementById("live");
  const picture = document.getElementById("payload");
  if (!written || !picture) {
    leadOn();
    return;
  }
  const page = /** @type {Written} */ (JSON.parse(written.textContent ?? ""));
  new Live(page).begin(JSON.parse(picture.textContent ?? ""));
}

class Live {
  /** @param {Written} page */
  constructor(page) {
    this.page = page;
    this.words = page.words;
    this.shown = page.shown;
    this.link = page.shown.link;
    /** The paths of the page that was loaded, and of the one that is shown, which may be another question's. */
    this.path = this.begun = window.location.pathname;
    /** @type {[string, string][]} parameters and texts that Python has not read yet */
    this.changes = [];
    /** @type {[string, string][]} those that it refused, which stay in their controls */
    this.refused = [];
    this.opened = 0;
    /** @type {Map<string, Record<string, any>>} what else Python is to make of the state, by name */
    this.wanted = new Map();
    this.busy = false;
    this.ready = false;
    this.presented = false;
    /** @type {Worker | null} */
    this.worker = null;
    const { href } = window.location;
    /** Whether the browser lets this page have an address of its own. */
    this.served = href.startsWith("http");
    this.stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
    this.check = /** @type {HTMLElement} */ (document.getElementById("check"));
    this.settings = /** @type {HTMLElement} */ (document.querySelector("header > span"));
    this.form = new Form((name, text) => this.change(name, text), { grid: makeGridRow, file: makePictureRow }, rowKeeper(/** @type {any} */ (page.words)));
    this.bar = /** @type {HTMLProgressElement} */ (make("progress", ""));
    this.bar.hidden = true;
    this.status = make("p", "dmlviz-live-status");
    this.status.role = "status";
    this.sections = new Sections(page.sections, {
      words: this.words,
      ask: (name) => this.want(name, { section: name, pinned: this.player?.pins.pins.at(-1) ?? -1 }),
      address: (link) => this.address(link),
    });
    document.addEventListener(PINNED, () => this.sections.renew("formula"));
    this.files = make("details", "dmlviz-live-section", make("summary", "", this.words.files), make("p", "dmlviz-live-note", this.words.moment));
    this.files.append(make("p", "dmlviz-live-files", ...page.saves.map(([ending, title]) => makeButton(title, "", () => this.save(ending), title))));
    this.sections.element.append(this.files);
    /** @type {(code: import("./sharing.js").Code) => void} */
    this.scanned = () => {};
    this.notes = make("div", "dmlviz-live-notes");
    this.notes.role = "status";
  }

  /** @param {import("./data.js").Payload} picture that the page was written with */
  begin(picture) {
    const [check, settings] = [this.check, this.settings].map(({ textContent }) => textContent ?? "");
    this.page.shown = shownAsWritten(this.page, picture, check, settings);
    const side = /** @type {HTMLElement} */ (document.getElementById("form"));
    side.append(make("div", "dmlviz-live-load", this.status, this.bar), this.form.element);
    this.stage.before(this.notes);
    this.check.after(this.sections.element);
    this.status.textContent = this.words.still;
    this.draw(this.page.shown);
    const touched = (/** @type {Event} */ event) => {
      const control = event.target instanceof Element && event.target.closest("input, select, textarea, button");
      if (control) this.load();
    };
    for (const kind of ["pointerdown", "input", "change"]) this.form.element.addEventListener(kind, touched, { capture: true });
    window.addEventListener("popstate", () => this.follow());
    const other = /** @type {HTMLAnchorElement | null} */ (document.getElementById("other"));
    other?.addEventListener("click", () => { other.hash = window.location.hash; });
    // only the stage, inside another page
    if (new URLSearchParams(window.location.search).get("embed") === "true") {
      document.documentElement.classList.add("dmlviz-embedded");
      tellSize(document.body);
    }
    this.follow();
  }

  /** Show what the address says, if that is another state. */
  follow() {
    if (window.location.pathname !== this.path) return window.location.reload();
    const link = this.linkOfAddress();
    const [, page] = /^\/([a-z0-9-]+)/.exec(link) ?? [];
    if (page && page !== this.page.page) window.location.replace(`${this.file(page)}#${link}`);
    else if (linkWithoutLook(link) !== linkWithoutLook(this.link)) this.open(link);
    else {
      if (this.presents() !== this.presented) this.draw(this.shown);
      // a question for a room begins as it was written
      const look = this.player && !(this.presents() && this.posed()) ? lookInLink(this.player, link) : null;
      if (look) takeLook(/** @type {import("./player.js").Player} */ (this.player), look, true);
    }
  }

  /** @param {string} page of an operator @returns {string} its file in this page's language */
  file(page) {
    const { edition } = this.page;
    return edition ? `${page}.${edition}.html` : `${page}.html`;
  }

  linkOfAddress() {
    const { hash } = window.location;
    return hash.startsWith("#/") ? withoutPresent(hash.slice(1)) : this.page.shown.link;
  }

  /** Whether the address opens the view for a room. */
  presents() {
    return withoutPresent(window.location.hash) !== window.location.hash;
  }

  /** @param {string} link of a state of this operator */
  open(link) {
    this.link = link;
    this.opened++;
    this.changes = [];
    this.refused = [];
    this.fresh = true;
    // the address is that of what comes
    if (this.player) keepQuiet(this.player);
    this.load();
    this.send();
  }

  /** @param {string} name @param {string} text */
  change(name, text) {
    if (name === "preset") {
      if (text) this.push(text);
      if (text) this.open(text);
      return;
    }
    // a picture has colors of its own
    if (/own_picture(_channels)?$/.test(name)) this.opened++;
    this.changes = [...this.changes.filter(([other]) => other !== name), [name, text]];
    this.load();
    this.send();
  }

  /** Start Python, once; again after a failure. */
  load() {
    if (this.worker) return;
    const { words } = this;
    if (!this.served) return this.fail(words.disk);
    if (!("Worker" in window && "WebAssembly" in window && "TransformStream" in window)) return this.fail(words.old);
    this.progress(0, "python");
    try {
      this.worker = new Worker(new URL("worker.js", document.baseURI));
    } catch {
      return this.fail(words.blocked);
    }
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(words.missing.replace("{reason}", event.message ?? "worker.js"));
    };
    this.worker.postMessage({ start: this.page.files });
  }

  /** @param {any} data what the worker says */
  hear(data) {
    if (data.loaded !== undefined) this.progress(data.loaded, data.part);
    else if (data.starting) this.wait(this.words.starting);
    else if (data.failed) this.fail(this.words[data.failed].replace("{reason}", data.reason));
    else if (data.ready) {
      this.ready = true;
      this.send();
      if (!this.busy) this.rest();
    } else {
      this.bar.hidden = true;
      const shown = JSON.parse(new TextDecoder().decode(data.shown));
      if (shown.section) this.sections.show(shown.section, shown.blocks);
      else if (shown.file) this.keep(shown.file);
      else if (shown.code) this.scanned(shown.code);
      else return this.take(shown);
      this.busy = false;
      this.rest();
      this.send();
    }
  }

  /** @param {string} name @param {Record<string, any>} request of something that is made of the state */
  want(name, request) {
    this.wanted.set(name, request);
    this.load();
    this.send();
  }

  /** @param {string} ending of the name of a file that Python makes of what is shown */
  save(ending) {
    const { clock, color, root } = /** @type {import("./player.js").Player} */ (this.player);
    this.want("file", { file: ending, step: clock.t, colors: color, dark: root.dataset.theme === "dark" });
  }

  /** @param {{name: string, data: string, problem: string}} file in base64, or why there is none */
  async keep({ name, data, problem }) {
    if (problem) this.status.textContent = problem;
    if (!data) return;
    const drawing = name.endsWith(".png") || name.endsWith(".svg");
    const file = new Blob([bytesOf(data)], { type: drawing ? "image/svg+xml" : "application/octet-stream" });
    saveFile(name, name.endsWith(".png") ? await pngOf(file) : file);
  }

  /** Ask for the newest state, unless an answer is still to come. */
  send() {
    if (!this.ready || this.busy) return;
    const { language } = this.page;
    if (!this.changes.length && !this.fresh) {
      const [name, wanted] = this.wanted.entries().next().value ?? [];
      if (!name) return;
      this.wanted.delete(name);
      this.busy = true;
      this.worker?.postMessage({ link: this.link, ...wanted, language });
      return;
    }
    this.busy = true;
    const changes = [...this.refused.filter(([name]) => !this.changes.some(([other]) => other === name)), ...this.changes];
    this.pushes = this.changes.length > 0;
    this.changes = [];
    this.fresh = false;
    this.stage.ariaBusy = "true";
    this.worker?.postMessage({ link: this.link, changes, language });
  }

  /** @param {Page} shown */
  take(shown) {
    this.busy = false;
    if (this.fresh) return this.send();
    this.link = shown.link;
    this.refused = shown.refused;
    if (this.changes.length) return this.send();
    this.rest();
    if (this.pushes && !shown.unaddressed) this.push(this.player ? linkWithLook(this.player, shown.link) : shown.link);
    this.draw(shown);
  }

  /** @param {string} link that the address has from now on */
  push(link) {
    if (this.presents()) link = withPresent(link);
    if (window.location.hash !== `#${link}`) window.history.pushState(null, "", `#${link}`);
  }

  /** @param {Page} shown */
  draw(shown) {
    this.shown = shown;
    this.form.load(shown.groups);
    this.tell(shown);
    this.stage.ariaBusy = "false";
    this.stage.inert = !shown.picture;
    for (const one of [this.stage, this.check, this.settings]) one.classList.toggle("dmlviz-outdated", !shown.picture);
    if (!shown.picture) return;
    this.sections.hide(Boolean(shown.predict));
    this.sections.renewAll();
    this.check.textContent = shown.check;
    this.settings.textContent = shown.settings;
    const { Plotly } = /** @type {any} */ (window);
    const presents = this.presents();
    if (presents !== this.presented) {
      // what stands around the stage is another
      this.player?.destroy();
      /** @type {any} */ (this.stage).dmlviz = null;
      this.presented = presents;
      document.documentElement.classList.toggle("dmlviz-presenting", presents);
    }
    this.player = mount(this.stage, shown.picture, {
      plotly: Plotly,
      room: () => roomBelow(this.stage),
      keys: true,
      predict: presents ? null : shown.predict,
      present: presents ? this.posed()?.wall ?? { ...shown.wall, runs: shown.settings } : null,
      ask: (name, value) => this.hearStage(name, value),
      link: { page: this.page.page, opened: this.opened, writes: this.served, shares: this.served, view: shown.look, program: shown.program, home: this.link },
    });
  }

  /** What the player asks for. @param {string} name @param {any} value */
  hearStage(name, value) {
    if (name === "share") this.share();
    else if (name === "present") this.present();
    else if (name === "scan") this.scan(value);
    else if (name === "turn") this.turn(this.posed()?.turns[value] ?? "");
    else this.change(name, String(value));
  }

  /** Show it to a room, or to one person again. */
  present() {
    const { shown } = this;
    if (!this.presents() && shown.unaddressed) {
      this.status.textContent = shown.unaddressed;
      return;
    }
    const here = window.location.hash.slice(1) || this.link;
    if (this.path !== this.begun) {
      window.history.replaceState(null, "", `#${withoutPresent(here)}`);
      window.location.reload();
      return;
    }
    // a page from the disk gets an address only by being led there
    window.location.hash = this.presents() ? withoutPresent(here) : withPresent(here);
  }

  /** The page's question for a room, while its own state is shown. */
  posed() {
    return linkWithoutLook(this.link) === linkWithoutLook(this.page.shown.link) ? this.page.posed : undefined;
  }

  /** Another page's question, in this window, which may fill the screen. @param {string} address */
  async turn(address) {
    if (!address) return;
    if (!this.served) return window.location.assign(address);
    try {
      const text = await (await fetch(address.split("#")[0])).text();
      const other = new DOMParser().parseFromString(text, "text/html");
      const [page, picture, check, settings] = ["#live", "#payload", "#check", "header > span"].map((name) => other.querySelector(name)?.textContent ?? "");
      this.page = JSON.parse(page);
      this.page.shown = shownAsWritten(this.page, JSON.parse(picture), check, settings);
      this.link = this.page.shown.link;
      this.opened++;
      window.history.pushState(null, "", address);
      this.path = window.location.pathname;
      this.draw(this.page.shown);
    } catch {
      window.location.assign(address);
    }
  }

  /** @param {string} search what the address says now, for which the room's QR code is made */
  scan(search) {
    const { player } = this;
    if (!player) return;
    // learners answer a question on its page
    const address = this.posed() ? window.location.href.split(/[?#]/)[0] : this.address(linkWithLook(player, this.link));
    this.scanned = (code) => player.wall?.take({ ...code, search });
    this.want("code", { address });
  }

  /** The preset's question, and what is wrong. @param {Page} shown */
  tell({ question, answer, notes, problems, place, link }) {
    const { words } = this;
    const lines = notes.map((note) => make("p", "", note));
    if (link !== this.page.shown.link && !question) {
      const back = /** @type {HTMLAnchorElement} */ (make("a", "", words.back));
      back.href = `#${this.page.shown.link}`;
      lines.push(make("p", "dmlviz-live-own", words.own, " ", back));
    }
    if (question && link !== this.page.shown.link) {
      const fold = make("details", "", make("summary", "", words.answer), make("p", "", answer));
      lines.push(make("p", "dmlviz-live-question", question), fold);
    }
    if (problems.length) {
      const list = make("ul", "", ...problems.map((problem) => make("li", "", problem)));
      lines.push(make("p", "", words.problems), list);
      if (place) lines.push(make("pre", "", place));
    }
    this.notes.replaceChildren(...lines);
  }

  /** @param {string} link @returns {string} the address of its page in this page's language */
  address(link) {
    const page = /^\/?([a-z0-9-]+)/.exec(link)?.[1] ?? "";
    return new URL(`${this.file(page)}#/${link.replace(/^\//, "")}`, window.location.href.split(/[?#]/)[0]).href;
  }

  share() {
    const { player, shown, words } = this;
    if (!player) return;
    const address = this.address(linkWithLook(player, this.link));
    this.scanned = openSharing(address, shown.unaddressed || shown.left_out, !shown.unaddressed, words, () => this.want("code", { address }));
  }

  /** @param {number} loaded bytes @param {string} part what they belong to: Python or the engine */
  progress(loaded, part) {
    this.status.classList.remove("dmlviz-problem");
    const done = Math.min(1, loaded / this.page.bytes[part]);
    this.bar.hidden = false;
    this.bar.value = done;
    this.report(this.words[part].replace("{percent}", String(Math.floor(100 * done))));
  }

  /** @param {string} text that is read beside the stage, too, while another state is awaited there */
  report(text) {
    this.status.textContent = text;
    if (this.fresh) this.notes.textContent = text;
  }

  /** @param {string} text */
  wait(text) {
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    this.report(text);
  }

  rest() {
    this.bar.hidden = true;
    this.status.textContent = this.words.live;
    document.documentElement.dataset.live = "true";
  }

  /** The page stays what it was, and says why. @param {string} text */
  fail(text) {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    this.busy = false;
    this.changes = [];
    this.wanted.clear();
    this.bar.hidden = true;
    this.report(text);
    this.fresh = false;
    this.status.classList.add("dmlviz-problem");
    this.form.load(this.shown.groups);
  }
}
