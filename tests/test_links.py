from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.states import View, first_state, read_link
from dmlviz.tensors import STARTING_VALUES, data_type_of, read_literal
from tests.one_input import applied
from tests.strategies import bits, runs


def parts(address):
    split = urlsplit(address)
    assert split.scheme == split.netloc == split.fragment == ""
    found = parse_qsl(split.query, keep_blank_values=True, strict_parsing=True)
    assert len(dict(found)) == len(found)
    return split.path, dict(found)


def test_tile():
    x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
    assert parts(dmlviz.link(dmlviz.Tile((1, 1, 3, 3)), x, feature_level="5_0")) == (
        "/tile",
        {
            "sizes": "1,1,2,3",
            "data_type": "FLOAT32",
            "values": "count-1",
            "repeats": "1,1,3,3",
            "feature_level": "5_0",
        },
    )


@pytest.mark.parametrize(
    ("operator", "path", "settings"),
    [
        (
            dmlviz.DepthToSpace(2, 1),
            "/depth-to-space",
            {"block_size": "2", "order": "COLUMN_ROW_DEPTH"},
        ),
        (
            dmlviz.SpaceToDepth(1),
            "/space-to-depth",
            {"block_size": "1", "order": "DEPTH_COLUMN_ROW"},
        ),
        (
            dmlviz.Padding(0, (0, 0, 1, 2), (0, 0, 3, 4), -10.5),
            "/padding",
            {
                "padding_mode": "CONSTANT",
                "start_padding": "0,0,1,2",
                "end_padding": "0,0,3,4",
                "padding_value": "-10.5",
            },
        ),
    ],
)
def test_settings(operator, path, settings):
    at, found = parts(dmlviz.link(operator, np.zeros((1, 4, 1, 1))))
    assert at == path
    assert {key: found[key] for key in settings} == settings
    assert "feature_level" not in found


@given(runs())
def test_the_input_can_be_read_back(run):
    operator, x = run
    opened = read_link(dmlviz.link(operator, x))
    assert opened.problems == ()
    again = opened.state.x()
    assert opened.state.sizes == again.shape == x.shape
    assert opened.state.tensors.data_type == data_type_of(x)
    if x.dtype.kind == "f":  # a text has one NaN only
        x, again = (np.where(np.isnan(a), a.dtype.type(np.nan), a) for a in (x, again))
    np.testing.assert_array_equal(bits(again), bits(x))
    assert opened.state.operator().problems(x.shape, data_type_of(x)) == []
    run_again = opened.state.operator()
    np.testing.assert_array_equal(bits(applied(run_again, again)), bits(applied(operator, again)))


def own(*values):
    return np.array(values, np.float16)


def test_own_values_are_written_one_after_the_other():
    x = own(7, -0.0, 0.1, float("nan"), float("inf"), 1e-7).reshape(3, 2)
    _path, found = parts(dmlviz.link(dmlviz.Tile((1, 2)), x))
    assert found["values"] == "own"
    assert found["literal"] == "7,-0,0.1,NaN,Infinity,1e-07"
    assert read_literal(found["literal"], "FLOAT16").values.size == 6


@pytest.mark.parametrize("data_type", ["FLOAT32", "INT8"])
@pytest.mark.parametrize("values", [*STARTING_VALUES, "example-0"])
def test_starting_values_go_by_their_names(values, data_type):
    # one without inputs has no starting values
    for cls in (cls for cls in OPERATORS if cls.input_slots):
        first = first_state(cls.key)
        ranked = any(setting.ranked for setting in cls.parameters())
        for sizes in {first.sizes, (1, 4, 6, 10)}:
            if ranked and len(sizes) != len(first.sizes):
                # the settings have the first state's rank
                continue
            tensor = replace(first.first, sizes=sizes, data_type=data_type, values=values)
            if values == "picture":
                tensor = replace(tensor, picture="rocket")
            state = first.with_input(cls.first_input(), tensor)
            if values == "example-0" and sizes != first.sizes:
                continue
            inputs = state.inputs()
            link = dmlviz.link(state.operator(), inputs)
            assert parts(link)[1]["values"] != "own"
            assert "literal" not in parts(link)[1]
            again = read_link(link).state.inputs()
            for name, x in inputs.items():
                np.testing.assert_array_equal(bits(again[name]), bits(x))


def test_names_are_for_more_elements_than_values():
    x = np.arange(16_384, dtype=np.int32).reshape(128, 128)
    assert parts(dmlviz.link(dmlviz.Tile((1, 1)), x))[1]["values"] == "count-0"
    with pytest.raises(dmlviz.TooLarge, match="4,096"):
        dmlviz.link(dmlviz.Tile((1, 1)), x + 5)


def test_every_word_of_a_view():
    address = dmlviz.link(
        dmlviz.DepthToSpace(2),
        dmlviz.DepthToSpace.examples()[0].x,
        feature_level="DML_FEATURE_LEVEL_6_4",
        engine="onnxruntime",
        colors="channel",
        moves="stages",
        step=2.5,
        pinned=[(0, 0, 1, 1), (1, 0, 1, 0, 0)],
        directions={1: "down"},
        compare=dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"),
    )
    opened = read_link(address)
    assert opened.problems == ()
    assert opened.state.view == View(
        feature_level="6_4",
        engine="onnxruntime",
        colors="channel",
        moves="stages",
        step=2.5,
        pinned=((0, 0, 0, 1, 1), (1, 0, 1, 0, 0)),
        directions=((1, "down"),),
        compare=(("block_size", "2"), ("order", "COLUMN_ROW_DEPTH")),
    )
    assert "b_order=COLUMN_ROW_DEPTH" in address
    assert "b_block_size" not in address


def test_one_pin_and_several():
    run = dmlviz.Tile((2, 2)), np.arange(6).reshape(2, 3)
    one = dmlviz.link(*run, pinned=(3, 5))
    assert one == dmlviz.link(*run, pinned=[(3, 5)])
    assert one.endswith("&pinned=3,5")
    assert dmlviz.link(*run, pinned=[]) == dmlviz.link(*run)


@pytest.mark.parametrize(
    ("view", "part"),
    [
        ({"colors": "red"}, "value, channel, position, picture, planes"),
        ({"moves": "fast"}, "steps, all, stages"),
        ({"step": -1}, "number of completed steps"),
        ({"step": float("inf")}, "number of completed steps"),
        ({"step": "three"}, '"three"'),
        ({"pinned": (4, 0)}, "{4, 6}"),
        ({"pinned": (0, 0, 0)}, "{4, 6}"),
        ({"pinned": 3}, "pinned: 3"),
        ({"pinned": [(0, i) for i in range(6)] + [(1, 0)]}, "up to 6"),
        ({"directions": {0: "down"}}, "before the last two"),
        ({"directions": "down"}, "directions: "),
        ({"engine": "abacus"}, "name of an engine"),
        ({"feature_level": "9_9"}, "not a DirectML feature level"),
        ({"compare": dmlviz.SpaceToDepth(2)}, "compare: "),
    ],
)
def test_impossible_views_are_refused(view, part):
    with pytest.raises(dmlviz.Error) as caught:
        dmlviz.link(dmlviz.Tile((2, 2)), np.arange(6).reshape(2, 3), **view)
    assert part in str(caught.value)
    assert caught.value.field == next(iter(view))


@given(runs())
def test_an_address_holds_nothing_that_needs_escaping(run):
    address = dmlviz.link(*run)
    assert address.isascii()
    assert not set(address) & set(" \"'<>[]{}\n#")


def test_too_large_for_an_address():
    assert dmlviz.link(dmlviz.Tile((1,)), np.zeros(4_096, np.uint8))
    with pytest.raises(dmlviz.TooLarge, match="4,096"):
        dmlviz.link(dmlviz.Tile((1,)), np.zeros(4_097, np.uint8))


def test_unknown_words_and_inputs():
    with pytest.raises(dmlviz.Error, match="is not part of a view") as caught:
        dmlviz.link(dmlviz.Tile((1,)), np.zeros(3), colour="red")
    assert caught.value.field == "colour"
    with pytest.raises(dmlviz.Error, match="ragged"):
        dmlviz.link(dmlviz.Tile((1,)), [[1], [2, 3]])


@pytest.mark.parametrize("key", [cls.key for cls in OPERATORS])
def test_settings_that_a_link_has_for_every_dimension_stay_as_it_says(key):
    usual = first_state(key)
    settings = dict(usual.settings)
    for parameter in usual.cls.parameters():
        count = len(parameter.dimensions(usual.sizes)) if parameter.ranked else 0
        text = ",".join(["1"] * count)
        if count and parameter.name in settings:
            opened = read_link(f"/{key}?{parameter.name}={text}")
            assert dict(opened.state.settings)[parameter.name] == text
            assert not opened.problems
