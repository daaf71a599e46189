"""What a cell looks like: its color, its number, the patterns on it and the frame inside it.

Every still picture and every frame of a GIF draws its cells by these rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dmlviz.base.deferred import dataclass
from dmlviz.picture.lettering import CAP
from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import Palette
from dmlviz.picture.shapes import Path, Rectangle, Rectangles, Shape, Text
from dmlviz.tensors.types import Array

HATCH, DOTS, CROSS, EDGE, FOLD = 1, 2, 4, 8, 16
"""Patterns: a padding value; NaN or an infinity; an element that differs from its source; a thin
edge of cells without a color; an element whose place several elements were put in."""

SMALL = 14
"""The largest square, in pixels, that is too small for a full frame."""

_PATTERNS, _DASHES = measures()["patterns"], measures()["dashes"]

FAINT = _PATTERNS["faintFrame"]
"""The opacity of the frame around a small square."""


@dataclass(frozen=True)
class CellLook:
    """What one cell looks like, wherever it is.

    Attributes:
        fill: its color; empty for none.
        ink: the color of its number.
        label: its number; empty where cells are too small.
        pattern: a sum of ``HATCH``, ``DOTS``, ``CROSS``, ``EDGE`` and ``FOLD``.
    """

    fill: str
    ink: str = ""
    label: str = ""
    pattern: int = 0


@dataclass(frozen=True)
class CellStyle:
    """How all cells of a picture are drawn.

    Attributes:
        wide, high: of a cell's square, without the gap, in pixels.
        font: the size of the numbers; 0 where they would be too small to read.
        palette: the theme's.
    """

    wide: float
    high: float
    font: float
    palette: Palette

    def shapes(self, look: CellLook, x: float, y: float, grown: float = 1) -> Iterator[Shape]:
        """A cell.

        Args:
            look: what it looks like.
            x, y: the upper left corner of its square when it has grown.
            grown: its size, from 0 to 1, around its middle.
        """
        box = x, y, wide, high = self.square(x, y, grown)
        if look.fill:
            yield Rectangle(*box, look.fill)
        yield from self.patterns(look.pattern, *box)
        if look.label:
            font = self.font * grown
            baseline = y + (high + CAP * font) / 2
            yield Text(x + wide / 2, baseline, look.label, font, look.ink, True, "center")

    def square(self, x: float, y: float, grown: float = 1) -> tuple[float, float, float, float]:
        """Left, upper edge, width and height of the square of a cell."""
        wide, high = self.wide * grown, self.high * grown
        return x + (self.wide - wide) / 2, y + (self.high - high) / 2, wide, high

    def patterns(
        self, pattern: int, x: float, y: float, wide: float, high: float
    ) -> Iterator[Shape]:
        """What is over the color of a square."""
        right, bottom = x + wide, y + high
        ink, line = self.palette.ink, self.palette.line
        of = _PATTERNS
        if pattern & HATCH:
            reach, count = min(wide, high) * of["hatchReach"], int(of["hatchStrokes"])
            ends = [reach * part / count for part in range(1, count + 1)]
            strokes = tuple(((x, y + end), (x + end, y)) for end in ends)
            thick = max(1, reach / of["hatchThin"])
            yield Path(strokes, stroke=self.palette.hatch, thick=thick)
        if pattern & DOTS:
            size, apart = max(of["dotLeast"], wide / of["dotThin"]), of["dotsApart"]
            lefts = [x + wide * (apart + k * apart) - size / 2 for k in range(int(of["dots"]))]
            corners = tuple((left, bottom - size * of["dotsUp"]) for left in lefts)
            yield Rectangles(corners, size, size, ink)
        if pattern & EDGE:
            inside = x + 0.5, y + 0.5, max(0, wide - 1), max(0, high - 1)
            yield Rectangle(*inside, stroke=line, opacity=of["edgeOpacity"])
        if pattern & FOLD:
            reach = max(of["cornerLeast"], min(wide, high) * of["corner"])
            corner = ((right - reach, bottom), (right, bottom), (right, bottom - reach))
            yield Path((corner,), ink, opacity=of["foldOpacity"])
        if pattern & CROSS:
            reach = max(of["cornerLeast"], wide * of["corner"])
            corner = ((right - reach, y), (right, y), (right, y + reach))
            yield Path((corner,), self.palette.accent)

    def frames(
        self, places: Iterable[tuple[float, float]], moving: bool = False, grown: float = 1
    ) -> Iterator[Shape]:
        """Frames inside the squares of cells: full in large ones, faint in small ones.

        Args:
            places: the upper left corners of the squares when they have grown.
            moving: thinner, and none around small squares.
            grown: the size of the squares, from 0 to 1.
        """
        side = min(self.wide, self.high)
        if side <= SMALL:
            thick, opacity = 1, 0.0 if moving else FAINT
        else:
            thick, opacity = 1 if side < (40 if moving else 26) else 2, 1.0
        squares = [self.square(x, y, grown) for x, y in places]
        if squares and opacity:
            corners = tuple((x + thick / 2, y + thick / 2) for x, y, _wide, _high in squares)
            wide, high = squares[0][2] - thick, squares[0][3] - thick
            accent = self.palette.accent
            yield Rectangles(corners, wide, high, stroke=accent, thick=thick, opacity=opacity)


def dashed(
    x: float, y: float, wide: float, high: float, palette: Palette, scale: float
) -> Rectangle:
    """A dashed line around a tensor of indices.

    Args:
        x, y, wide, high: where the line is.
        palette: the theme's.
        scale: of everything except cells.
    """
    dash = (_DASHES["dash"] * scale, _DASHES["apart"] * scale)
    thick = _DASHES["thick"] * scale
    return Rectangle(x, y, wide, high, stroke=palette.line, thick=thick, dash=dash)


@dataclass(frozen=True, eq=False)
class Squares:
    """Cells of one size in their places.

    A back end may draw each look once and copy it, which makes thousands of cells affordable.

    Attributes:
        x, y: the upper left corner of each square, without the gap between cells.
        look: the number of each square's look; int64.
        looks: all looks of a picture.
        style: how these cells are drawn.
        framed: the numbers of the squares that have a frame; int64.
        grown: the size of the squares in their places, from 0 to 1.
        moving: whether squares may overlap, so that each is drawn with its own frame before the
            next; else they stay in their places at every moment.
        under: the looks that are seen around squares that have not grown to their size; int64.
    """

    x: Array
    y: Array
    look: Array
    looks: tuple[CellLook, ...]
    style: CellStyle
    framed: Array
    grown: float = 1
    moving: bool = False
    under: Array | None = None
