"""Split: DirectML's examples, what is refused and why, and the way there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Split, operator_from_desc
from tests.one_input import snippet
from tests.strategies import bits, several, tensors

KIND = Split.operator_type


def run(operator, x):
    return list(dmlviz.run(operator, x).outputs.values())


def named(*values):
    return {f"OutputTensors[{k}]": value for k, value in enumerate(values)}


def test_one_part_is_a_copy():
    (output,) = run(Split(0, (7,)), np.arange(7))
    assert output.tolist() == list(range(7))
    assert Split(0, (7,)).output_sizes((7,)) == {"OutputTensors[0]": (7,)}


def test_sources_count_in_the_input():
    trace = dmlviz.run(Split(1, (1, 2)), np.arange(6).reshape(2, 3))
    assert [s.tolist() for s in trace.sources.values()] == [[[0], [3]], [[1, 2], [4, 5]]]
    with pytest.raises(AttributeError, match="there are 2 tensors"):
        _ = trace.output


def test_the_parts_of_a_description_are_the_sizes_of_its_outputs():
    outputs = [{"Sizes": [3, 2]}, {"Sizes": [3, 5]}]
    desc = {"Axis": 1, "OutputTensors": outputs}
    operator = operator_from_desc(KIND, desc)
    assert operator == Split(1, (2, 5))
    assert operator.desc == {"Axis": 1, "OutputTensors": [{"Sizes": [0, 2]}, {"Sizes": [0, 5]}]}
    assert operator_from_desc(KIND, operator.desc) == operator
    whole = {**desc, "InputTensor": {"Sizes": [3, 7]}, "OutputCount": 2}
    assert operator_from_desc(KIND, whole) == operator
    assert operator_from_desc(KIND, {**operator.desc, "InputTensor": {"Sizes": [3, 7]}}) == operator
    for changed, words in (
        ({"InputTensor": {"Sizes": [3, 8]}}, r"2 \+ 5 = 7, but it must be 8"),
        ({"InputTensor": {"Sizes": [4, 7]}}, r"OutputTensors\[0\] .* \[3, 2\], not \{4, 2\}"),
        ({"OutputCount": 3}, "OutputCount is 3, but OutputTensors of .* has 2 tensors"),
        ({"OutputTensors": [*outputs, {"Sizes": [4, 1]}]}, r"OutputTensors\[2\] .* \[4, 1\]"),
        ({"OutputTensors": [{"Sizes": [3]}]}, "which have no dimension 1"),
        ({"OutputTensors": [{"Sizes": [3, 2]}] * 9}, "a list of at most 8"),
        ({"OutputTensors": "both"}, "it must be a list of at most 8"),
        ({"Axis": -1}, "no dimension -1"),
        ({"Parts": [2, 5]}, 'has no field "Parts"'),
    ):
        with pytest.raises(dmlviz.Error, match=words):
            operator_from_desc(KIND, {**whole, **changed})
    with pytest.raises(dmlviz.Error, match="needs the field Axis"):
        operator_from_desc(KIND, {"OutputTensors": outputs})


def test_without_outputs_the_parts_are_open():
    open_parts = operator_from_desc(KIND, {"Axis": 1})
    assert open_parts == Split(1, ())
    found = open_parts.with_output_sizes(named((3, 2), (3, 5)))
    assert found == Split(1, (2, 5))
    for impossible in ({}, named((3,)), named((3, 2), (4, 5)), {"OutputTensors[1]": (3, 2)}):
        assert open_parts.with_output_sizes(impossible) is open_parts


@pytest.mark.parametrize(
    ("before", "sizes", "settings", "due"),
    [
        ((3, 7), (3, 9), (1, (2, 5)), (1, (2, 7))),
        ((3, 7), (3, 4), (1, (2, 5)), (1, (2, 2))),
        ((3, 7), (3, 2), (1, (2, 5)), (1, (2,))),
        ((3, 7), (9,), (1, (2, 5)), (0, (2, 7))),
        ((3, 7), (4, 7), (1, (2, 5)), (1, (2, 5))),
        # what did not add up stays for its sentence
        ((3, 7), (3, 9), (1, (2, 2)), (1, (2, 2))),
        ((3, 7), (3, 9), (5, (2, 2)), (5, (2, 2))),
    ],
)
def test_settings_follow_the_sizes(before, sizes, settings, due):
    values = dict(zip(("axis", "parts"), settings, strict=True))
    assert tuple(Split.fitted(values, sizes, before).values()) == due


def test_each_output_has_its_formula():
    inputs = {"InputTensor": np.zeros((3, 7))}
    assert Split(1, (2, 5)).explain(inputs, (1, 3), "OutputTensors[1]") == (
        "OutputTensors[1][h, w] = in[h, w + 2]\nOutputTensors[1][1, 3] = in[1, 3 + 2] = in[1, 5]"
    )
    with pytest.raises(dmlviz.Error, match=r"no tensor OutputTensors\[2\]"):
        Split(1, (2, 5)).explain(inputs, (1, 3), "OutputTensors[2]")


def test_steps_go_part_by_part():
    steps = Split(1, (2, 1, 4)).moves({"InputTensor": np.zeros((3, 7))})
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "OutputTensors[0]",
            "This part has size 2: indices 0 to 1 of dimension 1 become indices 0 to 1 (6 "
            "elements).",
        ),
        (
            "OutputTensors[1]",
            "This part has size 1: index 2 of dimension 1 becomes index 0 (3 elements).",
        ),
        (
            "OutputTensors[2]",
            "This part has size 4: indices 3 to 6 of dimension 1 become indices 0 to 3 (12 "
            "elements).",
        ),
    ]
    assert steps.step_of.tolist() == [0] * 6 + [1] * 3 + [2] * 12


@given(several(Split))
def test_join_puts_it_together_again(state):
    operator, inputs = state
    (x,) = inputs.values()
    outputs = run(operator, x)
    joined = {f"InputTensors[{k}]": output for k, output in enumerate(outputs)}
    back = dmlviz.run(dmlviz.Join(operator.axis), joined).output
    np.testing.assert_array_equal(bits(back), bits(x), strict=True)


@given(several(dmlviz.Join))
def test_what_was_joined_is_taken_apart_again(state):
    operator, inputs = state
    joined = dmlviz.run(operator, inputs).output
    parts = [x.shape[operator.axis] for x in inputs.values()]
    found = dmlviz.run(Split(operator.axis, parts), joined).outputs
    for x, part in zip(inputs.values(), found.values(), strict=True):
        np.testing.assert_array_equal(bits(part), bits(x), strict=True)


@given(several(Split))
def test_each_part_is_a_slice(state):
    operator, inputs = state
    (x,) = inputs.values()
    start = 0
    for output in run(operator, x):
        offsets = [0] * x.ndim
        offsets[operator.axis] = start
        window = dmlviz.Slice(offsets, output.shape, (1,) * x.ndim)
        np.testing.assert_array_equal(bits(dmlviz.run(window, x).output), bits(output))
        start += output.shape[operator.axis]
    assert start == x.shape[operator.axis]


@given(tensors(), st.data())
def test_a_whole_part_is_the_input(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    (output,) = run(Split(axis, (x.shape[axis],)), x)
    np.testing.assert_array_equal(bits(output), bits(x), strict=True)


def misread(operator, sizes):
    return {m.key: m for m in operator.misreadings(sizes)}


def test_misreadings():
    found = misread(Split(0, (2, 5)), (7,))
    assert found["cuts"].output_sizes == named((2,), (3,), (2,))
    assert found["cuts"].source.tolist() == list(range(7))
    assert found["equal"].output_sizes == named((4,), (3,))
    assert found["other-order"].output_sizes == named((5,), (2,))
    assert found["chunks"].output_sizes == named((2,), (2,), (2,), (1,))
    assert found["from-behind"].source.tolist() == [5, 6, 0, 1, 2, 3, 4]
    assert found["in-turn"].source.tolist() == [0, 2, 4, 6, 1, 3, 5]
    square = misread(Split(0, (1, 2)), (3, 3))
    assert square["axis-1"].output_sizes == named((3, 1), (3, 2))
    assert square["axis-1"].words == "That cuts dimension 1: Axis is 0."
    assert misread(Split(0, (3,)), (3, 2)) == {}


def test_code():
    operator, sizes = Split(1, (2, 1, 4)), (3, 7)
    assert snippet(operator, sizes, "numpy").body == "y = np.split(x, [2, 3], axis=1)"
    assert "places to cut at" in snippet(operator, sizes, "numpy").note
    assert snippet(operator, sizes, "pytorch").body == "y = torch.split(x, [2, 1, 4], dim=1)"
    assert snippet(operator, sizes, "tensorflow").body == "y = tf.split(x, [2, 1, 4], axis=1)"
    assert snippet(operator, sizes, "einops").body == 'y = unpack(x, [(2,), (1,), (4,)], "h *")'
    onnx = snippet(operator, sizes, "onnx").body
    assert 'make_node("Split", ["x", "split"], ["y0", "y1", "y2"], axis=1)' in onnx
    assert '"split": np.array([2, 1, 4], dtype=np.int64)' in onnx
    directml = snippet(operator, sizes, "directml").body
    assert "operatorDesc.OutputCount = 3;\n    operatorDesc.OutputTensors = outputTensors;" in (
        directml
    )
    assert "const UINT output2Sizes[] = {3, 4};" in directml
