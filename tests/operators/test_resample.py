"""Resample: DirectML's answers, rulers, older structures, what is refused, laws."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Resample, operator_from_desc
from dmlviz.documents import available, read_document, verify
from dmlviz.engines.recorded import recorded
from dmlviz.movement.steps import Point
from dmlviz.operators.real_per_dimension import RealPerDimension, single
from dmlviz.operators.rulers import Ruler, usual_count
from dmlviz.operators.spelling import print_setting
from dmlviz.player.payload import payload
from dmlviz.states import read_link
from dmlviz.tensors import DATA_TYPES
from tests.one_input import formula_of, moves, native, parts_of, snippets, sums_of
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


def test_examples():
    square, room = Resample.examples()
    due = [[1, 1, 2, 2, 3, 3]] * 2 + [[4, 4, 5, 5, 6, 6]] * 2
    np.testing.assert_array_equal(dmlviz.run(square.operator, square.x).output[0, 0], due)
    assert ran(room.operator, room.x) == [1, 1, 2, 2, 3, 4, 4, 5]


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
    ("structure", "desc", "taken"),
    [
        (OLD[0], {"Scales": [2], "InputPixelOffsets": [0], "OutputPixelOffsets": [0]}, TAKEN[:2]),
        (OLD[1], {"Scales": [2]}, TAKEN[:2]),
        (OLD[2], {"ScaleSize": [2, 2]}, TAKEN[:2]),
    ],
)
def test_types_of_older_forms(structure, desc, taken, kind):
    operator = operator_from_desc(structure, desc | {"InterpolationMode": 0})
    x = np.ones((1, 1, 2, 2) if structure == OLD[2] else (2,), DATA_TYPES[kind].dtype)
    problems = operator.refusals({"InputTensor": x})
    assert bool(problems) == (kind not in taken)
    assert all(problem.field == "data_type" for problem in problems)
    # settings alone are those of DML_RESAMPLE2
    assert bool(Resample(**operator.settings).refusals({"InputTensor": x})) == (kind not in TAKEN)


def test_resample1_and_the_remark_of_resample2s_page():
    kind, centres = OLD[0], {"InputPixelOffsets": [0.5], "OutputPixelOffsets": [-0.5]}
    older = operator_from_desc(
        kind, {"InterpolationMode": 0, "DimensionCount": 1, "Scales": [3], **centres}
    )
    assert older == row(DOWN, 3, 0, -0.5)
    assert ran(older) == [n for n in (1, 2, 3, 4, 5) for _k in range(3)]
    # not the output's offset, as that page says
    assert ran(row(DOWN, 3, 0.5, -1)) != ran(older)
    assert operator_from_desc(OLD[1], {"InterpolationMode": 0, "Scales": [3.0]}) == older
    sized = {"OutputTensor": {"Sizes": [4]}, "InterpolationMode": 0, "ScaleCount": 1}
    assert operator_from_desc(OLD[1], {**sized, "Scales": [3]}) == row(DOWN, 3, 0, -0.5, 4)


def test_upsample_2d():
    desc = {"ScaleSize": {"Width": 3, "Height": 2}, "InterpolationMode": "NEAREST_NEIGHBOR"}
    operator = operator_from_desc(OLD[2], desc)
    assert operator.scales == (1, 1, 2, 3)
    assert operator_from_desc(OLD[2], {**desc, "ScaleSize": [3, 2]}) == operator
    x = np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3)
    due = x.repeat(2, -2).repeat(3, -1)
    np.testing.assert_array_equal(dmlviz.run(operator, x).output, due)
    tensor = {"Sizes": [1, 2, 1, 2, 3]}
    with pytest.raises(
        dmlviz.Error, match="5 dimensions is not shown: it is read as DML_RESAMPLE2"
    ):
        operator_from_desc(
            OLD[2], {**desc, "InputTensor": tensor, "OutputTensor": {"Sizes": [1, 2, 1, 4, 9]}}
        )
    for wrong in ({"Width": 3}, [1, 2, 3], 2, "3,2"):
        with pytest.raises(dmlviz.Error, match=r"ScaleSize is .*; it must look like"):
            operator_from_desc(OLD[2], {**desc, "ScaleSize": wrong})


@pytest.mark.parametrize(
    ("transformation", "nearest", "operator", "due"),
    [
        ("half_pixel", "floor", row(DOWN, 2, 0.5, -0.5), [1, 1, 1, 2, 2, 3]),
        ("half_pixel", "ceil", row(UP, 2, 0.5, -0.5), [1, 2, 2, 3, 3, 3]),
        ("half_pixel", "round_prefer_floor", row(UP, 0.5, 1, -0.5), [1, 3, 5]),
        ("half_pixel", "round_prefer_ceil", row(DOWN, 0.5, 0, -0.5), [2, 4, 6]),
        ("asymmetric", "floor", row(DOWN, 2, 0, 0), [1, 1, 2, 2, 3, 3]),
        ("asymmetric", "ceil", row(UP, 2, 0, 0), [1, 2, 2, 3, 3, 3]),
        ("asymmetric", "round_prefer_floor", row(UP, 2, 0.5, 0), [1, 1, 2, 2, 3, 3]),
        ("asymmetric", "round_prefer_ceil", row(DOWN, 2, -0.5, 0), [1, 2, 2, 3, 3, 3]),
    ],
)
def test_onnx_has_names_for_these(transformation, nearest, operator, due):
    x = np.arange(1, 7 if len(due) == 3 and operator.scales == (0.5,) else 4, dtype=np.float32)
    graph = native(operator, x.shape, "FLOAT32")
    (node,) = graph.nodes
    assert node.op_type == "Resize"
    assert node.attributes["coordinate_transformation_mode"] == transformation
    assert node.attributes["nearest_mode"] == nearest
    for engine in recordings.ENGINES:
        trace = dmlviz.run(operator, x, engine)
        assert trace.output.tolist() == due
        assert trace.agrees
    assert trace.ran.form == "native"


@pytest.mark.parametrize(
    ("operator", "sizes"),
    [
        # no such offsets; another rule in each dimension; a size that the scale does not make
        (row(DOWN, 2, 0.25, -0.5), (5,)),
        (Resample(DOWN, (2, 2), (0.5, 0), (-0.5, 0)), (3, 3)),
        (row(DOWN, 2, 0, -0.5, 9), (5,)),
        # ONNX Runtime copies what keeps its size
        (row(DOWN, 1.25, 0.5, -0.5), (3,)),
        # doubles and FLOATs come to different places
        (row(DOWN, 0.6, 0.5, -0.5), (5,)),
        (row(DOWN, 0.7, 0, 0), (10,)),
    ],
)
def test_what_is_no_resize(operator, sizes):
    assert native(operator, sizes, "FLOAT32") is None
    x = np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes)
    found = dmlviz.run(operator, x, "onnxruntime")
    assert found.ran.form == "lowered"
    np.testing.assert_array_equal(found.output, dmlviz.run(operator, x).output)


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


def test_sizes():
    assert row(DOWN, 1.5, 0, 0).output_sizes((5,)) == (7,)
    assert row(DOWN, 0.25, 0, 0).output_sizes((3,)) == (1,)
    # the product is a FLOAT, too
    assert usual_count(10, 0.7) == 7
    assert row(DOWN, 2, 0, 0, 3).output_sizes((5,)) == (3,)
    assert sums_of(row(DOWN, 1.5, 0, 0), (5,)) == ("floor(5 · 1.5) = 7",)
    assert sums_of(row(DOWN, 1, 0, 0), (5,)) == ("5",)
    operator = row(DOWN, 2, 0, 0)
    assert operator.with_output_sizes({"OutputTensor": (4,)}) == row(DOWN, 2, 0, 0, 4)
    assert operator.with_output_sizes({"OutputTensor": (4, 4)}) == operator


def test_refusals():
    def message(operator, sizes=(5,), kind="FLOAT32", level=None):
        return [p.message for p in operator.problems(sizes, kind, level)]

    for scale, told in ((0, "0"), (-2, "-2"), (1e-60, "0")):
        assert message(row(DOWN, scale, 0, 0)) == [
            f"scales: {told} in dimension 0 is invalid; a scale must be greater than 0."
        ]
    for number in (float("nan"), float("inf"), 1e39):
        [one] = message(row(DOWN, number, 0, 0))
        assert one.endswith("it must be a finite FLOAT.")
        [one] = message(row(DOWN, 1, number, 0))
        assert one.startswith("input_pixel_offsets: ")
    [one] = message(row(DOWN, 1, 0, 0, -1))
    assert one == "output_tensor_sizes: -1 in dimension 0 is invalid; a size must be 1 or more."
    [one] = message(Resample(DOWN, (1,), (0, 0), (0,)))
    assert one.startswith(
        "input_pixel_offsets: {0.0, 0.0} are 2 numbers; the input has 1 dimensions"
    )
    assert "takes 1 to 4" in message(Resample(DOWN, (1,) * 5, (0,) * 5, (0,) * 5), (2,) * 5)[0]
    for kind in DATA_TYPES:
        found = message(row(DOWN, 2, 0, 0), kind=kind)
        assert bool(found) == (kind not in TAKEN)
    assert message(row(DOWN, 2, 0, 0), kind="INT32") == [
        "data_type: INT32 is not supported; DML_RESAMPLE2 takes FLOAT32, FLOAT16, INT8, UINT8."
    ]
    assert "it was added in feature level 5_1" in message(row(DOWN, 2, 0, 0), level="5_0")[0]
    for kind in ("INT8", "UINT8"):
        [one] = message(row(DOWN, 2, 0, 0), kind=kind, level="6_1")
        assert "feature level 6_2 and above accept it" in one
        assert not message(row(DOWN, 2, 0, 0), kind=kind, level="6_2")


def test_nothing_huge_is_made():
    for scale in (3e38, 1e12):
        [one] = row(DOWN, scale, 0, 0).problems((5,), None)
        assert "the output would have size" in one.message
    large = row(DOWN, 1, 0, 0, 4_000_000_000)
    assert large.problems((5,), "FLOAT32") == []
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(large, ROW)
    assert native(large, (5,), "FLOAT32") is None
    assert large.explain((5,), (3_999_999_999,)).endswith("= in[4]")
    assert len(snippets(large, (5,), "FLOAT32")) == 6
    # numbers that are no index, and no int
    for offset in (3e38, -3e38):
        assert set(ran(row(UP, 1e-30, 0, offset, 4))) == {5.0 if offset < 0 else 1.0}
        assert row(UP, 1e-30, 0, offset, 4).explain((5,), (1,))


@pytest.mark.parametrize("value", ["LINEAR", 1, "dml_interpolation_mode_linear"])
def test_linear_is_no_copy(value):
    with pytest.raises(dmlviz.Error, match="LINEAR is not shown: it averages") as caught:
        Resample(DOWN, (2,), (0,), (0,), interpolation_mode=value)
    assert caught.value.field == "interpolation_mode"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("Scales", "12", "scales: .* is not a list of real numbers"),
        ("Scales", [None], "real numbers"),
        ("Scales", [True], "real numbers"),
        ("Scales", ["2"], "real numbers"),
        ("Scales", [10**400], "real numbers"),
        ("Scales", 2, "real numbers"),
        ("RoundingDirection", "SIDEWAYS", 'rounding_direction: "SIDEWAYS" is not one of INC'),
        ("RoundingDirection", 2, "rounding_direction: 2 is not one of"),
        ("RoundingDirection", 1.0, "rounding_direction: 1.0 is not one of"),
        ("DimensionCount", 2, "DimensionCount is 2, but Scales"),
        ("Antialiased", True, 'has no field "Antialiased"'),
    ],
)
def test_descriptions_that_are_none(field, value, words):
    with pytest.raises(dmlviz.Error, match=words):
        operator_from_desc(KIND, {**row(DOWN, 2, 0, 0).desc, field: value})


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


def test_the_formula():
    assert row(DOWN, 1.5, 0.5, -0.5).explain((5,), (0,)) == (
        "out[w] = in[max(0, min(4, floor((w + 0.5) / 1.5 − 0.5)))]\n"
        "out[0] = in[max(0, min(4, floor((0 + 0.5) / 1.5 − 0.5)))] = in[0]"
    )
    assert Resample(UP, (1, 2), (0.5, 0), (-0.5, 0), (2, 5)).explain((2, 3), (1, 3)) == (
        "out[h, w] = in[h, ceil(w / 2)]\nout[1, 3] = in[1, ceil(3 / 2)] = in[1, 2]"
    )


def test_steps_say_where_pixels_fall():
    steps = moves(row(DOWN, 2, 0.5, -0.5), (2,)).steps
    assert [step.caption for step in steps] == [
        (
            "Its center, 0.5, falls on 0.25 of the input's ruler. 0.25 − 0.5 = -0.25, "
            "rounded down: index -1. There is no such input pixel, so the edge repeats: "
            "index 0. 1 element is copied."
        ),
        (
            "Its center, 1.5, falls on 0.75 of the input's ruler. 0.75 − 0.5 = 0.25, rounded "
            "down: index 0. 1 element is copied."
        ),
        (
            "Its center, 2.5, falls on 1.25 of the input's ruler. 1.25 − 0.5 = 0.75, rounded "
            "down: index 0. 1 element is copied."
        ),
        (
            "Its center, 3.5, falls on 1.75 of the input's ruler. 1.75 − 0.5 = 1.25, rounded "
            "down: index 1. 1 element is copied."
        ),
    ]
    steps = moves(Resample(UP, (2, 3), (0, 0), (0, 0)), (2, 3))
    assert [step.title for step in steps.steps] == [
        "The first output pixel",
        *(f"Dimension 0: output pixel {k}" for k in (1, 2, 3)),
        *(f"Dimension 1: output pixel {k}" for k in range(1, 7)),
        "Dimension 1: output pixels 7 to 8",
    ]
    assert steps.steps[0].caption.startswith("Dimension 0: its start, 0, falls on 0 of the input")
    assert steps.steps[4].points == (
        Point("InputTensor", 1, pytest.approx(1 / 3)),
        Point("OutputTensor", 1, 1.0),
    )
    assert [point.dimension for point in steps.steps[0].points] == [0, 0, 1, 1]
    assert steps.step_of.reshape(4, 9)[:, :2].tolist() == [[0, 4], [1, 4], [2, 4], [3, 4]]
    assert "Its start, 1, falls on 0.33333334" in steps.steps[4].caption


def test_the_stage_marks_where_pixels_fall():
    sent = payload(dmlviz.scene(dmlviz.run(row(DOWN, 2, 0, -0.5), ROW)))["steps"]
    assert sent[3]["points"] == [["input", 0, 0, 1.75], ["output", 0, 0, 3.5]]
    # what lands together has no place of its own
    assert "points" not in sent[7]


def test_parts_go_axis_by_axis():
    parts = parts_of(Resample(DOWN, (2, 3), (0, 0), (-0.5, -0.5)), (2, 3))
    assert [part.title for part in parts] == ["Dimension 0: 2 → 4", "Dimension 1: 3 → 9"]
    assert parts[0].caption == (
        "The 4 output pixels fall on 0.25, 0.75, 1.25, 1.75 of the input's ruler. Input indices "
        "0, 0, 1, 1 are copied, in this order."
    )
    assert parts_of(row(DOWN, 2, 0, 0), (3,)) == ()


def test_misreadings():
    found = {m.key: m for m in row(DOWN, 2, 0, -0.5).misreadings((3,))}
    assert found["tiled-0"].source.tolist() == [0, 1, 2, 0, 1, 2]
    assert found["zeros-0"].source.tolist() == [0, -1, 1, -1, 2, -1]
    assert found["other-rounding-0"].source.tolist() == [1, 1, 2, 2, 2, 2]
    assert found["centres-0"].source.tolist() == [0, 0, 0, 1, 1, 2]
    assert found["divided-0"].output_sizes == (1,)
    both = {m.key: m for m in Resample(DOWN, (2, 3), (0, 0), (0, 0)).misreadings((2, 2))}
    assert both["swapped"].output_sizes == (6, 4)
    assert both["zeros-1"].source.reshape(4, 6)[0].tolist() == [0, -1, -1, 1, -1, -1]


def test_code():
    def piece(operator, dialect, sizes=(1, 2, 4, 4), kind="FLOAT32"):
        return next(s for s in snippets(operator, sizes, kind) if s.dialect == dialect)

    def square(scale, inputs, outputs):
        return Resample(DOWN, (1, 1, scale, scale), (inputs,) * 4, (outputs,) * 4)

    twice, exact, plain = square(2, 0, -0.5), square(1.5, 0, -0.5), square(1.5, 0, 0)
    assert piece(twice, "numpy").body == "y = np.repeat(x, 2, axis=2)\ny = np.repeat(y, 2, axis=3)"
    assert piece(twice, "einops").body == (
        'y = repeat(x, "n c h w -> n c (h rh) (w rw)", rh=2, rw=2)'
    )
    assert 'F.interpolate(x, size=(6, 6), mode="nearest-exact")' in piece(exact, "pytorch").body
    assert 'F.interpolate(x, size=(6, 6), mode="nearest")' in piece(plain, "pytorch").body
    assert "index_select(2, i.clamp(0, 3)" in piece(plain, "pytorch", kind="INT8").body
    assert piece(exact, "einops").body == ""
    assert "i = np.floor((np.arange(6, dtype=np.float32) + 0.5) / 1.5)" in (
        piece(exact, "numpy").body
    )
    channels_last = Resample(DOWN, (1, 1.5, 1.5, 1), (0,) * 4, (-0.5,) * 4)
    assert 'tf.image.resize(x, [6, 6], method="nearest")' in (
        piece(channels_last, "tensorflow", (1, 4, 4, 2)).body
    )
    assert "const FLOAT scales[] = {1.0f, 1.0f, 1.5f, 1.5f};" in piece(exact, "directml").body
    assert "DML_AXIS_DIRECTION_DECREASING;" in piece(exact, "directml").body


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
