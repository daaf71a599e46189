"""Pictures and arrays to download: PNG and SVG of a moment, GIF of the movement, NPZ, NPY."""

from __future__ import annotations

import io

from PIL import Image, PngImagePlugin

from dmlviz.picture.alone import tensor_svg
from dmlviz.picture.arrays import npy, npz
from dmlviz.picture.asked import (
    Still,
    image_address,
    inputs_font,
    inputs_svg,
    refused_svg,
    spoken,
    stills,
    svg_size,
)
from dmlviz.picture.board import board
from dmlviz.picture.coloring import Mode
from dmlviz.picture.drawing import moment_drawing
from dmlviz.picture.gif import gif
from dmlviz.picture.legible import legible
from dmlviz.picture.lettering import families
from dmlviz.picture.moment import moment
from dmlviz.picture.raster import raster
from dmlviz.picture.scene import Scene
from dmlviz.picture.svg import svg, svg_file, tensors_svg

__all__ = [
    "Still",
    "gif",
    "image_address",
    "inputs_font",
    "inputs_svg",
    "npy",
    "npz",
    "png",
    "refused_svg",
    "spoken",
    "stills",
    "svg",
    "svg_size",
    "tensor_svg",
    "tensors_svg",
]


def png(
    scene: Scene,
    step: float | None = None,
    *,
    dark: bool = False,
    width: int = 1280,
    font: str | None = None,
    colors: Mode = "value",
) -> bytes:
    """A picture of one moment, as the player's stage shows it.

    Args:
        scene: what to draw.
        step: how far the movement has come: 2.5 is halfway through the third step; None is
            the end.  All moments of a scene make pictures of one size.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096.  The height follows from the tensors.  Thousands of
            columns make the picture wider; thousands of rows make it narrower, so that it has
            16 million pixels or little more.
        font: the name or path of a font file to prefer to the one that comes along.  Where no
            font here has the letters of the language that is spoken, the words are in English.
        colors: what they show, as :func:`dmlviz.picture.svg.svg` takes it.

    Returns:
        a PNG file, whose text chunk ``Description`` tells the picture in words.

    Raises:
        Error: the moment or the width is invalid, or the font cannot be read.
    """
    with legible(scene, font) as legible_scene:
        of = board(legible_scene, dark, width, font, colors)
    pixels = raster(svg_file(moment_drawing(of, moment(of, step), families(font))), font)
    metadata = PngImagePlugin.PngInfo()
    metadata.add_itxt("Description", of.words["picture"])
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=metadata, compress_level=7)
    return file.getvalue()
