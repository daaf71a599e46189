"""The formula of a chain: short where a person would write it short, and right everywhere."""

from dataclasses import replace

import numpy as np
import pytest

import dmlviz
from dmlviz.code import read
from dmlviz.movement.composing import shortened, verified
from dmlviz.movement.expressions import index


@pytest.mark.parametrize(
    ("code", "sizes", "text"),
    [
        ("x.reshape(2, 3, 4).transpose(0, 2, 1)", (2, 12), "out[c, h, w] = x[c, w · 4 + h]"),
        ("x.T.T", (2, 3), "out[h, w] = x[h, w]"),
        ("np.roll(x, 2, axis=1)[:, ::-1]", (3, 5), "out[h, w] = x[h, (7 − w) mod 5]"),
        ("np.tile(x, (1, 2))[:, 1:5]", (2, 3), "out[h, w] = x[h, (w + 1) mod 3]"),
        (
            "np.pad(x, 1)",
            (2, 3),
            "out[h, w] = 0 if h == 0 or h == 3 or w == 0 or w == 4 else x[h − 1, w − 1]",
        ),
        ("np.pad(x.reshape(-1), 1)[1:-1]", (2, 3), "out[w] = x[w div 3, w mod 3]"),
        ("np.tril(x).T", (4, 4), "out[h, w] = 0 if h − w >= 1 else x[w, h]"),
        ("x[[2, 1, 0]]", (3, 2), "out[h, w] = x[idx[h], w]"),
        ("x[[2, 0, 0, 1, 2, 0]]", (3, 2), "out[h, w] = x[idx[h], w]"),
        ("x[:, [0, 1]].T", (3, 4), "out[h, w] = x[w, idx[h]]"),
        ("x[[2, 0], [1, 1]]", (3, 4), "out[w] = x[i0[w], i1[w]]"),
        ("np.take(x, [5, 0])", (3, 4), "out[w] = x[idx[w] div 4, idx[w] mod 4]"),
        ("x[[2]]", (3, 4), "out[h, w] = x[idx[0], w]"),
        ("np.take_along_axis(x, np.array([[0, 1]]), 1)", (1, 2), "out[h, w] = x[0, idx[0, w]]"),
        ("torch.gather(x, 0, torch.tensor([[2, 0]]))", (3, 2), "out[h, w] = x[idx[0, w], w]"),
        ("torch.index_select(x, 1, torch.tensor([1, 0]))", (3, 2), "out[h, w] = x[h, idx[w]]"),
        ("tf.gather(x, [[1, 0]], axis=1)", (3, 2), "out[c, h, w] = x[c, idx[0, w]]"),
        ("np.concatenate([x, x[::-1]])", (3, 2), "out[h, w] = x[h if h < 3 else 5 − h, w]"),
        ("x[1, 2]", (2, 3), "out = x[1, 2]"),
        ("np.zeros_like(x)", (2, 3), ""),
    ],
)
def test_text(code, sizes, text):
    if not text:
        code = "np.where(np.ones((2, 3), bool), 0, x)"
    assert read(code, {"x": sizes}).formula == text


@pytest.mark.parametrize(
    ("code", "idx", "inner", "place", "number"),
    [
        ("x[idx] = v\nx", [4, 0, -4], "k", "idx[k]", "w"),
        ("x.scatter(0, idx, v)", [4, 0, 2], "k", "idx[k]", "w"),
        ("x.index_copy(0, idx, v)", [0, 2, 4], "k", "idx[k]", "w"),
    ],
)
def test_a_write_is_where_the_index_tensor_has_the_place(code, idx, inner, place, number):
    trace = dmlviz.code(code, x=(6,), v=(3,), idx=np.array(idx), library="torch")
    assert [one.symbolic() for one in trace.formulas["out"]] == [
        f"out[w] = x[w] where no {place} is {number}",
        f"out[w] = v[{inner}] where {place} = {number}",
    ]
    (k,) = (k for k, one in enumerate(idx) if one % 6 == 2)
    assert trace.formulas["out"][1].numbers((2,)) == f"out[2] = v[k] = v[{k}]"


def test_a_tensor_that_is_written_is_the_result():
    trace = dmlviz.code("x[1] = y", x=(2, 3), y=(3,))
    assert trace.output.shape == (2, 3)


def test_the_sources_are_in_several_tensors():
    chain = read("np.concatenate([x, y, x[::-1]])", {"x": (2, 3), "y": (1, 3)})
    assert chain.formula.splitlines() == [
        "out[h, w] = x[h, w] for h from 0 to 1",
        "out[h, w] = y[0, w] for h from 2 to 2",
        "out[h, w] = x[4 − h, w] for h from 3 to 4",
    ]


def test_each_output_has_its_own():
    chain = read("q, k = x.chunk(2, dim=-1)", {"x": (2, 6)})
    assert chain.formula == "q[h, w] = x[h, w]\nk[h, w] = x[h, w + 3]"


def test_a_table_has_the_name_of_the_control():
    trace = dmlviz.code("x[i].T", x=(4, 2), i=np.array([3, 0, 0, 2, 1]))
    assert trace.formula == "out[h, w] = x[i[w], h]"
    (formula,) = trace.operator.formulas(trace.inputs)["out"]
    assert formula.tables["i"].tolist() == [3, 0, 0, 2, 1]


@pytest.mark.parametrize(
    ("code", "controls", "text"),
    [
        ("torch.gather(x, 0, idx)", {"idx": [[2, 0], [1, 1]]}, "out[h, w] = x[idx[h, w], w]"),
        ("op.GatherElements(x, i, axis=1)", {"i": [[1, -1]]}, "out[h, w] = x[0, i[0, w]]"),
        ("x[i, j]", {"i": [0, 1, 2], "j": [1, 0, -1]}, "out[w] = x[i[w], j[w]]"),
        ("x[[2, 0], idx]", {"idx": [0, 1]}, "out[w] = x[i0[w], idx[w]]"),
        ("x[idx, 1]", {"idx": [[0], [2]]}, "out[h, w] = x[idx[h, 0], 1]"),
        ("x[i, j]", {"i": [[0], [1]], "j": [[1, 0]]}, "out[h, w] = x[i[h, 0], j[0, w]]"),
        ("x.gather(1, i.unsqueeze(1))", {"i": [1, 0, 1]}, "out[h, w] = x[h, i[h]]"),
        ("x[m]", {"m": [True, False, True]}, "out[h, w] = x[nonzero(m)[h], w]"),
        ("x[[True, False, True]]", {}, "out[h, w] = x[nonzero(mask)[h], w]"),
        (
            "x[m]",
            {"m": [[True, False], [True, False], [True, True]]},
            "out[w] = x[nonzero(m)[w, 0], nonzero(m)[w, 1]]",
        ),
        ("np.array(x)[idx].reshape(-1)", {"idx": [1, 0]}, "out[w] = x[idx[w div 2], w mod 2]"),
    ],
)
def test_numbers_of_an_index_tensor_are_looked_up_where_arithmetic_would_do(code, controls, text):
    arrays = {name: np.array(numbers) for name, numbers in controls.items()}
    trace = dmlviz.code(code, x=(3, 2), **arrays)
    assert trace.formula == text
    ((formula,),) = trace.operator.formulas(trace.inputs).values()
    assert verified(formula, trace.source)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (
            "np.where(m, x, y)",
            "out[h, w] = y[h, w] for m[h, w] from 0 to 0\n"
            "out[h, w] = x[h, w] for m[h, w] from 1 to 1",
        ),
        ("np.where(m, x, 0)", "out[h, w] = 0 if m[h, w] == 0 else x[h, w]"),
        ("torch.where(m, 0, x)", "out[h, w] = 0 if m[h, w] == 1 else x[h, w]"),
        ("x[m] = 0\nx", "out[h, w] = 0 if m[h, w] == 1 else x[h, w]"),
    ],
)
def test_a_mask_with_a_name_is_looked_up_whatever_it_looks_like(code, text):
    # every second element: arithmetic would do
    m = np.array([[True, False], [True, False]])
    tensors = {"y": (2, 2)} if "y" in code else {}
    trace = dmlviz.code(code, x=(2, 2), m=m, **tensors)
    assert trace.formula == text
    for formula in next(iter(trace.operator.formulas(trace.inputs).values())):
        start = 4 if formula.tensor == "y" else 0
        assert verified(formula, trace.source, start)


def test_a_pinned_element_reads_its_index():
    trace = dmlviz.code("torch.gather(x, 0, torch.tensor([[2, 0], [1, 0]]))", x=(3, 2))
    ((formula,),) = trace.operator.formulas(trace.inputs).values()
    assert formula.numbers((1, 1)) == "out[1, 1] = x[idx[1, 1], 1] = x[0, 1]"


def test_each_call_has_its_own():
    trace = dmlviz.code("x.reshape(2, 3, 2).permute(0, 2, 1)", x=(2, 6))
    texts = [
        formula.symbolic()
        for step in trace.steps
        for (formula,) in step.trace.operator.formulas(step.trace.inputs).values()
    ]
    assert texts == ["t1[c, h, w] = x[c, h · 2 + w]", "out[c, h, w] = t1[c, w, h]"]


def test_an_element_is_explained():
    trace = dmlviz.code("np.pad(x, 1)", x=(2, 3))
    assert trace.operator.explain(trace.inputs, (0, 1)).splitlines()[1] == (
        "out[0, 1] = 0: it is a constant of the code; no input element is its source."
    )


def test_a_wrong_formula_is_not_verified():
    chain = read("x[:, ::-1]", {"x": (3, 4)})
    ((formula,),) = chain.formulas.values()
    source = chain.source("out")
    assert verified(formula, source)
    for wrong in ((index(0), index(1)), (index(0), formula.source[1] + 1)):
        assert not verified(replace(formula, source=wrong), source)


def test_a_chain_of_many_cases_has_a_formula_or_none():
    tensors = dict.fromkeys("abcdefghijklmnop", (1, 2))
    chain = read(f"np.concatenate([{', '.join(tensors)}])", tensors)
    assert chain.formula == ""


def test_operators_have_a_shorter_formula_for_their_sizes():
    trace = dmlviz.run(dmlviz.SpaceToDepth(2), np.zeros((1, 1, 4, 4), np.float32))
    ((formula,),) = trace.operator.formulas(trace.inputs).values()
    short = shortened(formula)
    assert short.symbolic() == "out[n, c, h, w] = in[n, 0, h · 2 + (c div 2), w · 2 + (c mod 2)]"
    assert verified(short, trace.source)
    assert shortened(short) == short
