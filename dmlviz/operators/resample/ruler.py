"""Along one dimension: two rulers, in input pixels and in output pixels, one laid on the other.

Pixel i reaches from i to i + 1 on its ruler, and its center is at i + 0.5. The arithmetic is
in FLOAT, step by step, as in DirectML.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement import expressions as ex
from dmlviz.movement.expressions import Expr, const, index, larger, real, smaller

Array = np.ndarray[Any, Any]

CENTRE, START = -0.5, 0.0
"""The OutputPixelOffsets of an output pixel's center, and of its start."""

LOOKED_AT = 1 << 16
"""Longer dimensions are not checked place by place for a shorter description."""


@dataclass(frozen=True)
class Fall:
    """The place of one output pixel in the input.

    Attributes:
        point: of the output pixel, on the output's ruler.
        there: the same on the input's ruler.
        coordinate: the number to round: ``there`` without the input's offset.
        rounded: the index, which can be outside the input.
        place: the index of the pixel that is copied.
    """

    point: float
    there: float
    coordinate: float
    rounded: float
    place: int


@dataclass(frozen=True)
class Ruler:
    """How the pixels of one dimension are resampled.

    Attributes:
        size, count: of the input and of the output.
        scale: the length of one input pixel in output pixels.
        input_offset, output_offset: DirectML's ``InputPixelOffsets`` and ``OutputPixelOffsets``.
        up: whether coordinates are rounded up (``INCREASING``).
    """

    size: int
    count: int
    scale: float
    input_offset: float
    output_offset: float
    up: bool

    def fall(self, k: int) -> Fall:
        """The place of output pixel ``k``."""
        point, there, coordinate, rounded = (
            float(found[0]) for found in self._falls(np.array([k], np.float32))
        )
        place = int(max(0.0, min(self.size - 1.0, rounded)))
        return Fall(point, there, coordinate, rounded, place)

    @property
    def places(self) -> Array:
        """The index of the input pixel for every output pixel; int64."""
        *_before, rounded = self._falls(np.arange(self.count, dtype=np.float32))
        # in doubles: FLOAT cannot hold the last index of a long dimension
        inside: Array = np.clip(rounded.astype(np.float64), 0, self.size - 1)
        return inside.astype(np.int64)

    @property
    def whole(self) -> bool:
        """Whether the dimension is unchanged; False for dimensions that are too long to check."""
        return self.repeats == 1

    @property
    def repeats(self) -> int:
        """How often each pixel repeats, consecutively; 0 if that is not the same for all."""
        times, rest = divmod(self.count, self.size)
        if rest or not times or self.count > LOOKED_AT:
            return 0
        return times if np.array_equal(self.places, np.arange(self.count) // times) else 0

    @property
    def beyond(self) -> bool:
        """Whether some output pixel is outside the input, where the edge is repeated."""
        # their places never decrease
        first, last = self.fall(0).rounded, self.fall(self.count - 1).rounded
        return first < 0 or last > self.size - 1

    def expression(self, d: int) -> Expr:
        """The index of the input pixel for an output pixel of dimension ``d``."""
        if self.whole:
            return index(d)
        at = _moved(index(d), -self.output_offset)
        if self.scale != 1:
            at = ex.single(at / real(self.scale))
        at = _moved(at, -self.input_offset)
        found = ex.ceil(at) if self.up else ex.floor(at)
        if not self.beyond:
            return found
        return larger(const(0), smaller(const(self.size - 1), found))

    def _falls(self, k: Array) -> tuple[Array, Array, Array, Array]:
        # an overflow is far outside, and only that matters
        with np.errstate(over="ignore", under="ignore"):
            point = k - np.float32(self.output_offset)
            there = point / np.float32(self.scale)
            coordinate = there - np.float32(self.input_offset)
        return point, there, coordinate, np.ceil(coordinate) if self.up else np.floor(coordinate)


def usual_count(size: int, scale: float) -> int:
    """The default number of output pixels: the one that follows from the scale, at least one.

    >>> usual_count(5, 1.5), usual_count(3, 0.25)
    (7, 1)
    """
    with np.errstate(over="ignore"):
        made = float(np.float32(size) * np.float32(scale))
    # beyond every size; an infinity is not an int
    return max(1, math.floor(min(made, 2.0**40)))


def _moved(at: Expr, by: float) -> Expr:
    """The sum in the usual notation: with a minus sign for a negative number."""
    if not by:
        return ex.single(at)
    return ex.single(ex.single(at) + real(by) if by > 0 else ex.single(at) - real(-by))
