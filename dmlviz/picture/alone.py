"""One tensor by itself as an SVG file, for questions that hide the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from dmlviz.picture.colors import colors_at, hexadecimal
from dmlviz.picture.lettering import SCREEN_FAMILIES, length
from dmlviz.picture.palettes import DARK, LIGHT, Palette
from dmlviz.picture.scale import value_scale
from dmlviz.picture.scene import COLUMN_GAP, ROW_GAP, STAGE_LIMIT, Layout, labels, layout
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
    letters = max(map(len, texts))
    edge = EDGE if plain and bare else 0
    left = edge if bare else _LEFT
    cell = cell or _cell(placed, width, left + edge)
    top, foot = (edge, edge) if bare else (_top(values, name, cell), _FOOT)
    font = min(cell * (0.5 if bare else 0.46), (cell - 4) / (max(2, letters) * _DIGIT))
    wide = placed.width * cell + left + edge
    about = []
    if name and not bare:
        # the data type only if there is room, as on the stage
        about = [print_sizes(values.shape), data_type_of(values.dtype)]
        if title_width(values, name, len(about)) > max(width, wide):
            about.pop()
        wide = max(wide + 4, title_width(values, name, len(about)))
    high = placed.height * cell + top + foot
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:g} {high:g}",
            "width": f"{wide:g}",
            "height": f"{high:g}",
            "font-family": SCREEN_FAMILIES,
        },
    )
    if about:
        line = _text(root, 2, 20, "", _HEAD, palette.ink)
        SubElement(line, "tspan", {"font-weight": "600"}).text = name
        SubElement(line, "tspan", {"dx": f"{_HEAD * 0.5:g}"}).text = " ".join(about)
    corner = SubElement(root, "g", {"transform": f"translate({left} {top})"})
    if not bare:
        _indices(corner, placed, cell, palette)
    gap = 2 if cell > 12 else 0
    colors = colors_at(palette, value_scale(values, span)).tolist()
    xs, ys = (line * cell for line in placed.positions())
    for x, y, color, text in zip(xs.tolist(), ys.tolist(), colors, texts, strict=True):
        square = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{cell - gap:g}"}
        square |= {"height": f"{cell - gap:g}", "fill": hexadecimal(color)}
        if plain:
            square |= {"fill": "none", "stroke": palette.line, "stroke-opacity": "0.45"}
        SubElement(corner, "rect", square)
        if font >= _READABLE:
            middle = x + (cell - gap) / 2
            baseline = y + (cell - gap) / 2 + font * 0.36
            _text(corner, middle, baseline, text, font, palette.ink, bold=True, align="middle")
    if plain:
        _dashed(corner, placed.width * cell - gap, placed.height * cell - gap, palette)
    for number in marked:
        _mark(corner, float(xs[number]), float(ys[number]), cell - gap, palette)
    return tostring(root, encoding="unicode")


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


def _mark(group: Element, x: float, y: float, cell: float, palette: Palette) -> None:
    """A frame inside a cell, and its upper right corner filled."""
    thick, reach = max(1, cell / 14), cell * 0.3
    inner = cell - thick
    way = f"M{x + thick / 2:g} {y + thick / 2:g}h{inner:g}v{inner:g}h-{inner:g}z"
    stroke = {"fill": "none", "stroke": palette.accent, "stroke-width": f"{thick:g}"}
    SubElement(group, "path", {"d": way, **stroke})
    way = f"M{x + cell - reach:g} {y:g}H{x + cell:g}V{y + reach:g}z"
    SubElement(group, "path", {"d": way, "fill": palette.accent})


def _dashed(group: Element, wide: float, high: float, palette: Palette) -> None:
    """A dashed line around all cells, as the stage draws around indices."""
    box = {"x": "-2.5", "y": "-2.5", "width": f"{wide + 5:g}", "height": f"{high + 5:g}"}
    stroke = {"fill": "none", "stroke": palette.line, "stroke-width": "1.5"}
    SubElement(group, "rect", {**box, **stroke, "stroke-dasharray": "6 4"})


def _indices(group: Element, placed: Layout, cell: float, palette: Palette) -> None:
    """Draw titles of planes, and row and column numbers if there is room."""
    sizes = placed.sizes
    rows, columns = (1, *sizes)[-2:]
    font = min(_INDEX, cell * _SHARE)
    if not _marked(cell):
        return
    for at, left, top in placed.planes():
        x, y = left * cell, top * cell
        if at:
            title = print_index((*at, ":", ":"))
            # as wide as its plane and the gap beside it
            size = min(_PLANE, (columns + COLUMN_GAP) * cell / length(title, 1.0))
            room = (ROW_GAP * cell if any(at) else _PLANES + _INDICES) - font - 7
            if size >= _READABLE and room >= size:
                _text(group, x, y - font - 9, title, size, palette.line)
        for column in range(min(columns, 32)):
            middle = x + (column + 0.5) * cell - 1
            _text(group, middle, y - 6, str(column), font, palette.line, align="middle")
        for row in range(rows if len(sizes) > 1 else 0):
            middle = y + (row + 0.5) * cell + font * 0.3
            _text(group, x - font * 0.8, middle, str(row), font, palette.line, align="middle")


def _text(
    group: Element,
    x: float,
    y: float,
    text: str,
    size: float,
    color: str,
    *,
    bold: bool = False,
    align: str = "start",
) -> Element:
    style = {"x": f"{x:.5g}", "y": f"{y:.5g}", "font-size": f"{size:.3g}", "fill": color}
    if bold:
        style["font-weight"] = "600"
    if align != "start":
        style["text-anchor"] = align
    line = SubElement(group, "text", style)
    line.text = text
    return line
