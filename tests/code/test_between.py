"""What lies between two arrays: sources by value, and lines that NumPy, PyTorch and engines run."""

import itertools
import time

import einops
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.code.matching import compared_bits, matched, sources_in_runs
from tests.thorough import tries

NAMES = {"np": np, "rearrange": einops.rearrange, "repeat": einops.repeat}
RNG = np.random.default_rng(49)


SYMMETRIC = RNG.integers(0, 100, (9, 9)) + np.zeros((9, 9), int)
SYMMETRIC += SYMMETRIC.T


def same_bits(one, two):
    return one.shape == two.shape and one.dtype == two.dtype and one.tobytes() == two.tobytes()


def run_lines(both, before, after):
    """The texts of what is named, each run on ``before`` and compared with ``after``."""
    after = np.ascontiguousarray(after)
    for one in both.same_as:
        if one.kind == "operator":
            operator = eval(one.text, {cls: getattr(dmlviz, cls) for cls in dmlviz.__all__})
            made = next(iter(dmlviz.run(operator, before).outputs.values()))
        elif one.library in ("numpy", "einops"):
            made = np.ascontiguousarray(eval(one.text, {**NAMES, **before_names(before)}))
        else:
            continue
        assert same_bits(made, after), one.text
    return [str(one) for one in both.same_as]


def before_names(before):
    several = isinstance(before, list)
    return {f"x{k}": x for k, x in enumerate(before, 1)} if several else {"x": before}


def test_every_element_has_its_source():
    x = RNG.standard_normal((4, 6)).astype(np.float32)
    both = dmlviz.between(x, x[:, ::2].T)
    assert (both.source.dtype, both.missing, both.ambiguous) == (np.int64, 0, 0)
    assert both.source.tolist() == np.arange(24).reshape(4, 6)[:, ::2].T.tolist()
    assert "x[:, ::2].T" in run_lines(both, x, x[:, ::2].T)
    assert both.formula.startswith("out[h, w] = x[")


def random_movement(rng):
    """A tensor of distinct values, and one of many movements of it."""
    a, b, c = (int(n) for n in rng.integers(2, 6, 3))
    x = rng.permutation(a * b * c).astype(np.float32).reshape(a * b, c)
    split = x.reshape(a, b, c)
    order = rng.permutation(3)
    return x, [
        lambda: split.transpose(order),
        lambda: split.transpose(order).reshape(x.shape),
        lambda: x[::-1, 1:],
        lambda: np.roll(x, int(rng.integers(1, c)), axis=1),
        lambda: np.repeat(x, 2, axis=0),
        lambda: np.tile(x, (1, 2)),
        lambda: x[rng.permutation(a * b)[:8]],
        lambda: np.concatenate([x[a:], x[:a]]),
        lambda: np.concatenate([split[:, :1], split[:, 1:].swapaxes(1, 2).reshape(a, -1, c)], 1),
        lambda: x.reshape(-1),
    ][int(rng.integers(10))]()  # fmt: skip


def test_lines_of_random_movements():
    named = 0
    for _turn in range(tries(120)):
        x, after = random_movement(RNG)
        both = dmlviz.between(x, after)
        assert (x.ravel()[both.source] == after).all()
        assert (both.missing, both.ambiguous) == (0, 0)
        named += bool(run_lines(both, x, after))
    assert named > 0.9 * tries(120)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.integers(1, 30))
def test_counts_are_those_of_the_values(seed, n, m, kinds):
    rng = np.random.default_rng(seed)
    x, after = (rng.integers(0, kinds, k).astype(np.int32) for k in (n, m))
    both = dmlviz.between(x, after)
    places = [np.flatnonzero(x == value) for value in after]
    assert both.missing == sum(not each.size for each in places)
    assert both.ambiguous == sum(each.size > 1 for each in places)
    for source, each in zip(both.source, places, strict=True):
        assert source in each if each.size else source == -1
    if both.missing:
        assert both.same_as == ()
        # the first place of each value
        assert both.source.tolist() == [int(each[0]) if each.size else -1 for each in places]


def test_every_numeric_type_and_bool():
    types = "?bBhHiIlLqQefdgFDG"
    for code in types:
        count = 2 if code == "?" else 24
        x = np.arange(count).astype(code).reshape(-1, 2 if code == "?" else 4)
        after = np.ascontiguousarray(x.T)
        both = dmlviz.between(x, after)
        assert (both.missing, both.ambiguous) == (0, 0), code
        assert (x.ravel()[both.source] == after).all()
        assert run_lines(both, x, after) if code not in "?FDgG" else both.same_as, code
    # the order of bytes is no other type
    x = np.arange(6).reshape(2, 3)
    assert dmlviz.between(x, x.T.astype(">i8")).missing == 0


def test_registered_types_are_bits():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.arange(24).reshape(4, 6).astype(ml_dtypes.bfloat16)
    both = dmlviz.between(x, x.T)
    assert (both.missing, "x.T" in map(str, both.same_as)) == (0, True)


def test_values_are_compared_by_their_bits():
    x = np.array([0.0, -0.0, np.nan, 1.0])
    both = dmlviz.between(x, x[::-1])
    assert (both.missing, both.ambiguous, both.source.tolist()) == (0, 0, [3, 2, 1, 0])
    other = x.view(np.uint64).copy()
    other[2] ^= 1
    assert dmlviz.between(x, other.view(np.float64)).missing == 1
    long = np.arange(6, dtype=np.complex128) - 1j
    assert dmlviz.between(long, long.conj()).missing == 6


def test_repeated_values_are_settled_by_a_line():
    x = RNG.integers(0, 60, (8, 12)).astype(np.float32)
    both = dmlviz.between(x, x.T)
    assert both.ambiguous > 40
    assert "x.T" in run_lines(both, x, x.T)
    assert (both.source == np.arange(96).reshape(8, 12).T).all()


@pytest.mark.parametrize(
    "movement",
    [
        lambda x: x.reshape(4, 2, 8, 24).swapaxes(1, 2).reshape(64, 24),
        lambda x: x.reshape(4, 16, 24)[[0, 3, 1, 2]].reshape(64, 24),
        lambda x: np.concatenate(
            [x[:32].reshape(4, 8, 24), x[32:48].reshape(4, 4, 24), x[48:].reshape(4, 4, 24)], 1
        ).reshape(64, 24),
        lambda x: x.T.copy(),
        lambda x: x[::-1, ::-1].copy(),
    ],
    ids=["halves", "gates", "groups", "transposed", "reversed"],
)
@pytest.mark.parametrize("kind", ["zeros", "float16", "int8"])
def test_weights_with_repeated_values(kind, movement):
    x = RNG.standard_normal((64, 24)).astype(np.float32)
    if kind == "zeros":
        x[3:7] = 0
        x[RNG.random(x.shape) < 0.1] = 0
    elif kind == "float16":
        x = x.astype(np.float16)
    else:
        x = RNG.integers(-128, 128, x.shape).astype(np.int8)
    after = movement(x)
    both = dmlviz.between(x, after)
    assert both.ambiguous
    assert run_lines(both, x, after)
    assert (both.source == movement(np.arange(x.size).reshape(x.shape))).all()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.ones((3, 4)), np.ones((4, 3))),
        (np.zeros(2, bool), np.zeros(2, bool)),
        (np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])),
        (np.array([[1, 2], [2, 1]]), np.array([[1, 2], [2, 1]])),
        (np.array([[1, 2, 3], [2, 4, 5], [3, 5, 6]]), np.array([[1, 2, 3], [2, 4, 5], [3, 5, 6]])),
        (np.array([1, 1, 2]), np.array([2, 1, 1])),
        (SYMMETRIC, SYMMETRIC),
        (SYMMETRIC.astype(np.int8), SYMMETRIC.astype(np.int8)),
    ],
    ids=["equal", "false", "pairs", "two-orders", "symmetric", "turned", "large", "bytes"],
)
def test_what_the_values_do_not_determine_is_not_named(before, after):
    both = dmlviz.between(before, after)
    assert both.same_as == ()
    assert (both.missing, both.ambiguous) == (0, sum((before == v).sum() > 1 for v in after.flat))
    assert (before.ravel()[both.source] == after).all()


def test_what_is_missing_has_no_source():
    x = np.arange(6).reshape(2, 3)
    after = x.T + 1
    both = dmlviz.between(x, after)
    assert (both.missing, both.same_as, both.formula) == (1, (), "")
    assert both.source.tolist() == [[1, 4], [2, 5], [3, -1]]


def test_lists_are_short():
    x = RNG.standard_normal((40, 3))
    both = dmlviz.between(x, x[RNG.permutation(40)])
    assert (both.same_as, both.missing) == ((), 0)
    order = RNG.permutation(16)
    both = dmlviz.between(x[:16], x[:16][order])
    assert f"x[{order.tolist()}]" in run_lines(both, x[:16], x[:16][order])


def test_several_arrays():
    parts = [RNG.standard_normal((n, 6)).astype(np.float32) for n in (16, 4, 4)]
    after = np.concatenate([p.reshape(2, -1, 6) for p in parts], axis=1).reshape(24, 6)
    both = dmlviz.between(parts, after)
    (line, _torch) = run_lines(both, parts, after)
    assert line == (
        "np.concatenate([x1.reshape(2, 8, 6), x2.reshape(2, 2, 6), x3.reshape(2, 2, 6)], axis=1)"
        ".reshape(24, 6)"
    )
    assert (np.concatenate([p.ravel() for p in parts])[both.source] == after).all()
    with pytest.raises(ValueError, match="only one has an inverse"):
        both.inverse()


def test_several_arrays_with_repeated_values():
    for counts in ((12, 5), (3, 7, 9)):
        parts = [RNG.integers(0, 900, (20, n)).astype(np.float32) for n in counts]
        after = np.concatenate(parts, axis=1)
        both = dmlviz.between(parts, after)
        assert both.ambiguous > 40
        names = ", ".join(before_names(parts))
        assert f"np.concatenate([{names}], axis=1)" in run_lines(both, parts, after)
        assert (np.concatenate([p.ravel() for p in parts])[both.source] == after).all()


def test_torch_gives_the_same():
    torch = pytest.importorskip("torch")
    lines = 0
    for _turn in range(tries(60)):
        x, after = random_movement(RNG)
        names = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "x": torch.tensor(x)}
        for one in dmlviz.between(x, after).same_as:
            if one.library == "torch":
                np.testing.assert_array_equal(eval(one.text, names).numpy(), after, one.text)
                lines += 1
    assert lines > tries(60) / 4


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (None, np.ones(3), "before: None is not an array."),
        ([1, 2], np.ones(3), "before: [1, 2] is not an array."),
        (np.ones(3), "x\ny" * 400, "is not an array."),
        (np.ones(3), np.ones(3, np.float32), "after: it has the type float32, and before has float64."),
        (np.array(["a"]), np.array(["a"]), "its elements must be numbers."),
        (np.array([None]), np.array([None]), "its elements must be numbers."),
        (np.array([{}, []], object), np.ones(2), "its elements must be numbers."),
        (np.zeros((0, 3)), np.zeros((0, 3)), "before: the array has no elements."),
    ],
)  # fmt: skip
def test_what_is_refused(before, after, message):
    with pytest.raises(ValueError) as refusal:
        dmlviz.between(before, after)
    text = str(refusal.value)
    assert text.endswith(message)
    assert len(text) < 400
    assert "\n" not in text
    assert type(refusal.value).__module__ == "dmlviz.base.errors"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (np.float32(3), np.float32(3), "x"),
        (np.float32(3), np.float32([[3]]), "x.reshape(1, 1)"),
        (np.arange(6).reshape(2, 3), np.array(4), "x[1, 1]"),
        (np.arange(4).reshape((2, 2, *[1] * 8)), np.arange(4).reshape((2, 2, *[1] * 8)), "x"),
    ],
)
def test_numbers_and_many_dimensions(before, after, text):
    both = dmlviz.between(before, after)
    assert [str(one) for one in both.same_as] == [text]
    assert both.source.shape == np.shape(after)


def test_the_inverse_goes_back():
    x = RNG.standard_normal((3, 4))
    both = dmlviz.between(x, x.T[::-1])
    back = both.inverse()
    assert (both.source.ravel()[back.source] == np.arange(12).reshape(3, 4)).all()
    assert run_lines(back, np.ascontiguousarray(x.T[::-1]), x)


def test_the_picture_is_of_the_same_movement():
    x = RNG.standard_normal((4, 3)).astype(np.float32)
    both = dmlviz.between(x, x[::-1])
    assert {"image/svg+xml", "text/plain"} == both._repr_mimebundle_().keys()
    # its own values
    assert (both.model.x == x).all()
    assert dmlviz.player(both).trace is both.model
    large = np.arange(1 << 18, dtype=np.float32).reshape(512, 512)
    for after, text in (
        (large.T, "x.T"),
        (large.reshape(4, 128, 512)[[0, 3, 1, 2]].reshape(512, 512), "x[[0, 3, 1, 2]]"),
        (large.reshape(8, 2, 32, 512).swapaxes(1, 2).reshape(512, 512), "(h1 h2 h3) w -> (h1 h3 h2) w"),
        (large[:, ::-1], "x[:, ::-1]"),
    ):  # fmt: skip
        both = dmlviz.between(large, after)
        assert text in both.model.chain.text
        assert both.model.agrees
        assert both.model.output.size <= 1024
        assert both._repr_mimebundle_()["image/svg+xml"]
    alone = dmlviz.between(large, large.ravel()[RNG.permutation(large.size)])
    assert alone.model is None
    assert list(alone._repr_mimebundle_()) == ["text/plain"]


def test_two_million_elements():
    x = RNG.standard_normal((1024, 2048)).astype(np.float32)
    movements = (
        (lambda x: x.reshape(16, 2, 32, 2048).swapaxes(1, 2).reshape(x.shape), "transpose(0, 2, 1, 3)"),
        (lambda x: x.T, "x.T"),
        (lambda x: x.reshape(4, 256, 2048)[[0, 3, 1, 2]].reshape(x.shape), "[[0, 3, 1, 2]]"),
        (lambda x: x.ravel()[np.random.default_rng(1).permutation(x.size)], None),
    )  # fmt: skip
    for movement, text in movements:
        after = movement(x)
        start = time.process_time()
        both = dmlviz.between(x, after)
        assert time.process_time() - start < 3
        assert both.ambiguous > 10_000
        if text is None:
            assert both.same_as == ()
            continue
        assert any(text in each for each in run_lines(both, x, after))
        assert (both.source == movement(np.arange(x.size).reshape(x.shape))).all()


def test_runs_of_values_have_one_place():
    for size, count in itertools.product((1, 2), (1, 5, 200)):
        bits = RNG.integers(0, 1 << 8 * size, count).astype(f"u{size}")
        after = np.concatenate([bits[count // 2 :], bits[: count // 2]])
        source = sources_in_runs(bits, after)
        assert (bits[source[source >= 0]] == after[source >= 0]).all()
    words, after_words = compared_bits(bits, after)
    first, _several = matched(words, after_words)
    assert (bits[first] == after).all()
