"""TopK: ties, and the output that is a map: in every room that shows it."""

import dataclasses
import io

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import GatherElements, TopK
from dmlviz.app.result import summary
from dmlviz.engines import ENGINES
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.picture.board import board
from dmlviz.picture.figure import figure
from dmlviz.picture.formats import npz
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.teaching.practice import ask
from dmlviz.teaching.predict import predictions
from tests.operators import recordings
from tests.strategies import bits, several

VALUES, INDICES = "OutputValueTensor", "OutputIndexTensor"
TABLE = np.array([[3, 9, 1, 7], [8, 2, 6, 4], [5, 10, 12, 11]])


@pytest.mark.parametrize("engine", recordings.ENGINES)
def test_0_and_minus_0_are_equal_and_each_keeps_its_sign(engine):
    zeros = dmlviz.run(TopK(0, 3), np.float32([0, -0.0, 0]), engine)
    assert zeros.agrees
    assert np.signbit(zeros.outputs[VALUES]).tolist() == [False, True, False]


def test_directions_by_name_or_number():
    assert TopK(0, 1, 0) == TopK(0, 1, "dml_axis_direction_increasing") == TopK(0, 1, "INCREASING")
    with pytest.raises(dmlviz.Error, match="axis_direction: None is not one of"):
        TopK(0, 1, None)


@pytest.mark.parametrize("kind", ["UINT32", "UINT64"])
def test_the_type_of_the_indices(kind):
    for engine in recordings.ENGINES:
        for form in ("native", "lowered"):
            found = dmlviz.run(TopK(1, 2, "DECREASING", kind), TABLE, engine, form)
            assert found.agrees
            assert found.outputs[INDICES].dtype == np.dtype(kind.lower())


@pytest.mark.parametrize("kind", ["UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT64"])
@pytest.mark.parametrize("direction", ["INCREASING", "DECREASING"])
def test_whole_numbers_from_end_to_end(kind, direction):
    ends = np.iinfo(kind.lower())
    x = np.array([[0, ends.max, ends.min, ends.max - 1, ends.min + 1]], kind.lower())
    due = sorted(x[0].tolist(), reverse=direction == "DECREASING")
    for engine in recordings.ENGINES:
        trace = dmlviz.run(TopK(1, 5, direction), x, engine, "lowered")
        assert trace.agrees
        assert trace.outputs[VALUES].tolist() == [due]


class Lying(NumpyEngine):
    """NumPy's engine, but for one change to an output of one of its runs."""

    def __init__(self, output, change, run):
        self.output, self.change, self.which, self.runs = output, change, run, 0

    def run(self, operator, inputs, form=""):
        self.runs += 1
        ran = super().run(operator, inputs)
        if self.runs != self.which:
            return ran
        changed = ran.outputs[self.output].copy()
        changed.flat[1] = self.change
        return dataclasses.replace(ran, outputs=ran.outputs | {self.output: changed})


@pytest.mark.parametrize(
    ("output", "change", "run", "wrong", "words"),
    [
        (VALUES, 8, 1, [VALUES], "1 of 6 elements differ from their source, first at [0, 1]"),
        (INDICES, 2, 1, [INDICES], "1 of 6 elements of OutputIndexTensor are not the index of"),
        (INDICES, 7, 1, [INDICES], "first at [0, 1]"),
        (INDICES, 2**32 - 1, 1, [INDICES], "first at [0, 1]"),
        # what the second run says of it is not asked
        (INDICES, 2, 2, [], "6 elements, each equal to its source. 6 indices, each that of its"),
        # an element of another row, and of nowhere
        (VALUES, 0, 2, [VALUES, INDICES], "1 of 6 elements differ"),
        (VALUES, 99, 2, [VALUES, INDICES], "1 of 6 elements differ"),
        (VALUES, -1, 2, [VALUES, INDICES], "1 of 6 elements differ"),
    ],
)
def test_both_outputs_are_proved_against_the_second_run(
    monkeypatch, output, change, run, wrong, words
):
    monkeypatch.setitem(ENGINES, "lying", Lying(output, change, run))
    monkeypatch.setattr(Lying, "status", lambda self: NumpyEngine().status())
    found = dmlviz.run(TopK(1, 2), TABLE, "lying")
    assert [name for name, at in found.differences.items() if at.size] == wrong
    assert words in found.check()


def test_an_index_of_the_wrong_one_of_two_equal_elements_is_found(monkeypatch):
    monkeypatch.setitem(ENGINES, "lying", Lying(INDICES, 0, 1))
    found = dmlviz.run(TopK(0, 2), np.int32([7, 7, 7]), "lying")
    assert found.differences[VALUES].size == 0
    assert found.differences[INDICES].tolist() == [1]


@given(several(TopK))
def test_the_indices_are_a_map_to_the_values(state):
    operator, inputs = state
    found = dmlviz.run(operator, inputs)
    values, indices = found.outputs[VALUES], found.outputs[INDICES]
    again = dmlviz.run(GatherElements(operator.axis), inputs | {"IndicesTensor": indices})
    np.testing.assert_array_equal(bits(again.output), bits(values))
    np.testing.assert_array_equal(found.sources[INDICES], found.sources[VALUES])
    np.testing.assert_array_equal(again.source, found.sources[VALUES])
    largest = operator.axis_direction == "DECREASING"
    inside = np.sort(inputs["InputTensor"], axis=operator.axis)
    inside = np.flip(inside, operator.axis) if largest else inside
    np.testing.assert_array_equal(np.take(inside, range(operator.k), operator.axis), values)


def test_the_line_below_the_stage_names_both_types():
    assert ", OutputValueTensor INT32, OutputIndexTensor UINT64" in summary(
        scene(dmlviz.run(TopK(1, 2, output_index_tensor_data_type="UINT64"), TABLE.astype("i4")))
    )
    assert summary(scene(dmlviz.run(TopK(1, 2), TABLE.astype("u4")))).endswith("}**, UINT32")


def test_the_scene_knows_which_cells_are_indices():
    drawn = scene(dmlviz.run(TopK(1, 2), TABLE))
    assert drawn.naming.tolist() == [False] * 6 + [True] * 6
    assert drawn.source.tolist() == [1, 3, 4, 6, 10, 11] * 2
    assert drawn.output_labels[6:] == ["1", "3", "0", "2", "2", "3"]
    assert [tensor.role for tensor in drawn.output.tensors] == ["values", "index"]


def test_the_player_is_sent_the_labels_of_the_indices_alone():
    picture = scene(dmlviz.run(TopK(1, 2), TABLE))
    sent = payload(picture)
    values, indices = sent["output"]["tensors"]
    assert values["labels"] is None
    assert (indices["role"], indices["labels"]) == ("index", ["1", "3", "0", "2", "2", "3"])
    assert sent["formula"]["tables"] == {
        INDICES: {"sizes": [3, 2], "values": [1, 3, 0, 2, 2, 3]},
        # what the formula of the values looks up, of the input alone
        "argsort(−in, axis=1)": {
            "sizes": [3, 4],
            "values": [1, 3, 0, 2, 0, 2, 3, 1, 2, 3, 1, 0],
        },
    }
    assert sent["formula"]["remarks"][INDICES]["0,1"] == (
        "OutputIndexTensor[0, 1] = 3: in[0, 3] = 7 is number 2, the largest first."
    )


def test_pictures_frame_the_indices_and_say_what_each_is_of():
    trace = dmlviz.run(TopK(1, 2), TABLE)
    assert len(board(scene(trace), False, 800).frames) == 1
    still = figure(trace)
    assert [shape.line.dash for shape in still.layout.shapes] == ["dash"]
    told = [
        text
        for part in still.data
        if part.customdata is not None
        for text in part.customdata.ravel()
    ]
    assert "OutputIndexTensor[0, 1] = 3, the index of in[0, 3]" in told
    assert "OutputValueTensor[0, 1] = in[0, 3] = 7" in told


def test_nobody_is_asked_where_an_index_comes_from():
    picture = scene(dmlviz.run(TopK(1, 2), TABLE))
    cells = [marked.cell for marked in predictions(picture).cells]
    assert cells
    assert not picture.naming[cells].any()
    for number in range(1, 30):
        for kind in ("source", "value"):
            assert ask(7, number, level=2, operator="top-k", kind=kind).output == VALUES


def test_the_files_have_the_sources_of_both():
    arrays = np.load(io.BytesIO(npz(dmlviz.run(TopK(1, 2), TABLE))))
    np.testing.assert_array_equal(arrays[INDICES], [[1, 3], [0, 2], [2, 3]])
    np.testing.assert_array_equal(arrays[f"{INDICES}.source"], [[1, 3], [4, 6], [10, 11]])
