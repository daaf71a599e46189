// @ts-check
/** Which phase the one key leads to, and what is said about it; a wall has no advice. */

import { STANDS, fill } from "./common.js";

/**
 * @param {import("./staff.js").Place} place
 * @param {number} still the number of a question that has nothing to play
 */
export function nextOf(place, still) {
  const { phase, counts } = place;
  if (phase === "closed") {
    if (counts.advice === "go_on") return "reveal";
    return counts.advice === "explain" ? "again" : "discuss";
  }
  if (phase === "reveal" && place.step === STANDS && place.number !== still) return "play";
  if (phase === "reveal") return place.number + 1 < place.questions ? "ask" : "over";
  // own pace ends where it began
  if (phase === "alone") return counts.following[0];
  if (phase === "discuss") return hasVotes(place) ? "again" : "reveal";
  return { join: "ask", ask: "closed", again: "closed_again", closed_again: "reveal" }[phase] ?? "";
}

/**
 * Whether the discussion is between two votes, and not a question of its own without an answer.
 * @param {import("./staff.js").Place} place
 */
export function hasVotes({ counts }) {
  return counts.following.includes("again");
}

/**
 * @param {string} to
 * @param {import("./staff.js").Place} place
 * @param {Record<string, string>} words
 */
export function labelOf(to, place, words) {
  if (place.phase === "alone") return words.end_alone;
  if (place.phase === "discuss" && !hasVotes(place)) return words.end_discussion;
  if ({ closed: "ask", closed_again: "again" }[place.phase] === to) return words[`reopen_${to}`];
  if (to === "ask" && place.phase === "join") return words.to_ask_first;
  return words[`to_${to}`];
}

/**
 * What the share right of the newest vote asks for, once it is closed.
 * @param {import("./staff.js").Place} place
 * @param {Record<string, string>} words
 */
export function adviceOf(place, words) {
  const { advice, rounds } = place.counts;
  const last = rounds?.[place.round - 1];
  if (!advice || !last?.votes || !["closed", "discuss"].includes(place.phase)) return "";
  return fill(words[`advice_${advice}`], { share: Math.round(100 * (last.share ?? 0)) });
}

/**
 * What can follow beside that.
 * @param {import("./staff.js").Place} place
 * @param {number} still as of nextOf
 */
export function othersOf(place, still) {
  const to = nextOf(place, still);
  return place.counts.following.filter((phase) => phase !== to);
}
