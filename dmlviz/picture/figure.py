"""Scene -> Plotly: the skeleton that the player fills in, and a complete still.

Also one tensor with marked cells, for a side-by-side comparison. Figures are plain dicts;
``go.Figure`` (whose validation takes longer than building) is made only for a figure that is
returned to users.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.extras import extra
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement import COMPUTED, CONTROL, INDEX, VALUES
from dmlviz.movement.steps import Step
from dmlviz.picture.coloring import value_scale
from dmlviz.picture.marks import Head, Marks, heads, side_marks
from dmlviz.picture.palettes import LIGHT, rgb
from dmlviz.picture.scene import (
    COLUMN_GAP,
    ROW_GAP,
    Placed,
    Scene,
    Side,
    check_moment,
    layout,
    of_sources,
    scene,
)
from dmlviz.picture.words import constant_hover
from dmlviz.tensors.types import Array

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from dmlviz.picture.rulers import Mark


from collections.abc import Collection

from dmlviz.picture.coloring import value_range
from dmlviz.picture.marks import marks
from dmlviz.picture.palettes import DARK, Palette
from dmlviz.picture.scene import Layout, labels
from dmlviz.tensors import print_value

_HEADS = {False: ("triangle-right", "triangle-left"), True: ("triangle-down", "triangle-up")}
"""The symbols at the ends of a line across or, if true, down."""
_WIDTH = 1_100
"""The width of a picture without a player, in pixels."""
_TITLE = {
    "xref": "paper",
    "yref": "paper",
    "xanchor": "left",
    "yanchor": "bottom",
    "showarrow": False,
    "x": 0,
    "y": 1,
}

_BAR = "rgba({},{},{},0.45)".format(*rgb(LIGHT.accent))
"""The color of a position's line; Plotly before 7 knows no opacity in #rrggbbaa."""

_WIDE = 440

_TALLEST = 620

_SMALLEST_TEXT = 7.0

# the width of a digit of the chart's font, as a share of its size
_DIGIT = 0.62


def skeleton(picture: Scene) -> dict[str, Any]:
    """A figure with all tensors' places, titles and axes, but no values yet.

    A heatmap is named for its side, and its ``meta`` says which of the side's tensors it is;
    elements without a source have heatmaps of their own, named ``padding``.
    """
    traces = [_heatmap("input", t, "", k) for k, t in enumerate(picture.input.tensors)]
    traces += [_heatmap("output", t, "2", k) for k, t in enumerate(picture.output.tensors)]
    for k, tensor in enumerate(picture.output.tensors):
        if (_of_tensor(picture.source, tensor) < 0).any():
            traces.append(_heatmap("padding", tensor, "2", k))
    for side, axis in ((picture.input, ""), (picture.output, "2")):
        traces += [mark_trace(part, axis) for _tensor, part in side_marks(side)]
    return {"data": traces, "layout": _layout(picture)}


def figure(trace: Trace, step: float | None = None) -> go.Figure:
    """A still picture of one moment, as a Plotly figure.

    Between two steps, lines mark the newest step's positions on rulers, as in other pictures.

    Args:
        trace: what ``dmlviz.run`` gave.
        step: how many steps have landed, 0 to the number of steps; None shows all of them.

    Raises:
        TooLarge: a tensor has more than 65,536 elements.
        Error: there is no such step.
        NotInstalled: Plotly is missing.
    """
    # Plotly takes a second to import, and most scripts do not need it
    with extra("app"):
        import plotly.graph_objects as go

    picture = scene(trace)
    count = len(picture.steps)
    landed = count if step is None else step
    check_moment(landed, count)
    parts = skeleton(picture)
    still = _Still(picture, landed)
    shifts = {"title": (0.0, -0.38), "columns": (0.0, -0.22), "rows": (-0.28, 0.0)}
    for part in parts["data"]:
        if part["type"] == "heatmap":
            still.fill(part)
        else:
            move(part, *shifts[part["name"]])
    newest = math.ceil(landed) - 1
    if newest >= 0 and landed < count:
        parts["data"] += _rulers(picture, picture.steps[newest])
    parts["layout"].update(_still_layout(picture))
    return go.Figure(parts)


def _rulers(picture: Scene, step: Step) -> list[dict[str, Any]]:
    """The positions of a step: a line across each plane, with arrowheads and its number."""
    # it measures text, and Pillow takes long to import
    from dmlviz.picture.rulers import marks_at

    traces = []
    for side, axis in ((picture.input, ""), (picture.output, "2")):
        # in cells, with numbers however small these are
        marks = marks_at(step.points, [(side, *side.positions())], (1, 1), 0)
        ends = [point for mark in marks for point in (mark.start, mark.end, (None, None))]
        symbols = [name for mark in marks for name in (*_HEADS[mark.upright], "circle")]
        texts = [text for mark in marks for text in ("", mark.text, "")]
        places = [place for mark in marks for place in (_number_place(mark),) * 3]
        if marks:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines+markers+text",
                    "name": "rulers",
                    "xaxis": f"x{axis}",
                    "yaxis": f"y{axis}",
                    "x": [x for x, _y in ends],
                    "y": [y for _x, y in ends],
                    "text": texts,
                    "textposition": places,
                    "textfont": {"color": LIGHT.accent, "size": 11},
                    "line": {"color": _BAR, "width": 1.5},
                    "marker": {"color": LIGHT.accent, "size": 8, "symbol": symbols},
                    "hoverinfo": "skip",
                    "showlegend": False,
                    "cliponaxis": False,
                }
            )
    return traces


def _number_place(mark: Mark) -> str:
    """Where a position's number is: within the axis, outside of which Plotly drops texts."""
    if mark.upright:
        return "top right"
    # away from the number in the middle of the cell
    return "top left" if mark.end[1] % 1 < 0.5 else "bottom left"


def _of_tensor(of_side: Array, tensor: Placed) -> Array:
    """A tensor's part of an array over all cells of its side."""
    return of_side[tensor.first : tensor.first + tensor.count]


def _heatmap(name: str, tensor: Placed, axis: str, k: int) -> dict[str, Any]:
    x, y = tensor.positions()
    scale: Any = [list(stop) for stop in LIGHT.scale]
    plain = LIGHT.padding if name == "padding" else LIGHT.paper
    if name == "padding" or tensor.role == CONTROL:
        scale = [[0, plain], [1, plain]]
    return {
        "type": "heatmap",
        "name": name,
        "meta": k,
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "x": edges(x),
        "y": edges(y),
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "hoverinfo": "none",
        "hoverongaps": False,
        "colorscale": scale,
        "xgap": 2,
        "ygap": 2,
    }


def edges(starts: Array) -> list[float]:
    """Edges of a grid in which every cell is 1 wide and gaps are columns of their own."""
    left = np.unique(np.round(starts, 3))
    return [float(v) for v in np.unique(np.round(np.concatenate([left, left + 1]), 3))]


class _Still:
    """Fills heatmaps with the elements that have landed after some steps."""

    def __init__(self, picture: Scene, landed: float) -> None:
        # they measure text, and Pillow takes long to import
        from dmlviz.picture.board import board
        from dmlviz.picture.moment import moment

        of = board(picture, False, _WIDTH)
        # the newest step is complete
        square = of.standing(moment(of, math.ceil(landed)).landed)
        inputs = picture.input_labels
        texts = [*picture.output_labels, *(inputs[i] for i in picture.covered[1].tolist())]
        self.picture, self.source = picture, of.source[square]
        self.texts = {"input": inputs, "output": [texts[i] for i in square.tolist()]}
        self.texts["padding"] = self.texts["output"]
        color = value_scale(picture.values)
        # control tensors have no color, and come last
        beside = np.zeros(picture.input.count - color.size, np.float32)
        self.sides = {"input": picture.input, "output": picture.output, "padding": picture.output}
        self.z = {
            "input": np.concatenate([color, beside]),
            "output": of_sources(color, self.source),
            "padding": np.zeros(square.size, np.float32),
        }
        self.visible = {
            "input": np.ones(picture.input.count, bool),
            "output": (square >= 0) & (self.source >= 0),
            "padding": (square >= 0) & (self.source < 0),
        }

    def fill(self, part: dict[str, Any]) -> None:
        """Fill in the numbers, labels and hover texts of each cell, in place."""
        name, picture = part["name"], self.picture
        tensor = self.sides[name].tensors[part["meta"]]
        at = np.flatnonzero(_of_tensor(self.visible[name], tensor))
        cells = (tensor.first + at).tolist()
        positions = np.stack(np.unravel_index(at, tensor.layout.sizes), axis=1).tolist()
        indices = [[*tensor.layout.index(position)] for position in positions]
        texts = [self.texts[name][cell] for cell in cells]
        sources = [-1 if name == "input" else int(self.source[cell]) for cell in cells]
        hovers = [
            _hover(name, tensor, index, text, picture, source)
            for index, text, source in zip(indices, texts, sources, strict=True)
        ]
        x, y = tensor.positions()
        fill_cells(part, (x[at], y[at]), self.z[name][cells], hovers)
        write_numbers(part, (x[at], y[at]), texts, {"color": LIGHT.ink})
        part["hoverinfo"] = None


def fill_cells(
    part: dict[str, Any], places: tuple[Array, Array], values: Array, hovers: Sequence[str]
) -> None:
    """Fill cells of a heatmap in with numbers on its scale and what is read under the pointer.

    Args:
        part: the heatmap, changed in place.
        places: left and upper edge of each cell.
        values, hovers: of each of these cells; the others stay empty.
    """
    part["z"] = _grid(part, places, values, np.nan, values.dtype)
    part["customdata"] = _grid(part, places, hovers, "", object)
    part["hovertemplate"] = "%{customdata}<extra></extra>"


def write_numbers(
    part: dict[str, Any],
    places: tuple[Array, Array],
    texts: Sequence[str],
    letters: dict[str, Any],
) -> None:
    """Write in cells of a heatmap.

    Args:
        part: the heatmap, changed in place.
        places: left and upper edge of each cell.
        texts: of each of these cells.
        letters: their color and, where it is fixed, their size.
    """
    part["text"] = _grid(part, places, texts, "", object)
    part.update(texttemplate="%{text}", textfont=letters)


def _grid(
    part: dict[str, Any],
    places: tuple[Array, Array],
    values: Array | Sequence[str],
    empty: object,
    dtype: object,
) -> Array:
    """Something of each cell in the rows and columns of a heatmap."""
    x, y = places
    grid: Array = np.full((len(part["y"]) - 1, len(part["x"]) - 1), empty, dtype)
    grid[np.searchsorted(part["y"], np.round(y, 3)), np.searchsorted(part["x"], np.round(x, 3))] = (
        values
    )
    return grid


def _hover(
    name: str, tensor: Placed, index: list[int], text: str, picture: Scene, source: int
) -> str:
    called = picture.called(tensor)
    if name == "input":
        return _("{tensor}{index} = {value}").format(tensor=called, index=index, value=text)
    if source < 0:
        words = constant_hover(picture)
        if tensor.role == COMPUTED:
            words = _("{tensor}{index} = {value}, computed")
        return words.format(tensor=called, index=index, value=text)
    start, at = picture.input.at(source)
    if tensor.role == INDEX:
        return _("{tensor}{index} = {value}, the index of {input}{source}").format(
            tensor=called, index=index, input=picture.called(start), source=list(at), value=text
        )
    return _("{tensor}{index} = {input}{source} = {value}").format(
        tensor=called, index=index, input=picture.called(start), source=list(at), value=text
    )


def mark_trace(marks: Marks, axis: str) -> dict[str, Any]:
    """Titles or indices as texts on an axis of the figure."""
    return {
        "type": "scatter",
        "mode": "text",
        "name": marks.kind,
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "x": list(marks.x),
        "y": list(marks.y),
        "text": list(marks.texts),
        "textposition": "top right" if marks.kind == "title" else "middle center",
        "textfont": {"color": LIGHT.line, "size": 11},
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }


def move(part: dict[str, Any], dx: float, dy: float) -> None:
    """Move the texts of an axis, in cells: away from the edge of their plane."""
    part.update(x=[x + dx for x in part["x"]], y=[y + dy for y in part["y"]])


def _layout(picture: Scene) -> dict[str, Any]:
    titles = [[asdict(title) for title in head_titles(head)] for head in heads(picture)]
    axes = {}
    for name, side in (("", picture.input), ("2", picture.output)):
        shared = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
        # Plotly drops texts outside an axis: it reaches around plane titles and indices
        across = [-COLUMN_GAP, side.width + 0.1]
        down = [side.height + 0.1, -ROW_GAP]
        axes[f"xaxis{name}"] = {**shared, "range": across, "anchor": f"y{name}"}
        axes[f"yaxis{name}"] = {**shared, "range": down, "anchor": f"x{name}"}
    return {
        **axes,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "annotations": [{**_TITLE, "text": longest["text"]} for longest, *_shorter in titles],
        # shorter titles for narrow places
        "meta": titles,
    }


def blank_heatmap() -> dict[str, Any]:
    """The heatmap of an output of one cell."""
    return _heatmap("output", Placed("", VALUES, layout((1,)), 0.0, 0.0, 0), "2", 0)


@dataclass(frozen=True)
class Title:
    """One of the texts that can be above a tensor; the player takes the first that has room.

    Attributes:
        text: with the tensor's name in Plotly's bold.
        holds: what it has besides the name, in words: ``settings``, ``sizes``, ``type``; or
            ``short`` for the short name alone.
    """

    text: str
    holds: str = ""


def head_titles(head: Head) -> list[Title]:
    """A tensor's titles, from longest to shortest, each text once."""
    name = f"<b>{head.name}</b>"
    short = f"<b>{head.alone}</b>" if head.alone else re.sub("Tensors?", "", name)

    def title(name: str, settings: str = "", *others: str) -> Title:
        texts = {"sizes": head.sizes, "type": head.data_type}
        after = " ".join(texts[each] for each in others)
        holds = ("settings", *others) if settings else others
        return Title("  ".join(filter(None, (name, settings, after))), " ".join(holds))

    titles = [title(name, head.setting, "sizes", "type"), title(name, head.setting, "sizes")]
    if head.settings:
        # a setting says more than sizes and whole names do
        named = ((name, head.setting), (short, head.setting), (name, head.brief))
        titles += [title(*each) for each in (*named, (short, head.brief))]
        titles.append(title(name, "", "sizes"))
    if head.alone:
        titles.append(title(short, "", "sizes"))
    titles += [title(name), Title(short, "short")]
    unlike: dict[str, Title] = {}
    for each in titles:
        unlike.setdefault(each.text, each)
    return list(unlike.values())


def _still_layout(picture: Scene) -> dict[str, Any]:
    """Domains for a picture without a player: side by side, cells of one size, about square."""
    layout = _layout(picture)
    spans = [
        abs(layout[f"xaxis{n}"]["range"][1] - layout[f"xaxis{n}"]["range"][0]) for n in ("", "2")
    ]
    drops = [
        abs(layout[f"yaxis{n}"]["range"][1] - layout[f"yaxis{n}"]["range"][0]) for n in ("", "2")
    ]
    across, width = sum(spans) * 1.06, _WIDTH
    height = int(min(1600, max(240, width * max(drops) / across + 40)))
    head = 1 - 40 / height
    second = 1 - spans[1] / across
    layout["xaxis"]["domain"] = [0, spans[0] / across]
    layout["xaxis2"]["domain"] = [second, 1]
    corners = ((picture.input, "", 0.0), (picture.output, "2", second))
    for (_side, name, _left), drop in zip(corners, drops, strict=True):
        layout[f"yaxis{name}"]["domain"] = [head * (1 - drop / max(drops)), head]
    placed = [(t, name, left) for side, name, left in corners for t in side.tensors]
    for (tensor, name, left), note in zip(placed, layout["annotations"], strict=True):
        note.update(x=left, y=head + 6 / height)
        if not picture.single:
            note.update(xref=f"x{name}", x=tensor.x)
        if tensor.y:
            # within the side: over what stands over the tensor's first plane
            note.update(yref=f"y{name}", y=tensor.y - 0.38, yshift=16)
        note.update(font={"size": 15})
    shapes = [shape for side, name, _left in corners for shape in _frames(side, name)]
    if shapes:
        layout["shapes"] = shapes
    layout.update(width=width, height=height, template="plotly_white", font={"color": LIGHT.ink})
    return layout


def _frames(side: Side, axis: str) -> list[dict[str, Any]]:
    """A dashed line around every tensor of indices."""
    return [
        {
            "type": "rect",
            "xref": f"x{axis}",
            "yref": f"y{axis}",
            "x0": t.x - 0.06,
            "y0": t.y - 0.06,
            "x1": t.x + t.layout.width + 0.06,
            "y1": t.y + t.layout.height + 0.06,
            "line": {"color": LIGHT.line, "width": 1.5, "dash": "dash"},
        }
        for t in side.tensors
        if t.role != VALUES
    ]


def tensor_figure(
    values: Array,
    marked: Collection[int] = (),
    *,
    scale: tuple[float, float] | None = None,
    other: dict[int, str] | None = None,
    dark: bool = False,
) -> dict[str, Any]:
    """A Plotly figure, as plain dicts, of one tensor.

    Args:
        values: rank 1 to 8, at most 65,536 elements.
        marked: flat indices of elements to frame; each also bears the sign ≠.
        scale: the values at the ends of the colors, so that two figures can share them.
        other: the other tensor's values at some flat indices.
        dark: whether the page is dark.
    """
    palette = DARK if dark else LIGHT
    tensor = layout(values.shape)
    low, high = scale or value_range(values)
    pixels = min(56.0, _WIDE / (tensor.width + COLUMN_GAP), _TALLEST / (tensor.height + ROW_GAP))
    texts = labels(values)
    longest = max(len(text) + (i in marked) for i, text in enumerate(texts))
    font = min(20.0, 0.5 * pixels, (pixels - 4) / (longest * _DIGIT))
    with np.errstate(invalid="ignore", over="ignore"):
        flat = values.ravel().astype(np.float64)
    places = x, y = tensor.positions()
    heatmap: dict[str, Any] = {
        "type": "heatmap",
        "x": edges(x),
        "y": edges(y),
        "zmin": low,
        "zmax": high if high > low else low + 1,
        "colorscale": [list(stop) for stop in palette.scale],
        "showscale": False,
        "hoverongaps": False,
        "xgap": 2,
        "ygap": 2,
    }
    colors = np.nan_to_num(flat, nan=(low + high) / 2, posinf=high, neginf=low)
    hovers = [_compared_hover(values, i, other or {}) for i in range(values.size)]
    fill_cells(heatmap, places, colors, hovers)
    if font >= _SMALLEST_TEXT:
        marked_texts = [f"≠{text}" if i in marked else text for i, text in enumerate(texts)]
        write_numbers(heatmap, places, marked_texts, {"color": palette.ink, "size": font})
    data = [heatmap, *_framed(tensor, marked, palette), *_marks(tensor, palette)]
    return {"data": data, "layout": _tensor_layout(tensor, pixels)}


def _compared_hover(values: Array, flat: int, other: dict[int, str]) -> str:
    # the only element of a tensor without dimensions is its name
    index = [int(i) for i in np.unravel_index(flat, values.shape)] or ""
    value = print_value(values.flat[flat])
    if flat in other:
        return _("out{index} = {value}, on the other side {other}").format(
            index=index, value=value, other=other[flat]
        )
    return _("out{index} = {value}").format(index=index, value=value)


def _framed(tensor: Layout, marked: Collection[int], palette: Palette) -> list[dict[str, Any]]:
    """One line around every marked cell; a single trace, however many there are."""
    if not marked:
        return []
    left, top = tensor.positions()
    x: list[float | None] = []
    y: list[float | None] = []
    for i in sorted(marked):
        a, b = float(left[i]) + 0.04, float(top[i]) + 0.04
        x += [a, a + 0.92, a + 0.92, a, a, None]
        y += [b, b, b + 0.92, b + 0.92, b, None]
    line = {"color": palette.accent, "width": 3}
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": y,
            "line": line,
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]


def _marks(tensor: Layout, palette: Palette) -> list[dict[str, Any]]:
    """Titles and indices, moved off the edges of their planes."""
    shifts = {"title": (0.0, -0.45), "columns": (0.0, -0.24), "rows": (-0.28, 0.0)}
    parts = [mark_trace(part, "") for part in marks(tensor)]
    for part in parts:
        move(part, *shifts[part["name"]])
        part["textfont"] = {"color": palette.line, "size": 11}
    return parts


def _tensor_layout(tensor: Layout, pixels: float) -> dict[str, Any]:
    shared = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
    head = ROW_GAP if len(tensor.sizes) > 2 else COLUMN_GAP
    return {
        "xaxis": {
            **shared,
            "range": [-COLUMN_GAP, tensor.width + 0.1],
            "constrain": "domain",
            "constraintoward": "left",
        },
        "yaxis": {
            **shared,
            "range": [tensor.height + 0.1, -head],
            "scaleanchor": "x",
            "constrain": "domain",
            "constraintoward": "top",
        },
        "height": int((tensor.height + head) * pixels) + 12,
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
    }
