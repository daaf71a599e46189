import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { MOVE_MS, REST_MS, ease, momentAt, playFrom, stepBack, stepForward } = await load("timeline");

test("a moment is a step and a fraction of it", () => {
  assert.deepEqual(momentAt(0, 3), { step: 0, fraction: 0 });
  assert.deepEqual(momentAt(1.25, 3), { step: 1, fraction: 0.25 });
  assert.deepEqual(momentAt(3, 3), { step: 3, fraction: 0 });
});

test("moments outside are the first and the last", () => {
  assert.deepEqual(momentAt(-2, 3), { step: 0, fraction: 0 });
  assert.deepEqual(momentAt(9.5, 3), { step: 3, fraction: 0 });
});

test("easing starts, ends and is in the middle on time, and never turns back", () => {
  assert.equal(ease(0), 0);
  assert.equal(ease(0.5), 0.5);
  assert.equal(ease(1), 1);
  for (let f = 0; f < 1; f += 0.01) assert.ok(ease(f + 0.01) > ease(f), `at ${f}`);
  assert.ok(ease(0.1) < 0.1 && ease(0.9) > 0.9);
});

test("a step back goes to the rest before", () => {
  assert.deepEqual([0, 0.4, 1, 1.4, 2].map(stepBack), [0, 0, 0, 1, 1]);
});

test("a step forward goes to the rest behind", () => {
  assert.deepEqual([0, 0.4, 1, 1.6, 2].map((t) => stepForward(t, 2)), [1, 1, 2, 2, 2]);
});

test("playing moves, rests after every step, and ends", () => {
  assert.equal(playFrom(0, 0, 2), 0);
  assert.equal(playFrom(0, MOVE_MS / 4, 2), 0.25);
  assert.equal(playFrom(0, MOVE_MS, 2), 1);
  assert.equal(playFrom(0, MOVE_MS + REST_MS * 0.9, 2), 1);
  assert.equal(playFrom(0, MOVE_MS + REST_MS + MOVE_MS / 2, 2), 1.5);
  assert.equal(playFrom(0, 2 * MOVE_MS + REST_MS, 2), 2);
  assert.equal(playFrom(0, 1e9, 2), 2);
});

test("playing goes on from where it was", () => {
  assert.equal(playFrom(1.5, MOVE_MS / 4, 3), 1.75);
  assert.equal(playFrom(1.5, MOVE_MS / 2 + REST_MS / 2, 3), 2);
  assert.equal(playFrom(3, 5, 3), 3);
});

test("playing never turns back", () => {
  let before = 0;
  for (let ms = 0; ms < 6000; ms += 7) {
    const t = playFrom(0, ms, 4);
    assert.ok(t >= before, `at ${ms}`);
    before = t;
  }
  assert.equal(before, 4);
});
