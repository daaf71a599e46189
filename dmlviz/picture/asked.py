"""Pictures of the inputs, followed by "→ ?", for questions about the output."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from dmlviz.picture.alone import EDGE, FONT, right_edge, tensor_svg, top_edge
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.scene import layout
from dmlviz.tensors import data_type_of, print_literal, print_sizes
from dmlviz.tensors.types import Array
from dmlviz.words import _

_WIDE, _HIGH, _GAP = 190, 120, 8
_CELL = 44
_SHAPE = 1.6
_MOST_SPOKEN = 64
_APART, _ARROW, _BOX, _LINE = 24, 36, 48, 2
_BETWEEN, _LETTERS = 12, 24
_NAME, _LETTER = 12, 7.0
_SVG = "http://www.w3.org/2000/svg"


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
            ),
            spoken(name if several else _("Input"), x),
        )
        for (name, x), one in zip(inputs.items(), placed, strict=True)
    )


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
    title: str = "",
    runs: Sequence[str] = ("",),
    controls: Collection[str] = (),
) -> str:
    """One drawing of all inputs and a question mark, without the output or its sizes.

    Args:
        inputs: by DirectML's names.
        dark: a dark background.
        width: in pixels, for the cells of each input, which then has its name, sizes and
            indices. If it is 0, only the cells are drawn, as on a card.
        title: of the input, if there is only one.
        runs: the letters of runs that are compared, each of which has a question mark.
        controls: the names of those that only say where elements go, drawn without colors.

    Raises:
        TooLarge: one has more elements than a stage takes.
    """
    if width and inputs:
        names, top, last = (
            [""] * len(inputs),
            max(top_edge(x, title or name) for name, x in inputs.items()),
            right_edge([*inputs.values()][-1], width, _SHAPE),
        )
        drawings = [
            tensor_svg(
                x,
                title or name,
                dark=dark,
                width=width,
                shape=_SHAPE,
                plain=name in controls,
            )
            for name, x in inputs.items()
        ]
        if len(drawings) > 1:
            return _in_a_column(drawings, (DARK if dark else LIGHT).line, runs)
    else:
        small = stills(inputs, dark=dark, controls=controls)
        names, top, last = [one.name for one in small], 0, 0.0
        drawings = [one.drawing for one in small]
    return _in_a_row(drawings, names, top, last, (DARK if dark else LIGHT).line, runs)


def svg_size(drawing: str) -> tuple[float, float]:
    """Width and height of a drawing of ours, in pixels."""
    root = fromstring(drawing)  # noqa: S314, our own drawing
    return float(root.attrib["width"]), float(root.attrib["height"])


def _in_a_row(
    drawings: Sequence[str],
    names: Sequence[str],
    top: int,
    last: float,
    ink: str,
    runs: Sequence[str],
) -> str:
    """Drawings beside each other, then an arrow, then an empty place with a question mark.

    The arrow begins after the cells of the last drawing, below its title, which may be longer.
    """
    roots = [_within(drawing) for drawing in drawings]
    sizes = [[float(root.attrib[side]) for side in ("width", "height")] for root in roots]
    under = _NAME + _GAP if any(names) else 0
    high = max([_boxes_high(runs) + top, *(down for _wide, down in sizes)]) + under
    middle = top + (high - under - top) / 2
    whole = Element("svg", {"xmlns": _SVG, "font-family": FONT})
    left = 0.0
    for root, name, (wide, down) in zip(roots, names, sizes, strict=True):
        room = max(wide, len(name) * _LETTER)
        y = max(0.0, middle - top / 2 - down / 2)
        # letters may be wider than the drawing assumes
        root.attrib |= {"x": f"{left + (room - wide) / 2:g}", "y": f"{y:g}", "overflow": "visible"}
        whole.append(root)
        if name:
            at = {"x": f"{left + room / 2:g}", "y": f"{high - 3:g}", "text-anchor": "middle"}
            SubElement(whole, "text", {**at, "font-size": f"{_NAME}", "fill": ink}).text = name
        left += room + _APART
    begins = left - room + last if last else left
    wide = _question(whole, begins, middle, ink, runs)
    return _sized(whole, max(left, begins + wide), high)


def _in_a_column(drawings: Sequence[str], ink: str, runs: Sequence[str]) -> str:
    """Drawings below each other, and the arrow beside all of them and their titles.

    Side by side, their titles would overlap if there is little room.
    """
    whole = Element("svg", {"xmlns": _SVG, "font-family": FONT})
    top = wide = 0.0
    for drawing in drawings:
        root = _within(drawing)
        root.attrib |= {"y": f"{top:g}", "overflow": "visible"}
        whole.append(root)
        top += float(root.attrib["height"]) + _GAP
        wide = max(wide, float(root.attrib["width"]))
    begins = wide + _APART
    top = max(top, _boxes_high(runs))
    return _sized(whole, begins + _question(whole, begins, top / 2, ink, runs), top)


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


def _question(whole: Element, left: float, middle: float, ink: str, runs: Sequence[str]) -> float:
    """Draw an arrow and a question mark for each run below each other; return their width."""
    at = {"transform": f"translate({left:g} {middle:g})", "fill": "none", "stroke": ink}
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
        curve = "M-6 -5c0 -8 12 -8 12 0c0 5 -6 5 -6 10M0 11v.5"
        SubElement(group, "path", {"d": curve, "transform": mark})
        if letter:
            style = {"x": f"{x - 8}", "y": f"{y + _BOX / 2 + 7:g}", "text-anchor": "end"}
            style |= {"font-size": "20", "font-weight": "600", "fill": ink, "stroke": "none"}
            SubElement(group, "text", style).text = letter
    return x + _BOX + _LINE
