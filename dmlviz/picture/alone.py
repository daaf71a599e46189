"""One tensor by itself as an SVG file, for questions that hide the result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.picture.cells import CROSS, DOTS, CellLook, CellStyle, Squares, dashed
from dmlviz.picture.cells import EDGE as THIN_EDGE
from dmlviz.picture.coloring import value_scale
from dmlviz.picture.drawing import Drawing, Layer
from dmlviz.picture.layouts import plane_sizes
from dmlviz.picture.lettering import SCREEN_FAMILIES, length
from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import DARK, LIGHT, Palette, colors_at, hexadecimal
from dmlviz.picture.scene import COLUMN_GAP, ROW_GAP, STAGE_LIMIT, Layout, labels, layout
from dmlviz.picture.shapes import Shape, Text
from dmlviz.picture.svg import svg_file
from dmlviz.tensors import check_element_count, data_type_of, print_sizes
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array

_LEFT, _FOOT = 28, 10
_TITLE, _PLANES, _INDICES = 34, 20, 18
_HEAD, _PLANE, _INDEX = 15.0, 12.5, 11.0
"""The sizes of letters, which are those of the stage, so that nothing jumps when it appears."""
_MOST = 58
EDGE = 4
"""The pixels that a dashed line takes around cells."""
_MOST_PIXELS = 4_000_000
_READABLE = 9
_SHARE = 0.42
"""The size of an index, of a cell's."""
_NUMBER = 0.46
"""The size of a number, of a cell's."""
_DIGIT = 0.62


def tensor_svg(
    values: Array,
    name: str,
    *,
    dark: bool = False,
    width: float = 640,
    shape: float = 1.0,
    cell: float = 0.0,
    bare: bool = False,
    plain: bool = False,
    marked: Sequence[int] = (),
    span: tuple[float, float] | None = None,
) -> str:
    """A drawing of one tensor, with its name, sizes, data type and indices.

    Args:
        values: of one of the eleven data types, up to 65,536 elements.
        name: such as "Input"; empty to draw indices and cells alone.
        dark: light ink on dark paper.
        width: in pixels; cells are sized to fit it.
        shape: as :func:`dmlviz.picture.layouts.layout` takes it.
        cell: the width and height of a cell in pixels, instead of what fits the width.
        bare: draw only the cells.
        plain: cells without colors and a dashed line around them: a tensor that only says where
            elements go.
        marked: flat indices of elements with a frame and a filled corner.
        span: the values at the ends of the colors, which drawings of several tensors share;
            by default its own smallest and largest.

    Raises:
        TooLarge: there are more than 65,536 elements.
        Error: the type is not one of the eleven.
    """
    check_element_count(values.shape, STAGE_LIMIT, "values")
    palette = DARK if dark else LIGHT
    texts, placed = labels(values), layout(values.shape, shape=shape)
    edge = EDGE if plain and bare else 0
    left = edge if bare else _LEFT
    cell = cell or _cell(placed, width, left + edge)
    top, foot = (edge, edge) if bare else (_top(values, name, cell), _FOOT)
    font = number_size(texts, cell, 0.5 if bare else _NUMBER)
    wide = placed.width * cell + left + edge
    around: list[Text] = []
    if name and not bare:
        # the data type only if there is room, as on the stage
        about = [print_sizes(values.shape), data_type_of(values.dtype)]
        if title_width(values, name, len(about)) > max(width, wide):
            about.pop()
        wide = max(wide + 4, title_width(values, name, len(about)))
        around.append(Text(2, 20, name, _HEAD, palette.ink, True, rest=" ".join(about)))
    if not bare:
        around += _indices(placed, cell, palette, (left, top))
    across, down = placed.positions()
    gap = 2 if cell > 12 else 0
    style = CellStyle(cell - gap, cell - gap, font, palette)
    colors = colors_at(palette, value_scale(values, span)).tolist()
    with np.errstate(invalid="ignore"):
        strange = ~np.isfinite(values.ravel().astype(np.float64))
    patterns = strange * DOTS + plain * THIN_EDGE + np.isin(np.arange(values.size), marked) * CROSS
    looks = tuple(
        CellLook(
            "" if plain else hexadecimal(color), palette.ink, text if style.font else "", pattern
        )
        for color, text, pattern in zip(colors, texts, patterns.tolist(), strict=True)
    )
    frames = np.array(marked, np.int64)
    places = left + across * cell, top + down * cell
    cells: list[Shape | Squares] = [Squares(*places, np.arange(len(looks)), looks, style, frames)]
    if plain:
        # as the stage draws it around indices
        off = measures()["dashes"]["off"]
        wide_line, high_line = (
            side * cell - gap + 2 * off for side in (placed.width, placed.height)
        )
        cells.append(dashed(left - off, top - off, wide_line, high_line, palette, 1))
    high = placed.height * cell + top + foot
    return svg_file(Drawing(wide, high, (Layer(around), Layer(cells)), SCREEN_FAMILIES))


def number_size(texts: Sequence[str], cell: float, share: float = _NUMBER) -> float:
    """The size of the numbers in cells; 0 if they would be too small to read.

    Args:
        texts: the numbers.
        cell: the width and height of a cell in pixels.
        share: of a cell's height that they take at most.
    """
    letters = max(2, max(map(len, texts)))
    font = min(cell * share, (cell - 4) / (letters * _DIGIT))
    return font if font >= _READABLE else 0.0


def _top(values: Array, name: str, cell: float) -> int:
    """The pixels that name, titles of planes and indices take above the cells, if not bare."""
    marks = _PLANES * (values.ndim > 2) + _INDICES if _marked(cell) else 0
    return _TITLE * bool(name) + marks


def _marked(cell: float) -> bool:
    """Whether there is room for indices beside cells of this size."""
    return min(_INDEX, cell * _SHARE) >= _READABLE


def title_width(values: Array, name: str, parts: int = 1) -> float:
    """The pixels across that a name and its sizes need, and the data type as the second part."""
    about = " ".join([print_sizes(values.shape), str(data_type_of(values.dtype))][:parts])
    return length(name, _HEAD, True) + length(about, _HEAD) + _HEAD


def outside(values: Array, name: str, cell: float) -> tuple[float, float]:
    """The pixels across and down that a drawing takes besides its cells, if not bare."""
    return _LEFT + 4, _top(values, name, cell) + _FOOT


def _cell(placed: Layout, width: float, left: float) -> float:
    return min(_MOST, max(2.0, min(most_cell(placed), (width - left) / placed.width)))


def most_cell(placed: Layout) -> float:
    """The largest cell in pixels that a drawing may have.

    A tensor of thousands of rows has smaller cells, so that no number is written in them.
    """
    return math.sqrt(_MOST_PIXELS / (placed.width * placed.height))


def _indices(
    placed: Layout, cell: float, palette: Palette, corner: tuple[float, float]
) -> Iterator[Text]:
    """Titles of planes, and row and column numbers if there is room."""
    sizes = placed.sizes
    rows, columns = plane_sizes(sizes)
    font = min(_INDEX, cell * _SHARE)
    if not _marked(cell):
        return
    for at, left, top in placed.planes():
        x, y = corner[0] + left * cell, corner[1] + top * cell
        if at:
            title = print_index((*at, ":", ":"))
            # as wide as its plane and the gap beside it
            size = min(_PLANE, (columns + COLUMN_GAP) * cell / length(title, 1.0))
            room = (ROW_GAP * cell if any(at) else _PLANES + _INDICES) - font - 7
            if size >= _READABLE and room >= size:
                yield Text(x, y - font - 9, title, size, palette.line)
        for column in range(min(columns, 32) if sizes else 0):
            middle = x + (column + 0.5) * cell - 1
            yield Text(middle, y - 6, str(column), font, palette.line, align="center")
        for row in range(rows if len(sizes) > 1 else 0):
            middle = y + (row + 0.5) * cell + font * 0.3
            yield Text(x - font * 0.8, middle, str(row), font, palette.line, align="center")
