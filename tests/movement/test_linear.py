"""Index arithmetic in a normal form: short, and the same numbers as before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.movement.expressions import NO_TABLES, below, const, index, larger, look, smaller
from dmlviz.movement.fitting import fitted, folded
from dmlviz.movement.linear import indices, inside, linear, outright

SIZES = (3, 4, 6)
GRID = np.indices(SIZES, sparse=True)
N, H, W = map(index, range(3))
TABLE = {"T": np.array([5, 0, 2, 7])}


def short(expression, tables=NO_TABLES):
    return linear(expression, SIZES, tables).expression().show("nhw")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ((H * 6 + W) // 6, "h"),
        ((H * 6 + W) % 6, "w"),
        ((H * 6 + W) // 3 % 2, "w div 3"),
        ((H * 6 + W + 24) % 24, "h · 6 + w"),
        ((N * 24 + H * 6 + W) // 6 % 4, "h"),
        (W // 2 * 2 + W % 2, "w"),
        (W // 3 + W % 3 * 2, "(w mod 3) · 2 + (w div 3)"),
        (W % 12 % 4, "w mod 4"),
        (W // 2 // 2, "w div 4"),
        (const(3) - H - 1, "2 − h"),
        ((const(3) - H) % 4, "3 − h"),
        (smaller(larger(W - 1, 0), 9), "max(w − 1, 0)"),
        (smaller(W, 5), "w"),
        (below(W, 2, W + 4, W - 2), "(w + 4) mod 6"),
        (below(W + 1, 3, H, H + 1), "h if w < 2 else h + 1"),
        (below(W, 2, below(W, 3, H, N), N), "h if w < 2 else n"),
        (below(W, 9, H, N), "h"),
        (below(const(0) - W, -3, H, N), "h if 3 < w else n"),
        (look("T", (H * 6 + W) // 6), "T[h]"),
        (look("T", H) % 8, "T[h]"),
    ],
)
def test_one_form(expression, text):
    assert short(expression, TABLE) == text


def expressions(depth):
    """Arithmetic over n, h and w, most of it with no meaning."""
    leaf = st.one_of(st.sampled_from([N, H, W]), st.integers(-9, 9).map(const))
    if not depth:
        return leaf
    part, number = expressions(depth - 1), st.integers(1, 12)
    return st.one_of(
        leaf,
        st.builds(lambda a, b: a + b, part, part),
        st.builds(lambda a, b: a - b, part, part),
        st.builds(lambda a, k: a * k, part, st.integers(-6, 6)),
        st.builds(lambda a, k: a // k, part, number),
        st.builds(lambda a, k: a % k, part, number),
        st.builds(lambda a, k: smaller(a, k), part, number),
        st.builds(lambda a, k: larger(const(k), a), part, number),
        st.builds(below, part, st.integers(-5, 9), part, part),
        st.builds(lambda a: look("T", smaller(larger(a, 0), 3)), part),
    )


@given(expressions(5))
def test_the_numbers_stay(expression):
    normal = linear(expression, SIZES, TABLE)
    before, after = (
        np.broadcast_to(one.on(GRID, TABLE), SIZES) for one in (expression, normal.expression())
    )
    np.testing.assert_array_equal(before, after)
    low, high = normal.range
    assert low <= before.min() <= before.max() <= high
    for at in ((0, 0, 0), (2, 3, 5), (1, 2, 4)):
        assert expression.evaluate(at, TABLE) == before[at]


def test_bounds_are_used_inside_only():
    _n, _h, w = indices(SIZES)
    bounded = inside(w - 1, 0, 3)
    assert (bounded // 4).expression().show("nhw") == "0"
    assert outright(bounded + 2).expression().show("nhw") == "w + 1"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ([4, 3, 2, 1], "4 − h"),
        ([0, 2, 4, 1, 3, 5], "(h mod 3) · 2 + (h div 3)"),
        ([3, 4, 0, 1, 2], "(h + 3) mod 5"),
        ([0, 0, 0, 1, 2, 2], "max(min(h − 2, 2), 0)"),
        ([1, 1, 2, 2, 3], "(h div 2) + 1"),
        ([0, 1, 1, 2, 3, 3], "(h · 2 + 1) div 3"),
        ([2, 1, 0, 1, 2, 3], "2 − h if h < 2 else h − 2"),
        ([0, 1, 2, 7, 9, 11], "h if h < 3 else (h - 3) · 2 + 7"),
        ([[0, 1], [4, 5], [8, 9]], "h · 4 + w"),
        ([[0, 2, 4], [6, 8, 1], [3, 5, 7]], "(h · 6 + w · 2) mod 9"),
    ],
)
def test_numbers_become_arithmetic(table, text):
    table = np.array(table)
    rule = fitted(table)
    made = rule(indices(table.shape)).expression()
    np.testing.assert_array_equal(
        np.broadcast_to(made.on(np.indices(table.shape, sparse=True)), table.shape), table
    )
    assert len(made.show("hw")) <= len(text) + 2


def test_random_numbers_are_none():
    assert fitted(np.array([3, 1, 4, 1, 5, 9, 2, 6])) is None


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("width", [(0, 0), (1, 0), (0, 4), (3, 2), (9, 11)])
def test_padding_is_numpys(mode, size, width):
    due = np.pad(np.arange(size), width, mode=mode)
    (i,) = indices(due.shape)
    made = folded(i - width[0], size, mode).expression().on([np.arange(due.size)])
    np.testing.assert_array_equal(np.broadcast_to(made, due.shape), due)
