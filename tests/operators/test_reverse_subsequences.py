"""ReverseSubsequences: lengths beyond the axis, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import ReverseSubsequences
from dmlviz.teaching.presets import presets_of
from tests.operators import recordings
from tests.strategies import bits, several, tensors

KIND = ReverseSubsequences.operator_type
LENGTHS = "SequenceLengthsTensor"
LONGER = "reverse-subsequences-longer-is-clamped"
OWN = recordings.cases(recordings.own("reverse-subsequences"), KIND)


def named(x, lengths, kind=np.uint32):
    return {"InputTensor": x, LENGTHS: np.array(lengths, kind)}


def run(axis, x, lengths, kind=np.uint32):
    return dmlviz.run(ReverseSubsequences(axis), named(x, lengths, kind)).output


def test_what_directml_does_beyond_the_axis():
    [case] = [case for case in OWN if case["id"] == LONGER]
    operator, inputs = recordings.operator_of(case), recordings.tensors(case)
    [due] = recordings.tensors(case, "outputs").values()
    read = operator.read_anyway(inputs)
    np.testing.assert_array_equal(inputs["InputTensor"].ravel()[read], due)
    # no clamping of the length
    five = named(np.arange(1, 6), [6])
    assert ReverseSubsequences(0).read_anyway(five).tolist() == [4, 4, 3, 2, 1]
    with pytest.raises(dmlviz.Refused, match="does not clamp it to 5"):
        dmlviz.run(operator, inputs)


@given(several(ReverseSubsequences))
def test_twice_is_the_input(state):
    operator, inputs = state
    once = dmlviz.run(operator, inputs)
    again = dmlviz.run(operator, {**inputs, "InputTensor": once.output})
    np.testing.assert_array_equal(bits(again.output), bits(inputs["InputTensor"]), strict=True)
    # within the axis DirectML reads what the rule says
    np.testing.assert_array_equal(operator.read_anyway(inputs), once.source)


@given(tensors(), st.data())
def test_lengths_of_the_whole_axis_are_a_flip(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    shape = tuple(1 if d == axis else n for d, n in enumerate(x.shape))
    output = run(axis, x, np.full(shape, x.shape[axis]))
    np.testing.assert_array_equal(bits(output), bits(np.flip(x, axis)), strict=True)
    short = run(axis, x, data.draw(st.sampled_from((0, 1))) * np.ones(shape, int))
    np.testing.assert_array_equal(bits(short), bits(x), strict=True)


def test_the_preset_of_lengths_beyond_is_what_was_recorded():
    [case] = [c for c in OWN if c["id"] == LONGER]
    given = next(p for p in presets_of("reverse-subsequences") if p.key.endswith("beyond")).inputs
    for name, due in recordings.tensors(case).items():
        np.testing.assert_array_equal(given[name], due, strict=True)
