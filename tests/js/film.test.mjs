import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { filmKind, linesOf } = await load("film");
const letters = (text) => text.length;

test("the first kind that the browser records", () => {
  assert.equal(filmKind(() => true), "video/webm;codecs=vp9");
  assert.equal(filmKind((kind) => kind.startsWith("video/mp4")), "video/mp4");
  assert.equal(filmKind(() => false), undefined);
});

test("a short text is one line", () => {
  assert.deepEqual(linesOf("six elements land", letters, 40, 2), ["six elements land"]);
  assert.deepEqual(linesOf("", letters, 40, 2), [""]);
});

test("words go where there is room", () => {
  assert.deepEqual(linesOf("aaa bbb ccc ddd", letters, 7, 2), ["aaa bbb", "ccc ddd"]);
  assert.deepEqual(linesOf("aaa bbb ccc ddd", letters, 7, 1), ["aaa bbb …"]);
});

test("a word wider than the film has a line of its own", () => {
  assert.deepEqual(linesOf("aaaaaaaaaa b", letters, 4, 3), ["aaaaaaaaaa", "b"]);
});
