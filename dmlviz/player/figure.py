"""Scene -> Plotly: the skeleton that the player fills in, and a complete still.

Figures are plain dicts; ``go.Figure`` (whose validation takes longer than building) is made
only where one is handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.player.palettes import LIGHT
from dmlviz.scene import COLUMN_GAP, ROW_GAP, Layout, Scene, labels, scene
from dmlviz.tensors import print_sizes
from dmlviz.trace import Trace
from dmlviz.words import _

if TYPE_CHECKING:
    import plotly.graph_objects as go

Array = np.ndarray[Any, Any]

_INDEX_LIMIT = 400
_TITLE = {
    "xref": "paper",
    "yref": "paper",
    "xanchor": "left",
    "yanchor": "bottom",
    "showarrow": False,
    "x": 0,
    "y": 1,
}


def value_scale(values: Array) -> Array:
    """Values as numbers from 0 to 1, smallest to largest; float32, flat.

    Infinities stand at the ends, NaN in the middle; equal values all stand in the middle.
    """
    flat = _as_doubles(values)
    low, high = value_range(values)
    if high > low:
        # halved first, so that the span of the largest doubles stays finite
        with np.errstate(invalid="ignore"):
            flat = (flat / 2 - low / 2) / (high / 2 - low / 2)
    else:
        flat = np.where(np.isfinite(flat), 0.5, flat)
    return np.nan_to_num(flat, nan=0.5, posinf=1.0, neginf=0.0).clip(0, 1).astype(np.float32)


def _as_doubles(values: Array) -> Array:
    # signalling NaNs are values like any other here
    with np.errstate(invalid="ignore"):
        return values.ravel().astype(np.float64)


def value_range(values: Array) -> tuple[float, float]:
    """The smallest and the largest finite value; 0 and 0 where there is none."""
    flat = _as_doubles(values)
    finite = flat[np.isfinite(flat)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def skeleton(picture: Scene) -> dict[str, Any]:
    """A figure with both tensors' places, titles and axes, but no values yet."""
    traces = [
        _heatmap("input", picture.input, ""),
        _heatmap("output", picture.output, "2"),
    ]
    if (picture.trace.source < 0).any():
        traces.append(_heatmap("padding", picture.output, "2"))
    for tensor, axis in ((picture.input, ""), (picture.output, "2")):
        traces += marks(tensor, axis)
    return {"data": traces, "layout": _layout(picture)}


def figure(trace: Trace, step: float | None = None) -> go.Figure:
    """A still of one moment, as a Plotly figure.

    Args:
        trace: what ``dmlviz.run`` gave.
        step: how many steps have landed, 0 to the number of steps; None shows all of them.

    Raises:
        TooLarge: a tensor has more than 16,384 elements.
        Error: there is no such step.
    """
    # Plotly takes a second to import, and most scripts never draw
    import plotly.graph_objects as go

    picture = scene(trace)
    count = len(picture.steps)
    landed = count if step is None else step
    if not 0 <= landed <= count:
        raise Error(
            _("step: {step} is not possible; there are {count} steps, from 0 on.").format(
                step=landed, count=count
            ),
            "step",
        )
    parts = skeleton(picture)
    visible = picture.step_of < landed
    source = trace.source.ravel()
    color = value_scale(trace.x)
    output_labels = labels(trace.output)
    fills = {
        "input": (picture.input, color, np.ones(color.size, bool), labels(trace.x), trace.x.shape),
        "output": (
            picture.output,
            color[np.maximum(source, 0)],
            visible & (source >= 0),
            output_labels,
            trace.output.shape,
        ),
        "padding": (
            picture.output,
            np.zeros(source.size, np.float32),
            visible & (source < 0),
            output_labels,
            trace.output.shape,
        ),
    }
    shifts = {"title": (0.0, -0.38), "columns": (0.0, -0.22), "rows": (-0.28, 0.0)}
    for part in parts["data"]:
        if part["type"] == "heatmap":
            tensor, z, shown, texts, sizes = fills[part["name"]]
            # an input element has no source
            of = np.full(color.size, -1) if part["name"] == "input" else source
            _fill(part, tensor, z, shown, texts, sizes, picture, of)
        else:
            dx, dy = shifts[part["name"]]
            part.update(x=[x + dx for x in part["x"]], y=[y + dy for y in part["y"]])
    parts["layout"].update(_still_layout(picture))
    return go.Figure(parts)


def _heatmap(name: str, tensor: Layout, axis: str) -> dict[str, Any]:
    x, y = tensor.positions()
    scale: Any = [list(stop) for stop in LIGHT.scale]
    if name == "padding":
        scale = [[0, LIGHT.padding], [1, LIGHT.padding]]
    return {
        "type": "heatmap",
        "name": name,
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


def _fill(
    part: dict[str, Any],
    tensor: Layout,
    z: Array,
    shown: Array,
    texts: list[str],
    sizes: tuple[int, ...],
    picture: Scene,
    source: Array,
) -> None:
    x, y = tensor.positions()
    grid = (len(part["y"]) - 1, len(part["x"]) - 1)
    row = np.searchsorted(part["y"], np.round(y, 3))
    column = np.searchsorted(part["x"], np.round(x, 3))
    values = np.full(grid, np.nan, np.float32)
    text = np.full(grid, "", object)
    hover = np.full(grid, "", object)
    values[row[shown], column[shown]] = z[shown]
    at = np.flatnonzero(shown)
    indices = np.stack(np.unravel_index(at, sizes), axis=1).tolist()
    for i, index in zip(at, indices, strict=True):
        text[row[i], column[i]] = texts[i]
        hover[row[i], column[i]] = _hover(part["name"], index, texts[i], picture, source[i])
    part.update(
        z=values,
        text=text,
        texttemplate="%{text}",
        textfont={"color": LIGHT.ink},
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
        hoverinfo=None,
    )


def _hover(name: str, index: list[int], text: str, picture: Scene, source: int) -> str:
    if name == "input":
        return _("in{index} = {value}").format(index=index, value=text)
    if source < 0:
        return _("out{index} = {value}, the padding value").format(index=index, value=text)
    at = [int(i) for i in np.unravel_index(source, picture.trace.x.shape)]
    return _("out{index} = in{source} = {value}").format(index=index, source=at, value=text)


def marks(tensor: Layout, axis: str) -> list[dict[str, Any]]:
    """Titles of planes, and indices along their upper and left edges, all as texts.

    Each stands at its plane's edge; whoever knows the size of a cell moves it off the edge.
    """
    sizes = tensor.sizes
    columns, rows = sizes[-1], sizes[-2] if len(sizes) > 1 else 0
    planes = list(tensor.planes())
    lefts, tops = [x for _at, x, _y in planes], [y for _at, _x, y in planes]
    found = []
    if len(sizes) > 2:
        texts = [f"[{', '.join(map(str, at))}, :, :]" for at, _x, _y in planes]
        found.append(_texts("title", axis, lefts, tops, texts))
    folded = tensor.axes[-1].dy
    if len(planes) * (rows + columns) <= _INDEX_LIMIT and not folded:
        x = [left + j + 0.5 for left in lefts for j in range(columns)]
        y = [top for top in tops for _j in range(columns)]
        found.append(_texts("columns", axis, x, y, list(range(columns)) * len(planes)))
        x = [left for left in lefts for _i in range(rows)]
        y = [top + i + 0.5 for top in tops for i in range(rows)]
        found.append(_texts("rows", axis, x, y, list(range(rows)) * len(planes)))
    return found


def _texts(
    name: str, axis: str, x: list[float], y: list[float], texts: Sequence[object]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "text",
        "name": name,
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "x": x,
        "y": y,
        "text": [str(text) for text in texts],
        "textposition": "top right" if name == "title" else "middle center",
        "textfont": {"color": LIGHT.line, "size": 11},
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }


def _layout(picture: Scene) -> dict[str, Any]:
    trace = picture.trace
    titles = [
        _titles(_("Input"), trace.x, trace.data_type),
        _titles(_("Output"), trace.output, trace.data_type),
    ]
    axes = {}
    for name, tensor in (("", picture.input), ("2", picture.output)):
        shared = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
        # Plotly drops texts outside an axis: it reaches round plane titles and indices
        across = [-COLUMN_GAP, tensor.width + 0.1]
        down = [tensor.height + 0.1, -ROW_GAP]
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
        "annotations": [{**_TITLE, "text": texts[0]} for texts in titles],
        # shorter titles for narrow places
        "meta": titles,
    }


def _titles(word: str, values: Array, data_type: str) -> list[str]:
    """A tensor's title, long, shorter, shortest."""
    sizes = print_sizes(values.shape)
    return [f"<b>{word}</b>  {sizes} {data_type}", f"<b>{word}</b>  {sizes}", f"<b>{word}</b>"]


def _still_layout(picture: Scene) -> dict[str, Any]:
    """Domains for a picture without a player: side by side, cells of one size, about square."""
    layout = _layout(picture)
    spans = [
        abs(layout[f"xaxis{n}"]["range"][1] - layout[f"xaxis{n}"]["range"][0]) for n in ("", "2")
    ]
    drops = [
        abs(layout[f"yaxis{n}"]["range"][1] - layout[f"yaxis{n}"]["range"][0]) for n in ("", "2")
    ]
    across, width = sum(spans) * 1.06, 1100
    height = int(min(1600, max(240, width * max(drops) / across + 40)))
    head = 1 - 40 / height
    second = 1 - spans[1] / across
    layout["xaxis"]["domain"] = [0, spans[0] / across]
    layout["xaxis2"]["domain"] = [second, 1]
    for name, drop, note, left in zip(
        ("", "2"), drops, layout["annotations"], (0, second), strict=True
    ):
        layout[f"yaxis{name}"]["domain"] = [head * (1 - drop / max(drops)), head]
        note.update(x=left, y=head + 6 / height, font={"size": 15})
    layout.update(width=width, height=height, template="plotly_white", font={"color": LIGHT.ink})
    return layout
