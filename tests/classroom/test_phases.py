"""Which phase follows which, what the clock does, and what the numbers say."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dmlviz.base.errors import Error
from dmlviz.classroom.phase_table import FOLLOWING, OPEN, PHASES
from dmlviz.classroom.phases import (
    FREE,
    MOST_STEP,
    STANDS,
    Class,
    adjust,
    move,
    pause,
    set_clock,
)
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.refusals import NotNow
from dmlviz.classroom.report import MOST_TIED, as_csv, report
from dmlviz.classroom.tally import advice, tally
from dmlviz.classroom.views import alone
from tests.classroom.conftest import QUESTIONS

POLLS = read_polls(QUESTIONS)


def begun(**changed):
    usual = {
        "code": "ABCD",
        "title": "",
        "polls": POLLS,
        "number": 0,
        "phase": "join",
        "round": 1,
        "seconds": 0,
        "closes": 0,
        "left": 0,
        "paused": False,
        "bars": False,
        "step": FREE,
        "opened": 0,
        "expires": 10**9,
        "version": 1,
    }
    return Class(**usual | changed)


def test_a_whole_question_with_two_rounds():
    current, rounds = begun(), []
    for phase in ("ask", "closed", "discuss", "again", "closed_again", "reveal", "ask"):
        current = move(current, phase, 5)
        rounds.append((current.number, current.round, current.open))
    assert rounds == [
        (0, 1, True),
        (0, 1, False),
        (0, 1, False),
        (0, 2, True),
        (0, 2, False),
        (0, 2, False),
        (1, 1, True),
    ]
    assert current.version == 8


@given(st.lists(st.tuples(st.sampled_from([*PHASES]), st.none() | st.integers(-1, 5)), max_size=30))
def test_no_walk_leaves_the_questions(walk):
    current = begun()
    for to, number in walk:
        try:
            new = move(current, to, 5, number=number)
        except NotNow:
            continue
        assert to in current.following or (to == "ask" and number is not None)
        assert set(new.following) <= set(FOLLOWING[new.phase])
        assert 0 <= new.number < len(POLLS)
        assert new.round == (2 if new.phase in ("again", "closed_again") else new.round)
        assert new.open == (to in OPEN)
        assert new.version == current.version + 1
        current = new


def test_it_is_over_only_after_the_last_question():
    with pytest.raises(NotNow):
        move(begun(phase="reveal"), "over", 5)
    last = begun(phase="reveal", number=len(POLLS) - 1)
    assert move(last, "over", 5).phase == "over"
    with pytest.raises(NotNow):
        move(last, "ask", 5)


def test_any_question_can_be_asked_from_anywhere():
    assert move(begun(phase="again", round=2), "ask", 5, number=3).number == 3
    with pytest.raises(NotNow):
        move(begun(phase="again"), "ask", 5, number=4)
    with pytest.raises(NotNow):
        move(begun(phase="closed"), "reveal", 5, number=3)


def test_the_clock_closes_by_itself():
    asked = move(begun(seconds=30), "ask", 1_000)
    assert (asked.closes, asked.remaining(11_000)) == (31_000, 20_000)
    assert asked.at(30_999) is asked
    assert asked.at(31_000).phase == "closed"
    # what follows is what follows from there
    assert move(asked, "discuss", 31_000).phase == "discuss"
    with pytest.raises(NotNow):
        move(asked, "discuss", 30_000)
    again = move(move(asked, "again", 40_000), "closed_again", 41_000)
    assert again.remaining(50_000) is None
    assert move(asked, "again", 40_000).at(99_000).phase == "closed_again"


def test_a_pause_stops_the_clock():
    asked = move(begun(seconds=30), "ask", 0)
    paused = pause(asked, True, 10_000)
    assert not paused.open
    assert paused.remaining(500_000) == 20_000
    assert paused.at(500_000).phase == "ask"
    on = pause(paused, False, 500_000)
    assert (on.closes, on.left, on.open) == (520_000, 0, True)
    # too late: the clock had run out
    assert pause(asked, True, 40_000).phase == "closed"


def test_another_clock():
    asked = move(begun(), "ask", 0)
    assert asked.remaining(5) is None
    assert set_clock(asked, 60, 5_000).closes == 65_000
    assert set_clock(pause(asked, True, 1), 60, 5_000).remaining(9_000) == 60_000
    assert set_clock(set_clock(asked, 60, 0), 0, 1).remaining(2) is None
    with pytest.raises(NotNow):
        set_clock(asked, 9, 0)


def test_bars_are_hidden_again_with_the_next_phase():
    shown = adjust(begun(phase="closed"), 0, bars=True)
    assert shown.bars
    assert not move(shown, "discuss", 1).bars
    revealed = move(shown, "reveal", 1)
    # the answer with its reason first; then everybody sees the movement play to its end
    assert revealed.step == STANDS
    assert adjust(revealed, 1, step=MOST_STEP).step == MOST_STEP
    assert adjust(revealed, 1, step=7).step == 7


@pytest.mark.parametrize(
    ("right", "of", "said"),
    [
        (0, 0, ""),
        (34, 100, "explain"),
        (35, 100, "discuss"),
        (70, 100, "discuss"),
        (71, 100, "go_on"),
    ],
)
def test_advice(right, of, said):
    assert advice(tally(POLLS[0], {"1": right, "0": of - right})) == said


def test_the_report_of_both_rounds():
    votes = {(0, 1): {"0": 6, "1": 3, "2": 1}, (0, 2): {"1": 8, "2": 2}, (1, 1): {"4": 9}}
    rows = report(POLLS, votes)
    assert [(row.rounds[0].votes, row.rounds[0].right) for row in rows] == [
        (10, 3),
        (9, 9),
        (0, 0),
        (0, 0),
    ]
    assert (rows[0].rounds[1].votes, rows[0].rounds[1].share) == (10, 0.8)
    assert (rows[0].mistaken, rows[0].mistaken_round) == (("2",), 2)
    assert (rows[1].mistaken, rows[2].rounds[0].share) == ((), None)
    lines = list(csv.DictReader(StringIO(as_csv(rows))))
    assert (lines[0]["votes_1"], lines[0]["right_2"]) == ("10", "8")
    assert (lines[0]["most_chosen_wrong"], lines[0]["round_of_wrong"]) == ("C: =3", "2")
    assert lines[0]["misconception"] == "takes the neighbour"
    assert [line["question"] for line in lines] == ["1", "2", "3", "4"]


def test_no_text_of_the_report_is_a_formula():
    polls = read_polls([{**QUESTIONS[0], "prompt": "=1+1", "key": "@x"}])
    line = next(csv.DictReader(StringIO(as_csv(report(polls, {})))))
    assert (line["prompt"], line["key"]) == ("'=1+1", "'@x")


@pytest.mark.parametrize("text", ["\n=1+1", "＝1+1", "＋1", "－1", "＠x", "\tx"])
def test_neither_are_the_signs_that_some_spreadsheets_read_so(text):
    (poll,) = read_polls([QUESTIONS[0]])
    row = report([replace(poll, prompt=text)], {})
    (line,) = csv.DictReader(StringIO(as_csv(row), newline=""))
    assert line["prompt"] == f"'{text}"


def test_a_text_with_a_semicolon_or_a_tab_begins_no_formula():
    """Where the comma is the decimal sign, spreadsheets divide at these, quoted or not."""
    (poll,) = read_polls([QUESTIONS[0]])
    for sign in ";\t":
        text = as_csv(report([replace(poll, prompt=f"a{sign}=1{sign} -1")], {}))
        (line,) = csv.reader(StringIO(text.splitlines()[1]), delimiter=sign)
        assert len(line) == 3
        assert not any(cell.lstrip().startswith(("=", "-")) for cell in line)


def test_wrong_answers_with_as_many_votes_are_all_reported_with_their_round():
    votes = {(0, 1): {"0": 1, "2": 2}, (0, 2): {"0": 1, "2": 1, "1": 5}}
    rows = report(POLLS, votes)
    # the one that had more votes before comes first
    assert (rows[0].mistaken, rows[0].mistaken_round, rows[0].tied) == (("2", "0"), 2, 2)
    (line, *_others) = csv.DictReader(StringIO(as_csv(rows)))
    assert line["most_chosen_wrong"] == "C: =3 | A: 1"
    assert line["misconception"] == "takes the neighbour | counts from the end"
    # a round without wrong votes says nothing, and only some of many are named
    typed = {(3, 1): {str(n): 1 for n in range(10, 20)}, (3, 2): {"2.5": 9}}
    row = report(POLLS, typed)[3]
    assert (len(row.mistaken), row.mistaken_round, row.tied) == (MOST_TIED, 1, 10)


def test_only_the_end_follows_the_last_question():
    first = begun(phase="reveal")
    assert "over" not in first.following
    assert "ask" in first.following
    last = begun(phase="reveal", number=len(POLLS) - 1)
    assert "over" in last.following
    assert "ask" not in last.following


def test_a_discussion_has_no_vote_and_is_left_out_at_ones_own_pace():
    talk = {"key": "talk", "kind": "discussion", "prompt": "What surprised you?", "answer": ""}
    polls = read_polls([QUESTIONS[0], {**talk, "link": ""}, {**QUESTIONS[0], "key": "last"}])
    current = begun(phase="reveal", polls=polls, round=2)
    here = move(current, "ask", 0)
    assert (here.number, here.phase, here.round, here.open) == (1, "discuss", 1, False)
    assert here.following == ("reveal",)
    with pytest.raises(NotNow):
        move(here, "again", 0)
    after = move(move(here, "reveal", 0), "ask", 0)
    assert (after.number, after.phase) == (2, "ask")
    seen = alone(begun(phase="alone", polls=polls, number=2), 0, {0: "0"})
    assert (seen["number"], seen["asked"]) == (2, [0, 2])
    # with nothing to vote on, nobody goes alone
    assert "alone" not in begun(phase="join", polls=polls[1:2]).following
    for wrong in ({"answer": "1"}, {"choices": [{"text": "a"}, {"text": "b"}]}):
        with pytest.raises(Error):
            read_polls([{**talk, "link": "", **wrong}])
