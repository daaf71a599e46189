"""Which elements of a matrix are in a strip of diagonals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import Expr, below, const, index, larger

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Strip:
    """The diagonals that are filled.

    A diagonal's number is column minus row: 0 is the main one, positive ones are above it.

    Attributes:
        begin, end: of the filled diagonals, ``end`` excluded; if ``begin`` is greater,
            those from ``end`` to before ``begin`` are kept and all others are filled.
    """

    begin: int
    end: int

    @property
    def inverted(self) -> bool:
        """Whether the strip is kept, not filled."""
        return self.begin > self.end

    def filled(self, sizes: Sizes) -> Array:
        """For each element of the last two dimensions, whether it is filled; bool."""
        rows, columns = sizes[-2:]
        diagonal = np.arange(columns)[None, :] - np.arange(rows)[:, None]
        found: Array = (diagonal >= self.begin) ^ (diagonal < self.end)
        return found if self.inverted else ~found

    def upper(self, sizes: Sizes) -> int | None:
        """The first kept diagonal, if all below it are filled and none above."""
        if not self.inverted and self.begin <= 1 - sizes[-2] and self.end > self.begin:
            return self.end
        return None

    def lower(self, sizes: Sizes) -> int | None:
        """The last kept diagonal, if all above it are filled and none below."""
        if not self.inverted and self.end >= sizes[-1] and self.end > self.begin:
            return self.begin - 1
        return None

    def column(self, sizes: Sizes) -> Expr:
        """The column that an element is copied from: its own, or none if it is filled."""
        own = index(len(sizes) - 1)
        diagonal = own - index(len(sizes) - 2)
        if self.begin == self.end:
            return own
        above = below(const(self.end - 1), diagonal, own)
        under = below(diagonal, const(self.begin), own)
        if self.inverted:
            return below(diagonal, const(self.begin), above)
        if self.upper(sizes) is not None:
            return above
        return under if self.lower(sizes) is not None else larger(under, above)
