// @ts-check
/** The teacher's page: what is on, what to say, and one key for what comes next. */

import { Api, clockText, codeLines, fill, make, makeButton, ownLink, readPageData, say, settingLines, unbroken } from "./common.js";
import { answerText, csvButton, listen, readSecrets, rowsOf } from "./staff.js";
import { Bars } from "./staff.bars.js";
import { Control } from "./staff.control.js";
import { forgetClass, keep, keptClasses } from "./staff.kept.js";
import "./staff.theme.js";
import { Door } from "./teacher.door.js";
import { Hands } from "./teacher.hands.js";
import { OptionControls } from "./teacher.options.js";
import { People } from "./teacher.people.js";
import { Progress } from "./teacher.progress.js";
import { remoteBox } from "./teacher.remote.js";
import { Sentences } from "./teacher.sentences.js";

const CLOCKS = [0, 30, 45, 60, 90];

class Teacher {
  constructor() {
    const pageData = this.pageData = readPageData();
    this.words = pageData.words;
    this.code = pageData.code;
    const secrets = readSecrets("teacher", this.code);
    this.api = new Api(pageData.base, pageData.language, secrets.t);
    this.wallToken = secrets.w ?? "";
    this.secrets = secrets;
    /** @type {import("./staff.js").Question | null} */
    this.question = null;
    this.ends = 0;
    this.stepsOf = -1;
    /** the question that is shown, or the phase without one */
    this.asked = "";
    this.bars = new Bars(this.words);
    this.hands = new Hands(this.words, (round, counts) => this.api.post(`/${this.code}/hands`, {
      question: this.control.place?.number ?? 0, round, counts,
    }));
    const { words, api, code } = this;
    const control = this.control = new Control(api, code, words, (sentence) => this.complain(sentence));
    const change = (/** @type {object} */ what) => control.change(what);
    this.paused = makeButton("plain", () => control.use("pause"), words.pause);
    this.more = makeButton("plain", () => control.use("more"), words.more);
    const clock = this.clock = /** @type {HTMLSelectElement} */ (make("select"));
    for (const n of CLOCKS) clock.append(new Option(n ? fill(words.seconds, { n }) : words.no_clock, String(n)));
    clock.addEventListener("change", () => { change({ seconds: Number(clock.value) }); });
    this.wallBars = checkbox((bars) => change({ bars }));
    this.wallCode = checkbox((invites) => change({ invites }));
    this.remembered = checkbox((on) => this.remember(on));
    this.remembered.checked = keptClasses(pageData.days).some((one) => one.code === code && one.secrets.t === api.token);
    this.options = new OptionControls(words, (options) => change({ options }));
    this.people = new People(words, this.options.people, (person) =>
      this.remove({ device: person.device }, fill(words.remove_name_sure, { name: person.nickname })));
    this.progress = new Progress(words);
    this.sentences = new Sentences(words, (device) => this.hide(device));
    this.stepAt = make("span", "step-at");
    this.free = makeButton("plain", () => change({ step: control.place && control.place.step < 0 ? 0 : -1 }));
    const turn = (/** @type {number} */ by) => change({ step: Math.max(0, Math.min(control.place?.step ?? 0, control.steps) + by) });
    this.back = makeButton("plain", () => turn(-1), "◀");
    this.back.setAttribute("aria-label", words.step_back);
    this.ahead = makeButton("plain", () => turn(1), "▶");
    this.ahead.setAttribute("aria-label", words.step_forward);
    this.movement = make("section", "box", make("h2", "", words.movement), make("div", "buttons", this.back, this.stepAt, this.ahead), this.free);
    this.all = make("ol", "all");
    const links = this.links = this.kept();
    this.report = /** @type {Element} */ (links.firstElementChild);
    links.append(link(words.cards, api.address(`/${code}/cards`)));
    if (this.wallToken) {
      const wall = `${api.address(`/${code}/wall`)}#${new URLSearchParams({ t: this.wallToken })}`;
      links.prepend(link(words.open_wall, wall), link(words.open_single, `${wall}&${new URLSearchParams({ c: api.token })}`));
    }
    const copy = makeButton("plain", async () => {
      if (!(await copyText(this.repeatText()))) return;
      say(copy, words.copied);
      setTimeout(() => say(copy, words.copy), 2_000);
    }, words.copy);
    this.repeat = make("ol", "repeat");
    this.door = new Door(words, change, ({ origin, first, last, devices }) =>
      this.remove({ origin, first, last }, fill(words.remove_sure, { n: devices })));
    const controls = [
      make("section", "box", make("h2", "", words.controls),
        make("div", "buttons", this.paused, this.more),
        make("label", "field", make("span", "", words.clock), clock), this.options.clocks),
      make("section", "box", make("h2", "", words.open_wall),
        make("label", "check", this.wallBars, ` ${words.wall_bars}`),
        make("label", "check", this.wallCode, ` ${words.wall_code}`), this.options.looks),
      this.movement,
      this.door.element,
      this.people.element,
      this.hands.element,
      details(words.questions, this.all),
      make("section", "box", make("h2", "", words.links), links,
        make("label", "check", this.remembered, ` ${words.remember}`), details(words.repeat, this.repeat, copy)),
      remoteBox(api, code, words),
      makeButton("plain danger", () => this.forget(), words.delete),
    ];
    const page = this.page = /** @type {HTMLElement} */ (document.getElementById("page"));
    this.phase = make("p", "phase");
    this.phase.setAttribute("aria-live", "polite");
    /** @type {Record<string, HTMLElement>} */
    this.stats = {};
    /** @type {Record<string, HTMLElement>} */
    this.names = {};
    const stats = make("dl", "stats");
    for (const name of ["joined", "votes", "missing", "lost", "clock"]) {
      const value = this.stats[name] = make("dd");
      const term = this.names[name] = make("dt", "", words[`stat_${name}`]);
      stats.append(make("div", `stat stat-${name}`, value, term));
    }
    this.who = make("div", "who", make("strong", "code", this.code), this.phase);
    this.head = make("header", "head", this.who, stats);
    this.at = make("p", "at");
    this.settings = make("p", "settings");
    this.background = make("p", "background");
    this.prompt = make("h1", "prompt");
    this.answer = make("p", "answer");
    this.advice = make("p", "advice");
    this.tell = make("div", "tell");
    this.coming = make("div", "coming");
    this.now = make("section", "now", this.at, this.settings, this.background, this.prompt, this.answer, this.advice, this.bars.element, this.bars.legend, this.sentences.element, this.progress.element, this.tell, this.coming);
    this.side = make("aside", "side", ...controls);
    this.error = make("p", "error");
    this.error.setAttribute("role", "alert");
    this.error.hidden = true;
    this.next = control.next = makeButton("next", () => control.forward());
    this.others = make("div", "others");
    this.foot = make("footer", "foot", this.others, this.next);
    page.replaceChildren(this.head, make("div", "columns", this.now, this.side), this.error, this.foot);
    this.deleted = false;
    setInterval(() => this.tick(), 200);
    this.feed = listen(api, code, words, this);
    this.list();
  }

  /** All questions, to ask any of them and to repeat them later. */
  async list() {
    const { status, body } = await this.api.get(`/${this.code}/results`);
    if (status !== 200) return;
    this.all.replaceChildren(...body.rows.map((/** @type {any} */ row) => {
      const ask = makeButton("question", () => this.control.change(row.ask), `${row.number + 1}. ${row.prompt}`,
        make("span", "settings", row.settings));
      ask.title = this.words.ask_this;
      return make("li", "", ask);
    }));
    this.progress.questions = body.rows;
    const { base, language } = this.pageData;
    // a question without a picture has no page of its own
    const rows = body.rows.filter((/** @type {any} */ row) => row.repeat);
    this.repeat.replaceChildren(...rows.map((/** @type {any} */ row) =>
      make("li", "", link(row.prompt, ownLink(base, row.repeat, language)))));
    this.mark();
  }

  repeatText() {
    return [...this.repeat.querySelectorAll("a")].map((a, n) => `${n + 1}. ${a.textContent}\n${a.href}`).join("\n");
  }

  mark() {
    const { place } = this.control;
    [...this.all.children].forEach((item, n) => {
      item.classList.toggle("on", n === place?.number && place.layout !== "door");
    });
  }

  /** The report and the CSV, for as long as the data is kept. */
  kept() {
    const { api, code, words } = this;
    const hash = `#t=${encodeURIComponent(api.token)}`;
    return make("div", "links", link(words.report, `${api.address(`/${code}/report`)}${hash}`),
      csvButton(api, code, words, (sentence) => this.complain(sentence)),
      csvButton(api, code, words, (sentence) => this.complain(sentence), "answers"));
  }

  /** Nobody can join or vote any more; the results are there until their day, or were deleted. */
  async over() {
    const { status, body } = await this.api.get(`/${this.code}/results`);
    // its own end of the class reaches the page by the stream, too
    if (this.deleted) return;
    this.end(this.words.gone);
    if (status !== 200) return;
    const day = new Date(Date.now() + body.kept_ms).toLocaleDateString(this.pageData.language, { dateStyle: "long" });
    this.page.append(make("section", "kept", make("p", "", fill(this.words.kept, { day })), this.kept(),
      makeButton("plain danger", () => this.forget(), this.words.delete)), this.error);
  }

  /** @param {string} sentence */
  end(sentence) {
    this.control.leave();
    this.page.replaceChildren(make("p", "gone", sentence));
  }

  /** @param {string} sentence why nothing comes; empty if it does */
  away(sentence) {
    this.complain(sentence);
  }

  /** @param {string} sentence */
  complain(sentence) {
    say(this.error, sentence);
    this.error.hidden = !sentence;
  }

  /** @param {import("./staff.js").Place} place */
  show(place) {
    if ("question" in place) this.question = place.question ?? null;
    this.control.at(place);
    this.ends = place.left_ms === null ? 0 : performance.now() + place.left_ms;
    const { words, question } = this;
    const { counts, layout, self_paced: alone } = place;
    // wherever one has scrolled to, another question begins at its top
    const asked = ["door", "ended"].includes(layout) ? place.phase : String(place.number);
    if (this.asked && this.asked !== asked) window.scrollTo(0, 0);
    this.asked = asked;
    this.page.dataset.phase = place.phase;
    const talk = layout !== "door" && question?.input === "";
    const name = place.note;
    document.title = `${this.code} · ${name}`;
    say(this.phase, place.paused ? `${name} · ${words.paused}` : name);
    const { votes, missing, finished, joined, lost } = counts;
    const numbers = { joined, votes: alone ? finished : votes, missing: alone ? joined - finished : missing, lost: lost ?? 0 };
    for (const [name, count] of Object.entries(numbers)) say(this.stats[name], String(count));
    // nobody answers a discussion
    for (const name of ["votes", "missing"]) /** @type {HTMLElement} */ (this.stats[name].parentElement).hidden = talk;
    say(this.names.votes, alone ? words.stat_finished : words.stat_votes);
    say(this.names.missing, alone ? words.stat_working : words.stat_missing);
    this.stats.lost.parentElement?.classList.toggle("some", Boolean(lost));
    const at = alone ? words.progress_title : fill(words.place, { n: place.number + 1, all: place.questions });
    const minutes = alone ? 0 : question?.minutes;
    const takes = minutes ? ` · ${fill(minutes === 1 ? words.minute : words.minutes, { n: minutes })}` : "";
    say(this.at, `${layout === "door" && !alone ? words.coming : at}${takes}`);
    if (question && !alone) this.ask(place, question);
    for (const part of [this.settings, this.background, this.prompt, this.bars.element, this.tell, this.coming]) part.hidden = alone;
    this.answer.hidden = alone || talk;
    this.bars.legend.hidden ||= alone;
    this.advice.hidden ||= alone;
    this.progress.element.hidden = !alone;
    if (alone) this.progress.show(counts.alone ?? [], joined);
    // after the end nothing else is wanted as much
    const holder = layout === "ended" ? this.who : this.links;
    if (this.report.parentElement !== holder) holder.append(this.report);
    this.paused.hidden = !this.control.can("pause");
    say(this.paused, place.paused ? words.go_on : words.pause);
    this.more.hidden = !this.control.can("more");
    this.wallBars.checked = counts.bars_shown || ["revealed", "ended"].includes(layout);
    this.wallBars.disabled = !this.control.can("bars");
    this.wallCode.checked = place.invites || !this.control.can("invite");
    this.wallCode.disabled = !this.control.can("invite");
    this.clock.value = String(counts.seconds ?? 0);
    this.options.show(place.options, talk ? minutes ?? 0 : 0);
    this.people.show(place);
    this.sentences.show(counts);
    this.movement.hidden = layout !== "revealed" || this.control.still === place.number;
    this.stepping(place);
    this.hands.show(question, place);
    this.door.show(place);
    this.steer();
    this.mark();
    this.tick();
  }

  /**
   * @param {import("./staff.js").Place} place
   * @param {import("./staff.js").Question} question
   */
  ask(place, question) {
    const { words } = this;
    const { counts } = place;
    this.settings.replaceChildren(...(question.code ? codeLines(question.settings) : [settingLines(question.settings)]));
    say(this.background, unbroken(question.background));
    say(this.prompt, unbroken(question.prompt));
    const right = answerText(question, question.answer ?? "", words);
    const mark = question.marks[Number(question.answer)];
    this.answer.replaceChildren(make("span", "name", words.answer), mark ? `${mark} ${right}` : right);
    const rounds = counts.rounds ?? [];
    const rows = rowsOf(question, counts, words);
    // what nobody has answered yet is a misconception to expect all the same
    for (const [answer, why] of Object.entries(question.misconceptions ?? {})) {
      if (rows.length < 6 && !rows.some((row) => row.answer === answer)) {
        rows.push({ answer, letter: "", label: answerText(question, answer, words), counts: [0, 0], right: false, why });
      }
    }
    this.bars.show(rows, rounds, { revealed: true, whys: true });
    say(this.advice, counts.advice_text ?? "");
    this.advice.hidden = !counts.advice_text;
    this.advice.dataset.advice = counts.advice ?? "";
    /** @type {Node[]} */
    const parts = [];
    if (question.told) parts.push(make("h2", "", words.say), make("p", "", question.told));
    if (question.notes) parts.push(make("h2", "", words.notes), make("p", "", question.notes));
    if (question.following) parts.push(make("h2", "", words.following), make("p", "", question.following));
    this.tell.replaceChildren(...parts);
    this.coming.replaceChildren(...(question.next ? [make("h2", "", words.coming), make("p", "settings", question.next_settings ?? ""), make("p", "", question.next)] : []));
  }

  /** @param {import("./staff.js").Place} place */
  async stepping(place) {
    if (place.layout !== "revealed") return;
    const free = place.step < 0;
    say(this.free, free ? this.words.follow : this.words.free);
    if (this.stepsOf !== place.number) {
      this.stepsOf = place.number;
      this.control.steps = 0;
      const { status, body } = await this.api.get(`/${this.code}/movement`, { number: place.number });
      if (status === 200 && this.stepsOf === place.number) this.control.steps = body.steps.length;
      // a question without a picture has nothing to play
      if (status === 404) this.control.still = place.number;
      this.movement.hidden ||= status === 404;
      this.steer();
    }
    const { steps } = this.control;
    const at = Math.min(place.step, steps);
    say(this.stepAt, free ? "–" : fill(this.words.step, { n: at, all: steps }));
    this.back.disabled = at <= 0;
    this.ahead.disabled = at >= steps;
  }

  steer() {
    const { main, others } = this.control;
    this.next.hidden = !main;
    if (main) this.next.replaceChildren(make("span", "", main.label), make("kbd", "", this.words.key));
    this.others.replaceChildren(...others.map((action) => makeButton("plain", () => this.control.act(action), action.label)));
  }

  /**
   * Keep this class in this browser, or no longer.
   * @param {boolean} on
   */
  remember(on) {
    const { code, control, secrets, pageData } = this;
    const done = on
      ? keep({ code, title: control.place?.title ?? "", at: Date.now(), secrets }, pageData.days)
      : forgetClass(code, this.api.token, pageData.days);
    if (!done) this.remembered.checked = !on;
  }

  async forget() {
    if (!window.confirm(this.words.delete_sure)) return;
    const answer = await this.api.post(`/${this.code}`, {}, "DELETE");
    if (answer.status === 200) {
      this.deleted = true;
      forgetClass(this.code, this.api.token, this.pageData.days);
      this.feed?.close();
      this.end(this.words.deleted);
    } else this.complain(answer.body.message ?? this.words.offline);
  }

  /**
   * @param {object} which devices
   * @param {string} sentence to confirm
   */
  async remove(which, sentence) {
    if (!window.confirm(sentence)) return;
    const answer = await this.api.post(`/${this.code}/remove`, which);
    this.complain(answer.status === 200 ? "" : answer.body.message ?? this.words.offline);
  }

  /** @param {string} device whose sentence the wall must not show */
  async hide(device) {
    const answer = await this.api.post(`/${this.code}/hide`, { question: this.control.place?.number ?? 0, device });
    this.complain(answer.status === 200 ? "" : answer.body.message ?? this.words.offline);
  }

  tick() {
    const { place } = this.control;
    const runs = place && place.left_ms !== null;
    const left = place?.paused ? place.left_ms ?? 0 : Math.max(0, this.ends - performance.now());
    say(this.stats.clock, runs ? clockText(left) : "–");
  }
}

/**
 * Whether the clipboard has it now.  A page that came by plain HTTP has no clipboard of its own.
 * @param {string} text
 */
async function copyText(text) {
  const clipboard = /** @type {Clipboard | undefined} */ (navigator.clipboard);
  if (clipboard) return clipboard.writeText(text).then(() => true, () => false);
  const field = /** @type {HTMLTextAreaElement} */ (make("textarea", "sr"));
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** @param {(on: boolean) => void} changed */
function checkbox(changed) {
  const input = /** @type {HTMLInputElement} */ (make("input"));
  input.type = "checkbox";
  input.addEventListener("change", () => changed(input.checked));
  return input;
}

/**
 * @param {string} text
 * @param {string} href
 */
function link(text, href) {
  const anchor = /** @type {HTMLAnchorElement} */ (make("a", "", text));
  anchor.href = href;
  anchor.target = "_blank";
  anchor.rel = "noopener";
  return anchor;
}

/**
 * @param {string} name
 * @param {...Node} parts
 */
function details(name, ...parts) {
  return make("details", "box", make("summary", "", name), ...parts);
}

new Teacher();
