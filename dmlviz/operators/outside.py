"""An index that names nothing along its dimension: what is wrong with it, and what DirectML does.

DirectML refuses none. It adds what the index makes to the flat offset, in 32 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.operators.indices import WORD, cell, lowest
from dmlviz.tensors import one_line
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outside:
    """An index outside the dimension that it counts along.

    Attributes:
        indices: IndicesTensor.
        at: its flat cell there.
        sizes: of the tensor that it names a place of.
        axis: the dimension.
        start: for each dimension the index that DirectML begins with, this one as it stands.
        slices: whether it leads to a slice, not to one element.
    """

    indices: Array
    at: int
    sizes: Sizes
    axis: int
    start: tuple[int, ...]
    slices: bool = False

    @property
    def low(self) -> int | None:
        """What the low 32 bits of a 64-bit index name, where they name something."""
        signed = int(self.indices.ravel()[self.at].astype(np.int64))
        low = signed % WORD
        return low if signed >= WORD and low < self.sizes[self.axis] else None

    @property
    def offset(self) -> int:
        """The flat offset, before it is cut to 32 bits."""
        found = 0
        for i, n in zip(self.start, self.sizes, strict=True):
            found = found * n + i
        return found

    def read(self, read: int) -> str:
        """The sentence where DirectML reads.

        Args:
            read: the flat index of the first element that it reads.
        """
        if self.low is not None:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: it uses the low 32 bits of a "
                "64-bit index, {low} here, and reads from in{read}."
            )
        elif self.slices and self.offset == read:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: its first element is read at flat "
                "offset {offset}, which is in{read}."
            )
        elif self.slices:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: its first element would lie at "
                "flat offset {offset}, and in{read} is read."
            )
        elif self.offset == read:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: it reads flat offset {offset}, "
                "which is in{read}."
            )
        else:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: the element would lie at flat "
                "offset {offset}, and in{read} is read."
            )
        return self._told(words, read)

    def written(self, written: int) -> str:
        """The sentence where DirectML writes.

        Args:
            written: the flat index of the first element that it writes; -1 where it drops it.
        """
        if written < 0:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: flat offset {offset} lies beyond "
                "the tensor, and the update is dropped."
            )
        elif self.low is not None:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: it uses the low 32 bits of a "
                "64-bit index, {low} here, and the update lands at out{written}."
            )
        else:
            words = _(
                "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
                "dimension {axis}. DirectML does not refuse it: flat offset {offset} is used, and "
                "the update lands at out{written}."
            )
        return self._told(words, max(0, written))

    def _told(self, words: str, place: int) -> str:
        size = self.sizes[self.axis]
        return words.format(
            index=one_line(str(self.indices.ravel()[self.at]), 24),
            cell=cell(self.at, self.indices.shape),
            first=lowest(self.indices, size),
            last=size - 1,
            axis=self.axis,
            low=self.low,
            offset=f"{self.offset:,}",
            read=cell(place, self.sizes),
            written=cell(place, self.sizes),
        )
