// Python for pyodide.html, as Pyodide's documentation advises.
importScripts("pyodide.js");

const python = (async () => {
  const loaded = await loadPyodide();
  await loaded.loadPackage("numpy");
  loaded.runPython(`
import json
import numpy as np

def tile(repeats):
    x = np.arange(1, 19).reshape(1, 2, 3, 3)
    source = np.tile(np.arange(x.size).reshape(x.shape), repeats.to_py())[0]
    rows = source.reshape(-1, source.shape[-1])
    return json.dumps({"output": x.ravel()[rows].tolist(), "source": rows.tolist()})
`);
  return loaded;
})();

onmessage = async ({ data }) => postMessage((await python).globals.get("tile")(data));
