"""Along one dimension: two rulers, in input pixels and in output pixels, one laid on the other.

Pixel i reaches from i to i + 1 on its ruler, and its center is at i + 0.5. The arithmetic is
in FLOAT, step by step, as in DirectML.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.spelling import print_setting
from dmlviz.movement.expressions import Expr, ceil, floor, larger, single, smaller
from dmlviz.operators.misreadings import MISREADING_LIMIT
from dmlviz.tensors.types import Array

CENTER, START = -0.5, 0.0
"""The OutputPixelOffsets of an output pixel's center, and of its start."""

HALF = 0.5
"""The InputPixelOffsets of an input pixel's center."""

LOOKED_AT = 1 << 16
"""Longer dimensions are not checked place by place for a shorter description."""

# ONNX's coordinate_transformation_mode and nearest_mode for a rule: OutputPixelOffsets,
# InputPixelOffsets, and whether it rounds up
_RESIZES = {
    (CENTER, HALF, False): ("half_pixel", "floor"),
    (CENTER, HALF, True): ("half_pixel", "ceil"),
    (CENTER, 2 * HALF, True): ("half_pixel", "round_prefer_floor"),
    (CENTER, 0.0, False): ("half_pixel", "round_prefer_ceil"),
    (START, 0.0, False): ("asymmetric", "floor"),
    (START, 0.0, True): ("asymmetric", "ceil"),
    (START, HALF, True): ("asymmetric", "round_prefer_floor"),
    (START, -HALF, False): ("asymmetric", "round_prefer_ceil"),
}


@dataclass(frozen=True)
class Fall:
    """The place of an output pixel in the input: numbers, arrays or expressions.

    Attributes:
        point: of the output pixel, on the output's ruler.
        there: the same on the input's ruler.
        coordinate: the number to round: ``there`` without the input's offset.
        rounded: the index, which can be outside the input.
        place: the index of the pixel that is copied; int64.
    """

    point: Any
    there: Any
    coordinate: Any
    rounded: Any
    place: Any


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

    def fall(self, i: Any) -> Fall:
        """The place of output pixel ``i``: an expression, a number or an array of them."""
        # an overflow is far outside, and only that matters
        with np.errstate(over="ignore", under="ignore"):
            point = _less(i, self.output_offset)
            there = single(point / np.float32(self.scale)) if self.scale != 1 else point
            coordinate = _less(there, self.input_offset)
        rounded = ceil(coordinate) if self.up else floor(coordinate)
        return Fall(point, there, coordinate, rounded, self._inside(rounded))

    def _inside(self, rounded: Any) -> Any:
        last = self.size - 1
        if isinstance(rounded, Expr):
            return larger(0, smaller(last, rounded)) if self.beyond else rounded
        # in doubles: FLOAT cannot hold the last index of a long dimension
        # (older versions of NumPy make a number of an array of one element: np.float64(array))
        inside: Any = larger(0, smaller(last, np.float64(1) * rounded))
        return inside.astype(np.int64)

    @cached_property
    def places(self) -> Array:
        """The index of the input pixel for every output pixel; int64, read-only."""
        places: Array = self.fall(np.arange(self.count)).place
        places.flags.writeable = False
        return places

    @property
    def whole(self) -> bool:
        """Whether the dimension is unchanged; False for dimensions that are too long to check."""
        return self.count == self.size and self.repeats == 1

    @cached_property
    def repeats(self) -> int:
        """How often each pixel repeats, consecutively; 0 if that is not the same for all."""
        times, rest = divmod(self.count, self.size)
        if self.size == 1:
            return times  # every place is inside
        if rest or not times or self.count > LOOKED_AT:
            return 0
        return times if np.array_equal(self.places, np.arange(self.count) // times) else 0

    @property
    def beyond(self) -> bool:
        """Whether some output pixel is outside the input, where the edge is repeated."""
        # their places never decrease
        first, last = self.fall(0).rounded, self.fall(self.count - 1).rounded
        return bool(first < 0 or last > self.size - 1)

    # ---- the same in other libraries

    def text(self, library: str) -> str:
        """The rounded places of all output pixels, as an expression in FLOAT.

        Args:
            library: ``np``, ``torch`` or ``tf``.
        """
        made = {
            "np": f"np.arange({self.count}, dtype=np.float32)",
            "torch": f"torch.arange({self.count}, dtype=torch.float32)",
            "tf": f"tf.range({self.count}, dtype=tf.float32)",
        }[library]
        text = _less_text(made, self.output_offset)
        if self.scale != 1:
            text = f"({text})" if self.output_offset else text
            text = f"{text} / {print_setting(self.scale)}"
        text = _less_text(text, self.input_offset)
        name = "math.ceil" if library == "tf" and self.up else "ceil" if self.up else "floor"
        return f"{library}.{name}({text})"

    def by_sizes(self, point: float) -> bool:
        """Whether it is what PyTorch and TensorFlow make of the sizes alone.

        Args:
            point: of an output pixel: 0 its start, 0.5 its center.
        """
        if self.count > LOOKED_AT:
            return False
        ratio: Any = np.float32(self.size) / np.float32(self.count)
        at = (np.arange(self.count, dtype=np.float32) + np.float32(point)) * ratio
        places = np.minimum(np.floor(at), self.size - 1).astype(np.int64)
        return np.array_equal(places, self.places)

    def resizes(self, transformation: str, nearest: str) -> bool:
        """Whether ONNX's Resize has the same sizes and places.

        ONNX rounds at other places than DirectML: what differs in the last digit, its doubles or
        its FLOATs, is no Resize.

        Args:
            transformation, nearest: ``coordinate_transformation_mode`` and ``nearest_mode``.
        """
        kinds: tuple[type[np.floating[Any]], ...] = (np.float32, np.float64)
        return all(self._resizes(transformation, nearest, kind) for kind in kinds)

    def _resizes(self, transformation: str, nearest: str, kind: type[np.floating[Any]]) -> bool:
        scale = 1.0 if self.whole else self.scale
        one = kind(np.float32(scale))
        if usual_count(self.size, scale) != self.count or int(self.size * one) != self.count:
            return False
        at = np.arange(self.count).astype(kind)
        half = kind(HALF)
        at = (at + half) / one - half if transformation == "half_pixel" else at / one
        down, up = np.floor(at), np.ceil(at)
        rounded = {
            "floor": down,
            "ceil": up,
            "round_prefer_floor": np.where(at - down <= half, down, up),
            "round_prefer_ceil": np.where(at - down < half, down, up),
        }[nearest]
        return np.array_equal(np.clip(rounded.astype(np.float64), 0, self.size - 1), self.places)

    # ---- misreadings

    def misread(self) -> Iterator[tuple[str, Array]]:
        """Wrong places, -1 for none, and the keys of their messages."""
        size, count = self.size, self.count
        every = np.arange(count)
        yield "down" if self.up else "up", replace(self, up=not self.up).places
        # rounded to the nearest index, halves up
        yield "nearest", replace(self, input_offset=self.input_offset - HALF, up=False).places
        if count > size:
            yield "tiled", every % size
        if self.repeats > 1:
            yield "zeros", np.where(every % self.repeats, -1, every // self.repeats)
        yield "starts", replace(self, output_offset=START, input_offset=0.0).places
        yield "centres", replace(self, output_offset=CENTER, input_offset=HALF).places
        yield "no-input-offset", replace(self, input_offset=0.0).places
        yield "no-output-offset", replace(self, output_offset=0.0).places
        if count > 1:
            yield "corners", every * (size - 1) // (count - 1)
        yield "later", np.minimum(self.places + 1, size - 1)
        if count <= size:
            yield "cut", every
        turned = _count_within(size / self.scale)
        if turned not in (0, count):
            yield "divided", replace(self, count=turned, scale=1 / self.scale).places

    def with_settings_of(self, other: Ruler) -> Ruler:
        """The same input with the settings of another dimension."""
        return replace(other, size=self.size, count=_count_within(self.size * other.scale) or 1)


def usual_count(size: int, scale: float) -> int:
    """The default number of output pixels: the one that follows from the scale, at least one.

    >>> usual_count(5, 1.5), usual_count(3, 0.25)
    (7, 1)
    """
    with np.errstate(over="ignore"):
        made = float(np.float32(size) * np.float32(scale))
    # beyond every size; an infinity is not an int
    return max(1, math.floor(min(made, 2.0**40)))


def resize_modes(rulers: Sequence[Ruler]) -> tuple[str, str] | None:
    """How ONNX's Resize does the same; None if it gives a different result for these sizes.

    It has one rule for all dimensions, and sizes follow from scales.

    Args:
        rulers: one for each dimension.

    Returns:
        ``coordinate_transformation_mode`` and ``nearest_mode``.
    """
    if any(ruler.count > LOOKED_AT for ruler in rulers):
        return None
    changed = [ruler for ruler in rulers if not ruler.whole]
    if changed and all(ruler.count == ruler.size for ruler in rulers):
        # ONNX Runtime copies tensors whose sizes do not change, whatever the scale
        return None
    rules = {(ruler.output_offset, ruler.input_offset, ruler.up) for ruler in changed}
    choices = {_RESIZES.get(rule) for rule in rules} or {("half_pixel", "round_prefer_floor")}
    if len(choices) > 1:
        return None
    (modes,) = choices
    return modes if modes and all(ruler.resizes(*modes) for ruler in rulers) else None


def _less(at: Any, by: float) -> Any:
    """The difference in FLOAT, in the usual notation: with a plus sign for a negative number."""
    if not by:
        return single(at)
    return single(single(at) - np.float32(by) if by > 0 else single(at) + np.float32(-by))


def _less_text(text: str, by: float) -> str:
    if not by:
        return text
    return f"{text} {'-' if by > 0 else '+'} {print_setting(abs(by))}"


def _count_within(size: float) -> int:
    """A whole number of pixels, at least one; 0 if they are too many for a misreading."""
    return max(1, int(size)) if size < MISREADING_LIMIT else 0
