/** Runs tests/wasm/drawn.py in Pyodide: node run.mjs PYODIDE WHEEL ARCHIVE LANGUAGE < links.json */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, archive, language] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/project" });
python.runPython("import sys; sys.path.insert(0, '/project')");
const { drawn } = python.pyimport("tests.wasm.drawn");
const answers = {};
for (const link of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    answers[link] = createHash("sha256").update(drawn(link, language), "utf8").digest("hex");
  } catch (error) {
    const lines = String(error).trim().split("\n");
    const at = lines.filter((line) => line.includes("/project/")).at(-1) ?? "";
    answers[link] = `${lines.at(-1)}${at}`;
  }
}
console.log(JSON.stringify(answers));
