"""Comparison of elements bit for bit."""

from __future__ import annotations

import numpy as np

from dmlviz.tensors.types import Array


def differing_bits(a: Array, b: Array) -> Array:
    """Flat indices where the bits of two arrays of the same type and sizes differ."""
    bits = f"u{a.dtype.itemsize}"
    return np.flatnonzero(a.ravel().view(bits) != b.ravel().view(bits))
