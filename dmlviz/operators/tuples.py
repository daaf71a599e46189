"""Tensors of index tuples, each of which selects an element or a slice: GATHER_ND, SCATTER_ND."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import ONE, Expr, const, index, index_letters, look, names_of
from dmlviz.operators.indices import INDICES, WORD, from_front, offsets, outside
from dmlviz.operators.outside import Outside

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Tuples:
    """What tuples select, for valid sizes.

    Attributes:
        sizes, indices: of the input and of IndicesTensor.
        input_count, indices_count: how many of their last dimensions count; those before them
            have size 1.
        batches: how many of the first dimensions that count are batches, of the same sizes in both.
    """

    sizes: Sizes
    indices: Sizes
    input_count: int
    indices_count: int
    batches: int = 0

    @property
    def inner(self) -> Sizes:
        """The input's sizes that count."""
        return self.sizes[len(self.sizes) - self.input_count :]

    @property
    def cells(self) -> Sizes:
        """The sizes of the tensor of tuples, with each tuple as one element."""
        return self.indices[len(self.indices) - self.indices_count : -1]

    @property
    def length(self) -> int:
        """How many indices a tuple has."""
        return self.indices[-1]

    @property
    def named(self) -> Sizes:
        """The sizes that the indices of a tuple count along."""
        return self.inner[self.batches : self.batches + self.length]

    @property
    def slices(self) -> Sizes:
        """The sizes of what one tuple selects; empty if it is an element."""
        return self.inner[self.batches + self.length :]

    @property
    def exact(self) -> Sizes:
        """The sizes of everything that tuples select, without leading ones."""
        return self.cells + self.slices

    @property
    def output(self) -> Sizes:
        """The same with as many dimensions as the input has."""
        return (1,) * (len(self.sizes) - len(self.exact)) + self.exact

    @property
    def cell_letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of :attr:`cells`: the input's for batches."""
        batches = self._inner_letters[: self.batches]
        return batches + index_letters(len(self.cells) - self.batches)

    @property
    def index_letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of IndicesTensor; t counts along a tuple."""
        ones = (ONE,) * (len(self.indices) - self.indices_count)
        return (*ones, *self.cell_letters, "t")

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of :attr:`output`."""
        exact = self.cell_letters + self._inner_letters[self.batches + self.length :]
        return (ONE,) * (len(self.sizes) - len(exact)) + exact

    @property
    def _inner_letters(self) -> tuple[str, ...]:
        return names_of(len(self.sizes))[len(self.sizes) - self.input_count :]

    def inside(self, indices: Array) -> Array:
        """Only the tuples: IndicesTensor without the dimensions that do not count."""
        return indices.reshape((*self.cells, self.length))

    def first_outside(self, indices: Array) -> Outside | None:
        """The first index that is outside its dimension."""
        tuples = self.inside(indices)
        wrong = [outside(tuples[..., k], n) for k, n in enumerate(self.named)]
        found = np.flatnonzero(np.stack(wrong, axis=-1))
        if not found.size:
            return None
        number, k = divmod(int(found[0]), self.length)
        ones = len(self.sizes) - self.input_count
        whole = tuples.reshape(-1, self.length)[number].astype(np.int64)
        batch = np.unravel_index(number, self.cells)[: self.batches] if self.cells else ()
        start = (
            *(0 for _one in range(ones)),
            *(int(i) for i in batch),
            *(int(i) + n * int(i < 0) for i, n in zip(whole, self.named, strict=True)),
            *(0 for _n in self.slices),
        )
        return Outside(
            indices,
            int(found[0]),
            self.sizes,
            ones + self.batches + k,
            start,
            bool(self.slices),
        )

    def starts(self, indices: Array) -> Array:
        """The flat offset of the first element that each tuple selects, even outside the input.

        DirectML calculates it in 32 bits from the whole tuple; if no index is outside, it is
        the tuple's place.

        Returns:
            0 to 2**32 - 1; int64, of the sizes of :attr:`cells`.
        """
        tuples = self.inside(indices)
        batch = np.indices(self.cells, dtype=np.int64, sparse=True)[: self.batches]
        chosen = [from_front(tuples[..., k], n) for k, n in enumerate(self.named)]
        found = offsets([*batch, *chosen], self.inner)
        return np.broadcast_to(found, self.cells)

    def offsets(self, indices: Array) -> Array:
        """The flat offset of every element that tuples select; of the sizes of :attr:`output`."""
        behind = np.arange(math.prod(self.slices), dtype=np.int64)
        found: Array = (self.starts(indices)[..., None] + behind) % WORD
        return found.reshape(self.output)

    def drivers(self) -> Array:
        """For each element, the flat cell of the first index of its tuple; int64."""
        first = np.arange(math.prod(self.cells), dtype=np.int64) * self.length
        repeated = np.repeat(first, math.prod(self.slices))
        return repeated.reshape(self.output)

    def source(self, backwards: Sequence[bool]) -> tuple[Expr, ...]:
        """Where an element comes from, as the input's indices.

        Args:
            backwards: for each place of a tuple, whether some index there counts from the end.
        """
        lead = len(self.sizes) - len(self.exact)
        place = [index(lead + d) for d in range(len(self.exact))]
        before = [const(0)] * (len(self.indices) - self.indices_count)
        cell = place[: len(self.cells)]
        chosen = [look(INDICES, *before, *cell, const(k)) for k in range(self.length)]
        counted = [
            Expr("mod", (one, const(n))) if back else one
            for one, n, back in zip(chosen, self.named, backwards, strict=True)
        ]
        ones = [const(0)] * (len(self.sizes) - self.input_count)
        return (*ones, *place[: self.batches], *counted, *place[len(self.cells) :])

    def told(self, indices: Array, k: int) -> tuple[str, str, str]:
        """A tuple, the elements that it selects and those that belong to its cell.

        Args:
            indices: IndicesTensor, without indices outside the input.
            k: the tuple's number.

        Returns:
            ``(1, -1)``, ``[1, 2, :]`` of the input and ``[0, 3, :]`` of output or updates.
        """
        one = self.inside(indices).reshape(-1, self.length)[k]
        at = [int(i) for i in np.unravel_index(k, self.cells)] if self.cells else []
        found = [int(from_front(i, n)) for i, n in zip(one, self.named, strict=True)]
        rest = [":"] * len(self.slices)
        ones = ["0"] * (len(self.sizes) - self.input_count)
        lead = ["0"] * (len(self.sizes) - len(self.exact))
        return (
            f"({', '.join(str(int(i)) for i in one)})",
            _place([*ones, *at[: self.batches], *found, *rest]),
            _place([*lead, *at, *rest]),
        )

    def cell(self, k: int) -> str:
        """The place of a tuple in IndicesTensor, as ``[0, 1, :]``."""
        at = np.unravel_index(k, self.cells) if self.cells else ()
        before = [0] * (len(self.indices) - self.indices_count)
        return _place([*before, *(int(i) for i in at), ":"])


def _place(parts: list[Any]) -> str:
    return f"[{', '.join(map(str, parts))}]"
