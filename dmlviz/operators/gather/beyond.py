"""Indices outside the axis: refused here, and what DirectML does with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.indices import WORD, from_front
from dmlviz.operators.outside import Outside

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def read_anyway(sizes: Sizes, axis: int, indices: Array) -> Array:
    """What DirectML 1.15.4 reads for any indices, including those outside the axis.

    It adds an index to the flat offset in 32 bits, in whatever row that is, and reads the last
    element for offsets beyond the tensor. 64-bit indices are read as signed.

    Args:
        sizes: of the input.
        axis: the dimension that the indices count along.
        indices: of the sizes that they have in the output.

    Returns:
        Flat indices of the input's elements: sizes before the axis, of the indices, after; int64.
    """
    along = from_front(indices, sizes[axis]) % WORD
    stride = math.prod(sizes[axis + 1 :])
    outer = np.arange(math.prod(sizes[:axis]), dtype=np.int64) * (sizes[axis] * stride)
    inner = np.arange(stride, dtype=np.int64)
    # the low 32 bits of a product are those of the factors' low 32 bits
    moved = (along * stride % WORD).ravel()
    offset = (outer[:, None, None] + moved[None, :, None] + inner) % WORD
    read: Array = np.minimum(offset, math.prod(sizes) - 1)
    return read.reshape(sizes[:axis] + indices.shape + sizes[axis + 1 :])


def beyond_sentence(sizes: Sizes, axis: int, indices: Array, at: int) -> str:
    """The problem with an index, and what DirectML would read instead.

    Args:
        sizes: of the input.
        axis: the dimension that the indices count along.
        indices: IndicesTensor.
        at: the flat cell of the one that is outside.
    """
    wrong = indices.ravel()[at]
    read = int(read_anyway(sizes, axis, wrong.reshape(1)).ravel()[0])
    signed = int(wrong.astype(np.int64))
    start = [0] * len(sizes)
    start[axis] = signed + sizes[axis] * (signed < 0)
    return Outside(indices, at, sizes, axis, tuple(start), slices=True).read(read)
