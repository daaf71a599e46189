"""The graph of a model that the browser sends: without weights, and with the same parts."""

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import dmlviz
from dmlviz.code import read_model
from tests.code.models import MODELS, model
from tests.code.test_open_sizes import OPEN, choosing, weighted

SCRIPT = Path(dmlviz.__file__).parent / "app" / "onnx_graph.js"
LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"

RUN = """
import {{ readFileSync, writeFileSync }} from "node:fs";
const {{ graphOf }} = await import({script});
for (const name of {names}) {{
  const made = await graphOf(new Blob([readFileSync(name)])).catch(() => new Blob(["refused"]));
  writeFileSync(`${{name}}.graph`, Buffer.from(await made.arrayBuffer()));
}}
"""


def many_indices():
    """More than 65,536 indices, which nobody reads, and some that are read."""
    nodes = [
        ("Gather", ["x", "few"], ["a"], {}),
        ("Transpose", ["a"], ["b"], {"perm": [1, 0]}),
        ("Relu", ["b"], ["c"], {}),
        ("Gather", ["c", "many"], ["y"], {}),
    ]
    tensors = {"few": np.arange(2_000) % 3, "many": np.arange(70_000) % 2}
    return model(nodes, {"x": [3, 2]}, ["y"], tensors)


FILES = {
    **{f"models {name}": data for name, data in MODELS.items()},
    **{f"open {name}": data for name, data in OPEN.items()},
    **{f"weights {how}": weighted(how) for how in ("initializer", "node", "external", "missing")},
    "branches": choosing(),
    "indices": many_indices(),
    **{file.stem: file.read_bytes() for file in sorted(LIGHT.glob("*.onnx"))[:2]},
}
DAMAGED = {"empty": b"", "text": b"x.T is no model", "cut": FILES["branches"][:-9]}


@pytest.fixture(scope="module")
def graphs(node_tool, tmp_path_factory):
    """What the browser's script makes of each file."""
    folder = tmp_path_factory.mktemp("graphs")
    # Node takes a file for a module by its name
    script = folder / "onnx_graph.mjs"
    script.write_bytes(SCRIPT.read_bytes())
    for name, data in {**FILES, **DAMAGED}.items():
        (folder / name).write_bytes(data)
    names = [str(folder / name) for name in (*FILES, *DAMAGED)]
    code = RUN.format(script=json.dumps(script.as_uri()), names=json.dumps(names))
    subprocess.run([node_tool, "--input-type=module", "-e", code], check=True, timeout=60)
    return {Path(name).name: Path(f"{name}.graph").read_bytes() for name in names}


def facts(read):
    """All that a page says of a model."""
    parts = [(p.text, p.nodes, p.input_sizes, p.output_sizes, [*p.constants]) for p in read.parts]
    return read.nodes, read.folded, parts, read.refused, read.open_inputs, read.chosen_sizes


def test_a_graph_has_the_parts_of_its_file(graphs):
    for name, data in FILES.items():
        assert facts(read_model(graphs[name])) == facts(read_model(data)), name


def test_a_graph_has_no_weights(graphs):
    assert len(FILES["weights initializer"]) > 1_900_000
    for how in ("initializer", "node", "external", "missing"):
        assert len(graphs[f"weights {how}"]) < 400
    # 2,000 indices of 8 bytes
    assert 16_000 < len(graphs["indices"]) < 17_000


def test_what_is_no_model_is_refused(graphs):
    assert graphs["empty"] == b""
    assert graphs["text"] == graphs["cut"] == b"refused"
