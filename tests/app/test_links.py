"""An address opens the app in exactly its state; invalid parts are reported and ignored."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

import dmlviz
from dmlviz.tensors import DATA_TYPES, print_tensor
from dmlviz.verify import write_example


def values(data_type, *sizes):
    dtype = DATA_TYPES[data_type].dtype
    drawn = np.random.default_rng(5).integers(0, 100, sizes)
    if data_type.startswith("FLOAT"):
        drawn = drawn / 8 - 6
    return drawn.astype(dtype)


CASES = [
    (dmlviz.Tile((2, 1, 3)), values("INT8", 2, 3, 2), {}),
    (dmlviz.Tile((3,)), values("UINT64", 5), {"feature_level": "5_0"}),
    (dmlviz.Tile((1, 2, 1, 2, 1, 2, 1, 2)), values("FLOAT64", 2, 1, 2, 1, 2, 1, 2, 1), {}),
    (dmlviz.DepthToSpace(3, "COLUMN_ROW_DEPTH"), values("FLOAT16", 1, 18, 2, 2), {}),
    (dmlviz.DepthToSpace(2), values("INT64", 2, 4, 3, 1), {"feature_level": "6_4"}),
    (dmlviz.SpaceToDepth(3, "COLUMN_ROW_DEPTH"), values("UINT8", 1, 2, 3, 6), {}),
    (dmlviz.SpaceToDepth(1), values("INT16", 1, 2, 3, 6), {}),
    (dmlviz.Padding("CONSTANT", (1, 0), (0, 2), -2.5), values("FLOAT32", 3, 5), {}),
    (dmlviz.Padding("CONSTANT", (1, 0), (0, 2), 9), values("UINT32", 3, 5), {}),
    (dmlviz.Padding("CONSTANT", (1,), (2,), float("nan")), values("FLOAT32", 3), {}),
    (dmlviz.Padding("CONSTANT", (1,), (2,), float("-inf")), values("FLOAT64", 3), {}),
    (dmlviz.Padding("REFLECTION", (7,), (0,)), values("INT32", 3), {}),
    (dmlviz.Padding("WRAP", (0, 1, 2), (3, 0, 1)), values("UINT16", 2, 3, 4), {}),
    (
        dmlviz.Padding("SYMMETRIC", (0, 4), (3, 0)),
        values("FLOAT16", 2, 3),
        {"feature_level": "3_1"},
    ),
]


def opened(explorer, operator, x, **view):
    address = urlsplit(dmlviz.link(operator, x, **view))
    page = address.path.strip("/").replace("-", "_")
    return explorer(page, **dict(parse_qsl(address.query, keep_blank_values=True)))


def test_an_example_for_each_structure_that_does_the_same(explorer):
    x = np.int8([1, 2, 3, 4, 5])
    operator = dmlviz.Slice((1,), (4,), (2,))
    shown = opened(explorer, operator, x)
    trace = dmlviz.run(operator, x)
    (form,) = operator.older_forms
    written = write_example(operator, trace.inputs, trace.outputs, form=form)
    assert written in [block.value for block in shown.at.code]
    back = opened(explorer, dmlviz.Slice((0,), (5,), (-2,)), x)
    assert not any(form.structure in block.value for block in back.at.code)


@pytest.mark.parametrize(("operator", "x", "view"), CASES, ids=[str(i) for i in range(len(CASES))])
def test_link_opens_exactly_its_state(explorer, operator, x, view):
    shown = opened(explorer, operator, x, **view)
    shown.drawn()
    assert shown.warnings == []
    trace = dmlviz.run(operator, x)
    assert shown.tensors == write_example(operator, x, trace.output)
    assert shown.stages[0]["payload"]["check"] == trace.check()
    assert shown.value("feature_level") == view.get("feature_level")
    settings = shown.state()
    for name, value in operator.settings.items():
        if isinstance(value, tuple):
            assert [settings[f"{name}_{d}"] for d in range(len(value))] == list(value)
        elif name == "padding_value":
            if operator.padding_mode == "CONSTANT":
                assert str(float(settings[name])) == str(value)
        else:
            assert settings[name] == value


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, -0.0, 5e-324])
def test_link_keeps_special_values(explorer, special):
    x = np.array([special, 1.0])
    shown = opened(explorer, dmlviz.Tile((2,)), x)
    shown.drawn()
    assert print_tensor("InputTensor", x) in shown.tensors


@pytest.mark.parametrize("name", ["INT64", "UINT64"])
def test_link_keeps_the_largest_integers(explorer, name):
    limits = np.iinfo(DATA_TYPES[name].dtype)
    shown = opened(explorer, dmlviz.Tile((2,)), np.array([limits.min, limits.max], limits.dtype))
    shown.drawn()
    output = shown.tensors.split("OutputTensor")[1]
    assert output.count(f"{limits.min}, ") == output.count(f" {limits.max}") == 2


def test_link_of_the_most_elements(explorer):
    shown = opened(explorer, dmlviz.Tile((2, 2)), values("UINT8", 64, 64))
    shown.drawn()
    assert "16,384 elements" in shown.check


BAD = [
    ("tile", "data_type", "FLOAT7"),
    ("tile", "feature_level", "9_9"),
    ("tile", "values", "nothing"),
    ("tile", "repeats", "1,2,x,3"),
    ("tile", "repeats", "1,0,1,1"),
    ("tile", "repeats", "-1,1,1,1"),
    ("tile", "repeats", "1,1,1,1,1,1,1,1,1"),
    ("tile", "repeats", ""),
    ("tile", "repeats", "1,1,70000,1"),
    ("tile", "repeats", "1,1,99999999999,1"),
    ("tile", "repeats", "1,1,١,1"),
    ("tile", "start_padding", "1,1,1,1"),
    ("tile", "nonsense", "1"),
    ("depth_to_space", "block_size", "two"),
    ("depth_to_space", "block_size", "0"),
    ("depth_to_space", "order", "SIDEWAYS"),
    ("depth_to_space", "order", "5"),
    ("space_to_depth", "order", "0"),
    ("padding", "padding_mode", "SIDEWAYS"),
    ("padding", "padding_mode", "7"),
    ("padding", "start_padding", "0,0,-1,0"),
    ("padding", "end_padding", "0,0,1.5,0"),
    ("padding", "end_padding", "0,0,70000,0"),
]


@pytest.mark.parametrize(("page", "name", "value"), BAD)
def test_bad_part_is_said_and_the_good_ones_are_kept(explorer, page, name, value):
    good = {"values": "count-0", "data_type": "INT16"}
    good.pop(name, None)
    shown = explorer(page, **{**good, name: value})
    assert shown.exceptions == []
    assert [w for w in shown.warnings if f"{name}={value}" in w], shown.warnings
    shown.drawn()
    assert shown.state().items() >= good.items()
    # and what was left out is the documentation's
    first = explorer(page).state()
    assert {k: v for k, v in shown.state().items() if k not in good} == {
        k: v for k, v in first.items() if k not in good
    } | ({"values": "example-0"} if name == "values" else {})


@pytest.mark.parametrize(
    ("page", "name", "value", "part"),
    [
        ("tile", "sizes", "words", 'Sizes: "words"'),
        ("tile", "sizes", "1,0", "dimension 1 is 0"),
        ("tile", "sizes", "1000,1000", "the limit is 65,536"),
        ("depth_to_space", "sizes", "3", "takes 4."),
        ("depth_to_space", "block_size", "5", "BlockSize: 5 does not fit"),
        ("padding", "padding_value", "nine", "is not a number"),
    ],
)
def test_part_that_a_widget_can_hold_is_shown_there_with_its_sentence(
    explorer, page, name, value, part
):
    shown = explorer(page, **{name: value})
    shown.refused(part)
    assert shown.warnings == []
    assert str(shown.value(name)) == value


def test_several_bad_parts_give_a_sentence_each(explorer):
    shown = explorer("tile", a="1", b="2", data_type="x", repeats="0,0", values="count-0")
    shown.drawn()
    assert len(shown.warnings) == 4
    assert shown.value("values") == "count-0"


def test_hundred_bad_parts_do_not_bury_the_page(explorer):
    shown = explorer("tile", **{f"name{i}": "x" for i in range(100)})
    shown.drawn()
    assert 1 <= len(shown.warnings) <= 11


def test_what_is_set_after_a_link_was_opened_stays(explorer):
    shown = explorer("tile", values="count-0", repeats="1,1,2,2")
    shown.set(repeats_2=5)
    shown.drawn()
    assert shown.value("repeats_2") == 5
    shown.at.run()
    assert shown.value("repeats_2") == 5


def test_a_second_link_replaces_the_first(explorer):
    shown = explorer("tile", sizes="5", repeats="2", values="count-0")
    shown.open("tile", sizes="2,3", repeats="3,1", values="count-1")
    shown.drawn()
    assert shown.value("sizes") == "2,3"
    assert "{2, 3}** becomes **{6, 3}" in "".join(shown.texts)


def test_a_link_with_parts_only_means_the_example_for_the_rest(explorer):
    shown = explorer("padding").set(sizes="7", data_type="INT8")
    shown.open("padding", padding_mode="EDGE")
    assert shown.exceptions == []
    assert shown.value("padding_mode") == "EDGE"
