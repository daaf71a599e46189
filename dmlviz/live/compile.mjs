// @ts-nocheck: Node.js runs this, whose types are not installed
/** Compiles an archive's modules in Pyodide, whose Python runs no other bytecode: node compile.mjs PYODIDE < ARCHIVE > ARCHIVE */

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";

const COMPILE = `
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/compiled.zip", "w") as compiled:
    for entry in sources.infolist():
        data = sources.read(entry)
        if entry.filename.endswith(".py"):
            # no docstrings, and lines without columns: nobody reads them there
            code = compile(data, entry.filename, "exec", dont_inherit=True, optimize=2)
            data = _code_to_hash_pyc(code, bytes(8), checked=False)
            entry.filename += "c"
        compiled.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
`;

const folder = resolve(process.argv[2]);
// before Pyodide, which sets its own ways of reading
const sources = new Uint8Array(await buffer(process.stdin));
try {
  const { loadPyodide } = createRequire(import.meta.url)(`${folder}/pyodide.js`);
  const python = await loadPyodide({ indexURL: folder, args: ["-X", "no_debug_ranges"] });
  python.FS.writeFile("/sources.zip", sources);
  python.runPython(COMPILE);
  process.stdout.write(python.FS.readFile("/compiled.zip"));
} catch (error) {
  console.error(String(error).trim().split("\n").at(-1));
  process.exitCode = 1;
}
