// @ts-check
/** A nickname, where the class takes them: nobody needs one. */

import { make, makeButton, say } from "./common.js";

export class Nickname {
  /**
   * @param {Record<string, string>} words
   * @param {(nickname: string) => Promise<import("./common.js").Answer>} send
   */
  constructor(words, send) {
    this.words = words;
    this.send = send;
    this.name = "";
    this.dismissed = false;
    this.opened = false;
    this.input = /** @type {HTMLInputElement} */ (make("input", "name"));
    Object.assign(this.input, { id: "nickname", type: "text", maxLength: 20, autocomplete: "off", spellcheck: false, enterKeyHint: "done" });
    const label = /** @type {HTMLLabelElement} */ (make("label", "", words.nickname));
    label.htmlFor = "nickname";
    this.rule = make("p", "quiet");
    this.problem = make("p", "problem");
    this.problem.setAttribute("role", "alert");
    const save = make("button", "primary", words.save);
    const form = make("form", "", label, make("div", "row", this.input, save), this.rule, this.problem,
      makeButton("skip", () => this.open(false), words.no_nickname));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.store();
    });
    this.element = make("section", "nickname", form);
    this.element.hidden = true;
    /** opens the form, in the bar */
    this.button = makeButton("me", () => this.open(true));
    this.button.hidden = true;
  }

  /** @param {boolean} on */
  open(on) {
    this.dismissed = !on;
    this.opened = on;
    this.element.hidden = !on;
    this.problem.textContent = "";
    if (!on) return;
    this.input.value = this.name;
    this.input.focus();
  }

  async store() {
    const answer = await this.send(this.input.value);
    if (answer.status === 200) {
      this.name = answer.body.mine.nickname;
      this.open(false);
      this.label();
    } else say(this.problem, answer.body.message ?? this.words.offline);
  }

  label() {
    say(this.button, this.name || this.words.add_nickname);
  }

  /**
   * @param {string} who sees nicknames
   * @param {string} layout
   */
  show(who, layout) {
    const on = who !== "none" && layout !== "ended";
    this.button.hidden = !on;
    if (!on) this.name = "";
    this.label();
    say(this.rule, this.words[who === "wall" ? "nickname_wall" : "nickname_teacher"]);
    // before the first question there is time; what is being typed stays
    if (on && layout === "door" && !this.name && !this.dismissed) this.element.hidden = false;
    else if (!on || (!this.opened && !this.input.value)) this.element.hidden = true;
    if (!this.name && layout === "answering") this.button.hidden = true;
  }
}
