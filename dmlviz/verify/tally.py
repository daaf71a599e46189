"""What of a page was checked, and what was seen and could not be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dmlviz.verify.examples import PageExample


@dataclass(frozen=True)
class Count:
    """Things of one kind.

    Attributes:
        checked: how many were compared with an engine, with the examples or with DirectML's
            own tables, whatever came of it.
        unchecked: the lines of those that could not be.
    """

    checked: int = 0
    unchecked: tuple[int, ...] = ()

    def __add__(self, other: Count) -> Count:
        return Count(self.checked + other.checked, self.unchecked + other.unchecked)


@dataclass(frozen=True)
class Tally:
    """What a page holds that can be checked.

    Attributes:
        examples: those that the page does not leave out.
        tables: of ranks and data types, one for each feature level.
        formulas: about sizes.
        introductions: sentences that say which feature level brought the operator.
    """

    examples: Count = Count()
    tables: Count = Count()
    formulas: Count = Count()
    introductions: Count = Count()

    def __add__(self, other: Tally) -> Tally:
        """The tallies of two parts of a page together."""
        return Tally(
            self.examples + other.examples,
            self.tables + other.tables,
            self.formulas + other.formulas,
            self.introductions + other.introductions,
        )


def count_examples(examples: Sequence[PageExample]) -> Count:
    """How many examples can be run, and where the others are."""
    asked = [example for example in examples if not example.skipped]
    unread = [example.unreadable.line for example in asked if example.unreadable]
    return Count(len(asked) - len(unread), tuple(unread))


def count_lines(seen: Iterable[int], checked: Iterable[int]) -> Count:
    """How many things were checked, by their lines, and where the others are.

    >>> count_lines([3, 8, 9], [8])
    Count(checked=1, unchecked=(3, 9))
    """
    done = set(checked)
    return Count(len(done), tuple(sorted(set(seen) - done)))
