"""Split: the way there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Split
from tests.strategies import bits, several, tensors


def run(operator, x):
    return list(dmlviz.run(operator, x).outputs.values())


def named(*values):
    return {f"OutputTensors[{k}]": value for k, value in enumerate(values)}


def test_of_several_outputs_none_is_the_only_one():
    trace = dmlviz.run(Split(1, (1, 2)), np.arange(6).reshape(2, 3))
    with pytest.raises(AttributeError, match="there are 2 tensors"):
        _ = trace.output
    with pytest.raises(dmlviz.Error, match=r"no tensor OutputTensors\[2\]"):
        Split(1, (1, 2)).explain({"InputTensor": np.zeros((2, 3))}, (1, 0), "OutputTensors[2]")


def test_without_outputs_the_parts_are_open():
    open_parts = Split(1, ())
    found = open_parts.with_output_sizes(named((3, 2), (3, 5)))
    assert found == Split(1, (2, 5))
    for impossible in ({}, named((3,)), named((3, 2), (4, 5)), {"OutputTensors[1]": (3, 2)}):
        assert open_parts.with_output_sizes(impossible) is open_parts


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
