"""Statements of public code: each gives what its library gives, element by element."""

import numpy as np
import pytest

import dmlviz
from dmlviz.code import CodeRefused
from tests.code import statements
from tests.every import every


def made(code, sizes):
    """What the reader makes of a statement, on the values that its library had."""
    values = statements.inputs(sizes)
    trace = dmlviz.code(code, **values)
    assert trace.agrees
    return [np.asarray(x, np.float64) for x in trace.outputs.values()]


def check(results, due):
    assert [x.shape for x in results] == [x.shape for x in due]
    for result, expected in zip(results, due, strict=True):
        np.testing.assert_array_equal(result, expected)


@every(("code", "sizes"), statements.TORCH)
def test_a_statement_of_pytorch_does_what_pytorch_does(code, sizes):
    check(made(code, sizes), [np.reshape(line, of) for of, line in statements.recorded()[code]])


@every(("code", "sizes"), statements.NUMPY)
def test_a_statement_of_numpy_does_what_numpy_does(code, sizes):
    values = statements.inputs(sizes)
    check(made(code, sizes), statements.by_library(code, values, {"np": np}))


@every(
    ("code", "sizes", "inputs", "output"),
    [
        ("n = 3\nx = torch.rand(2, n)\nx.T", {}, {"x": (2, 3)}, (3, 2)),
        ("x = torch.randn(2, n)\nx.t()", {"n": 4}, {"x": (2, 4)}, (4, 2)),
        ("x = np.random.rand(n, m)\nx[::-1]", {"n": 4, "m": 1}, {"x": (4, 1)}, (4, 1)),
        ("x = np.zeros((2, n))\ny = np.ones((1, n))\nnp.vstack([x, y])", {"n": 2}, None, (3, 2)),
    ],
)
def test_code_makes_its_tensors_with_numbers_that_it_leaves_open(code, sizes, inputs, output):
    trace = dmlviz.code(code, **sizes)
    assert inputs is None or {name: x.shape for name, x in trace.inputs.items()} == inputs
    assert trace.output.shape == output


@every(
    "code",
    [
        "out = np.empty((2, 4))\nout[:, ::2] = x\nout",
        "out = x.new_empty(2, 3)\nout[0].copy_(x[1])\nout",
        "out = torch.empty_like(x)\nout[:, 1:] = x[:, 1:]\nout.t()",
        "out = np.empty((3, 3))\nout[1:] = x[:, :3]\nx[out[0, 0]]",
        "out = np.empty((2, 3)).astype(int)\nout[0] = x[0]\nout",
        "out = torch.empty(2, 3).bool()\nout[0] = x[0]\nout",
        "torch.where(torch.tensor([True, False, True]), torch.empty(3), x)",
        "np.pad(x, 1, constant_values=np.empty(1)[0])",
    ],
)
def test_what_nothing_writes_is_no_result(code):
    with pytest.raises(CodeRefused) as refused:
        dmlviz.code(code, x=(2, 3) if "::2" not in code else (2, 2))
    assert refused.value.kind in ("computes", "values", "argument")


def test_a_result_has_the_names_of_a_dict():
    trace = dmlviz.code("{'pooled': x[:, 0], 'layer.0': [x[1:]], 'x': x.T}", x=(2, 3))
    assert list(trace.outputs) == ["out0", "out1", "out2"]
    trace = dmlviz.code("{'pooled': x[:, 0], 'layer.0': x[1:]}", x=(2, 3))
    assert list(trace.outputs) == ["pooled", "layer_0"]


def test_there_are_a_hundred_and_all_are_recorded():
    assert len(statements.TORCH) + len(statements.NUMPY) >= 100
    assert list(statements.recorded()) == [code for code, _sizes in statements.TORCH]
    pytest.importorskip("torch")
    assert all(
        statements.by_torch(*one) == statements.recorded()[one[0]] for one in statements.TORCH
    )
