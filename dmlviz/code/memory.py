"""Strides and memory: which operations are views of their input's memory.

The rules are those of NumPy's ``ndarray.reshape`` and PyTorch's ``Tensor.view``: a reshape is a
view if every run of dimensions that are one in memory is divided or joined by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Sizes

ELEMENTS = "FLOAT64"
"""The data type of elements where none is said, as in NumPy."""


@dataclass(frozen=True)
class MemoryLayout:
    """How a tensor lies in memory.

    Attributes:
        base: the name of the first tensor in the same memory: its own if it is new memory.
        strides: in elements.
    """

    base: str
    strides: Sizes

    def places(self, sizes: Sizes) -> int:
        """How many elements of memory a tensor of these sizes reads.

        >>> MemoryLayout("x", (0, 1)).places((3, 4)), MemoryLayout("x", (1, 1)).places((3, 3))
        (4, 5)
        """
        grid = np.indices(sizes, sparse=True)
        offsets = sum(stride * index for stride, index in zip(self.strides, grid, strict=True))
        return int(distinct(np.asarray(offsets)).size)


def packed(sizes: Sequence[int]) -> Sizes:
    """The strides, in elements, of a tensor without gaps whose last index runs fastest.

    >>> packed((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))


def is_packed(sizes: Sizes, strides: Sizes) -> bool:
    """Whether memory order is the order of indices; strides of single elements do not matter."""
    pairs = zip(sizes, strides, packed(sizes), strict=True)
    return all(n == 1 or a == b for n, a, b in pairs)


def kept_strides(sizes: Sizes, strides: Sizes) -> Sizes:
    """The strides of NumPy's copy with order ``K``, which has no gaps and runs backward nowhere.

    >>> kept_strides((2, 2), (1, 3)), kept_strides((2, 3), (1, -2))
    ((1, 2), (1, 2))
    """
    order = sorted(range(len(sizes)), key=lambda d: -abs(strides[d]))
    dense = packed([sizes[d] for d in order])
    return tuple(dense[order.index(d)] for d in range(len(sizes)))


def copied_strides(sizes: Sizes, strides: Sizes) -> Sizes:
    """The strides of a copy that keeps the order of dimensions in memory, as PyTorch's do.

    A tensor with gaps or with elements that share memory is copied in the order of indices.

    >>> copied_strides((3, 4), (1, 3)), copied_strides((3, 4), (8, 2))
    ((1, 3), (4, 1))
    """
    kept = kept_strides(sizes, strides)
    same = all(n == 1 or a == b for n, a, b in zip(sizes, strides, kept, strict=True))
    return kept if same else packed(sizes)


def channels_last(sizes: Sizes, strides: Sizes) -> bool:
    """Whether an image or a volume has its channels last in memory, and is not packed.

    PyTorch keeps this order where it makes a new tensor of the same rank.

    >>> channels_last((2, 3, 4, 4), (48, 1, 12, 3)), channels_last((2, 3, 4, 4), (48, 16, 4, 1))
    (True, False)
    """
    rank = len(sizes)
    return (
        rank in (4, 5) and strides == channels_last_strides(sizes) and not is_packed(sizes, strides)
    )


def channels_last_strides(sizes: Sizes) -> Sizes:
    """The strides of an image or a volume whose channels are last in memory.

    >>> channels_last_strides((2, 3, 4, 4))
    (48, 1, 12, 3)
    """
    order = (0, *range(2, len(sizes)), 1)
    dense = packed([sizes[d] for d in order])
    return tuple(dense[order.index(d)] for d in range(len(sizes)))


def strides_like(sizes: Sizes, others: Sequence[tuple[Sizes, Sizes]]) -> Sizes:
    """The strides of a new tensor: channels last if all others, as sizes and strides, have them."""
    return channels_last_strides(sizes) if all(channels_last(*x) for x in others) else packed(sizes)


def reshaped_strides(sizes: Sizes, strides: Sizes, new: Sizes) -> Sizes | None:
    """The strides of a reshape without a copy; None if it has to copy.

    >>> reshaped_strides((2, 6), (6, 1), (2, 2, 3)), reshaped_strides((6, 2), (1, 6), (12,))
    ((6, 3, 1), None)
    """
    runs: list[list[int]] = []
    for n, stride in zip(sizes, strides, strict=True):
        if n == 1:
            continue
        if runs and runs[-1][1] == n * stride:
            runs[-1] = [runs[-1][0] * n, stride]
        else:
            runs.append([n, stride])
    left, step = runs.pop() if runs else [1, 1]
    made: list[int] = []
    for n in reversed(new):
        if n > 1 and left == 1:
            if not runs:
                return None
            left, step = runs.pop()
        if n > 1 and left % n:
            return None
        made.append(step)
        left, step = left // n, step * n
    return tuple(reversed(made)) if left == 1 and not runs else None


def _reshape(sizes: Sizes, strides: Sizes, new: Sizes, attributes: Any) -> Sizes | None:
    return reshaped_strides(sizes, strides, new)


def _transpose(sizes: Sizes, strides: Sizes, new: Sizes, attributes: Any) -> Sizes:
    return tuple(strides[d] for d in attributes["perm"])


def _expand(sizes: Sizes, strides: Sizes, new: Sizes, attributes: Any) -> Sizes:
    lead = len(new) - len(sizes)
    pairs = zip(strides, sizes, new[lead:], strict=True)
    return (0,) * lead + tuple(0 if n != m else stride for stride, n, m in pairs)


def _slice(sizes: Sizes, strides: Sizes, new: Sizes, attributes: Any) -> Sizes:
    step = dict(zip(attributes["axes"].tolist(), attributes["steps"].tolist(), strict=True))
    return tuple(stride * step.get(d, 1) for d, stride in enumerate(strides))


def _split(sizes: Sizes, strides: Sizes, new: Sizes, attributes: Any) -> Sizes:
    return strides


VIEWS: Mapping[str, Callable[[Sizes, Sizes, Sizes, Any], Sizes | None]] = {
    "Expand": _expand,
    "Reshape": _reshape,
    "Slice": _slice,
    "Split": _split,
    "Transpose": _transpose,
}
"""By the node's name: from the input's sizes and strides, the result's sizes and the attributes,
the constants among its inputs included, the result's strides, or None if it is a copy."""
