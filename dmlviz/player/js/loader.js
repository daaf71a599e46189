/** What Streamlit runs: fetch Plotly and the player once, then hand over the data. */

const waiting = new Map();

function plotlyFrom(address) {
  if (!waiting.has(address)) {
    waiting.set(address, new Promise((resolve, reject) => {
      if (window.Plotly) return resolve(window.Plotly);
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => reject(new Error(address));
      document.head.append(script);
    }));
  }
  return waiting.get(address);
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(":scope > .dmlviz-player");
  if (!root) {
    root = document.createElement("div");
    root.className = "dmlviz-player";
    parentElement.append(root);
  }
  // only the newest of several quick reruns is drawn
  const turn = (root.dmlvizTurn = (root.dmlvizTurn ?? 0) + 1);
  if (root.dmlvizShown === data.identity) return;
  const at = (path) => new URL(path, document.baseURI).href;
  Promise.all([plotlyFrom(at(data.plotly)), import(at(data.player))])
    .then(([plotly, { mount }]) => {
      if (turn !== root.dmlvizTurn) return;
      mount(root, data.payload, { plotly, ...data.options });
      root.dmlvizShown = data.identity;
    })
    .catch((error) => {
      root.textContent = `${data.failed} ${error.message}`;
    });
  return () => {
    root.dmlvizTurn = -1;
    root.dmlviz?.destroy();
    root.remove();
  };
}
