// @ts-check
/** What a learner sees of the class: the bar, the phase, the question, its picture and its answer. */

import { answersOf } from "./learner.answers.js";
import { backoff, cellText, clockText, codeLines, drawnHeight, fill, isPassing, make, makeButton, pause, say, settingLines, unbroken } from "./common.js";
import { missedList } from "./learner.missed.js";
import { LedMovement, fetchEarly } from "./learner.movement.js";
import { Nickname } from "./learner.nickname.js";
import { Picture } from "./learner.picture.js";
import { SentenceField } from "./learner.sentence.js";

/**
 * @typedef {{chosen: string, first: string, sentence: string, busy: boolean, picked: boolean}} Own
 *   picked: chosen, but not sent yet
 * @typedef {{vote: (answer: string) => void, write: (text: string) => void, lose: (lost: boolean) => Promise<import("./common.js").Answer>,
 *   check: () => void, go: (number: number) => void,
 *   call: (nickname: string) => Promise<import("./common.js").Answer>}} Acts
 */

const LAST_MS = 5_000;
/** Longer prompts are not as large as a heading, so that the choices stay in view. */
const LONG = 90;
/** Pixels of the bar above, and below what is in view. */
const HEADER = 48;
const MARGIN = 10;

export class Room {
  /**
   * @param {HTMLElement} root
   * @param {import("./common.js").PageData} pageData
   * @param {import("./common.js").Api} api
   * @param {string} code
   * @param {Acts} acts
   */
  constructor(root, pageData, api, code, acts) {
    this.pageData = pageData;
    this.words = pageData.words;
    this.api = api;
    this.code = code;
    this.acts = acts;
    this.shown = "";
    this.asked = "";
    this.number = 0;
    /** @type {number[]} the questions at one's own pace */
    this.order = [];
    /** the question after this one: the one that is still open, or where all are answered, in their order */
    this.next = 0;
    /** @type {any} */
    this.question = null;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {import("./learner.answers.js").Answers | null} */
    this.answers = null;
    /** @type {SentenceField | null} */
    this.sentence = null;
    /** @type {LedMovement | null} */
    this.movement = null;
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.fetchPicture());
    this.where = make("span", "where");
    this.time = make("span", "clock");
    this.time.setAttribute("role", "timer");
    this.note = make("p", "phase");
    this.note.setAttribute("role", "status");
    this.card = make("section", "card");
    this.sending = make("p", "sending");
    this.sending.setAttribute("role", "status");
    this.verdict = make("section", "verdict");
    this.verdict.setAttribute("aria-live", "polite");
    this.after = make("div", "after");
    this.banner = make("p", "banner");
    this.banner.setAttribute("role", "status");
    this.banner.hidden = true;
    this.help = makeButton("lost", () => this.lose(), pageData.words.lost);
    this.isLost = false;
    this.more = makeButton("more", () => this.scrollOn(), pageData.words.more);
    this.more.hidden = true;
    // in view wherever the page is scrolled to
    this.check = makeButton("primary", () => acts.check(), pageData.words.check);
    this.before = makeButton("tool", () => acts.go(this.order[this.order.indexOf(this.number) - 1]), "◀");
    this.before.setAttribute("aria-label", pageData.words.before);
    this.following = makeButton("primary", () => acts.go(this.next), pageData.words.next);
    this.score = make("section", "score");
    this.score.setAttribute("role", "status");
    this.foot = make("footer", "", this.before, this.more, this.sending, this.help, this.check, this.following);
    // until it is known what is needed: the first picture gets their room
    for (const part of [this.score, this.before, this.check, this.following]) part.hidden = true;
    this.nickname = new Nickname(pageData.words, acts.call);
    root.replaceChildren(
      make("header", "", make("span", "letters", code), this.where, this.nickname.button, this.time),
      this.banner, this.nickname.element, this.note, this.score, this.verdict, this.after, this.card, this.foot,
    );
    window.addEventListener("scroll", () => this.reach(), { passive: true });
    new ResizeObserver(() => this.reach()).observe(root);
    this.lost(false);
  }

  /** How many pixels of the question, its picture and the answers the foot hides. */
  hiddenBelow() {
    const parts = [this.card.querySelector(".prompt"), this.picture?.element, this.answers?.element].map((part) => part?.getBoundingClientRect().bottom ?? 0);
    return Math.max(...parts) - this.foot.getBoundingClientRect().top;
  }

  /** To the end, but past nothing that was not in view. */
  scrollOn() {
    window.scrollBy(0, Math.min(this.hiddenBelow() + 16, 0.9 * (this.foot.getBoundingClientRect().top - HEADER)));
  }

  /** Say that there is more below while the last answer, or the end of the picture, is not in view. */
  reach() {
    const reads = ["answering", "talking"].includes(document.body.dataset.layout ?? "");
    this.more.hidden = !reads || this.hiddenBelow() <= 8;
  }

  /**
   * @param {any} now
   * @param {any} question
   * @param {Own} own
   */
  show(now, question, own) {
    const { words } = this;
    const { layout, self_paced: alone } = now;
    const on = question && layout !== "door";
    // at one's own pace nobody discusses: both counts are of what is answered
    const [number, questions] = alone ? [now.asked.indexOf(now.number) + 1, now.asked.length] : [now.number + 1, now.questions];
    say(this.where, on ? fill(words.where, { number, questions }) : now.title);
    const note = now.paused ? words.paused : now.note;
    const turned = this.note.textContent !== note;
    say(this.note, note);
    this.sending.dataset.note = note;
    this.nickname.show(now.options.nicknames, layout);
    document.body.dataset.phase = now.paused ? "paused" : now.phase;
    document.body.dataset.layout = now.paused ? "paused" : layout;
    const asked = on && layout !== "ended" ? `${now.number}${alone ? " own pace" : ""}` : "";
    // it takes room of the picture, whether the question comes or the page is loaded again
    this.foot.hidden = ["door", "ended"].includes(layout);
    if (asked !== this.shown) this.build(asked, on ? question : null, now.number);
    if (this.asked !== `${now.number}/${now.round}/${now.open}`) {
      this.asked = `${now.number}/${now.round}/${now.open}`;
      if (now.open || layout === "door") say(this.sending, "");
      this.sending.className = "sending";
    }
    const right = on ? question.answer ?? "" : "";
    // where a sentence is written, the answer stays
    const open = now.open && !now.writes;
    this.sentence?.show(now.open && now.writes, own.sentence);
    this.answers?.show({ open, ...own, right, whys: question?.misconceptions ?? {} });
    this.picture?.show({ open, chosen: own.chosen, right });
    this.summary(now, question, own, right);
    this.steer(now, own);
    // what is said above takes room of the picture, not of the choices
    if (turned) this.picture?.fit();
    // whoever has scrolled down to the choices reads there what to do now
    if (turned) this.note.scrollIntoView({ block: "nearest" });
    if (alone || ["answered", "talking"].includes(layout)) fetchEarly(this.pageData);
    if (layout === "revealed") {
      if (!this.movement) {
        // the verdict, and what moves below it
        window.scrollTo(0, 0);
        this.movement = new LedMovement(this.pageData, this.api, this.code, now.number);
        this.movement.step = now.step;
        if (question.compares) this.movement.part = 0.8;
        this.after.replaceChildren(this.movement.element);
      }
      this.movement.follow(now.step);
    } else if (layout === "ended") this.repeat();
    this.reach();
  }

  /**
   * At one's own pace: what is chosen is checked, then the next question comes, and never before.
   * @param {any} now
   * @param {Own} own
   */
  steer(now, own) {
    const alone = now.self_paced;
    this.help.hidden = alone;
    this.check.hidden = !alone || !own.picked;
    /** @type {number[]} */
    const asked = this.order = now.asked ?? [];
    this.before.hidden = !alone || now.number === asked[0];
    this.following.hidden = !alone || now.layout === "answering" || now.number === asked.at(-1);
    this.next = asked.find((each) => !(each in (now.answers ?? {}))) ?? asked[asked.indexOf(now.number) + 1];
    const answered = Object.keys(now.answers ?? {}).length;
    document.body.dataset.selfPaced = String(alone);
    this.score.hidden = !alone || answered < asked.length;
    if (!this.score.hidden) say(this.score, fill(this.words.finished, { n: asked.length, right: now.right }));
    const idle = !own.busy && !this.sending.classList.contains("problem");
    if (alone && idle) say(this.sending, own.picked ? "" : fill(this.words.answered, { n: answered, all: asked.length }));
  }

  /** @param {string} nickname as the server has it */
  called(nickname) {
    this.nickname.name = nickname;
    this.nickname.label();
  }

  /**
   * Another question, or none.
   * @param {string} asked
   * @param {any} question
   * @param {number} number
   */
  build(asked, question, number) {
    this.shown = asked;
    this.number = number;
    this.picture?.destroy();
    this.movement?.destroy();
    this.picture = this.answers = this.movement = this.sentence = null;
    this.after.replaceChildren();
    this.card.replaceChildren();
    this.verdict.replaceChildren();
    this.lost(false);
    this.question = question;
    if (!asked) return;
    const choose = this.acts.vote;
    this.picture = new Picture(question.tensors, this.words, choose, () => this.room());
    this.answers = answersOf(question, this.words, choose);
    this.sentence = new SentenceField(this.words, this.acts.write);
    const lines = [make("p", "settings", ...(question.code ? codeLines(question.settings) : [settingLines(question.settings)])), make("p", "background", unbroken(question.background))];
    this.card.append(...lines.filter((line) => line.textContent), make("h1", question.prompt.length > LONG ? "prompt long" : "prompt", unbroken(question.prompt)), make("div", "side", this.picture.element, this.answers.element), this.sentence.element);
    this.fetchPicture();
    window.scrollTo(0, 0);
  }

  /** The height that the picture has if the question and its answers are to be in view with it. */
  room() {
    const { picture, answers, foot } = this;
    const side = picture?.element.parentElement;
    if (!side || !answers) return 0;
    const left = window.innerHeight - foot.offsetHeight - MARGIN;
    // on a phone's side it has its half of the window
    if (getComputedStyle(picture.element).position === "sticky") return left - HEADER;
    const top = side.getBoundingClientRect().top + window.scrollY;
    return left - top - answers.element.offsetHeight - parseFloat(getComputedStyle(side).rowGap);
  }

  async fetchPicture() {
    const { picture, question } = this;
    // as wide as the picture's place, which takes none before it is drawn
    const wide = this.card.querySelector(".prompt")?.clientWidth ?? 0;
    // what is tapped has cells for a finger, whatever room there is
    const tall = question?.input === "place" ? 0 : drawnHeight(this.room());
    const query = { number: this.number, dark: Number(this.dark.matches), width: wide < 320 ? 256 : wide < 350 ? 320 : wide < 400 ? 360 : 640, tall };
    for (let failed = 0; picture && picture === this.picture && query.dark === Number(this.dark.matches); failed++) {
      const answer = await this.api.get(`/${this.code}/picture`, query);
      if (picture !== this.picture) return;
      if (answer.status === 200) return picture.draw(answer.body);
      if (!isPassing(answer)) return;
      await pause(backoff(failed));
    }
  }

  /**
   * Whether it was right, and what a wrong one stands for.
   * @param {any} now
   * @param {any} question
   * @param {Own} own
   * @param {string} right
   */
  summary(now, question, own, right) {
    const { words } = this;
    if (now.layout === "revealed" && right !== "") {
      const isRight = own.chosen === right;
      const why = own.chosen && !isRight ? question.misconceptions?.[own.chosen] : "";
      const head = !own.chosen ? words.no_answer : isRight ? words.right : words.wrong;
      const sentences = [head, why ?? "", fill(words.answer_is, { answer: this.text(question, right) }), question.told];
      const texts = sentences.filter(Boolean);
      if (this.verdict.dataset.texts !== texts.join("\n") || !this.verdict.childNodes.length) {
        this.verdict.dataset.texts = texts.join("\n");
        this.verdict.className = `verdict ${isRight ? "is-right" : own.chosen ? "is-wrong" : ""}`;
        this.verdict.replaceChildren(
          make("h2", "", texts[0]), ...texts.slice(1).map((text) => make("p", "", unbroken(text))));
      }
    } else if (now.layout === "revealed" && question.told) {
      this.verdict.className = "verdict";
      this.verdict.replaceChildren(make("p", "", unbroken(question.told)));
    } else {
      this.verdict.replaceChildren();
    }
    const stays = question && question.input && ["answered", "talking"].includes(now.layout);
    if (stays) {
      const answer = own.chosen ? fill(words.your_answer, { answer: this.text(question, own.chosen) }) : words.no_answer;
      if (!this.sending.classList.contains("problem")) say(this.sending, unbroken(answer));
    } else if (!now.open) {
      say(this.sending, "");
    } else if ((now.writes ? own.sentence : own.chosen) && !own.busy && !own.picked && !this.sending.textContent) {
      // reloaded, with an answer that is stored
      this.stored(question, own.chosen, now.writes);
    }
  }

  /**
   * An answer for people.
   * @param {any} question
   * @param {string} answer
   */
  text(question, answer) {
    // a choice may be a sentence of its own, and this is within another
    if (question.input === "choice") return `${question.marks[Number(answer)]} (${question.choices[Number(answer)].replace(/\.$/, "")})`;
    if (question.input === "place") return cellText(answer, question.tensors, this.words);
    return answer;
  }

  /**
   * @param {any} question
   * @param {string} answer
   * @param {boolean} [writes] whether it is a sentence
   */
  stored(question, answer, writes = false) {
    this.sending.className = "sending stored";
    if (writes) return say(this.sending, this.words.sentence_sent);
    const short = question.input === "choice" ? question.marks[Number(answer)] : this.text(question, answer);
    say(this.sending, unbroken(fill(this.words.sent, { answer: short })));
  }

  /**
   * How an answer fares.
   * @param {import("./learner.vote.js").Way} way
   * @param {import("./learner.vote.js").Ballot} ballot
   * @param {any} body
   */
  sent(way, ballot, body) {
    const { words, sending } = this;
    if (way === "sent") {
      this.answers?.sent?.(ballot.answer);
      return this.stored(this.question, body.stored.answer, ballot.round < 0);
    }
    // beside the field, which keeps what was typed
    const field = ballot.round < 0 ? this.sentence : this.answers;
    if (way === "refused" && body.error === "invalid" && ballot.question === this.number && field?.refused) {
      field.refused(body.message);
      sending.className = "sending";
      return say(sending, "");
    }
    sending.className = `sending ${way === "refused" ? "problem" : "busy"}`;
    if (way === "refused") say(sending, body.error === "closed" ? words.too_late : body.message ?? words.offline);
    else say(sending, way === "sending" ? words.sending : `${body.message ?? words.offline} ${words.again_itself}`);
  }

  /** @param {number | null} left milliseconds; null where no clock runs */
  clock(left) {
    say(this.time, left === null ? "" : clockText(left));
    this.time.classList.toggle("last", left !== null && left < LAST_MS);
  }

  /** @param {boolean} away */
  away(away) {
    this.banner.hidden = !away;
    say(this.banner, away ? this.words.away : "");
  }

  /** @param {boolean} lost */
  lost(lost) {
    this.isLost = lost;
    this.help.setAttribute("aria-pressed", String(lost));
  }

  async lose() {
    const wanted = !this.isLost;
    const { number } = this;
    this.lost(wanted);
    const answer = await this.acts.lose(wanted);
    if (answer.status === 200 || number !== this.number) return;
    this.lost(!wanted);
    this.sending.className = "sending problem";
    say(this.sending, answer.body.message ?? this.words.offline);
  }

  repeat() {
    this.after.replaceChildren(...[missedList(this.code, this.pageData)].filter((section) => section !== null));
  }

  /** The class was deleted or has expired. */
  ended() {
    this.away(false);
    this.clock(null);
    this.build("", null, 0);
    say(this.note, this.words.ended);
    say(this.sending, "");
    this.foot.hidden = true;
    document.body.dataset.layout = "ended";
    this.repeat();
  }
}
