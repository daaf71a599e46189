"""Colors of the stage, one set for light pages and one for dark ones; and colors as numbers.

Each scale runs from one end of a theme's brightness to the middle, so that one ink is
readable on all of it (contrast at least 4.5:1) and order is visible without color vision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.picture.measures import measures
from dmlviz.tensors.types import Array


@dataclass(frozen=True)
class Palette:
    """Colors as ``#rrggbb``.

    Attributes:
        scale: stops from 0 to 1 for values.
        ink: numbers in cells, and titles.
        paper: the background of the stage, unless the page sets another one.
        slot: a place whose element has not landed.
        line: titles of planes, indices.
        padding: cells that hold the padding value.
        hatch: the strokes on padding cells.
        accent: frames round what moves.
        kinds: for channels, one after the other.
        corners: for places: upper left, upper right, lower left, lower right.
        pins: frames and lines of pinned cells, one after the other.
        axes: the indices of a formula, by dimension.
        tints: full red, green and blue of a picture's planes, light enough to read black on.
    """

    scale: tuple[tuple[float, str], ...]
    ink: str
    paper: str
    slot: str
    line: str
    padding: str
    hatch: str
    accent: str
    kinds: tuple[str, ...]
    corners: tuple[str, str, str, str]
    pins: tuple[str, ...]
    axes: tuple[str, ...]
    tints: tuple[str, str, str] = ("#ff5f52", "#35cf70", "#6ea0ff")


LIGHT = Palette(
    scale=(
        (0.0, "#fff6cf"),
        (0.3, "#cdeac0"),
        (0.6, "#8fd0d6"),
        (0.85, "#8fb4ec"),
        (1.0, "#a5a0ee"),
    ),
    ink="#0d1b2a",
    paper="#ffffff",
    slot="#eef1f5",
    line="#5a6876",
    padding="#e3e3e3",
    hatch="#8a8f96",
    accent="#c2410c",
    kinds=(
        "#f5c76e",
        "#8ec9f0",
        "#7fd1b0",
        "#f2a0c8",
        "#e9e37c",
        "#a9b4f2",
        "#f29d7a",
        "#c9ccd1",
    ),
    corners=("#fff3c4", "#a8d8f0", "#f7b7a3", "#b9a7ee"),
    pins=("#0b4f9e", "#a3125f", "#0a6b4c", "#7a4a00", "#5b2aa8", "#3d4650"),
    axes=("#6b3fa0", "#b0305c", "#0f6e56", "#1d5fb0", "#8a5300", "#4b5560", "#7d2ea0", "#96382a"),
)

DARK = Palette(
    scale=(
        (0.0, "#2b2352"),
        (0.3, "#25406f"),
        (0.6, "#1f5f78"),
        (0.85, "#21705e"),
        (1.0, "#4d722f"),
    ),
    ink="#f7fafc",
    paper="#0e1117",
    slot="#1c232c",
    line="#a3b1bf",
    padding="#3d4248",
    hatch="#8d97a1",
    accent="#ff9b5e",
    kinds=(
        "#781104",
        "#4260bc",
        "#935800",
        "#3f2447",
        "#b63849",
        "#111d6d",
        "#7a5b81",
        "#49171c",
    ),
    corners=("#5c5312", "#164d70", "#7a2f1e", "#4a3391"),
    pins=("#42defb", "#f9d462", "#8a7de7", "#ceeac9", "#e7605a", "#c77099"),
    axes=("#c9b2ff", "#ff9ab8", "#6fe0b8", "#8cc8ff", "#ffc97a", "#c3ccd5", "#e0a8ff", "#ffab9c"),
)


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
