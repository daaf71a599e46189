import assert from "node:assert/strict";
import { mock, test } from "node:test";

globalThis.window = globalThis;
const { Feed } = await import("../../dmlviz/classroom/pages/common.js");

const api = { address: (path) => path, headers: () => ({}) };

/** Let promises that are settled go on. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("who is away for 2.5 s is told so, although the feed tries again in between", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  // the shortest waits: they are random
  mock.method(Math, "random", () => 0);
  mock.method(globalThis, "fetch", async () => { throw new TypeError("refused"); });
  const away = [];
  const feed = new Feed(api, "ABCD", { lost: (is) => away.push(is), state() {}, ended() {}, renew: async () => true });
  await settle();
  for (let ms = 0; ms < 2_400; ms += 100) {
    mock.timers.tick(100);
    await settle();
  }
  assert.deepEqual(away, []);
  assert.ok(fetch.mock.callCount() > 1);
  mock.timers.tick(100);
  assert.deepEqual(away, [true]);
  feed.close();
  mock.timers.reset();
  mock.restoreAll();
});

test("a feed that is closed asks no more and says nothing", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(globalThis, "fetch", async () => { throw new TypeError("refused"); });
  const away = [];
  const feed = new Feed(api, "ABCD", { lost: (is) => away.push(is), state() {}, ended() {}, renew: async () => true });
  await settle();
  feed.close();
  const asked = fetch.mock.callCount();
  mock.timers.tick(30_000);
  await settle();
  assert.equal(fetch.mock.callCount(), asked);
  assert.deepEqual(away, []);
  mock.timers.reset();
  mock.restoreAll();
});
