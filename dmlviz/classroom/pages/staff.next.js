// @ts-check
/** Which phase the one key leads to, and what is said about it; a wall has no advice. */

import { fill } from "./common.js";

/** @param {import("./staff.js").Place} place */
export function nextOf(place) {
  const { phase, counts } = place;
  if (phase === "closed") {
    if (counts.advice === "go_on") return "reveal";
    return counts.advice === "explain" ? "again" : "discuss";
  }
  if (phase === "reveal") return place.number + 1 < place.questions ? "ask" : "over";
  return { join: "ask", ask: "closed", discuss: "again", again: "closed_again", closed_again: "reveal", alone: "over" }[phase] ?? "";
}

/**
 * @param {string} to
 * @param {import("./staff.js").Place} place
 * @param {Record<string, string>} words
 */
export function labelOf(to, place, words) {
  if (to === "over" && place.phase === "alone") return words.to_over_alone;
  if (to === "ask") return words[place.phase === "join" ? "to_ask_first" : place.phase === "closed" ? "to_ask_again" : "to_ask"];
  return words[`to_${to}`];
}

/**
 * What the share right of the newest vote asks for.
 * @param {import("./staff.js").Place} place
 * @param {Record<string, string>} words
 */
export function adviceOf(place, words) {
  const { advice, rounds } = place.counts;
  const last = rounds?.[place.round - 1];
  if (!advice || !last?.votes || !["ask", "closed", "discuss"].includes(place.phase)) return "";
  return fill(words[`advice_${advice}`], { share: Math.round(100 * (last.share ?? 0)) });
}

/**
 * What can follow beside that.
 * @param {import("./staff.js").Place} place
 */
export function othersOf(place) {
  const to = nextOf(place);
  const last = place.number + 1 === place.questions || place.phase === "alone";
  return place.counts.following.filter((phase) => phase !== to && (phase !== "over" || last));
}
