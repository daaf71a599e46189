// @ts-check
/** Tells the server what the page shows after a lost connection returns. Only in the app. */

let watching = false;

/**
 * Have the page run with its own address as soon as a lost connection is there again. Streamlit
 * by itself waits for the next change of a widget, and sends that to a session which may know
 * nothing of the page: the change, the step and the pinned cells would be lost.
 */
export function watchConnection() {
  const app = document.querySelector("[data-test-connection-state]");
  if (watching || !app) return;
  watching = true;
  const state = () => app.getAttribute("data-test-connection-state");
  let before = state();
  new MutationObserver(() => {
    const now = state();
    if (now === "CONNECTED" && before !== now) {
      // as if the browser's Back button had brought the address: all its words are sent
      window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state }));
    }
    before = now;
  }).observe(app, { attributeFilter: ["data-test-connection-state"] });
}
