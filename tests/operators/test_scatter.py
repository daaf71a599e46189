"""Scatter: DirectML's examples, what is refused and why, and what DirectML does instead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import GatherElements, Scatter, operator_from_desc
from dmlviz.operators.slots import TensorDesc
from tests.operators import recordings
from tests.strategies import bits, tensors

TABLE = np.arange(15).reshape(5, 3)


def named(x, indices, updates, kind=np.int64):
    x = np.array(x)
    return {
        "InputTensor": x,
        "IndicesTensor": np.array(indices, kind),
        "UpdatesTensor": np.array(updates, x.dtype),
    }


def trace(axis, *tensors, engine="numpy", **kind):
    return dmlviz.run(Scatter(axis), named(*tensors, **kind), engine)


@pytest.mark.parametrize(
    ("number", "due"),
    [(0, [[20, 11, 0], [10, 0, 22], [0, 21, 12]]), (1, [8, 6, 2, 7, 4])],
)
def test_documentation_examples(number, due):
    example = Scatter.examples()[number]
    found = dmlviz.run(example.operator, example.inputs)
    np.testing.assert_array_equal(found.output, np.float32(due), strict=True)
    other_name = "DML_SCATTER_ELEMENTS_OPERATOR_DESC"
    assert operator_from_desc(other_name, example.operator.desc) == example.operator


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint64, np.uint32])
def test_every_type_of_index(kind):
    for engine in recordings.ENGINES:
        found = trace(0, TABLE, [[4, 0, 2]], [[100, 101, 102]], kind=kind, engine=engine)
        assert found.output.tolist() == [
            [0, 101, 2],
            [3, 4, 5],
            [6, 7, 102],
            [9, 10, 11],
            [100, 13, 14],
        ]
        assert found.source[4].tolist() == [15, 13, 14]
        assert found.drivers["OutputTensor"][0].tolist() == [-1, 1, -1]


@pytest.mark.parametrize(
    ("axis", "indices", "updates", "field", "words"),
    [
        (2, (2, 3), (2, 3), "axis", "2 is invalid; the input's dimensions are 0 to 1"),
        (0, (3,), (3,), "IndicesTensor", r"sizes \{3\} have rank 1, the input has rank 2"),
        (0, (2, 1), (2, 1), "IndicesTensor", "dimension 1 has size 1 where the input has 3"),
        (0, (6, 3), (6, 3), "IndicesTensor", "has size 6 where .* 5; DirectML takes no more"),
        (0, (2, 3), (3, 3), "UpdatesTensor", r"sizes \{3, 3\} are not \{2, 3\}"),
    ],
)
def test_refusals(axis, indices, updates, field, words):
    sizes = {"InputTensor": (5, 3), "IndicesTensor": indices, "UpdatesTensor": updates}
    found = Scatter(axis).problems(sizes, None)
    assert [problem.field for problem in found] == [field]
    with pytest.raises(dmlviz.Refused, match=words):
        Scatter(axis).output_sizes(sizes)


def test_updates_have_the_type_of_the_input():
    inputs = named([1, 2, 3], [0], [9]) | {"UpdatesTensor": np.array([9], np.float32)}
    with pytest.raises(dmlviz.Refused, match="data type FLOAT32 is not INT64"):
        dmlviz.run(Scatter(0), inputs)


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (3, np.int64, r"3 at \[1, 0\] is outside -3 to 2, .* offset 6 is used, .* out\[2, 0\]"),
        (-4, np.int32, r"flat offset 2 is used, and the update lands at out\[0, 2\]"),
        (99, np.uint32, "flat offset 102 lies beyond the tensor, and the update is dropped"),
        (2**63 - 1, np.int64, r"flat offset 9,223,372,036,854,775,810 is used, .* out\[0, 2\]"),
        (
            2**32 + 1,
            np.int64,
            r"low 32 bits of a 64-bit index, 1 here, and the update .* out\[1, 1\]",
        ),
    ],
)
def test_an_index_beyond_the_axis_is_refused_with_what_directml_does(index, kind, words):
    column = [[0], [index], [0], [0], [0]]
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        trace(1, TABLE, column, np.zeros((5, 1)), kind=kind)
    assert str(refused.value).startswith("IndicesTensor: ")


def test_two_writers_are_both_named_and_neither_is_promised():
    example = Scatter.examples()[1]
    steps = example.operator.moves(example.inputs)
    assert [step.title for step in steps.steps] == [
        "InputTensor",
        "IndicesTensor[1] = 1",
        "IndicesTensor[2] = 3, IndicesTensor[0] = 3",
        "IndicesTensor[3] = 0",
    ]
    assert steps.steps[0].caption.startswith("The whole input is copied first: 2 of 5 elements")
    assert "out[3] here. The one at [0] is put there too" in steps.steps[2].caption
    assert steps.step_of.tolist() == [3, 1, 0, 2, 0]
    told = [example.operator.explain(example.inputs, (k,)) for k in range(5)]
    assert told[2] == "out[2] = InputTensor[2]\nNo index names this place."
    assert told[1] == "out[1] = UpdatesTensor[1]\nIts index names this place."
    assert told[3] == (
        "out[3]: the updates at [0], [2] are all put at this place; which one wins is undefined."
    )


def test_the_whole_input_stands_there_until_it_is_covered():
    example = Scatter.examples()[1]
    steps = example.operator.moves(example.inputs)
    assert steps.before.tolist() == [0, 1, -1, 3, -1]
    assert steps.contested.tolist() == [3]
    # after the five elements of the input the updates, then the indices
    assert [step.marks for step in steps.steps] == [(), (), (5, 7, 9, 11), ()]


def test_where_everything_is_covered_the_input_comes_first_all_the_same():
    steps = Scatter(0).moves(named(np.arange(50), np.arange(50)[::-1], np.arange(50)))
    assert np.bincount(steps.step_of).tolist() == [0] + [1] * 7 + [43]
    assert steps.steps[0].caption == (
        "The whole input is copied first; updates cover all 50 elements."
    )
    assert steps.steps[1].title == "IndicesTensor[0] = 49"
    assert (steps.before >= 0).all()
    assert steps.steps[-1].title == "UpdatesTensor[7] – [49]"
    assert "other 43 updates" in steps.steps[-1].caption


@given(tensors(), st.data())
def test_gather_undoes_scatter(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    count = data.draw(st.integers(1, x.shape[axis]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    order = np.argsort(random.random(x.shape), axis)
    indices = np.take(order, range(count), axis)
    updates = x[tuple(slice(count) if d == axis else slice(None) for d in range(x.ndim))]
    put = trace(axis, np.zeros_like(x), indices, updates).output
    back = {"InputTensor": put, "IndicesTensor": indices}
    taken = dmlviz.run(GatherElements(axis), back).output
    np.testing.assert_array_equal(bits(taken), bits(updates))
    # and scatter undoes the gather of a whole order
    there = dmlviz.run(GatherElements(axis), {"InputTensor": x, "IndicesTensor": order}).output
    np.testing.assert_array_equal(bits(trace(axis, x, order, there).output), bits(x))
    again = trace(axis, np.zeros_like(x), order, there).output
    np.testing.assert_array_equal(bits(again), bits(x))


def test_misreadings():
    inputs = named(np.arange(9).reshape(3, 3), [[1, 2, 0]], [[100, 101, 102]])
    found = {m.key: m for m in Scatter(0).misreadings(inputs)}
    assert found["axis-1"].source.tolist() == [11, 9, 10, 3, 4, 5, 6, 7, 8]
    assert found["in-order"].source.tolist() == [9, 10, 11, 3, 4, 5, 6, 7, 8]
    assert found["first"].source.tolist() == [0, 1, 2, 9, 10, 11, 6, 7, 8]
    assert found["taken"].source.tolist() == [3, 7, 2]
    assert found["joined"].output_sizes == (4, 3)
    row = {m.key: m for m in Scatter(0).misreadings(named(np.arange(4), [2, 3, 1], [7, 8, 9]))}
    assert row["from-one"].source.tolist() == [6, 4, 5, 3]
    cycle = named(np.arange(3), [1, 2, 0], [7, 8, 9])
    pulled = {m.key: m for m in Scatter(0).misreadings(cycle)}["pulled"]
    assert pulled.source.tolist() == [4, 5, 3]


def test_code():
    def piece(dialect, kind="INT64"):
        descs = dict.fromkeys(
            ("InputTensor", "IndicesTensor", "UpdatesTensor"), TensorDesc((5, 3), "FLOAT32")
        ) | {"IndicesTensor": TensorDesc((5, 3), kind)}
        return next(s for s in Scatter(0).code(descs) if s.dialect == dialect)

    assert "np.put_along_axis(out, indices, updates, axis=0)" in piece("numpy").body
    assert "torch.scatter(x, 0, i, updates)" in piece("pytorch").body
    assert "dim, index, src" in piece("pytorch").note
    assert '"ScatterElements"' in piece("onnx").body
    assert "cast first" in piece("onnx", "UINT32").note
    assert "Axis = 0;" in piece("directml").body
