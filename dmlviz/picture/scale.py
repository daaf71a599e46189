"""Values on a scale of colors."""

from __future__ import annotations

import numpy as np

from dmlviz.picture.scene import Scene
from dmlviz.tensors.types import Array


def value_scale(values: Array, span: tuple[float, float] | None = None) -> Array:
    """Values as numbers from 0 to 1, smallest to largest; float32, flat.

    Infinities are at the ends, NaN in the middle; if all values are equal, they are in the middle.

    Args:
        values: of any shape.
        span: what :func:`value_range` says about them, if that is known.
    """
    flat = _as_doubles(values)
    low, high = span or value_range(values)
    if high > low:
        # halved first, so that the span of the largest doubles stays finite
        with np.errstate(invalid="ignore"):
            flat = (flat / 2 - low / 2) / (high / 2 - low / 2)
    else:
        flat = np.where(np.isfinite(flat), 0.5, flat)
    return np.nan_to_num(flat, nan=0.5, posinf=1.0, neginf=0.0).clip(0, 1).astype(np.float32)


def _as_doubles(values: Array) -> Array:
    # signaling NaNs are ordinary values here
    with np.errstate(invalid="ignore"):
        return values.ravel().astype(np.float64)


def value_range(*tensors: Array) -> tuple[float, float]:
    """The smallest and the largest finite value of all tensors; 0 and 0 if there is none."""
    flat = np.concatenate([_as_doubles(values) for values in tensors]) if tensors else np.zeros(0)
    finite = flat[np.isfinite(flat)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def brightest(picture: Scene, span: tuple[float, float] | None = None) -> float:
    """The value of full brightness in a picture; 0 if the values are not a picture's.

    Args:
        picture: what is drawn.
        span: what :func:`value_range` says about its values, if that is known.
    """
    low, high = span or value_range(picture.values)
    if low < 0 or high <= 0:
        return 0.0
    # of floats, of the built-in pictures, and of eight bits
    limits = (1.0, 99.0, 255.0) if picture.full is None else (picture.full,)
    return next((limit for limit in limits if high <= limit), 0.0)
