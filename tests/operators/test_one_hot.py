"""OneHot: DirectML's examples, indices from the end and beyond it, refusals, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import OneHot, operator_from_desc
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES
from tests.operators import recordings
from tests.strategies import bits, several, tensors

KIND = OneHot.operator_type
ROWS = {"ValuesTensor": (1, 2), "IndicesTensor": (3, 1)}


def named(indices, values=((0, 1),), kind=np.int64):
    return {"ValuesTensor": np.array(values), "IndicesTensor": np.array(indices, kind)}


def test_documentation_examples():
    due = (
        [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]],
        [[1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]],
        [[2, 4, 4, 4], [4, 4, 4, 2], [4, 4, 2, 4]],
        [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]],
    )
    for example, rows in zip(OneHot.examples(), due, strict=True):
        trace = dmlviz.run(example.operator, example.inputs)
        np.testing.assert_array_equal(trace.output, np.float32([[rows]]), strict=True)


def test_onnx_has_its_own_for_a_few_types():
    for name, known in DATA_TYPES.items():
        for sizes, indices in (((2,), [1]), ((1, 2), [[1], [-1]])):
            values = np.array([3, 7], known.dtype).reshape(sizes)
            inputs = {"ValuesTensor": values, "IndicesTensor": np.array(indices, np.int32)}
            operator = OneHot(len(sizes) - 1, 3)
            due = dmlviz.run(operator, inputs)
            found = dmlviz.run(operator, inputs, "onnxruntime")
            np.testing.assert_array_equal(found.output, due.output, strict=True)
            own = name in ("FLOAT32", "INT64")
            assert found.ran.form == ("native" if own else "lowered")
            if own or name == "FLOAT16":
                assert dmlviz.run(operator, inputs, "onnxruntime", "native").agrees
            else:
                with pytest.raises(dmlviz.EngineRefused):
                    dmlviz.run(operator, inputs, "onnxruntime", "native")


def test_every_type_of_index():
    for kind in (np.int64, np.int32, np.uint64, np.uint32):
        for engine in recordings.ENGINES:
            trace = dmlviz.run(OneHot(1, 3), named([[2], [0], [9]], kind=kind), engine)
            assert trace.output.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0]]
            assert trace.source.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0]]
            assert trace.drivers["OutputTensor"].tolist() == [[0] * 3, [1] * 3, [2] * 3]


@pytest.mark.parametrize(
    ("operator", "sizes", "field", "words"),
    [
        (OneHot(2, 4), ROWS, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
        (OneHot(-1, 4), ROWS, "axis", "-1 is invalid"),
        (OneHot(1, 0), ROWS, "depth", "0 is invalid; a sequence must have 1 to 4,294,967,295"),
        (OneHot(1, 2**32), ROWS, "depth", "4294967296 is invalid"),
        (OneHot(0, 4), ROWS, "IndicesTensor", "dimension 0 has size 3; along Axis"),
        (OneHot(1, 4), ROWS | {"IndicesTensor": (3,)}, "IndicesTensor", r"\{3\} have rank 1"),
        (OneHot(1, 4), ROWS | {"ValuesTensor": (1, 1)}, "sizes", "has one element"),
    ],
)
def test_refusals(operator, sizes, field, words):
    found = operator.problems(sizes, None)
    assert [problem.field for problem in found] == [field]
    assert found[0].message.startswith(f"{field}: ")
    with pytest.raises(dmlviz.Refused, match=words):
        operator.output_sizes(sizes)


def test_a_description_says_how_long_sequences_are():
    given = {name: {"Sizes": list(sizes)} for name, sizes in ROWS.items()}
    whole = {"Axis": 1, **given, "OutputTensor": {"Sizes": [3, 5]}}
    assert operator_from_desc(KIND, whole) == OneHot(1, 5)
    with pytest.raises(dmlviz.Error, match=r"has Sizes \[4, 5\], not \{3, 5\}"):
        operator_from_desc(KIND, {**whole, "OutputTensor": {"Sizes": [4, 5]}})
    with pytest.raises(dmlviz.Error, match="have no dimension 3"):
        operator_from_desc(KIND, {"Axis": 3, "OutputTensor": {"Sizes": [4, 5]}})
    assert OneHot(1, 5).with_output_sizes({"OutputTensor": (3, 7)}) == OneHot(1, 7)


def test_the_formula_compares_the_index():
    assert OneHot(1, 5).explain(named([[-1], [2]]), (0, 4)) == (
        "out[h, k] = in[0, max(IndicesTensor[h, 0] == k, IndicesTensor[h, 0] + 5 == k)]\n"
        "out[0, 4] = in[0, max(IndicesTensor[0, 0] == 4, IndicesTensor[0, 0] + 5 == 4)] "
        "= in[0, 1]"
    )


def test_steps_go_sequence_by_sequence():
    steps = OneHot(1, 4).moves(named([[2], [-1], [9]]))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "IndicesTensor[0, 0] = 2",
            "The index is 2: out[0, 2] is the on value, 1. The rest of out[0, :] is 0.",
        ),
        (
            "IndicesTensor[1, 0] = -1",
            "-1 counts from the end, -1 + 4 = 3: out[1, 3] is the on value, 1. The rest of "
            "out[1, :] is 0.",
        ),
        (
            "IndicesTensor[2, 0] = 9",
            "9 is not a place from 0 to 3: all of out[2, :] is the off value, 0.",
        ),
    ]
    many = OneHot(1, 4).moves(named(np.arange(50).reshape(50, 1)))
    assert np.bincount(many.step_of).tolist() == [4] * 7 + [43 * 4]
    assert "The other 43 indices" in many.steps[-1].caption


@given(several(OneHot))
def test_each_sequence_has_its_place_on_alone(state):
    operator, inputs = state
    source = dmlviz.run(operator, inputs).source
    places = inputs["IndicesTensor"].astype(np.int64)
    on = np.take_along_axis(source, places, operator.axis)
    assert (on == 1).all()
    assert source.sum() == places.size


@given(tensors((1, 2)), st.integers(2, 11))
def test_all_indices_in_order_are_the_identity_matrix(values, depth):
    inputs = {"ValuesTensor": values, "IndicesTensor": np.arange(depth).reshape(depth, 1)}
    trace = dmlviz.run(OneHot(1, depth), inputs)
    np.testing.assert_array_equal(trace.source, np.eye(depth, dtype=np.int64))
    turned = {"ValuesTensor": values, "IndicesTensor": np.arange(depth).reshape(1, depth)}
    np.testing.assert_array_equal(
        bits(dmlviz.run(OneHot(0, depth), turned).output), bits(trace.output), strict=True
    )


def test_misreadings():
    found = {m.key: m for m in OneHot(1, 3).misreadings(named([[2], [-1], [7]]))}
    assert found["swapped"].source.tolist() == [1, 1, 0, 1, 1, 0, 1, 1, 1]
    assert found["from-one"].source.tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert found["negative"].source.tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert "-1 counts from the end, place 2" in found["negative"].words
    assert found["clamped"].source.tolist() == [0, 0, 1] * 3
    assert found["up-to"].source.tolist() == [1] * 9
    assert found["new-axis"].output_sizes == (3, 1, 3)
    own = {"ValuesTensor": np.zeros((1, 5)), "IndicesTensor": np.array([[3], [2]])}
    found = {m.key: m for m in OneHot(1, 6).misreadings(own)}
    assert found["last"].source.tolist() == [0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0]
    assert found["gather"].source.tolist() == [3] * 6 + [2] * 6
    assert found["in-order"].source.tolist() == [0, 1, 2, 3, 4, 0] * 2
    assert found["shortest"].output_sizes == (2, 4)


def test_sequences_along_another_dimension():
    found = {m.key: m for m in OneHot(1, 3).misreadings(named([[2], [-1], [7]]))}
    assert found["other-axis"].source.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 0]


def test_code():
    descs = {
        "ValuesTensor": TensorDesc((1, 2), "FLOAT32"),
        "IndicesTensor": TensorDesc((3, 1), "INT64"),
    }
    pieces = {s.dialect: s for s in OneHot(1, 4).code(descs)}
    assert pieces["numpy"].body == (
        "i = np.where(indices < 0, indices + 4, indices)\n"
        "hot = i == np.arange(4).reshape((1, 4))\n"
        "y = values.ravel()[hot.astype(np.int64)]"
    )
    assert "np.eye(depth)[indices]" in pieces["numpy"].note
    assert "operatorDesc.IndicesTensor = &indicesTensor;" in pieces["directml"].body
    with pytest.raises(dmlviz.Refused):
        OneHot(0, 4).code(descs)
