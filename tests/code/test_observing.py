"""Functions that can only be called: movements are observed, what computes is refused."""

import time

import einops
import numpy as np
import pytest

import dmlviz
from tests.thorough import tries

NAMES = {"np": np, "rearrange": einops.rearrange, "repeat": einops.repeat}


def numbers(sizes, start=0):
    return np.arange(start, start + int(np.prod(sizes))).reshape(sizes)


MOVEMENTS = [
    lambda x: x.T,
    lambda x: x[::-1, 1:],
    lambda x: np.roll(x, 1, axis=1),
    lambda x: x.reshape(-1),
    lambda x: x.reshape(2, 2, -1).swapaxes(0, 1).copy(),
    lambda x: np.repeat(x, 2, axis=1),
    lambda x: np.concatenate([x[2:], x[:2]]),
    lambda x: x[[2, 0, 3, 1]],
    lambda x: np.sort(x, axis=None)[:0].sum() * 0 + x if x.dtype == bool else x,
    lambda x: x[1, 2],
    lambda x: 0 - (0 - x) if x.dtype.kind in "fi" else x,
]
TYPES = ["?", "b", "B", "h", "e", "f", "d", "q", "Q", "F"]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("number", range(len(MOVEMENTS)))
def test_movements(kind, number):
    movement = MOVEMENTS[number]
    for sizes in ((4, 3), (4, 6), (4, 101)):
        moved = dmlviz.observed(movement, x=np.zeros(sizes, kind))
        expected = movement(numbers(sizes))
        assert moved.source.dtype == np.int64
        np.testing.assert_array_equal(moved.source, expected)
        for one in moved.same_as:
            if one.library in ("numpy", "einops"):
                made = eval(one.text, {**NAMES, "x": numbers(sizes)})
                np.testing.assert_array_equal(made, expected, one.text)
        assert any(one.library in ("numpy", "einops") for one in moved.same_as)


COMPUTING = {
    "plus": lambda x: x + 1,
    "minus": lambda x: -x,
    "double": lambda x: x * 2,
    "sort": lambda x: np.sort(x),
    "sort-all": lambda x: np.sort(x, axis=None).reshape(x.shape),
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "where": lambda x: np.where(x > 0, x, 0),
    "where-flipped": lambda x: np.where(x > 0, x, x[::-1]),
    "cumsum": lambda x: np.cumsum(x),
    "sum": lambda x: x.sum(axis=0),
    "max": lambda x: x.max(axis=-1),
    "min-all": lambda x: x.min(),
    "median": lambda x: np.median(x, axis=-1),
    "argsort": lambda x: np.argsort(x),
    "argmax": lambda x: x.argmax(),
    "nonzero": lambda x: x[x > 0],
    "clip": lambda x: np.clip(x, -3, 3),
    "square": lambda x: x * x,
    "sign": np.sign,
    "mean": lambda x: x.mean(axis=0),
    "partly": lambda x: np.concatenate([x.ravel(), [x.ravel()[0] + x.ravel()[1]]]),
    "none": lambda x: x * np.nan + x[::-1] * 0,
}


@pytest.mark.parametrize("sizes", [(2,), (3,), (5,), (2, 3), (3, 3), (40, 7)])
@pytest.mark.parametrize("name", COMPUTING)
def test_what_computes_is_refused(name, sizes):
    for kind in "fd":
        x = np.zeros(sizes, kind)
        if name == "none" or (name in ("sum", "mean") and sizes[0] == 1):
            continue
        with pytest.raises(ValueError, match=r"^The function computes new values\.$"):
            dmlviz.observed(COMPUTING[name], x=x)


def test_two_elements_that_are_compared_among_many():
    for k in range(0, 1_000, 25):

        def function(x):
            return np.concatenate([x[:k], np.sort(x[k : k + 2]), x[k + 2 :]])  # noqa: B023

        for kind in "fB":
            with pytest.raises(ValueError, match=r"^The function computes new values\.$"):
                dmlviz.observed(function, x=np.zeros(2_000, kind))


@pytest.mark.parametrize("name", ["plus", "sort", "relu", "max", "sum", "abs"])
@pytest.mark.parametrize("kind", ["b", "e", "h", "q"])
def test_what_computes_in_small_types_is_refused(name, kind):
    for sizes in ((3,), (5, 4), (30, 30)):
        with pytest.raises(ValueError, match=r"^The function computes new values\.$"):
            dmlviz.observed(COMPUTING[name], x=np.zeros(sizes, kind))


def test_other_refusals():
    rng = np.random.default_rng(0)
    with pytest.raises(
        ValueError, match=r"^The function answers otherwise when it is called again\.$"
    ):
        dmlviz.observed(lambda x: rng.permutation(x), x=(40,))
    for answer in (None, "text", 3.0, [], {}, [1, 2], [np.ones(2), None], object()):
        with pytest.raises(ValueError, match=r"^The function returns no array\.$"):
            dmlviz.observed(lambda x: answer, x=(4,))  # noqa: B023
    for sizes in ((0, 3), (-1,), (1.5,), (5000, 5000)):
        with pytest.raises(ValueError, match=r"\.$"):
            dmlviz.observed(lambda x: x, x=sizes)
    with pytest.raises(ValueError, match="tensors: give"):
        dmlviz.observed(lambda: np.ones(3))
    with pytest.raises(ValueError, match="not an array"):
        dmlviz.observed(lambda x: x, x=[2, 3])


def test_constants_are_told_from_elements():
    padded = dmlviz.observed(lambda x: np.pad(x, 1), x=(2, 3))
    np.testing.assert_array_equal(padded.source, np.pad(numbers((2, 3)), 1, constant_values=-1))
    assert "np.pad(x, 1)" in [str(one) for one in padded.same_as]
    filled = dmlviz.observed(lambda x: np.pad(x, 2, constant_values=1), x=(3, 3))
    assert "np.pad(x, 2, constant_values=1)" in [str(one) for one in filled.same_as]
    assert (dmlviz.observed(lambda x: np.tril(x), x=(4, 4)).source < 0).sum() == 6
    only = dmlviz.observed(lambda x: np.full(3, np.nan), x=(2,))
    assert (only.source.tolist(), only.same_as) == ([-1] * 3, ())


def test_several_inputs_and_outputs():
    def function(a, b):
        return {"joined": np.concatenate([a, b]), "second": b.T, "first": a[::-1]}

    moved = dmlviz.observed(function, a=(2, 3), b=np.zeros((4, 3), np.float32))
    assert list(moved.sources) == ["joined", "second", "first"]
    np.testing.assert_array_equal(moved.sources["joined"], numbers((6, 3)))
    np.testing.assert_array_equal(moved.sources["second"], numbers((4, 3), 6).T)
    np.testing.assert_array_equal(moved.sources["first"], numbers((2, 3))[::-1])
    joined = dmlviz.observed(lambda a, b: np.concatenate([a, b], axis=1), a=(2, 3), b=(2, 2))
    assert "np.concatenate([a, b], axis=1)" in [str(one) for one in joined.same_as]
    assert joined.formula.count("out[") == 2
    halves = dmlviz.observed(lambda x: np.split(x, 2), x=(4, 3))
    assert [source.tolist() for source in halves.sources.values()] == [
        numbers((2, 3)).tolist(),
        numbers((2, 3), 6).tolist(),
    ]
    assert (list(halves.sources), halves.same_as) == (["out1", "out2"], ())


def test_inputs_are_copies():
    def function(x):
        x[:] = x[::-1].copy()
        return x

    assert dmlviz.observed(function, x=(5,)).source.tolist() == [4, 3, 2, 1, 0]


def test_random_movements():
    rng = np.random.default_rng(8)
    for _turn in range(tries(40)):
        sizes = tuple(int(n) for n in rng.integers(1, 6, int(rng.integers(1, 4))))
        table = rng.integers(0, int(np.prod(sizes)), int(rng.integers(1, 50)))
        kind = str(rng.choice(TYPES))
        moved = dmlviz.observed(lambda x: x.ravel()[table], x=np.zeros(sizes, kind))  # noqa: B023
        np.testing.assert_array_equal(moved.source, table)


def test_four_million_elements():
    start = time.process_time()
    moved = dmlviz.observed(lambda x: x.T, x=(2048, 2048))
    assert time.process_time() - start < 20
    np.testing.assert_array_equal(moved.source, numbers((2048, 2048)).T)
    assert "x.T" in [str(one) for one in moved.same_as]
    assert moved.formula == "out[h, w] = x[w, h]"


def test_the_picture():
    moved = dmlviz.observed(np.rot90, x=(2, 3))
    assert "image/svg+xml" in moved._repr_mimebundle_()
    assert dmlviz.player(moved).trace.output.shape == (3, 2)


def test_onnx_runtimes_own_blocks_of_channels():
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    domain = "com.microsoft.nchwc"
    node = helper.make_node("ReorderInput", ["x"], ["y"], domain=domain)
    sizes = (1, 32, 2, 3)
    graph = helper.make_graph(
        [node],
        "reorder",
        [helper.make_tensor_value_info("x", kind, sizes)],
        [helper.make_tensor_value_info("y", kind, None)],
    )
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid(domain, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        pytest.skip(f"this processor has no blocks of channels: {error}")
    moved = dmlviz.observed(lambda x: session.run(None, {"x": x})[0], x=sizes)
    x = numbers(sizes)
    blocks = [
        x.reshape(1, 32 // n, n, 2, 3).transpose(0, 1, 3, 4, 2).reshape(sizes) for n in (8, 16)
    ]
    assert any(np.array_equal(moved.source, block) for block in blocks)
    for one in moved.same_as:
        if one.library in ("numpy", "einops"):
            np.testing.assert_array_equal(eval(one.text, {**NAMES, "x": x}), moved.source)
    assert moved.same_as
