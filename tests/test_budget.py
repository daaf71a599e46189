"""What work may cost: kinds, shares of a whole, and what is said where nothing is left."""

import numpy as np
import pytest

from dmlviz.base.budget import (
    SENTENCES,
    WITHOUT_SENTENCE,
    Budget,
    BudgetSpent,
    Exhausted,
    budget,
    spend,
)
from dmlviz.code import CodeRefused, read
from dmlviz.movement.nodes import fold

KINDS = [*SENTENCES, *WITHOUT_SENTENCE]

TOO_MUCH = {
    "items": "\n".join(["a = [0] * 4096"] * 17) + "\nx",
    "expressions": "a = 0\nfor i in range(200):\n    for j in range(200):\n        a = a + 1\nx",
    "elements": "x = np.tile(x, 64)\n" + "x = np.roll(x, 1)\n" * 3 + "x",
}
"""Code that spends each kind of which something is said."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_share_is_spent_of_the_whole(kind):
    ended = Exhausted if kind in WITHOUT_SENTENCE else BudgetSpent
    whole = Budget({kind: 10})
    one, two = Budget({kind: 8}, whole), Budget({kind: 8}, whole)
    one.spend(kind, 7)
    assert (one.left[kind], two.left[kind], whole.left[kind]) == (1, 8, 3)
    with pytest.raises(ended):
        one.spend(kind, 2)
    with pytest.raises(ended):
        # its own is not spent, and the whole is
        two.spend(kind, 2)
    assert two.left[kind] == 6
    # what a budget does not have is not counted
    Budget({}, None).spend(kind, 1_000)


@pytest.mark.parametrize("kind", KINDS)
def test_all_open_budgets_are_spent(kind):
    ended = Exhausted if kind in WITHOUT_SENTENCE else BudgetSpent
    with budget(**{kind: 5}), pytest.raises(ended), budget(**{kind: 100}):
        spend(kind, 6)
    spend(kind, 1_000)


def test_every_kind_ends_with_a_sentence_or_with_what_there_is():
    assert not {*SENTENCES} & {*WITHOUT_SENTENCE}
    assert {*TOO_MUCH} == {*SENTENCES}
    assert not issubclass(Exhausted, BudgetSpent)


@pytest.mark.parametrize("kind", SENTENCES)
def test_the_sentence_of_a_kind_is_shown(kind):
    with pytest.raises(CodeRefused) as refused:
        read(TOO_MUCH[kind], {"x": (65_536,)}, library="numpy")
    before, after = SENTENCES[kind]().split("{most}")
    assert str(refused.value).startswith(before)
    assert str(refused.value).endswith(after)


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_padding_folds_as_numpy_does(mode, n):
    places = fold(np.arange(-7, n + 9), n, mode)
    np.testing.assert_array_equal(places, np.pad(np.arange(n), (7, 9), mode))
