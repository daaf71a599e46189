"""Before an answer the player is sent the question's picture, and nothing that tells the answer."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.picture.unanswered import QuestionPicture, question_payload


def before_and_after(operator, x, question):
    picture = scene(dmlviz.run(operator, x))
    after = QuestionPicture(question.choices, question.hides, question.marked, answered=True)
    return question_payload(picture, question), question_payload(picture, after), payload(picture)


ROW = np.arange(1, 7, dtype=np.float32)
DEPTH = np.arange(8, dtype=np.float32).reshape(1, 8, 1, 1) * 10
CELLS = [
    (dmlviz.Slice((0,), (5,), (2,)), dmlviz.Slice((1,), (5,), (-2,)), ROW),
    (dmlviz.Padding("EDGE", (2,), (1,)), dmlviz.Padding("REFLECTION", (2,), (1,)), ROW),
    (
        dmlviz.DepthToSpace(2, "DEPTH_COLUMN_ROW"),
        dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"),
        DEPTH,
    ),
]


@pytest.mark.parametrize(("one", "other", "x"), CELLS)
def test_hidden_elements_leave_no_trace(one, other, x):
    question = QuestionPicture((), "cells", 1)
    before, after, whole = before_and_after(one, x, question)
    assert before == before_and_after(other, x, question)[0]
    assert after["source"] == whole["source"] != before["source"]
    # the same room, the same inputs: nothing moves
    assert [before[name] for name in ("input", "color", "range", "rgb")] == [
        after[name] for name in ("input", "color", "range", "rgb")
    ]
    sides = [(each["output"]["width"], each["output"]["height"]) for each in (before, after, whole)]
    assert len(set(sides)) == 1
    assert [one["output"]["tensors"][0]["sizes"] for one in (before, after)] == [
        whole["output"]["tensors"][0]["sizes"]
    ] * 2


def test_hidden_sizes_leave_no_trace():
    choices = ("{4, 6}", "{6, 6}", "{4, 9}")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    question = QuestionPicture(choices, "sizes")
    told = [
        before_and_after(dmlviz.Tile(repeats), x, question) for repeats in ((2, 2), (3, 2), (2, 3))
    ]
    assert told[0][0] == told[1][0] == told[2][0]
    for before, after, whole in told:
        # the room of all choices, before and after
        assert [before["output"][side] for side in ("width", "height")] == [9, 6]
        assert [after["output"][side] for side in ("width", "height")] == [9, 6]
        assert after["output"]["tensors"] == whole["output"]["tensors"]
        assert len(before["ways"]) == len(after["ways"])


def test_a_row_has_the_room_of_the_longest_choice():
    choices = ("30", "20, 30, 40", "30, 40, 50, 60")
    question = QuestionPicture(choices, "sizes")
    told = [
        before_and_after(dmlviz.Slice((0,), (size,), (1,)), ROW, question)[0] for size in (1, 3, 4)
    ]
    assert told[0] == told[1] == told[2]
    assert told[0]["output"]["width"] == 4


@pytest.mark.parametrize("order", ["DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"])
def test_an_output_in_view_does_not_tell_its_settings(order):
    question = QuestionPicture((), "nothing")
    operator = dmlviz.DepthToSpace(2, order)
    before, after, _whole = before_and_after(operator, DEPTH, question)
    output = dmlviz.run(operator, DEPTH).output
    assert before["output"]["tensors"][0]["labels"] == [f"{value:g}" for value in output.ravel()]
    text = json.dumps({name: value for name, value in before.items() if name != "words"})
    assert order not in text
    assert before["formula"]["of"] == before["formula"]["tables"] == {}
    assert len(before["steps"]) == 1 < len(after["steps"])
    assert before["words"]["start_caption"] == before["words"]["picture"] == ""


def test_equal_values_do_not_tell_which_of_them_came():
    x = np.zeros(6, np.float32)
    question = QuestionPicture((), "nothing")
    one, other = (
        before_and_after(dmlviz.Slice((start,), (3,), (1,)), x, question)[0] for start in (0, 3)
    )
    assert one == other


def test_at_level_0_inputs_have_plain_names_before_and_after():
    join = dmlviz.Join(0)
    x = {"InputTensors[0]": ROW[:2], "InputTensors[1]": ROW[2:]}
    picture = scene(dmlviz.run(join, x))
    for answered in (False, True):
        told = question_payload(
            picture, QuestionPicture((), "cells", answered=answered, plain=True)
        )
        titles = [note["text"].split("</b>")[0] for note in told["figure"]["layout"]["annotations"]]
        assert titles == ["<b>Input 1", "<b>Input 2", "<b>Output"]
        # captions, formulas and names of cells have no others
        assert not re.search("InputTensor|OutputTensor", json.dumps(told))


def test_a_hidden_output_among_several_tensors_has_its_own_name_or_all_have_plain_ones():
    gather = dmlviz.Gather(0, 1)
    x = {"InputTensor": ROW, "IndicesTensor": np.array([2, 0])}
    picture = scene(dmlviz.run(gather, x))
    titles = []
    for plain in (False, True):
        told = question_payload(picture, QuestionPicture(("{2}", "{3}"), "sizes", plain=plain))
        every = told["figure"]["layout"]["meta"]
        names = [
            [each["text"] for each in all_of if each["holds"] in ("", "short")] for all_of in every
        ]
        titles.append([whole for whole, _short in names])
    assert titles == [
        ["<b>InputTensor</b>", "<b>IndicesTensor</b>", "<b>OutputTensor</b>"],
        ["<b>Input</b>", "<b>Indices</b>", "<b>Output</b>"],
    ]
