"""Where the indices' dimensions are in the output of Gather."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import ONE, Expr, const, index, index_letters, look, names_of

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Sizes of a Gather, before and after its output has the rank of the input.

    Attributes:
        sizes, indices: of the two inputs.
        axis: the dimension that the indices count along.
        count: how many of the last dimensions hold indices.
    """

    sizes: Sizes
    indices: Sizes
    axis: int
    count: int

    @property
    def inner(self) -> Sizes:
        """The sizes of the indices themselves."""
        return self.indices[len(self.indices) - self.count :]

    @property
    def exact(self) -> Sizes:
        """The output's sizes before leading ones are removed or added."""
        return self.sizes[: self.axis] + self.inner + self.sizes[self.axis + 1 :]

    @property
    def cropped(self) -> Sizes:
        """The sizes that do not fit in the output."""
        return self.exact[: max(0, self.count - 1)]

    @property
    def output(self) -> Sizes:
        """The output's sizes, with the rank of the input."""
        return (1,) * (1 - self.count) + self.exact[len(self.cropped) :]

    @property
    def index_letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of IndicesTensor."""
        inner = (
            letter if self.axis + k >= len(self.cropped) else ONE
            for k, letter in enumerate(index_letters(self.count))
        )
        return (*(ONE,) * (len(self.indices) - self.count), *inner)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the output's dimensions: the input's, with those of indices inside."""
        own, inner = names_of(len(self.sizes)), index_letters(self.count)
        exact = (*own[: self.axis], *inner, *own[self.axis + 1 :])
        return (ONE,) * (1 - self.count) + exact[len(self.cropped) :]

    def drivers(self) -> Array:
        """For each element of the output, the flat index of the index that chose it; int64."""
        cells = np.arange(math.prod(self.inner), dtype=np.int64)
        behind = len(self.sizes) - self.axis - 1
        placed = cells.reshape(self.inner + (1,) * behind)
        return np.ascontiguousarray(np.broadcast_to(placed, self.exact)).reshape(self.output)

    def place(self, dimension: int) -> Expr:
        """The output's index that belongs to a dimension of :attr:`exact`."""
        found = dimension - self.count + 1
        return index(found) if found >= 0 else const(0)

    def source(self, table: str, backwards: bool) -> tuple[Expr, ...]:
        """Where an output element comes from.

        Args:
            table: the name of the tensor of indices.
            backwards: whether some of them count from the end.
        """
        before = [const(0)] * (len(self.indices) - self.count)
        cell = [self.place(self.axis + k) for k in range(self.count)]
        chosen = look(table, *before, *cell)
        if backwards:
            chosen = Expr("mod", (chosen, const(self.sizes[self.axis])))
        return tuple(
            chosen if d == self.axis else self.place(d if d < self.axis else d + self.count - 1)
            for d in range(len(self.sizes))
        )
