"""One moment as an SVG file, with real text and squares."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from dmlviz.picture.board import CROSS, DASH, DOTS, EDGE, FOLD, HATCH, Board, Cells, board
from dmlviz.picture.coloring import Mode
from dmlviz.picture.colors import hexadecimal
from dmlviz.picture.composed import draw_composed
from dmlviz.picture.lettering import CAP, SCREEN_FAMILIES
from dmlviz.picture.lines import Line
from dmlviz.picture.moment import Moment, moment
from dmlviz.picture.rulers import draw_marks
from dmlviz.picture.scene import Scene
from dmlviz.words import _

_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_ASKED = 14.0
# characters that XML 1.0 cannot hold, even escaped
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
    return drawing(of, moment(of, step), SCREEN_FAMILIES)


def drawing(of: Board, now: Moment, families: str) -> str:
    """One moment of a board as an ``svg`` element.

    Args:
        of: everything that is the same at every moment.
        now: the rest.
        families: the fonts to write in, as CSS lists them.
    """
    root = _root(of, families, 0, of.height)
    root.attrib |= {"role": "img", "aria-labelledby": "title desc"}
    SubElement(root, "title", {"id": "title"}).text = _clean(f"{now.title}. {now.caption}")
    SubElement(root, "desc", {"id": "desc"}).text = _clean(of.words["picture"])
    _lines(root, of.lines)
    _tensors(root, of, now)
    flight = _group(root, of, "flight")
    for i, x, y in zip(now.flying.tolist(), now.x.tolist(), now.y.tolist(), strict=True):
        _square(flight, of, of.output, i, (x, y))
        _frame(flight, of, [_box(of, x, y)], flying=True)
    for i in now.growing.tolist():
        at = int(of.output.x[i]), int(of.output.y[i])
        _square(flight, of, of.output, i, at, now.grown)
        _frame(flight, of, [_box(of, *at, now.grown)], flying=True)
    if now.ruled:
        draw_marks(root, now.ruled, of.palette, of.at.scale, of.font)
    if of.composed:
        draw_composed(root, of.composed, now.landed, of.palette)
    said = SubElement(root, "g", {"id": "caption"})
    _lines(said, of.caption.lines(now.title, now.caption, now.count))
    return tostring(root, encoding="unicode")


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
    root = _root(of, SCREEN_FAMILIES, 0, of.caption.top)
    _lines(root, of.lines)
    _tensors(root, of, moment(of, None if landed else 0))
    for number in asked:
        cell = int(of.output.x[number]), int(of.output.y[number])
        group = _group(root, of, f"asked-{number}" if len(asked) > 1 else "asked")
        _frame(group, of, [_box(of, *cell)])
        x, y, wide, high = _box(of, *cell)
        # if cells are too small for numbers, the mark is larger than its cell
        size = of.at.font or max(_ASKED, 1.5 * high)
        style = {"x": f"{x + wide / 2:g}", "y": f"{y + (high + CAP * size) / 2:.1f}"}
        style |= {"font-size": f"{size:g}", "fill": of.palette.ink}
        SubElement(group, "text", style).text = "?"
    return tostring(root, encoding="unicode")


def caption_drawing(of: Board, now: Moment, families: str) -> str:
    """Only the words under the stage, as high as the longest of them."""
    root = _root(of, families, of.caption.top, of.caption.height)
    _lines(root, of.caption.lines(now.title, now.caption, now.count))
    return tostring(root, encoding="unicode")


def composed_drawing(of: Board, now: Moment, families: str) -> str:
    """Only the small pictures between the tensors and the words."""
    root = _root(of, families, of.at.height, of.caption.top - of.at.height)
    draw_composed(root, of.composed, now.landed, of.palette)
    return tostring(root, encoding="unicode")


def rulers_drawing(of: Board, now: Moment, families: str) -> str:
    """Only the positions on rulers, without a background, of the size of the whole picture."""
    root = _root(of, families, 0, of.height, paper=False)
    draw_marks(root, now.ruled, of.palette, of.at.scale, of.font)
    return tostring(root, encoding="unicode")


def _root(of: Board, families: str, top: int, height: int, paper: bool = True) -> Element:
    """A part of the picture over its whole width."""
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 {top} {of.width} {height}",
            "width": str(of.width),
            "height": str(height),
            "font-family": families,
        },
    )
    if paper:
        whole = {"y": str(top), "width": str(of.width), "height": str(height)}
        SubElement(root, "rect", {**whole, "fill": of.palette.paper})
    return root


def _tensors(root: Element, of: Board, now: Moment) -> None:
    """Draw both tensors, with empty places for elements that have not landed, and frames."""
    names = {"input": _("Input"), "output": _("Output")}
    sides = (
        ("input", of.input, range(of.input.x.size), now.marked_input),
        ("output", of.output, of.uncovered(now.landed).tolist(), now.marked_output),
    )
    for name, cells, shown, marked in sides:
        group = _group(root, of, name)
        group.set("aria-label", names[name])
        if name == "input":
            _dashed(group, of)
        if name == "output":
            _plain(group, of, cells, (~now.landed).nonzero()[0].tolist(), of.palette.slot)
        if of.at.font:
            for i in shown:
                _square(group, of, cells, i, (int(cells.x[i]), int(cells.y[i])))
        else:
            _colored(group, of, cells, shown)
        _frame(group, of, [_box(of, int(cells.x[i]), int(cells.y[i])) for i in marked.tolist()])


def _group(root: Element, of: Board, name: str) -> Element:
    style = {"id": name, "text-anchor": "middle", "font-weight": "600"}
    if of.at.font:
        style["font-size"] = f"{of.at.font:g}"
    return SubElement(root, "g", style)


def _colored(group: Element, of: Board, cells: Cells, which: Sequence[int]) -> None:
    """Draw squares without numbers, one element per color, because there can be thousands."""
    alike: dict[str, list[int]] = {}
    for i in which:
        alike.setdefault(_fill(cells, i), []).append(i)
    for fill, same in alike.items():
        _plain(group, of, cells, same, fill)
    for i in which:
        if cells.pattern[i]:
            box = _box(of, int(cells.x[i]), int(cells.y[i]))
            _pattern(group, of, int(cells.pattern[i]), box)


def _plain(
    group: Element,
    of: Board,
    cells: Cells,
    which: Sequence[int],
    fill: str,
) -> None:
    """Squares of one color, as one element."""
    if not which:
        return
    (wide, high), shift = of.square, of.at.gap // 2
    square = f"h{wide}v{high}h-{wide}z"
    places = ((int(cells.x[i]) + shift, int(cells.y[i]) + shift) for i in which)
    way = "".join(f"M{x} {y}{square}" for x, y in places)
    SubElement(group, "path", {"d": way, "fill": fill})


def _fill(cells: Cells, i: int) -> str:
    return hexadecimal(cells.color[i].tolist())


def _square(
    group: Element,
    of: Board,
    cells: Cells,
    i: int,
    at: tuple[int, int],
    grown: float = 1.0,
) -> None:
    box = _box(of, *at, grown)
    place = {name: f"{value:.6g}" for name, value in zip(_BOX, box, strict=True)}
    SubElement(group, "rect", {**place, "fill": _fill(cells, i)})
    if cells.pattern[i]:
        _pattern(group, of, int(cells.pattern[i]), box)
    if cells.labels[i]:
        x, y, wide, high = box
        baseline = y + (high + CAP * of.at.font * grown) / 2
        style = {"x": f"{x + wide / 2:g}", "y": f"{baseline:.1f}", "fill": str(cells.ink[i])}
        if grown < 1:
            style["font-size"] = f"{of.at.font * grown:.3g}"
        SubElement(group, "text", style).text = _clean(cells.labels[i])


_BOX = ("x", "y", "width", "height")


def _box(of: Board, x: int, y: int, grown: float = 1.0) -> tuple[float, float, float, float]:
    """Left, upper edge, width and height of the square in a place."""
    wide, high = of.square
    shift = of.at.gap // 2
    left, top = x + shift + wide * (1 - grown) / 2, y + shift + high * (1 - grown) / 2
    return left, top, wide * grown, high * grown


def _pattern(group: Element, of: Board, pattern: int, box: Sequence[float]) -> None:
    x, y, w, h = box
    reach = min(w, h) * 0.42
    if pattern & HATCH:
        ends = [reach * part / 3 for part in (1, 2, 3)]
        way = "".join(f"M{x:g} {y + d:.6g}L{x + d:.6g} {y:g}" for d in ends)
        stroke = {"stroke": of.palette.hatch, "stroke-width": f"{max(1, reach / 9):.3g}"}
        SubElement(group, "path", {"d": way, **stroke})
    if pattern & DOTS:
        size = max(1.5, w / 16)
        lefts = [x + w * (0.2 + part * 0.2) - size / 2 for part in range(4)]
        dot = f"h{size:.3g}v{size:.3g}h-{size:.3g}z"
        way = "".join(f"M{left:.6g} {y + h - size * 2.4:.6g}{dot}" for left in lefts)
        SubElement(group, "path", {"d": way, "fill": of.palette.ink})
    if pattern & EDGE:
        style = {"fill": "none", "stroke": of.palette.line, "stroke-opacity": "0.45"}
        inside = (x + 0.5, y + 0.5, max(0, w - 1), max(0, h - 1))
        place = {name: f"{value:.6g}" for name, value in zip(_BOX, inside, strict=True)}
        SubElement(group, "rect", {**place, **style})
    if pattern & FOLD:
        reach = max(4, min(w, h) * 0.3)
        way = f"M{x + w - reach:.6g} {y + h:.6g}H{x + w:.6g}V{y + h - reach:.6g}z"
        SubElement(group, "path", {"d": way, "fill": of.palette.ink, "fill-opacity": "0.55"})
    if pattern & CROSS:
        reach = max(4, w * 0.3)
        way = f"M{x + w - reach:.6g} {y:g}H{x + w:g}V{y + reach:.6g}z"
        SubElement(group, "path", {"d": way, "fill": of.palette.accent})


def _frame(
    group: Element, of: Board, places: Iterable[Sequence[float]], flying: bool = False
) -> None:
    """Frames inside squares, as one element."""
    thick, strength = of.frame(of.square, flying)
    boxes = [(x + thick / 2, y + thick / 2, w - thick, h - thick) for x, y, w, h in places]
    if not boxes or not strength:
        return
    way = "".join(f"M{x:.6g} {y:.6g}h{w:.6g}v{h:.6g}h-{w:.6g}z" for x, y, w, h in boxes)
    style = {"d": way, "fill": "none", "stroke": of.palette.accent, "stroke-width": str(thick)}
    style["shape-rendering"] = "crispEdges"
    if strength < 1:
        style["opacity"] = f"{strength:g}"
    SubElement(group, "path", style)


def _dashed(group: Element, of: Board) -> None:
    """Draw a dashed line around every tensor of indices."""
    scale = of.at.scale
    style = {
        "fill": "none",
        "stroke": of.palette.line,
        "stroke-width": f"{1.5 * scale:g}",
        "stroke-dasharray": " ".join(f"{part * scale:g}" for part in DASH),
    }
    for frame in of.frames:
        place = {name: str(value) for name, value in zip(_BOX, frame, strict=True)}
        SubElement(group, "rect", {**place, **style})


def _lines(group: Element, lines: Sequence[Line]) -> None:
    for line in lines:
        style = {
            "x": f"{line.x:.6g}",
            "y": f"{line.y:.6g}",
            "font-size": f"{line.size:.4g}",
            "fill": line.color,
        }
        if line.bold and not line.rest:
            style["font-weight"] = "600"
        if line.align != "left":
            style["text-anchor"] = _ANCHORS[line.align]
        text = SubElement(group, "text", style)
        if line.rest:
            begin = SubElement(text, "tspan", {"font-weight": "600"})
            begin.text = _clean(line.text)
            rest = SubElement(text, "tspan", {"dx": f"{line.size * 0.5:.4g}"})
            rest.text = _clean(line.rest)
        else:
            text.text = _clean(line.text)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
