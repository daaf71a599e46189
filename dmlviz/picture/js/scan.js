// @ts-check
/** A sheet over the wall with a QR code of what a room may open for itself. */

import { make } from "./dom.js";

/**
 * @typedef {{search: string, address: string, image: string, note: string}} Code
 *   search: the address's words that it was asked with; image: empty where there is none; note: what
 *   to know
 */

export class Scan {
  /**
   * @param {() => string} here the address's words as they are now
   * @param {(name: string, value: any) => void} ask tells the server
   */
  constructor(here, ask) {
    this.here = here;
    this.ask = ask;
    this.wanted = false;
    this.asked = "";
    /** @type {Code | null} */
    this.code = null;
    this.sheet = make("div", "dmlviz-qr");
    this.sheet.hidden = true;
  }

  /** Show the code, or put it away. */
  turn() {
    const wanted = !this.wanted;
    this.away();
    if (!wanted) return;
    this.wanted = true;
    const search = this.here();
    this.asked = search;
    if (this.code?.search === search) this.unroll(this.code);
    else this.ask("scan", search);
  }

  away() {
    this.wanted = false;
    this.sheet.hidden = true;
  }

  /**
   * The server has made a code.
   * @param {Code | null | undefined} code
   */
  take(code) {
    if (!code || code.search === this.code?.search) return;
    this.code = code;
    if (this.wanted && code.search === this.asked) this.unroll(code);
  }

  /** @param {Code} code */
  unroll(code) {
    const parts = [make("p", "dmlviz-qr-address", code.address)];
    if (code.note) parts.push(make("p", "dmlviz-qr-note", code.note));
    if (code.image) {
      const image = document.createElement("img");
      image.setAttribute("src", code.image);
      image.alt = code.address;
      parts.unshift(image);
    }
    this.sheet.replaceChildren(...parts);
    this.sheet.hidden = false;
  }
}
