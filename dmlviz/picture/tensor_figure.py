"""A picture of one tensor with marked cells, for a side-by-side comparison."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.picture.figure import edges, fill_cells, mark_trace, move, write_numbers
from dmlviz.picture.marks import marks
from dmlviz.picture.palettes import DARK, LIGHT, Palette
from dmlviz.picture.scale import value_range
from dmlviz.picture.scene import COLUMN_GAP, ROW_GAP, Layout, labels, layout
from dmlviz.tensors import print_value
from dmlviz.tensors.types import Array

_WIDE = 440
_TALLEST = 620
_SMALLEST_TEXT = 7.0
# the width of a digit of the chart's font, as a share of its size
_DIGIT = 0.62


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
    hovers = [_hover(values, i, other or {}) for i in range(values.size)]
    fill_cells(heatmap, places, colors, hovers)
    if font >= _SMALLEST_TEXT:
        marked_texts = [f"≠{text}" if i in marked else text for i, text in enumerate(texts)]
        write_numbers(heatmap, places, marked_texts, {"color": palette.ink, "size": font})
    data = [heatmap, *_frames(tensor, marked, palette), *_marks(tensor, palette)]
    return {"data": data, "layout": _layout(tensor, pixels)}


def _hover(values: Array, flat: int, other: dict[int, str]) -> str:
    index = [int(i) for i in np.unravel_index(flat, values.shape)]
    value = print_value(values.flat[flat])
    if flat in other:
        return _("out{index} = {value}, on the other side {other}").format(
            index=index, value=value, other=other[flat]
        )
    return _("out{index} = {value}").format(index=index, value=value)


def _frames(tensor: Layout, marked: Collection[int], palette: Palette) -> list[dict[str, Any]]:
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


def _layout(tensor: Layout, pixels: float) -> dict[str, Any]:
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
