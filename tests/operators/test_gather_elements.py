"""GatherElements: laws of indices."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather, GatherElements
from tests.strategies import bits, tensors


def named(x, indices, kind=np.int64):
    return {"InputTensor": x, "IndicesTensor": np.array(indices, kind)}


def run(axis, x, indices, kind=np.int64):
    return dmlviz.run(GatherElements(axis), named(x, indices, kind)).output


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
