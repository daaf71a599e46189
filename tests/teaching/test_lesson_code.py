"""The lines of code in lessons do what the engine did; PyTorch's where it is installed."""

import ast
import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from dmlviz.base.words import ENGLISH
from dmlviz.picture import formats
from dmlviz.teaching.facts import facts_of
from dmlviz.teaching.lessons import LIBRARIES, lessons, variables

PARTS = [
    pytest.param(part.link, code, id=f"{lesson.key}-{number}-{code.library}")
    for lesson in lessons(ENGLISH)
    for number, part in enumerate(lesson.parts, 1)
    for code in part.code
]
GIVEN = {"np": np, "as_strided": as_strided, "sliding_window_view": sliding_window_view}


def _taken(x):
    """A copy of a type that PyTorch moves: it lacks kernels for most unsigned ones."""
    return x.astype(np.int64 if x.dtype.kind == "u" else x.dtype)


def run(code, given):
    """Run the lines; a comment behind an expression is its value."""
    lines = code.lines.splitlines()
    for statement in ast.parse(code.lines).body:
        text = ast.unparse(statement)
        value = lines[statement.end_lineno - 1].partition("  # ")[2]
        if isinstance(statement, ast.Expr) and value:
            assert repr(eval(text, given)) == value, text
        else:
            exec(text, given)


@pytest.mark.parametrize(("link", "code"), PARTS)
def test_what_a_part_prints_gives_the_picture(link, code, tmp_path, monkeypatch):
    """Pasted as it is, with what Download saves beside it."""
    trace = facts_of(link).trace
    text = code.program(trace.inputs, f"{trace.operator.key}.npz")
    assert all(len(line) <= 100 for line in text.splitlines())
    if code.library == "tensorflow":
        ast.parse(text)
        return
    if code.library == "torch":
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{trace.operator.key}.npz").write_bytes(formats.npz(trace))
    names = {}
    exec(text, names)
    for name, y in variables(trace.outputs, "y").items():
        np.testing.assert_array_equal(np.asarray(names[name]), y)


@pytest.mark.parametrize(("link", "code"), PARTS)
def test_the_lines_give_what_the_engine_gave(link, code):
    inputs = variables(facts_of(link).trace.inputs, "x")
    outputs = variables(facts_of(link).trace.outputs, "y")
    if code.library == "tensorflow":
        ast.parse(code.lines)
        return
    given = {**GIVEN, **{name: x.copy() for name, x in inputs.items()}}
    if code.library == "torch":
        with warnings.catch_warnings():
            # what a library thinks of its own dependencies is not ours to mend
            warnings.simplefilter("ignore")
            torch = pytest.importorskip("torch")
        given |= {"torch": torch, "F": torch.nn.functional}
        given |= {name: torch.from_numpy(_taken(x)) for name, x in inputs.items()}
    run(code, given)
    for name, y in outputs.items():
        np.testing.assert_array_equal(np.asarray(given[name]), y)
        assert given[name].shape == y.shape


@pytest.mark.parametrize(("link", "code"), PARTS)
def test_the_lines_are_short(link, code):
    assert code.library in LIBRARIES
    lines = code.lines.splitlines()
    assert len(lines) <= 6
    assert max(map(len, lines)) <= 72
