import base64
import json

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz.engines import ENGINES
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.picture.coloring import value_scale
from dmlviz.picture.compared import compared
from dmlviz.picture.payload import pack, payload
from dmlviz.picture.scene import labels
from tests.several import chained, cut, picked
from tests.strategies import MODES, runs


def unpack(packed):
    return np.frombuffer(base64.b64decode(packed["bdata"]), f"<{packed['dtype']}")


@given(runs())
def test_what_is_sent_is_the_scene(run):
    operator, x = run
    with np.errstate(invalid="ignore"):
        scene = dmlviz.scene(dmlviz.run(operator, x))
        sent = json.loads(json.dumps(payload(scene), allow_nan=False))
    trace = scene.trace
    np.testing.assert_array_equal(unpack(sent["source"]), trace.source.ravel())
    np.testing.assert_array_equal(unpack(sent["stepOf"]), scene.step_of)
    if sent["via"] is None:
        assert (scene.via == -1).all()
    else:
        np.testing.assert_array_equal(unpack(sent["via"]), scene.via)
    assert len(unpack(sent["color"])) == x.size
    assert [(s["title"], s["caption"]) for s in sent["steps"]] == [
        (s.title, s.caption) for s in scene.steps
    ]
    assert sent["input"]["tensors"][0]["sizes"] == list(x.shape)
    assert sent["output"]["tensors"][0]["sizes"] == list(trace.output.shape)
    assert sent["check"] == trace.check()


@given(runs())
def test_labels_follow_from_input_and_source(run):
    operator, x = run
    with np.errstate(invalid="ignore"):
        scene = dmlviz.scene(dmlviz.run(operator, x))
        sent = payload(scene)
    assert sent["output"]["tensors"][0]["labels"] is None
    worked_out = [
        sent["paddingLabel"] if s < 0 else sent["input"]["tensors"][0]["labels"][s]
        for s in unpack(sent["source"])
    ]
    assert worked_out == labels(scene.trace.output)


@given(runs())
def test_bits_of_any_kind_are_coloured_in_silence(run):
    _operator, x = run
    color = value_scale(x)
    assert color.dtype == np.float32
    assert color.min() >= 0
    assert color.max() <= 1


def test_labels_are_sent_where_they_do_not_follow(monkeypatch):
    class Wrong(NumpyEngine):
        def run(self, operator, inputs, form=""):
            ran = super().run(operator, inputs)
            (x,) = inputs.values()
            output = ran.output
            if x[0] == 5:
                output[3] = 77
            return ran

    monkeypatch.setitem(ENGINES, "wrong", Wrong())
    trace = dmlviz.run(dmlviz.Tile((2,)), np.array([5, 6]), "wrong")
    sent = payload(dmlviz.scene(trace))
    assert sent["output"]["tensors"][0]["labels"] == ["5", "6", "5", "77"]
    assert sent["differing"] == [3]
    assert "1 of 4 elements differ" in sent["check"]


@pytest.mark.parametrize("mode", MODES)
def test_words_for_those_who_cannot_see(padded, mode):
    sent = payload(dmlviz.scene(padded(mode)))
    words = sent["words"]["picture"]
    assert words.startswith("Input of sizes {1, 3, 5}, output of sizes {2, 5, 24}, FLOAT32. ")
    for step in sent["steps"][:12]:
        assert step["title"] in words
        assert step["caption"] in words


def test_words_at_rest():
    one = payload(dmlviz.scene(dmlviz.run(dmlviz.Tile((1,)), np.zeros(1))))["words"]
    assert one["start_caption"] == "Press Play and watch 1 element land in 1 step."
    many = payload(dmlviz.scene(dmlviz.run(dmlviz.Tile((2, 500)), np.zeros((1, 3)))))["words"]
    assert many["start_caption"] == "Press Play and watch 3,000 elements land in 9 steps."
    assert all(many.values())


@pytest.mark.parametrize("dtype", [">i4", "<u2", "f4", ">f8", "u1"])
def test_arrays_are_packed_in_little_endian(dtype):
    array = np.arange(-3, 4).astype(dtype)[::2]
    packed = pack(array)
    assert packed["dtype"] == array.dtype.str[1:]
    np.testing.assert_array_equal(unpack(packed), array)


def test_values_become_places_on_the_scale():
    assert value_scale(np.array([[0, 5], [10, 2]], np.uint8)).tolist() == [
        0,
        0.5,
        1,
        pytest.approx(0.2),
    ]
    assert value_scale(np.array([7, 7])).tolist() == [0.5, 0.5]
    odd = value_scale(np.array([np.nan, np.inf, -np.inf, 1.0, 3.0]))
    assert odd.tolist() == [0.5, 1, 0, 0, 1]
    assert value_scale(np.array([np.inf, 4.0])).tolist() == [1, 0.5]
    assert value_scale(np.array([-1.7e308, 0, 1.7e308])).tolist() == [0, 0.5, 1]


def test_a_control_tensor_is_sent_as_numbers_too_and_has_no_colour():
    sent = payload(dmlviz.scene(picked((1, 1, 3, 4), (2, 0, 2), 2)))
    values, control = sent["input"]["tensors"]
    assert (values["name"], values["called"], values["role"]) == ("InputTensor", "in", "values")
    titles = [tensor["title"] for side in ("input", "output") for tensor in sent[side]["tensors"]]
    assert titles == ["InputTensor", "IndicesTensor", "OutputTensor"]
    assert (control["called"], control["role"], control["first"]) == (
        *("IndicesTensor", "control"),
        12,
    )
    assert control["labels"] == ["2", "0", "2"]
    assert len(unpack(sent["color"])) == 12
    assert unpack(sent["drivers"]).tolist() == [12] * 4 + [13] * 4 + [14] * 4
    assert sent["formula"]["tables"] == {
        "IndicesTensor": {"sizes": [1, 1, 1, 3], "values": [2, 0, 2]}
    }
    heatmaps = [t for t in sent["figure"]["data"] if t["type"] == "heatmap"]
    assert [(t["name"], t["meta"]) for t in heatmaps] == [
        *(("input", 0), ("input", 1)),
        ("output", 0),
    ]
    assert len({color for _stop, color in heatmaps[1]["colorscale"]}) == 1
    titles = [long["text"] for long, *_shorter in sent["figure"]["layout"]["meta"]]
    assert titles == [
        "<b>InputTensor</b>  {1, 1, 3, 4} FLOAT32",
        "<b>IndicesTensor</b>  {1, 1, 1, 3} INT64",
        "<b>OutputTensor</b>  {1, 1, 3, 4} FLOAT32",
    ]


def test_several_outputs_have_formulas_of_their_own():
    sent = payload(dmlviz.scene(cut((1, 1, 2, 3), (1, 2))))
    assert [t["name"] for t in sent["output"]["tensors"]] == [
        "OutputTensors[0]",
        "OutputTensors[1]",
    ]
    assert list(sent["formula"]["of"]) == ["OutputTensors[0]", "OutputTensors[1]"]
    assert sent["drivers"] is None
    assert unpack(sent["source"]).tolist() == [0, 3, 1, 2, 4, 5]


def test_one_scale_of_colours_for_all_inputs():
    sent = payload(dmlviz.scene(chained((1, 2), (1, 2), axis=0)))
    assert sent["range"] == [1, 4]
    assert unpack(sent["color"]) == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_all_tensors_are_named_for_those_who_cannot_see():
    words = payload(dmlviz.scene(picked((3, 4), (2, 0), 0)))["words"]["picture"]
    assert words.startswith(
        "Inputs: InputTensor {3, 4} FLOAT32, IndicesTensor {1, 2} INT64. "
        "Outputs: OutputTensor {2, 4} FLOAT32. Index 0."
    )


def test_two_outputs_of_equal_sizes_are_compared_element_by_element():
    x = np.arange(24, dtype=np.float32).reshape(1, 8, 1, 3)
    runs = [
        dmlviz.scene(dmlviz.run(dmlviz.DepthToSpace(*settings), x))
        for settings in ((2, "DEPTH_COLUMN_ROW"), (2, "COLUMN_ROW_DEPTH"), (1, "COLUMN_ROW_DEPTH"))
    ]
    assert payload(compared(runs[0], runs[1]))["compared"] == 24
    assert "compared" not in payload(compared(runs[0], runs[2]))
    assert "compared" not in payload(runs[0])
