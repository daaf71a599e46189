// @ts-check
/** Tells the browser which language the app speaks; has no look of its own. */

/** @param {{data: {spoken: string, chosen: string, page: string}}} told page: where one is now */
export default function ({ data }) {
  document.documentElement.lang = data.spoken;
  const { pathname, search, hash } = window.location;
  if (!data.chosen || /[?&]lang=/.test(search)) return;
  // the language that was chosen goes along to pages whose address does not say it; replaced by
  // the browser itself, so that Back needs no second press
  const words = `${search}${search ? "&" : "?"}lang=${data.chosen}`;
  window.history.replaceState(window.history.state, "", `${pathname}${words}${hash}`);
}
