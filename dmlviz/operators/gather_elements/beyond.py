"""Indices outside the axis: refused here, and what DirectML does with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.elements import flat_offsets, outside_cell

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def read_anyway(sizes: Sizes, axis: int, indices: Array) -> Array:
    """What DirectML 1.15.4 reads for any indices, including those outside the axis.

    It calculates the flat offset in 32 bits, in whatever row that is, and reads the last element
    for what lies beyond the tensor.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the element's own.
        indices: IndicesTensor.

    Returns:
        Flat indices of the input's elements, of the sizes of the indices; int64.
    """
    read: Array = np.minimum(flat_offsets(sizes, axis, indices), math.prod(sizes) - 1)
    return read


def beyond_sentence(sizes: Sizes, axis: int, indices: Array, at: int) -> str:
    """The problem with an index, and what DirectML would read instead.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the element's own.
        indices: IndicesTensor.
        at: the flat cell of the one that is outside.
    """
    read = int(read_anyway(sizes, axis, indices).ravel()[at])
    return outside_cell(sizes, axis, indices, at).read(read)
