"""Tensors while code is read, and the memory in which they lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.memory import is_packed, packed
from dmlviz.code.refusals import CodeRefused
from dmlviz.tensors.types import Array, Sizes


@dataclass(eq=False)
class Memory:
    """What tensors share if one is a view of another.

    Attributes:
        count: how many elements it has.
        version: how many times it was written to.
        whole: after a write, the tensor of all its elements.
    """

    count: int
    version: int = 0
    whole: Tensor | None = None


@dataclass(eq=False)
class Tensor:
    """A tensor while code is read.

    Attributes:
        array: if it moves, for each element the number of its source, or a negative number for a
            constant, see :class:`Builder`; INT32. Otherwise its own values.
        moving: whether elements of an input or constants reach it.
        name: of a tensor that moves, in the graph.
        values: of a tensor that moves, its own values if the code's caller gave them.
        computed: of a tensor that does not move, why it must not become part of a result: its
            values were calculated from those of an input.
        strides: in elements, in its memory.
        memory: what it is a view of.
        version: of the memory, when its elements were read.
        of: of a view, the tensor that it was made of, in the same memory.
        again: of a view, makes it of ``of`` as that is after a write.
        writable: whether the library lets code write to it.
    """

    array: Array
    moving: bool
    name: str = ""
    values: Array | None = None
    computed: CodeRefused | None = None
    strides: Sizes = ()
    memory: Memory = field(default_factory=lambda: Memory(0))
    version: int = 0
    of: Tensor | None = None
    again: Callable[[Any, Tensor], Tensor] | None = None
    writable: bool = True

    def __post_init__(self) -> None:
        if not self.memory.count:
            self.memory = Memory(self.array.size)
            self.strides = packed(self.array.shape)

    @property
    def sizes(self) -> Sizes:
        """Its sizes."""
        return tuple(int(n) for n in self.array.shape)

    @property
    def rank(self) -> int:
        """How many dimensions it has."""
        return self.array.ndim

    @property
    def packed(self) -> bool:
        """Whether its memory order is the order of its indices."""
        return is_packed(self.sizes, self.strides)


Typed = bool | tuple[Array, ...]
"""Whether the code says indices as they are, or the tensors and masks that it says instead."""


UNDEFINED = np.uint64(0x7FF8_5EED_0000_0001).view(np.float64)
"""What the elements of a tensor are that code has made and not written."""


def undefined_places(array: Array) -> Array:
    """Where an array has elements that code has not written."""
    if array.dtype != np.float64:
        return np.zeros(array.shape, bool)
    places: Array = np.ascontiguousarray(array).view(np.uint64) == UNDEFINED.view(np.uint64)
    return places.reshape(array.shape)


def control(array: Any) -> Tensor:
    """A tensor that does not move: indices, masks and other numbers of the code itself."""
    return Tensor(np.asarray(array), False)
