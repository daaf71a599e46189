"""Gather: DirectML's examples, what is refused and why, and what DirectML does instead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather, operator_from_desc
from dmlviz.operators.slots import TensorDesc
from tests.strategies import bits, several, tensors

KIND = Gather.operator_type
TABLE = np.arange(15).reshape(5, 3)


def named(x, indices, kind=np.int64):
    return {"InputTensor": x, "IndicesTensor": np.array(indices, kind)}


def run(operator, x, indices, kind=np.int64):
    return dmlviz.run(operator, named(x, indices, kind)).output


def problems(operator, sizes, indices, types=None, level=None):
    return operator.problems({"InputTensor": sizes, "IndicesTensor": indices}, types, level)


@pytest.mark.parametrize(
    ("number", "due"),
    [
        (0, [14, 12, 14, 11, 13]),
        (1, [[1, 2], [3, 4], [3, 4], [5, 6]]),
        (2, [[2, 1], [4, 3], [6, 5]]),
        (3, [[[1, 3]], [[4, 6]], [[7, 9]]]),
        (4, [[[1, 2], [3, 4]], [[3, 4], [5, 6]]]),
    ],
)
def test_documentation_examples(number, due):
    example = Gather.examples()[number]
    trace = dmlviz.run(example.operator, example.inputs)
    np.testing.assert_array_equal(trace.output, np.float32(due), strict=True)


@pytest.mark.parametrize(
    ("settings", "sizes", "indices", "due"),
    [
        ((0, 0), (3,), [1], [1]),
        ((1, 0), (2, 3), [[2]], [[2, 5]]),
        ((0, 1), (1, 3), [[0, 0]], [[0, 1, 2], [0, 1, 2]]),
        ((1, 2), (1, 3), [[2, 0]], [[2, 0]]),
        ((2, 3), (1, 1, 5), [[[4]]], [[[4]]]),
        ((0, 1), (5,), [-1, -5, 0, 4], [4, 0, 0, 4]),
    ],
)
def test_sizes_take_the_rank_of_the_input(settings, sizes, indices, due):
    x = np.arange(np.prod(sizes)).reshape(sizes)
    assert run(Gather(*settings), x, indices).tolist() == due


@pytest.mark.parametrize(
    ("settings", "indices", "field", "words"),
    [
        ((2, 1), (1, 4), "axis", "2 is invalid; the input's dimensions are 0 to 1"),
        ((-1, 1), (1, 4), "axis", "-1 is invalid"),
        ((0, 3), (1, 4), "index_dimensions", "3 is invalid; .* 0 to 2"),
        ((0, -1), (1, 4), "index_dimensions", "-1 is invalid"),
        ((0, 1), (4,), "IndicesTensor", r"sizes \{4\} have rank 1, the input has rank 2"),
        ((0, 1), (2, 4), "IndicesTensor", "dimension 0 has size 2; IndexDimensions is 1"),
        ((0, 0), (1, 4), "IndicesTensor", "dimension 1 has size 4; IndexDimensions is 0"),
        ((1, 2), (1, 4), "index_dimensions", "2 would make {5, 1, 4}, 3 dimensions"),
        ((10**400, 1), (1, 4), "axis", "a number of 1,329 bits"),
    ],
)
def test_refusals(settings, indices, field, words):
    found = problems(Gather(*settings), (5, 3), indices)
    assert [problem.field for problem in found] == [field]
    assert found[0].message.startswith(f"{field}: ")
    with pytest.raises(dmlviz.Refused, match=words):
        Gather(*settings).output_sizes({"InputTensor": (5, 3), "IndicesTensor": indices})


def test_indices_have_to_be_there():
    with pytest.raises(dmlviz.Error, match="IndicesTensor is missing"):
        dmlviz.run(Gather(0, 1), TABLE)
    found = Gather(0, 1).problems((5, 3), None)
    assert [p.message for p in found] == ["sizes: IndicesTensor is missing."]


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (3, np.int64, r"3 at \[0, 1\] is outside -3 to 2, .* offset 3, which is in\[1, 0\]"),
        (-4, np.int32, r"-4 at .* would lie at flat offset -1, and in\[4, 2\] is read"),
        (3, np.uint32, r"outside 0 to 2, the indices of dimension 1\..* in\[1, 0\]"),
        (99, np.uint32, r"flat offset 99, and in\[4, 2\] is read"),
        (2**64 - 1, np.uint64, r"18446744073709551615 at .* in\[0, 2\]"),
    ],
)
def test_an_index_beyond_the_axis_is_refused_with_what_directml_does(index, kind, words):
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        run(Gather(1, 1), TABLE, [[0, index]], kind)
    assert str(refused.value).startswith("IndicesTensor: ")


@pytest.mark.parametrize("kind", ["FLOAT32", "INT16", "UINT8"])
def test_other_types_are_no_indices(kind):
    types = {"InputTensor": "INT8", "IndicesTensor": kind}
    [found] = problems(Gather(0, 1), (5, 3), (1, 4), types)
    assert found.message == (
        f"IndicesTensor: {kind} is not supported; DML_GATHER takes INT64, INT32, UINT64, UINT32 there."
    )


def test_sizes_of_a_description_are_checked():
    desc = {"Axis": 0, "IndexDimensions": 1}
    given = {"InputTensor": {"Sizes": [5, 3]}, "IndicesTensor": {"Sizes": [1, 4]}}
    assert operator_from_desc(KIND, {**desc, **given}) == Gather(0, 1)
    whole = {**desc, **given, "OutputTensor": {"Sizes": [4, 3]}}
    assert operator_from_desc(KIND, whole) == Gather(0, 1)
    assert operator_from_desc(KIND, {**desc, "OutputTensor": {"Sizes": [9, 9]}}) == Gather(0, 1)
    with pytest.raises(dmlviz.Error, match=r"has Sizes \[5, 4\], not \{4, 3\}"):
        operator_from_desc(KIND, {**whole, "OutputTensor": {"Sizes": [5, 4]}})
    with pytest.raises(dmlviz.Error, match=r"IndicesTensor: sizes \{4\} have rank 1"):
        operator_from_desc(KIND, {**whole, "IndicesTensor": {"Sizes": [4]}})
    with pytest.raises(dmlviz.Error, match="needs the field IndexDimensions"):
        operator_from_desc(KIND, {"Axis": 0})
    with pytest.raises(dmlviz.Error, match='axis: "first" is not a whole number'):
        operator_from_desc(KIND, {**desc, "Axis": "first"})


def test_the_formula_looks_the_index_up():
    inputs = named(TABLE, [[-1, 0]])
    assert Gather(0, 1).explain(inputs, (0, 2)) == (
        "out[i, w] = in[IndicesTensor[0, i] mod 5, w]\n"
        "out[0, 2] = in[IndicesTensor[0, 0] mod 5, 2] = in[4, 2]"
    )


def test_steps_go_index_by_index():
    steps = Gather(1, 2).moves(named(TABLE[None], [[[4, 0], [-1, 4]]]))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "IndicesTensor[0, 0, 0] = 4",
            "The index is 4: in[:, 4, :] lands at out[0, 0, :] (3 elements).",
        ),
        (
            "IndicesTensor[0, 0, 1] = 0",
            "The index is 0: in[:, 0, :] lands at out[0, 1, :] (3 elements).",
        ),
        (
            "IndicesTensor[0, 1, 0] = -1",
            "Index -1 counts from the end: -1 + 5 = 4. in[:, 4, :] lands at out[1, 0, :] "
            "(3 elements).",
        ),
        (
            "IndicesTensor[0, 1, 1] = 4",
            "The index is 4: in[:, 4, :] lands at out[1, 1, :] (3 elements).",
        ),
    ]
    assert steps.step_of.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3


def test_one_index_is_one_step():
    steps = Gather(0, 0).moves(named(TABLE, [[2]]))
    assert [step.caption for step in steps.steps] == [
        "The index is 2: in[2, :] lands at out[0, :] (3 elements)."
    ]


def test_the_ninth_index_is_followed_with_all_further_ones():
    steps = Gather(0, 1).moves(named(np.arange(7), [k % 7 for k in range(50)]))
    assert np.bincount(steps.step_of).tolist() == [1] * 7 + [43]
    assert steps.steps[-1].title == "IndicesTensor[7] – [49]"
    assert "the other 43 indices" in steps.steps[-1].caption


@given(tensors(), st.data())
def test_all_indices_in_order_are_the_input(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    indices = np.arange(x.shape[axis]).reshape((1,) * (x.ndim - 1) + (-1,))
    output = run(Gather(axis, 1), x, indices)
    np.testing.assert_array_equal(bits(output), bits(x), strict=True)


@given(tensors(), st.data())
def test_a_permutation_and_its_inverse_are_the_input(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    order = np.array(data.draw(st.permutations(range(x.shape[axis]))))
    shape = (1,) * (x.ndim - 1) + (-1,)
    there = run(Gather(axis, 1), x, order.reshape(shape))
    back = run(Gather(axis, 1), there, np.argsort(order).reshape(shape))
    np.testing.assert_array_equal(bits(back), bits(x), strict=True)


@given(tensors(), st.data())
def test_a_gather_of_a_gather_is_a_gather(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    n, shape = x.shape[axis], (1,) * (x.ndim - 1) + (-1,)
    one = np.array(data.draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=5)))
    two = np.array(data.draw(st.lists(st.integers(0, one.size - 1), min_size=1, max_size=5)))
    operator = Gather(axis, 1)
    both = run(operator, run(operator, x, one.reshape(shape)), two.reshape(shape))
    at_once = run(operator, x, one[two].reshape(shape))
    np.testing.assert_array_equal(bits(both), bits(at_once), strict=True)


@given(several(Gather))
def test_it_is_numpys_take(state):
    operator, inputs = state
    x, indices = inputs.values()
    inner = indices.reshape(indices.shape[indices.ndim - operator.index_dimensions :])
    taken = np.take(x, inner, axis=operator.axis)
    output = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output).ravel(), bits(taken).ravel())


def misread(operator, inputs):
    return {m.key: m for m in operator.misreadings(inputs)}


def test_misreadings():
    square = np.arange(9).reshape(3, 3)
    found = misread(Gather(0, 1), named(square, [[1, 2, 0]]))
    columns = found["axis-1"]
    assert columns.output_sizes == (3, 3)
    assert columns.source.tolist() == [1, 2, 0, 4, 5, 3, 7, 8, 6]
    assert columns.words == "That counts along dimension 1: Axis is 0."
    single = found["elements"]
    assert (single.output_sizes, single.source.tolist()) == ((1, 3), [3, 7, 2])
    assert found["put"].source.tolist() == [6, 7, 8, 0, 1, 2, 3, 4, 5]
    assert "flat" not in found or found["flat"].source.tolist() == [1, 2, 0]
    back = misread(Gather(0, 1), named(np.arange(5), [-1, 2, 2]))
    assert back["clamped"].source.tolist() == [0, 2, 2]
    assert "-1 + 5 = 4" in back["clamped"].words
    assert back["once"].source.tolist() == [4, 2]
    assert back["in-order"].source.tolist() == [2, 2, 4]
    assert misread(Gather(0, 1), named(np.arange(5), [3, 1]))["from-one"].source.tolist() == [2, 0]


def snippet(operator, sizes, indices, dialect, kind="INT64"):
    descs = {
        "InputTensor": TensorDesc(sizes, "FLOAT32"),
        "IndicesTensor": TensorDesc(indices, kind),
    }
    return next(s for s in operator.code(descs) if s.dialect == dialect)


def test_code():
    assert snippet(Gather(0, 1), (7,), (3,), "numpy").text == (
        "import numpy as np\n\n"
        "x = np.arange(7).astype(np.float32).reshape(7)\n"
        "indices = np.arange(3).astype(np.int64).reshape(3)\n"
        "y = np.take(x, indices, axis=0)\n"
        "print(y)\n"
    )
    assert "(np.arange(8) % 5)" in snippet(Gather(1, 2), (1, 5, 3), (1, 2, 4), "numpy").make_x
    assert ".reshape((2, 4))" in snippet(Gather(1, 2), (1, 5, 3), (1, 2, 4), "numpy").body
    assert "% 5" in snippet(Gather(0, 1), (5, 3), (1, 4), "pytorch").body
    assert "%" not in snippet(Gather(0, 1), (5, 3), (1, 4), "pytorch", "UINT32").body
    onnx = snippet(Gather(0, 1), (5, 3), (1, 4), "onnx", "UINT32")
    assert '"Cast", ["indices"], ["y0"], to=7' in onnx.body
    assert "cast first" in onnx.note
    assert "IndexDimensions = 1;" in snippet(Gather(0, 1), (5, 3), (1, 4), "directml").body
    assert "takes no indices" in snippet(Gather(0, 1), (5, 3), (1, 4), "einops").note
    with pytest.raises(dmlviz.Refused):
        snippet(Gather(2, 1), (5, 3), (1, 4), "numpy")


def test_graphs_have_the_indices_as_inputs():
    for kind, nodes in (
        ("INT64", ["Reshape", "Gather"]),
        ("UINT64", ["Cast", "Reshape", "Gather"]),
    ):
        descs = {
            "InputTensor": TensorDesc((5, 3), "INT8"),
            "IndicesTensor": TensorDesc((1, 4), kind),
        }
        graph = Gather(0, 1).native_graph(descs)
        assert [node.op_type for node in graph.nodes] == nodes
        assert "IndicesTensor" in graph.nodes[0].inputs
