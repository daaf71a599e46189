"""TopK: DirectML's examples, ties, what is refused and why, and the output that is a map."""

import dataclasses
import io

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import GatherElements, TopK, operator_from_desc
from dmlviz.drawing.board import board
from dmlviz.engines import ENGINES
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.exports.arrays import npz
from dmlviz.operators.slots import TensorDesc
from dmlviz.player.figure import figure
from dmlviz.player.payload import payload
from dmlviz.scene import scene
from dmlviz.teaching.practice import ask
from dmlviz.teaching.predict import predictions
from dmlviz.ui.result import told
from tests.operators import recordings
from tests.strategies import bits, several

VALUES, INDICES = "OutputValueTensor", "OutputIndexTensor"
TABLE = np.array([[3, 9, 1, 7], [8, 2, 6, 4], [5, 10, 12, 11]])


def picked(x, *settings, engine="numpy", form=""):
    found = dmlviz.run(TopK(*settings), np.asarray(x), engine, form)
    assert found.agrees
    return found.outputs[VALUES].tolist(), found.outputs[INDICES].tolist()


@pytest.mark.parametrize(
    ("number", "values", "indices"),
    [
        (0, [[11, 10], [9, 8], [7, 6]], [[3, 2], [2, 3], [3, 2]]),
        (1, [[4, 5, 10, 11], [3, 2, 9, 8]], [[2, 2, 0, 0], [1, 1, 1, 1]]),
        (2, [[3, 2, 2], [5, 5, 4], [6, 6, 6]], [[3, 1, 2], [2, 3, 1], [0, 1, 2]]),
        (3, [[1, 2, 2], [3, 4, 5], [6, 6, 6]], [[0, 1, 2], [0, 1, 2], [0, 1, 2]]),
    ],
)
def test_documentation_examples(number, values, indices):
    example = TopK.examples()[number]
    found = dmlviz.run(example.operator, example.x)
    np.testing.assert_array_equal(found.outputs[VALUES], np.float32([[values]]), strict=True)
    np.testing.assert_array_equal(found.outputs[INDICES], np.uint32([[indices]]), strict=True)
    if number < 3:
        older = {"Axis": example.operator.axis, "K": example.operator.k}
        assert operator_from_desc("DML_TOP_K_OPERATOR_DESC", older) == example.operator


@pytest.mark.parametrize("engine", recordings.ENGINES)
def test_equal_elements_come_in_the_order_of_their_indices_in_both_directions(engine):
    x = np.int32([5, 7, 5, 7, 5])
    assert picked(x, 0, 5, engine=engine) == ([7, 7, 5, 5, 5], [1, 3, 0, 2, 4])
    assert picked(x, 0, 3, "INCREASING", engine=engine) == ([5, 5, 5], [0, 2, 4])
    # 0 and -0 are equal, and each keeps its sign
    zeros = dmlviz.run(TopK(0, 3), np.float32([0, -0.0, 0]), engine)
    assert zeros.agrees
    assert np.signbit(zeros.outputs[VALUES]).tolist() == [False, True, False]


def test_directions_by_name_or_number():
    assert TopK(0, 1, 0) == TopK(0, 1, "dml_axis_direction_increasing") == TopK(0, 1, "INCREASING")
    assert TopK(0, 1, "UP").problems((2,), None)[0].message == (
        'axis_direction: "UP" is not one of INCREASING, DECREASING.'
    )
    with pytest.raises(dmlviz.Error, match="axis_direction: None is not one of"):
        TopK(0, 1, None)


@pytest.mark.parametrize("kind", ["UINT32", "UINT64"])
def test_the_type_of_the_indices(kind):
    for engine in recordings.ENGINES:
        for form in ("native", "lowered"):
            found = dmlviz.run(TopK(1, 2, "DECREASING", kind), TABLE, engine, form)
            assert found.agrees
            assert found.outputs[INDICES].dtype == np.dtype(kind.lower())
    desc = {"Axis": 1, "K": 2, "AxisDirection": 1, INDICES: {"DataType": kind, "Sizes": [3, 2]}}
    operator = operator_from_desc("DML_OPERATOR_TOP_K1", desc)
    assert operator == TopK(1, 2, "DECREASING", kind)
    assert operator_from_desc(operator.operator_type, operator.desc) == operator


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"DataType": "INT64"}, "OutputIndexTensor: INT64 is not supported; .* UINT32, UINT64"),
        (
            {"DataType": 3},
            r'desc: OutputIndexTensor is .*; it must look like {"DataType": "UINT32"}',
        ),
        ({}, "desc: OutputIndexTensor is {}; it must look like"),
        ({"Strides": [1]}, "desc: OutputIndexTensor is"),
        ({"Sizes": [3, 3]}, r"desc: OutputIndexTensor .* has Sizes \[3, 3\], not \{3, 2\}"),
    ],
)
def test_wrong_descriptions_of_the_index_output(given, words):
    desc = {"Axis": 1, "K": 2, "AxisDirection": 1, INDICES: given, "InputTensor": {"Sizes": [3, 4]}}
    with pytest.raises(dmlviz.Error, match=words):
        operator_from_desc("DML_OPERATOR_TOP_K1", desc).output_sizes((3, 4))


@pytest.mark.parametrize("kind", ["UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT64"])
@pytest.mark.parametrize("direction", ["INCREASING", "DECREASING"])
def test_whole_numbers_from_end_to_end(kind, direction):
    ends = np.iinfo(kind.lower())
    x = np.array([[0, ends.max, ends.min, ends.max - 1, ends.min + 1]], kind.lower())
    due = sorted(x[0].tolist(), reverse=direction == "DECREASING")
    for engine in recordings.ENGINES:
        assert picked(x, 1, 5, direction, engine=engine, form="lowered")[0] == [due]


@pytest.mark.parametrize(
    ("settings", "field", "words"),
    [
        ((2, 1), "axis", "2 is invalid; the input's dimensions are 0 to 1"),
        ((1, 0), "k", "0 is invalid; a sequence along dimension 1 has 4 elements"),
        ((1, 5), "k", "5 is invalid; .* of which 1 to 4 can be picked"),
    ],
)
def test_refusals(settings, field, words):
    assert [problem.field for problem in TopK(*settings).problems((3, 4), None)] == [field]
    with pytest.raises(dmlviz.Refused, match=words):
        TopK(*settings).output_sizes((3, 4))


def test_nan_and_float64_are_refused():
    with pytest.raises(dmlviz.Refused, match=r"values: NaN at \[0, 1\] is neither larger nor"):
        dmlviz.run(TopK(0, 1), np.float16([[1, np.nan]]))
    with pytest.raises(dmlviz.Refused, match="FLOAT64 is not supported; DML_TOP_K1 takes FLOAT32"):
        dmlviz.run(TopK(0, 1), np.zeros(2))
    assert picked(np.float32([1, np.inf, -np.inf]), 0, 3)[1] == [1, 0, 2]


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


def test_the_whole_axis_is_a_sort():
    for d in (0, 1):
        n = TABLE.shape[d]
        values, indices = picked(TABLE, d, n, "INCREASING")
        assert values == np.sort(TABLE, d).tolist()
        assert indices == np.argsort(TABLE, d).tolist()


def test_k_follows_sizes_that_shrink():
    assert TopK.fitted({"axis": 1, "k": 4}, (3, 2), (3, 4)) == {"axis": 1, "k": 2}
    assert TopK.fitted({"axis": 1, "k": 9}, (3, 2), (3, 4)) == {"axis": 1, "k": 9}


def test_steps():
    [first, *_rest, last] = TopK(0, 9).moves({"InputTensor": np.arange(12)}).steps
    assert first.title == "Place 0 of each sequence"
    assert "in[11] = 11 lands first. The other output gets its index in the sequence, 11" in (
        first.caption
    )
    assert (last.title, "always the largest" in last.caption) == (
        "Places 7 to 8 of each sequence",
        True,
    )
    steps = TopK(1, 3, "INCREASING").moves({"InputTensor": np.array([[1, 2, 3], [5, 4, 5]])})
    assert steps.step_of.tolist() == [0, 1, 2] * 4
    assert [step.caption.partition(":")[0] for step in steps.steps] == [
        "The smallest of each sequence along dimension 1",
        "The smallest of what is left in each sequence",
        "5 again",
    ]
    assert "0 before 2. in[1, 2] lands at place 2" in steps.steps[2].caption


def test_explanations():
    inputs = {"InputTensor": TABLE}
    assert TopK(1, 2).explain(inputs, (0, 1)).splitlines() == [
        "OutputValueTensor[h, k] = in[h, argsort(−in, axis=1)[h, k]]",
        "OutputValueTensor[0, 1] = in[0, argsort(−in, axis=1)[0, 1]] = in[0, 3]",
        "OutputIndexTensor[0, 1] = 3: in[0, 3] = 7 is number 2, the largest first.",
    ]
    assert TopK(0, 1, "INCREASING").explain(inputs, (0, 2), INDICES) == (
        "OutputIndexTensor[0, 2] = 0: in[0, 2] = 1 is number 1, the smallest first."
    )


def test_the_line_below_the_stage_names_both_types():
    assert ", OutputValueTensor INT32, OutputIndexTensor UINT64" in told(
        scene(dmlviz.run(TopK(1, 2, output_index_tensor_data_type="UINT64"), TABLE.astype("i4")))
    )
    assert told(scene(dmlviz.run(TopK(1, 2), TABLE.astype("u4")))).endswith("}**, UINT32")


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
    cells = [marked["cell"] for marked in predictions(picture)["cells"]]
    assert cells
    assert not picture.naming[cells].any()
    for number in range(1, 30):
        for kind in ("source", "value"):
            assert ask(7, number, level=2, operator="top-k", kind=kind).output == VALUES


def test_the_files_have_the_sources_of_both():
    arrays = np.load(io.BytesIO(npz(dmlviz.run(TopK(1, 2), TABLE))))
    np.testing.assert_array_equal(arrays[INDICES], [[1, 3], [0, 2], [2, 3]])
    np.testing.assert_array_equal(arrays[f"{INDICES}.source"], [[1, 3], [4, 6], [10, 11]])


def test_misreadings():
    found = {m.key: m for m in TopK(1, 2).misreadings({"InputTensor": TABLE})}
    assert {key: found[key].source.tolist()[:6] for key in found if key != "sorted"} == {
        "other-direction": [2, 0, 5, 7, 8, 9],
        "turned": [3, 1, 6, 4, 11, 10],
        "first": [0, 1, 4, 5, 8, 9],
        "axis-0": [4, 9, 10, 11, 8, 1],
        "slices": [1, 3, 5, 7, 9, 11],
        "whole-tensor": [10, 11, 10, 11],
        "only-kth": [3, 6, 11, 3, 6, 11],
        "one-fewer": [1, 4, 10, 1, 4, 10],
    }
    three = {m.key: m for m in TopK(0, 3).misreadings({"InputTensor": np.array([4, 8, 7, 9])})}
    assert three["in-place"].source.tolist() == [1, 2, 3] * 2
    assert found["sorted"].output_sizes == {VALUES: (3, 4), INDICES: (3, 4)}


def test_code():
    def piece(dialect, operator=TopK(1, 2)):  # noqa: B008
        descs = {"InputTensor": TensorDesc((3, 4), "FLOAT32")}
        return next(s for s in operator.code(descs) if s.dialect == dialect)

    assert "order = 3 - np.flip(back, 1)" in piece("numpy").body
    assert 'np.argsort(x, axis=1, kind="stable")' in piece("numpy", TopK(1, 2, 0)).body
    assert "torch.sort(x, dim=1, descending=True, stable=True)" in piece("pytorch").body
    assert '"TopK"' in piece("onnx").body
    assert "AxisDirection = DML_AXIS_DIRECTION_INCREASING;" in piece("directml", TopK(1, 2, 0)).body
    assert "operatorDesc.OutputIndexTensor = &outputIndexTensor;" in piece("directml").body
