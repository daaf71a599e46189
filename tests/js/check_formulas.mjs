/** What the player says of output elements: reads formulas, prints lines and sources of all their cells. */

import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const { countOf, indexOf } = await load("data");
const { evaluate, explain, textOf } = await load("formula");
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ formula, sizes, outputSizes }) => {
  const cells = Array.from({ length: countOf(outputSizes) }, (_cell, flat) => flat);
  return {
    lines: cells.map((flat) => explain(formula, flat, sizes, outputSizes).map(textOf).join("\n")),
    source: cells.map((flat) => {
      const found = formula.source.map((tree) => evaluate(tree, indexOf(flat, outputSizes)));
      const inside = found.every((i, d) => i >= 0 && i < sizes[d]);
      return inside ? found.reduce((at, i, d) => at * sizes[d] + i, 0) : -1;
    }),
  };
});
console.log(JSON.stringify(answers));
