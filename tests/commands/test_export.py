"""``python -m dmlviz export``: every kind of file, of any state."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from PIL import Image

import dmlviz
from dmlviz.__main__ import main
from dmlviz.code import LIBRARIES
from dmlviz.code.dialects import DIALECTS
from dmlviz.operators import OPERATORS
from dmlviz.picture.scene import scene

ROOT = Path(__file__).resolve().parents[2]
STATE = "/depth-to-space?block_size=2&order=COLUMN_ROW_DEPTH&data_type=FLOAT32&directions=1:down"


def trace():
    example = dmlviz.DepthToSpace.examples()[0]
    return dmlviz.run(dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"), example.x.astype(np.float32))


def exported(folder, ending, *options, state=STATE):
    file = folder / f"state{ending}"
    assert main(["export", state, str(file), *options]) == 0
    return file.read_bytes()


def test_page(tmp_path):
    page = exported(tmp_path, ".html").decode()
    look = {"colors": "value", "moves": "", "step": 0, "pinned": [], "memory": False}
    assert page == dmlviz.player(trace(), look, {1: "down"}).html()


def test_pictures_follow_the_link(tmp_path):
    pytest.importorskip("PIL")
    from dmlviz.picture import exports

    drawn = scene(trace(), {1: "down"})
    assert exported(tmp_path, ".png") == exports.png(drawn)
    later = exported(tmp_path, ".png", "--dark", "--width", "640", state=f"{STATE}&step=1.5")
    assert later == exports.png(drawn, 1.5, dark=True, width=640)
    assert exported(tmp_path, ".svg", "--step", "2").decode() == exports.svg(drawn, 2)
    colored = exported(tmp_path, ".svg", state=f"{STATE}&colors=channel").decode()
    assert colored == exports.svg(drawn, colors="channel") != exports.svg(drawn)


def test_film(tmp_path):
    frames = Image.open(io.BytesIO(exported(tmp_path, ".gif", "--width", "320")))
    assert frames.n_frames > 10


def test_model(tmp_path):
    session = onnxruntime.InferenceSession(
        exported(tmp_path, ".onnx"), providers=["CPUExecutionProvider"]
    )
    (output,) = session.run(None, {"InputTensor": trace().x})
    np.testing.assert_array_equal(output, trace().output, strict=True)


@pytest.mark.parametrize("part", ["input", "output", "source"])
def test_arrays(tmp_path, part):
    arrays = np.load(io.BytesIO(exported(tmp_path, ".npz")), allow_pickle=False)
    one = np.load(io.BytesIO(exported(tmp_path, ".npy", "--part", part)), allow_pickle=False)
    due = {"input": trace().x, "output": trace().output, "source": trace().source}[part]
    np.testing.assert_array_equal(arrays[part], due, strict=True)
    np.testing.assert_array_equal(one, due, strict=True)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
@pytest.mark.parametrize("ending", [".html", ".png", ".svg", ".npz", ".onnx"])
def test_every_operator(tmp_path, cls, ending):
    assert len(exported(tmp_path, ending, state=cls.key)) > 100


def test_code(capfdbinary):
    assert main(["export", "tile", "-", "--code", "numpy"]) == 0
    code = capfdbinary.readouterr().out.decode()
    names = {}
    exec(code, names)  # our own code, as a learner would run it
    np.testing.assert_array_equal(names["y"], np.tile(names["x"], (1, 1, 3, 3)))


@pytest.mark.parametrize(
    ("dialect", "untested"), [("tensorflow", b"TensorFlow"), ("jax", b"JAX"), ("pytorch", b"")]
)
def test_code_that_no_test_runs_says_so(capfdbinary, dialect, untested):
    assert main(["export", "tile", "-", "--code", dialect]) == 0
    said = capfdbinary.readouterr()
    assert b"Untested" not in said.out
    assert said.err.count(b"do not run %b code" % untested) == bool(untested)


def test_code_of_every_library_that_the_page_for_code_reads():
    named = {"pytorch": "torch"}
    assert {named.get(dialect, dialect) for dialect in DIALECTS} >= {*LIBRARIES} - {"layout"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tile", "x.abc"], "unsupported file type: .abc; use .html"),
        (["tile", "x"], "unsupported file type: no extension; use"),
        (["tile", "{folder}/no/x.svg"], "file: cannot write "),
        (["tile", "{folder}/x.png", "--step", "99"], "99"),
        (["tile", "{folder}/x.png", "--width", "3"], "width"),
        (["padding", "-", "--code", "einops"], "einops"),
        (["tile", "{folder}/x.png", "--repeats", "900,900,1,1"], "65,536"),
    ],
)
def test_a_sentence_for_what_is_not_possible(capsys, tmp_path, arguments, sentence):
    asked = [argument.format(folder=tmp_path) for argument in arguments]
    assert main(["export", *asked]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.startswith("dmlviz: ")
    assert list(tmp_path.iterdir()) == []


def test_as_a_person_types_it(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "dmlviz", "export", "padding", str(tmp_path / "x.svg")],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.endswith(" bytes\n")
