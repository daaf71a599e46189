"""A tensor laid over memory: the place of each element there, and whether all are used."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.operators.slots import BufferDesc

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def offsets(told: BufferDesc) -> Array:
    """For each element of the tensor, its place in memory; int64, of its sizes.

    >>> offsets(BufferDesc((2, 3), (1, 2))).tolist()
    [[0, 2, 4], [1, 3, 5]]
    """
    found = np.zeros((), np.int64)
    for n, stride in zip(told.sizes, told.strides, strict=True):
        found = found[..., None] + np.arange(n, dtype=np.int64) * (stride if n > 1 else 0)
    return found


def sum_text(told: BufferDesc, index: Sizes, inner: int = -1) -> str:
    """``1 · 4 + 2 · 1 = 6``: the element of memory at an index of the tensor.

    Args:
        told: the tensor.
        index: of an element.
        inner: a dimension to omit because its index is 0.

    >>> told = BufferDesc((2, 3), (4, 1))
    >>> sum_text(told, (1, 2)), sum_text(told, (1, 0), 1)
    ('1 · 4 + 2 · 1 = 6', '1 · 4 = 4')
    """
    every = list(zip(index, told.strides, told.sizes, strict=True))
    # an index that is always 0 adds nothing
    terms = [f"{i} · {s}" for d, (i, s, n) in enumerate(every) if n > 1 and d != inner]
    total = sum(i * s for i, s, _n in every)
    return f"{' + '.join(terms)} = {total}" if terms else str(total)


@dataclass(frozen=True)
class Dense:
    """A tensor with every element of memory: its dimensions in another order, some repeated.

    Attributes:
        sizes: of the tensor.
        order: for each dimension of memory, seen as a tensor of as many dimensions, the tensor's
            dimension that it is.
        memory: the sizes of memory seen so; 1 where the tensor repeats it.
    """

    sizes: Sizes
    order: Sizes
    memory: Sizes

    @property
    def perm(self) -> Sizes:
        """For each dimension of the tensor, its dimension of memory."""
        return tuple(self.order.index(d) for d in range(len(self.order)))

    @property
    def turned(self) -> bool:
        """Whether the order of dimensions changes."""
        return self.perm != tuple(range(len(self.perm)))

    @property
    def once(self) -> Sizes:
        """The tensor's sizes without repeats."""
        return tuple(self.memory[at] for at in self.perm)

    @property
    def repeated(self) -> bool:
        """Whether some dimension repeats one element."""
        return self.once != self.sizes


def dense(told: BufferDesc, count: int) -> Dense | None:
    """How a tensor covers every element of memory; None if it omits or mixes some.

    Args:
        told: the tensor.
        count: of the elements of memory.

    >>> dense(BufferDesc((3, 2), (1, 3)), 6)
    Dense(sizes=(3, 2), order=(1, 0), memory=(2, 3))
    """
    sizes, strides = told.sizes, told.strides
    moving = [d for d, (n, s) in enumerate(zip(sizes, strides, strict=True)) if n > 1 and s > 0]
    falling = sorted(moving, key=lambda d: -strides[d])
    for k, d in enumerate(falling):
        if strides[d] != math.prod(sizes[e] for e in falling[k + 1 :]):
            return None
    if math.prod(sizes[d] for d in moving) != count:
        return None
    # the others stay where they are
    turned = dict(zip(moving, falling, strict=True))
    order = tuple(turned.get(d, d) for d in range(len(sizes)))
    memory = tuple(sizes[d] if d in turned else 1 for d in order)
    return Dense(sizes, order, memory)
