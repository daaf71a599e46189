// @ts-check
/** This page on a phone: a QR code that the server draws only for the teacher, when it is asked for. */

import { make, say } from "./common.js";

/**
 * @param {import("./common.js").Api} api
 * @param {string} code
 * @param {Record<string, string>} words
 */
export function remoteBox(api, code, words) {
  const picture = /** @type {HTMLImageElement} */ (make("img", "remote"));
  picture.alt = words.remote;
  picture.hidden = true;
  const note = make("p", "quiet", words.remote_secret);
  const box = /** @type {HTMLDetailsElement} */ (make("details", "box", make("summary", "", words.remote), note, picture));
  box.addEventListener("toggle", async () => {
    // closed again, nobody can photograph it
    picture.hidden = true;
    picture.removeAttribute("src");
    if (!box.open) return;
    const { status, body } = await api.get(`/${code}/remote`, { origin: location.origin });
    if (!box.open) return;
    if (status !== 200) return say(note, body.message ?? words.offline);
    say(note, words.remote_secret);
    picture.src = `data:image/svg+xml,${encodeURIComponent(body.svg)}`;
    picture.hidden = false;
    picture.scrollIntoView({ block: "center" });
  });
  return box;
}
