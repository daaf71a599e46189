"""What DirectML reads for any tuples, including those with indices outside the input."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.tuples import Tuples

Array = np.ndarray[Any, Any]


def read_anyway(tuples: Tuples, indices: Array) -> Array:
    """What DirectML 1.15.4 reads.

    It calculates the flat offset from a whole tuple, in 32 bits, in whatever row that is, and reads
    the last element for offsets beyond the tensor.

    Args:
        tuples: what they select.
        indices: IndicesTensor.

    Returns:
        Flat indices of the input's elements, of the output's sizes; int64.
    """
    read: Array = np.minimum(tuples.offsets(indices), math.prod(tuples.sizes) - 1)
    return read
