"""The places of the input that the output takes along one dimension, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Walk:
    """The places that a slice takes along one dimension.

    Attributes:
        offset, window: the first place of the window, and how many it has.
        stride: from one place to the next; if negative, backward from the window's last place.
        count: how many places are taken.
    """

    offset: int
    window: int
    stride: int
    count: int

    @property
    def last(self) -> int:
        """The window's last place."""
        return self.offset + self.window - 1

    @property
    def start(self) -> int:
        """The first place taken."""
        return self.offset if self.stride > 0 else self.last

    @property
    def step(self) -> int:
        """The distance from one place to the next, in either direction."""
        return abs(self.stride)

    @property
    def most(self) -> int:
        """How many places fit in the window."""
        return 1 + (self.window - 1) // self.step

    @property
    def places(self) -> range:
        """The places, in the order taken."""
        return range(self.start, self.start + self.stride * self.count, self.stride)

    def whole(self, size: int) -> bool:
        """Whether a dimension of that size is unchanged."""
        return self.count == size and self.stride > 0


def at_once(walks: Sequence[Walk]) -> str:
    """Python's start, end and step; the end is one beyond the last place in the walk's direction.

    >>> at_once([Walk(1, 3, 1, 3), Walk(2, 5, -2, 2), Walk(0, 5, -2, 3)])
    '1:4, 6:3:-2, 4::-2'
    """
    texts = []
    for walk in walks:
        last = walk.places[-1]
        end = str(last + 1) if walk.stride > 0 else str(last - 1) if last else ""
        texts.append(f"{walk.start}:{end}" + (f":{walk.stride}" if walk.stride != 1 else ""))
    return ", ".join(texts)
