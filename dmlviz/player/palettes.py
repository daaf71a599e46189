"""Colours of the stage, one set for light pages and one for dark ones.

Each scale runs from one end of a theme's brightness to the middle, so that one ink is
readable on all of it (contrast at least 4.5:1) and order shows without telling hues apart.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours as ``#rrggbb``.

    Attributes:
        scale: stops from 0 to 1 for values.
        ink: numbers in cells, and titles.
        paper: the page behind the stage, unless the page says otherwise.
        slot: a place whose element has not landed.
        line: titles of planes, indices.
        padding: cells that hold the padding value.
        hatch: the strokes on them.
        accent: frames round what moves.
    """

    scale: tuple[tuple[float, str], ...]
    ink: str
    paper: str
    slot: str
    line: str
    padding: str
    hatch: str
    accent: str


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
)
