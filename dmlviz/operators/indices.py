"""Shared by operators with a tensor of indices: types, ranges, and conversion for ONNX.

DirectML does not refuse an index outside its dimension: it calculates the flat offset in 32
bits, in whatever row that is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, ngettext
from dmlviz.movement import CONTROL
from dmlviz.movement.graphs import FLOW, Constant, Node, cast
from dmlviz.operators.checks import axis_problem
from dmlviz.operators.feature_levels import ANY_RANK, Support
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import one_line, print_sizes, short_text
from dmlviz.tensors.numbering import print_flat_index
from dmlviz.tensors.types import Array, Sizes

INPUT, INDICES, UPDATES = "InputTensor", "IndicesTensor", "UpdatesTensor"

_TYPES = ("INT64", "INT32", "UINT64", "UINT32")

WORD = 1 << 32
"""DirectML calculates offsets modulo this."""

_NAMED = 3
"""How many of the indices outside a sentence names."""


def indices_slot(first: str = "", *, like_first: bool = False) -> Slot:
    """IndicesTensor, which has four types from feature level 3_0 on.

    Args:
        first: the earlier level from which it has UINT32 at rank 4, if there is one.
        like_first: as in :class:`Slot`.
    """
    earlier = (Support(first, (4,), ("UINT32",)),) if first else ()
    support = (*earlier, Support("3_0", ANY_RANK, _TYPES))
    return Slot(INDICES, CONTROL, support=support, like_first=like_first)


def from_front(indices: Array, size: int | Array) -> Array:
    """Indices of a dimension of that size, with negative ones counted from the front; int64.

    If the last dimension of ``indices`` holds tuples, ``size`` can be an array of their sizes.

    >>> from_front(np.array([0, -1]), 5).tolist()
    [0, 4]
    """
    signed = indices.astype(np.int64)
    return np.where(signed < 0, signed + size, signed)


def outside(indices: Array, size: int) -> Array:
    """Which indices are outside an axis of that size; negative ones count from the end."""
    wrong: Array = indices >= size
    return wrong | (indices < -size) if indices.dtype.kind == "i" else wrong


def lowest(indices: Array, size: int) -> int:
    """The smallest valid index of an axis of that size; below 0 if the type is signed."""
    return -size if indices.dtype.kind == "i" else 0


def offsets(coordinates: Sequence[Array | int], sizes: Sizes) -> Array:
    """The flat offsets that DirectML 1.15.4 calculates in 32 bits, for any indices.

    Args:
        coordinates: for each dimension, indices counted from the front, int64; they can be
            outside.
        sizes: of the tensor.

    Returns:
        0 to 2**32 - 1, which can be outside the tensor; int64.
    """
    # the low 32 bits of a product are those of the factors' low 32 bits
    parts: list[Any] = [
        np.asarray(at, np.int64) % WORD * (math.prod(sizes[d + 1 :]) % WORD) % WORD
        for d, at in enumerate(coordinates)
    ]
    flat: Array = sum(parts, np.zeros((), np.int64)) % WORD
    return flat


def ranks_problem(structure: str, sizes: Mapping[str, Sizes]) -> Problem | None:
    """The problem if indices and input have different ranks; a shorter one can be filled up.

    Args:
        structure: of the operator.
        sizes: of its tensors.
    """
    indices, rank = sizes[INDICES], len(sizes[INPUT])
    if len(indices) == rank:
        return None
    message = _(
        "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
        "ranks must be equal, with leading ones if needed."
    ).format(sizes=print_sizes(indices), count=len(indices), rank=rank)
    return Problem(INDICES, message, f"{structure}, Tensor constraints")


def index_nodes(inputs: Mapping[str, TensorDesc]) -> tuple[list[Node], str]:
    """The nodes that convert IndicesTensor to a type that ONNX takes, and their result's name."""
    if not inputs[INDICES].data_type.startswith("U"):
        return [], INDICES
    return [cast(INDICES, "INT64")], FLOW


def shape_of(sizes: Sizes) -> Constant:
    """Sizes as ONNX takes them."""
    return Constant("shape", np.array(sizes, np.int64))


def cells_outside(indices: Array, sizes: Sizes, along: Sequence[int]) -> tuple[int, ...]:
    """The flat cells of the indices outside the dimensions that they count along.

    Args:
        indices: IndicesTensor.
        sizes: of the tensor that it indexes.
        along: the dimensions that so many indices, one after another, count along.
    """
    tuples = indices.reshape(-1, len(along))
    wrong = [outside(tuples[:, k], sizes[d]) for k, d in enumerate(along)]
    return tuple(np.flatnonzero(np.stack(wrong, axis=-1)).tolist())


def read_anyway(coordinates: Sequence[Array | int], sizes: Sizes) -> Array:
    """What DirectML 1.15.4 reads for any indices: the last element for what lies beyond the tensor.

    Args:
        coordinates: for each dimension, indices counted from the front, int64; they can be
            outside.
        sizes: of the tensor.

    Returns:
        Flat indices of elements; int64.
    """
    read: Array = np.minimum(offsets(coordinates, sizes), math.prod(sizes) - 1)
    return read


def written_anyway(coordinates: Sequence[Array | int], sizes: Sizes) -> Array:
    """Where DirectML 1.15.4 writes for any indices, as :func:`read_anyway`.

    It drops what lies beyond the tensor, which has -1 here.
    """
    places = offsets(coordinates, sizes)
    return np.where(places < math.prod(sizes), places, -1)


@dataclass(frozen=True, eq=False)
class Outside:
    """An index outside the dimension that it counts along.

    Attributes:
        indices: IndicesTensor.
        cells: its flat cell there, then those of all others that are outside theirs.
        sizes: of the tensor that it indexes.
        axis: the dimension.
        start: for each dimension, the index that DirectML begins with, including this one as given.
        slices: whether it selects a slice rather than one element.
    """

    indices: Array
    cells: tuple[int, ...]
    sizes: Sizes
    axis: int
    start: tuple[int, ...]
    slices: bool = False

    @property
    def at(self) -> int:
        """The flat cell of the index."""
        return self.cells[0]

    @property
    def low(self) -> int | None:
        """The index in the low 32 bits of a 64-bit index, if it is valid."""
        signed = int(self.indices.ravel()[self.at].astype(np.int64))
        low = signed % WORD
        return low if signed >= WORD and low < self.sizes[self.axis] else None

    @property
    def offset(self) -> int:
        """The flat offset, before it is cut to 32 bits."""
        offset = 0
        for i, n in zip(self.start, self.sizes, strict=True):
            offset = offset * n + i
        return offset

    def read(self) -> str:
        """The sentence if DirectML reads, with the first element that it reads."""
        read = int(read_anyway(self.start, self.sizes))
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
        return self._sentence(words, read)

    def written(self) -> str:
        """The sentence if DirectML writes, with the first element that it writes, if any."""
        written = int(written_anyway(self.start, self.sizes))
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
        return self._sentence(words, max(0, written))

    def _sentence(self, words: str, place: int) -> str:
        size = self.sizes[self.axis]
        sentence = words.format(
            index=self._index(self.at),
            cell=print_flat_index(self.at, self.indices.shape),
            first=lowest(self.indices, size),
            last=size - 1,
            axis=self.axis,
            low=self.low,
            offset=f"{self.offset:,}",
            read=print_flat_index(place, self.sizes),
            written=print_flat_index(place, self.sizes),
        )
        others = self._others()
        return f"{sentence} {others}" if others else sentence

    def _index(self, cell: int) -> str:
        return one_line(str(self.indices.ravel()[cell]), 24)

    def _others(self) -> str:
        """A sentence that names the other indices outside; empty if there are none."""
        named, more = self.cells[1:_NAMED], len(self.cells[_NAMED:])
        indices = ", ".join(
            _("{index} at {cell}").format(
                index=self._index(cell), cell=print_flat_index(cell, self.indices.shape)
            )
            for cell in named
        )
        if more:
            words = ngettext(
                "Also outside: {indices}, and {n} more.",
                "Also outside: {indices}, and {n} more.",
                more,
            )
            return words.format(indices=indices, n=more)
        return _("Also outside: {indices}.").format(indices=indices) if indices else ""


def element_problems(structure: str, sizes: Mapping[str, Sizes], axis: int) -> Iterator[Problem]:
    """Problems with the axis, or with the sizes of the indices.

    DirectML refuses other dimensions that are shorter than the input's; ONNX accepts them.
    """
    input_sizes, indices = sizes[INPUT], sizes[INDICES]
    if problem := axis_problem(axis, len(input_sizes), structure):
        yield problem
        return
    if len(indices) != len(input_sizes):
        message = _(
            "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
            "ranks must be equal."
        ).format(sizes=print_sizes(indices), count=len(indices), rank=len(input_sizes))
        yield Problem(INDICES, message, f"{structure}, Tensor constraints")
        return
    for d, (n, due) in enumerate(zip(indices, input_sizes, strict=True)):
        if n != due and d != axis:
            message = _(
                "IndicesTensor: dimension {d} has size {n} where the input has {due}; only "
                "dimension {axis}, along which the indices count, may differ."
            ).format(d=d, n=n, due=due, axis=short_text(axis))
            yield Problem(INDICES, message, f"{structure}, IndicesTensor")
            return
