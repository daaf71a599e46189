"""All inputs, or all outputs, drawn together: each tensor's place, and the numbers of cells.

The cells of a side are numbered one tensor after the other: first those whose elements move, in
the structure's order, then the control tensors. So a source, counted through all inputs that
move, is the number of a cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.movement import COMPUTED, CONTROL
from dmlviz.picture.layouts import Layout
from dmlviz.tensors.types import Array

_STAGES = (1000, 400), (360, 480)
"""The usual size of a stage in pixels, across and down, and the size on a phone."""
_LOW = (1000, 190), (800, 290)
"""The sizes of stages below code and in a lesson, for four tensors that are read in a row."""
_PHONE_LOW = (340, 290), (700, 160)
"""The sizes of a stage in a lesson on a phone, upright and on its side."""
_HEAD_LOW = 44
"""Pixels there for the words above a tensor."""
_TITLE_SHORT = 110
"""The approximate width in pixels of a title without sizes."""
SHAPES = 1.0, 3.0, 1 / 3
"""The width of a tensor's planes together, divided by their height."""
_HEAD, _BESIDE, _MARGINS = 80, 44, 112
"""Pixels for the words above a tensor, between two side by side, and around both sides."""
_CELLS = (2.0, 10.0, 58.0)
"""The smallest cell, the smallest cell to save height, and the largest cell, in pixels."""
_TITLE = 245
"""The approximate width in pixels of a title with its sizes."""
_LETTER = 9.5
"""The width in pixels of a letter of a title, with a little space."""
_TITLE_CELLS = 5.0
"""The same in cells, with a little space, if cells are large."""


@dataclass(frozen=True)
class Placed:
    """A tensor in its place.

    Attributes:
        name: DirectML's.
        role: ``values``, ``control``, ``index`` or ``computed``.
        layout: its planes.
        x, y: its upper left corner within the side, in cells.
        first: the number of its first cell.
    """

    name: str
    role: str
    layout: Layout
    x: float
    y: float
    first: int

    @property
    def count(self) -> int:
        """How many cells it has."""
        return math.prod(self.layout.sizes)

    def positions(self) -> tuple[Array, Array]:
        """Left and upper edge of every cell within the side, flat; float64, in cells."""
        x, y = self.layout.positions()
        return x + self.x, y + self.y


@dataclass(frozen=True)
class Side:
    """All inputs or all outputs.

    Attributes:
        tensors: in the structure's order.
        width, height: of the whole, in cells.
        air: the space in cells between a tensor and one below it, for its title and indices.
    """

    tensors: tuple[Placed, ...]
    width: float
    height: float
    air: float = 0.0

    @property
    def numbered(self) -> tuple[Placed, ...]:
        """The tensors in the order of their cells' numbers."""
        return tuple(sorted(self.tensors, key=lambda tensor: tensor.first))

    @property
    def count(self) -> int:
        """How many cells there are."""
        return sum(tensor.count for tensor in self.tensors)

    def positions(self) -> tuple[Array, Array]:
        """Left and upper edge of every cell, by number; float64, in cells."""
        places = [tensor.positions() for tensor in self.numbered]
        if not places:
            return np.zeros(0), np.zeros(0)
        x, y = zip(*places, strict=True)
        return np.concatenate(x), np.concatenate(y)

    def at(self, cell: int) -> tuple[Placed, tuple[int, ...]]:
        """The tensor that the cell of this number belongs to, and its index in it."""
        tensor = next(t for t in self.numbered if t.first <= cell < t.first + t.count)
        index = np.unravel_index(cell - tensor.first, tensor.layout.sizes)
        return tensor, tensor.layout.index([int(i) for i in index])


Laid = tuple[str, str, Layout]
"""A tensor without a place yet: its name, its role, its planes."""

Lay = Callable[[float], tuple[Sequence[Laid], Sequence[Laid]]]
"""Inputs and outputs, in the structure's order, with planes for windows of a shape."""


def ways(lay: Lay, letters: int = 0) -> tuple[tuple[Side, Side], ...]:
    """The places of inputs and outputs: for most windows, then for wider, higher and narrower ones.

    Args:
        lay: the tensors.
        letters: the length of the longest title above an output that is shown beside another one.
    """
    shapes = [lay(shape) for shape in SHAPES]
    # without outer dimensions, they are all the same
    apart = [laid for k, laid in enumerate(shapes) if laid not in shapes[:k]]
    titles = (_TITLE, max(_TITLE, letters * _LETTER))
    placements = [_stood(*laid, titles, stage) for stage in _STAGES for laid in apart]
    computed = any(role == COMPUTED for _name, role, _planes in shapes[0][1])
    if computed:
        short = (_TITLE_SHORT, _TITLE_SHORT)
        placements += [_stood(*laid, short, stage) for stage in _LOW for laid in apart]
    if len(shapes[0][0]) > 1:
        narrow = (_TITLE_SHORT, max(_TITLE_SHORT, letters * _LETTER))
        # where numbers are computed there are four tensors or more: a page of them is large enough
        stages = _PHONE_LOW[:1] if computed else _PHONE_LOW
        low = [(stage, laid) for stage in stages for laid in apart]
        placements += [_stood(*laid, narrow, stage, _HEAD_LOW) for stage, laid in low]
    return tuple(dict.fromkeys(placements))


def within(
    way: tuple[Side, Side], stage: tuple[int, int], head: float, title: float
) -> tuple[Side, Side]:
    """The places of inputs and outputs, with their planes as they are, on a stage of its own size.

    Args:
        way: one of the ways.
        stage: pixels across and down.
        head: pixels down for the words above a tensor.
        title: pixels across for them.
    """
    inputs, outputs = (
        [(tensor.name, tensor.role, tensor.layout) for tensor in side.tensors] for side in way
    )
    return _stood(inputs, outputs, (title, title), stage, head)


def _stood(
    inputs: Sequence[Laid],
    outputs: Sequence[Laid],
    titles: tuple[float, float],
    stage: tuple[int, int],
    head: float = _HEAD,
) -> tuple[Side, Side]:
    """The places of inputs and outputs whose planes are known.

    Tensors are side by side or below each other, whichever gives larger cells; in a
    tie, each side becomes about square.
    """
    both = [_listed(side) for side in (inputs, outputs)]
    choices = [*product(*(_grids(len(side)) for side in both))]

    def cost(grids: Sequence[Grid]) -> tuple[float, float]:
        crooked = sum(_crooked(*pair) for pair in zip(both, grids, strict=True))
        return -round(_fit(both, grids, titles, stage, head)[1], 1), crooked

    grids = min(choices, key=cost) if len(choices) > 1 else choices[0]
    spreads, cell = _fit(both, grids, titles, stage, head)
    first, second = (
        _side(*parts, head / cell, _BESIDE / cell)
        for parts in zip(both, grids, spreads, strict=True)
    )
    return first, second


def _listed(tensors: Sequence[Laid]) -> list[Placed]:
    """The tensors with their first cells' numbers, all still in the corner."""
    placed = [Placed(name, role, planes, 0.0, 0.0, 0) for name, role, planes in tensors]
    # a stable order: control tensors last
    order = sorted(range(len(placed)), key=lambda k: placed[k].role == CONTROL)
    first = 0
    for k in order:
        placed[k] = replace(placed[k], first=first)
        first += placed[k].count
    return placed


Grid = list[list[int]]
"""Which tensors are side by side, row by row."""


def _grids(count: int) -> list[Grid]:
    """The ways to put tensors in rows of equal length; one way to put none."""
    return [_rows(count, columns) for columns in range(1, count + 1)] or [[]]


def _rows(count: int, columns: int) -> Grid:
    return [list(range(k, min(k + columns, count))) for k in range(0, count, columns)]


@dataclass(frozen=True)
class _Spread:
    """The cells of the rows and columns of tensors, without the space between them."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]


def _spread(tensors: Sequence[Placed], grid: Grid, title: float) -> _Spread:
    """``title`` is the width of titles, which need space beside other tensors."""
    if not grid:
        return _Spread((), ())
    columns = [title if len(grid[0]) > 1 else 0.0] * len(grid[0])
    for row in grid:
        for c, k in enumerate(row):
            columns[c] = max(columns[c], tensors[k].layout.width)
    rows = (max(tensors[k].layout.height for k in row) for row in grid)
    return _Spread(tuple(rows), tuple(columns))


def _fit(
    both: Sequence[Sequence[Placed]],
    grids: Sequence[Grid],
    titles: Sequence[float],
    stage: tuple[int, int],
    head: float,
) -> tuple[list[_Spread], float]:
    """The space that this arrangement takes, and the approximate pixels of a cell."""
    cell = _CELLS[-1]
    for _again in range(2):
        # with smaller cells, a title is as wide as more of them
        spreads = [
            _spread(tensors, grid, wide / cell)
            for tensors, grid, wide in zip(both, grids, titles, strict=True)
        ]
        cell = _cell(spreads, stage, head)
    return spreads, cell


def _crooked(tensors: Sequence[Placed], grid: Grid) -> float:
    """How much a side differs from a full square."""
    if not grid:
        return 0.0
    columns = len(grid[0])
    spread = _spread(tensors, grid, _TITLE_CELLS)
    across = max(sum(spread.columns) + columns - 1, _TITLE_CELLS)
    down = sum(spread.rows) + 1.3 * len(spread.rows)
    holes = len(grid) * columns - len(tensors)
    return abs(math.log(across / down)) + 0.45 * (holes > 0) + holes / len(tensors)


def _cell(spreads: Sequence[_Spread], stage: tuple[int, int], head: float) -> float:
    """The approximate pixels of a cell, so that words between tensors fit."""
    wide, tall = stage
    spreads = [s for s in spreads if s.rows]
    gaps = sum(len(s.columns) - 1 for s in spreads)
    columns = [sum(s.columns) for s in spreads]
    beside = _fitted(
        (wide - _MARGINS - _BESIDE * gaps) / sum(columns),
        min((tall - head * len(s.rows)) / sum(s.rows) for s in spreads),
    )
    heads = head * sum(len(s.rows) for s in spreads)
    below = _fitted(
        (wide - _MARGINS / 2 - _BESIDE * gaps) / max(columns),
        (tall - heads) / sum(sum(s.rows) for s in spreads),
    )
    # as in the player: inputs are above outputs if that gives larger cells
    return max(below, beside)


def _fitted(across: float, down: float) -> float:
    least, tight, most = _CELLS
    return max(least, min(most, across, max(down, min(across, tight))))


def _side(tensors: Sequence[Placed], grid: Grid, spread: _Spread, air: float, gap: float) -> Side:
    if not grid:
        return Side((), 0.0, 0.0)
    # thousandths, so that Python and JavaScript find the same cell at the same place
    lefts = _starts(spread.columns, gap)
    tops = _starts(spread.rows, air)
    placed = {
        k: replace(tensors[k], x=lefts[c], y=tops[r])
        for r, row in enumerate(grid)
        for c, k in enumerate(row)
    }
    return Side(
        tuple(placed.values()),
        # the title of the outermost tensor needs its space too
        max(lefts[-1] + spread.columns[-1], *(t.x + t.layout.width for t in placed.values())),
        max(t.y + t.layout.height for t in placed.values()),
        round(air, 3) if len(grid) > 1 else 0.0,
    )


def _starts(lengths: Sequence[float], between: float) -> list[float]:
    starts = [0.0]
    for length, _next in pairwise(lengths):
        starts.append(round(starts[-1] + length + between, 3))
    return starts


def named(side: Side, arrays: Mapping[str, Array]) -> Iterator[Array]:
    """The arrays of a side in the order of its cells' numbers."""
    return (arrays[tensor.name] for tensor in side.numbered)
