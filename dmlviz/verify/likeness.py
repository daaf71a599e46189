"""How much alike two names are, said quickly where they are not."""

from __future__ import annotations

from difflib import SequenceMatcher


def is_alike(one: str, other: str, more_than: float) -> bool:
    """Whether the ratio of :class:`difflib.SequenceMatcher` for two names is above a number.

    >>> is_alike("Repeat", "Repeats", 0.8), is_alike("Axis", "Repeats", 0.8)
    (True, False)
    """
    letters = len(one) + len(other)
    # bounds of the ratio, the quickest first: lengths, letters that only one has, all letters
    if not letters or 2 * min(len(one), len(other)) <= more_than * letters:
        return not letters
    mine, others = set(one), set(other)
    most = min(len(one) - len(mine - others), len(other) - len(others - mine))
    if 2 * most <= more_than * letters:
        return False
    common = sum(min(one.count(letter), other.count(letter)) for letter in mine)
    if 2 * common <= more_than * letters:
        return False
    return SequenceMatcher(None, one, other).ratio() > more_than
