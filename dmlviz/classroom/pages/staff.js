// @ts-check
/** What the wall's and the teacher's pages share: their secret, and answers as people read them. */

import { Feed, cellText, make, makeButton } from "./common.js";

/**
 * @typedef {{votes: number, counts: Record<string, number>, right?: number, share?: number | null}} Round
 * @typedef {{key: string, input: string, invitation: string, label: string,
 *   settings: string, code: boolean, background: string, prompt: string, choices: string[],
 *   compares: boolean, marks: string[],
 *   tensors: {name: string, sizes: number[]}[], answer?: string, misconceptions?: Record<string, string>,
 *   shown?: string, told?: string, following?: string, notes?: string, minutes?: number, next?: string, next_settings?: string}} Question
 * @typedef {{origin: number, first: number, last: number, devices: number}} Burst
 * @typedef {{locked: boolean, most: number, largest: number, per_address: number, bursts: Burst[]}} Door
 * @typedef {{text: string, answer: string, device?: string}} Sentence
 * @typedef {{device: string, nickname: string, answered: number, lost: boolean}} Person
 * @typedef {{discussion: number, finishes: boolean, nicknames: string, theme: string}} Options
 * @typedef {{joined: number, votes: number, missing: number, bars: boolean, bars_shown: boolean, following: string[],
 *   finished: number, nicknames?: string[], rounds?: Round[], lost?: number, advice?: string, advice_text?: string, seconds?: number,
 *   door?: Door, people?: Person[], sentences?: Sentence[], sentences_shown?: number, unnamed?: number, alone_questions?: number, alone?: Round[]}} Counts
 * @typedef {{label: string, change: object, main: boolean, plays?: boolean, reopens?: boolean, key?: string}} Action
 *   change: the request; main: what the one key does, the first that is possible
 * @typedef {{code: string, title: string, version: number, phase: string, number: number, questions: number,
 *   round: number, open: boolean, paused: boolean, left_ms: number | null, step: number,
 *   invites: boolean, options: Options, layout: string, self_paced: boolean, note: string, can: Record<string, object>, actions: Action[],
 *   counts: Counts, refused?: Record<string, number>, question?: Question | null}} Place
 * @typedef {{answer: string, letter: string, label: string, counts: number[], right: boolean, why: string}} Row
 */

/** Of answers that are typed or tapped, so many stand in the bars. */
export const MOST_ROWS = 6;

/**
 * The secrets behind the address's #; a reload without them finds them in the session.
 * @param {string} role
 * @param {string} code
 * @returns {Record<string, string>} t: the token; w: the wall's, on the teacher's page; c: the teacher's, on a wall
 *   with controls
 */
export function readSecrets(role, code) {
  const name = `dmlviz-${role}-${code}`;
  const hash = window.location.hash.slice(1);
  const secrets = hash.includes("=") ? Object.fromEntries(new URLSearchParams(hash)) : { t: hash };
  if (secrets.t) sessionStorage.setItem(name, JSON.stringify(secrets));
  return secrets.t ? secrets : JSON.parse(sessionStorage.getItem(name) ?? '{"t": ""}');
}

/**
 * Show the states of a class as they come.
 * @param {import("./common.js").Api} api
 * @param {string} code
 * @param {Record<string, string>} words
 * @param {{show: (place: Place) => void, over: () => void, end: (sentence: string) => void, away: (sentence: string) => void}} page
 */
export function listen(api, code, words, page) {
  const feed = new Feed(api, code, {
    state: (place) => page.show(place),
    ended: (why) => (why === "gone" ? page.over() : page.end(words.replaced)),
    lost: (away) => page.away(away ? words.away : ""),
    renew: async ({ status, body }) => {
      const shut = status === 403 || status === 404;
      if (shut) page.end(words.not_yours);
      else if (body.message) page.away(body.message);
      return !shut;
    },
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && performance.now() - feed.heard > 30_000) feed.wake();
  });
  return feed;
}

/**
 * A button that saves the results; a link's address would hold the secret.
 * @param {import("./common.js").Api} api
 * @param {string} code
 * @param {Record<string, string>} words
 * @param {(sentence: string) => void} complain
 * @param {"csv" | "answers"} format a line for each question, or for each answer
 */
export function csvButton(api, code, words, complain, format = "csv") {
  return makeButton("link", async () => {
    const answer = await fetch(api.address(`/${code}/results`, { format }), { headers: api.headers() }).catch(() => null);
    if (!answer?.ok) return complain((await answer?.json().catch(() => null))?.message ?? words.offline);
    complain("");
    const anchor = /** @type {HTMLAnchorElement} */ (make("a"));
    anchor.href = URL.createObjectURL(await answer.blob());
    anchor.download = format === "csv" ? `class-${code}.csv` : `class-${code}-answers.csv`;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
  }, words[format]);
}

/**
 * An answer without its letter.
 * @param {Question} question
 * @param {string} answer
 * @param {Record<string, string>} words
 */
export function answerText(question, answer, words) {
  if (question.input === "choice") return question.choices[Number(answer)] ?? answer;
  return question.input === "place" ? cellText(answer, question.tensors, words) : answer;
}

/**
 * The answers with what was counted of them: all choices in their order, else the most frequent ones.
 * @param {Question} question
 * @param {Counts} counts
 * @param {Record<string, string>} words
 * @param {number} [most] of those that are typed or tapped
 * @returns {Row[]}
 */
export function rowsOf(question, counts, words, most = MOST_ROWS) {
  if (!question.input) return [];
  const rounds = counts.rounds ?? [];
  const answers = question.input === "choice"
    ? question.choices.map((_choice, number) => String(number))
    : mostFrequent(question, rounds, most);
  return answers.map((answer, number) => ({
    answer,
    letter: question.marks[number] ?? "",
    label: answerText(question, answer, words),
    counts: rounds.map((round) => round.counts[answer] ?? 0),
    right: answer === question.answer,
    why: question.misconceptions?.[answer] ?? "",
  }));
}

/**
 * @param {Question} question
 * @param {Round[]} rounds
 * @param {number} rows
 */
function mostFrequent(question, rounds, rows) {
  const last = [...rounds].reverse();
  const all = new Set(last.flatMap((round) => Object.keys(round.counts)));
  const most = (/** @type {string} */ answer) => last.map((round) => round.counts[answer] ?? 0);
  const ordered = [...all].sort((a, b) => {
    const [first, second] = [most(a), most(b)];
    const at = first.findIndex((count, i) => count !== second[i]);
    return at < 0 ? 0 : second[at] - first[at];
  });
  const shown = ordered.slice(0, rows);
  const { answer } = question;
  if (answer !== undefined && !shown.includes(answer)) shown.splice(rows - 1, 1, answer);
  return shown;
}

/**
 * @param {number} count
 * @param {number} votes
 */
export function percent(count, votes) {
  return votes ? Math.round((100 * count) / votes) : 0;
}
