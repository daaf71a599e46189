"""One tensor laid out as cells: planes of the last two dimensions, side by side and below.

Coordinates are in cells: x to the right, y down, the first cell of a tensor at (0, 0).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.tensors.types import Array, Places

COLUMN_GAP = 0.9
ROW_GAP = 1.35
_LONG_ROW = 32


def plane_sizes(sizes: Sequence[int]) -> tuple[int, int]:
    """Rows and columns of a plane; what has fewer than two dimensions is one row.

    >>> plane_sizes((5, 2, 3)), plane_sizes((3,)), plane_sizes(())
    ((2, 3), (1, 3), (1, 1))
    """
    return (1, 1, *sizes)[-2], (1, 1, *sizes)[-1]


@dataclass(frozen=True)
class AxisPlacement:
    """How one dimension is placed in the plane of the picture.

    The element at index i is moved right by ``(i % wrap) * dx`` and down by
    ``(i // wrap) * dy`` cells.
    """

    size: int
    wrap: int
    dx: float
    dy: float


@dataclass(frozen=True)
class Layout:
    """A tensor of any rank as planes side by side and below each other.

    Attributes:
        sizes: of the tensor.
        axes: one for each dimension.
        width, height: of the whole, in cells.
        places: the indices of each dimension, where only a part of a tensor is drawn; else empty.
    """

    sizes: tuple[int, ...]
    axes: tuple[AxisPlacement, ...]
    width: float
    height: float
    places: Places = ()

    def index(self, position: Sequence[int]) -> tuple[int, ...]:
        """The index of the element that is drawn at a position."""
        if not self.places:
            return tuple(position)
        return tuple(own[i] for own, i in zip(self.places, position, strict=True))

    def positions(self) -> tuple[Array, Array]:
        """Left and upper edge of every element's cell, flat; float64, in cells."""
        x = np.zeros(self.sizes)
        y = np.zeros(self.sizes)
        for d, axis in enumerate(self.axes):
            shape = [-1 if e == d else 1 for e in range(len(self.axes))]
            i = np.arange(axis.size)
            x += ((i % axis.wrap) * axis.dx).reshape(shape)
            y += ((i // axis.wrap) * axis.dy).reshape(shape)
        return x.ravel(), y.ravel()

    @property
    def plane_count(self) -> int:
        """How many planes there are."""
        return math.prod(self.sizes[:-2])

    def planes(self) -> Iterator[tuple[tuple[int, ...], float, float]]:
        """Outer indices and upper left corner of every plane."""
        outer = self.axes[:-2]
        for at in np.ndindex(*(axis.size for axis in outer)):
            x = sum((i % axis.wrap) * axis.dx for i, axis in zip(at, outer, strict=True))
            y = sum((i // axis.wrap) * axis.dy for i, axis in zip(at, outer, strict=True))
            yield at, x, y


DIRECTIONS = ("auto", "across", "down")
"""The directions for the planes of one outer dimension: automatic, in a row, in a column."""


def layout(
    sizes: tuple[int, ...], directions: Mapping[int, str] | None = None, shape: float = 1.0
) -> Layout:
    """Planes of the last two dimensions, arranged so that the whole has about the given shape.

    ``shape`` is the width divided by the height; ``directions`` can put the planes of an outer
    dimension "across" or "down" instead.

    >>> layout((1, 1, 2, 3)).width, layout((1, 1, 2, 3)).height
    (3.0, 2.0)
    """
    axes, width, height = _plane(sizes)
    column_gap, row_gap = COLUMN_GAP, ROW_GAP
    for d in reversed(range(len(sizes) - 2)):
        n = sizes[d]
        if n == 1:
            axes.insert(0, AxisPlacement(1, 1, 0.0, 0.0))
            continue
        # thousandths, so that Python and JavaScript find the same cell at the same place
        dx, dy = round(width + column_gap, 3), round(height + row_gap, 3)
        direction = (directions or {}).get(d, "auto")
        wrap = {"across": n, "down": 1}.get(direction) or _columns(n, dx, dy, shape)
        axes.insert(0, AxisPlacement(n, wrap, dx, dy))
        width += (min(n, wrap) - 1) * dx
        height += (math.ceil(n / wrap) - 1) * dy
        # outer levels are further apart, so that the nesting is visible
        column_gap *= 1.8
        row_gap *= 1.25
    return Layout(tuple(sizes), tuple(axes), width, height)


def _plane(sizes: tuple[int, ...]) -> tuple[list[AxisPlacement], float, float]:
    rows, columns = plane_sizes(sizes)
    if rows == 1 and columns > _LONG_ROW:
        # one long row is wrapped like text, with space between its lines
        wrap = _LONG_ROW
        across = AxisPlacement(columns, wrap, 1.0, 1.4)
        width, height = float(wrap), (math.ceil(columns / wrap) - 1) * 1.4 + 1
    else:
        across = AxisPlacement(columns, columns, 1.0, 0.0)
        width, height = float(columns), float(rows)
    down = AxisPlacement(rows, 1, 0.0, 1.0)
    # a tensor of fewer dimensions has fewer axes
    return [down, across][2 - min(len(sizes), 2) :], width, height


def _columns(n: int, dx: float, dy: float, shape: float) -> int:
    """How many of n blocks to put side by side, so that the whole has about this shape."""

    def cost(k: int) -> tuple[float, int]:
        ratio = (k * dx) / (math.ceil(n / k) * dy * shape)
        holes = math.ceil(n / k) * k - n
        return (abs(math.log(ratio)) + 0.45 * (holes > 0) + holes / n, k)

    # with a third or three times as many side by side the shape would be nine times off
    right = math.sqrt(n * dy * shape / dx)
    return min(range(max(1, min(n, int(right / 3))), min(n, int(right * 3) + 3) + 1), key=cost)
