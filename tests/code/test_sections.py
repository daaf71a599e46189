"""Orders of blocks, parts that are joined and exclusive or: what NumPy does with every line."""

import einops
import numpy as np
import pytest

from dmlviz.code import read, same, same_movement
from dmlviz.code.forms import made, plain, written
from dmlviz.code.maps import Map, pattern
from dmlviz.code.recognizing import part_calls
from dmlviz.code.sections import JOIN_LIMIT, LIST_LIMIT, joined
from tests.thorough import tries

NAMES = {"np": np, "rearrange": einops.rearrange, "repeat": einops.repeat}


def counted(*sizes):
    return np.arange(np.prod(sizes)).reshape(sizes)


def lines(x, after):
    """The lines in NumPy that are named for a movement, each run by NumPy."""
    every = list(same_movement(Map(x.shape, after)))
    for one in every:
        if one.library in ("numpy", "einops"):
            np.testing.assert_array_equal(eval(one.text, {**NAMES, "x": x}), after, one.text)
    return [one.text for one in every]


def swizzled(rows):
    x = counted(rows, 64)
    c = np.arange(64)
    return x, np.stack([x[r][(c // 8 ^ r % 8) * 8 + c % 8] for r in range(rows)])


def fused(heads, q, k, width):
    x = counted(heads * (q + 2 * k), width)
    parts = np.split(x, [heads * q, heads * (q + k)])
    groups = [part.reshape(heads, -1, width) for part in parts]
    return x, np.concatenate(groups, axis=1).reshape(x.shape)


@pytest.mark.parametrize(
    ("x", "after", "text"),
    [
        (x := counted(4, 3), x[[0, 3, 1, 2]], "x[[0, 3, 1, 2]]"),
        (
            x := counted(512, 64),
            x.reshape(4, 128, 64)[[0, 3, 1, 2]].reshape(512, 64),
            "x.reshape(4, 128, 64)[[0, 3, 1, 2]].reshape(512, 64)",
        ),
        (
            x := counted(512, 1024),
            x.reshape(512, 128, 8)[:, :, [0, 5, 2, 7, 4, 3, 6, 1]].reshape(512, 1024),
            "x.reshape(65536, 8)[:, [0, 5, 2, 7, 4, 3, 6, 1]].reshape(512, 1024)",
        ),
        (
            *fused(2, 16, 4, 32),
            "np.concatenate([x[:32].reshape(2, 16, 32), x[32:40].reshape(2, 4, 32), "
            "x[40:].reshape(2, 4, 32)], axis=1).reshape(48, 32)",
        ),
        (
            x := counted(10, 6),
            np.concatenate([x[:3], x[7:], x[3:7]]),
            "np.concatenate([x[:3], x[7:], x[3:7]])",
        ),
        (
            *swizzled(64),
            "x.reshape(8, 64, 8)[:, np.arange(64) ^ np.arange(64) // 8].reshape(64, 64)",
        ),
        (
            *swizzled(1024),
            "x.reshape(128, 64, 8)[:, np.arange(64) ^ np.arange(64) // 8].reshape(1024, 64)",
        ),
        (
            x := counted(1024, 1024),
            x.reshape(16, 2, 32, 1024).swapaxes(1, 2).reshape(1024, 1024),
            "rearrange(x, '(h1 h2 h3) w -> (h1 h3 h2) w', h2=2, h3=32)",
        ),
        (x := counted(70_000), x[::-1], "x[::-1]"),
    ],
    ids=["gates", "blocks", "words", "fused", "rows", "xor", "xor-large", "halves", "reversed"],
)
def test_what_is_named(x, after, text):
    assert text in lines(x, after)


def random_order(rng):
    """A tensor, and a short order of blocks of it."""
    sizes = tuple(int(n) for n in rng.integers(1, 5, 3))
    count = int(rng.integers(2, 9))
    x = counted(sizes[0], count * sizes[1], sizes[2])
    table = rng.permutation(count)
    return x, x.reshape(sizes[0], count, sizes[1], sizes[2])[:, table].reshape(x.shape)


def random_join(rng):
    """A tensor, and parts of unequal sizes of it, which each of several groups has."""
    groups, width = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    counts = rng.choice(range(1, 12), int(rng.integers(2, 4)), replace=False)
    x = counted(groups * int(counts.sum()), width)
    parts = np.split(x, np.cumsum(counts * groups)[:-1])
    order = rng.permutation(len(parts))
    groups_of = [parts[k].reshape(groups, -1, width) for k in order]
    return x, np.concatenate(groups_of, axis=1).reshape(x.shape)


def random_xor(rng):
    """A tensor, and a swizzle of it."""
    bits, low = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    shift = int(rng.integers(bits, bits + 3))
    n = 1 << (bits + low + shift)
    i = np.arange(n)
    table = i ^ ((i >> shift) & (((1 << bits) - 1) << low))
    x = counted(n, 2) if rng.integers(2) else counted(3, n)
    return x, np.take(x, table, 0 if x.shape[1] == 2 else 1)


@pytest.mark.parametrize("kind", [random_order, random_join, random_xor])
def test_random_movements_are_named(kind):
    rng = np.random.default_rng(49)
    for _turn in range(tries(60)):
        x, after = kind(rng)
        assert lines(x, after), (x.shape, after.tolist())


def test_torch_gives_the_same():
    torch = pytest.importorskip("torch")
    for x, after in (swizzled(16), fused(3, 5, 2, 4), random_order(np.random.default_rng(1))):
        every = [one for one in same_movement(Map(x.shape, after)) if one.library == "torch"]
        for one in every:
            made = eval(one.text, {"torch": torch, "x": torch.from_numpy(x)})
            np.testing.assert_array_equal(made.numpy(), after, one.text)


def test_several_tensors_are_joined():
    rng = np.random.default_rng(5)
    for _turn in range(tries(60)):
        width, groups = int(rng.integers(1, 5)), int(rng.integers(1, 4))
        sizes = [(groups * int(n), width) for n in rng.integers(1, 6, int(rng.integers(2, 5)))]
        ends = np.cumsum([0, *(h * w for h, w in sizes)])
        numbers = [
            np.arange(a, b).reshape(of) for a, b, of in zip(ends[:-1], ends[1:], sizes, strict=True)
        ]
        groups_of = [x.reshape(groups, -1, width) for x in numbers]
        after = np.concatenate(groups_of, axis=1).reshape(-1, width)
        calls = joined(sizes, after, part_calls, Map((1,), after))
        names = [f"x{k}" for k in range(1, len(sizes) + 1)]
        line = written(calls, sizes[0], "numpy", tensors=names)
        given = dict(zip(names, numbers, strict=True))
        np.testing.assert_array_equal(eval(line.text, {**NAMES, **given}), after, line.text)
        np.testing.assert_array_equal(made(calls, numbers), after)
        # the reader knows every call
        chain = read(line.text, dict(zip(names, sizes, strict=True)), library="numpy")
        np.testing.assert_array_equal(chain.maps[chain.outputs["out"]], after)


def test_what_has_no_structure_has_no_name():
    rng = np.random.default_rng(3)
    for n in range(LIST_LIMIT + 1, 40):
        x = counted(n, 2)
        named = lines(x, x[rng.permutation(n)])
        assert not named, named


def test_no_list_is_long_and_no_join_has_many_parts():
    rng = np.random.default_rng(4)
    x = counted(64, 3)
    blocks = np.split(x, 16)
    # the parts are as many as the blocks that stay together
    named = lines(x, np.concatenate([blocks[k] for k in rng.permutation(16)]))
    assert named == [text for text in named if text.count(",") <= LIST_LIMIT + 2]
    apart = np.concatenate([x[k * 7 : k * 7 + 7][::-1] for k in range(10)])[: len(x)]
    assert all(text.count("x[") <= JOIN_LIMIT for text in lines(x, apart))


def test_plain_calls_are_the_pattern():
    for x, after in (
        (counted(12, 5), counted(3, 2, 2, 5).swapaxes(1, 2).reshape(12, 5)),
        (
            counted(2, 12, 3, 3),
            counted(2, 3, 2, 2, 3, 3).transpose(0, 1, 4, 2, 5, 3).reshape(2, 3, 6, 6),
        ),
        (counted(12, 5), counted(12, 5)[2:].reshape(5, 2, 5).swapaxes(0, 1).reshape(10, 5)),
    ):
        calls = pattern(Map(x.shape, after))
        line = written(plain(calls, x.shape), x.shape, "numpy")
        assert "rearrange" not in line.text
        np.testing.assert_array_equal(eval(line.text, {"x": x, "np": np}), after)


def test_a_search_that_spends_its_work_leaves_some_for_the_next(monkeypatch):
    x, after = fused(2, 16, 4, 32)
    monkeypatch.setattr(same, "LINE_WORK", 20_000)
    assert lines(x, after)
