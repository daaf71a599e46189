"""The player's JavaScript, by itself and beside the Python that feeds it."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.files import MODULES, module, script
from dmlviz.picture.payload import payload
from tests.several import chained

HERE = Path(__file__).resolve().parents[1] / "js"


def test_units(node):
    files = sorted(HERE.glob("*.test.mjs"))
    assert files
    node("--test", *files)


def test_all_modules_together_are_one_module(node, tmp_path):
    file = tmp_path / "player.mjs"
    file.write_text(script(), encoding="utf-8")
    node("--check", file)
    text = f"import * as m from {json.dumps(file.as_uri())}; console.log(Object.keys(m).join())"
    assert node("--input-type=module", "-e", text).strip() == "Player,mount"


SCRIPTS = [name for name in (*MODULES, "form", "live", "loader") if module(name).suffix == ".js"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_module_is_well_formed(node, tmp_path, name):
    source = module(name)
    copy = tmp_path / f"{name}.mjs"
    copy.write_bytes(source.read_bytes())
    node("--check", copy)


def some_sizes():
    """Every rank, with many kinds of nesting."""
    random = np.random.default_rng(5)
    yield from [(70,), (1, 1, 70), (2, 3), (7, 5, 3), (16, 2, 2, 9), (13, 2, 2, 9), (4, 4, 8, 8)]
    while True:
        rank = int(random.integers(1, 9))
        most = (200, 40, 17, 13, 7, 5, 4, 4)[rank - 1]
        found = tuple(int(n) for n in random.integers(1, most + 1, rank))
        if np.prod(found) <= 2_000:
            yield found


def test_javascript_and_python_agree_where_every_cell_is(node):
    pairs = []
    for sizes in itertools.islice(some_sizes(), 400):
        scene = dmlviz.scene(dmlviz.run(dmlviz.Tile([1] * len(sizes)), np.zeros(sizes, np.int8)))
        pairs.append((scene.input, payload(scene)))
    asked = [{"side": sent["input"], "heatmap": sent["figure"]["data"][0]} for _, sent in pairs]
    answers = json.loads(node(HERE / "check_layouts.mjs", text=json.dumps(asked)))
    wrong = []
    for (layout, _sent), answer in zip(pairs, answers, strict=True):
        x, y = layout.positions()
        np.testing.assert_allclose(answer["x"], x, atol=1e-4)
        np.testing.assert_allclose(answer["y"], y, atol=1e-4)
        if answer["landed"] != list(range(len(x))):
            wrong.append((layout, answer["lost"]))
    assert wrong == []


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_they_agree_where_several_tensors_are(node, count):
    scene = dmlviz.scene(chained(*[(1, 3, 2, 3)] * count, axis=1))
    sent = payload(scene)
    asked = [
        {"side": sent["input"], "heatmap": heatmap} for heatmap in sent["figure"]["data"][:count]
    ]
    answers = json.loads(node(HERE / "check_layouts.mjs", text=json.dumps(asked)))
    x, y = scene.input.positions()
    for tensor, answer in zip(scene.input.tensors, answers, strict=True):
        np.testing.assert_allclose(answer["x"], x, atol=1e-4)
        np.testing.assert_allclose(answer["y"], y, atol=1e-4)
        assert answer["lost"] is None
        assert answer["landed"] == list(range(tensor.first, tensor.first + tensor.count))
