"""Indices beyond the axis: refused here, and what DirectML does with them instead."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.indices import WORD, from_front, lowest
from dmlviz.tensors import one_line
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def read_anyway(sizes: Sizes, axis: int, indices: Array) -> Array:
    """What DirectML 1.15.4 reads for any indices, those beyond the axis included.

    It adds an index to the flat offset in 32 bits, whatever row that lies in, and reads the last
    element for what lies beyond the tensor. 64-bit indices are read with a sign.

    Args:
        sizes: of the input.
        axis: what the indices count along.
        indices: of the sizes that they have in the output.

    Returns:
        Flat indices of the input's elements: sizes before the axis, of the indices, behind; int64.
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


def beyond_sentence(sizes: Sizes, axis: int, indices: Array, cell: int) -> str:
    """What is wrong with an index, and what DirectML would read in its place.

    Args:
        sizes: of the input.
        axis: what the indices count along.
        indices: IndicesTensor.
        cell: the flat index of the one that is outside.
    """
    wrong = indices.ravel()[cell]
    stride = math.prod(sizes[axis + 1 :])
    read = int(read_anyway(sizes, axis, wrong.reshape(1)).ravel()[0])
    signed = int(wrong.astype(np.int64))
    offset = (signed + sizes[axis] if signed < 0 else signed) * stride
    numbers = {
        "index": one_line(str(wrong), 24),
        "cell": [int(i) for i in np.unravel_index(cell, indices.shape)],
        "first": lowest(indices, sizes[axis]),
        "last": sizes[axis] - 1,
        "axis": axis,
        "offset": f"{offset:,}",
        "read": [int(i) for i in np.unravel_index(read, sizes)],
    }
    if offset == read:
        words = _(
            "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
            "dimension {axis}. DirectML does not refuse it: its first element is read at flat "
            "offset {offset}, which is in{read}."
        )
    else:
        words = _(
            "IndicesTensor: {index} at {cell} is outside {first} to {last}, the indices of "
            "dimension {axis}. DirectML does not refuse it: its first element would lie at flat "
            "offset {offset}, and in{read} is read."
        )
    return words.format(**numbers)
