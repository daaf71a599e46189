// @ts-check
/** The entry point: puts a player into an element, alone or in the app. */

import { keepAddress } from "./address.js";
import { Player } from "./player.js";
import { Still } from "./still.js";

/**
 * Put a player into an element, or the next operation into its existing player.
 * @param {HTMLElement} root
 * @param {import("./data.js").Payload} payload
 * @param {import("./player.js").Options} options
 * @returns {Player}
 */
export function mount(root, payload, options) {
  const holder = /** @type {any} */ (root);
  const still = Boolean(options.present?.still);
  // what stands on its buttons was said in another language, or something else stands there
  if (holder.dmlviz && (root.lang !== payload.language || still !== Boolean(holder.dmlviz.still))) {
    holder.dmlviz.destroy();
    holder.dmlviz = null;
  }
  if (root.lang !== payload.language) root.lang = payload.language;
  if (holder.dmlviz) holder.dmlviz.show(payload, options.predict, options.present);
  else holder.dmlviz = still ? new Still(root, options) : new Player(root, payload, options);
  if (options.link && !still) keepAddress(holder.dmlviz, options.link, options.ask);
  return holder.dmlviz;
}
