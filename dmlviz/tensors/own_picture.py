"""A learner's own picture: read from a file, cropped, and drawn as a tensor of any sizes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.pictures import ELEMENT_LIMIT, as_tensor
from dmlviz.tensors.sizes import check_element_count, sizes_of
from dmlviz.words import _

if TYPE_CHECKING:
    from PIL import Image

Array = np.ndarray[Any, Any]

OWN = "own"
"""What a link says instead of the name of a built-in picture."""

MOST_BYTES = 2_000_000
"""The largest file that is read."""

MOST_PIXELS = 4_000_000
"""The most pixels of a file; the size is checked before any pixel is decoded."""

KEPT_SIDE = 512
"""The most pixels of the longer side after reading, so that a crop still has some detail."""

USED_SIDE = 256
"""The most pixels of the longer side that a tensor is drawn from."""

FORMATS = ("PNG", "JPEG", "WEBP")
"""Pillow's names of the formats that are read; no other reader of Pillow sees the file."""


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
        return _fitted(_image(self.rows[top:bottom, left:right]), USED_SIDE)

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
        check_element_count(checked, ELEMENT_LIMIT)
        dtype = find_type(data_type).dtype
        if dtype.kind != "f" and np.iinfo(dtype).max < 255:
            message = _(
                "values: your picture has values from 0 to 255, and {data_type} ends at {most}. "
                "Choose UINT8, or FLOAT32 for values from 0 to 1."
            ).format(data_type=data_type, most=np.iinfo(dtype).max)
            raise Error(message, "values")
        size = (checked[-1], checked[-2] if len(checked) > 1 else self.height)
        planes = as_tensor(_scaled(_image(self.rows), size).planes, checked)
        result = (planes / 255 if dtype.kind == "f" else planes).astype(dtype, order="C")
        result.flags.writeable = False
        return result


def read_own_picture(data: bytes) -> OwnPicture:
    """The picture in a file, upright, without transparency, at most 512 by 512 pixels.

    Of an animation, the first frame is read. Transparent pixels are shown on white.

    Args:
        data: a PNG, JPEG or WebP file, whatever its name.

    Raises:
        Error: the file is too large, has too many pixels, is damaged, or has another format
            (field ``picture``).
    """
    if len(data) > MOST_BYTES:
        message = _("picture: the file has {size:,} bytes; the limit is {most:,}.")
        raise _refusal(message.format(size=len(data), most=MOST_BYTES))
    return _decoded(data)


def _decoded(data: bytes) -> OwnPicture:
    from PIL import Image, ImageOps, UnidentifiedImageError

    damaged = _("picture: the file is damaged or incomplete, so it cannot be read.")
    try:
        image: Image.Image = Image.open(BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        raise _refusal(_("picture: the file is not a PNG, JPEG or WebP picture.")) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _refusal(_too_many()) from None
    except Exception:  # what a damaged header raises depends on the format
        raise _refusal(damaged) from None
    with image:
        if image.width * image.height > MOST_PIXELS:
            raise _refusal(_too_many())
        try:
            image.load()
            with suppress(Exception):  # other parts of what a camera wrote may be damaged
                image = ImageOps.exif_transpose(image)
            return _fitted(_opaque(image), KEPT_SIDE)
        except Exception:  # as above
            raise _refusal(damaged) from None


def _too_many() -> str:
    return _("picture: the file has too many pixels; the limit is {most:,}.").format(
        most=MOST_PIXELS
    )


def _opaque(image: Image.Image) -> Image.Image:
    """Any of Pillow's modes as red, green and blue."""
    from PIL import Image

    if image.mode.startswith("I"):
        # 16 bits of gray, of which Pillow itself would clip all but the darkest
        levels = np.asarray(image).astype(np.int64) // 257
        return Image.fromarray(np.clip(levels, 0, 255).astype(np.uint8)).convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    front = image.convert("RGBA")
    ground = Image.new("RGBA", front.size, "white")
    ground.alpha_composite(front)
    return ground.convert("RGB")


def _part(percent: tuple[int, int], count: int) -> tuple[int, int]:
    """From which pixel to which, at least one."""
    start = min(percent[0] * count // 100, count - 1)
    return start, max(start + 1, percent[1] * count // 100)


def _image(rows: Array) -> Image.Image:
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(rows))


def _fitted(image: Image.Image, most: int) -> OwnPicture:
    """The picture, scaled down if a side is longer than that."""
    longest = max(image.size)
    if longest <= most:
        return OwnPicture(image.height, image.width, image.tobytes())
    wide, high = (max(1, round(side * most / longest)) for side in image.size)
    return _scaled(image, (wide, high))


def _scaled(image: Image.Image, size: tuple[int, int]) -> OwnPicture:
    """The picture with that width and height."""
    from PIL import Image

    result = image if image.size == size else image.resize(size, Image.Resampling.BOX)
    return OwnPicture(result.height, result.width, result.tobytes())


def _refusal(message: str) -> Error:
    return Error(message, "picture")
