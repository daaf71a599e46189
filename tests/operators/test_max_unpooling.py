"""MaxUnpooling: where elements land, what is refused and why, and the way back from pooling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import MaxUnpooling
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES
from tests.operators import recordings

PLANE = (1, 1, 4, 4)


def named(x, indices, sizes=(1, 1, 2, 2), kind=np.uint32):
    return {
        "InputTensor": np.array(x).reshape(sizes),
        "IndicesTensor": np.array(indices, kind).reshape(sizes),
    }


def test_the_first_example():
    (example,) = MaxUnpooling.examples()
    for engine in recordings.ENGINES:
        trace = dmlviz.run(example.operator, example.inputs, engine)
        due = np.float32([[[[0, 0, 0, 8], [0, 6, 0, 0], [0, 0, 7, 0], [9, 0, 0, 0]]]])
        np.testing.assert_array_equal(trace.output, due, strict=True)
        assert trace.source[0, 0, 0].tolist() == [-1, -1, -1, 1]
        assert trace.drivers["OutputTensor"][0, 0, 3].tolist() == [2, -1, -1, -1]
        assert trace.agrees
    assert example.operator.desc == {"OutputTensor": {"Sizes": [1, 1, 4, 4]}}


def test_indices_count_through_batches_and_channels():
    inputs = named(range(1, 9), [0, 3, 8, 11, 12, 15, 20, 23], (2, 2, 1, 2))
    trace = dmlviz.run(MaxUnpooling((2, 2, 1, 6)), inputs)
    assert trace.output.reshape(4, 6).tolist() == [
        [1, 0, 0, 2, 0, 0],
        [0, 0, 3, 0, 0, 4],
        [5, 0, 0, 6, 0, 0],
        [0, 0, 7, 0, 0, 8],
    ]


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


@pytest.mark.parametrize(
    "out", [(1, 1, 4, 4), (1, 1, 2, 2), (1, 1, 2, 9), (1, 1, 5, 1), (2, 1, 3, 3)]
)
def test_sizes_that_onnx_derives_and_others(out):
    inputs = named(np.float32([6, 8, 9, 7]), [3, 0, 2, 1])
    due = dmlviz.run(MaxUnpooling(out), inputs)
    for form in ("", "lowered"):
        found = dmlviz.run(MaxUnpooling(out), inputs, "onnxruntime", form)
        assert found.agrees
        np.testing.assert_array_equal(found.output, due.output, strict=True)
    descs = {name: TensorDesc(x.shape, "FLOAT32") for name, x in inputs.items()}
    derived = out[:2] == (1, 1) and out[2] >= 2 and out[3] >= 2
    assert (MaxUnpooling(out).native_graph(descs) is not None) == derived


def test_where_onnx_has_floats_alone_they_count():
    inputs = named(np.float16([6, 8, 9, 7]), [3, 0, 2, 1])
    directml = DirectMLEngine()
    for form, kind in (("native", "FLOAT32"), ("lowered", "INT32")):
        assert directml.index_type(MaxUnpooling(PLANE), inputs, form) == kind


@pytest.mark.parametrize(
    ("out", "indices", "field", "words"),
    [
        ((1, 4, 4), (1, 1, 2, 2), "output_tensor_sizes", r"\{1, 4, 4\} has rank 3"),
        ((), (1, 1, 2, 2), "output_tensor_sizes", "has rank 0; the output has as many"),
        ((1, 1, 0, 4), (1, 1, 2, 2), "output_tensor_sizes", r"\[1, 1, 0, 4\] is invalid"),
        (PLANE, (1, 1, 2, 3), "IndicesTensor", r"sizes \{1, 1, 2, 3\} are not \{1, 1, 2, 2\}"),
    ],
)
def test_refusals(out, indices, field, words):
    sizes = {"InputTensor": (1, 1, 2, 2), "IndicesTensor": indices}
    assert [problem.field for problem in MaxUnpooling(out).problems(sizes, None)] == [field]
    with pytest.raises(dmlviz.Refused, match=words):
        MaxUnpooling(out).output_sizes(sizes)


def test_other_ranks_and_types_are_refused():
    with pytest.raises(dmlviz.Refused, match="has 3 dimensions; DML_MAX_UNPOOLING takes 4"):
        dmlviz.run(MaxUnpooling(PLANE), named([1.0], [0], (1, 1, 1)))
    with pytest.raises(dmlviz.Refused, match="FLOAT64 is not supported; DML_MAX_UNPOOLING takes"):
        dmlviz.run(MaxUnpooling(PLANE), named([1.0], [0], (1, 1, 1, 1)))
    with pytest.raises(
        dmlviz.Refused, match=r"INT64 is not supported; .* takes UINT32, UINT64 there"
    ):
        dmlviz.run(MaxUnpooling(PLANE), named([1], [0], (1, 1, 1, 1), np.int64))


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (16, np.uint32, r"16 at \[0, 0, 0, 1\] is beyond 0 to 15, .* puts the element nowhere"),
        (2**32, np.uint64, "4294967296 at .* of the whole output, and does not fit in 32 bits"),
        (2**64 - 1, np.uint64, "18446744073709551615 at"),
    ],
)
def test_an_index_beyond_the_output_is_refused_with_what_directml_does(index, kind, words):
    with pytest.raises(dmlviz.Refused, match=words):
        dmlviz.run(MaxUnpooling(PLANE), named([1, 2, 3, 4], [0, index, 2, 3], kind=kind))


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


def test_two_at_one_place_are_both_named_and_neither_is_promised():
    operator, inputs = MaxUnpooling((1, 1, 1, 4)), named([5, 7, 6], [2, 2, 0], (1, 1, 1, 3))
    steps = operator.moves(inputs)
    assert [step.title for step in steps.steps] == [
        "Zeros",
        "IndicesTensor[0, 0, 0, 1] = 2",
        "IndicesTensor[0, 0, 0, 2] = 0",
    ]
    assert steps.step_of.tolist() == [2, 0, 1, 0]
    assert steps.steps[0].caption == "2 of 4 elements are named by no index and are 0."
    assert "in[0, 0, 0, 0] is put there too: which one wins" in steps.steps[1].caption
    assert operator.explain(inputs, (0, 0, 0, 2)).endswith(
        "the elements at [0, 0, 0, 0], [0, 0, 0, 1] are all put at this place, 2; which one wins "
        "is undefined."
    )
    assert operator.explain(inputs, (0, 0, 0, 0)) == (
        "out[0, 0, 0, 0] = in[0, 0, 0, 2]\n"
        "It is element 0 of the output: IndicesTensor[0, 0, 0, 2] = 0."
    )
    assert "element 3 of the output, which no index names" in operator.explain(inputs, (0, 0, 0, 3))


def test_many_elements_and_no_zeros():
    steps = MaxUnpooling((1, 1, 5, 10)).moves(named(range(50), range(50), (1, 1, 5, 10)))
    assert np.bincount(steps.step_of).tolist() == [1] * 7 + [43]
    assert steps.steps[-1].title == "IndicesTensor[0, 0, 0, 7] – [0, 0, 4, 9]"
    assert "other 43 elements" in steps.steps[-1].caption


def test_misreadings():
    two = named(range(1, 9), [0, 3, 12, 15, 21, 22, 25, 31], (1, 2, 2, 2))
    found = {m.key: m for m in MaxUnpooling((1, 2, 4, 4)).misreadings(two)}
    assert "each-plane" not in found, "indices of each plane lie in it"
    (example,) = MaxUnpooling.examples()
    found = {m.key: m for m in example.operator.misreadings(example.inputs)}
    assert found["filled"].source.reshape(4, 4)[0].tolist() == [0, 0, 1, 1]
    assert found["corners"].source.reshape(4, 4)[2].tolist() == [2, -1, 3, -1]
    assert found["from-one"].source.reshape(4, 4)[1].tolist() == [0, -1, -1, -1]
    assert found["columns"].source.reshape(4, 4)[0].tolist() == [-1, -1, -1, 2]
    assert found["kept"].output_sizes == (1, 1, 2, 2)
    assert found["listed"].output_sizes == (16,)
    assert found["in-order"].source.reshape(4, 4)[0].tolist() == [0, 1, 2, 3]
    mixed = named(range(2), [4, 1], (1, 2, 1, 1))
    planes = {m.key: m for m in MaxUnpooling((1, 2, 2, 2)).misreadings(mixed)}["each-plane"]
    assert planes.source.tolist() == [0, -1, -1, -1, -1, 1, -1, -1]
    cycle = named(range(3), [1, 2, 0], (1, 1, 1, 3))
    taken = {m.key: m for m in MaxUnpooling((1, 1, 1, 3)).misreadings(cycle)}["taken"]
    assert taken.source.tolist() == [1, 2, 0]


def test_code():
    descs = {
        "InputTensor": TensorDesc((1, 1, 2, 2), "FLOAT32"),
        "IndicesTensor": TensorDesc((1, 1, 2, 2), "UINT64"),
    }
    pieces = {s.dialect: s for s in MaxUnpooling(PLANE).code(descs)}
    assert "flat[indices.astype(np.int64).ravel()] = x.ravel()" in pieces["numpy"].body
    assert "flat.scatter(0, i, x.flatten()).reshape(1, 1, 4, 4)" in pieces["pytorch"].body
    assert '"ScatterElements"' in pieces["onnx"].body
    assert "operatorDesc.IndicesTensor = &indicesTensor;" in pieces["directml"].body
