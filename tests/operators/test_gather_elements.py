"""GatherElements: DirectML's example, what is refused and why, and what DirectML does instead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather, GatherElements
from tests.one_input import snippet
from tests.strategies import bits, tensors

KIND = GatherElements.operator_type
TABLE = np.arange(15).reshape(5, 3)


SIZES = {"InputTensor": (5, 3), "IndicesTensor": (2, 3)}


def named(x, indices, kind=np.int64):
    return {"InputTensor": x, "IndicesTensor": np.array(indices, kind)}


def run(axis, x, indices, kind=np.int64):
    return dmlviz.run(GatherElements(axis), named(x, indices, kind)).output


def test_each_index_drives_the_element_in_its_place():
    (example,) = GatherElements.examples()
    trace = dmlviz.run(example.operator, example.inputs)
    assert trace.drivers["OutputTensor"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (3, np.int64, r"3 at \[1, 0\] is outside -3 to 2, .* reads flat offset 6, .* in\[2, 0\]"),
        (-4, np.int32, r"-4 at .* reads flat offset 2, which is in\[0, 2\]"),
        (3, np.uint32, "outside 0 to 2, the indices of dimension 1"),
        (99, np.uint32, r"would lie at flat offset 102, and in\[4, 2\] is read"),
        (2**32 + 1, np.int64, r"low 32 bits of a 64-bit index, 1 here, and reads from in\[1, 1\]"),
        (2**64 - 1, np.uint64, r"18446744073709551615 at .* in\[1, 2\]"),
        # the offset needs more than 64 bits
        (2**63 - 1, np.int64, r"would lie at flat offset 9,223,372,036,854,775,810, and"),
    ],
)
def test_an_index_beyond_the_axis_is_refused_with_what_directml_does(index, kind, words):
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        run(1, TABLE, [[0], [index], [0], [0], [0]], kind)
    assert str(refused.value).startswith("IndicesTensor: ")


def test_the_formula_looks_the_index_up():
    inputs = named(TABLE, [[-1, 0, 2]])
    assert GatherElements(0).explain(inputs, (0, 0)) == (
        "out[i, w] = in[IndicesTensor[i, w] mod 5, w]\n"
        "out[0, 0] = in[IndicesTensor[0, 0] mod 5, 0] = in[4, 0]"
    )


def test_steps_go_element_by_element():
    steps = GatherElements(0).moves(named(TABLE, [[4, -1, 0]]))
    assert [(step.title, step.caption) for step in steps.steps][:2] == [
        (
            "IndicesTensor[0, 0] = 4",
            "The index is 4: in[4, 0] lands at out[0, 0]; only dimension 0 may differ between the "
            "two.",
        ),
        (
            "IndicesTensor[0, 1] = -1",
            "Index -1 counts from the end: -1 + 5 = 4. in[4, 1] lands at out[0, 1]; only dimension "
            "0 may differ between the two.",
        ),
    ]
    many = GatherElements(0).moves(named(np.arange(7), [k % 7 for k in range(50)]))
    assert np.bincount(many.step_of).tolist() == [1] * 7 + [43]
    assert many.steps[-1].title == "IndicesTensor[7] – [49]"
    assert "the other 43 indices" in many.steps[-1].caption


@given(tensors(), st.data())
def test_an_order_and_its_inverse_are_the_input(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    order = np.argsort(random.random(x.shape), axis)
    there = run(axis, x, order)
    np.testing.assert_array_equal(bits(run(axis, there, np.argsort(order, axis))), bits(x))


@given(tensors(), st.data())
def test_the_same_index_in_every_column_is_a_gather(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    n = x.shape[axis]
    row = np.array(data.draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=5)))
    shape = (*x.shape[:axis], row.size, *x.shape[axis + 1 :])
    along = row.reshape([-1 if d == axis else 1 for d in range(x.ndim)])
    each = run(axis, x, np.broadcast_to(along, shape))
    rows = named(x, row.reshape((1,) * (x.ndim - 1) + (-1,)))
    np.testing.assert_array_equal(bits(each), bits(dmlviz.run(Gather(axis, 1), rows).output))


def test_misreadings():
    square = np.arange(9).reshape(3, 3)
    order = named(square, [[1, 2, 0], [2, 0, 1], [0, 1, 2]])
    found = {m.key: m for m in GatherElements(0).misreadings(order)}
    assert found["axis-1"].source.tolist() == [1, 2, 0, 5, 3, 4, 6, 7, 8]
    assert found["slices"].output_sizes == (3, 3, 3)
    assert found["put"].source.tolist() == [6, 4, 2, 0, 7, 5, 3, 1, 8]
    assert found["first"].source.tolist() == [3, 4, 5, 6, 7, 8, 0, 1, 2]
    assert found["flat"].source.tolist() == [1, 2, 0, 2, 0, 1, 0, 1, 2]
    back = GatherElements(0).misreadings(named(np.arange(5), [-1, 2]))
    assert "-1 + 5 = 4" in {m.key: m for m in back}["clamped"].words
    up = {m.key: m for m in GatherElements(0).misreadings(named(np.arange(5), [4, 2]))}
    assert up["from-one"].source.tolist() == [3, 1]


def test_code():
    def piece(dialect, kind="INT64"):
        types = {"InputTensor": "FLOAT32", "IndicesTensor": kind}
        return snippet(GatherElements(0), SIZES, dialect, types)

    assert "np.take_along_axis(x, indices, axis=0)" in piece("numpy").body
    assert "indices.astype(np.int64)" in piece("numpy", "UINT64").body
    assert "torch.gather(x, 0, i)" in piece("pytorch").body
    assert '"GatherElements"' in piece("onnx").body
    assert "cast first" in piece("onnx", "UINT32").note
    assert "Axis = 0;" in piece("directml").body
