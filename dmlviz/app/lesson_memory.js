// @ts-check
/** What this browser alone remembers of lessons: which were passed, and in this tab every answer. */

const PASSED = "dmlviz-lessons-passed";
const ANSWERS = "dmlviz-lessons-answers";

/**
 * @typedef {Record<string, Record<string, number>>} Answers by lesson and part
 * @typedef {{visit: string, answers: Answers}} Kept visit: the session of the server that answers were last kept for
 */

/**
 * @param {Storage} storage
 * @param {string} key
 */
function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {Storage} storage
 * @param {string} key
 * @param {any} value
 */
function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser may keep nothing; it then lasts for this page
  }
}

/** @param {{data: {passed: string, visit: string, answers: Answers}, parentElement: HTMLElement,
 *   setTriggerValue: (name: string, value: any) => void}} component passed: the lesson passed, or "" */
export default function ({ data, parentElement, setTriggerValue }) {
  showTicks(data.passed, parentElement);
  const kept = /** @type {Kept | null} */ (read(sessionStorage, ANSWERS));
  if (!kept || kept.visit === data.visit) {
    write(sessionStorage, ANSWERS, { visit: data.visit, answers: data.answers });
    return;
  }
  // the server has begun anew, as after a reload: it is told once what was answered before
  const answers = { ...kept.answers };
  for (const [lesson, parts] of Object.entries(data.answers)) answers[lesson] = { ...answers[lesson], ...parts };
  write(sessionStorage, ANSWERS, { visit: data.visit, answers });
  if (JSON.stringify(answers) !== JSON.stringify(data.answers)) setTriggerValue("answers", JSON.stringify(answers));
}

/**
 * @param {string} passed
 * @param {HTMLElement} parent
 */
function showTicks(passed, parent) {
  const stored = read(localStorage, PASSED);
  // they become part of a style sheet
  const keys = new Set(Array.isArray(stored) ? stored.filter((key) => /^[a-z0-9-]{1,60}$/.test(key)) : []);
  if (passed && !keys.has(passed)) {
    keys.add(passed);
    write(localStorage, PASSED, [...keys]);
  }
  const style = parent.querySelector("style") ?? parent.appendChild(document.createElement("style"));
  const ticks = [...keys].map((key) => `.st-key-lesson_passed_${key}.st-key-lesson_passed_${key}`);
  style.textContent = ticks.length ? `${ticks.join(", ")} { display: flex; }` : "";
}
