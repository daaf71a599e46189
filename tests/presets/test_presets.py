"""Every preset: it opens what it says, and its answer is what an engine gives."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.presets import preset, presets, presets_of
from dmlviz.states import View, first_state, read_link

ALL = presets()
OPEN = [found for found in ALL if found.opens]
REFUSED = [found for found in ALL if not found.opens]
REFLECTED = ("padding-reflection-as-large", "padding-reflection-larger", "padding-onnx-example")
# what stands on screen, and words of the answer that say so
CLAIMS = {
    "tile-documentation": ([[[[1, 2, 3] * 3, [4, 5, 6] * 3] * 3]], ["9 times: 3 copies down", "54"]),
    "tile-or-repeat": ([1, 2, 3, 1, 2, 3], ["1, 2, 3, 1, 2, 3:", "1, 1, 2, 2, 3, 3 is what"]),
    "tile-repeats-elements": ([[1, 1], [2, 2], [3, 3]], ["Yes", "{3, 1}", "1, 1, 2, 2, 3, 3"]),
    "tile-or-broadcast": ([[1, 2, 3]] * 4, ["the same 12 elements", "4 cannot be broadcast to 8"]),
    "tile-channels": ([[[[c] * 3] * 2 for c in (0, 1) * 3]], ["0, 1, 0, 1, 0, 1:", "3 times"]),
    "tile-dimensions": ([[1, 2, 3] * 3, [4, 5, 6] * 3], ["A repeats the columns: {2, 9}", "{6, 3}"]),
    "depth-to-space-documentation": (None, ["Channels 0, 2, 4, 6", "0, 18, 36, 54"]),
    "depth-to-space-pixel-shuffle": (
        [[[[0, 1, 0, 1], [2, 3, 2, 3]], [[4, 5, 4, 5], [6, 7, 6, 7]]]],
        ["A, COLUMN_ROW_DEPTH: its first block holds channels 0, 1, 2, 3.", "takes 0, 2, 4, 6"],
    ),
    "depth-to-space-block-3": (None, ["channel 2 at out[0, 0, 0, 1]", "channel 1 there", "64 of 72"]),
    "depth-to-space-one-channel": (
        [[[[0, 6, 1, 7, 2, 8], [12, 18, 13, 19, 14, 20], [3, 9, 4, 10, 5, 11],
           [15, 21, 16, 22, 17, 23]]]],
        ["No: 0 of 24"],
    ),
    "depth-to-space-picture": (None, ["A, DEPTH_COLUMN_ROW", "259 of 432"]),
    "depth-to-space-transpose": (None, ["The order: 2. Transpose.", "The copy: 3. Reshape."]),
    "depth-to-space-undivided": (None, ["6 channels must be divisible by 2 · 2 = 4"]),
    "space-to-depth-documentation": (None, ["0, 18, 36, 54 land in channels 0, 2, 4, 6"]),
    "space-to-depth-small-pictures": (None, ["4, of 6 by 6"]),
    "space-to-depth-output-sizes": (None, ["{1, 4, 4, 6} becomes {1, 16, 2, 3}", "{1, 1, 8, 12}"]),
    "space-to-depth-block-3": (
        [[[[c], [c]] for c in (0, 1) * 9]],
        ["A, DEPTH_COLUMN_ROW: 0, 1, 0, 1", f"together: {'0, ' * 9}{'1, ' * 8}1."],
    ),
    "space-to-depth-round-trip": (
        np.arange(32).reshape(1, 8, 2, 2),
        ["A, the same order: 0, 1, 2, 3, 4, 5, ...", "24 of 32"],
    ),
    "space-to-depth-undivided": (None, ["width 5 must both be divisible by 2"]),
    "padding-documentation": (None, ["64 of the 80", "8 by 10", "16 elements"]),
    "padding-mirrors": (
        [4, 3, 2, 1, 2, 3, 4, 5, 4, 3, 2],
        ["SYMMETRIC repeats it: 3, 2, 1, 1, 2, 3, 4, 5, 5, 4, 3.", "does not: 4, 3, 2, 1, 2"],
    ),
    "padding-reflection-as-large": (
        [2, 3, 2, 1, 2, 3, 2, 1, 2],
        ["2: the mirror", "2, 3, 2, 1, 2, 3, 2, 1, 2"],
    ),
    "padding-reflection-larger": (
        [2, 3, 2, 1, 2, 3, 2, 1, 2, 3],
        ["4, of 2 elements each", "7 before the start, fold 4"],
    ),
    "padding-onnx-example": (
        np.float32([[1, 1.2, 1, 1.2], [2.3, 3.4, 2.3, 3.4], [4.5, 5.7, 4.5, 5.7]]),
        ["1: the first row is 1, 1.2, 1, 1.2"],
    ),
    "padding-size-1": ([7] * 5, ["7, 4 times"]),
    "padding-edge-or-wrap": ([1, 1, 1, 1, 2, 3, 4, 5, 5, 5], ["first: 1, 1, 1.", "end: 3, 4, 5."]),
    "padding-corner": (
        [[7, 6, 7, 8, 9, 10, 9], [2, 1, 2, 3, 4, 5, 4], [7, 6, 7, 8, 9, 10, 9],
         [12, 11, 12, 13, 14, 15, 14], [7, 6, 7, 8, 9, 10, 9]],
        ["7, which is in[1, 1]"],
    ),
    "padding-fraction": ([10, 10, 1, 2, 3, 10, 10], ["10: an integer tensor drops the fraction"]),
    "padding-16777217": ([16777216, 1, 2, 3, 16777216], ["16777216: PaddingValue is a FLOAT"]),
}  # fmt: skip


def name(found):
    return found.key


def test_keys_are_unique_and_begin_with_their_operator():
    keys = [found.key for found in ALL]
    assert len(set(keys)) == len(keys)
    for found in ALL:
        assert found.key.startswith(f"{found.state.key}-")
        assert re.fullmatch("[a-z0-9-]+", found.key)
        assert preset(found.key).state == found.state


def test_there_is_no_other():
    with pytest.raises(dmlviz.Error, match=r'preset: there is no preset "tile-nothing"\.'):
        preset("tile-nothing")
    assert presets_of("engines") == ()


def alike(mine, theirs):
    """The same tensors, by name."""
    assert list(mine) == list(theirs)
    for name, array in mine.items():
        np.testing.assert_array_equal(array, theirs[name], strict=True)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_has_some_and_begins_with_its_documentation(cls):
    found = presets_of(cls.key)
    assert 5 <= len(found) <= 10
    assert {one.state.key for one in found} == {cls.key}
    assert found[0].state == first_state(cls.key)
    assert len({one.state for one in found}) == len(found)
    pictured = [one for one in found if one.pictured]
    assert 1 <= len(pictured) <= 2
    assert all(one.opens and one.second is None for one in pictured)


@pytest.mark.parametrize("found", ALL, ids=name)
def test_the_link_opens_exactly_this(found):
    opened = read_link(found.link)
    assert opened.problems == ()
    assert opened.typed == {}
    assert opened.state == found.state
    assert found.shown_by(opened.state)
    assert opened.state.operator() == found.operator
    assert opened.state.second() == found.second
    alike(opened.state.inputs(), found.inputs)
    # and the same as from the public names
    view = {
        "compare": found.second,
        "colors": found.state.view.colors,
        "moves": found.state.view.moves,
    }
    by_hand = read_link(dmlviz.link(found.operator, found.inputs, **view)).state
    alike(by_hand.inputs(), found.inputs)
    assert (by_hand.settings, by_hand.view) == (found.state.settings, found.state.view)


@pytest.mark.parametrize("found", ALL, ids=name)
def test_it_asks_one_question_in_few_words(found):
    assert found.question.endswith("?")
    assert found.question.count("?") == 1
    assert len(found.question) <= 100
    assert len(found.title) <= 34
    assert found.answer.endswith(".")
    assert "{" not in re.sub(r"\{[0-9, ]+\}", "", found.answer), "a placeholder was left"


@pytest.mark.parametrize("key", CLAIMS)
def test_its_answer_says_what_stands_there(key):
    found = preset(key)
    output, said = CLAIMS[key]
    for words in said:
        assert words in found.answer, found.answer
    if output is not None:
        np.testing.assert_array_equal(found.trace().output, output)


@pytest.mark.parametrize("found", OPEN, ids=name)
def test_another_engine_gives_the_same(found):
    assert found.refusal == ""
    ran = found.trace()
    assert ran.agrees
    second = found.second_trace().outputs
    if "onnxruntime" in [engine.name for engine in dmlviz.engines() if engine.available]:
        for operator, due in (
            (found.operator, ran.outputs),
            (found.second or found.operator, second),
        ):
            alike(dmlviz.run(operator, found.inputs, engine="onnxruntime").outputs, due)


@pytest.mark.parametrize("found", REFUSED, ids=name)
def test_what_is_refused_is_refused_on_purpose(found):
    with pytest.raises(dmlviz.Error) as refused:
        found.trace()
    assert str(refused.value) == found.refusal
    assert found.answer == f"No. {found.refusal}"
    assert not found.pictured


@pytest.mark.parametrize("key", REFLECTED)
def test_onnx_runtimes_own_pad_refuses_what_is_said_to_be_refused(key):
    if not any(e.name == "onnxruntime" and e.available for e in dmlviz.engines()):
        pytest.skip("ONNX Runtime is not here")
    found = preset(key)
    # runtimes before 1.25 answer with memory that is not the tensor's: they are not asked
    words = "INVALID_ARGUMENT|reads memory beyond the tensor"
    with pytest.raises(dmlviz.EngineRefused, match=words):
        dmlviz.run(found.operator, found.inputs, engine="onnxruntime", form="native")


def test_libraries_are_as_the_answers_say():
    row = np.array([1, 2, 3])
    np.testing.assert_array_equal(
        np.repeat(row, 2), preset("tile-repeats-elements").trace().output.ravel()
    )
    one = preset("tile-or-broadcast")
    np.testing.assert_array_equal(np.broadcast_to(one.x, (4, 3)), one.trace().output)
    with pytest.raises(ValueError, match="broadcast"):
        np.broadcast_to(one.trace().output, (8, 3))
    # PixelShuffle as PyTorch writes it: n, c, r, r, h, w
    shuffle = preset("depth-to-space-pixel-shuffle")
    turned = shuffle.x.reshape(1, 2, 2, 2, 1, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 2, 4)
    np.testing.assert_array_equal(shuffle.trace().output, turned)


def test_the_last_of_three_lines_copies():
    x = preset("depth-to-space-transpose").x
    one = x.reshape(1, 2, 2, 2, 1, 2)
    two = one.transpose(0, 3, 4, 1, 5, 2)
    three = two.reshape(1, 2, 2, 4)
    assert [np.shares_memory(x, y) for y in (one, two, three)] == [True, True, False]


def test_engine_and_layout_are_no_other_question():
    found = preset("tile-channels")
    for view in (View(engine="onnxruntime"), View(directions=((0, "down"),)), View(step=2)):
        assert found.shown_by(replace(found.state, view=view))
    other = View(compare=found.state.settings)
    assert not found.shown_by(replace(found.state, view=other))
    assert not found.shown_by(preset("tile-documentation").state)
