"""Questions come from anybody: what is not possible is named, and answers have one spelling."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.errors import Error
from dmlviz.classroom.polls import (
    MOST_ANSWER,
    MOST_POLLS,
    Poll,
    print_polls,
    read_answer,
    read_polls,
    stored_polls,
)
from tests.classroom.conftest import QUESTIONS

CHOICE, CELL, SIZES, VALUE = range(4)


def test_what_is_stored_is_what_came(polls):
    assert stored_polls(print_polls(polls)) == polls
    assert [poll.answer for poll in polls] == ["1", "4", "{2, 6}", "2.5"]


def test_a_class_of_an_earlier_version_opens(polls):
    later = ("hides", "told", "following", "repeat", "settings", "background", "minutes", "notes")
    old = [
        {name: value for name, value in each.items() if name not in later}
        for each in json.loads(print_polls(polls))
    ]
    assert stored_polls(json.dumps(old)) == polls


def test_choices_have_letters_unless_a_and_b_are_settings(polls):
    compares = "/tile?sizes=2,3&repeats=1,2&compare=true&b_repeats=2,1"
    (other,) = read_polls([{**QUESTIONS[CHOICE], "link": compares}])
    assert [polls[CHOICE].answer_text("1"), other.answer_text("1")] == ["B: 2", "2: 2"]
    assert [poll.compares for poll in (polls[CHOICE], other)] == [False, True]


@pytest.mark.parametrize(
    ("number", "given", "answer"),
    [
        (CHOICE, 2, "2"),
        (CHOICE, "0", "0"),
        (CELL, -1, "-1"),
        (CELL, "5", "5"),
        (SIZES, "[2 x 6]", "{2, 6}"),
        (SIZES, "()", "{}"),
        (VALUE, "2.500", "2.5"),
        (VALUE, "−3", "-3"),
        (VALUE, "1e3", "1000"),
        (VALUE, "-0.0", "0"),
        (VALUE, "NaN", "nan"),
        (VALUE, "-Infinity", "-inf"),
        (VALUE, "16777217", "16777217"),
    ],
)
def test_an_answer_has_one_spelling(polls, number, given, answer):
    assert read_answer(polls[number], given) == answer
    assert read_answer(polls[number], answer) == answer


@pytest.mark.parametrize(
    ("number", "given"),
    [
        (CHOICE, 3),
        (CHOICE, -1),
        (CHOICE, True),
        (CHOICE, None),
        (CHOICE, 1.0),
        (CHOICE, ["1"]),
        (CHOICE, ""),
        (CHOICE, "A"),
        (CELL, 6),
        (CELL, -2),
        (CELL, 10**4000),
        (SIZES, "2,0"),
        (SIZES, "two"),
        (VALUE, "<b>"),
        (VALUE, "1e999999999"),
        (VALUE, "1" * (MOST_ANSWER + 1)),
    ],
)
def test_what_is_no_answer_is_refused(polls, number, given):
    with pytest.raises(Error):
        read_answer(polls[number], given)


@pytest.mark.parametrize(
    ("number", "typed", "sentence"),
    [
        (VALUE, "1/2", '"1/2" is not a number that can be an answer. Type one such as 12 or -0.5.'),
        (SIZES, "2x", '"2x" is not a list of sizes. Type whole numbers from 1 up, separated by '),
        (SIZES, "x" * 70, f'"{"x" * 23}…" is not a list of sizes.'),
        (CELL, 6, '"6" is not one of the answers, the whole numbers from -1 to 5.'),
    ],
)
def test_a_refusal_has_what_was_typed_and_the_form_of_an_answer(polls, number, typed, sentence):
    with pytest.raises(Error) as refused:
        read_answer(polls[number], typed)
    assert str(refused.value).startswith(sentence)


def test_a_typed_line_is_read_without_case_and_spare_spaces():
    poll = Poll("k", "text", "?", (), "axis 1", "/tile")
    assert read_answer(poll, "  Axis \t 1 ") == "axis 1"
    for typed in ("x" * 41, " \n ", "a\x00b"):
        with pytest.raises(Error, match="is not an answer of 1 to 40 characters"):
            read_answer(poll, typed)


@given(st.text(max_size=100))
def test_any_text_is_an_answer_or_refused(text):
    for kind in ("sizes", "value", "text"):
        poll = Poll("k", kind, "?", (), "", "")
        try:
            found = read_answer(poll, text)
        except Error:
            continue
        assert read_answer(poll, found) == found


WRONG = [
    (0, "key", 3),
    (0, "kind", "essay"),
    (0, "prompt", ""),
    (0, "prompt", "x" * 2_001),
    (0, "prompt", "\ud800"),
    (0, "prompt", "a\0"),
    (0, "settings", 7),
    (0, "background", "x" * 2_001),
    (0, "link", "/nosuch?x=1"),
    (0, "repeat", "/tile?sizes=2,3"),
    (0, "choices", [{"text": "1"}]),
    (0, "choices", [{"text": str(n)} for n in range(9)]),
    (0, "choices", ["1", "2"]),
    (0, "answer", 7),
    (0, "answer", None),
    (1, "tensors", []),
    (1, "tensors", [{"name": "A", "sizes": [0]}]),
    (1, "tensors", [{"name": "A", "sizes": [100_000, 100_000]}]),
    (1, "answer", 6),
    (1, "misconceptions", [[9, "no cell"]]),
    (2, "choices", [{"text": "1"}, {"text": "2"}]),
    (2, "tensors", [{"name": "A", "sizes": [1]}]),
]


@pytest.mark.parametrize(("number", "field", "value"), WRONG)
def test_a_wrong_question_is_named(number, field, value):
    changed = json.loads(json.dumps(QUESTIONS))
    changed[number][field] = value
    with pytest.raises(Error) as refused:
        read_polls(changed)
    assert refused.value.field == ("answer" if field == "misconceptions" else field)
    assert f"Question {number + 1}:" in str(refused.value)


@pytest.mark.parametrize("field", ["link", "repeat"])
@pytest.mark.parametrize(
    "start",
    [
        *(
            "http://evil.example",
            "https://[",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
        ),
        *("/\t/evil.example", "evil.example", ".", "javascript:alert(1)//", " ", "/x"),
    ],
)
def test_a_link_of_a_question_stays_on_this_site(field, start):
    page = {"link": "/tile?sizes=2,3", "repeat": "/lessons?lesson=tile"}[field]
    read_polls([{**QUESTIONS[CHOICE], field: page}])
    with pytest.raises(Error) as refused:
        read_polls([{**QUESTIONS[CHOICE], field: start + page}])
    assert refused.value.field == field
    sentence = str(refused.value)
    assert sentence.startswith(f'Question 1: {field} "')
    assert sentence.endswith("is not the address of a page of this site, such as /tile?sizes=2,3.")
    assert len(sentence.splitlines()) == 1


@pytest.mark.parametrize("given", [None, [], {}, "x", [1], QUESTIONS[:1] * (MOST_POLLS + 1)])
def test_no_list_of_questions(given):
    with pytest.raises(Error):
        read_polls(given)


def test_keys_tell_questions_apart():
    with pytest.raises(Error, match="same key"):
        read_polls([QUESTIONS[0], QUESTIONS[0]])


def test_what_a_wrong_answer_stands_for(polls):
    assert polls[CHOICE].misconception("2") == "takes the neighbour"
    assert polls[CHOICE].misconception("1") == ""
    assert polls[CELL].misconception("1") == "mixes up rows and columns"
    assert polls[CELL].misconception("0") == ""
    assert polls[CHOICE].answer_text("2") == "C: =3"
    assert polls[CELL].answer_text("3") == "in[1, 0]"


def test_a_question_without_a_picture_has_choices():
    bare = {**QUESTIONS[CHOICE], "link": ""}
    (poll,) = read_polls([bare])
    assert (poll.link, poll.compares, poll.mark(1)) == ("", False, "B")
    with pytest.raises(Error) as refused:
        read_polls([{**QUESTIONS[SIZES], "link": ""}])
    assert refused.value.field == "link"
