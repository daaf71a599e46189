// @ts-check
/** Keeps in this browser alone which lessons were passed, and shows their ticks. */

const KEY = "dmlviz-lessons-passed";

/** @returns {string[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    // they become part of a style sheet
    return Array.isArray(found) ? found.filter((key) => /^[a-z0-9-]{1,60}$/.test(key)) : [];
  } catch {
    return [];
  }
}

/** @param {{data: {passed: string}, parentElement: HTMLElement}} told the lesson passed, or "" */
export default function ({ data, parentElement }) {
  const keys = new Set(kept());
  if (data.passed && !keys.has(data.passed)) {
    keys.add(data.passed);
    try {
      localStorage.setItem(KEY, JSON.stringify([...keys]));
    } catch {
      // a browser may keep nothing; the tick then lasts for this page
    }
  }
  const style =
    parentElement.querySelector("style") ?? parentElement.appendChild(document.createElement("style"));
  const ticks = [...keys].map((key) => `.st-key-lesson_passed_${key}.st-key-lesson_passed_${key}`);
  style.textContent = ticks.length ? `${ticks.join(", ")} { display: flex; }` : "";
}
