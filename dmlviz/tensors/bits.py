"""Elements compared as they are stored."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def differing_bits(a: Array, b: Array) -> Array:
    """Flat indices where two arrays of one type and the same sizes differ, bit for bit."""
    bits = f"u{a.dtype.itemsize}"
    return np.flatnonzero(a.ravel().view(bits) != b.ravel().view(bits))
