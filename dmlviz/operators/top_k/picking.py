"""Which elements of each sequence are picked, and in which order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import Expr, index, look, names_of, replaced

INPUT, VALUES, INDICES = "InputTensor", "OutputValueTensor", "OutputIndexTensor"

DIRECTIONS = ("INCREASING", "DECREASING")
"""``DML_AXIS_DIRECTION`` by value."""

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Picking:
    """A valid TopK.

    Attributes:
        sizes: of the input.
        axis: the dimension that sequences lie along.
        k: how many elements of each are picked.
        largest: whether to pick the largest, the largest first; otherwise the smallest.
    """

    sizes: Sizes
    axis: int
    k: int
    largest: bool

    @property
    def output(self) -> Sizes:
        """The sizes of both outputs."""
        return (*self.sizes[: self.axis], self.k, *self.sizes[self.axis + 1 :])

    @property
    def stride(self) -> int:
        """The distance between a sequence's elements, counted through the input."""
        return math.prod(self.sizes[self.axis + 1 :])

    def indices(self, x: Array) -> Array:
        """The picked indices; int64, of the output's sizes.

        Of equal elements the one with the lower index comes first, in both directions.
        """
        return np.take(self.order(x), np.arange(self.k), axis=self.axis)

    def order(self, x: Array) -> Array:
        """The indices of all elements of each sequence as they would be picked; int64."""
        order: Array = np.argsort(x, axis=self.axis, kind="stable")
        if self.largest:
            # reversed before and after, so equal elements keep their order
            back = np.argsort(np.flip(x, self.axis), axis=self.axis, kind="stable")
            order = self.sizes[self.axis] - 1 - np.flip(back, self.axis)
        return order

    @property
    def order_name(self) -> str:
        """:meth:`order` in the words of a formula, of the input alone."""
        return f"argsort({'−in' if self.largest else 'in'}, axis={self.axis})"

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the outputs' dimensions: k counts the elements that are picked."""
        return replaced(names_of(len(self.sizes)), self.axis, "k")

    def ranking(self, x: Array) -> Array:
        """Flat indices of all elements in ascending order; of equal ones, the last picked first."""
        back = np.argsort(x.ravel()[::-1], kind="stable")
        if self.largest:
            return x.size - 1 - back
        return np.argsort(x.ravel(), kind="stable")

    def sources(self, indices: Array) -> Array:
        """The flat indices of the elements that have these indices in their sequences; int64."""
        at = list(np.indices(self.output, dtype=np.int64))
        at[self.axis] = indices.astype(np.int64)
        found: Array = np.ravel_multi_index(tuple(at), self.sizes)
        return found

    def index_of(self, sources: Array) -> Array:
        """The index of each element in the output cell's own sequence, -1 outside it; int64."""
        n = self.sizes[self.axis]
        at = sources // self.stride % n
        begin = self.sources(np.zeros(self.output, np.int64))
        return np.where(sources - at * self.stride == begin, at, -1)

    def source(self) -> tuple[Expr, ...]:
        """Where an output element comes from."""
        own = [index(d) for d in range(len(self.sizes))]
        at = look(self.order_name, *own)
        return (*own[: self.axis], at, *own[self.axis + 1 :])
