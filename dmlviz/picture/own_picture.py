"""Reading the file of a learner's own picture, whatever it holds."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.tensors import OwnPicture
from dmlviz.tensors.own_picture import KEPT_SIDE

MOST_BYTES = 2_000_000
"""The largest file that is read."""

MOST_PIXELS = 4_000_000
"""The most pixels of a file; the size is checked before any pixel is decoded."""

MOST_EXIF = 4_096
"""The most bytes about the camera that are searched for the picture's orientation."""

FORMATS = ("PNG",)
"""Pillow's names of the formats that are read; no other reader of Pillow sees the file.

The browser decodes whatever the learner chose, and sends a PNG. A JPEG would not be bounded by its
size: a progressive one can repeat a scan of all its pixels thousands of times.
"""


def read_own_picture(data: bytes) -> OwnPicture:
    """The picture in a file, upright, without transparency, at most 512 by 512 pixels.

    Of an animation, the first frame is read. Transparent pixels are shown on white.

    Args:
        data: a PNG file, whatever its name.

    Raises:
        Error: the file is too large, has too many pixels, is damaged, or has another format
            (field ``picture``).
    """
    if len(data) > MOST_BYTES:
        message = _("picture: the file has {size:,} bytes; the limit is {most:,}.")
        raise _refusal(message.format(size=len(data), most=MOST_BYTES))
    return _decoded(data)


def _decoded(data: bytes) -> OwnPicture:
    damaged = _("picture: the file is damaged or incomplete, so it cannot be read.")
    try:
        image: Image.Image = Image.open(BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        raise _refusal(_("picture: the file is not a PNG picture.")) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _refusal(_too_many()) from None
    except Exception:  # what a damaged header raises depends on the format
        raise _refusal(damaged) from None
    with image:
        if image.width * image.height > MOST_PIXELS:
            raise _refusal(_too_many())
        try:
            image.load()
            if len(image.info.get("exif", b"")) <= MOST_EXIF:
                with suppress(Exception):  # other parts of what a camera wrote may be damaged
                    image = ImageOps.exif_transpose(image)
            upright = _opaque(image)
            upright.thumbnail((KEPT_SIDE, KEPT_SIDE), Image.Resampling.BOX)
            return OwnPicture(upright.height, upright.width, upright.tobytes())
        except Exception:  # as above
            raise _refusal(damaged) from None


def _too_many() -> str:
    return _("picture: the file has too many pixels; the limit is {most:,}.").format(
        most=MOST_PIXELS
    )


def _opaque(image: Image.Image) -> Image.Image:
    """Any of Pillow's modes as red, green and blue."""
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


def _refusal(message: str) -> Error:
    return Error(message, "picture")
