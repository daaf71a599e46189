"""MaxUnpooling: types, and the way back from pooling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import MaxUnpooling
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.tensors import DATA_TYPES
from tests.operators import recordings

PLANE = (1, 1, 4, 4)


def named(x, indices, sizes=(1, 1, 2, 2), kind=np.uint32):
    return {
        "InputTensor": np.array(x).reshape(sizes),
        "IndicesTensor": np.array(indices, kind).reshape(sizes),
    }


@pytest.mark.parametrize("kind", [name for name in DATA_TYPES if name != "FLOAT64"])
@pytest.mark.parametrize("index_kind", [np.uint32, np.uint64])
def test_every_type(kind, index_kind):
    x = np.arange(1, 5).astype(DATA_TYPES[kind].dtype)
    for engine in recordings.ENGINES:
        trace = dmlviz.run(MaxUnpooling(PLANE), named(x, [5, 7, 13, 15], kind=index_kind), engine)
        assert trace.agrees
        assert trace.output.dtype == x.dtype
        assert trace.output.ravel()[[5, 7, 13, 15]].tolist() == [1, 2, 3, 4]
        assert np.count_nonzero(trace.output) == 4


def test_where_onnx_has_floats_alone_they_count():
    inputs = named(np.float16([6, 8, 9, 7]), [3, 0, 2, 1])
    directml = DirectMLEngine()
    for form, kind in (("native", "FLOAT32"), ("lowered", "INT32")):
        assert directml.index_type(MaxUnpooling(PLANE), inputs, form) == kind


@given(
    st.integers(1, 2), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(0, 99)
)
def test_what_was_pooled_goes_back(n, c, h, w, seed):
    x = np.random.default_rng(seed).permutation(n * c * h * w * 4).reshape(n, c, 2 * h, 2 * w)
    x = x.astype(np.int32)
    numbers = np.arange(x.size, dtype=np.uint32).reshape(x.shape)
    windows = [
        a.reshape(n, c, h, 2, w, 2).swapaxes(3, 4).reshape(n, c, h, w, 4) for a in (x, numbers)
    ]
    best = windows[0].argmax(-1)[..., None]
    pooled, at = (np.take_along_axis(a, best, -1)[..., 0] for a in windows)
    inputs = {"InputTensor": pooled, "IndicesTensor": at}
    trace = dmlviz.run(MaxUnpooling(x.shape), inputs)
    kept = np.isin(x, pooled)
    np.testing.assert_array_equal(trace.output, np.where(kept, x, 0), strict=True)
    np.testing.assert_array_equal(trace.source >= 0, kept)
