// @ts-check
/** The wall: what the whole room sees of a class. */

import { Api, clockText, codeLines, drawnHeight, fill, make, readPageData, say, unbroken } from "./common.js";
import { Movement } from "./common.movement.js";
import { listen, readSecrets, rowsOf } from "./staff.js";
import { Bars } from "./staff.bars.js";
import { Picture } from "./staff.picture.js";
import { setTheme } from "./staff.theme.js";
import { WallControls } from "./wall.controls.js";

/** Layouts in which the answers to one question are counted. */
const COUNTED = ["answering", "answered", "talking"];
/** Sizes of letters to try, until everything is in view. */
const SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52];

class Wall {
  constructor() {
    const pageData = this.pageData = readPageData();
    this.words = pageData.words;
    this.code = pageData.code;
    const secrets = readSecrets("wall", this.code);
    this.api = new Api(pageData.base, pageData.language, secrets.t);
    this.controls = secrets.c ? new WallControls(new Api(pageData.base, pageData.language, secrets.c), this.code, this.words) : null;
    // the whole room can see the address, so remove the secret
    history.replaceState(null, "", `${location.pathname}${pageData.language ? `?lang=${pageData.language}` : ""}`);
    /** @type {import("./staff.js").Place | null} */
    this.place = null;
    /** @type {import("./staff.js").Question | null} */
    this.question = null;
    /** @type {Movement | null} */
    this.movement = null;
    /** the last question that has nothing to play */
    this.still = -1;
    this.ends = 0;
    this.bars = new Bars(this.words);
    this.picture = new Picture(this.api, this.words);
    this.picture.settled = () => this.makeRoom();
    this.page = /** @type {HTMLElement} */ (document.getElementById("page"));
    this.title = make("span", "title");
    this.at = make("span", "at");
    this.joinAt = make("span", "join-at");
    this.small = make("strong", "small-code", this.code);
    this.head = make("header", "head", this.title, this.at, make("span", "way-in", this.joinAt, this.small));
    this.settings = make("p", "settings");
    this.background = make("p", "background");
    this.prompt = make("h1", "prompt");
    this.prompt.setAttribute("aria-live", "polite");
    this.left = make("div", "left", this.picture.element);
    this.right = make("div", "beside");
    this.body = make("div", "body", this.left, this.right);
    this.note = make("p", "note");
    this.note.setAttribute("aria-live", "polite");
    this.clock = make("span", "clock");
    this.clockFill = make("span", "clock-fill");
    this.votes = make("p", "votes");
    this.foot = make("footer", "foot", this.note, this.clock, this.votes);
    this.qr = make("div", "qr");
    this.joinLine = make("p", "join-line");
    this.joined = make("p", "joined");
    this.nicknames = make("p", "nicknames");
    this.door = make("section", "door",
      make("div", "door-words", this.joinLine, make("p", "huge-code", ...[...this.code].map((c) => make("span", "", c))), this.joined, this.nicknames),
      this.qr);
    this.lost = make("p", "away", this.words.away);
    this.lost.hidden = true;
    this.page.replaceChildren(make("div", "clock-track", this.clockFill), this.head, this.settings, this.background, this.prompt, this.body, this.door, this.foot, ...(this.controls ? [this.controls.element] : []), this.lost);
    new ResizeObserver(() => this.fit()).observe(this.page);
    setInterval(() => this.tick(), 200);
    this.invite();
    listen(this.api, this.code, this.words, this);
  }

  async invite() {
    const answer = await this.api.get(`/${this.code}/invitation`, { origin: location.origin });
    if (answer.status !== 200) return;
    const plain = answer.body.address.replace(/^https?:\/\//, "").replace(/\?.*$/, "");
    this.joinAt.textContent = plain;
    this.joinLine.replaceChildren(...splitAt(this.words.join, "{address}", make("strong", "", plain)));
    const picture = /** @type {HTMLImageElement} */ (make("img"));
    const address = `data:image/svg+xml,${encodeURIComponent(answer.body.svg)}`;
    picture.src = address;
    picture.alt = answer.body.address;
    this.qr.replaceChildren(picture);
    this.fit();
  }

  /** @param {string} sentence why nothing comes; empty if it does */
  away(sentence) {
    this.lost.hidden = !sentence;
    say(this.lost, sentence);
  }

  /** The class was deleted or has expired. */
  over() {
    this.end(this.words.gone);
  }

  /** @param {string} sentence */
  end(sentence) {
    this.movement?.destroy();
    this.page.dataset.layout = "gone";
    this.page.replaceChildren(make("p", "gone", sentence));
  }

  /** @param {import("./staff.js").Place} place */
  show(place) {
    if ("question" in place) this.question = place.question ?? null;
    this.place = place;
    this.ends = place.left_ms === null ? 0 : performance.now() + place.left_ms;
    const { layout, counts } = place;
    const { words, page } = this;
    const over = layout === "ended";
    setTheme(place.options.theme);
    // the question steps back for those who come late
    const door = place.invites || layout === "door";
    page.dataset.door = String(door);
    page.dataset.phase = place.phase;
    page.dataset.layout = layout;
    page.dataset.paused = String(place.paused);
    say(this.title, place.title);
    say(this.at, over || layout === "door" ? "" : fill(words.place, { n: place.number + 1, all: place.questions }));
    this.door.hidden = !door;
    this.body.hidden = door || over;
    const joined = fill(counts.joined === 1 ? words.joined_one : words.joined, { n: counts.joined });
    say(this.joined, place.self_paced ? fill(words.finished, { n: counts.finished, all: counts.joined }) : joined);
    const nicknames = (counts.nicknames ?? []).map((name) => make("bdi", "", name));
    if (this.nicknames.textContent !== (counts.nicknames ?? []).join("")) this.nicknames.replaceChildren(...nicknames);
    say(this.prompt, door ? "" : over ? place.note : this.question ? unbroken(this.question.prompt) : "");
    this.prompt.hidden = !this.prompt.textContent;
    const asked = door || over ? null : this.question;
    this.settings.replaceChildren(...(asked?.code ? codeLines(asked.settings) : [unbroken(asked?.settings ?? "")]));
    // then the movement needs the room
    say(this.background, layout === "revealed" ? "" : unbroken(asked?.background ?? ""));
    const talk = this.question?.input === "";
    say(this.note, place.paused ? words.paused : over ? "" : place.note);
    say(this.votes, COUNTED.includes(layout) && !talk ? fill(words.votes, { n: counts.votes, all: counts.votes + counts.missing }) : "");
    page.dataset.bare = "false";
    if (this.question && !this.body.hidden) this.ask(place, this.question);
    else this.leave();
    this.controls?.show(place);
    this.tick();
    this.fit();
  }

  /**
   * @param {import("./staff.js").Place} place
   * @param {import("./staff.js").Question} question
   */
  ask(place, question) {
    const { counts, number } = place;
    const revealed = place.layout === "revealed";
    const heat = question.input === "place" && counts.bars;
    // what is right has a reason, too, where no heat map takes its room
    const rows = rowsOf(question, counts, this.words, 5).map((row) => (row.right && !heat ? { ...row, why: question.told ?? "" } : row));
    if (revealed && this.movement?.number !== number && this.still !== number) {
      this.leave();
      const movement = this.movement = new Movement(this.pageData, this.api, this.code, number);
      // titles and indices as large as the wall's own letters
      const far = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      movement.room = () => ({ room: () => movement.element.clientHeight - 8, far: Math.max(1, far) });
      movement.ready = () => { if (this.controls) this.controls.control.steps = movement.player.steps; };
      movement.none = () => {
        this.leave();
        this.still = number;
        this.controls?.still(number);
        this.left.replaceChildren(this.picture.element);
        this.makeRoom();
      };
      // two runs beside the input need more room, and each a line of its own
      movement.element.classList.toggle("compares", question.compares);
      this.left.replaceChildren(movement.element);
    }
    if (!revealed) {
      this.leave();
      if (!this.picture.element.isConnected || this.picture.element.parentElement !== this.left) this.left.replaceChildren(this.picture.element);
    }
    this.movement?.follow(place.step);
    /** @type {HTMLElement[]} */
    const parts = [];
    if (heat) {
      const turn = counts.rounds?.[1]?.votes ? 1 : 0;
      // indices, and titles of planes, without the tensor's name over them
      const above = question.tensors.some(({ sizes }) => sizes.length > 2) ? 32 : 20;
      this.picture.warm(counts.rounds?.[turn]?.counts ?? {}, revealed ? question.answer ?? "" : "", revealed && this.movement ? above : 0);
      if (revealed && this.movement) parts.push(this.picture.element);
    } else this.picture.cool();
    const talk = !question.input;
    // a discussion leaves the room to its picture, and its answer is words
    if (talk) parts.push(...(revealed && question.told ? [make("p", "how", unbroken(question.told))] : []));
    else if (counts.bars) {
      this.bars.show(rows, counts.rounds ?? [], { revealed, whys: revealed });
      parts.push(this.bars.element, this.bars.legend);
    } else if (counts.sentences?.length) {
      parts.push(make("ul", "sentences", ...counts.sentences.map(({ text, answer }) =>
        make("li", "sentence", make("bdi", "", text), make("span", "quiet", answer)))));
    } else parts.push(this.choices(question));
    putInto(this.right, parts);
    this.right.dataset.input = question.input;
    // words need room, too
    this.right.dataset.bars = String((counts.bars || Boolean(counts.sentences?.length)) && !talk);
    this.right.hidden = !parts.length;
    this.makeRoom();
    const { clientWidth: wide, clientHeight: high } = this.left;
    // three tensors beside each other need a wider drawing
    const width = question.compares ? 960 : 640;
    this.picture.show(this.code, number, width, drawnHeight((width * high) / wide));
  }

  /** @param {import("./staff.js").Question} question */
  choices(question) {
    if (question.input !== "choice") return make("p", "how", question.invitation);
    return make("ol", "choices", ...question.choices.map((text, number) =>
      make("li", "choice", make("span", "letter", question.marks[number]), make("span", "text", unbroken(text)))));
  }

  /** Beside the answers, for a picture or a movement if there is one. */
  makeRoom() {
    this.left.hidden = !this.movement && this.picture.element.classList.contains("none");
    this.page.dataset.bare = String(!this.body.hidden && this.left.hidden && this.right.hidden);
    this.fit();
  }

  leave() {
    this.movement?.destroy();
    this.movement = null;
  }

  tick() {
    const { place } = this;
    if (!place) return;
    const runs = place.left_ms !== null;
    const left = place.paused ? place.left_ms ?? 0 : Math.max(0, this.ends - performance.now());
    say(this.clock, runs ? clockText(left) : "");
    this.clock.classList.toggle("soon", runs && left < 10_000);
    this.longest = runs ? Math.max(this.longest ?? 0, place.left_ms ?? 0) : 0;
    this.clockFill.style.width = runs && this.longest ? `${(100 * left) / this.longest}%` : "0";
  }

  /** Make letters as large as there is room for. */
  fit() {
    for (const scale of SCALES) {
      this.page.style.setProperty("--k", String(scale));
      const fits = this.right.scrollHeight <= this.right.clientHeight + 1 && this.page.scrollHeight <= this.page.clientHeight + 1;
      if (fits) return;
    }
  }
}

/**
 * @param {string} text
 * @param {string} mark
 * @param {Node} part
 */
function splitAt(text, mark, part) {
  const [before, after = ""] = text.split(mark);
  return [before, part, after];
}

/**
 * Only what changed, so that nothing begins again.
 * @param {HTMLElement} holder
 * @param {HTMLElement[]} parts
 */
function putInto(holder, parts) {
  const same = holder.children.length === parts.length && parts.every((part, i) => holder.children[i].isEqualNode(part));
  if (!same) holder.replaceChildren(...parts);
}

new Wall();
