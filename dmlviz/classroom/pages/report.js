// @ts-check
/** The report of a class: a table to print. */

import { Api, fill, make, makeButton, readPageData, say, unbroken } from "./common.js";
import { csvButton, readSecrets } from "./staff.js";
import "./staff.theme.js";

const pageData = readPageData();
const { words, code } = pageData;
const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/**
 * @param {{votes: number, right: number, share: number | null}} round
 */
function shareOf({ votes, right, share }) {
  if (!votes) return make("td", "share quiet", words.nobody);
  const bar = make("span", "fill");
  bar.style.width = `${Math.round(100 * (share ?? 0))}%`;
  const number = make("strong", "", `${Math.round(100 * (share ?? 0))}%`);
  return make("td", "share", number, make("span", "track", bar), make("span", "quiet", fill(words.of, { right, votes })));
}

/** @param {any} row */
function votesOf(row) {
  return [...row.rounds, row.alone].reduce((sum, round) => sum + round.votes, 0);
}

/**
 * The wrong answers that most have chosen, each with its misconception, and in which round.
 * @param {any} row
 */
function wrongOf({ mistaken, mistaken_round: turn, tied, ...row }) {
  if (!mistaken.length) return [votesOf(row) ? words.none : words.nobody];
  const lines = mistaken.flatMap((/** @type {any} */ { shown, misconception }) => [make("p", "", unbroken(shown)),
    ...(misconception ? [make("p", "quiet", unbroken(misconception))] : [])]);
  const more = tied - mistaken.length;
  if (more) lines.push(make("p", "quiet", fill(words.tied, { n: more })));
  const name = turn ? fill(words.round, { n: turn }) : words.column_alone;
  return [...lines, make("p", "quiet", name)];
}

async function begin() {
  const { t } = readSecrets("teacher", code);
  const api = new Api(pageData.base, pageData.language, t);
  const { status, body: result } = await api.get(`/${code}/results`);
  if (status !== 200) {
    page.replaceChildren(make("p", "gone", status === 403 || status === 404 ? words.not_yours : result.message ?? words.offline));
    return;
  }
  const title = result.title || code;
  document.title = fill(words.report_title, { title });
  const error = make("p", "error");
  error.setAttribute("role", "alert");
  const csv = csvButton(api, code, words, (sentence) => say(error, sentence));
  const answers = csvButton(api, code, words, (sentence) => say(error, sentence), "answers");
  const day = new Date(Date.now() - result.opened_ms).toLocaleString(pageData.language, { dateStyle: "long", timeStyle: "short" });
  // a column that nobody used takes room from the others
  const alone = result.rows.some((/** @type {any} */ row) => row.alone.votes);
  const [{ rounds }] = result.rows;
  const names = ["", words.column_question, words.column_answer,
    ...rounds.map((/** @type {any} */ _round, /** @type {number} */ n) => fill(words.round, { n: n + 1 })),
    ...(alone ? [words.column_alone] : []), words.column_mistaken];
  const rows = result.rows.map((/** @type {any} */ row) => {
    const number = make("th", "", String(row.number + 1));
    number.setAttribute("scope", "row");
    const wrong = make("td", "", ...wrongOf(row));
    const asked = make("td", "", ...[row.settings, row.background].filter(Boolean).map((text) => make("p", "quiet", unbroken(text))),
      unbroken(row.prompt));
    const cells = [asked, make("td", "", unbroken(row.shown)), ...row.rounds.map(shareOf),
      ...(alone ? [shareOf(row.alone)] : []), wrong];
    // without room for columns, each cell shows its column's name
    cells.slice(1).forEach((cell, n) => { cell.dataset.name = names[n + 2]; });
    if (!row.input) {
      // nobody could vote
      const talk = /** @type {HTMLTableCellElement} */ (make("td", "quiet", words.no_votes));
      talk.colSpan = cells.length - 2;
      cells.splice(2, cells.length, talk);
    }
    return make("tr", "", number, ...cells);
  });
  const head = names.map((name) => {
    const cell = make("th", "", name);
    cell.setAttribute("scope", "col");
    return cell;
  });
  page.replaceChildren(
    make("header", "", make("h1", "", fill(words.report_title, { title })),
      make("p", "acts", makeButton("plain", () => window.print(), words.print), csv, answers), error,
      make("p", "quiet", fill(words.report_of, { day, code, n: result.joined }))),
    make("table", "", make("thead", "", make("tr", "", ...head)), make("tbody", "", ...rows)),
    make("p", "quiet", fill(words.nameless, { days: pageData.days })),
  );
}

begin();
