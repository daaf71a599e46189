"""One tensor by itself as an SVG file, for questions that hide the result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from dmlviz.picture.colors import colors_at
from dmlviz.picture.palettes import DARK, LIGHT, Palette
from dmlviz.picture.scale import value_scale
from dmlviz.picture.scene import STAGE_LIMIT, Layout, labels, layout
from dmlviz.tensors import check_element_count, data_type_of, print_sizes
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_TOP, _PLANES = 96, 24
_MOST, _LEFT, _FOOT, _TITLE = 56, 34, 10, 40
EDGE = 4
"""The pixels that a dashed line takes around cells."""
_MOST_PIXELS = 4_000_000
_READABLE = 9
_DIGIT = 0.62


def tensor_svg(
    values: Array,
    name: str,
    *,
    dark: bool = False,
    width: float = 640,
    shape: float = 1.0,
    bare: bool = False,
    plain: bool = False,
    marked: Sequence[int] = (),
    beside: Array | None = None,
) -> str:
    """A drawing of one tensor, with its name, sizes, data type and indices.

    Args:
        values: of one of the eleven data types, up to 65,536 elements.
        name: such as "Input"; empty to draw indices and cells alone.
        dark: light ink on dark paper.
        width: in pixels; cells are sized to fit it.
        shape: as :func:`dmlviz.picture.layouts.layout` takes it.
        bare: draw only the cells.
        plain: cells without colors and a dashed line around them: a tensor that only says where
            elements go.
        marked: flat indices of elements with a frame and a filled corner.
        beside: another tensor with the same scale of colours, for two drawings side by side.

    Raises:
        TooLarge: there are more than 65,536 elements.
        Error: the type is not one of the eleven.
    """
    check_element_count(values.shape, STAGE_LIMIT, "values")
    palette = DARK if dark else LIGHT
    title = f"{name}  {print_sizes(values.shape)} {data_type_of(values.dtype)}" if name else ""
    texts, placed = labels(values), layout(values.shape, shape=shape)
    letters = max(map(len, texts))
    edge = EDGE if plain and bare else 0
    left, top, foot = (edge, edge, edge) if bare else (_LEFT, top_edge(values, name), _FOOT)
    cell = _cell(placed, width, left + edge)
    font = min(cell * (0.5 if bare else 0.44), (cell - 4) / (max(2, letters) * _DIGIT))
    wide = placed.width * cell + left + edge
    if not bare:
        wide = max(wide + 4, len(title) * 12.5)
    high = placed.height * cell + top + foot
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:g} {high:g}",
            "width": f"{wide:g}",
            "height": f"{high:g}",
            "font-family": FONT,
        },
    )
    if title and not bare:
        _text(root, 2, 26, title, 20, palette.ink, bold=True)
    corner = SubElement(root, "g", {"transform": f"translate({left} {top})"})
    if not bare:
        _indices(corner, placed, cell, palette)
    gap = 2 if cell > 12 else 0
    scaled = values.ravel()
    if beside is not None:
        scaled = np.concatenate([scaled, beside.ravel()])
    colors = colors_at(palette, value_scale(scaled)[: values.size]).tolist()
    xs, ys = (line * cell for line in placed.positions())
    for x, y, color, text in zip(xs.tolist(), ys.tolist(), colors, texts, strict=True):
        square = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{cell - gap:g}"}
        square |= {"height": f"{cell - gap:g}", "fill": "#{:02x}{:02x}{:02x}".format(*color)}
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


def top_edge(values: Array, name: str) -> int:
    """The pixels that name, titles of planes and indices take above the cells, if not bare."""
    return _TOP - (0 if name else _TITLE) - (0 if values.ndim > 2 else _PLANES)


def right_edge(values: Array, width: float, shape: float) -> float:
    """The distance in pixels from a drawing's left edge to the end of its cells, if not bare.

    Args:
        values: the tensor.
        width: as :func:`tensor_svg` takes it.
        shape: likewise.
    """
    placed = layout(values.shape, shape=shape)
    return _LEFT + placed.width * _cell(placed, width, _LEFT)


def _cell(placed: Layout, width: float, left: float) -> float:
    # a tensor of thousands of rows gets smaller cells, so that no number is written in them
    fits = math.sqrt(_MOST_PIXELS / (placed.width * placed.height))
    return min(_MOST, max(2.0, min(fits, (width - left) / placed.width)))


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
    font = min(13.0, cell * 0.34)
    if font < _READABLE:
        return
    for at, left, top in placed.planes():
        x, y = left * cell, top * cell
        if at:
            title = print_index((*at, ":", ":"))
            room = min(font + 1, columns * cell / (len(title) * 0.5))
            _text(group, x, y - font * 1.9, title, room, palette.line)
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
) -> None:
    style = {"x": f"{x:.5g}", "y": f"{y:.5g}", "font-size": f"{size:.3g}", "fill": color}
    if bold:
        style["font-weight"] = "600"
    if align != "start":
        style["text-anchor"] = align
    SubElement(group, "text", style).text = text
