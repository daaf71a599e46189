"""One tensor as a figure: every cell at its place, the marked ones told twice."""

import math

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings

from dmlviz.picture.coloring import value_range
from dmlviz.picture.figure import tensor_figure
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.tensors import print_label, print_value
from tests.strategies import tensors
from tests.thorough import tries


def cells(heatmap):
    """What stands in the cells, by row and column, gaps left out."""
    place = np.argwhere(np.asarray(heatmap["customdata"]) != "")
    return [tuple(int(i) for i in at) for at in place]


@settings(max_examples=tries(60))
@given(x=tensors())
def test_any_tensor(x):
    heatmap = tensor_figure(x)["data"][0]
    said = [heatmap["customdata"][at] for at in cells(heatmap)]
    assert sorted(said) == sorted(
        f"out{[int(i) for i in index]} = {print_value(x[index])}" for index in np.ndindex(x.shape)
    )
    low, high = value_range(x)
    drawn = [heatmap["z"][at] for at in cells(heatmap)]
    assert all(math.isfinite(z) for z in drawn)
    assert low <= min(drawn)
    assert max(drawn) <= max(high, low)


def test_is_a_figure_that_plotly_takes():
    figure = go.Figure(tensor_figure(np.arange(12.0).reshape(1, 2, 2, 3), {3}))
    assert [trace.type for trace in figure.data][:2] == ["heatmap", "scatter"]


def test_marked_cells_have_a_frame_and_a_sign():
    x = np.arange(6).reshape(2, 3)
    heatmap, frames, *_rest = tensor_figure(x, {1, 5}, other={1: "7", 5: "8"})["data"]
    assert heatmap["text"].tolist() == [["0", "≠1", "2"], ["3", "4", "≠5"]]
    corners = np.array([v for v in frames["x"] if v is not None]).reshape(2, 5)
    assert np.floor(corners[:, 0]).tolist() == [1, 2]
    assert heatmap["customdata"][0, 1] == "out[0, 1] = 1, on the other side 7"
    assert frames["line"]["color"] == LIGHT.accent


def test_nothing_marked_nothing_framed():
    names = [part["type"] for part in tensor_figure(np.arange(6).reshape(2, 3))["data"]]
    assert names.count("heatmap") == 1
    assert all(part.get("mode") != "lines" for part in tensor_figure(np.arange(6))["data"])


def test_one_scale_for_two():
    a, b = np.float32([0, 1]), np.float32([0, 9])
    scale = value_range(np.concatenate([a, b]))
    ends = [
        (f["zmin"], f["zmax"]) for f in (tensor_figure(t, scale=scale)["data"][0] for t in (a, b))
    ]
    assert ends == [(0, 9), (0, 9)]


@pytest.mark.parametrize(("dark", "palette"), [(False, LIGHT), (True, DARK)])
def test_themes(dark, palette):
    heatmap = tensor_figure(np.arange(3), dark=dark)["data"][0]
    assert heatmap["textfont"]["color"] == palette.ink
    assert heatmap["colorscale"] == [list(stop) for stop in palette.scale]


def test_no_text_where_there_is_no_room():
    assert "text" not in tensor_figure(np.zeros((128, 128)))["data"][0]
    label = print_label(np.float64(1 / 3))
    heatmap = tensor_figure(np.full((2, 2), 1 / 3))["data"][0]
    assert heatmap["text"].tolist() == [[label] * 2] * 2
