"""Writes to tensors and to their views: what a library itself makes of them."""

import numpy as np
import pytest

import dmlviz
from dmlviz.code import CodeRefused, read, run_chain
from tests.code.answers import modules
from tests.code.assignments import assignments
from tests.thorough import tries


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("count", "seed"), [(200, 20261128), pytest.param(2_000, 7, marks=pytest.mark.thorough)]
)
def test_assignments_are_what_the_library_makes_of_them(library, count, seed):
    if library == "torch":
        pytest.importorskip("torch")
    wrong, counts = [], {"equal": 0, "refused": 0}
    for sizes, code, due in assignments(library, tries(count), seed, modules(library)):
        try:
            chain = read(code, {"x": sizes}, library=library)
        except CodeRefused:
            counts["refused"] += due is not None
            continue
        trace = run_chain(chain, {"x": np.arange(1.0, np.prod(sizes) + 1).reshape(sizes)})
        counts["equal"] += 1
        equal = due is not None and all(
            np.array_equal(made, x) for made, x in zip(trace.outputs.values(), due, strict=True)
        )
        if not equal or not trace.agrees:
            wrong.append((sizes, code, due is None))
    assert wrong == []
    # PyTorch smears more: it copies no overlapping parts first
    assert counts["refused"] < {"numpy": 0.1, "torch": 0.25}[library] * counts["equal"]


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("x[0], x[1] = x[1], x[0]", [1, 1, 2]),
        ("a = x[0]\nx[0] = x[1]\nx[1] = a", [1, 1, 2]),
        ("a = x[:2]\nb = a[1]\na[0] = b\nx[2] = a[0]", [1, 1, 1]),
        ("for i in range(2):\n    x[i] = x[i + 1]", [1, 2, 2]),
        ("for r in x:\n    x[0] = r", [2, 1, 2]),
        ("x.T[:, 0] = x[2]", [2, 1, 2]),
        ("x.reshape(-1)[:2] = x[1]", [1, 1, 2]),
        ("a = [x[0], x[1]]\nx[0] = x[2]\nx[1] = a[0]", [2, 2, 2]),
    ],
)
def test_a_view_on_the_right_is_read_when_it_is_written(code, rows, library):
    trace = dmlviz.code(f"{code}\nx", x=(3, 2), library=library)
    assert trace.agrees
    assert trace.output.tolist() == [[[1, 2], [3, 4], [5, 6]][row] for row in rows]


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("x[0].copy_(x[1])\nx", [[3, 4], [3, 4], [5, 6]]),
        ("x[:, 0].fill_(9)\nx", [[9, 2], [9, 4], [9, 6]]),
        ("a = x\nx.t_()\na", [[1, 3, 5], [2, 4, 6]]),
        ("a = x[0]\nx.t_()\nx[0] = 9\na", [9, 2]),
        ("x[:] = x[0]\nx", [[1, 2], [1, 2], [1, 2]]),
    ],
)
def test_methods_that_write_reach_every_view(code, output):
    trace = dmlviz.code(code, x=(3, 2), library="torch")
    assert trace.agrees
    assert trace.output.tolist() == output


@pytest.mark.parametrize(
    ("code", "library"),
    [
        ("x[:, 1:] = x[:, :-1]", "torch"),
        ("x[1:].copy_(x[:-1])", "torch"),
        ("x[:] = x.T", "torch"),
        ("x[[0, 1]] = x[1:]", "torch"),
        ("x.index_copy_(0, torch.tensor([0, 1]), x[1:])", "torch"),
        ("x[:, 2] = x[1]", "numpy"),
        ("y = x.reshape(-1)\ny[1::2] = y[:4]", "numpy"),
    ],
)
def test_what_an_assignment_reads_and_writes_at_once_is_refused(code, library):
    with pytest.raises(CodeRefused, match="reads elements that it writes") as refused:
        dmlviz.code(f"{code}\nx", x=(3, 3), library=library)
    assert refused.value.kind == "view"


@pytest.mark.parametrize(
    ("code", "library", "reason"),
    [
        ("np.diagonal(x)[0] = 5", "numpy", "This is not written to here"),
        ("y = np.broadcast_to(x, (2, 3, 3))\ny[0] = 5", "numpy", "This is not written to here"),
        ("x.flat[0] = 5", "numpy", "This is not written to here"),
        ("x.expand(2, 3, 3)[0, 0] = 5", "torch", "are one element in memory"),
        ("x[[0]][0] = 5", "numpy", "parts of named tensors"),
    ],
)
def test_what_is_not_written_to(code, library, reason):
    with pytest.raises(CodeRefused, match=reason):
        dmlviz.code(f"{code}\nx", x=(3, 3), library=library)


@pytest.mark.parametrize(
    ("code", "indices"),
    [
        ("i = np.arange(3)\nj = i\ni += 1", [1, 2, 3]),
        ("i = np.arange(3)\nj = i[::-1]\ni += 1", [3, 2, 1]),
        ("i = np.arange(3)\nj = i\nk = i[1:]\nk += 1", [0, 2, 3]),
        ("i = np.arange(3)\nj = i[:2]\ni[0] = 3", [3, 1]),
        ("i = np.arange(3)\nj = i[0]\ni += 1", 0),
    ],
)
def test_index_tensors_see_writes(code, indices):
    trace = dmlviz.code(f"{code}\nx[j]", x=(4, 2))
    assert trace.agrees
    assert trace.output.tolist() == np.arange(1, 9).reshape(4, 2)[indices].tolist()
    assert all(step.trace.agrees for step in trace.steps)


def test_whole_numbers_stay_whole_where_they_are_changed():
    with pytest.raises(CodeRefused, match="stays one"):
        dmlviz.code("i = np.arange(3)\nj = i\ni += 0.5\nx[j]", x=(4, 2))
