"""What a teacher chooses for a class: clocks, nicknames, the wall, and everybody's own pace."""

from __future__ import annotations

import csv
import time
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, inspect

from dmlviz.base.errors import Error
from dmlviz.classroom import counting, hub, tables, views
from dmlviz.classroom.bodies import MOST_NICKNAME, read_nickname
from dmlviz.classroom.database import url_of, wanted_devices
from dmlviz.classroom.phase_table import ALONE_ROUND, MOST_SECONDS
from dmlviz.classroom.phases import (
    ALL_ANSWERED,
    USUAL,
    ClassOptions,
    adjust,
    extend,
    finish,
    move,
    pause,
    print_options,
    read_options,
    set_clock,
)
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.refusals import ClassFull, Closed, NoNicknames, NotJoined, NotNow
from dmlviz.classroom.service import most_streams, usual_limits
from dmlviz.classroom.store import Ballot
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Lesson, serving
from tests.classroom.test_phases import begun

OPTIONS = st.builds(
    ClassOptions,
    discussion=st.integers(0, 600),
    finishes=st.booleans(),
    nicknames=st.sampled_from(["none", "teacher", "wall"]),
    theme=st.sampled_from(["screen", "light", "dark"]),
)


@pytest.fixture
def served(tmp_path):
    with serving(tmp_path / "x.sqlite") as (port, service):
        yield port, service


@pytest.fixture
def lesson(served):
    return Lesson(served[0], QUESTIONS, title="Tiles")


@pytest.fixture
def opened(store, polls):
    """A class with the devices a, b and c."""
    opened = store.open_class(polls, "Tiles", 0).result()
    for device in "abc":
        store.join(opened.code, device).result()
    return opened


def chosen(**changed):
    return {"discussion": 0, "finishes": False, "nicknames": "none", "theme": "screen", **changed}


@given(OPTIONS)
def test_options_are_stored_as_they_are(options):
    assert read_options(print_options(options)) == options
    assert read_options("{}") == USUAL


# clocks


def test_a_discussion_has_its_own_clock_and_ends_only_when_the_teacher_says_so():
    current = adjust(begun(seconds=30), 0, options=ClassOptions(discussion=120))
    current = move(move(move(current, "ask", 0), "closed", 10), "discuss", 1_000)
    assert current.remaining(1_000) == 120_000
    # the clock of votes is another one
    assert set_clock(current, 45, 2_000).remaining(2_000) == 119_000
    assert (current.at(200_000).phase, current.remaining(200_000)) == ("discuss", 0)
    paused = pause(current, True, 61_000)
    assert paused.remaining(99_000) == 60_000
    assert pause(paused, False, 99_000).remaining(100_000) == 59_000
    assert move(begun(phase="closed"), "discuss", 0).remaining(0) is None


def test_a_discussion_of_its_own_has_the_minutes_of_its_part():
    talk = {"key": "talk", "kind": "discussion", "prompt": "Why?", "answer": "", "link": ""}
    polls = read_polls([QUESTIONS[0], {**talk, "minutes": 12}, {**talk, "key": "free"}])
    current = begun(phase="reveal", polls=polls, options=ClassOptions(discussion=90))
    current = move(current, "ask", 0)
    assert current.remaining(0) == 720_000
    # more than a vote can have stays, and grows
    assert extend(current, 15, 0).remaining(0) == 735_000
    # without minutes, and between two votes, the class's clock runs
    last = move(current, "ask", 0, number=2)
    assert last.remaining(0) == 90_000
    voted = read_polls([{**QUESTIONS[0], "minutes": 5}])
    assert move(begun(phase="closed", polls=voted), "discuss", 0).remaining(0) is None


def test_more_time_on_a_clock_that_runs_and_in_a_vote_that_was_closed():
    current = move(begun(seconds=30), "ask", 0)
    assert extend(current, 15, 10_000).remaining(10_000) == 35_000
    assert extend(pause(current, True, 10_000), 15, 10_000).remaining(50_000) == 35_000
    # whether the clock or the teacher closed it
    again = extend(current, 15, 40_000)
    assert (again.phase, again.round, again.remaining(40_000)) == ("ask", 1, 15_000)
    second = move(move(current, "closed", 1), "again", 2)
    again = extend(move(second, "closed_again", 3), 15, 4)
    assert (again.phase, again.round) == ("again", 2)
    assert extend(current, MOST_SECONDS, 0).remaining(0) == MOST_SECONDS * 1_000
    for phase in ("join", "discuss", "reveal", "alone", "over"):
        with pytest.raises(NotNow):
            extend(begun(phase=phase), 15, 0)
    with pytest.raises(NotNow):
        extend(move(begun(), "ask", 0), 15, 0)


def test_a_vote_in_which_all_have_answered_closes_in_a_moment():
    for seconds in (0, 30):
        current = finish(move(begun(seconds=seconds), "ask", 0), 5_000)
        assert current.open
        assert current.remaining(5_000) == ALL_ANSWERED
        assert current.at(5_000 + ALL_ANSWERED).phase == "closed"
    # never later than it would have closed
    with pytest.raises(NotNow):
        finish(move(begun(seconds=30), "ask", 0), 29_000)
    for changed in ({"phase": "closed"}, {"phase": "alone"}, {"phase": "ask", "paused": True}):
        with pytest.raises(NotNow):
            finish(begun(**changed), 0)


def test_the_code_on_the_wall_goes_with_the_next_phase():
    current = adjust(move(begun(), "ask", 0), 1, invites=True)
    assert current.invites
    assert adjust(current, 2, bars=True).invites
    assert not move(current, "closed", 3).invites


def test_all_have_answered(served, lesson):
    ann, ben = lesson.join(), lesson.join()
    lesson.change(options=chosen(finishes=True))
    wall = lesson.wall().listen(f"{lesson.path}/events")
    lesson.move("ask")
    # those who raised their hands have no device
    served[1].store.raise_hands(lesson.code, 0, 1, {"0": 5}).result()
    assert lesson.vote(ann, 1)[0] == 200
    state = wall.until(lambda state: state["counts"]["votes"] == 6)
    assert state["left_ms"] is None
    assert lesson.vote(ben, 0)[0] == 200
    wall.until(lambda state: state["left_ms"] is not None)
    # the last one has a moment to change it
    assert lesson.vote(ben, 1, seq=2)[0] == 200
    wall.until(lambda state: state["phase"] == "closed", ALL_ANSWERED / 1_000 + 3)
    # once in each round: more time is more time
    lesson.version = lesson.teacher.get(f"{lesson.path}/results")[1]["version"]
    lesson.change(more=15)
    state = wall.until(lambda state: state["phase"] == "ask")
    assert state["left_ms"] > 14_000
    assert lesson.vote(ben, 0, seq=3)[0] == 200
    time.sleep(0.6)
    assert lesson.teacher.get(f"{lesson.path}/results")[1]["left_ms"] > 12_000
    wall.close()


def test_no_vote_waits_for_a_device_that_has_left(lesson, monkeypatch):
    monkeypatch.setattr(hub, "CONTACT", 0.1)
    monkeypatch.setattr(counting, "AWAY", 700)
    ann, ben = lesson.join(), lesson.join()
    lesson.change(options=chosen(finishes=True))
    wall, here = (each.listen(f"{lesson.path}/events") for each in (lesson.wall(), ann))
    lesson.move("ask")
    assert lesson.vote(ben, 1)[0] == 200
    wall.until(lambda state: state["counts"]["votes"] == 1)
    # one who thinks for long is here all the time
    time.sleep(1.5)
    results = lesson.teacher.get(f"{lesson.path}/results")[1]
    assert (results["phase"], results["left_ms"]) == ("ask", None)
    here.close()
    state = wall.until(lambda state: state["left_ms"] is not None)
    # who neither is here nor has answered is not counted, and is again with its own key
    assert (state["counts"]["missing"], state["counts"]["joined"]) == (0, 1)
    here = ann.listen(f"{lesson.path}/events")
    wall.until(lambda state: state["counts"]["joined"] == 2)
    here.close()
    wall.close()


@pytest.mark.parametrize(
    "options",
    [
        {"discussion": 601},
        {"discussion": -1},
        {"discussion": True},
        {"finishes": 1},
        {"nicknames": "everybody"},
        {"theme": "<b>"},
        "dark",
        None,
    ],
)
def test_options_that_are_none(lesson, options):
    body = {"version": 1, "options": options}
    status, told = lesson.teacher.post(f"{lesson.path}/phase", body)
    assert (status, told["error"]) == (400, "invalid")
    assert "options" in told["message"]
    body = {"questions": QUESTIONS, "options": options}
    assert lesson.teacher.post("/class", body)[1]["error"] == "invalid"


# nicknames


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ada   L. ", "Ada L."),
        ("", ""),
        ("\u00a0", ""),
        ("e\u0301", "\u00e9"),
        ("<b>&amp;", "<b>&amp;"),
        ("그레이스", "그레이스"),
        ("x" * MOST_NICKNAME, "x" * MOST_NICKNAME),
    ],
)
def test_a_nickname_has_one_spelling(typed, name):
    assert read_nickname(typed) == name


@pytest.mark.parametrize(
    "typed", ["x" * 21, "a\u202eb", "a\0b", "\ud800", "a\u200bb", "x" + "\u0335" * 3]
)
def test_what_is_no_nickname(typed):
    with pytest.raises(Error):
        read_nickname(typed)


def test_nicknames_are_the_teachers_and_go_with_the_choice(lesson):
    ann, ben = lesson.join(), lesson.join()
    path = f"{lesson.path}/join"
    assert ann.post(path, {"nickname": "Ann"})[1]["error"] == "no_nicknames"
    lesson.change(options=chosen(nicknames="teacher"))
    assert ann.post(path, {"nickname": " Ann "})[1]["mine"]["nickname"] == "Ann"
    assert ann.post(path, {"nickname": "x" * 21})[1]["message"] == (
        "nickname: it is one line of at most 20 characters."
    )
    teacher = lesson.teacher.listen(f"{lesson.path}/events")
    wall = lesson.wall().listen(f"{lesson.path}/events")
    other = ben.listen(f"{lesson.path}/events")
    lesson.move("ask")
    lesson.vote(ann, 1)
    state = teacher.until(lambda state: state["counts"]["votes"] == 1)
    (person,) = state["counts"]["people"]
    assert (person["nickname"], person["answered"], person["lost"]) == ("Ann", 1, False)
    assert "Ann" not in str(wall.until(lambda state: state["counts"]["votes"] == 1))
    assert "Ann" not in str(other.next()[1])
    lesson.change(options=chosen(nicknames="wall"))
    state = wall.until(lambda state: state["options"]["nicknames"] == "wall")
    assert state["counts"]["nicknames"] == ["Ann"]
    # a name that nobody wants to read goes with its device and its votes
    assert lesson.wall().post(f"{lesson.path}/remove", {"device": person["device"]})[0] == 403
    for wrong in ("_" * 12, "%", person["device"][:6], person["device"] + "0"):
        assert lesson.teacher.post(f"{lesson.path}/remove", {"device": wrong})[0] == 400
    removed = lesson.teacher.post(f"{lesson.path}/remove", {"device": person["device"]})
    assert removed == (200, {"removed": 1})
    wall.until(lambda state: (state["counts"]["votes"], state["counts"]["joined"]) == (0, 1))
    assert ben.post(path, {"nickname": "Ben"})[0] == 200
    lesson.change(options=chosen())
    assert ben.post(path)[1]["mine"]["nickname"] == ""
    for stream in (teacher, wall, other):
        stream.close()


def test_no_nickname_stays_in_the_file(address, store, opened):
    store.change(
        opened.code, lambda c, now: adjust(c, now, options=ClassOptions(nicknames="teacher"))
    ).result()
    store.call(opened.code, "a", "Ann of Green Gables").result()
    with pytest.raises(NotJoined):
        store.call(opened.code, "z", "Zoe").result()
    assert [each.nickname for each in store.counts(store.find(opened.code)).people] == [
        "Ann of Green Gables"
    ]
    store.change(opened.code, lambda c, now: adjust(c, now, options=USUAL)).result()
    with pytest.raises(NoNicknames):
        store.call(opened.code, "a", "Ann").result()
    if "://" not in address:
        folder = Path(address).parent
        assert not any(b"Gables" in path.read_bytes() for path in folder.iterdir())


# one's own pace


def test_nobody_gets_an_answer_before_answering(lesson):
    ann, ben = lesson.join(), lesson.join()
    wall = lesson.wall().listen(f"{lesson.path}/events")
    stream = ben.listen(f"{lesson.path}/events")
    lesson.move("alone")
    path = f"{lesson.path}/join"
    state = ann.post(path)[1]
    assert (state["phase"], state["round"], state["number"]) == ("alone", ALONE_ROUND, 0)
    for number in range(len(QUESTIONS)):
        # the picture of a later question may show the answer to this one
        state = ann.post(path, {"question": number})[1]
        assert state["number"] == 0
        assert state["question"]["prompt"] == QUESTIONS[0]["prompt"]
        assert "answer" not in state["question"]
        assert "misconceptions" not in state["question"]
        assert state["question"]["key"] == ""
        seen = ann.get(f"{lesson.path}/picture?number={number}")[0]
        assert seen in ((403,) if number else (200, 404))
        assert ann.get(f"{lesson.path}/movement?number={number}")[0] == 403
    status, told = lesson.vote(ann, 0, turn=0)
    assert status == 200
    assert told["stored"]["answer"] == "0"
    assert told["question"]["answer"] == "1"
    assert told["question"]["misconceptions"]["0"] == "counts from the end"
    assert told["answers"] == {"0": "0"}
    # another answer comes too late, and who has not answered is told nothing
    assert lesson.vote(ann, 1, seq=9, turn=0)[1]["stored"] == {"answer": "0", "seq": 1}
    assert ann.get(f"{lesson.path}/movement?number=0")[0] in (200, 404)
    assert ann.get(f"{lesson.path}/movement?number=1")[0] == 403
    assert ben.get(f"{lesson.path}/movement?number=0")[0] == 403
    assert "answer" not in ben.post(path, {"question": 0})[1]["question"]
    # one after the other, and on from the first that is left
    assert lesson.vote(ann, "2,6", question=2, turn=0)[1]["error"] == "closed"
    assert ann.post(path)[1]["number"] == 1
    assert ann.get(f"{lesson.path}/picture?number=1")[0] in (200, 404)
    assert lesson.vote(ann, 4, question=1, turn=0)[0] == 200
    assert lesson.vote(ann, "2,6", question=2, turn=0)[1]["stored"]["answer"] == "{2, 6}"
    assert ann.post(path)[1]["number"] == 3
    assert ann.post(path, {"question": 1})[1]["number"] == 1
    for shown in (wall, stream):
        state = shown.until(lambda state: state["phase"] == "alone")
        assert state.get("question") is None
        shown.close()


def test_rounds_and_ones_own_pace_stay_apart(lesson):
    ann = lesson.join()
    for turn in (1, 2):
        assert lesson.vote(ann, 1, turn=turn)[1]["error"] == "closed"
    lesson.move("ask")
    assert lesson.vote(ann, 1, turn=0)[1]["error"] == "closed"
    assert lesson.vote(ann, 1)[0] == 200
    lesson.move("closed")
    lesson.move("reveal")
    lesson.move("alone")
    assert lesson.vote(ann, 0)[1] == {"stored": {"answer": "1", "seq": 1}}
    assert lesson.vote(ann, 2, question=3, turn=1)[1]["error"] == "closed"
    # she knows the right answer; he was not there
    assert lesson.vote(ann, 0, turn=0)[1]["error"] == "closed"
    assert lesson.vote(lesson.join(), 0, turn=0)[0] == 200
    lesson.move("reveal")
    assert lesson.vote(ann, "7", question=3, turn=0)[1]["error"] == "closed"
    told = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"][0]
    assert [round["counts"] for round in (*told["rounds"], told["alone"])] == [
        {"1": 1},
        {},
        {"0": 1},
    ]
    _status, text = lesson.teacher.get(f"{lesson.path}/results?format=answers")
    lines = list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))
    assert [
        (line["answer"], line["right"], line["votes_1"], line["votes_2"], line["votes_alone"])
        for line in lines
        if line["question"] == "1"
    ] == [("A: 1", "0", "0", "0", "1"), ("B: 2", "1", "1", "0", "0"), ("C: =3", "0", "0", "0", "0")]


def test_own_pace_goes_on_where_the_class_has_stopped(lesson):
    ann, ben = lesson.join(), lesson.join()
    lesson.move("ask")
    lesson.vote(ann, 0)
    lesson.vote(ben, 1)
    lesson.move("closed")
    lesson.move("again")
    lesson.vote(ann, 1, turn=2)
    for to in ("closed_again", "reveal", "ask"):
        lesson.move(to)
    lesson.vote(ann, 3, question=1)
    for to in ("closed", "reveal", "alone"):
        lesson.move(to)
    path = f"{lesson.path}/join"
    state = ann.post(path)[1]
    # the last answer to a question is the one that stands
    assert (state["number"], state["answers"], state["right"]) == (2, {"0": "1", "1": "3"}, 1)
    assert "answer" not in state["question"]
    assert ann.get(f"{lesson.path}/picture?number=2")[0] in (200, 404)
    assert ann.get(f"{lesson.path}/picture?number=3")[0] == 403
    state = ann.post(path, {"question": 0})[1]
    assert (state["number"], state["question"]["answer"]) == (0, "1")
    assert ben.post(path)[1]["number"] == 1
    for number, right in ((2, "2,6"), (3, "2.5")):
        assert lesson.vote(ann, right, question=number, turn=0)[0] == 200
    # with nothing left, what was wrong comes first
    state = ann.post(path)[1]
    assert (state["number"], len(state["answers"]), state["right"]) == (1, 4, 3)
    stream = lesson.teacher.listen(f"{lesson.path}/events")
    told = stream.next()[1]["counts"]
    stream.close()
    assert (told["finished"], [each["votes"] for each in told["alone"]]) == (1, [2, 1, 1, 1])
    assert told["alone_questions"] == 4


def test_the_class_returns_to_where_its_own_pace_began(store, opened):
    def go(*phases):
        for to in phases:
            store.change(opened.code, lambda c, now, to=to: move(c, to, now)).result()
        here = store.find(opened.code)
        return here.phase, here.number, here.round

    def following():
        here = store.find(opened.code)
        return views.counted(here, store.counts(here), 0, 9, teacher=True)["following"]

    def answer(device, number):
        store.vote(Ballot(opened.code, device, number, ALONE_ROUND, 1, 1)).result()

    # before the first question
    go("alone")
    answer("a", 0)
    assert following() == ["join"]
    with pytest.raises(NotNow):
        go("over")
    assert go("join") == ("join", 0, 1)
    assert go("ask") == ("ask", 0, 1)
    # after a second vote, whose answers stay those of the class
    go("closed", "again", "closed_again", "reveal")
    assert go("alone") == ("alone", 0, ALONE_ROUND)
    answer("b", 0)
    assert following() == ["reveal"]
    with pytest.raises(NotNow):
        go("over")
    assert go("reveal") == ("reveal", 0, 2)
    assert go("ask") == ("ask", 1, 1)
    # after the last question
    store.change(opened.code, lambda c, now: move(c, "ask", now, number=3)).result()
    go("closed", "reveal", "over", "alone")
    assert following() == ["over"]
    assert go("over") == ("over", 3, 1)
    assert store.votes(opened.code)[0, ALONE_ROUND] == {"1": 2}


def test_the_teacher_sees_how_far_the_class_is(store, opened):
    store.change(
        opened.code, lambda c, now: adjust(c, now, options=ClassOptions(nicknames="teacher"))
    ).result()
    store.call(opened.code, "b", "Ben").result()
    store.change(opened.code, lambda c, now: move(c, "alone", now)).result()

    def answer(device, number, answer):
        store.vote(Ballot(opened.code, device, number, ALONE_ROUND, 1, answer)).result()

    for number, right in enumerate((1, 4, "2,6", "2.5")):
        answer("a", number, right)
    answer("b", 0, 0)
    answer("b", 1, 3)
    counts = store.counts(store.find(opened.code))
    assert [(each.votes, each.right) for each in counts.alone] == [(2, 1), (2, 1), (1, 1), (1, 1)]
    assert counts.finished == 1
    assert [(each.nickname, each.answered) for each in counts.people] == [("Ben", 2)]
    store.change(opened.code, lambda c, now: move(c, "join", now)).result()
    with pytest.raises(Closed):
        answer("c", 0, 1)


# how many


def test_how_many_devices(monkeypatch, caplog, make_store, polls):
    for told, devices in (
        ("", 1_000),
        ("600", 600),
        ("10000", 10_000),
        ("10001", 1_000),
        ("x", 1_000),
    ):
        monkeypatch.setenv("DMLVIZ_CLASS_DEVICES", told)
        assert wanted_devices() == devices
    store = make_store(devices=2)
    code = store.open_class(polls, "", 0).result().code
    for device in "ab":
        store.join(code, device).result()
    with pytest.raises(ClassFull) as refused:
        store.join(code, "c").result()
    assert refused.value.sentence() == "This class is full: its limit is 2 devices."
    monkeypatch.setattr("dmlviz.classroom.service._allowed_files", lambda wanted: wanted)
    assert [most_streams(n) for n in (1, 1_500, 3_000, 10_000)] == [4_000, 4_000, 8_000, 26_667]
    assert not caplog.messages
    monkeypatch.setattr("dmlviz.classroom.service._allowed_files", lambda wanted: 4_096)
    assert most_streams(3_000) == 2_048
    assert "DMLVIZ_CLASS_DEVICES is 3000" in caplog.messages[0]
    joins = usual_limits(4_000).joins
    assert sum(joins.take("a") for _device in range(2_100)) in range(2_000, 2_100)


def test_a_database_of_the_last_version_takes_options(address, make_store, polls):
    url = url_of(address)
    if url.database and url.drivername.startswith("sqlite"):
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)
    with engine.begin() as connection:
        tables.migrate(connection, tables.STEPS[:3])
        later = ("options", "invites", "phase_before", "round_before")
        for column in later:
            connection.exec_driver_sql(f"ALTER TABLE dmlviz_class DROP COLUMN {column}")
        for column in ("nickname", "contact"):
            connection.exec_driver_sql(f"ALTER TABLE dmlviz_device DROP COLUMN {column}")
        connection.exec_driver_sql(
            "INSERT INTO dmlviz_class VALUES ('ABCD', 'kept', 'x', 'x', '[]', 0, 'join', 1, 0, 0, 0, "
            "false, false, -1, 0, 9999999999999, 1, false, 400, -1)"
        )
        connection.exec_driver_sql("INSERT INTO dmlviz_device VALUES ('ABCD', 'd', -1, -1, 0)")
    store = make_store()
    kept = store.find("ABCD")
    assert (kept.title, kept.options, kept.invites) == ("kept", USUAL, False)
    assert (kept.phase_before, kept.round_before) == ("join", 1)
    code = store.open_class(polls, "", 0, options=ClassOptions(theme="dark")).result().code
    assert store.find(code).options.theme == "dark"
    columns = {column["name"] for column in inspect(engine).get_columns("dmlviz_device")}
    assert "nickname" in columns
    engine.dispose()
