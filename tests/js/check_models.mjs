/** What the player makes of payloads: reads them, prints what each cell holds and when it lands. */

import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const { modelOf, movesOf } = await load("model");
const { cellName } = await load("data");
const answers = JSON.parse(readFileSync(0, "utf8")).map((payload) => {
  const model = modelOf(payload);
  const { stepOf, via, covers, before } = movesOf(model, "steps");
  return {
    names: Array.from(model.source, (_s, cell) => cellName(payload.output, cell)),
    labels: model.labels,
    source: [...model.source],
    stepOf: [...stepOf].slice(0, model.source.length),
    via: via && [...via].slice(0, model.source.length),
    covered: [[...covers], [...before]],
  };
});
console.log(JSON.stringify(answers));
