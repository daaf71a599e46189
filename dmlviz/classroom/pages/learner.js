// @ts-check
/** A learner's phone: the door, then the class, phase by phase. */

import { Api, Feed, backoff, isPassing, make, makeButton, pause, readPageData } from "./common.js";
import { keepMissed } from "./learner.missed.js";
import { Room } from "./learner.room.js";
import { Sender } from "./learner.vote.js";

const CODE = /^[A-Z]{4}$/;
/** Kinds of questions that are answered with one touch. */
const PICKED = { choice: true, place: true };

class Learner {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.pageData = readPageData();
    this.words = this.pageData.words;
    this.root = root;
    this.api = new Api(this.pageData.base, this.pageData.language);
    this.code = "";
    this.asking = false;
    this.checked = 0;
    this.ends = 0;
    /** @type {any} */
    this.now = null;
    this.question = /** @type {any} */ (null);
    /** what is chosen and not yet checked, where everybody goes at their own pace */
    this.picked = "";
    /** @type {Map<string, string>} stored answers by question and round */
    this.votes = new Map();
    /** @type {Feed | null} */
    this.feed = null;
    /** @type {Room | null} */
    this.room = null;
    this.sender = new Sender(
      (ballot) => this.send(`/${this.code}/vote`, ballot),
      (way, ballot, body) => this.sent(way, ballot, body),
    );
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.resync();
    });
    window.addEventListener("online", () => this.resync());
    window.addEventListener("pageshow", (event) => { if (event.persisted) this.resync(); });
    setInterval(() => this.tick(), 250);
  }

  start() {
    const code = clean(new URLSearchParams(location.search).get("code") ?? "");
    if (CODE.test(code)) this.enter(code);
    else this.door(code, "");
  }

  /**
   * Where the code is typed.
   * @param {string} typed
   * @param {string} problem
   */
  door(typed, problem) {
    const { words } = this;
    const input = /** @type {HTMLInputElement} */ (make("input", "code"));
    Object.assign(input, {
      id: "code", type: "text", autocomplete: "off", spellcheck: false, maxLength: 12, enterKeyHint: "go", value: typed,
    });
    input.setAttribute("autocapitalize", "characters");
    input.setAttribute("aria-describedby", "problem");
    const label = /** @type {HTMLLabelElement} */ (make("label", "", words.code_label));
    label.htmlFor = "code";
    const alert = make("p", "problem", problem);
    alert.id = "problem";
    alert.setAttribute("role", "alert");
    const join = make("button", "primary", words.join);
    const form = make("form", "door", make("h1", "", words.door), label, input, alert, join,
      make("p", "quiet", words.nameless));
    let busy = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const code = clean(input.value);
      if (busy) return;
      if (!CODE.test(code)) {
        alert.textContent = words.four_letters;
        return input.focus();
      }
      busy = true;
      join.classList.add("busy");
      const answer = await this.api.post(`/${code}/join`);
      busy = false;
      join.classList.remove("busy");
      if (answer.status === 200) return this.entered(code, answer.body);
      alert.textContent = answer.body.message ?? words.offline;
      input.focus();
    });
    this.root.replaceChildren(form);
    input.focus();
  }

  /**
   * Join with the code of an address, as often as it takes.
   * @param {string} code
   */
  async enter(code) {
    this.root.replaceChildren(make("p", "quiet", this.words.joining));
    for (let failed = 0; ; failed++) {
      const answer = await this.api.post(`/${code}/join`);
      if (answer.status === 200) return this.entered(code, answer.body);
      if (!isPassing(answer)) return this.door(code, answer.body.message ?? "");
      this.root.replaceChildren(make("p", "quiet", answer.body.message ?? this.words.offline));
      await pause(backoff(failed));
    }
  }

  /**
   * @param {string} code
   * @param {any} body
   */
  entered(code, body) {
    this.code = code;
    const address = new URL(location.href);
    address.pathname = `${this.pageData.base}/class`;
    address.searchParams.set("code", code);
    history.replaceState(null, "", address);
    this.room = new Room(this.root, this.pageData, this.api, code, {
      vote: (answer) => this.vote(answer),
      write: (text) => this.write(text),
      lose: (lost) => this.send(`/${code}/lost`, { lost }),
      check: () => this.checkAnswer(),
      go: (number) => this.go(number),
      call: (nickname) => this.api.post(`/${code}/join`, { nickname }),
    });
    this.take(body);
    this.feed = new Feed(this.api, code, {
      state: (state) => this.apply(state),
      ended: (why) => this.ended(why),
      lost: (away) => this.room?.away(away),
      renew: () => this.renew(),
    });
  }

  /** What joining tells, beside the place: what this telephone has answered. @param {any} body */
  take(body) {
    const { vote, first, lost, nickname } = body.mine;
    if (first) this.votes.set(`${body.number}/1`, first);
    for (const [number, answer] of Object.entries(body.answers ?? {})) this.votes.set(`${number}/0`, answer);
    if (vote) {
      this.sender.known(vote.seq);
      if (!this.sender.wish) this.votes.set(`${body.number}/${body.round}`, vote.answer);
    }
    this.apply(body);
    this.room?.lost(lost);
    this.room?.called(nickname);
  }

  /**
   * At one's own pace: another question, or the first one without an answer.
   * @param {number} [number]
   */
  async go(number) {
    for (let failed = 0; this.room; failed++) {
      const answer = await this.api.post(`/${this.code}/join`, number === undefined ? {} : { question: number });
      if (answer.status === 200) return this.take(answer.body);
      if (!isPassing(answer)) return this.renew();
      await pause(backoff(failed));
    }
  }

  /** Joined once more, which tells where the class is; false where there is no class any more. */
  async renew() {
    const answer = await this.api.post(`/${this.code}/join`);
    if (answer.status === 200) this.take(answer.body);
    else if (answer.status === 404) this.gone();
    else if (isPassing(answer)) this.feed?.retry(answer);
    else this.leave(answer.body.message ?? "");
    return answer.status === 200;
  }

  /** Awake again, or the clock has run out and nobody said so. */
  async resync() {
    if (!this.feed || this.asking) return;
    this.asking = true;
    this.feed.wake();
    await this.renew();
    this.asking = false;
  }

  /** Whether the stream has kept something back. */
  async check() {
    this.checked = performance.now();
    const { version, phase } = this.now;
    if (!(await this.renew()) || !this.feed) return;
    this.feed.heard = performance.now();
    if (version !== this.now.version || phase !== this.now.phase) this.feed.wake();
  }

  /** @param {any} state */
  apply(state) {
    const { now } = this;
    // the answer to a request may be older than what the stream has told meanwhile
    if (now && (state.version < now.version
      || (state.version === now.version && state.open && !now.open && state.phase !== now.phase))) return;
    if (state.self_paced && !state.answers) {
      // the stream says only that everybody goes at their own pace; where this telephone is, it knows itself
      if (!now?.self_paced) {
        this.go();
        return;
      }
      const { number, asked, answers, right, open, layout, note } = now;
      state = { ...state, number, asked, answers, right, layout, note, open: open && state.open, question: undefined };
    }
    if (!state.self_paced || state.number !== now?.number) this.picked = "";
    if (state.question !== undefined) this.question = state.question;
    if (state.self_paced && this.question?.answer !== undefined) state = { ...state, open: false };
    // a page that was loaded at one's own pace has not heard its answer in the class
    const unheard = now?.self_paced && !state.self_paced && !this.votes.has(`${state.number}/${state.round}`);
    this.now = state;
    this.ends = state.left_ms === null || state.paused ? 0 : performance.now() + state.left_ms;
    this.show();
    this.tick();
    if (unheard) this.renew();
  }

  show() {
    const { now, question } = this;
    const here = `${now.number}/${now.round}`;
    const first = now.round !== 1 && !now.self_paced ? this.votes.get(`${now.number}/1`) ?? "" : "";
    const stored = this.votes.get(here) ?? "";
    const { wish } = this.sender;
    const wished = wish && `${wish.question}/${wish.round}` === here ? wish.answer : "";
    if (question?.answer !== undefined) keepMissed(this.code, now.number, question, stored || first);
    const sent = wished || stored;
    // a sentence stands beside the answer, which stays
    const [chosen, sentence] = now.writes ? [first, sent] : [sent || (now.open ? this.picked : ""), ""];
    this.room?.show(now.self_paced ? { ...now, step: -1 } : now, question, { chosen, first, sentence, busy: wished !== "", picked: this.picked !== "" && !wished });
  }

  /** @param {string} answer */
  vote(answer) {
    const { open, self_paced: selfPaced } = this.now;
    if (!open) return;
    // the first answer counts, so a slip of the finger does not send it
    if (selfPaced && this.question.input in PICKED) {
      this.picked = answer;
      this.show();
    } else this.write(answer);
  }

  /** @param {string} answer which is sent as it is */
  write(answer) {
    const { number, round } = this.now;
    this.sender.offer({ question: number, round, answer });
  }

  checkAnswer() {
    const { now, picked } = this;
    if (!picked || !now.open) return;
    this.picked = "";
    this.sender.offer({ question: now.number, round: now.round, answer: picked });
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async send(path, body) {
    const answer = await this.api.post(path, body);
    // the cookie is gone: a new device, then the same request
    if (answer.body.error === "not_joined" && (await this.renew())) return this.api.post(path, body);
    return answer;
  }

  /**
   * @param {import("./learner.vote.js").Way} way
   * @param {import("./learner.vote.js").Ballot} ballot
   * @param {any} body
   */
  sent(way, ballot, body) {
    if (way === "sent") this.votes.set(`${ballot.question}/${ballot.round}`, body.stored.answer);
    this.room?.sent(way, ballot, body);
    // the right answer comes with it, unless another question is on by now
    if (body.answers && this.now.self_paced && this.now.number === ballot.question) this.take(body);
    this.show();
  }

  gone() {
    this.feed?.close();
    this.feed = null;
    this.room?.ended();
  }

  /** @param {string} why see Listener */
  ended(why) {
    const { words } = this;
    if (why === "gone") this.gone();
    else this.leave(why === "removed" ? words.removed : words.replaced);
  }

  /**
   * Back to the door, from where the same code can be sent once more.
   * @param {string} sentence
   */
  leave(sentence) {
    this.feed?.close();
    this.feed = null;
    this.room = null;
    this.door(this.code, sentence);
  }

  tick() {
    const { now, feed, ends } = this;
    if (!now || !feed || document.visibilityState !== "visible") return;
    const left = now.paused ? now.left_ms : ends ? ends - performance.now() : null;
    this.room?.clock(left);
    const late = now.open && ends && performance.now() > ends + 2_000;
    if (late && performance.now() - this.checked > 5_000) this.check();
  }
}

/** @param {string} typed */
function clean(typed) {
  return typed.replace(/[\s-]/g, "").toUpperCase();
}

const root = document.getElementById("learner");
if (root) new Learner(root).start();
