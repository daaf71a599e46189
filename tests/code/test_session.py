"""Statements read one after the other, and what an expression after them moves."""

import ast

import numpy as np
import pytest

from dmlviz.code import CodeRefused, run_code
from dmlviz.code.session import Session


def session(code, library="numpy", **how):
    """After all statements; those that are refused count as well."""
    made = Session(library, **how)
    for node in ast.parse(code).body:
        try:
            made.read(code, node)
        except CodeRefused:
            continue
    return made


def moved(code, expression, **how):
    return session(code, **how).moved(ast.parse(expression, mode="eval").body)


def test_the_chain_has_only_what_the_expression_needs():
    code = "a = np.arange(4)\nb = a.reshape(2, 2)\nc = np.ones(3)\nb = b.T\nn = 2\n"
    made = moved(code, "np.tile(b, n)")
    assert made.chain.text == "b = a.reshape(2, 2)\nb = b.T\nn = 2\nnp.tile(b, n)"
    assert {name: x.tolist() for name, x in made.values.items()} == {"a": [0, 1, 2, 3]}
    assert made.arrived("out").tolist() == [[0, 2, 0, 2], [1, 3, 1, 3]]


def test_tensors_inside_an_expression_are_inputs():
    made = moved("", "np.concatenate((np.arange(2), np.array([7, 8])))[::-1]")
    assert [x.tolist() for x in made.values.values()] == [[0, 1], [7, 8]]
    assert moved("x = [1, 2, 3]", "np.flip(x)").arrived("out").tolist() == [3, 2, 1]
    assert moved("", "np.flip([[1, 2], [3, 4]], 0)").arrived("out").tolist() == [[3, 4], [1, 2]]


@pytest.mark.parametrize(
    ("code", "unknown"),
    [
        ("y = foo(x)", {"x", "y"}),
        ("y = np.foo(x)", {"x", "y"}),
        ("y = np.sin(x)", {"y"}),
        ("np.sin(x, x)", {"x"}),
        ("np.clip(x, 0, 1, out=x)", {"x"}),
        ("y = x[:2]\nz = x.copy()\ny[0] = foo(1)", {"x", "y"}),
        ("y = np.sin(x)\ny[0] = 1\n", {"x", "y"}),
        ("x.sort()", {"x"}),
        ("for i in range(2):\n    x = foo(i)", {"x"}),
        ("def f():\n    x[0] = 1\nf()", {"x", "f"}),
        ("np.put(x, 0, 1)", {"x"}),
        ("y = np.sort(x)", {"y"}),
        ("a, *b = foo()", {"a", "b"}),
    ],
)
def test_what_a_refused_line_may_change_is_unknown(code, unknown):
    found = session(f"x = np.arange(4)\n{code}")
    assert {"x", "y", "a", "b", "f"} & found.unknown == unknown
    assert not found.names.keys() & found.unknown


@pytest.mark.parametrize(
    "code",
    [
        "x = np.arange(4)\ny = x[:2]\ny[0] = 9",
        "x = np.arange(4)\ny = x[:2]\nx[0] = 7\ny[1] = 8",
        "x = np.pad(np.arange(4), 1)\ny = x[:2]\nx[0] = 7\nv = y[::-1]\nx[1] = 6\nv[1] = 5",
        "x = np.arange(4)\ny = x\nx[1:] = y[:-1]\nz = y[::2]\nz[:] = 5",
    ],
)
def test_views_see_writes_of_earlier_statements(code):
    due = {}
    exec(code, {"np": np}, due)
    names = session(f"{code}\n").names
    assert {name: names[name].array.tolist() for name in due} == {
        name: x.tolist() for name, x in due.items()
    }
    for name, x in due.items():
        assert moved(f"{code}\n", f"{name}[::-1]").arrived("out").tolist() == x[::-1].tolist()


def test_a_write_that_is_read_is_known():
    made = moved("x = np.arange(4)\nx[1:3] = 9\n", "x[::-1]")
    assert made.arrived("out").tolist() == [3, 9, 9, 0]


@pytest.mark.parametrize(
    ("code", "expression"),
    [
        ("x = np.array([0.5, 2.5])", "x.astype(int)[::-1]"),
        ("x = np.array([-1, 2])", "x.astype(np.uint8)[::-1]"),
        ("x = [[1] * 4096] * 4096", "np.array(x).T"),
        ("x = np.random.rand(3)", "x[::-1]"),
        ("x = np.arange(3)", "x.foo"),
        ("x = 3", "x"),
    ],
)
def test_what_is_no_movement(code, expression):
    with pytest.raises(CodeRefused):
        moved(code, expression)


def test_other_numbers_stand_for_random_ones_only_where_they_may():
    made = moved("x = np.random.rand(2, 2).astype(np.float32)", "x.T", stand_ins=True)
    assert made.arrived("out").tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    "line",
    [
        "np.insert(x, 1, [[7], [8]], axis=1)",
        "np.insert(x, 1, [7, 8], axis=1)",
        "np.insert(x, [1], [[7], [8]], axis=1)",
        "np.insert(x, 1, [[7, 8, 9], [4, 5, 6]], axis=0)",
        "np.insert(x, [1], [[7, 8, 9], [4, 5, 6]], axis=0)",
        "np.insert(x, 2, 5, axis=0)",
        "np.ravel(x.T, order='A')",
        "np.ravel(x[:, ::-1].T, order='A')",
        "x.T.reshape(3, 2, order='A')",
    ],
)
def test_lines_that_documentation_found_wrong(line):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert run_code(line, {"x": x}).output.tolist() == eval(line).tolist()


def test_numbers_in_a_row():
    made = moved("x = np.arange(1, 2.5, 0.5)", "x[::-1]")
    assert made.arrived("out").tolist() == np.arange(1, 2.5, 0.5)[::-1].tolist()
    with pytest.raises(CodeRefused):
        moved("x = np.arange(0, 3, 0.5, dtype=int)", "x[::-1]")
    with pytest.raises(CodeRefused):
        moved("x = np.arange(1e300)", "x[::-1]")
