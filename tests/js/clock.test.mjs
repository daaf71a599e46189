import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load } from "./modules.mjs";

const { Clock } = await load("clock");
const { MOVE_MS, REST_MS } = await load("timeline");
const FRAME = 16;

let now = 0;
let frames = new Map();
let timers = new Map();
let number = 0;

/** A display and a timer that move only when told. */
beforeEach(() => {
  now = 1000;
  frames = new Map();
  timers = new Map();
  Object.defineProperty(globalThis, "performance", { value: { now: () => now }, configurable: true });
  globalThis.requestAnimationFrame = (call) => (frames.set(++number, call), number);
  globalThis.cancelAnimationFrame = (id) => frames.delete(id);
  globalThis.window = { setTimeout: (call, ms) => (timers.set(++number, [call, now + ms]), number) };
  globalThis.clearTimeout = (id) => timers.delete(id);
});

function pass(ms) {
  const until = now + ms;
  while (now < until) {
    now = Math.min(until, now + FRAME);
    const due = [...frames.values()];
    frames.clear();
    for (const call of due) call(now);
    for (const [id, [call, at]] of [...timers]) {
      if (at <= now && timers.delete(id)) call();
    }
  }
}

function clockOf(steps) {
  const seen = [];
  const clock = new Clock(() => seen.push(clock.t));
  clock.steps = steps;
  return { clock, seen };
}

test("it plays through every step, rests, and stops at the end", () => {
  const { clock, seen } = clockOf(2);
  clock.toggle();
  assert.equal(clock.playing, true);
  pass(MOVE_MS / 2);
  assert.equal(clock.t, 0.5);
  pass(MOVE_MS / 2 + REST_MS - FRAME);
  assert.equal(clock.t, 1);
  pass(MOVE_MS + FRAME);
  assert.equal(clock.t, 2);
  assert.equal(clock.playing, false);
  assert.equal(frames.size + timers.size, 0, "nothing goes on behind the scenes");
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
});

test("pause and go on from there; from the end it begins again", () => {
  const { clock } = clockOf(1);
  clock.toggle();
  pass(MOVE_MS / 4);
  clock.toggle();
  pass(5000);
  assert.equal(clock.t, 0.25);
  clock.toggle();
  pass(MOVE_MS / 2);
  assert.equal(clock.t, 0.75);
  pass(MOVE_MS);
  assert.equal(clock.t, 1);
  clock.toggle();
  assert.deepEqual([clock.t, clock.playing], [0, true]);
});

test("the first play ends where it is to end, the next one at the last step", () => {
  const { clock } = clockOf(3);
  clock.until = 2;
  clock.toggle();
  pass(9000);
  assert.deepEqual([clock.t, clock.playing], [2, false]);
  clock.toggle();
  pass(9000);
  assert.equal(clock.t, 3);
});

test("seeking stops and stays between the ends", () => {
  const { clock, seen } = clockOf(3);
  clock.toggle();
  clock.seek(1.5);
  assert.deepEqual([clock.playing, clock.t, frames.size], [false, 1.5, 0]);
  clock.seek(-1);
  clock.seek(9);
  assert.deepEqual(seen.slice(-3), [1.5, 0, 3]);
});

test("one step back is there at once, one step forward is seen", () => {
  const { clock } = clockOf(3);
  clock.seek(1.5);
  clock.back();
  assert.equal(clock.t, 1);
  clock.forward();
  pass(MOVE_MS / 2);
  assert.equal(clock.t, 1.5);
  pass(5000);
  assert.deepEqual([clock.t, clock.playing], [2, false]);
});

test("forward while a step plays ends it and shows the next one", () => {
  const { clock } = clockOf(3);
  clock.toggle();
  pass(MOVE_MS / 2);
  clock.forward();
  assert.equal(clock.t, 1);
  pass(5000);
  assert.equal(clock.t, 2);
});

test("forward at the end stays there", () => {
  const { clock } = clockOf(2);
  clock.seek(2);
  clock.forward();
  assert.deepEqual([clock.t, clock.playing, frames.size], [2, false, 0]);
});

test("twice the speed, half the time, and no jump where it changes", () => {
  const { clock } = clockOf(1);
  clock.toggle();
  pass(MOVE_MS / 4);
  clock.setSpeed(2);
  assert.equal(clock.t, 0.25);
  pass(MOVE_MS / 4);
  assert.equal(clock.t, 0.75);
  clock.setSpeed(0.25);
  pass(MOVE_MS / 2);
  assert.equal(clock.t, 0.875);
});

test("a loop begins again after a rest, until it is stopped", () => {
  const { clock } = clockOf(1);
  clock.loop = true;
  clock.toggle();
  pass(MOVE_MS + FRAME);
  assert.deepEqual([clock.t, clock.playing], [1, true]);
  pass(3000);
  assert.ok(clock.t > 0 || clock.playing);
  assert.equal(clock.playing, true);
  let again = false;
  for (let k = 0; k < 200; k++) {
    pass(FRAME);
    again ||= clock.t > 0 && clock.t < 1;
  }
  assert.ok(again);
  while (clock.t < 1) pass(FRAME);
  clock.toggle();
  assert.deepEqual([clock.playing, timers.size], [false, 0]);
  pass(10_000);
  assert.equal(clock.t, 1);
});

test("one step forward does not loop, unless it is the last", () => {
  const { clock } = clockOf(2);
  clock.loop = true;
  clock.forward();
  pass(10_000);
  assert.deepEqual([clock.t, clock.playing], [1, false]);
});
