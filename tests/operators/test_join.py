"""Join: how many tensors there are, and what else joins them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Join
from tests.strategies import bits, several


def named(*given):
    return {f"InputTensors[{k}]": x for k, x in enumerate(given)}


def run(operator, *given):
    return dmlviz.run(operator, named(*given)).output


def test_one_tensor_needs_no_name_and_nine_are_too_many():
    x = np.arange(7)
    assert dmlviz.run(Join(0), x).output.tolist() == x.tolist()
    with pytest.raises(dmlviz.Error, match="InputTensors has 9 tensors; at most 8 are allowed"):
        run(Join(0), *[x] * 9)


def test_a_gap_among_the_tensors_is_said():
    x = np.zeros(2)
    with pytest.raises(dmlviz.Error, match=r"InputTensors\[1\] is missing"):
        dmlviz.run(Join(0), {"InputTensors[0]": x, "InputTensors[2]": x})


@given(several(Join))
def test_it_is_numpys_concatenate(state):
    operator, inputs = state
    due = np.concatenate(list(inputs.values()), operator.axis)
    output = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output), bits(due), strict=True)


@given(several(Join))
def test_joined_in_two_goes_it_is_the_same(state):
    operator, inputs = state
    first, *others = inputs.values()
    output = first
    for x in others:
        output = run(operator, output, x)
    due = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output), bits(due), strict=True)


@given(st.integers(0, 3), st.integers(1, 4))
def test_copies_of_one_tensor_are_its_tile(axis, count):
    x = np.arange(2 * 3 * 5 * 7).reshape(2, 3, 5, 7)
    repeats = [count if d == axis else 1 for d in range(4)]
    tiled = dmlviz.run(dmlviz.Tile(repeats), x).output
    np.testing.assert_array_equal(run(Join(axis), *[x] * count), tiled)
