/** Where the player puts cells: reads packed tensors and heatmap edges, prints what came of them. */

import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const { sideCells } = await load("data");
const { fillGrid } = await load("figure");
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ side, heatmap }) => {
  const cells = sideCells(side);
  const tensor = side.tensors[heatmap.meta];
  let lost = null;
  try {
    fillGrid(heatmap, cells, tensor, (i) => i, String);
  } catch (error) {
    lost = String(error);
  }
  const landed = lost ? [] : heatmap.z.flat().filter((z) => z !== null).sort((a, b) => a - b);
  return { x: [...cells.x], y: [...cells.y], lost, landed };
});
console.log(JSON.stringify(answers));
