"""Colors as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import Palette
from dmlviz.tensors.types import Array


def rgb(color: str) -> Array:
    """A color of a palette as red, green, blue; int16, so that differences are right.

    >>> rgb("#fff6cf").tolist()
    [255, 246, 207]
    """
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], np.int16)


def hexadecimal(color: Sequence[int]) -> str:
    """Red, green and blue as a color of a palette.

    >>> hexadecimal((255, 246, 207))
    '#fff6cf'
    """
    return "#{:02x}{:02x}{:02x}".format(*color)


def colors_at(palette: Palette, values: Array) -> Array:
    """The colors of numbers from 0 to 1; uint8, n by 3."""
    stops = [stop for stop, _color in palette.scale]
    channels = np.array([rgb(color) for _stop, color in palette.scale], np.float64).T
    mixed = np.stack([np.interp(values, stops, channel) for channel in channels], axis=1)
    return np.floor(mixed + 0.5).astype(np.uint8)


def mixed(start: Array, end: Array, part: Array) -> Array:
    """Colors between two others, from 0 for the first to 1 for the second; uint8."""
    mixture: Array = np.floor(start + (end.astype(np.float64) - start) * part + 0.5)
    return mixture.astype(np.uint8)


def inks(colors: Array) -> Array:
    """Black or white as ``#rrggbb``, whichever is readable on each color."""
    share = colors / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    readable: Array = np.where(luminance > measures()["colors"]["blackAbove"], "#000000", "#ffffff")
    return readable


def blended(under: Array, ink: Array, color: str) -> Array:
    """Pixels with ink of a color over them, as a mask from 0 to 255 says."""
    below = under.astype(np.int16)
    # 127 steps are enough, and 16 bits hold their products
    amount = (ink >> 1).astype(np.int16)[..., None]
    mixed: Array = below + ((rgb(color) - below) * amount + 63) // 127
    return mixed.astype(np.uint8)
