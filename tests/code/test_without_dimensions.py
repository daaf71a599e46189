"""A result without dimensions has the sizes {}, wherever it is shown."""

import json
import re

import numpy as np
import pytest

from dmlviz.__main__ import main
from dmlviz.code import read, same_as
from dmlviz.code.running import run_code
from dmlviz.picture.payload import payload
from dmlviz.picture.raster import gif
from dmlviz.picture.scene import scene
from dmlviz.picture.svg import svg
from dmlviz.states import View
from dmlviz.states.code import CodeState
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.teaching.code_presets import usual_code
from dmlviz.verify import check, read_document

LINES = {
    "x[2]": ((3,), "numpy", 3),
    "x[1, 2]": ((2, 3), "torch", 6),
    "x.flip(0)[0]": ((3,), "torch", 3),
    "x.reshape(())": ((1,), "numpy", 1),
    "np.squeeze(x)": ((1, 1), "numpy", 1),
    "tf.squeeze(x)": ((1, 1), "tensorflow", 1),
    "rearrange(x, '1 ->')": ((1,), "einops", 1),
    "op.Squeeze(x)": ((1,), "onnx", 1),
}


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("line", LINES)
def test_run_and_every_step_have_the_sizes_of_the_library(line, engine):
    sizes, library, due = LINES[line]
    trace = run_code(line, {"x": sizes}, library, engine=engine)
    assert trace.agrees
    assert trace.output.tolist() == due
    assert trace.source.tolist() == due - 1
    last = trace.steps[-1].trace
    for array in (trace.output, trace.source, last.output, last.source):
        assert isinstance(array, np.ndarray)
        assert array.shape == ()


def test_formulas_name_the_tensor_alone():
    trace = run_code("a = x[1]\nout = a[None]", {"x": (3,)}, "numpy")
    first, second = (step.trace.formulas for step in trace.steps)
    assert first["a"][0].symbolic() == "a = x[1]"
    assert second["out"][0].symbolic() == "out[w] = a"
    assert second["out"][0].numbers((0,)) == "out[0] = a"
    assert trace.formula == "out[w] = x[1]"


def test_lines_that_are_the_same_have_the_sizes_of_the_code():
    for line in ("x[2]", "x[::-1][0]", "np.squeeze(x[:1])"):
        found = [one for one in same_as(read(line, {"x": (3,)}, library="numpy")) if one.library]
        assert found, line
        x = np.arange(3)
        for one in found:
            due = np.asarray(eval(line, {"np": np, "x": x}))
            made = np.asarray(eval(one.text, {"np": np, "x": x}))
            assert (made.shape, made.tolist()) == ((), due.tolist()), one.text


def test_pictures_have_one_cell_without_an_index():
    drawn = scene(run_code("x[1]", {"x": (3,)}))
    assert "{} FLOAT32" in re.findall(r">([^<]+)<", svg(drawn))
    assert gif(drawn, width=240).startswith(b"GIF89a")
    sent = payload(drawn)
    (tensor,) = sent["output"]["tensors"]
    assert tensor["sizes"] == tensor["axes"] == []


def test_a_link_pins_the_only_element():
    x = ("x", InputState((3,), "FLOAT32", "count-1"))
    for compare, pin in (("", ()), ("x[0]", (1,))):
        state = CodeState("x[1]", "", Tensors((x,)), view=View(pinned=(pin,)), compare=compare)
        again = read_code_parameters(state.parameters(), usual_code())
        assert (again.state, again.problems) == (state, ())
        names = ("A.out", "B.out") if compare else ("out",)
        assert state.view.look(dict.fromkeys(names, ()))["pinned"] == [len(pin)]
    wrong = read_code_parameters({"code": "x[1]", "sizes": "x:3", "pinned": "1"}, usual_code())
    assert [problem.field for problem in wrong.problems] == ["pinned"]


def test_a_command_prints_and_writes_them(capsys):
    assert main(["code", "x[2]", "--input", "x=3"]) == 0
    assert "out: (Sizes:{}, DataType:FLOAT32)\n3\n\nout = x[2]\n" in capsys.readouterr().out
    assert main(["code", "x[2]", "--input", "x=3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["outputs"] == [{"name": "out", "sizes": [], "source": [2]}]
    assert main(["code", "x[2]", "--input", "x=3", "--compare", "x[2:]"]) == 1
    assert "A {}, B {1}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "printed", "status"),
    [
        ("x[1]", "5", "match"),
        ("x[1]", "array(5)", "match"),
        ("x[1]", "[5]", "mismatch"),
        ("x[1]", "array([5])", "mismatch"),
        ("x[1:2]", "[5]", "match"),
        ("x[1:2]", "5", "mismatch"),
        ("x[1]", "4", "mismatch"),
    ],
)
def test_a_page_that_prints_a_number_says_no_dimension(line, printed, status):
    text = f">>> x = np.array([4, 5, 6])\n>>> {line}\n{printed}\n"
    (verdict,) = check(read_document(text), text, ("numpy",)).verdicts
    assert verdict.status == status, verdict.message
