"""Reasons before the second vote: who writes and sees what, and when it is deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.errors import Error
from dmlviz.classroom.phase_table import WRITTEN_ROUND
from dmlviz.classroom.phases import extend, move
from dmlviz.classroom.polls import MOST_SENTENCE, read_sentence
from dmlviz.classroom.store import Ballot
from dmlviz.classroom.tally import Sentence, differing
from dmlviz.classroom.views import MOST_SHOWN
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Lesson, serving
from tests.classroom.test_phases import begun

SENTENCES = st.builds(
    Sentence, st.sampled_from("abcdef"), st.text(max_size=3), st.sampled_from(["", "0", "1", "2"])
)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.sqlite"


@pytest.fixture
def lesson(file):
    with serving(file) as (port, service):
        lesson = Lesson(port, QUESTIONS)
        lesson.service = service
        yield lesson


def state(browser, lesson):
    stream = browser.listen(f"{lesson.path}/events")
    told = stream.until(lambda _state: True)
    stream.close()
    return told


def write(lesson, phone, text, seq=2):
    return lesson.vote(phone, text, seq, turn=WRITTEN_ROUND)


def begin(lesson, *answers):
    """Phones that have voted so, and may write now."""
    phones = [lesson.join() for _answer in answers]
    lesson.move("ask")
    for phone, answer in zip(phones, answers, strict=True):
        assert lesson.vote(phone, answer)[0] == 200
    lesson.move("closed")
    lesson.move("reasons")
    return phones


def rows(file):
    with closing(sqlite3.connect(file)) as database:
        return database.execute(
            "SELECT answer FROM dmlviz_vote WHERE round = ? ORDER BY at, answer", (WRITTEN_ROUND,)
        ).fetchall()


def test_the_wall_shows_three_by_different_answers_and_no_names(lesson):
    phones = begin(lesson, 0, 0, 0, 1, 2)
    for number, phone in enumerate(phones):
        assert write(lesson, phone, f"Because of {number}.")[0] == 200
    wall, teacher = state(lesson.wall(), lesson), state(lesson.teacher, lesson)
    # nobody reads what others write before all have written
    assert "sentences" not in wall["counts"]
    assert (wall["counts"]["votes"], wall["counts"]["missing"]) == (5, 0)
    assert len(teacher["counts"]["sentences"]) == 5
    assert teacher["counts"]["sentences_shown"] == 0
    lesson.move("reasons_shown")
    shown = state(lesson.wall(), lesson)["counts"]["sentences"]
    assert shown == [
        {"text": "Because of 0.", "answer": "A: 1"},
        {"text": "Because of 3.", "answer": "B: 2"},
        {"text": "Because of 4.", "answer": "C: =3"},
    ]
    for phone in phones:
        assert "Because" not in str(phone.post(f"{lesson.path}/join")[1].get("counts", ""))
        assert "sentences" not in str(state(phone, lesson))
    # the second vote goes on as after a discussion
    lesson.move("again")
    assert lesson.vote(phones[0], 1, 3, turn=2)[0] == 200
    assert "sentences" not in state(lesson.wall(), lesson)["counts"]


def test_the_teacher_can_hide_one_and_nothing_is_left_of_it(lesson, file):
    phones = begin(lesson, 0, 0, 1)
    for text, phone in zip(("first", "second", "third"), phones, strict=True):
        write(lesson, phone, text)
    lesson.move("reasons_shown")
    device = state(lesson.teacher, lesson)["counts"]["sentences"][0]["device"]
    body = {"question": 0, "device": device}
    assert phones[0].post(f"{lesson.path}/hide", body)[0] == 403
    assert lesson.wall().post(f"{lesson.path}/hide", body)[0] == 403
    assert lesson.teacher.post(f"{lesson.path}/hide", {"device": "%"})[0] == 400
    assert lesson.teacher.post(f"{lesson.path}/hide", body) == (200, {"hidden": 1})
    shown = state(lesson.wall(), lesson)["counts"]["sentences"]
    assert [each["text"] for each in shown] == ["second", "third"]
    assert sorted(rows(file)) == [("",), ("second",), ("third",)]
    # it is closed: whoever wrote it cannot write it again
    assert write(lesson, phones[0], "first", seq=9)[0] == 409


def test_the_answer_stays_beside_what_is_written(lesson):
    (phone,) = begin(lesson, 2)
    _status, told = phone.post(f"{lesson.path}/join")
    assert (told["writes"], told["round"], told["mine"]["vote"]) == (True, WRITTEN_ROUND, None)
    assert told["mine"]["first"] == "2"
    assert write(lesson, phone, "  It   wraps\naround ")[1] == {
        "stored": {"answer": "It wraps around", "seq": 2}
    }
    # of two, the newer one stays, in whatever order they come
    assert write(lesson, phone, "older", seq=1)[1]["stored"]["answer"] == "It wraps around"
    assert write(lesson, phone, "newer", seq=5)[1]["stored"]["answer"] == "newer"
    _status, told = phone.post(f"{lesson.path}/join")
    assert told["mine"] == {
        "lost": False,
        "nickname": "",
        "vote": {"answer": "newer", "seq": 5},
        "first": "2",
    }
    # an answer to the question does not count now, nor a sentence as a vote
    assert lesson.vote(phone, 1, 7)[0] == 409


def test_sentences_are_in_no_count_of_votes_and_in_no_report(lesson):
    phones = begin(lesson, 0, 1)
    write(lesson, phones[0], "0")
    # who came late has no answer beside it
    assert write(lesson, lesson.join(), "1")[0] == 200
    lesson.move("reasons_shown")
    assert [each["answer"] for each in state(lesson.wall(), lesson)["counts"]["sentences"]] == [
        "A: 1",
        "",
    ]
    assert {turn for _number, turn in lesson.service.store.votes(lesson.code)} == {1}
    lesson.move("reveal")
    _status, told = lesson.teacher.get(f"{lesson.path}/results")
    assert [each["votes"] for each in told["rows"][0]["rounds"]] == [2, 0]
    assert told["rows"][0]["alone"]["votes"] == 0
    for form in ("csv", "answers"):
        _status, text = lesson.teacher.get(f"{lesson.path}/results?format={form}")
        assert text.splitlines()[1].count('"0"') < 9
    # nor do they stand for an answer at one's own pace
    for number in (1, 2, 3):
        lesson.move("ask", number=number)
        lesson.move("closed")
        lesson.move("reveal")
    lesson.move("alone")
    assert state(lesson.teacher, lesson)["counts"]["alone"][0]["counts"] == {"0": 1, "1": 1}


def test_they_survive_a_restart_and_go_with_the_device_and_with_the_class(file):
    with serving(file) as (port, _service):
        lesson = Lesson(port, QUESTIONS)
        phones = begin(lesson, 0, 1)
        for phone, text in zip(phones, ("kept", "removed"), strict=True):
            assert write(lesson, phone, text)[0] == 200
    with serving(file) as (port, _service):
        lesson.port = lesson.teacher.port = port
        sentences = state(lesson.teacher, lesson)["counts"]["sentences"]
        assert {each["text"] for each in sentences} == {"kept", "removed"}
        (device,) = [each["device"] for each in sentences if each["text"] == "removed"]
        assert lesson.teacher.post(f"{lesson.path}/remove", {"device": device})[0] == 200
        assert rows(file) == [("kept",)]
        assert lesson.teacher.ask("DELETE", lesson.path, {})[0] == 200
        assert rows(file) == []


def test_a_clock_that_runs_out_and_more_time_keep_the_rounds_apart():
    closed = move(move(begun(seconds=30), "ask", 0), "closed", 0)
    here = move(closed, "reasons", 0)
    assert (here.round, here.open, here.remaining(0)) == (WRITTEN_ROUND, True, 30_000)
    late = here.at(30_000)
    assert (late.phase, late.round, late.open) == ("reasons_shown", 1, False)
    more = extend(here, 15, 40_000)
    assert (more.phase, more.round, more.remaining(40_000)) == ("reasons", WRITTEN_ROUND, 15_000)
    shown = move(more, "reasons_shown", 41_000)
    assert (shown.round, move(shown, "reasons", 0).round) == (1, WRITTEN_ROUND)
    assert move(shown, "again", 0).round == 2
    assert move(here, "ask", 0, number=1).round == 1


@pytest.mark.parametrize(
    "text",
    ["", "   ", "x" * (MOST_SENTENCE + 1), "a\0b", "a\u202eb", "a\u200bb", "Z" + "\u0301" * 4],
)
def test_what_is_no_sentence_is_refused_in_a_sentence(text):
    with pytest.raises(Error, match=r"answer: it must be one line of 1 to 140 characters\."):
        read_sentence(text)


@pytest.mark.parametrize("text", [None, 1, True, [], {}, 1.5])
def test_neither_is_what_is_no_text(text):
    with pytest.raises(Error):
        read_sentence(text)


@given(st.text(max_size=200))
def test_a_sentence_is_read_once(text):
    try:
        line = read_sentence(text)
    except Error:
        return
    assert read_sentence(line) == line
    assert len(line) <= MOST_SENTENCE
    assert line.isprintable()


@given(st.lists(SENTENCES, max_size=12))
def test_the_first_ones_differ_in_their_answers_as_far_as_they_can(sentences):
    ordered = differing(sentences)
    assert sorted(map(repr, ordered)) == sorted(map(repr, sentences))
    shown = {each.answer for each in ordered[:MOST_SHOWN]}
    assert len(shown) == min(MOST_SHOWN, len({each.answer for each in sentences}))
    # of one answer, the earlier ones come first
    for answer in ("", "0", "1", "2"):
        assert [each for each in ordered if each.answer == answer] == [
            each for each in sentences if each.answer == answer
        ]


def test_a_database_of_either_kind_has_them_in_the_order_of_their_writing(store, polls, clock):
    opened = store.open_class(polls, "", 0).result()
    for device in "abc":
        store.join(opened.code, device).result()
    for phase in ("ask", "closed", "reasons"):
        store.change(opened.code, lambda c, now, to=phase: move(c, to, now)).result()
    for device in "cab":
        clock.now += 10
        store.vote(Ballot(opened.code, device, 0, WRITTEN_ROUND, 1, f"by {device}")).result()
    counts = store.counts(store.find(opened.code))
    assert [each.text for each in counts.sentences] == ["by c", "by a", "by b"]
    assert counts.answered == 3
    assert store.hide(opened.code, 0, counts.sentences[0].device).result() == 1
    assert [each.text for each in store.counts(store.find(opened.code)).sentences] == [
        "by a",
        "by b",
    ]
