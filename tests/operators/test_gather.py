"""Gather: laws of indices."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather
from tests.strategies import bits, several, tensors


def named(x, indices, kind=np.int64):
    return {"InputTensor": x, "IndicesTensor": np.array(indices, kind)}


def run(operator, x, indices, kind=np.int64):
    return dmlviz.run(operator, named(x, indices, kind)).output


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
