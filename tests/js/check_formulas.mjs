/** What the player says of output elements: reads formulas, prints lines and sources of all their cells. */

import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const { cellCount, tensorAt } = await load("data");
const { evaluate, explain, holds, textOf } = await load("formula");
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ formula, input, output }) => {
  const cells = Array.from({ length: cellCount(output) }, (_cell, cell) => tensorAt(output, cell));
  return {
    lines: cells.map(({ tensor, index }) => explain(formula, tensor.name, index).map(textOf).join("\n")),
    source: cells.map(({ tensor, index }) => {
      const own = formula.of[tensor.name];
      if (!own.length) return null;
      const { source, sizes, tensor: read } = own.find((one) => holds(one, index, formula.tables));
      const found = source.map((tree) => evaluate(tree, index, formula.tables));
      const inside = found.every((i, d) => i >= 0 && i < sizes[d]);
      const from = input.tensors.find(({ name, called }) => name === read || called === read);
      return inside ? from.first + found.reduce((at, i, d) => at * sizes[d] + i, 0) : -1;
    }),
  };
});
console.log(JSON.stringify(answers));
