// @ts-check
/** Python in the reader's browser: loads Pyodide and dmlviz once, then says what each state shows. */

(() => {
  "use strict";
  const worker = /** @type {any} */ (self);
  const TELL_EVERY_MS = 100;
  /** The smallest module: a magic number and a version. */
  const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const { fetch } = worker;
  const folder = new URL(".", worker.location.href).href;
  /** @type {Map<string, Response>} what Pyodide will ask for, by its address */
  const files = new Map();
  let loaded = 0;
  let reported = 0;
  /** @type {(request: string) => string} */
  let answer;
  /** Put plotly.js, which stands beside the page, where a page to be saved takes it from. */
  let bringPlotly = async () => {};

  worker.fetch = async (/** @type {RequestInfo} */ input, /** @type {RequestInit} */ options) => {
    const address = new URL(input instanceof Request ? input.url : String(input), folder).href;
    const file = files.get(address);
    files.delete(address);
    return file ?? fetch(input, options);
  };

  /** Load a file, and report how much of all files is there. @param {string} name */
  async function load(name) {
    const address = `${folder}${name}`;
    const response = await fetch(address);
    if (!response.ok) throw new TypeError(`${name}: ${response.status}`);
    const reader = response.body.getReader();
    const parts = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      loaded += part.value.byteLength;
      if (performance.now() - reported < TELL_EVERY_MS) continue;
      reported = performance.now();
      worker.postMessage({ loaded });
    }
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    files.set(address, new Response(new Blob(parts), { headers: { "Content-Type": type } }));
  }

  /** @param {string[]} names of the files, dmlviz's own archive first */
  async function start(names) {
    // Pyodide would wait forever where it is not allowed
    await WebAssembly.compile(EMPTY);
    await Promise.all(names.map(load));
    worker.postMessage({ starting: true });
    worker.importScripts(`${folder}pyodide.js`);
    const python = await worker.loadPyodide({ indexURL: folder });
    await python.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
    const archive = await (await worker.fetch(`${folder}${names[0]}`)).arrayBuffer();
    python.unpackArchive(archive, "zip", { extractDir: "/dmlviz" });
    python.runPython("import sys; sys.path.insert(0, '/dmlviz'); sys.dont_write_bytecode = True");
    ({ answer } = python.pyimport("dmlviz.live.page"));
    bringPlotly = async () => {
      const path = String(python.pyimport("dmlviz.picture.files").plotly_path());
      const text = await (await fetch(`${folder}plotly.min.js`)).text();
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      python.FS.writeFile(path, text);
      bringPlotly = async () => {};
    };
  }

  /** @param {string} error @returns {"blocked" | "missing"} */
  const kindOf = (error) => (/wasm|WebAssembly|Content Security/i.test(error) ? "blocked" : "missing");

  worker.onmessage = async (/** @type {MessageEvent} */ { data }) => {
    try {
      if (data.start) {
        await start(data.start);
        worker.postMessage({ ready: true });
        return;
      }
      if (data.file === "html") await bringPlotly();
      worker.postMessage({ shown: answer(JSON.stringify(data)) });
    } catch (error) {
      const reason = String(error).trim().split("\n").at(-1) ?? "";
      worker.postMessage({ failed: data.start ? kindOf(reason) : "broken", reason });
    }
  };
})();
