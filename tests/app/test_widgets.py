"""Every widget of every explorer, one after the other: a picture or a sentence, no exception."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import FEATURE_LEVELS, OPERATORS
from dmlviz.operators.problems import types_ever
from dmlviz.tensors import DATA_TYPES, PICTURES
from tests.app.conftest import takes

CLASSES = {cls.key.replace("-", "_"): cls for cls in OPERATORS}
EXPLORERS = tuple(CLASSES)
WITH_INPUT = [page for page, cls in CLASSES.items() if cls.input_slots]
RANKS = (
    "5",
    "2, 3",
    "2, 3, 2",
    "1, 1, 3, 5",
    "1, 1, 2, 3, 2",
    "1, 2, 1, 2, 1, 3",
    "2, 1, 1, 1, 1, 2, 2",
)
EIGHT = "1, 2, 1, 2, 1, 2, 1, 2"
MODES = ("CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC", "WRAP")


def first_operator(page):
    return CLASSES[page].examples()[0].operator


@pytest.mark.parametrize("page", EXPLORERS)
def test_data_type(explorer, page):
    shown = explorer(page)
    # without an input, the type is a setting
    widget = "data_type" if CLASSES[page].input_slots else "value_data_type"
    for name in DATA_TYPES:
        shown.set(**{widget: name})
        if name not in types_ever(CLASSES[page]):
            shown.refused(f"{name} is not supported")
            continue
        shown.drawn()
        assert f"DataType:{name})" in shown.tensors
        assert shown.at.session_state[f"{page}_{widget}"] == name
        # outputs of several types have a type each
        types = name
        if page == "top_k" and name != "UINT32":
            types = f"OutputValueTensor {name}, OutputIndexTensor UINT32"
        assert any(f", {types}\n" in f"{text}\n" for text in shown.texts)


@pytest.mark.parametrize("page", ["tile", "padding"])
@pytest.mark.parametrize("sizes", [*RANKS, EIGHT])
def test_sizes_of_every_rank(explorer, page, sizes):
    shown = explorer(page).set(sizes=sizes)
    shown.drawn()
    assert shown.stages[0]["payload"]["input"]["tensors"][0]["sizes"] == [
        int(n) for n in sizes.split(",")
    ]
    numbers = [found.key for found in shown.at.number_input]
    rank = sizes.count(",") + 1
    assert len(numbers) == rank * (1 if page == "tile" else 2)


@pytest.mark.parametrize("page", ["depth_to_space", "space_to_depth"])
@pytest.mark.parametrize("sizes", [*RANKS, EIGHT])
def test_block_operators_take_rank_4_only(explorer, page, sizes):
    shown = explorer(page).set(sizes=sizes)
    if sizes.count(",") == 3:
        shown.refused("BlockSize: 2 does not fit")
    else:
        shown.refused("dimensions; DML_", "takes 4.")


@pytest.mark.parametrize(
    "sizes", ["{1, 4, 2, 6}", "1x4x2x6", "[1 4 2 6]", "Sizes:{1, 4, 2, 6}", "(1,4,2,6,)"]
)
def test_sizes_as_people_write_them(each_input, sizes):
    if not takes(each_input.page, "1,4,2,6"):
        return
    each_input.set(sizes=sizes)
    each_input.drawn()
    assert each_input.stages[0]["payload"]["input"]["tensors"][0]["sizes"] == [1, 4, 2, 6]
    assert each_input.value("sizes") == sizes


def test_every_starting_value(each_input):
    offered = each_input.widget("values").options
    count = len(CLASSES[each_input.page].examples())
    assert offered[count:] == [
        "Counting from 0",
        "Counting from 1",
        "The channel's number",
        "Random numbers",
        "A picture",
        "My own values",
    ]
    chosen = [f"example-{i}" for i in range(count)]
    chosen += ["count-0", "count-1", "channel", "random", "picture", "own"]
    for name in chosen:
        each_input.set(values=name)
        each_input.drawn()
        assert each_input.value("values") == name


@pytest.mark.parametrize("page", WITH_INPUT)
def test_every_example_is_the_documentations(explorer, page):
    shown = explorer(page)
    for number, example in enumerate(CLASSES[page].examples()):
        shown.set(values="count-0", data_type="INT64").set(values=f"example-{number}")
        shown.drawn()
        trace = dmlviz.run(example.operator, example.inputs)
        assert shown.output == [str(int(v)) for o in trace.outputs.values() for v in o.ravel()]
        assert f"DataType:{trace.data_type})" in shown.tensors


@pytest.mark.parametrize(
    ("name", "first"),
    [("count-0", ["0", "1", "2"]), ("count-1", ["1", "2", "3"]), ("channel", ["0", "0", "0"])],
)
def test_starting_values_are_what_they_say(each_input, name, first):
    each_input.set(values=name)
    tensor = each_input.stages[0]["payload"]["input"]["tensors"][0]
    labels = tensor["labels"]
    if len(tensor["sizes"]) < 3 and name == "channel":
        # channels are the rows, or the elements
        row = math.prod(tensor["sizes"][1:])
        first = [str(k // row) for k in range(3)]
    assert labels[:3] == first[: len(labels)]
    assert (
        labels[-1]
        == {
            "count-0": str(len(labels) - 1),
            "count-1": str(len(labels)),
            "channel": str(tensor["sizes"][max(len(tensor["sizes"]) - 3, 0)] - 1),
        }[name]
    )


def test_random_numbers_follow_their_seed(each_input):
    each_input.set(values="random")
    assert each_input.value("seed") == 0
    first = each_input.stages[0]["payload"]["input"]["tensors"][0]["labels"]
    each_input.set(seed=7)
    each_input.drawn()
    second = each_input.stages[0]["payload"]["input"]["tensors"][0]["labels"]
    each_input.set(seed=2**31)
    each_input.drawn()
    each_input.set(seed=0)
    assert each_input.stages[0]["payload"]["input"]["tensors"][0]["labels"] == first != second


def test_every_picture(each_input):
    sizes = "1, 12, 16, 16" if each_input.page == "depth_to_space" else "1, 3, 16, 16"
    if not takes(each_input.page, sizes):
        return
    each_input.set(sizes=sizes)
    each_input.set(values="picture")
    each_input.drawn()
    seen = set()
    for name in PICTURES:
        each_input.set(picture=name)
        each_input.drawn()
        seen.add(each_input.stages[0]["identity"])
    # and the learner's own
    assert len(seen) == len(PICTURES) == len(each_input.widget("picture").options) - 1


def test_depth_to_space_unfolds_a_picture(explorer):
    shown = explorer("depth_to_space").set(sizes="1, 12, 8, 8", values="picture", picture="cat")
    shown.drawn()
    pixels = dmlviz.tensors.draw("cat", (1, 3, 16, 16), "UINT32")
    assert shown.output == [str(v) for v in pixels.ravel().tolist()]


@pytest.mark.parametrize("page", EXPLORERS)
def test_feature_level(explorer, page):
    shown = explorer(page)
    example = CLASSES[page].examples()[0]
    for level in FEATURE_LEVELS:
        shown.set(feature_level=level)
        expected = [p.message for p in example.operator.refusals(example.inputs, level)]
        if expected:
            # on the page it begins with the label of the widget
            rests = [message.partition(": ")[2] for message in shown.refused(level)]
            assert rests == [message.partition(": ")[2] for message in expected]
        else:
            shown.drawn()


def test_feature_levels_are_offered_newest_first(each):
    offered = each.widget("feature_level").options
    assert offered[0].startswith("Newest")
    assert offered[1:] == list(reversed(FEATURE_LEVELS))
    each.set(feature_level="1_0")
    each.widget("feature_level").select_index(0).run()
    each.drawn()
    assert each.value("feature_level") is None


@pytest.mark.parametrize("dimension", range(4))
def test_repeats(explorer, dimension):
    shown = explorer("tile").set(**{f"repeats_{dimension}": 5})
    shown.drawn()
    repeats = [1, 1, 3, 3]
    repeats[dimension] = 5
    trace = dmlviz.run(dmlviz.Tile(repeats), np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3))
    assert shown.output == [str(int(v)) for v in trace.output.ravel()]


@pytest.mark.parametrize("page", ["depth_to_space", "space_to_depth"])
def test_only_block_sizes_that_divide_are_offered(explorer, page):
    sizes = "1, 36, 2, 3" if page == "depth_to_space" else "1, 2, 12, 18"
    shown = explorer(page).set(sizes=sizes)
    assert shown.widget("block_size").options == ["1", "2", "3", "6"]
    for block in (1, 2, 3, 6):
        for order in ("COLUMN_ROW_DEPTH", "DEPTH_COLUMN_ROW"):
            shown.set(block_size=block, order=order)
            shown.drawn()
            x = np.arange(
                np.prod(shown.stages[0]["payload"]["input"]["tensors"][0]["sizes"]), dtype=np.uint32
            )
            x = x.reshape(shown.stages[0]["payload"]["input"]["tensors"][0]["sizes"])
            trace = dmlviz.run(CLASSES[page](block, order), x)
            assert shown.output == [str(v) for v in trace.output.ravel().tolist()]


@pytest.mark.parametrize("mode", MODES)
def test_padding_mode(explorer, mode):
    shown = explorer("padding").set(padding_mode=mode)
    shown.drawn()
    assert shown.has("padding_value") == (mode == "CONSTANT")
    x = np.array([[1, 2, 3, 4], [5, 6, 7, 8]] * 2, np.float32).reshape(1, 1, 4, 4)
    trace = dmlviz.run(dmlviz.Padding(mode, (0, 0, 1, 2), (0, 0, 3, 4), 9), x)
    assert shown.output == [str(int(v)) for v in trace.output.ravel()]


@pytest.mark.parametrize("side", ["start_padding", "end_padding"])
@pytest.mark.parametrize("dimension", range(4))
def test_padding_extent(explorer, side, dimension):
    shown = explorer("padding").set(**{f"{side}_{dimension}": 6})
    for mode in MODES:
        shown.set(padding_mode=mode)
        shown.drawn()
        extent = {"start_padding": [0, 0, 1, 2], "end_padding": [0, 0, 3, 4]}
        extent[side][dimension] = 6
        due = [
            a + n + b
            for a, n, b in zip(
                extent["start_padding"], (1, 1, 4, 4), extent["end_padding"], strict=True
            )
        ]
        assert shown.stages[0]["payload"]["output"]["tensors"][0]["sizes"] == due


@pytest.mark.parametrize(
    ("typed", "name", "label"),
    [
        ("10.6", "INT32", "10"),
        ("-3", "INT8", "-3"),
        ("16777217", "INT64", "16777216"),
        ("nan", "FLOAT32", "NaN"),
        (" 7 ", "UINT8", "7"),
    ],
)
def test_padding_value(explorer, typed, name, label):
    shown = explorer("padding").set(data_type=name, padding_value=typed)
    shown.drawn()
    # the picture may shorten a long number, the text never
    assert shown.output[0].lower() == label.lower().replace("16777216", "1.68e7")
    assert f"[[[[{label.lower()}, " in shown.tensors.split("OutputTensor")[1].lower()


@pytest.mark.parametrize("page", WITH_INPUT)
def test_planes_of_the_grid(explorer, page):
    if not takes(page, "1,8,4,2"):
        return
    shown = explorer(page).set(sizes="1, 8, 4, 2")
    shown.drawn()
    assert shown.widget("plane").options == [f"[0, {c}, :, :]" for c in range(8)]
    shown.set(plane=7)
    shown.drawn()
    shown.set(sizes="1, 4, 4, 2")
    shown.drawn()
    assert shown.value("plane") in range(4)


def test_reset_goes_back_to_the_documentation_example(each_input):
    before, picture = each_input.state(), each_input.stages[0]["identity"]
    if not takes(each_input.page, "2, 4, 4, 2"):
        return
    each_input.set(sizes="2, 4, 4, 2", data_type="INT8", values="random")
    assert each_input.stages[0]["identity"] != picture
    each_input.reset()
    each_input.drawn()
    assert each_input.stages[0]["identity"] == picture
    assert each_input.state() == before


def test_reset_brings_the_example_back_whatever_was_set(each_input):
    each_input.set(feature_level="1_0", sizes="no sizes")
    each_input.reset()
    each_input.drawn()
