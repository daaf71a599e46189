"""ONNX Runtime of a page: Python asks for runs, and goes on with what the page's script gives."""

import base64
import json

import numpy as np
import onnxruntime
import pytest

from dmlviz.engines import ENGINES
from dmlviz.live.page import answer, view_of_state
from dmlviz.picture import staged
from dmlviz.states import first_state

VERSION = "1.30.0"
TILE = "/tile?engine=onnxruntime"


@pytest.fixture(autouse=True)
def nothing_kept():
    """What another runtime gave is not what this one gives."""
    staged._staged.cache_clear()


def asked(link, changes=(), **more):
    return json.dumps({"link": link, "changes": changes, "language": "en", **more})


def run_here(run):
    """What the page's script does, with the runtime of this machine."""
    session = onnxruntime.InferenceSession(base64.b64decode(run["model"]))
    feeds = {
        x["name"]: np.frombuffer(base64.b64decode(x["data"]), x["type"]).reshape(x["sizes"])
        for x in run["inputs"]
    }
    outputs = zip(session.get_outputs(), session.run(None, feeds), strict=True)
    return {
        "outputs": [
            {
                "name": due.name,
                "type": array.dtype.name,
                "sizes": array.shape,
                "data": base64.b64encode(array.tobytes()).decode(),
            }
            for due, array in outputs
        ],
        "ms": 1,
    }


def answered(request, run=run_here):
    """The answer of Python, and how many models it needed to be run."""
    report = {"version": VERSION, "missing": "", "answers": {}}
    while "run" in (found := json.loads(answer(request, json.dumps(report)))):
        assert found["run"]["key"] not in report["answers"]
        report["answers"][found["run"]["key"]] = run(found["run"])
    return found, len(report["answers"])


@pytest.mark.parametrize(
    ("link", "models"),
    [
        ("/tile", 2),
        ("/tile?data_type=FLOAT16&repeats=2,2,1,1", 2),
        ("/top-k", 2),
        ("/padding?compare=true&b_padding_mode=EDGE", 4),
        ("/code?code=x.T[::2]&sizes=x:4,5", 2),
    ],
)
def test_the_picture_is_that_of_the_runs_that_were_needed(link, models):
    own, count = answered(asked(link, [("engine", "onnxruntime")]))
    assert count == models
    numpy = json.loads(answer(asked(link)))
    assert own["problems"] == []
    assert "engine=onnxruntime" in own["link"]
    if "compare" not in link:
        assert own["check"] == numpy["check"].replace("NumPy", f"ONNX Runtime Web {VERSION}")
    differing = {name for name in own["picture"] if own["picture"][name] != numpy["picture"][name]}
    assert differing <= {"check", "digest"}
    # the engine of this machine is in its place again
    assert type(ENGINES["onnxruntime"]).__name__ == "OnnxRuntimeEngine"


def test_what_the_runtime_gives_is_what_is_shown():
    def wrong(run):
        found = run_here(run)
        (output,) = found["outputs"]
        data = np.frombuffer(base64.b64decode(output["data"]), output["type"])
        output["data"] = base64.b64encode(np.roll(data, 1).tobytes()).decode()
        return found

    # values and indices are moved alike: only its own movement shows it
    told, _count = answered(asked(TILE), wrong)
    staged._staged.cache_clear()
    assert told["picture"] != answered(asked(TILE))[0]["picture"]


def test_engines_are_compared_with_numpy_and_with_what_was_recorded():
    found, models = answered(asked("/tile", section="engines"))
    (part,) = found["blocks"]
    numpy, web, directml, recorded = part["rows"]
    assert models == 2
    assert numpy[:2] == ["NumPy", "the reference, 54 elements."]
    assert web[:2] == [
        f"ONNX Runtime Web {VERSION}",
        "equal to NumPy, all 54 elements, bit for bit.",
    ]
    assert web[2].startswith("wasm: Tile; ONNX's own operator")
    assert directml[1].startswith("DirectML needs Windows")
    assert recorded[:2] == ["DirectML 1.15.4, recorded", web[1]]

    def zeros(run):
        told = run_here(run)
        (output,) = told["outputs"]
        output["data"] = base64.b64encode(bytes(len(base64.b64decode(output["data"])))).decode()
        return told

    found, _models = answered(asked("/tile", section="engines"), zeros)
    assert "54 of 54 elements differ" in found["blocks"][0]["rows"][1][1]


def test_an_error_of_the_runtime_is_told_and_nothing_is_drawn():
    found, _count = answered(asked(TILE), lambda _run: {"error": "no kernel\nfor Tile"})
    assert found["problems"] == ["ONNX Runtime Web refused: no kernel for Tile"]
    assert found["picture"] is None
    rows = {row["name"]: row for group in found["groups"] for row in group["fields"]}
    assert rows["engine"]["problem"] == found["problems"][0]


def test_an_engine_that_cannot_run_gives_way_to_numpy():
    report = json.dumps({"version": "", "missing": "TypeError: 404", "answers": {}})
    for link, reason in (
        (TILE, "engine: ONNX Runtime Web could not be loaded (TypeError: 404)."),
        ("/code?code=x.T&sizes=x:2,3&engine=onnxruntime", "engine: ONNX Runtime Web"),
        ("/tile?engine=directml:1", "engine: DirectML needs Windows"),
    ):
        found = json.loads(answer(asked(link), report))
        assert found["notes"][0].startswith(reason)
        assert found["notes"][0].endswith("NumPy runs instead.")
        assert found["check"].startswith("NumPy: ")
        assert "engine" not in found["link"]
    assert (
        json.loads(answer(asked(TILE, file="npz", step=0, colors="value", dark=False), report))[
            "file"
        ]["name"]
        == "tile.npz"
    )
    assert json.loads(answer(asked(TILE, section="same"), report))["blocks"]


def test_the_menu_names_the_engines_of_a_page_wherever_it_is_written():
    shown = view_of_state(first_state("tile"), pictured=False)
    (row,) = (f for group in shown["groups"] for f in group["fields"] if f["name"] == "engine")
    assert row["controls"][0]["options"] == ("numpy", "onnxruntime")
    assert row["controls"][0]["titles"] == ("NumPy", "ONNX Runtime Web")
    assert row["values"] == ("numpy",)
