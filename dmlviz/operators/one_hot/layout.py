"""The place of the on value of a OneHot, and the sources of its two values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import Expr, const, index, larger, look, names_of, replaced, same

VALUES, INDICES, OUTPUT = "ValuesTensor", "IndicesTensor", "OutputTensor"

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Sizes of a valid OneHot.

    Attributes:
        values, indices: of the two inputs.
        axis: the dimension along which an index becomes a sequence.
        depth: how long each sequence is.
    """

    values: Sizes
    indices: Sizes
    axis: int
    depth: int

    @property
    def output(self) -> Sizes:
        """The output's sizes."""
        return (*self.indices[: self.axis], self.depth, *self.indices[self.axis + 1 :])

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the output's dimensions: k counts the places of the on value."""
        return replaced(names_of(len(self.indices)), self.axis, "k")

    def places(self, indices: Array) -> Array:
        """The place of each on value, counted from the front; int64, outside if there is none.

        Args:
            indices: of the sizes of IndicesTensor.
        """
        counted = indices.astype(np.int64)
        return np.where(counted < 0, counted + self.depth, counted)

    def hot(self, indices: Array) -> Array:
        """For each element of the output, whether it is the on value."""
        along = [1] * len(self.indices)
        along[self.axis] = self.depth
        found: Array = self.places(indices) == np.arange(self.depth).reshape(along)
        return found

    def drivers(self) -> Array:
        """For each element of the output, the flat index of its sequence's index; int64."""
        cells = np.arange(math.prod(self.indices), dtype=np.int64).reshape(self.indices)
        return np.ascontiguousarray(np.broadcast_to(cells, self.output))

    def source(self, backwards: bool) -> tuple[Expr, ...]:
        """Where an output element comes from: the first value, or the second.

        Args:
            backwards: whether some indices count from the end.
        """
        at = [const(0) if d == self.axis else index(d) for d in range(len(self.indices))]
        chosen, place = look(INDICES, *at), index(self.axis)
        hot = same(chosen, place)
        if backwards:
            hot = larger(hot, same(chosen + self.depth, place))
        # the second element is along the innermost dimension that has one
        inner = max(d for d, n in enumerate(self.values) if n > 1)
        return tuple(hot if d == inner else const(0) for d in range(len(self.values)))
