"""Streams: what each listener gets and when, their limits, and how they end."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import pytest
from sqlalchemy import event

from dmlviz.classroom import hub as hubs
from dmlviz.classroom import views
from dmlviz.classroom.phases import move
from dmlviz.classroom.refusals import Away, StreamsFull
from dmlviz.classroom.store import HOURS, now
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Browser, Lesson, serving, until

pytestmark = pytest.mark.slow


@pytest.fixture
def served(tmp_path):
    with serving(tmp_path / "x.sqlite") as (port, service):
        yield port, service


@pytest.fixture
def lesson(served):
    return Lesson(served[0], QUESTIONS)


def listening(lesson):
    """A learner, the wall and the teacher, each told where the class is."""
    ann = lesson.join()
    streams = [
        ann.listen(f"{lesson.path}/events"),
        lesson.wall().listen(f"{lesson.path}/events"),
        lesson.teacher.listen(f"{lesson.path}/events"),
    ]
    for stream in streams:
        assert stream.answer.status == 200
        assert stream.answer.getheader("content-type").startswith("text/event-stream")
        assert stream.answer.getheader("cache-control") == "no-store"
        first = stream.next()[1]
        assert first["phase"] == "join"
        # the teacher sees what is to come
        assert first["question"] is None or first["question"]["answer"] == "1"
        assert (first["question"] is None) == (first["role"] != "teacher")
        retry = int(stream.lines[0].removeprefix("retry: "))
        assert 2_000 <= retry < 3_000
    return ann, *streams


def close(*streams):
    for stream in streams:
        stream.close()


def test_learners_are_told_of_phases_and_not_of_counts(lesson):
    ann, learner, wall, teacher = listening(lesson)
    lesson.move("ask")
    assert learner.next()[1]["question"]["prompt"] == QUESTIONS[0]["prompt"]
    teacher.until(lambda state: state["phase"] == "ask")
    wall.until(lambda state: state["phase"] == "ask")
    lesson.vote(ann, 0)
    told = wall.until(lambda state: state["counts"]["votes"] == 1)
    # no bars, and nothing of the answer
    assert (told["counts"]["joined"], told["counts"]["missing"]) == (1, 0)
    assert "rounds" not in told["counts"]
    told = teacher.until(lambda state: state["counts"]["votes"] == 1)
    assert told["counts"]["rounds"][0] == {"votes": 1, "counts": {"0": 1}, "right": 0, "share": 0}
    assert told["counts"]["advice"] == "explain"
    # the same question is not sent again
    assert "question" not in told
    assert learner.quiet(0.6)
    close(learner, wall, teacher)


def test_nothing_gives_the_answer_away(lesson):
    ann, learner, wall, teacher = listening(lesson)
    for phase in ("ask", "closed", "discuss", "again", "closed_again"):
        lesson.move(phase)
        if phase in ("ask", "again"):
            lesson.vote(ann, 1, turn=1 if phase == "ask" else 2)
    lesson.change(bars=True)
    shown = wall.until(lambda state: state["counts"]["bars"])
    assert shown["counts"]["rounds"] == [{"votes": 1, "counts": {"1": 1}}] * 2
    for stream in (learner, wall):
        assert not any(
            word in line
            for line in stream.lines
            for word in ('"answer"', "misconception", '"right"', '"share"', "counts from")
        )
    lesson.move("reveal")
    told = learner.until(lambda state: state["phase"] == "reveal")
    assert told["question"]["answer"] == "1"
    assert "counts" not in told
    told = wall.until(lambda state: state["phase"] == "reveal")
    assert told["counts"]["rounds"][1]["share"] == 1
    close(learner, wall, teacher)


def test_the_first_change_comes_at_once_and_the_following_together(lesson):
    learners = [lesson.join() for _each in range(20)]
    lesson.move("ask")
    wall = lesson.wall().listen(f"{lesson.path}/events")
    wall.until(lambda state: state["counts"]["joined"] == 20)
    time.sleep(0.6)
    began = time.monotonic()
    for ann in learners:
        assert lesson.vote(ann, 1)[0] == 200
    took = time.monotonic() - began
    events = []
    while not events or events[-1][1]["counts"]["votes"] < 20:
        events.append(wall.events.get(timeout=5))
    assert events[0][2] - began < 0.25
    assert len(events) <= took / hubs.TICK + 3
    assert events[-1][2] - began - took < 1
    # what the teacher does is no count: it does not wait
    learner = learners[0].listen(f"{lesson.path}/events")
    learner.until(lambda state: state["phase"] == "ask")
    for phase in ("closed", "discuss", "again", "closed_again"):
        lesson.move(phase)
        moved = time.monotonic()
        learner.until(lambda state, phase=phase: state["phase"] == phase)
        assert time.monotonic() - moved < 0.2
    learner.close()
    wall.close()


def test_the_clock_closes_the_vote_on_all_screens(served, monkeypatch):
    monkeypatch.setattr("dmlviz.classroom.phases.GRACE", 0)
    lesson = Lesson(served[0], QUESTIONS, seconds=10)
    _ann, learner, wall, teacher = listening(lesson)
    lesson.move("ask")
    asked = learner.until(lambda state: state["phase"] == "ask")
    assert 9_000 < asked["left_ms"] <= 10_000
    # nobody waits ten seconds: the clock is set back in the store
    store = served[1].store

    def sooner(current, now):
        return replace(current, closes=now + 300, version=current.version + 1)

    store.change(lesson.code, sooner).result()
    for stream in (learner, wall, teacher):
        stream.until(lambda state: state["phase"] == "closed", 2)
    close(learner, wall, teacher)


def test_who_comes_back_is_told_all(lesson):
    ann, learner, wall, teacher = listening(lesson)
    close(learner, wall, teacher)
    lesson.move("ask")
    lesson.vote(ann, 1)
    again = ann.listen(f"{lesson.path}/events")
    state = again.next()[1]
    assert (state["phase"], state["question"]["prompt"]) == ("ask", QUESTIONS[0]["prompt"])
    again.close()


def test_streams_are_bounded_and_forgotten(served, lesson):
    ann = lesson.join()
    path = f"{lesson.path}/events"
    most = hubs.MOST_OF_ONE["learner"]
    streams = [ann.listen(path) for _each in range(most)]
    for stream in streams:
        stream.next()
    assert served[1].hub.streams == most
    # the newest ends the oldest, which a device that changed networks has left open
    streams.append(ann.listen(path))
    assert streams[-1].next()[0] == "state"
    oldest = streams.pop(0)
    assert oldest.rest() == ["replaced", "end"]
    close(oldest)
    assert served[1].hub.streams == most
    streams.pop().close()
    until(lambda: served[1].hub.streams == most - 1)
    close(*streams)
    until(lambda: served[1].hub.streams == 0)
    assert served[1].hub._rooms == {}


def test_learners_leave_room_for_the_staff(served, lesson):
    """Streams of made-up devices fill the learners' share, and the teacher's is still free."""
    hub = served[1].hub
    hub._most = 16
    streams = [lesson.join().listen(f"{lesson.path}/events") for _each in range(6)]
    for stream in streams:
        stream.next()
    # half of three quarters: one address has no more
    late = Browser(lesson.port)
    status, told = late.post(f"{lesson.path}/join")
    assert (status, told["error"]) == (429, "address_streams_full")
    assert told["message"] == "The limit of 6 open class pages for one network is reached."
    for _each in range(2):
        streams.append(lesson.teacher.listen(f"{lesson.path}/events"))
        streams[-1].next()
    state = streams[-1].until(lambda state: state["refused"])
    assert state["refused"] == {"address_streams_full": 1}
    # other addresses have the rest of the share, and no more
    for number in range(6):
        hub.check_room("learner", f"x{number}", "192.0.2.7")
        hub._open[False, ""] += 1
    with pytest.raises(StreamsFull):
        hub.check_room("learner", "x", "192.0.2.8")
    hub.check_room("wall", "x", "192.0.2.8")
    # whoever is in comes back: the new stream takes the place of the old one
    hub._open[False, ""] -= 6
    close(*streams)
    until(lambda: hub.streams == 0)
    assert not hub._open


def test_a_fifth_wall_shows_the_class(lesson):
    walls = [lesson.wall().listen(f"{lesson.path}/events") for _each in range(8)]
    for wall in walls:
        assert wall.next()[1]["role"] == "wall"
    lesson.move("ask")
    for wall in walls:
        wall.until(lambda state: state["phase"] == "ask")
    close(*walls)


def test_a_device_that_is_removed_hears_no_more(served, lesson, monkeypatch):
    monkeypatch.setattr("dmlviz.classroom.tally.BURST_DEVICES", 3)
    monkeypatch.setattr("dmlviz.classroom.counting.BURST_DEVICES", 3)
    devices = [lesson.join() for _each in range(3)]
    lesson.move("ask")
    for device in devices:
        assert lesson.vote(device, 1)[0] == 200
    stream = devices[0].listen(f"{lesson.path}/events")
    teacher = lesson.teacher.listen(f"{lesson.path}/events")
    state = teacher.until(lambda state: state["counts"]["votes"] == 3)
    door = state["counts"]["door"]
    assert (door["largest"], door["per_address"], door["most"]) == (3, 400, 1_000)
    (burst,) = door["bursts"]
    assert burst["devices"] == 3
    assert lesson.teacher.post(f"{lesson.path}/remove", burst) == (200, {"removed": 3})
    assert stream.rest() == ["removed", "end"]
    state = teacher.until(lambda state: state["counts"]["joined"] == 0)
    assert (state["counts"]["votes"], state["counts"]["door"]["bursts"]) == (0, [])
    assert lesson.vote(devices[1], 1, seq=2)[1]["error"] == "not_joined"
    # a student among them is back at once, unless the teacher has closed the class
    assert devices[1].post(f"{lesson.path}/join")[0] == 200
    lesson.change(locked=True)
    status, told = devices[2].post(f"{lesson.path}/join")
    assert (status, told["error"]) == (423, "locked")
    assert told["message"] == "The teacher has closed the class to new devices."
    state = teacher.until(lambda state: state["refused"])
    assert state["refused"] == {"locked": 1}
    # those in stay in
    assert devices[1].post(f"{lesson.path}/join")[0] == 200
    assert lesson.vote(devices[1], 1, seq=3)[0] == 200
    lesson.change(locked=False)
    assert not teacher.until(lambda state: not state["counts"]["door"]["locked"])["refused"]
    assert devices[2].post(f"{lesson.path}/join")[0] == 200
    close(stream, teacher)


def test_a_silent_stream_says_that_it_is_there(lesson, monkeypatch):
    monkeypatch.setattr(hubs, "HEARTBEAT", 0.1)
    ann = lesson.join()
    stream = ann.listen(f"{lesson.path}/events")
    until(lambda: stream.lines.count(": here") >= 2)
    stream.close()


def test_a_deleted_class_is_gone_for_all(lesson):
    _ann, *streams = listening(lesson)
    assert lesson.teacher.ask("DELETE", lesson.path)[0] == 200
    for stream in streams:
        assert stream.rest() == ["gone", "end"]
        stream.close()


def test_an_expired_class_is_gone_for_all(served, lesson, monkeypatch):
    _ann, *streams = listening(lesson)
    later = now() + (HOURS + 1) * 3_600_000
    served[1].hub._clock = lambda: later
    served[1].hub.changed(None)
    for stream in streams:
        assert stream.rest() == ["gone", "end"]
        stream.close()


def test_streams_outlive_a_database_that_is_away(served, lesson, monkeypatch):
    _ann, learner, *others = listening(lesson)
    store, find = served[1].store, served[1].store.find

    def away(code):
        raise Away

    monkeypatch.setattr(store, "find", away)
    store.change(lesson.code, lambda current, now: move(current, "ask", now)).result()
    assert learner.quiet(0.5)
    monkeypatch.setattr(store, "find", find)
    learner.until(lambda state: state["phase"] == "ask")
    close(learner, *others)


def test_the_end_of_the_server_ends_all_streams(served, lesson):
    _ann, *streams = listening(lesson)
    served[1].hub.close()
    for stream in streams:
        assert stream.rest(1) == ["end"]
        stream.close()


def test_two_processes_share_a_class(address):
    """One database of either kind, two servers: votes at one are on the wall of the other."""
    with serving(address) as (port, _first), serving(address) as (other, _second):
        lesson = Lesson(port, QUESTIONS)
        ann = lesson.join(other)
        learner = ann.listen(f"{lesson.path}/events")
        learner.next()
        wall = lesson.wall().listen(f"{lesson.path}/events")
        wall.next()
        began = time.monotonic()
        lesson.move("ask")
        learner.until(lambda state: state["phase"] == "ask")
        assert time.monotonic() - began < 2
        assert lesson.vote(ann, 1)[0] == 200
        wall.until(lambda state: state["counts"]["votes"] == 1)
        # closed at the one, the other takes no vote from that moment on
        lesson.move("closed")
        assert lesson.vote(ann, 0, seq=2)[0] == 409
        close(learner, wall)


def test_the_notices_of_postgresql_come_back(postgres):
    """The connection that listens is cut, and a vote cast in the gap is on the wall all the same."""
    address = postgres.database()
    with serving(address) as (port, _first), serving(address) as (other, _second):
        lesson = Lesson(port, QUESTIONS)
        lesson.move("ask")
        ann = lesson.join(other)
        wall = lesson.wall().listen(f"{lesson.path}/events")
        wall.until(lambda state: state["counts"]["joined"] == 1)
        time.sleep(0.3)
        with postgres.connect(address.rpartition("/")[2]) as connection:
            cut = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE query LIKE 'LISTEN%' AND datname = current_database()"
            ).fetchone()
        assert cut == (1,)
        assert lesson.vote(ann, 1)[0] == 200
        wall.until(lambda state: state["counts"]["votes"] == 1)
        wall.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
def test_streams_leave_files_for_everything_else():
    code = (
        "import resource; from dmlviz.classroom.service import most_streams;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}));"
        "print(most_streams(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    import resource

    own = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    raised = 8_000 if own == resource.RLIM_INFINITY else min(own, 8_000)
    for soft, hard, due in (
        (256, 1_024, "512 1024"),
        (1_024, own, f"{raised // 2} {raised}"),
    ):
        run = [sys.executable, "-c", code.format(soft=soft, hard=hard)]
        assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip() == due


def test_what_is_the_same_for_all_is_read_and_made_once(tmp_path, monkeypatch):
    # no counts in between
    monkeypatch.setattr(hubs, "TICK", 60)
    statements, places, place = [], [], views.place
    monkeypatch.setattr(views, "place", lambda *a, **b: places.append(a) or place(*a, **b))
    with serving(tmp_path / "x.sqlite") as (port, service):
        lesson = Lesson(port, QUESTIONS)
        wall = lesson.wall().listen(f"{lesson.path}/events")
        wall.until(lambda state: True)
        lesson.join()
        for engine in (service._database.reading, service._database.writing):
            event.listen(engine, "before_cursor_execute", lambda *a: statements.append(a[2]))
        phones = [lesson.join() for _phone in range(3)]
        # each is stored after the class was read, in one transaction, and nothing is read again
        verbs = [text.split()[0] for text in statements if not text.startswith("BEGIN")]
        assert verbs == ["SELECT", "INSERT"] * 3
        places.clear()
        streams = [phone.listen(f"{lesson.path}/events") for phone in phones]
        for stream in streams:
            stream.until(lambda state: state["role"] == "learner")
        assert len(places) == 1
        for stream in (wall, *streams):
            stream.close()


def test_who_comes_while_a_clock_runs_gets_the_time_that_is_left(lesson):
    lesson.change(seconds=60)
    lesson.move("ask")
    first = lesson.join().listen(f"{lesson.path}/events")
    left = first.until(lambda state: True)["left_ms"]
    time.sleep(0.05)
    second = lesson.join().listen(f"{lesson.path}/events")
    assert second.until(lambda state: True)["left_ms"] <= left - 50
    for stream in (first, second):
        stream.close()
