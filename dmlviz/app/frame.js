// @ts-check
/**
 * What the browser is told on every page: its language, when the sheet of settings closes on a phone,
 * that a choice made with a mouse keeps no keys, and that a theme is chosen for every page.
 */

const OPEN_SHEET = ".stSidebar[data-collapsed=false]";
const PRESSED = "a, button, input, label, select, summary, textarea, [role=button], [data-baseweb=select]";
/** Where Streamlit keeps whether its sidebar is open. */
const KEPT = "stSidebarCollapsed-";
/** Where Streamlit keeps the theme, which it does for each address by itself. */
const THEME = /^stActiveTheme-.*(-v\d+)$/;

const phone = window.matchMedia("(max-width: 767px)");

/** How long the browser remembers what was chosen, in seconds. */
const YEAR = 365 * 24 * 60 * 60;

const CLASS = "dmlviz-class";

/**
 * @typedef {{visit: string, class: string}} Kept visit: the session of the server that has the teacher's class
 * @param {{data: {spoken: string, chosen: string, page: string, pages: string[], cookies: string[], kept: Kept},
 *   setTriggerValue: (name: string, value: string) => void}} component page: where one is now; pages: all of them
 */
export default function ({ data, setTriggerValue }) {
  followLanguage(data);
  keepClass(data.kept, (text) => setTriggerValue("class", text));
  for (const cookie of data.cookies) document.cookie = `${cookie}; path=/; max-age=${YEAR}; samesite=lax`;
  const root = document.documentElement;
  if (root.dataset.dmlvizPage === undefined) {
    keepPresses();
    freeKeys();
    tellTerms();
    stayInTab();
    spreadTheme(data.pages);
  } else if (root.dataset.dmlvizPage !== data.page && phone.matches) {
    /** @type {HTMLElement | null} */ (document.querySelector(`${OPEN_SHEET} [data-testid=stSidebarCollapseButton] button`))?.click();
  }
  root.dataset.dmlvizPage = data.page;
}

/**
 * This tab keeps the class that a teacher is putting together, also where no address holds it.
 * @param {Kept} now
 * @param {(text: string) => void} giveBack
 */
function keepClass(now, giveBack) {
  try {
    /** @type {Kept | null} */
    const before = JSON.parse(sessionStorage.getItem(CLASS) ?? "null");
    // the server has begun anew, as after a reload: it is told once what was there before
    const lost = before !== null && before.visit !== now.visit && !now.class ? before.class : "";
    if (before || now.class) sessionStorage.setItem(CLASS, JSON.stringify({ visit: now.visit, class: lost || now.class }));
    if (lost) giveBack(lost);
  } catch {
    // a browser may keep nothing; the class then lasts for this session
  }
}

/** @param {{spoken: string, chosen: string}} data */
function followLanguage({ spoken, chosen }) {
  document.documentElement.lang = spoken;
  const { pathname, search, hash } = window.location;
  if (!chosen || /[?&]lang=/.test(search)) return;
  // the language that was chosen goes along to pages whose address does not say it; replaced by
  // the browser itself, so that Back needs no second press
  const words = `${search}${search ? "&" : "?"}lang=${chosen}`;
  window.history.replaceState(window.history.state, "", `${pathname}${words}${hash}`);
}

/**
 * On a phone Streamlit closes the sheet when anything beside it is pressed. The page grows then, and
 * the button under the finger is elsewhere before the press becomes a click. What can be pressed is
 * therefore kept from Streamlit, whose listener is the document's.
 */
function keepPresses() {
  document.body.addEventListener("mousedown", (event) => {
    const pressed = /** @type {Element} */ (event.target).closest(PRESSED);
    if (phone.matches && pressed && document.querySelector(OPEN_SHEET)) event.stopPropagation();
  });
  // a sheet that is open now is closed after a reload
  document.body.addEventListener("click", () => {
    if (!phone.matches) return;
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT)) localStorage.removeItem(key);
    } catch {
      // the browser keeps nothing
    }
  });
}

/**
 * Streamlit's shortcuts rest while a radio button has the focus. Whoever clicked it is done with it, so
 * that the keys are the page's again; whoever came by keyboard walks on in it.
 */
function freeKeys() {
  let pointed = false;
  window.addEventListener("pointerdown", () => { pointed = true; }, true);
  window.addEventListener("keydown", () => { pointed = false; }, true);
  // Streamlit moves the focus there after the click
  document.body.addEventListener("focusin", ({ target }) => {
    const focused = /** @type {HTMLElement} */ (target);
    if (pointed && focused.matches("input[type=radio]")) focused.blur();
  });
}

/**
 * A theme that is chosen on one page is that of every page, also of one that is opened anew: Streamlit
 * reads it before it draws, under the page's own address.
 * @param {string[]} pages the last part of each page's address
 */
function spreadTheme(pages) {
  const read = () => Object.entries(localStorage).filter(([key]) => THEME.test(key));
  try {
    let before = new Map(read());
    // Streamlit keeps the choice with the click that makes it, or just after
    document.addEventListener("click", () => setTimeout(() => {
      const chosen = read().find(([key, theme]) => before.get(key) !== theme);
      if (!chosen) return;
      const [, version = ""] = THEME.exec(chosen[0]) ?? [];
      for (const page of pages) {
        const { pathname } = new URL(`./${page}`, window.location.href);
        localStorage.setItem(`stActiveTheme-${pathname}${version}`, chosen[1]);
      }
      before = new Map(read());
    }));
  } catch {
    // the browser keeps nothing
  }
}

/** A message's link to a page of the app opens in this tab, which alone has the class that is put together. */
function stayInTab() {
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element) event.target.closest("[data-testid=stToast] a")?.removeAttribute("target");
  }, true);
}

/** Words of the glossary, whose titles say what they mean. */
const TERM = 'a[href*="glossary?term"][title]';
/** Pixels between a word, what it means, and the window's edges. */
const AIR = 8;

/**
 * A tap on a word of the glossary says what it means, and so does the focus of the keyboard; a second
 * tap follows the link, and anything else, Escape too, takes the sentence away.
 */
function tellTerms() {
  const tip = document.createElement("div");
  tip.className = "dmlviz-term";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  /** @type {Element | null} */
  let told = null;
  /** @param {Element | null} word */
  const tell = (word) => {
    told = word;
    tip.hidden = !word;
    if (!word) return;
    tip.textContent = word.getAttribute("title");
    // the theme's colors are those of the app, which this stands beside
    const { color, backgroundColor } = getComputedStyle(word.closest(".stApp") ?? document.body);
    Object.assign(tip.style, { color, backgroundColor });
    const [at, { width, height }] = [word.getBoundingClientRect(), tip.getBoundingClientRect()];
    const below = at.bottom + AIR + height <= window.innerHeight - AIR;
    tip.style.top = `${below ? at.bottom + AIR : Math.max(AIR, at.top - AIR - height)}px`;
    tip.style.left = `${Math.max(AIR, Math.min(at.left, document.documentElement.clientWidth - width - AIR))}px`;
  };
  const wordOf = (/** @type {Event} */ event) => event.target instanceof Element ? event.target.closest(TERM) : null;
  document.addEventListener("click", (event) => {
    const word = wordOf(event);
    const touched = event instanceof PointerEvent && event.pointerType === "touch";
    if (word && touched && word !== told) {
      event.preventDefault();
      event.stopPropagation();
      tell(word);
    } else tell(null);
  }, true);
  document.addEventListener("focusin", (event) => {
    const word = wordOf(event);
    if (word?.matches(":focus-visible")) tell(word);
  });
  document.addEventListener("focusout", (event) => {
    if (wordOf(event) === told) tell(null);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tell(null);
  }, true);
  document.addEventListener("scroll", () => tell(null), true);
}
