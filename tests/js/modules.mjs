/** The player's modules, which have no package.json: copied beside one, so that Node takes them. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "dmlviz-js-"));
cpSync(join(here, "..", "..", "dmlviz", "picture", "js"), folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);

/** One side of the stage: rows of cells with their labels, one below the other, control ones last. */
export function side(called, ...rows) {
  let first = 0;
  const tensors = rows.map(({ labels, count = labels.length, name = called, role = "values" }, k) => {
    const tensor = {
      name, called: rows.length > 1 ? name : called, role, sizes: [count], axes: [[count, count, 1, 0]],
      width: count, height: 1, x: 0, y: k * 2, first, labels: labels ?? null,
    };
    first += count;
    return tensor;
  });
  return { tensors, width: Math.max(...tensors.map(({ width }) => width)), height: rows.length * 2 - 1, air: 1, title: 0 };
}

/** A typed array as Python packs it. */
export const pack = (array, dtype) => ({ dtype, bdata: Buffer.from(array.buffer).toString("base64") });
