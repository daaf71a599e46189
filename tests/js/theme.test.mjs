import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./modules.mjs";

const { isDark } = await load("theme");

test("Streamlit's papers, as colour and as computed style", () => {
  assert.equal(isDark("#ffffff"), false);
  assert.equal(isDark("#0e1117"), true);
  assert.equal(isDark("#10161D"), true);
  assert.equal(isDark("rgb(255, 255, 255)"), false);
  assert.equal(isDark("rgb(16, 22, 29)"), true);
});

test("the first that is a colour decides", () => {
  assert.equal(isDark("", "rgb(16, 22, 29)"), true);
  assert.equal(isDark("#ffffff", "rgb(16, 22, 29)"), false);
  assert.equal(isDark("no colour", "#000000"), true);
});

test("what is transparent or missing is light", () => {
  assert.equal(isDark("rgba(0, 0, 0, 0)"), false);
  assert.equal(isDark(""), false);
  assert.equal(isDark(), false);
});

test("brightness as eyes have it: yellow is light, blue is dark", () => {
  assert.equal(isDark("#ffff00"), false);
  assert.equal(isDark("#0000ff"), true);
});
