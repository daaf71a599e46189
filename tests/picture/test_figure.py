import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.picture import page
from dmlviz.picture.figure import skeleton
from tests.several import chained, cut, picked
from tests.strategies import MODES, bits, runs
from tests.thorough import tries


def heatmap(figure, name):
    found = [trace for trace in figure.data if trace.name == name]
    return found[0] if found else None


def count(figure, name):
    found = heatmap(figure, name)
    return 0 if found is None else int(np.count_nonzero(~np.isnan(found.z)))


@pytest.mark.parametrize("mode", MODES)
def test_a_step_shows_what_has_landed(padded, mode):
    trace = padded(mode)
    scene = dmlviz.scene(trace)
    for step in range(len(scene.steps) + 1):
        figure = dmlviz.figure(trace, step)
        landed = scene.step_of < step
        source = trace.source.ravel()
        assert count(figure, "input") == trace.x.size
        assert count(figure, "output") == np.count_nonzero(landed & (source >= 0))
        assert count(figure, "padding") == np.count_nonzero(landed & (source < 0))


def test_without_a_step_all_has_landed(padded):
    trace = padded()
    assert count(dmlviz.figure(trace), "output") == 15
    assert count(dmlviz.figure(trace), "padding") == trace.output.size - 15
    assert heatmap(dmlviz.figure(padded("EDGE")), "padding") is None


def test_the_numbers_stand_where_the_elements_are():
    x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
    shown = heatmap(dmlviz.figure(dmlviz.run(dmlviz.Tile((1, 1, 3, 3)), x)), "output")
    assert shown.text.tolist() == [["1", "2", "3"] * 3, ["4", "5", "6"] * 3] * 3
    assert shown.customdata[5, 8] == "out[0, 0, 5, 8] = in[0, 0, 1, 2] = 6"


def test_padding_values_say_so(padded):
    figure = dmlviz.figure(padded())
    assert heatmap(figure, "padding").customdata[0, 0] == "out[0, 0, 0] = 9, the padding value"
    assert heatmap(figure, "input").customdata[2, 4] == "in[0, 2, 4] = 15"


def test_input_and_output_are_named_with_sizes_and_type(padded):
    texts = [note.text for note in dmlviz.figure(padded()).layout.annotations]
    assert texts == ["<b>Input</b>  {1, 3, 5} FLOAT32", "<b>Output</b>  {2, 5, 24} FLOAT32"]


def test_planes_are_named_by_their_outer_indices():
    trace = dmlviz.run(dmlviz.DepthToSpace(2), np.zeros((1, 8, 2, 3), np.uint8))
    figure = dmlviz.figure(trace)
    titles = [list(part.text) for part in figure.data if part.name == "title"]
    assert titles == [
        [f"[0, {c}, :, :]" for c in range(8)],
        ["[0, 0, :, :]", "[0, 1, :, :]"],
    ]


@settings(max_examples=tries(40))
@given(runs(), st.floats(0, 1))
def test_a_figure_of_anything_is_valid(run, moment):
    operator, x = run
    with np.errstate(invalid="ignore"):
        trace = dmlviz.run(operator, x)
        figure = dmlviz.figure(trace, moment)
        complete = dmlviz.figure(trace)
    assert isinstance(figure, go.Figure)
    assert count(complete, "output") + count(complete, "padding") == trace.output.size
    assert go.Figure(skeleton(dmlviz.scene(trace)))


def test_signalling_nans_are_drawn_in_silence():
    x = np.array([0x7F800001, 0x3F800000], np.uint32).view(np.float32)
    trace = dmlviz.run(dmlviz.Tile((2,)), x)
    assert bits(trace.output).tolist() == [0x7F800001, 0x3F800000] * 2
    assert heatmap(dmlviz.figure(trace), "output").text.tolist() == [["NaN", "1"] * 2]


@pytest.mark.parametrize("step", [-1, 6, 100, -0.01, np.nan, np.inf])
def test_steps_that_do_not_exist(step):
    trace = dmlviz.run(dmlviz.Tile((1, 1, 3, 3)), np.zeros((1, 1, 2, 3)))
    with pytest.raises(dmlviz.Error, match="it must be from 0 to 5") as caught:
        dmlviz.figure(trace, step)
    assert caught.value.field == "step"


def test_too_large_to_draw():
    trace = dmlviz.run(dmlviz.Tile((70_000,)), np.zeros(1))
    for draw in (dmlviz.figure, page.player):
        with pytest.raises(dmlviz.TooLarge, match="65,536"):
            draw(trace)


def test_several_tensors_have_names_and_a_control_tensor_a_dashed_frame():
    figure = dmlviz.figure(picked((3, 4), (2, 0), 0), 1)
    texts = [note.text for note in figure.layout.annotations]
    assert texts == [
        "<b>InputTensor</b>  {3, 4} FLOAT32",
        "<b>IndicesTensor</b>  {1, 2} INT64",
        "<b>OutputTensor</b>  {2, 4} FLOAT32",
    ]
    (frame,) = figure.layout.shapes
    assert frame.line.dash == "dash"
    values, control, output = (t for t in figure.data if t.type == "heatmap")
    assert control.text.tolist() == [["2", "0"]]
    assert len({color for _stop, color in control.colorscale}) == 1
    assert control.customdata[0, 1] == "IndicesTensor[0, 1] = 0"
    assert output.customdata[0, 3] == "out[0, 3] = in[2, 3] = 12"
    assert count(figure, "output") == 4
    assert values.z.max() == 1


def test_an_element_says_which_input_it_is_of():
    figure = dmlviz.figure(chained((2, 2), (1, 2), axis=0))
    assert heatmap(figure, "output").customdata[2, 1] == "out[2, 1] = InputTensors[1][0, 1] = 6"
    figure = dmlviz.figure(cut((2, 3), (1, 2), axis=1))
    second = [t for t in figure.data if t.name == "output"][1]
    assert second.customdata[1, 0] == "OutputTensors[1][1, 0] = in[1, 1] = 5"


def test_the_newest_step_marks_its_positions_on_both_rulers():
    up = dmlviz.Resample("INCREASING", (1, 1.5), (0.5, 0.5), (-0.5, -0.5))
    trace = dmlviz.run(up, np.array([[1, 2, 3, 4]], np.float32))
    count = len(dmlviz.scene(trace).steps)
    found = {
        step: {
            line.xaxis: (list(line.x), list(line.y), list(line.text))
            for line in dmlviz.figure(trace, step).data
            if line.name == "rulers"
        }
        for step in (0, 2, 1.5, count, None)
    }
    # output pixel 1 is centered on 1.5 of its ruler, and on 1 of the input's
    assert found[2] == {
        "x": ([1, 1, None], [0, 1, None], ["", "1", ""]),
        "x2": ([1.5, 1.5, None], [0, 1, None], ["", "1.5", ""]),
    }
    assert found[1.5] == found[2]
    assert found[0] == found[count] == found[None] == {}
