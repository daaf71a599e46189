// @ts-check
/** The door: a player in an element, alone or with what the app asks of it. */

import { keepAddress } from "./address.js";
import { Player } from "./player.js";

/**
 * A player in an element, or the next operation in the player that is there.
 * @param {HTMLElement} root
 * @param {import("./data.js").Payload} payload
 * @param {import("./player.js").Options} options
 * @returns {Player}
 */
export function mount(root, payload, options) {
  const holder = /** @type {any} */ (root);
  // what stands on its buttons was said in another language
  if (holder.dmlviz && root.lang !== payload.language) {
    holder.dmlviz.destroy();
    holder.dmlviz = null;
  }
  root.lang = payload.language;
  if (holder.dmlviz) holder.dmlviz.show(payload, options.predict);
  else holder.dmlviz = new Player(root, payload, options);
  if (options.link) keepAddress(holder.dmlviz, options.link, options.ask);
  return holder.dmlviz;
}
