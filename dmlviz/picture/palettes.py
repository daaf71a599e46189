"""Colors of the stage, one set for light pages and one for dark ones.

Each scale runs from one end of a theme's brightness to the middle, so that one ink is
readable on all of it (contrast at least 4.5:1) and order is visible without color vision.
"""

from __future__ import annotations

from dataclasses import dataclass


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
