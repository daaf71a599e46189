"""A drawing as pixels: resvg draws every still picture from the SVG that is also exported."""

from __future__ import annotations

import io

import numpy as np
import resvg_py
from PIL import Image

from dmlviz.picture.lettering import files_for
from dmlviz.tensors.types import Array


def raster(drawing: str, font: str | None = None) -> Array:
    """The pixels of an SVG at its own size; uint8, height by width by red, green, blue.

    Args:
        drawing: one ``svg`` element that names its fonts as :func:`.lettering.families` does.
        font: the name or path of a font file that is preferred.
    """
    found: Array = layer(drawing, font)[..., :3]
    return found


def layer(drawing: str, font: str | None = None) -> Array:
    """The same with opacity as a fourth number, for a drawing without a background."""
    made = resvg_py.svg_to_bytes(
        svg_string=drawing, skip_system_fonts=True, font_files=list(files_for(drawing, font))
    )
    with Image.open(io.BytesIO(bytes(made))) as image:
        return np.asarray(image.convert("RGBA"))
