"""Resample: rulers, older structures and laws."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Resample, operator_from_desc
from dmlviz.base.spelling import print_setting
from dmlviz.code.dialects import DIALECTS
from dmlviz.engines.recorded import recorded
from dmlviz.movement.steps import Point
from dmlviz.operators.per_dimension import RealPerDimension, single
from dmlviz.operators.rulers import Ruler, usual_count
from dmlviz.picture.payload import payload
from dmlviz.states import read_link
from dmlviz.tensors import DATA_TYPES
from dmlviz.verify import available, read_document, verify
from tests.one_input import formula_of, moves, native, snippets
from tests.operators import recordings
from tests.strategies import bits, sizes, tensors

UP, DOWN = "INCREASING", "DECREASING"
KIND = Resample.operator_type
OLD = ("DML_OPERATOR_RESAMPLE1", "DML_OPERATOR_RESAMPLE", "DML_OPERATOR_UPSAMPLE_2D")
ROW = np.array([1, 2, 3, 4, 5], np.float32)
TAKEN = ("FLOAT32", "FLOAT16", "INT8", "UINT8")
SCALES = st.sampled_from((2, 3, 1.5, 0.5, 0.25, 0.7, 1 / 3, 1, 1.25, 7.3))
OFFSETS = st.sampled_from((0, 0.5, -0.5, 1, 0.25, 0.1))


def row(direction, scale, inputs, outputs, *size):
    return Resample(direction, (scale,), (inputs,), (outputs,), size)


def ran(operator, x=ROW):
    return dmlviz.run(operator, x).output.tolist()


def test_8_bits_of_the_older_forms_are_another_rule():
    cases = recordings.cases(recordings.own("resample"), OLD[0])
    (case,) = [case for case in cases if case["inputs"][0]["data_type"] == "UINT8"]
    x, due = recordings.tensors(case), case["outputs"][0]["values"]
    operator = operator_from_desc(case["operator"], case["desc"])
    # rounded to the nearest, where DirectML rounded down
    assert operator == row(DOWN, 2, -0.5, 0)
    assert ran(row(DOWN, 2, -0.5, 0), x) != due
    assert ran(row(DOWN, 2, 0, 0), x) == due
    with pytest.raises(dmlviz.Refused, match="UINT8 is not run as DML_RESAMPLE1") as caught:
        dmlviz.run(operator, x)
    assert caught.value.field == "data_type"
    assert recorded(operator, x["InputTensor"]) is None


@pytest.mark.parametrize("kind", DATA_TYPES)
@pytest.mark.parametrize(
    ("structure", "desc"),
    [
        (OLD[0], {"Scales": [2], "InputPixelOffsets": [0], "OutputPixelOffsets": [0]}),
        (OLD[1], {"Scales": [2]}),
        (OLD[2], {"ScaleSize": [2, 2]}),
    ],
)
def test_types_of_older_forms(structure, desc, kind):
    operator = operator_from_desc(structure, desc | {"InterpolationMode": 0})
    x = np.ones((1, 1, 2, 2) if structure == OLD[2] else (2,), DATA_TYPES[kind].dtype)
    problems = operator.refusals({"InputTensor": x})
    assert bool(problems) == (kind not in TAKEN[:2])
    assert all(problem.field == "data_type" for problem in problems)
    # settings alone are those of DML_RESAMPLE2
    assert bool(Resample(**operator.settings).refusals({"InputTensor": x})) == (kind not in TAKEN)


@given(st.integers(1, 40), st.integers(1, 60), SCALES, OFFSETS, OFFSETS, st.booleans())
def test_it_is_the_rule_of_the_page(size, count, scale, inputs, outputs, up):
    ruler = Ruler(size, count, single(scale), single(inputs), single(-outputs), up)
    for k, place in enumerate(ruler.places.tolist()):
        at = (np.float32(k) - np.float32(-outputs)) / np.float32(scale) - np.float32(inputs)
        due = np.ceil(at) if up else np.floor(at)
        assert place == min(max(due, 0), size - 1) == ruler.fall(k).place
    operator = row(UP if up else DOWN, scale, inputs, -outputs, count)
    formula = formula_of(operator, (size,))
    assert [formula.locate((k,)) for k in range(count)] == [(p,) for p in ruler.places.tolist()]
    assert ruler.repeats in (0, count / size)


@given(sizes(ranks=(1, 4)), st.data())
def test_whole_scales_repeat(shape, data):
    x = data.draw(tensors(shape, TAKEN))
    times = data.draw(st.lists(st.integers(1, 3), min_size=x.ndim, max_size=x.ndim))
    due = x
    for d, n in enumerate(times):
        due = due.repeat(n, d)
    for outputs in (0, -0.5):
        operator = Resample(DOWN, times, (0,) * x.ndim, (outputs,) * x.ndim)
        np.testing.assert_array_equal(bits(dmlviz.run(operator, x).output), bits(due))


@given(sizes(ranks=(1, 4)), st.booleans(), st.data())
def test_scale_1_copies(shape, up, data):
    x = data.draw(tensors(shape, TAKEN))
    one = (1,) * x.ndim
    for inputs, outputs in ((0, 0), (0.5, -0.5)):
        operator = Resample(UP if up else DOWN, one, (inputs,) * x.ndim, (outputs,) * x.ndim)
        np.testing.assert_array_equal(bits(dmlviz.run(operator, x).output), bits(x))
        assert len(moves(operator, shape).steps) == 1


def test_nothing_huge_is_made():
    large = row(DOWN, 1, 0, 0, 4_000_000_000)
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(large, ROW)
    assert native(large, (5,), "FLOAT32") is None
    assert large.explain((5,), (3_999_999_999,)).endswith("= in[4]")
    assert len(snippets(large, (5,), "FLOAT32")) == len(DIALECTS)
    # numbers that are no index, and no int
    for offset in (3e38, -3e38):
        assert set(ran(row(UP, 1e-30, 0, offset, 4))) == {5.0 if offset < 0 else 1.0}
        assert row(UP, 1e-30, 0, offset, 4).explain((5,), (1,))


@pytest.mark.parametrize("value", ["LINEAR", 1, "dml_interpolation_mode_linear"])
def test_linear_is_no_copy(value):
    with pytest.raises(dmlviz.Error, match="LINEAR is not shown: it averages") as caught:
        Resample(DOWN, (2,), (0,), (0,), interpolation_mode=value)
    assert caught.value.field == "interpolation_mode"


def test_sizes_of_an_output_are_taken():
    # the product is a FLOAT, too
    assert usual_count(10, 0.7) == 7
    operator = row(DOWN, 2, 0, 0)
    assert operator.with_output_sizes({"OutputTensor": (4,)}) == row(DOWN, 2, 0, 0, 4)
    assert operator.with_output_sizes({"OutputTensor": (4, 4)}) == operator


def test_numbers_are_floats_with_few_digits():
    operator = row(DOWN, 1 / 3, np.float32(0.1), -0.0)
    assert operator == row(DOWN, np.float32(1 / 3), 0.1, 0)
    assert operator.scales == (0.33333334,)
    assert repr(operator.output_pixel_offsets) == "(0.0,)"
    again = operator_from_desc(KIND, json.loads(json.dumps(operator.desc)))
    assert again == operator


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_real_numbers_come_back_from_a_link(numbers):
    setting = RealPerDimension("scales", "Scales", "")
    kept = tuple(single(n) for n in numbers)
    assert setting.read(print_setting(kept)) == kept
    assert [np.float32(n) for n in kept] == [np.float32(n) for n in numbers]


@pytest.mark.parametrize(
    "text", ["", "1,", "1,x", "inf", "nan", "1e39", "1,1,1,1,1,1,1,1,1", "9" * 99]
)
def test_what_are_no_real_numbers(text):
    with pytest.raises(dmlviz.Error, match=r"scales: .* is not a list of finite numbers, one for"):
        RealPerDimension("scales", "Scales", "").read(text)


def test_a_link():
    operator = Resample(DOWN, (1.5, 1 / 3), (0, 0.5), (-0.5, 0), (3, 2))
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    link = dmlviz.link(operator, x)
    assert "scales=1.5,0.33333334" in link
    opened = read_link(link)
    assert opened.problems == ()
    assert opened.state.operator() == operator
    assert [p.field for p in read_link("/resample?interpolation_mode=LINEAR").problems] == [
        "interpolation_mode"
    ]


def test_steps_say_where_pixels_fall():
    steps = moves(Resample(UP, (2, 3), (0, 0), (0, 0)), (2, 3))
    assert steps.steps[4].points == (
        Point("InputTensor", 1, pytest.approx(1 / 3)),
        Point("OutputTensor", 1, 1.0),
    )
    assert [point.dimension for point in steps.steps[0].points] == [0, 0, 1, 1]


def test_the_stage_marks_where_pixels_fall():
    sent = payload(dmlviz.scene(dmlviz.run(row(DOWN, 2, 0, -0.5), ROW)))["steps"]
    assert sent[3]["points"] == [["input", 0, 0, 1.75], ["output", 0, 0, 3.5]]
    # what lands together has no place of its own
    assert "points" not in sent[7]


PAGE = """UID: NS:directml.{structure}
```
{fields}

InputTensor: (Sizes:{{1, 1, 1, 3}}, DataType:{kind})
[[[[1, 2, 3]]]]

OutputTensor: (Sizes:{{1, 1, {high}, {wide}}}, DataType:{kind})
[[[{rows}]]]
```
"""
MODE = "InterpolationMode: DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR"


@pytest.mark.parametrize(
    ("older", "fields", "rows"),
    [
        ("RESAMPLE", "ScaleCount: 4\nScales: {1, 1, 1, 2.0f}", [[1, 1, 2, 2, 3, 3]]),
        ("RESAMPLE", "Scales: {1, 1, 1, 2.}", [[1, 1, 2, 2, 3, 3, 3]]),
        (
            "RESAMPLE1",
            "Scales: {1,1,1,2}\nInputPixelOffsets: {0,0,0,.5}\nOutputPixelOffsets: {0,0,0,-.5f}",
            [[1, 1, 2, 2, 3]],
        ),
        ("UPSAMPLE_2D", "ScaleSize: {Width: 2, Height: 2}", [[1, 1, 2, 2, 3, 3]] * 2),
        ("UPSAMPLE_2D", "ScaleSize: {.Width = 2, .Height = 2}", [[1, 1, 2, 2, 3, 3]] * 2),
        ("UPSAMPLE_2D", "ScaleSize: {2, 1}", [[1, 1, 2, 2, 3, 3]]),
    ],
)
@pytest.mark.parametrize("kind", ["FLOAT32", "UINT8"])
def test_pages_of_older_forms(older, fields, rows, kind):
    structure = f"DML_{older}_OPERATOR_DESC"
    text = PAGE.format(
        structure=structure,
        fields=f"{MODE}\n{fields}",
        high=len(rows),
        wide=len(rows[0]),
        rows=rows,
        kind=kind,
    )
    document = read_document(text)
    # DirectML does not take them
    taken = kind == "FLOAT32" or older != "UPSAMPLE_2D"
    assert {v.status for v in verify(document, available())} == {"match" if taken else "refused"}
    told = " ".join(f.message for f in document.all_findings)
    assert (
        f"for UINT8, DirectML 1.15.4 itself does not follow the rule of {structure}" in told
    ) == (kind == "UINT8" and older != "UPSAMPLE_2D")
