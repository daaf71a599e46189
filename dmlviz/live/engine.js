// @ts-check
/** ONNX Runtime Web for the worker: runs the models that Python has written, one thread, no rewriting of graphs. */

(() => {
  "use strict";
  const worker = /** @type {any} */ (self);
  /** Letters of binary data that are joined at once. */
  const PART = 0x8000;
  /** The arrays of ONNX Runtime's types; half floats have one only where the browser is new. @type {Record<string, any>} */
  const ARRAYS = {
    float64: Float64Array, float32: Float32Array, float16: worker.Float16Array ?? Uint16Array,
    int64: BigInt64Array, int32: Int32Array, int16: Int16Array, int8: Int8Array,
    uint64: BigUint64Array, uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array,
  };

  /**
   * A tensor as dmlviz/engines/web.py has it: its elements in base64, little-endian.
   * @typedef {{name: string, type: string, sizes: number[], data: string}} Tensor
   * @typedef {{outputs: Tensor[], ms: number} | {error: string}} Answer
   * @typedef {{version: string, run: (model: {model: string, inputs: Tensor[]}) => Promise<Answer>}} Engine
   */

  /** @param {string} text in base64 */
  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

  /** @param {Uint8Array} bytes */
  function base64Of(bytes) {
    let text = "";
    for (let k = 0; k < bytes.length; k += PART) text += String.fromCharCode(...bytes.subarray(k, k + PART));
    return btoa(text);
  }

  /**
   * Load ONNX Runtime Web.
   * @param {string} folder its address
   * @param {(name: string) => Promise<ArrayBuffer>} load
   * @returns {Promise<Engine>}
   */
  worker.startOnnxRuntime = async (folder, load) => {
    const binary = await load("ort-wasm-simd-threaded.wasm");
    worker.importScripts(`${folder}ort.wasm.min.js`);
    const { ort } = worker;
    Object.assign(ort.env.wasm, {
      numThreads: 1, wasmBinary: binary, wasmPaths: { mjs: `${folder}ort-wasm-simd-threaded.js` },
    });
    ort.env.logLevel = "error";
    return {
      version: ort.env.versions.web,
      run: async ({ model, inputs }) => {
        let session = null;
        try {
          session = await ort.InferenceSession.create(bytesOf(model), {
            executionProviders: ["wasm"], graphOptimizationLevel: "disabled", logSeverityLevel: 4,
          });
          const feeds = Object.fromEntries(inputs.map(({ name, type, sizes, data }) => (
            [name, new ort.Tensor(type, new ARRAYS[type](bytesOf(data).buffer), sizes)])));
          const begun = performance.now();
          const tensors = await session.run(feeds);
          const ms = performance.now() - begun;
          const outputs = session.outputNames.map((/** @type {string} */ name) => {
            const { type, dims, data } = tensors[name];
            const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
            return { name, type, sizes: [...dims], data: base64Of(bytes) };
          });
          return { outputs, ms };
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          // no model has run: it is the runtime that does not start
          if (reason.startsWith("no available backend")) throw error;
          return { error: reason };
        } finally {
          await session?.release();
        }
      },
    };
  };
})();
