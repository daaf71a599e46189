"""SliceGrad: that it takes a slice back, and the sizes of its output."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Slice, SliceGrad
from tests.strategies import bits, drawn


def test_nothing_huge_is_allocated():
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(SliceGrad((0, 0), (65_536, 65_536), (1, 1)), np.zeros((2, 2), np.int8))
    assert SliceGrad((2**32,), (5,), (1,)).problems((3,), None)


@given(drawn(SliceGrad))
def test_a_slice_takes_it_back(state):
    operator, x = state
    trace = dmlviz.run(operator, x)
    back = Slice(
        operator.input_window_offsets,
        operator.input_window_sizes,
        operator.input_window_strides,
        x.shape,
    )
    np.testing.assert_array_equal(bits(dmlviz.run(back, trace.output).output), bits(x), strict=True)
    assert (trace.source < 0).sum() == trace.output.size - x.size


def test_outputs_of_a_page():
    """A page tells of the output's sizes beside the tensor, and not among its parameters."""
    operator = SliceGrad((1,), (5,), (2,))
    assert operator.with_output_sizes({"OutputGradientTensor": (7,)}) == SliceGrad(
        (1,), (5,), (2,), (7,)
    )
    for impossible in ((5,), (7, 7), ()):
        assert operator.with_output_sizes({"OutputGradientTensor": impossible}) is operator
