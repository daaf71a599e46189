/** A worker that runs models as the worker of a live page does: a list of them for each message. */

importScripts("engine.js");
let engine = null;
self.onmessage = async ({ data }) => {
  try {
    engine ??= await self.startOnnxRuntime(new URL(".", self.location.href).href, async (name) => (await fetch(name)).arrayBuffer());
    const answers = {};
    for (const model of data) answers[model.key] = await engine.run(model);
    self.postMessage({ version: engine.version, answers });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
