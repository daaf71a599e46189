"""A learner's own picture, cropped, and drawn as a tensor of any sizes."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.sizes import READ_LIMIT, check_element_count, sizes_of
from dmlviz.tensors.starting import as_tensor
from dmlviz.tensors.types import Array

OWN = "own"
"""What a link says instead of the name of a built-in picture."""

KEPT_SIDE = 512
"""The most pixels of the longer side after reading, so that a crop still has some detail."""

USUAL_SIDE = 48
"""The pixels of the longer side at first: enough to recognize it, few enough to tile it."""

USED_SIDE = 256
"""The most pixels of the longer side that a tensor is drawn from."""


def own_picture_full(data_type: str) -> float:
    """The value of full brightness in a picture of that type: 1 in float types, else 255."""
    return 1.0 if find_type(data_type).dtype.kind == "f" else 255.0


@dataclass(frozen=True)
class OwnPicture:
    """Pixels of a learner's picture, without anything else that the file said.

    Attributes:
        height, width: in pixels.
        pixels: three bytes for each pixel, red, green and blue, row by row.
    """

    height: int
    width: int
    pixels: bytes = field(repr=False)

    @property
    def planes(self) -> Array:
        """Read-only uint8 array of sizes (3, height, width), from 0 to 255."""
        return self.rows.transpose(2, 0, 1)

    @property
    def rows(self) -> Array:
        """Read-only uint8 array of sizes (height, width, 3), as images are displayed."""
        return np.frombuffer(self.pixels, np.uint8).reshape(self.height, self.width, 3)

    def cropped(self, rows: tuple[int, int], columns: tuple[int, int]) -> OwnPicture:
        """A part of the picture, at least one pixel, scaled down to 256 by 256 if it is larger.

        Args:
            rows, columns: where the part starts and ends, in percent from the top and the left.
        """
        top, bottom = _part(rows, self.height)
        left, right = _part(columns, self.width)
        part = self.rows[top:bottom, left:right]
        longest = max(part.shape[:2])
        if longest > USED_SIDE:
            high, wide = (max(1, round(side * USED_SIDE / longest)) for side in part.shape[:2])
            part = _scaled(part, high, wide)
        return OwnPicture(part.shape[0], part.shape[1], part.tobytes())

    def draw(self, sizes: Sequence[int], data_type: str) -> Array:
        """The picture as a tensor of any sizes; a smaller pixel is the mean of what it covers.

        Args:
            sizes: as for :func:`dmlviz.tensors.draw`; 65,536 elements at most.
            data_type: one that holds 0 to 255, or a float type.

        Returns:
            A read-only array with values from 0 to 255, or from 0 to 1 in float types.

        Raises:
            TooLarge: there are more elements than that; nothing was allocated.
            Error: the type cannot hold the values (field ``values``), or the sizes are invalid.
        """
        checked = sizes_of(sizes)
        check_element_count(checked, READ_LIMIT)
        dtype = find_type(data_type).dtype
        if dtype.kind != "f" and np.iinfo(dtype).max < 255:
            message = _(
                "values: your picture has values from 0 to 255, and {data_type} ends at {most}. "
                "Choose UINT8, or FLOAT32 for values from 0 to 1."
            ).format(data_type=data_type, most=np.iinfo(dtype).max)
            raise Error(message, "values")
        high = checked[-2] if len(checked) > 1 else self.height
        planes = as_tensor(_scaled(self.rows, high, checked[-1]).transpose(2, 0, 1), checked)
        result = (planes / 255 if dtype.kind == "f" else planes).astype(dtype, order="C")
        result.flags.writeable = False
        return result


def read_pixels(text: str) -> OwnPicture:
    """A picture that a browser has decoded.

    Args:
        text: its height, its width, and in base64 three bytes for each pixel, with commas between.

    Raises:
        Error: the text is none of a picture of at most 512 by 512 pixels; the field is ``picture``.
    """
    high, wide, data = (*text.split(",", 2), "", "")[:3]
    sides = [int(side) if side.isascii() and side.isdigit() else 0 for side in (high[:4], wide[:4])]
    if all(1 <= side <= KEPT_SIDE for side in sides) and len(data) == 4 * sides[0] * sides[1]:
        with suppress(ValueError):
            pixels = b64decode(data, validate=True)
            if len(pixels) == 3 * sides[0] * sides[1]:
                return OwnPicture(sides[0], sides[1], pixels)
    damaged = _("picture: the file is damaged or incomplete, so it cannot be read.")
    raise Error(damaged, "picture")


def _part(percent: tuple[int, int], count: int) -> tuple[int, int]:
    """From which pixel to which, at least one."""
    start = min(percent[0] * count // 100, count - 1)
    return start, max(start + 1, percent[1] * count // 100)


def _scaled(rows: Array, high: int, wide: int) -> Array:
    """Rows of pixels with another height and width; uint8."""
    if rows.shape[:2] == (high, wide):
        return rows
    means = np.einsum(
        "ih,hwc,jw->ijc",
        _shares(rows.shape[0], high),
        rows,
        _shares(rows.shape[1], wide),
        optimize=True,
    )
    result: Array = np.floor(means + 0.5).astype(np.uint8)
    return result


def _shares(have: int, want: int) -> Array:
    """How much of each pixel is in each new one; float64, want by have."""
    edges = np.arange(want + 1) * have / want
    pixels = np.arange(have)
    ends = np.minimum(edges[1:, None], pixels + 1)
    shared = np.clip(ends - np.maximum(edges[:-1, None], pixels), 0, None)
    result: Array = shared / shared.sum(axis=1, keepdims=True)
    return result
