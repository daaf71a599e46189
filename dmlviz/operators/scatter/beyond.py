"""Indices outside the axis: refused here, and what DirectML does with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.elements import flat_offsets, outside_cell

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def written_anyway(sizes: Sizes, axis: int, indices: Array) -> Array:
    """Where DirectML 1.15.4 puts each update, for any index.

    It calculates the flat offset in 32 bits, in whatever row that is, and drops everything beyond
    the tensor.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the update's own.
        indices: IndicesTensor.

    Returns:
        Flat indices of the output's elements, -1 for what is dropped; int64, of the sizes of the
        indices.
    """
    found = flat_offsets(sizes, axis, indices)
    return np.where(found < math.prod(sizes), found, -1)


def beyond_sentence(sizes: Sizes, axis: int, indices: Array, at: int) -> str:
    """The problem with an index, and what DirectML would do with its update.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the update's own.
        indices: IndicesTensor.
        at: the flat cell of the one that is outside.
    """
    written = int(written_anyway(sizes, axis, indices).ravel()[at])
    return outside_cell(sizes, axis, indices, at).written(written)
