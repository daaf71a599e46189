"""Positions of a step on the rulers of its tensors: a line across each plane, with its number.

The rules are those of the player's rulers.js.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.movement.steps import Point
from dmlviz.picture.layouts import plane_sizes
from dmlviz.picture.lettering import length
from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import Palette
from dmlviz.picture.scene import Placed, Side
from dmlviz.picture.shapes import Path, Rectangle, Shape, Text
from dmlviz.tensors.types import Array

_RULERS, _NUMBERS = measures()["rulers"], measures()["numbers"]

Box = tuple[float, float, float, float]
"""Left, top, width and height, in pixels."""


@dataclass(frozen=True)
class Mark:
    """A position on a ruler, marked across one plane.

    Attributes:
        start, end: of the line, as x and y in pixels.
        cell: the width and height of a cell, in pixels.
        text: the position as a number; empty where cells are too small for it.
        numbers: of cells, which the line leaves alone.
        into: how far into its row a line across is, from 0 to 1.
        font: the size of the cells' numbers, in pixels.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    cell: tuple[int, int]
    text: str
    numbers: tuple[Box, ...] = ()
    into: float = 0.0
    font: float = 0.0

    @property
    def upright(self) -> bool:
        """Whether the line goes down rather than across."""
        return self.start[0] == self.end[0]

    def pieces(self) -> Iterator[tuple[float, float]]:
        """Where each part of the line between numbers begins and ends, along the line."""
        along = 1 if self.upright else 0
        at = self.start[along]
        for box in sorted(self.numbers, key=lambda box: box[along]):
            if box[along] > at:
                yield at, box[along]
            at = box[along] + box[along + 2]
        if at < self.end[along]:
            yield at, self.end[along]

    def size(self, scale: float) -> float:
        """The size of the position as a number, in pixels."""
        return _size(self.cell[1], self.font, scale)


def marks_at(
    points: Sequence[Point],
    sides: Sequence[tuple[Side, Array, Array]],
    cell: tuple[int, int],
    scale: float,
    labels: Sequence[Sequence[str]] = (),
    font: float = 0.0,
) -> tuple[Mark, ...]:
    """The marks of one step; none for a dimension that has no ruler because planes are apart.

    Args:
        points: the positions.
        sides: inputs and outputs, with the left and upper edge of every cell, in pixels.
        cell: the width and height of a cell, in pixels.
        scale: of everything except cells.
        labels: the numbers of each side's cells; none without a font.
        font: the size of numbers in pixels; 0 where there are none.
    """
    marks = []
    for point in points:
        for (side, x, y), texts in zip(sides, labels or ((),) * len(sides), strict=True):
            for tensor in (t for t in side.tensors if t.name == point.tensor):
                fits = _size(cell[1], font, scale) >= _RULERS["smallest"] * scale
                text = f"{round(point.at, 3):g}" if fits else ""
                numbers = _numbers(tensor, x, y, cell, texts, font) if font else []
                rows = plane_sizes(tensor.layout.sizes)[0]
                inside = min(max(point.at, 0.0), float(rows))
                into = inside - min(math.floor(inside), rows - 1)
                for start, end in _lines(tensor, x, y, cell, point):
                    met = tuple(box for box in numbers if _meets(box, start, end))
                    marks.append(Mark(start, end, cell, text, met, into, font))
    return tuple(marks)


def _size(high: int, font: float, scale: float) -> float:
    # a cell's number has its middle, the position has what remains above or below
    between = _RULERS["fromNumber"] * font + _RULERS["beside"] * scale
    return min(_RULERS["size"] * scale, high / 2 - between)


def _numbers(
    tensor: Placed, x: Array, y: Array, cell: tuple[int, int], texts: Sequence[str], font: float
) -> list[Box]:
    """Where a tensor's numbers stand."""
    wide, high = cell
    boxes = []
    for i in range(tensor.first, tensor.first + tensor.count):
        width = min(wide - 2, len(texts[i]) * font * _NUMBERS["letter"])
        boxes.append(
            (
                float(x[i]) + (wide - width) / 2,
                float(y[i]) + high / 2 - font * _NUMBERS["above"],
                width,
                font * _NUMBERS["high"],
            )
        )
    return boxes


def _meets(box: Box, start: tuple[float, float], end: tuple[float, float]) -> bool:
    left, top, wide, high = box
    across = left - 1 < end[0] and left + wide + 1 > start[0]
    return across and top - 1 < end[1] and top + high + 1 > start[1]


def _lines(
    tensor: Placed, x: Array, y: Array, cell: tuple[int, int], point: Point
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Both ends of a line across every plane; a position outside is marked at the edge."""
    sizes, (wide, high) = tensor.layout.sizes, cell
    rows, columns = plane_sizes(sizes)
    upright = point.dimension == len(sizes) - 1
    if not upright and point.dimension != len(sizes) - 2:
        return
    count = columns if upright else rows
    inside = min(max(point.at, 0.0), float(count))
    at = min(math.floor(inside), count - 1)
    for plane in range(min(math.prod(sizes[:-2]), int(_RULERS["planes"]))):
        first = tensor.first + plane * rows * columns + at * (1 if upright else columns)
        last = first + ((rows - 1) * columns if upright else columns - 1)
        left = float(x[first]) + (inside - at) * wide * upright
        top = float(y[first]) + (inside - at) * high * (not upright)
        yield (
            (left, top),
            (left, float(y[last]) + high) if upright else (float(x[last]) + wide, top),
        )


def ruler_shapes(
    marks: Sequence[Mark], palette: Palette, scale: float, font: str | None
) -> Iterator[Shape]:
    """Lines with an arrowhead inside each end, and their numbers.

    Args:
        marks: what to draw.
        palette: the theme's.
        scale: of everything except cells.
        font: a font file to prefer, or None.
    """
    for mark in marks:
        (x1, y1) = mark.start
        parts = tuple(
            ((x1, a), (x1, b)) if mark.upright else ((a, y1), (b, y1)) for a, b in mark.pieces()
        )
        thick, opacity = _RULERS["thick"] * scale, _RULERS["opacity"]
        yield Path(parts, stroke=palette.accent, thick=thick, opacity=opacity)
        reach = min(_RULERS["head"] * scale, min(mark.cell) / _RULERS["headsPerCell"])
        yield Path(tuple(_heads(mark, reach)), palette.accent)
        if mark.text:
            yield from _number(mark, palette, scale, font)


def _heads(mark: Mark, reach: float) -> Iterator[tuple[tuple[float, float], ...]]:
    half = reach * _RULERS["headHalf"]
    for (x, y), along in ((mark.start, reach), (mark.end, -reach)):
        if mark.upright:
            yield (x - half, y), (x + half, y), (x, y + along)
        else:
            yield (x, y - half), (x, y + half), (x + along, y)


def _number(mark: Mark, palette: Palette, scale: float, font: str | None) -> Iterator[Shape]:
    """The position near the line's end, above or below the numbers of the cells."""
    size = mark.size(scale)
    wide = length(mark.text, size, True, font) + _RULERS["wider"] * scale
    high = size + _RULERS["higher"] * scale
    (x1, _y1), (x2, y2) = mark.start, mark.end
    left, top = x2 + _RULERS["beside"] * scale, y2 - high - scale
    if not mark.upright:
        # in the last column's left half, or before the only column's end
        several = x2 - x1 > mark.cell[0] * 1.5
        left = x2 - mark.cell[0] - wide / 2 if several else x2 - wide - _RULERS["before"] * scale
        # in its own row: between the row's edge and the numbers
        middle, half = y2 + (0.5 - mark.into) * mark.cell[1], mark.cell[1] / 2
        from_number = _RULERS["fromNumber"] * mark.font
        if mark.into <= 0.5:
            top = max(middle - half, min(y2 - scale, middle - from_number) - high)
        else:
            top = min(middle + half - high, max(y2 + scale, middle + from_number))
    yield Rectangle(left, top, wide, high, palette.paper, opacity=_RULERS["paper"])
    baseline = top + size * 0.95
    yield Text(left + wide / 2, baseline, mark.text, size, palette.accent, True, "center")
