/** What colors the player gives to payloads: reads them with a way of coloring and a theme. */

import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const { modelOf } = await load("model");
const { colorings, levelOf, modesFor, numbersOf, readableInk } = await load("colors");
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ payload, mode, theme }) => {
  const { value, source } = modelOf(payload);
  const { input, output, range, rgb } = payload;
  const inputs = input.tensors.filter(({ role }) => role === "values");
  const of = { inputs, outputs: output.tensors, value, range, rgb, source };
  const modes = modesFor(of);
  const { css, ink, letters } = colorings(modes.includes(mode) ? mode : "value", of, payload.palettes[theme]);
  return {
    modes, css: css.map(numbersOf), letters: letters ?? css.map(() => ""),
    inks: ink ? css.map(readableInk) : css.map(() => payload.palettes[theme].ink),
    levels: rgb ? Array.from(value, (_v, element) => levelOf(of, element)) : [],
  };
});
console.log(JSON.stringify(answers));
