"""A map of sources to recognize, and how much work a search for its calls may do."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dmlviz.tensors.types import Array, Sizes

WORK_LIMIT = 3_000_000
"""The limit of elements that a search looks at: less than a second."""

TRIAL = 1_000
"""What a trial costs besides its elements, in elements."""


class Spent(Exception):
    """A search has done all the work that it may do."""


@dataclass
class Work:
    """What a search may still do, in elements that it looks at."""

    left: int = WORK_LIMIT

    def spend(self, elements: int) -> None:
        """Count a trial with this many elements; each costs something more than its elements."""
        self.left -= TRIAL + elements
        if self.left < 0:
            raise Spent


@dataclass(frozen=True)
class Map:
    """A movement from one tensor.

    Attributes:
        sizes: of the tensor.
        source: for each element of the output, its number in the tensor; ``-1 - k`` is the value k.
        values: constants.
        work: what the search for its calls may still do.
    """

    sizes: Sizes
    source: Array
    values: tuple[Any, ...] = ()
    work: Work = field(default_factory=Work, compare=False)

    def value(self, number: int) -> Any:
        """The constant that a negative number means."""
        return self.values[-1 - number]

    @property
    def stays(self) -> bool:
        """Whether the output is the tensor."""
        return self.source.shape == self.sizes and self.is_order

    @property
    def is_order(self) -> bool:
        """Whether the output has the tensor's elements in their order."""
        count = math.prod(self.sizes)
        return self.source.size == count and bool(
            np.array_equal(self.source.ravel(), np.arange(count))
        )

    @property
    def has_constants(self) -> bool:
        """Whether an element has no source."""
        return bool((self.source < 0).any())

    def coordinates(self) -> tuple[Array, ...]:
        """The index in each dimension; of elements without a source, of any element."""
        return np.unravel_index(np.maximum(self.source, 0), self.sizes)
