"""A drawing as an SVG file, with real text and squares."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Collection, Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.picture.board import board
from dmlviz.picture.cells import Squares
from dmlviz.picture.coloring import Mode
from dmlviz.picture.drawing import Drawing, Layer, moment_drawing, tensors_drawing
from dmlviz.picture.lettering import SCREEN_FAMILIES
from dmlviz.picture.moment import moment
from dmlviz.picture.scene import Scene
from dmlviz.picture.shapes import Bitmap, Path, Rectangle, Rectangles, Shape, Text
from dmlviz.tensors.types import Array

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _WITH_OPACITY = 8, 6


def png_file(pixels: Array) -> bytes:
    """A PNG file as the PNG specification, second edition (ISO/IEC 15948), has it, unfiltered.

    Args:
        pixels: red, green, blue and opacity; uint8, rows by columns by 4.
    """
    high, wide, _channels = pixels.shape
    # every row begins with the number of its filter, none
    rows = np.zeros((high, 1 + 4 * wide), np.uint8)
    rows[:, 1:] = pixels.reshape(high, 4 * wide)
    header = struct.pack(">IIBBBBB", wide, high, _DEPTH, _WITH_OPACITY, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
# characters that XML 1.0 cannot hold, even escaped
_FORBIDDEN = regex("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(
    scene: Scene,
    step: float | None = None,
    *,
    dark: bool = False,
    width: int = 1280,
    colors: Mode = "value",
) -> str:
    """A drawing of one moment, as the player's stage shows it.

    Args:
        scene: what to draw.
        step: how far the movement has come: 2.5 is halfway through the third step; None is
            the end.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096, as for a PNG; an SVG can be drawn at any size.
        colors: what they show, as in a link: ``value``, ``channel``, ``position``, ``picture`` or
            ``planes``.  The last two need a tensor with three channels; otherwise it is ``value``.

    Returns:
        one ``svg`` element, which tells the picture in words in ``title`` and ``desc``.  It
        has no external references and no scripts.

    Raises:
        Error: the moment or the width is invalid.
    """
    of = board(scene, dark, width, colors=colors)
    return svg_file(moment_drawing(of, moment(of, step), SCREEN_FAMILIES))


def tensors_svg(
    scene: Scene,
    *,
    landed: bool,
    asked: Collection[int] = (),
    dark: bool = False,
    width: int = 640,
    tall: int | None = None,
) -> str:
    """Only the tensors, without the words that explain the step.

    Args:
        scene: what to draw.
        landed: whether to draw the output or its empty places.
        asked: the numbers of the output elements that have a frame and "?".
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096.
        tall: the pixels down of a room that all tensors must fit, if there is one.

    Raises:
        Error: the width is invalid.
    """
    of = board(scene, dark, width, tall=tall)
    return svg_file(tensors_drawing(of, landed, asked))


def svg_file(drawing: Drawing) -> str:
    """A drawing as one ``svg`` element."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 {drawing.top:g} {drawing.width:g} {drawing.height:g}",
            "width": f"{drawing.width:g}",
            "height": f"{drawing.height:g}",
            "font-family": drawing.families,
        },
    )
    if drawing.title:
        root.attrib |= {"role": "img", "aria-labelledby": "title desc"}
        SubElement(root, "title", {"id": "title"}).text = _clean(drawing.title)
        SubElement(root, "desc", {"id": "desc"}).text = _clean(drawing.description)
    if drawing.paper:
        whole = (0, drawing.top, drawing.width, drawing.height)
        _draw(root, Rectangle(*whole, drawing.paper))
    for layer in drawing.layers:
        _draw_layer(root, layer)
    return tostring(root, encoding="unicode")


def _draw_layer(root: Element, layer: Layer) -> None:
    style = {"id": layer.name} if layer.name else {}
    if layer.label:
        style["aria-label"] = layer.label
    for squares in layer.shapes:
        if isinstance(squares, Squares):
            # what the numbers of all cells have in common
            style |= {"text-anchor": "middle", "font-weight": "600"}
            style |= {"font-size": _print(squares.style.font)} if squares.style.font else {}
    group = SubElement(root, "g", style) if style else root
    for shape in layer.shapes:
        _draw_squares(group, shape) if isinstance(shape, Squares) else _draw(group, shape)


def _draw(group: Element, shape: Shape) -> None:
    match shape:
        case Text():
            _write(group, shape)
        case Bitmap(x, y, wide, high, rows, columns):
            pixels = np.frombuffer(shape.pixels, np.uint8).reshape(rows, columns, 4)
            # an address that holds the picture, so that the drawing needs nothing else
            address = f"data:image/png;base64,{b64encode(png_file(pixels)).decode('ascii')}"
            image = {**_box(x, y, wide, high), "href": address, "preserveAspectRatio": "none"}
            if wide >= columns:
                image["style"] = "image-rendering:pixelated"
            SubElement(group, "image", image)
        case Rectangle(x, y, wide, high):
            SubElement(group, "rect", _box(x, y, wide, high) | _colors(shape))
        case Rectangles(corners):
            square = f"h{shape.wide:.6g}v{shape.high:.6g}h-{shape.wide:.6g}z"
            way = "".join(f"M{x:.6g} {y:.6g}{square}" for x, y in corners)
            sharp_edges = {"shape-rendering": "crispEdges"} if shape.stroke else {}
            SubElement(group, "path", {"d": way, **_colors(shape), **sharp_edges})
        case Path(parts):
            way = "".join(_way(points) + "z" * bool(shape.fill) for points in parts)
            SubElement(group, "path", {"d": way, **_colors(shape)})


def _draw_squares(group: Element, squares: Squares) -> None:
    """Draw cells; those that stay, and have no number, with one element for each color."""
    style, grown = squares.style, squares.grown
    cells = list(zip(squares.look.tolist(), squares.x.tolist(), squares.y.tolist(), strict=True))
    alike: dict[str, list[tuple[float, float]]] = {}
    for number, x, y in cells:
        look = squares.looks[number]
        if look.fill and not look.label and not squares.moving:
            alike.setdefault(look.fill, []).append((x, y))
    for fill, corners in alike.items():
        _draw(group, Rectangles(tuple(corners), style.wide, style.high, fill))
    framed = set(squares.framed.tolist())
    for i, (number, x, y) in enumerate(cells):
        look = squares.looks[number]
        if look.label or squares.moving:
            _draw_cell(group, style.shapes(look, x, y, grown), style.font)
        elif look.pattern:
            _draw_cell(group, style.patterns(look.pattern, *style.square(x, y)), style.font)
        if squares.moving and i in framed:
            _draw_cell(group, style.frames([(x, y)], True, grown), style.font)
    if not squares.moving:
        _draw_cell(group, style.frames(cells[i][1:] for i in sorted(framed)), style.font)


def _draw_cell(group: Element, shapes: Iterable[Shape], font: float) -> None:
    """Draw shapes of cells; the group says where and how numbers of this size are written."""
    for shape in shapes:
        if isinstance(shape, Text):
            place = {"x": _print(shape.x), "y": _print(shape.y), "fill": shape.color}
            size = {} if shape.size == font else {"font-size": _print(shape.size)}
            SubElement(group, "text", place | size).text = _clean(shape.text)
        else:
            _draw(group, shape)


def _write(group: Element, text: Text) -> None:
    style = {"x": _print(text.x), "y": _print(text.y)}
    style |= {"font-size": _print(text.size), "fill": text.color}
    if text.bold and not text.rest:
        style["font-weight"] = "600"
    if text.align != "left":
        style["text-anchor"] = _ANCHORS[text.align]
    line = SubElement(group, "text", style)
    if not text.rest:
        line.text = _clean(text.text)
        return
    SubElement(line, "tspan", {"font-weight": "600"}).text = _clean(text.text)
    SubElement(line, "tspan", {"dx": _print(text.size * 0.5)}).text = _clean(text.rest)


def _box(x: float, y: float, wide: float, high: float) -> dict[str, str]:
    return {"x": _print(x), "y": _print(y), "width": _print(wide), "height": _print(high)}


def _colors(shape: Rectangle | Rectangles | Path) -> dict[str, str]:
    style = {"fill": shape.fill or "none"}
    if shape.fill and shape.opacity < 1:
        style["fill-opacity"] = _print(shape.opacity)
    if shape.stroke:
        style["stroke"] = shape.stroke
        if shape.thick != 1:
            style["stroke-width"] = _print(shape.thick)
        if shape.opacity < 1:
            style["stroke-opacity"] = _print(shape.opacity)
        if isinstance(shape, Rectangle) and shape.dash:
            style["stroke-dasharray"] = " ".join(map(_print, shape.dash))
    return style


def _way(points: Iterable[tuple[float, float]]) -> str:
    """The points of a path, as short as it can be written."""
    way, last_x, last_y = "", None, None
    for x, y in points:
        if not way:
            way = f"M{x:.6g} {y:.6g}"
        elif y == last_y:
            way += f"H{x:.6g}"
        elif x == last_x:
            way += f"V{y:.6g}"
        else:
            way += f"L{x:.6g} {y:.6g}"
        last_x, last_y = x, y
    return way


def _print(number: float) -> str:
    return f"{number:.6g}"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
