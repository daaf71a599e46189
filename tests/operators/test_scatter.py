"""Scatter: the way there and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import GatherElements, Scatter
from tests.strategies import bits, tensors


def named(x, indices, updates, kind=np.int64):
    x = np.array(x)
    return {
        "InputTensor": x,
        "IndicesTensor": np.array(indices, kind),
        "UpdatesTensor": np.array(updates, x.dtype),
    }


def trace(axis, *tensors, engine="numpy", **kind):
    return dmlviz.run(Scatter(axis), named(*tensors, **kind), engine)


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
