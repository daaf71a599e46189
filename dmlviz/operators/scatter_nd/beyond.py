"""Where DirectML writes for any tuples, including those with indices outside the output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.operators.tuples import Tuples

Array = np.ndarray[Any, Any]


def written_anyway(tuples: Tuples, indices: Array) -> Array:
    """Where DirectML 1.15.4 puts each element of the updates.

    It calculates the flat offset from a whole tuple, in 32 bits, in whatever row that is, and drops
    what lies beyond the tensor.

    Args:
        tuples: what they select.
        indices: IndicesTensor.

    Returns:
        Flat indices of the output's elements, -1 for what is dropped; int64, of the updates' sizes.
    """
    found = tuples.offsets(indices)
    return np.where(found < math.prod(tuples.sizes), found, -1)
