"""What the player asks before it shows the output."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.depth_to_space import DepthToSpace
from dmlviz.operators.space_to_depth import SpaceToDepth
from dmlviz.teaching.facts import facts_of, state_of
from dmlviz.teaching.predict import MOST_CELLS, MOST_CHOICES, predictions
from dmlviz.teaching.presets import presets
from dmlviz.tensors import print_sizes, print_value
from tests.several import chained, cut, picked
from tests.strategies import runs
from tests.thorough import tries

EXAMPLES = [(cls.key, i) for cls in OPERATORS for i in range(len(cls.examples()))]


def asked(operator, x):
    trace = dmlviz.run(operator, x)
    return trace, predictions(dmlviz.scene(trace)).as_json


def example(key, number=0):
    (cls,) = [cls for cls in OPERATORS if cls.key == key]
    found = cls.examples()[number]
    return asked(found.operator, found.inputs)


@given(runs())
@settings(max_examples=tries(60))
def test_one_choice_is_right_and_every_cell_is_the_engines(run):
    trace, found = asked(*run)
    json.dumps(found)
    choices = found["choices"]
    due = print_sizes(trace.output.shape)
    if choices:
        assert 2 <= len(choices) <= MOST_CHOICES
        assert [c["text"] for c in choices if not c["why"]] == [due]
    assert bool(choices) == (trace.output.shape not in trace.operator.settings.values())
    assert len({c["text"] for c in choices}) == len(choices)
    cells = [q["cell"] for q in found["cells"]]
    assert len(cells) == len(set(cells)) == min(MOST_CELLS, trace.output.size)
    source = trace.source.ravel()
    for question in found["cells"]:
        assert question["value"] == print_value(trace.output.flat[question["cell"]])
        right = int(source[question["cell"]])
        for wrong, words in question["traps"].items():
            assert -1 <= int(wrong) < trace.x.size
            assert int(wrong) != right
            assert words
            assert int(wrong) >= 0 or found["pads"]
        assert right >= 0 or found["pads"]
    assert predictions(dmlviz.scene(trace)).as_json == found


@pytest.mark.parametrize(("key", "number"), EXAMPLES)
def test_the_examples_are_asked_where_misreadings_differ(key, number):
    trace, found = example(key, number)
    scene = dmlviz.scene(trace)
    texts = [*scene.input_labels[: scene.values.size], "the padding value"]
    due = trace.output.shape if len(trace.outputs) == 1 else None
    misread = [m for m in trace.operator.misreadings(trace.inputs) if m.output_sizes == due]
    told = {
        cell
        for cell, source in enumerate(scene.source)
        if any(texts[m.source[cell]] != texts[source] for m in misread)
    }
    asked = {question["cell"] for question in found["cells"]}
    assert len(asked & told) == min(len(asked), len(told)), "somebody would go wrong elsewhere"


def test_the_other_order_is_a_trap_of_its_own_numbers():
    trace, found = example("depth-to-space")
    other = dmlviz.run(trace.operator.alternative(), trace.x)
    for question in found["cells"]:
        wrong = int(other.source.flat[question["cell"]])
        assert "COLUMN_ROW_DEPTH" in question["traps"][str(wrong)]


def test_marked_cells_are_spread_over_the_steps():
    found = dmlviz.Tile.examples()[0]
    scene = dmlviz.scene(dmlviz.run(found.operator, found.x))
    steps = [int(scene.step_of[q["cell"]]) for q in predictions(scene).as_json["cells"]]
    assert len(set(steps)) == len(steps) == 5


def test_padding_is_asked_for_and_offered():
    _trace, found = example("padding")
    assert found["pads"]
    assert found["words"]["settings"].startswith("PaddingMode: CONSTANT, PaddingValue: 9, Start")
    _trace, plain = example("tile")
    assert not plain["pads"]
    assert plain["words"]["settings"] == "Repeats: {1, 1, 3, 3}"


@pytest.mark.parametrize(
    ("key", "settings"),
    [("strided", "How memory is read: "), ("max-unpooling", ""), ("fill-value-sequence", "")],
)
def test_sizes_that_are_a_setting_are_not_asked_for(key, settings):
    _trace, found = example(key)
    assert found["choices"] == []
    assert found["cells"]
    assert found["words"]["settings"].startswith(settings)


def test_without_an_input_what_no_setting_says_is_asked_for_once():
    _trace, found = example("fill-value-sequence")
    # it begins with 3, which is the setting ValueStart
    assert sorted(question["value"] for question in found["cells"]) == ["5", "7"]
    assert not found["pads"]
    trace, found = example("fill-value-constant")
    assert trace.output.shape == (1, 1, 2, 4)
    assert found["cells"] == []
    first = predictions(dmlviz.scene(trace))
    assert first.sizes == ()
    (right,) = [answer.text for answer in first.counts if not answer.why]
    assert right == "8"
    assert all(
        choice["why"].endswith("1 · 1 · 2 · 4.") for choice in found["choices"] if choice["why"]
    )


@pytest.mark.parametrize(
    "preset", [preset for preset in presets() if preset.opens], ids=lambda preset: preset.key
)
def test_no_answer_is_a_setting_on_the_screen(preset):
    trace = facts_of(preset.link).trace
    found = predictions(dmlviz.scene(trace)).as_json
    settings = trace.operator.settings.values()
    lists = [value for value in settings if isinstance(value, tuple)]
    numbers = {print_value(value) for value in settings if isinstance(value, int | float)}
    (*right,) = (choice["text"] for choice in found["choices"] if not choice["why"])
    assert not set(right) & {*map(print_sizes, lists), *(str(n) for each in lists for n in each)}
    if not trace.inputs:
        assert not numbers & {*right, *(question["value"] for question in found["cells"])}


@pytest.mark.parametrize("sizes", [(1,), (1, 1), (1,) * 8])
def test_one_element_alone(sizes):
    _trace, found = asked(dmlviz.Tile((1,) * len(sizes)), np.zeros(sizes, np.int8))
    assert [q["cell"] for q in found["cells"]] == [0]
    # the repeats say the sizes, too
    assert found["choices"] == []
    assert found["cells"][0]["traps"] == {}


def test_the_largest_stage():
    x = np.arange(4096, dtype=np.int32).reshape(64, 64)
    _trace, found = asked(dmlviz.Tile((2, 2)), x)
    assert len(found["cells"]) == MOST_CELLS
    assert all(q["traps"] for q in found["cells"])


def test_what_is_misread_of_indices_is_a_trap():
    trace = picked((3, 4), (2, 0, 2), 0)
    found = predictions(dmlviz.scene(trace)).as_json
    (right,) = [c["text"] for c in found["choices"] if not c["why"]]
    assert right == "{3, 4}"
    for question in found["cells"]:
        at = question["cell"]
        assert question["traps"] == {str(at): "The indices do not matter."} or at >= 8
    assert found["words"]["choice"] == (
        "The inputs are InputTensor {3, 4} FLOAT32, IndicesTensor {1, 3} INT64. "
        "What will the sizes of OutputTensor be?"
    )


def test_the_sizes_of_all_outputs_are_one_answer():
    trace = cut((1, 1, 3, 6), (1, 3, 2))
    found = predictions(dmlviz.scene(trace)).as_json
    (right,) = [c["text"] for c in found["choices"] if not c["why"]]
    assert right == "{1, 1, 3, 1}, {1, 1, 3, 3}, {1, 1, 3, 2}"
    assert len(found["choices"]) == MOST_CHOICES
    for question in found["cells"]:
        tensor, index = dmlviz.scene(trace).output.at(question["cell"])
        assert question["value"] == print_value(trace.outputs[tensor.name][index])


def test_joined_tensors_are_asked_about():
    scene = dmlviz.scene(chained())
    found = predictions(scene).as_json
    assert len(found["cells"]) == MOST_CELLS
    assert predictions(scene).as_json == found


@pytest.mark.parametrize(
    ("operator", "channels", "rule"),
    [
        (DepthToSpace(2), 8, "(row in the block · 2 + column in the block) · 2 + channel of"),
        (DepthToSpace(2, "COLUMN_ROW_DEPTH"), 8, "channel of the output · 4 + row in the"),
        (SpaceToDepth(2), 3, "(row in the block · 2 + column in the block) · 3 + channel of"),
    ],
)
def test_a_question_about_a_block_gives_the_rule_of_its_order(operator, channels, rule):
    x = np.arange(channels * 16).reshape(1, channels, 4, 4)
    words = asked(operator, x)[1]["words"]
    assert rule in words["cell"]
    assert rule not in words["choice"]


@pytest.mark.parametrize(("key", "number"), EXAMPLES)
def test_what_is_wrong_with_sizes_does_not_say_the_right_ones(key, number):
    _trace, found = example(key, number)
    right = [choice["text"] for choice in found["choices"] if not choice["why"]]
    for choice in found["choices"]:
        assert choice["text"] in right or not any(
            re.search(rf"(?<!\d){re.escape(text)}(?!\d)", choice["why"]) for text in right
        )


def test_who_adds_what_is_multiplied_is_told_so():
    trace = dmlviz.run(dmlviz.Tile((2,)), np.arange(3))
    whys = {
        each["text"]: each["why"] for each in predictions(dmlviz.scene(trace)).as_json["choices"]
    }
    assert whys["{5}"] == "That adds 2 to 3 in dimension 0: the size is multiplied by 2."


@pytest.mark.parametrize(
    ("code", "order", "others"),
    [
        ("x.permute(2, 0, 1)", "(2, 0, 1)", {"{3, 4, 2}": "(1, 2, 0)", "{2, 3, 4}": "(0, 1, 2)"}),
        ("x.transpose(0, 2, 1)", "(0, 2, 1)", {"{2, 3, 4}": "(0, 1, 2)", "{2, 4, 4}": ""}),
    ],
)
def test_wrong_sizes_of_a_permutation_have_the_order_that_would_give_them(code, order, others):
    link = f"/code?code={code}&sizes=x:2,3,4"
    asked = predictions(state_of(link).scenes()[0])
    whys = {each.text: each.why for each in asked.sizes if each.why}
    assert len(whys) == MOST_CHOICES - 1
    for sizes, other in others.items():
        assert whys[sizes] == (
            f"{sizes} would come from the order {other} of the input's dimensions; "
            f"the order is {order}."
            if other
            else f"{sizes} are not the input's sizes {{2, 3, 4}} in another order; the order of "
            f"its dimensions is {order}."
        )


def test_wrong_sizes_of_a_reshape_come_from_no_order():
    asked = predictions(state_of("/code?code=x.reshape(3, 4)&sizes=x:2,6").scenes()[0])
    assert not any("order" in each.why for each in asked.sizes)


def test_right_sizes_come_with_what_gives_them():
    """A number that is right by chance is understood, too."""
    questions = example("tile")[1]
    (right,) = (choice["told"] for choice in questions["choices"] if not choice["why"])
    for told in (right, questions["words"]["shown_choice"]):
        assert told.endswith("the output has sizes {1, 1, 6, 9}: 2 · 3 = 6, 3 · 3 = 9.")
    for choice in questions["choices"]:
        if choice["why"]:
            assert choice["told"] == f"Not {choice['text']}. {choice['why']}"


def test_what_is_wrong_about_picked_elements_says_why():
    inputs = {"InputTensor": np.arange(12.0).reshape(4, 3), "IndicesTensor": np.array([[2, 0]])}
    _trace, questions = asked(dmlviz.Gather(0, 1), inputs)
    one_off = [c["why"] for c in questions["choices"] if c["why"].startswith("That is one too")]
    assert all("in place of the one along Axis" in why for why in one_off)
    assert "in place of the one along Axis" in questions["words"]["shown_choice"]
    for marked in questions["cells"]:
        row, column = divmod(marked["cell"], 3)
        index = inputs["IndicesTensor"][0, row]
        assert (
            marked["depends"]
            == f"out[{row}, {column}] depends on IndicesTensor[0, {row}] = {index}."
        )
    # nothing is looked up where every element has its own rule
    _trace, tiled = asked(dmlviz.Tile((2,)), np.arange(3.0))
    assert {each["depends"] for each in tiled["cells"]} == {""}
