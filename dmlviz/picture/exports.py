"""Pictures and arrays to download: PNG and SVG of a moment, GIF of the movement, NPZ, NPY.

Also pictures of the inputs, followed by "→ ?", for questions about the output.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from PIL import Image, PngImagePlugin

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.picture.alone import (
    EDGE,
    most_cell,
    number_size,
    outside,
    tensor_svg,
    title_width,
)
from dmlviz.picture.board import board
from dmlviz.picture.coloring import Mode, value_range
from dmlviz.picture.drawing import moment_drawing
from dmlviz.picture.lettering import SCREEN_FAMILIES, families
from dmlviz.picture.moment import moment
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.raster import gif, raster
from dmlviz.picture.scene import Layout, Scene, labels, layout
from dmlviz.picture.sides import SHAPES
from dmlviz.picture.svg import svg, svg_file, tensors_svg
from dmlviz.picture.words import legible
from dmlviz.tensors import data_type_of, print_literal, print_sizes
from dmlviz.tensors.types import Array

__all__ = [
    "Still",
    "gif",
    "image_address",
    "inputs_font",
    "inputs_svg",
    "png",
    "refused_svg",
    "spoken",
    "stills",
    "svg",
    "svg_size",
    "tensor_svg",
    "tensors_svg",
]

_WIDE, _HIGH, _GAP = 190, 120, 8
_CELL = 44
_SHAPE = 1.6
_MOST_SPOKEN = 64
_APART, _ARROW, _BOX, _LINE = 24, 36, 48, 2
_BETWEEN, _LETTERS = 12, 24

_NARROW, _REDUCED = 400, 0.6
"""Below this width the question mark is so much smaller, or left out, so that cells are larger."""

_NAME, _LETTER = 12, 7.0

_SMALLEST, _MOST, _LARGEST = 2.0, 58.0, 84.0
"""Pixels of a cell: the smallest, the largest, and the largest in a high room."""

_SVG = "http://www.w3.org/2000/svg"

_MARK, _CROSS = "M-6 -5c0 -8 12 -8 12 0c0 5 -6 5 -6 10M0 11v.5", "M-8 -8l16 16m0 -16l-16 16"


def png(
    scene: Scene,
    step: float | None = None,
    *,
    dark: bool = False,
    width: int = 1280,
    font: str | None = None,
    colors: Mode = "value",
) -> bytes:
    """A picture of one moment, as the player's stage shows it.

    Args:
        scene: what to draw.
        step: how far the movement has come: 2.5 is halfway through the third step; None is
            the end.  All moments of a scene make pictures of one size.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096.  The height follows from the tensors.  Thousands of
            columns make the picture wider; thousands of rows make it narrower, so that it has
            16 million pixels or little more.
        font: the name or path of a font file to prefer to the one that comes along.  Where no
            font here has the letters of the language that is spoken, the words are in English.
        colors: what they show, as :func:`dmlviz.picture.svg.svg` takes it.

    Returns:
        a PNG file, whose text chunk ``Description`` tells the picture in words.

    Raises:
        Error: the moment or the width is invalid, or the font cannot be read.
    """
    with legible(scene, font) as legible_scene:
        of = board(legible_scene, dark, width, font, colors)
    pixels = raster(svg_file(moment_drawing(of, moment(of, step), families(font))), font)
    metadata = PngImagePlugin.PngInfo()
    metadata.add_itxt("Description", of.words["picture"])
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=metadata, compress_level=7)
    return file.getvalue()


@dataclass(frozen=True)
class Still:
    """One input as a still picture.

    Attributes:
        name: DirectML's; empty if there is only one input.
        drawing: its cells, as the text of an SVG file.
        spoken: what it shows, in words.
    """

    name: str
    drawing: str
    spoken: str


def stills(
    inputs: Mapping[str, Array], *, dark: bool = False, controls: Collection[str] = ()
) -> tuple[Still, ...]:
    """The inputs, small enough to fit side by side on a card.

    Args:
        inputs: by DirectML's names; there can be none.
        controls: the names of those that only say where elements go, drawn without colors.
        dark: a dark background.

    Raises:
        TooLarge: one has more elements than a stage takes.
    """
    if not inputs:
        return ()
    placed = [layout(x.shape, shape=_SHAPE) for x in inputs.values()]
    edges = {name: 2 * EDGE * (name in controls) for name in inputs}
    cell = min(
        _CELL,
        (_WIDE - _GAP * len(placed) - sum(edges.values())) / sum(one.width for one in placed),
        (_HIGH - max(edges.values())) / max(one.height for one in placed),
    )
    several = len(inputs) > 1
    span = _span(inputs, controls)
    return tuple(
        Still(
            name if several else "",
            tensor_svg(
                x,
                name,
                dark=dark,
                width=one.width * cell + edges[name],
                shape=_SHAPE,
                bare=True,
                plain=name in controls,
                span=span,
            ),
            spoken(name if several else _("Input"), x),
        )
        for (name, x), one in zip(inputs.items(), placed, strict=True)
    )


def _span(inputs: Mapping[str, Array], controls: Collection[str]) -> tuple[float, float]:
    """The values at the ends of the colors: the inputs that move share them, as on the stage."""
    return value_range(*(x for name, x in inputs.items() if name not in controls))


def spoken(title: str, x: Array) -> str:
    """A tensor in words, with its values if there are few."""
    return _("{title}, sizes {sizes}, {data_type}. {values}").format(
        title=title,
        sizes=print_sizes(x.shape),
        data_type=data_type_of(x.dtype),
        values=print_literal(x).replace("\n", " ") if x.size <= _MOST_SPOKEN else "",
    )


def inputs_svg(
    inputs: Mapping[str, Array],
    *,
    dark: bool = False,
    width: float = 0,
    tall: float = 0,
    title: str = "",
    runs: Sequence[str] = ("",),
    controls: Collection[str] = (),
) -> str:
    """One drawing of all inputs and a question mark, without the output or its sizes.

    Args:
        inputs: by DirectML's names.
        dark: a dark background.
        width: in pixels; each input has its name, sizes and indices. If it is 0, only the cells
            are drawn, as on a card. Below 400, there is no question mark where cells are larger
            without it.
        tall: in pixels, if the picture must not be higher. Cells are as large as fit.
        title: of the input, if there is only one.
        runs: the letters of runs that are compared, each of which has a question mark.
        controls: the names of those that only say where elements go, drawn without colors.

    Raises:
        TooLarge: one has more elements than a stage takes.
    """
    ink = (DARK if dark else LIGHT).line
    if not (width and inputs):
        small = stills(inputs, dark=dark, controls=controls)
        return _in_a_row([one.drawing for one in small], [one.name for one in small], ink, runs)
    tensors = [(x, title or name) for name, x in inputs.items()]
    grid = _grid(tensors, width, tall, runs)
    span = _span(inputs, controls)

    def drawn(titles: float) -> str:
        """All of it, where a title that is no wider than this has the data type."""
        drawings = [
            tensor_svg(
                x,
                name,
                dark=dark,
                width=titles,
                shape=grid.shape,
                cell=grid.cell,
                plain=key in controls,
                span=span,
            )
            for key, (x, name) in zip(inputs, tensors, strict=True)
        ]
        return _in_a_grid(drawings, grid.columns, ink, runs, grid.mark)

    whole = drawn(width)
    return whole if svg_size(whole)[0] <= width else drawn(0)


def inputs_font(
    inputs: Mapping[str, Array],
    *,
    width: float,
    tall: float = 0,
    title: str = "",
    runs: Sequence[str] = ("",),
) -> float:
    """The size in pixels of the smallest numbers that :func:`inputs_svg` draws.

    It is 0 without inputs, or if one has no numbers. The arguments are those of :func:`inputs_svg`.
    """
    if not inputs:
        return 0
    tensors = [(x, title or name) for name, x in inputs.items()]
    cell = _grid(tensors, width, tall, runs).cell
    return min(number_size(labels(x), cell) for x in inputs.values())


@dataclass(frozen=True)
class _Grid:
    """How tensors stand in a picture.

    Attributes:
        cell: its pixels.
        mark: the size of the question mark, of its usual one; 0 for none.
        shape: of planes.
        columns: how many tensors are side by side.
    """

    cell: float
    mark: float
    shape: float
    columns: int


def _grid(
    tensors: Sequence[tuple[Array, str]], width: float, tall: float, runs: Sequence[str]
) -> _Grid:
    """The largest cells that fit; in a narrow picture, they may leave out the question mark."""
    asks = _ARROW + 12 + _LETTERS * any(runs) + _BOX + _LINE
    marks: tuple[float, ...] = (1,)
    if width < _NARROW:
        # the letters of runs stand beside their question marks
        marks = (_REDUCED,) if any(runs) else (_REDUCED, 0)

    def tries() -> Iterator[_Grid]:
        for mark in marks:
            room = width - _APART - asks * mark
            # without a limit, as wide as on a card
            for shape in SHAPES if tall else (_SHAPE,):
                placed = [layout(x.shape, shape=shape) for x, _title in tensors]
                for columns in range(1, len(tensors) + 1):
                    cell = _cell(tensors, placed, columns, room, tall)
                    yield _Grid(cell, mark, shape, columns)

    return max(tries(), key=lambda grid: round(grid.cell, 1))


def _cell(
    tensors: Sequence[tuple[Array, str]],
    placed: Sequence[Layout],
    columns: int,
    width: float,
    tall: float,
) -> float:
    """The pixels of the largest cell with which tensors in a grid fit a room; 0 if none does."""
    titles = [title_width(x, title) for x, title in tensors]

    def fits(cell: float) -> bool:
        beside = [outside(x, title, cell) for x, title in tensors]
        wide = [
            max(across + one.width * cell, title)
            for one, (across, _down), title in zip(placed, beside, titles, strict=True)
        ]
        high = [one.height * cell + down for one, (_a, down) in zip(placed, beside, strict=True)]
        across = sum(max(wide[c::columns]) for c in range(columns)) + _APART * (columns - 1)
        down = [max(high[r : r + columns]) for r in range(0, len(high), columns)]
        return across <= width and (not tall or sum(down) + _GAP * (len(down) - 1) <= tall)

    most = min(max(_MOST, min(_LARGEST, tall / 7)), *map(most_cell, placed))
    if fits(most):
        return most
    low, high = 0.0, most
    for _halving in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    # what fits nowhere is drawn in the smallest cells, and the page makes it smaller
    return max(low, _SMALLEST)


def refused_svg(drawing: str) -> str:
    """A drawing of :func:`inputs_svg` with a cross instead of "?": there will be no output."""
    return drawing.replace(_MARK, _CROSS)


def image_address(drawing: str) -> str:
    """A drawing as an image's data address, where no SVG may stand in HTML."""
    return f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"


def svg_size(drawing: str) -> tuple[float, float]:
    """Width and height of a drawing of ours, in pixels."""
    root = fromstring(drawing)  # noqa: S314, our own drawing
    return float(root.attrib["width"]), float(root.attrib["height"])


def _in_a_row(drawings: Sequence[str], names: Sequence[str], ink: str, runs: Sequence[str]) -> str:
    """Cells beside each other, then an arrow, then an empty place with a question mark."""
    roots = [_within(drawing) for drawing in drawings]
    sizes = [[float(root.attrib[side]) for side in ("width", "height")] for root in roots]
    under = _NAME + _GAP if any(names) else 0
    high = max([_boxes_high(runs), *(down for _wide, down in sizes)]) + under
    middle = (high - under) / 2
    whole = Element("svg", {"xmlns": _SVG, "font-family": SCREEN_FAMILIES})
    left = 0.0
    for root, name, (wide, down) in zip(roots, names, sizes, strict=True):
        room = max(wide, len(name) * _LETTER)
        y = max(0.0, middle - down / 2)
        # letters may be wider than the drawing assumes
        root.attrib |= {"x": f"{left + (room - wide) / 2:g}", "y": f"{y:g}", "overflow": "visible"}
        whole.append(root)
        if name:
            at = {"x": f"{left + room / 2:g}", "y": f"{high - 3:g}", "text-anchor": "middle"}
            SubElement(whole, "text", {**at, "font-size": f"{_NAME}", "fill": ink}).text = name
        left += room + _APART
    return _sized(whole, left + _question(whole, left, middle, ink, runs), high)


def _in_a_grid(
    drawings: Sequence[str], columns: int, ink: str, runs: Sequence[str], mark: float
) -> str:
    """Drawings in rows, and the arrow beside all of them and their titles, unless mark is 0."""
    roots = [_within(drawing) for drawing in drawings]
    wide, high = ([float(root.attrib[side]) for root in roots] for side in ("width", "height"))
    whole = Element("svg", {"xmlns": _SVG, "font-family": SCREEN_FAMILIES})
    top = across = 0.0
    for r in range(0, len(roots), columns):
        left = 0.0
        for c, root in enumerate(roots[r : r + columns]):
            root.attrib |= {"x": f"{left:g}", "y": f"{top:g}", "overflow": "visible"}
            whole.append(root)
            left += max(wide[c::columns]) + _APART
        across = max(across, left)
        top += max(high[r : r + columns]) + _GAP
    if not mark:
        # the gap is for letters that are wider than the drawing assumes
        return _sized(whole, across, top - _GAP)
    top = max(top - _GAP, _boxes_high(runs) * mark)
    return _sized(whole, across + _question(whole, across, top / 2, ink, runs, mark), top)


def _within(drawing: str) -> Element:
    """A drawing as an element of another; parsed from text, it has the same namespace."""
    root = fromstring(drawing)  # noqa: S314, our own drawing
    for part in root.iter():
        part.tag = part.tag.rpartition("}")[2]
    return root


def _sized(whole: Element, wide: float, high: float) -> str:
    size = {"width": f"{wide:g}", "height": f"{high:g}"}
    whole.attrib |= {**size, "viewBox": f"0 0 {size['width']} {size['height']}"}
    return tostring(whole, encoding="unicode")


def _boxes_high(runs: Sequence[str]) -> int:
    return len(runs) * (_BOX + _BETWEEN) - _BETWEEN + _LINE


def _question(
    whole: Element,
    left: float,
    middle: float,
    ink: str,
    runs: Sequence[str],
    reduced: float = 1,
) -> float:
    """Draw an arrow and a question mark for each run below each other; return their width."""
    place = f"translate({left:g} {middle:g}) scale({reduced:g})"
    at = {"transform": place, "fill": "none", "stroke": ink}
    group = SubElement(whole, "g", {**at, "stroke-width": f"{_LINE}", "stroke-linecap": "round"})
    SubElement(
        group, "path", {"d": f"M0 0h{_ARROW - 2}m-8 -7l8 7l-8 7", "stroke-linejoin": "round"}
    )
    letters = _LETTERS if any(runs) else 0
    x, upper = _ARROW + 12 + letters, (_LINE - _boxes_high(runs)) / 2
    for number, letter in enumerate(runs):
        y = upper + number * (_BOX + _BETWEEN)
        box = {"x": f"{x}", "y": f"{y:g}", "width": f"{_BOX}", "height": f"{_BOX}"}
        SubElement(group, "rect", {**box, "rx": "8", "stroke-dasharray": "5 6"})
        mark = f"translate({x + _BOX / 2:g} {y + _BOX / 2:g})"
        SubElement(group, "path", {"d": _MARK, "transform": mark})
        if letter:
            style = {"x": f"{x - 8}", "y": f"{y + _BOX / 2 + 7:g}", "text-anchor": "end"}
            style |= {"font-size": "20", "font-weight": "600", "fill": ink, "stroke": "none"}
            SubElement(group, "text", style).text = letter
    return (x + _BOX + _LINE) * reduced
