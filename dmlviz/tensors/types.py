"""The types of what every room passes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
"""An array of any sizes and data type."""

Sizes = tuple[int, ...]
"""The sizes of a tensor, the outermost dimension first."""

NamedSizes = dict[str, Sizes]
"""The sizes of several tensors by name, in the structure's order."""

Tensors = Mapping[str, Array]
"""Tensors by name, in the structure's order."""

Places = tuple[tuple[int, ...], ...]
"""The indices that a part of a tensor has, by dimension."""

DrawnSizes = tuple[int | tuple[int, ...], ...]
"""The sizes of a tensor, or of a part the indices of each dimension."""
