// @ts-check
/** The list of a teacher's classes in this browser. */

import { Api, fill, make, makeButton, readPageData } from "./common.js";
import { forgetClass, keptClasses } from "./staff.kept.js";
import "./staff.theme.js";

const pageData = readPageData();
const { words } = pageData;
const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const api = new Api(pageData.base, pageData.language);

/**
 * @param {string} text
 * @param {string} href
 */
function link(text, href) {
  const anchor = /** @type {HTMLAnchorElement} */ (make("a", "", text));
  anchor.href = href;
  return anchor;
}

function show() {
  const kept = keptClasses(pageData.days);
  const rows = kept.map(({ code, title, at, secrets }) => {
    const day = new Date(at).toLocaleString(pageData.language, { dateStyle: "long", timeStyle: "short" });
    const hash = `#${new URLSearchParams(secrets)}`;
    const forget = makeButton("plain", () => { forgetClass(code, secrets.t, pageData.days); show(); }, words.classes_forget);
    return make("li", "kept-class",
      make("p", "", make("strong", "code", code), ` ${title}`),
      make("p", "quiet", day),
      make("p", "acts", link(words.classes_open, `${api.address(`/${code}/teach`)}${hash}`),
        link(words.report, `${api.address(`/${code}/report`)}#${new URLSearchParams({ t: secrets.t })}`), forget));
  });
  page.replaceChildren(make("h1", "", words.classes), make("p", "quiet", fill(words.classes_kept, { days: pageData.days })),
    rows.length ? make("ul", "kept-classes", ...rows) : make("p", "", words.classes_none));
}

show();
