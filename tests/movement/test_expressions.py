import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.movement.expressions import (
    below,
    ceil,
    const,
    floor,
    index,
    larger,
    look,
    names_of,
    real,
    single,
    smaller,
)

H, W = index(0), index(1)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (H + W + 1, "h + w + 1"),
        (H - (W - 1), "h − (w − 1)"),
        (H * (W + 2), "h · (w + 2)"),
        (H * W + 2, "h · w + 2"),
        ((H + 1) * 2, "(h + 1) · 2"),
        (H % 3 * 2, "(h mod 3) · 2"),
        (H // 3 + W % 5, "(h div 3) + (w mod 5)"),
        (H * 2 % 5, "(h · 2) mod 5"),
        (H // 2 % 5, "(h div 2) mod 5"),
        (smaller(H - 1, const(4) - W), "min(h − 1, 4 − w)"),
        (larger(const(0), smaller(H, const(2))), "max(0, min(h, 2))"),
        (below(H, W, W - H, H), "w − h if h < w else h"),
        (below(H, W, W, H) + 1, "(w if h < w else h) + 1"),
        (floor((H + real(0.5)) / real(1.5) - real(0.25)), "floor((h + 0.5) / 1.5 − 0.25)"),
        (ceil(single(single(H) / real(0.1))) * 2, "ceil(h / 0.1) · 2"),
        (H / 1, "h"),
    ],
)
def test_text(expression, text):
    assert expression.show(("h", "w")) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (H + 0, "h"),
        (H - 0, "h"),
        (H * 1, "h"),
        (H // 1, "h"),
        (H % 1, "0"),
        (H * 0, "0"),
        (H % 1 + W, "w"),
        (H % 1 * 5 + W, "w"),
        (H % 1 // 5, "0"),
        (const(0) - H, "0 − h"),
    ],
)
def test_parts_that_say_nothing_are_left_out(expression, text):
    assert expression.show(("h", "w")) == text


def test_names():
    assert [names_of(rank) for rank in range(1, 6)] == [
        ("w",),
        ("h", "w"),
        ("c", "h", "w"),
        ("n", "c", "h", "w"),
        ("n", "c", "d", "h", "w"),
    ]
    assert names_of(8) == ("i₀", "i₁", "i₂", "i₃", "i₄", "i₅", "i₆", "i₇")


def expressions():
    leaves = st.integers(0, 1).map(index) | st.integers(0, 9).map(const)

    def grow(inner):
        factor = st.integers(1, 9)
        return (
            st.tuples(inner, inner).map(lambda p: p[0] + p[1])
            | st.tuples(inner, inner).map(lambda p: p[0] - p[1])
            | st.tuples(inner, st.integers(0, 9)).map(lambda p: p[0] * p[1])
            | st.tuples(inner, factor).map(lambda p: p[0] // p[1])
            | st.tuples(inner, factor).map(lambda p: p[0] % p[1])
            | st.tuples(inner, inner).map(lambda p: smaller(*p))
            | st.tuples(inner, inner).map(lambda p: larger(*p))
            | st.tuples(inner, inner, inner, inner).map(lambda p: below(*p))
        )

    return st.recursive(leaves, grow, max_leaves=12)


@given(expressions(), st.integers(0, 99), st.integers(0, 99))
def test_the_text_means_what_is_computed(expression, h, w):
    text = expression.show((str(h), str(w)))
    python = text.replace("−", "-").replace("·", "*").replace("mod", "%").replace("div", "//")
    assert eval(python) == expression.evaluate((h, w)), text


def test_real_numbers_are_floats():
    third = single(H / real(3))
    assert third.evaluate([1]) == float(np.float32(1) / np.float32(3)) != 1 / 3
    assert real(0.1).evaluate([]) == float(np.float32(0.1)) != 0.1
    at = single(single(H + real(0.1)) - real(0.1))
    assert (floor(at).evaluate([0]), ceil(at).evaluate([0])) == (0, 0)
    assert type(floor(third).evaluate([5])) is int
    # beyond every index
    far = ceil(single(H / real(1e-45)))
    assert smaller(const(4), far).evaluate([2**30]) == 4


def test_a_place_outside_a_tensor_is_the_nearest():
    at, tables = look("T", H - 1), {"T": np.array([7, 8])}
    assert [at.evaluate([h], tables) for h in range(5)] == [7, 7, 8, 8, 8]
    assert at.on([np.arange(5)], tables).tolist() == [7, 7, 8, 8, 8]
