"""One moment as an SVG file: text stays text, squares stay squares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from dmlviz.exports.board import CROSS, DOTS, HATCH, Board, Cells, board
from dmlviz.exports.lettering import CAP
from dmlviz.exports.lines import Line
from dmlviz.exports.moment import Moment, moment
from dmlviz.scene import Scene
from dmlviz.words import _

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
# what XML 1.0 cannot hold, escaped or not
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(scene: Scene, step: float | None = None, *, dark: bool = False, width: int = 1280) -> str:
    """A drawing of one moment, as the player's stage shows it.

    Args:
        scene: what to draw.
        step: how far the movement has come: 2.5 is half way through the third step; None is
            the end.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096, as for a PNG; an SVG can be drawn at any size.

    Returns:
        one ``svg`` element, which tells the picture in words in ``title`` and ``desc``.  It
        refers to nothing outside and holds no script.

    Raises:
        Error: there is no such moment, or the width is not possible.
    """
    of = board(scene, dark, width)
    now = moment(of, step)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {of.width} {of.height}",
            "width": str(of.width),
            "height": str(of.height),
            "role": "img",
            "aria-labelledby": "title desc",
            "font-family": _FONT,
        },
    )
    SubElement(root, "title", {"id": "title"}).text = _clean(f"{now.title}. {now.caption}")
    SubElement(root, "desc", {"id": "desc"}).text = _clean(of.words["picture"])
    paper = {"width": "100%", "height": "100%", "fill": of.palette.paper}
    SubElement(root, "rect", paper)
    _lines(root, of.lines)
    _tensors(root, of, now)
    flight = _group(root, of, "flight")
    outline = {"stroke": of.palette.accent, "stroke-width": "1.5"} if of.at.cell[0] > 16 else {}
    places = list(zip(now.flying.tolist(), now.x.tolist(), now.y.tolist(), strict=True))
    for i, x, y in places:
        _square(flight, of, of.output, i, (x, y), outline)
    for i in now.growing.tolist():
        at = int(of.output.x[i]), int(of.output.y[i])
        _square(flight, of, of.output, i, at, outline, now.grown)
    said = SubElement(root, "g", {"id": "caption"})
    _lines(said, of.caption.lines(now.title, now.caption, now.count))
    return tostring(root, encoding="unicode")


def _tensors(root: Element, of: Board, now: Moment) -> None:
    """Both tensors, with empty places where nothing has landed, and frames."""
    names = {"input": _("Input"), "output": _("Output")}
    sides = (
        ("input", of.input, range(of.input.x.size), now.marked_input),
        ("output", of.output, now.landed.nonzero()[0].tolist(), now.marked_output),
    )
    for name, cells, shown, marked in sides:
        group = _group(root, of, name)
        group.set("aria-label", names[name])
        if name == "output":
            for i in (~now.landed).nonzero()[0].tolist():
                place = _place(of, int(cells.x[i]), int(cells.y[i]))
                SubElement(group, "rect", {**place, "fill": of.palette.slot})
        for i in shown:
            _square(group, of, cells, i, (int(cells.x[i]), int(cells.y[i])))
        _frames(group, of, cells, marked.tolist())


def _group(root: Element, of: Board, name: str) -> Element:
    style = {"id": name, "text-anchor": "middle", "font-weight": "600"}
    if of.at.font:
        style["font-size"] = f"{of.at.font:g}"
    return SubElement(root, "g", style)


def _square(
    group: Element,
    of: Board,
    cells: Cells,
    i: int,
    at: tuple[int, int],
    outline: dict[str, str] | None = None,
    grown: float = 1.0,
) -> None:
    place = _place(of, *at, grown)
    red, green, blue = cells.color[i].tolist()
    fill = f"#{red:02x}{green:02x}{blue:02x}"
    SubElement(group, "rect", {**place, "fill": fill, **(outline or {})})
    if cells.pattern[i]:
        _pattern(group, of, int(cells.pattern[i]), [float(place[k]) for k in _BOX])
    if cells.labels[i] and grown > 0.6:
        wide, high = of.square
        middle = at[0] + of.at.gap // 2 + wide / 2
        baseline = at[1] + of.at.gap // 2 + (high + CAP * of.at.font) / 2
        style = {"x": f"{middle:g}", "y": f"{baseline:.1f}", "fill": of.palette.ink}
        SubElement(group, "text", style).text = _clean(cells.labels[i])


_BOX = ("x", "y", "width", "height")


def _place(of: Board, x: int, y: int, grown: float = 1.0) -> dict[str, str]:
    wide, high = of.square
    shift = of.at.gap // 2
    left, top = x + shift + wide * (1 - grown) / 2, y + shift + high * (1 - grown) / 2
    numbers = (left, top, wide * grown, high * grown)
    return {name: f"{value:.6g}" for name, value in zip(_BOX, numbers, strict=True)}


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
    if pattern & CROSS:
        reach = max(4, w * 0.3)
        way = f"M{x + w - reach:.6g} {y:g}H{x + w:g}V{y + reach:.6g}z"
        SubElement(group, "path", {"d": way, "fill": of.palette.accent})


def _frames(group: Element, of: Board, cells: Cells, which: Iterable[int]) -> None:
    small = min(of.square) <= 14
    style = {"stroke": of.palette.accent, "stroke-width": "1" if small else "2", "fill": "none"}
    if small:
        style["opacity"] = "0.35"
    frames = SubElement(group, "g", style)
    for i in which:
        SubElement(frames, "rect", _place(of, int(cells.x[i]), int(cells.y[i])))


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
