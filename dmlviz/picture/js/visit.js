// @ts-check
/** A small picture plays while it is visited and rests, complete, otherwise. */

import { drawIcon, makeButton } from "./dom.js";

/**
 * @param {import("./player.js").Player} player
 * @param {string} invitation
 */
export function playOnVisit(player, invitation) {
  const { clock, root } = player;
  const start = () => player.visit();
  root.append(makeButton(invitation, "dmlviz-visit", start, drawIcon("play")));
  root.addEventListener("pointerenter", start);
  root.addEventListener("pointerleave", () => clock.seek(clock.steps));
  root.addEventListener("click", start);
}
