"""The simple shapes of a picture, in pixels from its upper left corner.

There can be tens of thousands, and named tuples are made several times faster than data classes.
"""

from __future__ import annotations

from typing import NamedTuple


class Rectangle(NamedTuple):
    """A rectangle, filled or as a line around it.

    Attributes:
        x, y, wide, high: the upper left corner, and the sides.
        fill: a color as ``#rrggbb``; empty for none.
        stroke: the color of the line, whose middle is on the edge; empty for none.
        thick: of the line.
        opacity: of the fill or of the line, from 0 to 1.
        dash: lengths of dashes and gaps in turn; none for a solid line.
    """

    x: float
    y: float
    wide: float
    high: float
    fill: str = ""
    stroke: str = ""
    thick: float = 1
    opacity: float = 1
    dash: tuple[float, ...] = ()


class Rectangles(NamedTuple):
    """Rectangles of one size and color, filled or as lines around them.

    Attributes:
        corners: the upper left corner of each.
        wide, high, fill, stroke, thick, opacity: as of :class:`Rectangle`; a line has sharp edges.
    """

    corners: tuple[tuple[float, float], ...]
    wide: float
    high: float
    fill: str = ""
    stroke: str = ""
    thick: float = 1
    opacity: float = 1


class Path(NamedTuple):
    """Straight lines, or areas with straight edges.

    Attributes:
        parts: the points of each.
        fill, stroke, thick, opacity: as of :class:`Rectangle`; what has a fill is closed.
    """

    parts: tuple[tuple[tuple[float, float], ...], ...]
    fill: str = ""
    stroke: str = ""
    thick: float = 1
    opacity: float = 1


class Text(NamedTuple):
    """A line of text.

    Attributes:
        x: its ``left`` end, its ``center`` or its ``right`` end, as ``align`` says.
        y: of its baseline.
        text: what it says.
        size: of its letters, in pixels.
        color: of its letters, as ``#rrggbb``.
        bold: whether its letters are bold; of a text with a rest, only the beginning is.
        align: what ``x`` is.
        rest: what follows a bold beginning.
    """

    x: float
    y: float
    text: str
    size: float
    color: str
    bold: bool = False
    align: str = "left"
    rest: str = ""


class Bitmap(NamedTuple):
    """A picture made of pixels.

    Attributes:
        x, y, wide, high: where it is drawn.
        rows, columns: of its pixels, which are enlarged as squares and reduced by blending.
        pixels: red, green, blue and opacity of each, row by row, a byte each.
    """

    x: float
    y: float
    wide: float
    high: float
    rows: int
    columns: int
    pixels: bytes


Shape = Rectangle | Rectangles | Path | Text | Bitmap
