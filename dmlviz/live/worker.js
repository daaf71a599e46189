// @ts-check
/** Python in the reader's browser: loads Pyodide and dmlviz once, then says what each state shows. */

(() => {
  "use strict";
  const worker = /** @type {any} */ (self);
  const TELL_EVERY_MS = 100;
  /** The smallest module: a magic number and a version. */
  const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  /** How an answer begins that is a model to be run. */
  const RUN = '{"run":';
  const decoder = new TextDecoder();
  const { fetch } = worker;
  const folder = new URL(".", worker.location.href).href;
  /** @type {Map<string, Promise<Response>>} what Pyodide will ask for, by its address */
  const files = new Map();
  /** Bytes that are here, of all files of this part. */
  let loaded = 0;
  let reported = 0;
  /** How many files Python still waits for. */
  let awaited = 0;
  /** Whose files are loaded. */
  let part = "python";
  /** @type {(request: string, engine: string) => any} JSON as Python's bytes: a text would come over letter by letter */
  let answer;
  /** Put plotly.js, which stands beside the page, where a page to be saved takes it from. */
  let bringPlotly = async () => {};
  /** @type {any} ONNX Runtime Web, once a reader has chosen it */
  let engine = null;

  worker.fetch = (/** @type {RequestInfo} */ input, /** @type {RequestInit} */ options) => {
    const address = new URL(input instanceof Request ? input.url : String(input), folder).href;
    const file = files.get(address);
    files.delete(address);
    return file ?? fetch(input, options);
  };

  /** Load a file while it is read, and report how much of all files is there. @param {string} name @returns {Promise<Response>} */
  async function load(name) {
    const response = await fetch(`${folder}${name}`);
    if (!response.ok) throw new TypeError(`${name}: ${response.status}`);
    const counted = new TransformStream({
      transform(bytes, stream) {
        stream.enqueue(bytes);
        loaded += bytes.byteLength;
        if (performance.now() - reported < TELL_EVERY_MS) return;
        reported = performance.now();
        worker.postMessage({ loaded, part });
      },
      flush() {
        if (--awaited === 0) worker.postMessage({ starting: true });
      },
    });
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(response.body.pipeThrough(counted), { headers: { "Content-Type": type } });
  }

  /** @param {string[]} names of the files, the archive of Python's modules first */
  async function start(names) {
    // Pyodide would wait forever where it is not allowed
    await WebAssembly.compile(EMPTY);
    awaited = names.length;
    const [archive, ...others] = names;
    const modules = load(archive).then((response) => response.arrayBuffer());
    for (const name of others) files.set(`${folder}${name}`, load(name));
    // a file that is missing is told at once: Pyodide would wait for it forever
    const missing = Promise.all([modules, ...files.values()]).then(() => new Promise(() => {}));
    worker.importScripts(`${folder}pyodide.js`, `${folder}pyodide.asm.js`);
    // no docstrings, as compile.mjs leaves them out; and no bytecode is written
    const python = await Promise.race([missing, worker.loadPyodide({ indexURL: folder, args: ["-OO", "-B"] })]);
    // loadPackage would start all of NumPy's libraries, of which three are needed
    python.unpackArchive(await modules, "zip", { extractDir: "/dmlviz" });
    python.runPython("import sys; sys.path.insert(0, '/dmlviz')");
    ({ answer } = python.pyimport("dmlviz.live.page"));
    bringPlotly = async () => {
      const path = String(python.pyimport("dmlviz.picture.files").plotly_path());
      const text = await (await fetch(`${folder}plotly.min.js`)).text();
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      python.FS.writeFile(path, text);
      bringPlotly = async () => {};
    };
  }

  /** Load ONNX Runtime Web, once; again after a failure. */
  async function startEngine() {
    if (engine) return;
    loaded = 0;
    part = "engine";
    worker.postMessage({ loaded, part });
    worker.importScripts(`${folder}engine.js`);
    engine = await worker.startOnnxRuntime(folder, async (/** @type {string} */ name) => (await load(name)).arrayBuffer());
  }

  /** What Python answers, as JSON; a model that it needs to be run is run, and Python asked again. @param {any} data @returns {Promise<Uint8Array>} */
  async function answerOf(data) {
    const request = JSON.stringify(data);
    const report = { version: engine?.version ?? "", missing: "", answers: /** @type {Record<string, any>} */ ({}) };
    for (;;) {
      const bytes = answer(request, JSON.stringify(report));
      const json = bytes.toJs();
      bytes.destroy();
      if (!decoder.decode(json.subarray(0, RUN.length)).startsWith(RUN)) return json;
      const { run } = JSON.parse(decoder.decode(json));
      try {
        await startEngine();
        report.version = engine.version;
        report.answers[run.key] = await engine.run(run);
      } catch (error) {
        engine = null;
        report.missing = String(error).trim();
      }
    }
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
      const shown = await answerOf(data);
      worker.postMessage({ shown }, [shown.buffer]);
    } catch (error) {
      const reason = String(error).trim().split("\n").at(-1) ?? "";
      worker.postMessage({ failed: data.start ? kindOf(reason) : "broken", reason });
    }
  };
})();
