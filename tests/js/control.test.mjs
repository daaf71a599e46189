import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { addEventListener() {} };
const { Control } = await import("../../dmlviz/classroom/pages/staff.control.js");

const WORDS = { moved_on: "moved on", offline: "offline" };
const ASK = { label: "Ask", change: { to: "ask" }, main: true, key: "F5" };
const JOIN = { version: 1, phase: "join", number: 0, layout: "door", actions: [ASK], can: {} };

/** A control, what it sent, and how each is answered. */
function controlled() {
  const sent = [], answers = [], complaints = [];
  const api = { post: (_path, body) => { sent.push(body); return new Promise((answer) => answers.push(answer)); } };
  const control = new Control(api, "ABCD", WORDS, (sentence) => complaints.push(sentence));
  const answer = async (status, body) => {
    answers.shift()({ status, body });
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { control, sent, answer, complaints };
}

const STALE = { error: "stale" };

test("a change before the first state, or while another is on its way, is sent next", async () => {
  const { control, sent, answer } = controlled();
  control.change({ options: { theme: "dark" } });
  assert.deepEqual(sent, []);
  control.at(JOIN);
  control.change({ options: { theme: "light" } });
  await answer(200, { ...JOIN, version: 2 });
  await answer(200, { ...JOIN, version: 3 });
  assert.deepEqual(sent, [{ version: 1, options: { theme: "dark" } }, { version: 2, options: { theme: "light" } }]);
});

test("a key that is pressed twice goes on once", async () => {
  const { control, sent, answer } = controlled();
  control.at(JOIN);
  control.act(ASK);
  control.act(ASK);
  await answer(200, { version: 2, phase: "ask", number: 0 });
  assert.deepEqual(sent, [{ version: 1, to: "ask" }]);
});

test("a move that crosses another change is sent again, once its state is here", async () => {
  const { control, sent, answer, complaints } = controlled();
  control.at(JOIN);
  control.act(ASK);
  await answer(409, STALE);
  assert.equal(sent.length, 1);
  control.at({ ...JOIN, version: 2 });
  assert.deepEqual(sent[1], { version: 2, to: "ask" });
  await answer(200, { version: 3, phase: "ask", number: 0 });
  assert.deepEqual(complaints, [""]);
});

test("a move from where the class no longer is goes nowhere, and says so", async () => {
  const { control, sent, answer, complaints } = controlled();
  control.at(JOIN);
  control.act(ASK);
  await answer(409, STALE);
  control.at({ version: 2, phase: "ask", number: 0 });
  assert.equal(sent.length, 1);
  assert.deepEqual(complaints, ["moved on"]);
});

test("keys do what the class's state allows, and a still question has nothing to play", async () => {
  const { control, sent, answer } = controlled();
  const play = { label: "Play", change: { step: 9 }, main: true, plays: true };
  const next = { label: "Next", change: { to: "x" }, main: true };
  const back = { label: "Reopen", change: { to: "y" }, main: false, reopens: true };
  control.at({ ...JOIN, step: 0, number: 3, actions: [play, next, back] });
  assert.deepEqual([control.main, control.others], [play, [next, back]]);
  control.still = 3;
  assert.deepEqual([control.main, control.others], [next, [back]]);
  control.press("F5");
  control.use("pause");
  control.backward();
  await answer(200, { ...JOIN, version: 2 });
  control.press("F5");
  assert.deepEqual(sent, [{ version: 1, to: "y" }, { version: 2, to: "ask" }]);
});
