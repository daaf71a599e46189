"""Positions of a step on the rulers of its tensors: a line across each plane, with its number.

The rules are those of the player's rulers.js.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from dmlviz.movement.steps import Point
from dmlviz.picture.lettering import length
from dmlviz.picture.palettes import Palette
from dmlviz.picture.scene import Placed, Side
from dmlviz.tensors.types import Array

_MOST_PLANES = 64
_NUMBERED = 34
"""The lowest cell, in pixels, that has room for a number beside its own."""
_SIZE = 11.0


@dataclass(frozen=True)
class Mark:
    """A position on a ruler, marked across one plane.

    Attributes:
        start, end: of the line, as x and y in pixels.
        cell: the width and height of a cell, in pixels.
        text: the position as a number; empty where cells are too small for it.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    cell: tuple[int, int]
    text: str

    @property
    def upright(self) -> bool:
        """Whether the line goes down rather than across."""
        return self.start[0] == self.end[0]


def marks_at(
    points: Sequence[Point],
    sides: Sequence[tuple[Side, Array, Array]],
    cell: tuple[int, int],
    scale: float,
) -> tuple[Mark, ...]:
    """The marks of one step; none for a dimension that has no ruler because planes are apart.

    Args:
        points: the positions.
        sides: inputs and outputs, with the left and upper edge of every cell, in pixels.
        cell: the width and height of a cell, in pixels.
        scale: of everything except cells.
    """
    found = []
    for point in points:
        for side, x, y in sides:
            for tensor in (t for t in side.tensors if t.name == point.tensor):
                text = f"{round(point.at, 3):g}" if cell[1] >= _NUMBERED * scale else ""
                lines = _lines(tensor, x, y, cell, point)
                found += [Mark(start, end, cell, text) for start, end in lines]
    return tuple(found)


def _lines(
    tensor: Placed, x: Array, y: Array, cell: tuple[int, int], point: Point
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Both ends of a line across every plane; a position outside is marked at the edge."""
    sizes, (wide, high) = tensor.layout.sizes, cell
    columns, rows = sizes[-1], sizes[-2] if len(sizes) > 1 else 1
    upright = point.dimension == len(sizes) - 1
    if not upright and point.dimension != len(sizes) - 2:
        return
    count = columns if upright else rows
    inside = min(max(point.at, 0.0), float(count))
    at = min(math.floor(inside), count - 1)
    for plane in range(min(math.prod(sizes[:-2]), _MOST_PLANES)):
        first = tensor.first + plane * rows * columns + at * (1 if upright else columns)
        last = first + ((rows - 1) * columns if upright else columns - 1)
        left = float(x[first]) + (inside - at) * wide * upright
        top = float(y[first]) + (inside - at) * high * (not upright)
        yield (
            (left, top),
            (left, float(y[last]) + high) if upright else (float(x[last]) + wide, top),
        )


def draw_marks(
    root: Element, marks: Sequence[Mark], palette: Palette, scale: float, font: str | None
) -> None:
    """Draw lines with an arrowhead inside each end, and their numbers."""
    group = SubElement(root, "g", {"id": "rulers", "fill": palette.accent, "font-weight": "600"})
    for mark in marks:
        (x1, y1), (x2, y2) = mark.start, mark.end
        line = {"d": f"M{x1:.6g} {y1:.6g}L{x2:.6g} {y2:.6g}", "stroke": palette.accent}
        line |= {"stroke-width": f"{1.5 * scale:.3g}", "stroke-opacity": "0.45"}
        SubElement(group, "path", line)
        reach = min(7 * scale, min(mark.cell) / 3)
        SubElement(group, "path", {"d": _heads(mark, reach)})
        if mark.text:
            _number(group, mark, palette, scale, font)


def _heads(mark: Mark, reach: float) -> str:
    half, way = reach * 0.7, ""
    for (x, y), along in ((mark.start, reach), (mark.end, -reach)):
        if mark.upright:
            way += f"M{x - half:.6g} {y:.6g}H{x + half:.6g}L{x:.6g} {y + along:.6g}z"
        else:
            way += f"M{x:.6g} {y - half:.6g}V{y + half:.6g}L{x + along:.6g} {y:.6g}z"
    return way


def _number(group: Element, mark: Mark, palette: Palette, scale: float, font: str | None) -> None:
    """The position near the line's end, beside the numbers of the cells."""
    size = _SIZE * scale
    wide = length(mark.text, size, True, font) + 4 * scale
    (x1, _y1), (x2, y2) = mark.start, mark.end
    left = x2 + 3 * scale
    if not mark.upright:
        # in the last column's left half, or before the only column's end
        several = x2 - x1 > mark.cell[0] * 1.5
        left = x2 - mark.cell[0] - wide / 2 if several else x2 - wide - 8 * scale
    top = y2 - size - 4 * scale
    box = {"x": f"{left:.6g}", "y": f"{top:.6g}", "width": f"{wide:.6g}"}
    box |= {"height": f"{size + 3 * scale:.6g}", "fill": palette.paper, "fill-opacity": "0.85"}
    SubElement(group, "rect", box)
    text = {"x": f"{left + wide / 2:.6g}", "y": f"{top + size:.6g}", "font-size": f"{size:.4g}"}
    SubElement(group, "text", text | {"text-anchor": "middle"}).text = mark.text
