/** The player's modules, which have no package.json: copied beside one, so that Node takes them. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "dmlviz-js-"));
cpSync(join(here, "..", "..", "dmlviz", "player", "js"), folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
