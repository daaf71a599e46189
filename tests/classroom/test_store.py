"""What a store promises, with SQLite and with PostgreSQL."""

from __future__ import annotations

import random
import sqlite3
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from dmlviz.base.errors import Error
from dmlviz.classroom import tables
from dmlviz.classroom.codes import LETTERS, fits, hashed, new_code, new_token, read_code
from dmlviz.classroom.database import USUAL_DEVICES, connect, url_of, wanted_days
from dmlviz.classroom.phases import GRACE, adjust, move, pause
from dmlviz.classroom.refusals import (
    AddressClassesFull,
    AddressFull,
    Away,
    ClassesFull,
    ClassFull,
    Closed,
    Damaged,
    Invalid,
    NoClass,
    NotJoined,
    NotNow,
)
from dmlviz.classroom.store import HOURS, Ballot, Member, Store, Vote, _Clock


def to(phase, **more):
    return lambda current, now: move(current, phase, now, **more)


@pytest.fixture
def opened(store, polls):
    """The code of a class with the devices a, b and c, whose first question is asked."""
    found = store.open_class(polls, "Title", 0).result()
    for device in "abc":
        store.join(found.code, device).result()
    store.change(found.code, to("ask")).result()
    return found


def ballot(opened, device, answer, seq=1, number=0, turn=1):
    return Ballot(opened.code, device, number, turn, seq, answer)


def test_codes_and_tokens():
    assert all(read_code(new_code()) for _code in range(50))
    assert not set(LETTERS) & set("ILO01")
    token = new_token()
    assert len(token) == 22
    assert fits(token, hashed(token))
    assert not fits(token[:-1], hashed(token))
    assert not fits("", hashed(token))


def test_a_class_as_it_was_opened(store, polls, opened, clock):
    found = store.find(opened.code)
    assert (found.polls, found.title, found.phase) == (polls, "Title", "ask")
    assert (found.opened, found.expires) == (clock.now, clock.now + HOURS * 3_600_000)
    assert store.role(opened.code, opened.teacher) == "teacher"
    assert store.role(opened.code, opened.wall) == "wall"
    assert store.role(opened.code, "") == store.role(opened.code, opened.teacher[:-1]) == ""


def test_no_token_is_stored(address, store, opened):
    store.vote(ballot(opened, "a", 1)).result()
    engine = create_engine(url_of(address))
    with engine.connect() as connection:
        for table in tables.METADATA.tables.values():
            rows = repr(connection.execute(table.select()).all())
            assert opened.teacher not in rows
            assert opened.wall not in rows
    engine.dispose()


def test_votes_are_counted_once_for_each_device(store, opened):
    for device, answer in (("a", 1), ("b", 1), ("c", 0), ("a", "1")):
        assert store.vote(ballot(opened, device, answer)).result().seq == 1
    counts = store.counts(store.find(opened.code))
    assert (counts.joined, dict(counts.rounds[0].counts), counts.rounds[0].right) == (
        3,
        {"1": 2, "0": 1},
        2,
    )
    assert counts.rounds[1].votes == 0
    assert store.votes(opened.code) == {(0, 1): {"1": 2, "0": 1}}


def test_only_a_newer_answer_takes_its_place(store, opened):
    assert store.vote(ballot(opened, "a", 1, seq=5)).result() == Vote("1", 5)
    assert store.vote(ballot(opened, "a", 0, seq=4)).result() == Vote("1", 5)
    # sent once more, since no answer came
    assert store.vote(ballot(opened, "a", 1, seq=5)).result() == Vote("1", 5)
    assert store.vote(ballot(opened, "a", 2, seq=6)).result() == Vote("2", 6)
    assert store.find_member(opened.code, "a")[1] == Member(False, Vote("2", 6), "", "", {})
    assert store.find_member(opened.code, "b")[1] == Member(False, None, "", "", {})
    assert store.find_member(opened.code, "x")[1] is None


def test_a_vote_counts_in_its_own_round_only(store, opened):
    for number, turn in ((0, 2), (1, 1), (7, 1)):
        with pytest.raises(Closed):
            store.vote(ballot(opened, "a", 1, number=number, turn=turn)).result()
    store.vote(ballot(opened, "a", 1)).result()
    store.change(opened.code, to("closed")).result()
    with pytest.raises(Closed):
        store.vote(ballot(opened, "b", 1)).result()
    # stored before it was closed: a retry is told so
    assert store.vote(ballot(opened, "a", 1)).result() == Vote("1", 1)
    with pytest.raises(Closed):
        store.vote(ballot(opened, "a", 0, seq=2)).result()
    store.change(opened.code, to("again")).result()
    store.vote(ballot(opened, "a", 2, turn=2)).result()
    counts = store.counts(store.find(opened.code))
    assert (dict(counts.rounds[0].counts), dict(counts.rounds[1].counts)) == ({"1": 1}, {"2": 1})


def test_a_pause_and_the_clock_close_the_vote(store, opened, clock):
    store.change(opened.code, lambda current, now: pause(current, True, now)).result()
    with pytest.raises(Closed):
        store.vote(ballot(opened, "a", 1)).result()
    store.change(opened.code, to("ask", number=1)).result()
    store.vote(ballot(opened, "a", 1, number=1)).result()


def test_votes_on_their_way_when_the_clock_runs_out(store, polls, clock):
    opened = store.open_class(polls, "", 30).result()
    store.join(opened.code, "a").result()
    store.change(opened.code, to("ask")).result()
    clock.now += 30_000 + GRACE - 1
    store.vote(ballot(opened, "a", 1)).result()
    clock.now += 1
    with pytest.raises(Closed):
        store.vote(ballot(opened, "a", 2, seq=2)).result()


def test_answers_are_checked_before_they_are_stored(store, opened):
    for answer in (3, "x", None):
        with pytest.raises(Invalid):
            store.vote(ballot(opened, "a", answer)).result()
    assert store.votes(opened.code) == {}


def test_who_has_not_joined_cannot_vote(store, opened):
    with pytest.raises(NotJoined):
        store.vote(ballot(opened, "x", 1)).result()
    with pytest.raises(NotJoined):
        store.lose(opened.code, "x", True).result()
    with pytest.raises(NoClass):
        store.join("ZZZZ", "a").result()


def test_lost_is_for_one_question(store, opened):
    store.lose(opened.code, "a", True).result()
    store.lose(opened.code, "b", True).result()
    store.lose(opened.code, "b", False).result()
    assert store.counts(store.find(opened.code)).lost == 1
    assert store.find_member(opened.code, "a")[1].lost
    store.change(opened.code, to("ask", number=1)).result()
    assert store.counts(store.find(opened.code)).lost == 0


def test_no_more_devices_than_there_is_room_for(store, opened, monkeypatch):
    monkeypatch.setattr(store, "most_devices", 4)
    store.join(opened.code, "d").result()
    with pytest.raises(ClassFull):
        store.join(opened.code, "e").result()
    store.join(opened.code, "a").result()


def test_a_class_has_room_for_a_large_lecture():
    assert USUAL_DEVICES >= 300


def test_one_address_leaves_room_for_others(store, opened):
    store.change(opened.code, lambda current, now: adjust(current, now, per_address=3)).result()
    for number in range(3):
        store.join(opened.code, f"x{number}", "192.0.2.1").result()
    with pytest.raises(AddressFull) as refused:
        store.join(opened.code, "x3", "192.0.2.1").result()
    assert refused.value.sentence() == (
        "This class has 3 devices of this network, its limit. The teacher can raise it."
    )
    store.join(opened.code, "x2", "192.0.2.1").result()
    store.join(opened.code, "other", "192.0.2.2").result()
    counts = store.counts(store.find(opened.code))
    assert counts.largest == 3
    store.change(opened.code, lambda current, now: adjust(current, now, per_address=4)).result()
    store.join(opened.code, "x3", "192.0.2.1").result()


def test_expired_classes_take_no_room(store, polls, clock, monkeypatch):
    monkeypatch.setattr("dmlviz.classroom.store.MOST_CLASSES", 3)
    monkeypatch.setattr("dmlviz.classroom.store.MOST_OF_ADDRESS", 2)
    for _class in range(2):
        store.open_class(polls, "", 0, "192.0.2.1").result()
    with pytest.raises(AddressClassesFull):
        store.open_class(polls, "", 0, "192.0.2.1").result()
    store.open_class(polls, "", 0, "192.0.2.2").result()
    with pytest.raises(ClassesFull):
        store.open_class(polls, "", 0, "192.0.2.3").result()
    clock.now += HOURS * 3_600_000
    for number in range(3):
        store.open_class(polls, "", 0, f"192.0.2.{number}").result()


def test_time_goes_on_where_the_clock_is_set_back(monkeypatch):
    system = [1_000_000]
    monkeypatch.setattr("dmlviz.classroom.store.time.time_ns", lambda: system[0] * 1_000_000)
    now = _Clock()
    assert now() == 1_000_000
    system[0] -= 3_600_000
    assert now() == 1_000_000
    system[0] += 30_000
    assert now() == 1_030_000
    # set right again, it is ahead: nothing closes twice
    system[0] += 3_600_000
    assert now() == 4_630_000


def test_a_damaged_file_is_named_in_the_log(tmp_path, polls, caplog):
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database " * 1_000)
    store = Store(connect(url_of(str(path))), 30)
    with pytest.raises(Damaged):
        store.open_class(polls, "", 0).result()
    assert str(path) in caplog.text
    store.close()


def test_a_change_that_does_not_follow_changes_nothing(store, opened):
    before = store.find(opened.code)
    with pytest.raises(NotNow):
        store.change(opened.code, to("over")).result()
    assert store.find(opened.code) == before
    with pytest.raises(NoClass):
        store.change("ZZZZ", to("ask")).result()


def test_an_expired_code_lets_nobody_in(store, opened, clock):
    clock.now += HOURS * 3_600_000
    for future in (store.join(opened.code, "z"), store.vote(ballot(opened, "a", 1))):
        with pytest.raises(NoClass):
            future.result()
    # the teacher still reads the report
    assert store.votes(opened.code) == {}


def rows(address):
    engine = create_engine(url_of(address))
    try:
        with engine.connect() as connection:
            names = ("dmlviz_class", "dmlviz_device", "dmlviz_vote")
            return [
                connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() for name in names
            ]
    finally:
        engine.dispose()


def test_deleted_is_deleted(address, store, opened):
    store.vote(ballot(opened, "a", 1)).result()
    assert rows(address) == [1, 3, 1]
    store.delete(opened.code).result()
    assert rows(address) == [0, 0, 0]
    with pytest.raises(NoClass):
        store.delete(opened.code).result()
    with pytest.raises(NoClass):
        store.find(opened.code)


def test_data_goes_by_itself(address, store, polls, opened, clock):
    store.vote(ballot(opened, "a", 1)).result()
    clock.now += 30 * 86_400_000
    assert store.purge().result() == 0
    clock.now += 1
    store.open_class(polls, "", 0).result()
    assert rows(address) == [1, 0, 0]


def test_what_was_changed_is_told(make_store, polls):
    told = []
    store = make_store(told.append)
    opened = store.open_class(polls, "", 0).result()
    store.join(opened.code, "a").result()
    with pytest.raises(Closed):
        store.vote(ballot(opened, "a", 1)).result()
    store.close()
    # a vote that did not count is no change
    assert told == [frozenset({opened.code})]


def test_two_processes_agree_when_the_vote_is_closed(make_store, polls):
    """Votes pour in through both while one closes: none is stored afterwards."""
    first, second = make_store(), make_store()
    opened = first.open_class(polls, "", 0).result()
    for number in range(40):
        first.join(opened.code, f"d{number}")
    first.change(opened.code, to("ask")).result()
    stored, refused = [], []

    def pour(store, mine):
        for seq in range(1, 100_000):
            for number in mine:
                try:
                    store.vote(ballot(opened, f"d{number}", seq % 3, seq=seq)).result()
                    stored.append((number, seq))
                except Closed:
                    refused.append((number, seq))
                    return

    threads = [
        threading.Thread(target=pour, args=(store, range(start, start + 10)))
        for store, start in ((first, 0), (second, 10), (first, 20), (second, 30))
    ]
    for thread in threads:
        thread.start()
    # each device has voted once, however slow the disk is
    deadline = time.monotonic() + 60
    while len(stored) <= 40 and time.monotonic() < deadline:
        time.sleep(0.01)
    second.change(opened.code, to("closed")).result()
    at_close = first.votes(opened.code)
    for thread in threads:
        thread.join()
    assert len(refused) == 4
    assert len(stored) > 40
    assert first.votes(opened.code) == at_close
    newest = {}
    for number, seq in stored:
        newest[number] = max(seq, newest.get(number, 0))
    for number, seq in newest.items():
        assert first.find_member(opened.code, f"d{number}")[1].vote == Vote(str(seq % 3), seq)


def test_many_at_once_become_few_transactions(make_store, polls):
    store = make_store()
    opened = store.open_class(polls, "", 0).result()
    devices = [f"d{number}" for number in range(300)]
    for future in [store.join(opened.code, device) for device in devices]:
        future.result()
    store.change(opened.code, to("ask")).result()
    random.Random(1).shuffle(devices)
    futures = [store.vote(ballot(opened, device, 1)) for device in devices]
    began = time.monotonic()
    for future in futures:
        future.result()
    # a slow machine may take its time, but 300 commits in a row would take longer
    assert time.monotonic() - began < 5
    assert store.counts(store.find(opened.code)).rounds[0].right == 300


def test_one_at_fault_does_not_spoil_the_others(store, opened):
    def broken(current, now):
        raise ZeroDivisionError

    futures = [store.vote(ballot(opened, device, 1)) for device in "ab"]
    wrong = store.change(opened.code, broken)
    futures.append(store.vote(ballot(opened, "c", 1)))
    with pytest.raises(ZeroDivisionError):
        wrong.result()
    assert [future.result().answer for future in futures] == ["1", "1", "1"]
    assert store.counts(store.find(opened.code)).rounds[0].votes == 3


def test_an_older_database_becomes_a_newer_one(address, make_store, polls, monkeypatch):
    store = make_store()
    code = store.open_class(polls, "kept", 0).result().code
    step = text("ALTER TABLE dmlviz_class ADD COLUMN room TEXT NOT NULL DEFAULT ''")
    steps = (*tables.STEPS, lambda connection: connection.execute(step))
    monkeypatch.setattr(tables.migrate, "__defaults__", (steps,))
    newer = make_store()
    assert newer.find(code).title == "kept"
    engine = create_engine(url_of(address))
    columns = {column["name"] for column in inspect(engine).get_columns("dmlviz_class")}
    assert "room" in columns
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM dmlviz_version")).all() == [
            (len(steps),)
        ]
    engine.dispose()
    # two replicas begin at once: the second finds it done
    assert make_store().find(code).title == "kept"
    monkeypatch.setattr(tables.migrate, "__defaults__", (tables.STEPS,))
    with pytest.raises(tables.Newer):
        make_store().find(code)


def test_a_database_of_the_first_version_takes_hands(address, make_store, polls):
    url = url_of(address)
    if url.database and url.drivername.startswith("sqlite"):
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)
    with engine.begin() as connection:
        assert tables.migrate(connection, tables.STEPS[:1]) == 0
    assert not inspect(engine).has_table("dmlviz_hands")
    engine.dispose()
    store = make_store()
    code = store.open_class(polls, "", 0).result().code
    store.raise_hands(code, 0, 1, {"1": 3}).result()
    assert store.votes(code) == {(0, 1): {"1": 3}}
    store.delete(code).result()


def test_settings(tmp_path, monkeypatch):
    assert url_of(str(tmp_path / "x.db")).database == str(tmp_path / "x.db")
    assert url_of("").database.endswith("classes.sqlite")
    for wrong in ("mysql://u:secret@h/d", "postgresql+psycopg2://u:secret@h/d", "http://secret"):
        with pytest.raises(Error) as refused:
            url_of(wrong)
        assert "secret" not in str(refused.value)
    for told, days in (("", 30), ("7", 7), ("0", 30), ("x", 30), ("99999", 30)):
        monkeypatch.setenv("DMLVIZ_CLASS_DAYS", told)
        assert wanted_days() == days


def test_postgresql_without_its_driver_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Error) as refused:
        url_of("postgresql+psycopg://u:secret@h/d")
    assert str(refused.value) == (
        'DMLVIZ_DATABASE: psycopg is not installed; run pip install "dmlviz[postgres]".'
    )


def test_a_locked_file_is_said_to_be_away(tmp_path, polls, clock):
    path = tmp_path / "x.sqlite"
    store = Store(connect(url_of(str(path))), 30, clock=clock)
    opened = store.open_class(polls, "", 0).result()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Away):
        store.join(opened.code, "a").result()
    # reading goes on
    assert store.find(opened.code).phase == "join"
    other.execute("ROLLBACK")
    other.close()
    store.join(opened.code, "a").result()
    assert store.find_member(opened.code, "a")[1] is not None
    store.close()


def test_a_full_disk_is_said_to_be_away(tmp_path, polls, clock):
    database = connect(url_of(str(tmp_path / "x.sqlite")))
    store = Store(database, 30, clock=clock)
    opened = store.open_class(polls, "", 0).result()
    store.join(opened.code, "a").result()
    with database.writing.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    stored = 1

    def fill():
        nonlocal stored
        for number in range(500):
            store.join(opened.code, f"d{number}").result()
            stored += 1

    with pytest.raises(Away):
        fill()
    assert store.counts(store.find(opened.code)).joined == stored
    with database.writing.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=100000")
    store.join(opened.code, "new").result()
    store.close()


def test_a_folder_that_cannot_be_made(tmp_path, polls):
    (tmp_path / "file").write_text("")
    store = Store(connect(url_of(str(tmp_path / "file" / "x.sqlite"))), 30)
    with pytest.raises(Away):
        store.open_class(polls, "", 0).result()
    with pytest.raises(Away):
        store.find("ABCD")
    store.close()


def test_nothing_is_made_before_it_is_used(tmp_path):
    database = connect(url_of(str(tmp_path / "folder" / "x.sqlite")))
    assert not database.is_there()
    Store(database, 30).close()
    assert not (tmp_path / "folder").exists()


def test_a_row_that_somebody_locks_is_said_to_be_away(postgres, polls, clock):
    address = postgres.database()
    store = Store(connect(url_of(address)), 30, clock=clock)
    opened = store.open_class(polls, "", 0).result()
    store.join(opened.code, "a").result()
    store.change(opened.code, to("ask")).result()
    other = postgres.connect(address.rpartition("/")[2])
    other.execute("BEGIN")
    other.execute("SELECT 1 FROM dmlviz_class FOR UPDATE")
    with pytest.raises(Away):
        store.vote(ballot(opened, "a", 1)).result()
    other.close()
    assert store.vote(ballot(opened, "a", 1)).result() == Vote("1", 1)
    store.close()


def test_postgresql_goes_and_comes_back(postgres, polls, clock):
    store = Store(connect(url_of(postgres.database())), 30, clock=clock)
    opened = store.open_class(polls, "", 0).result()
    postgres.stop("immediate")
    try:
        with pytest.raises(Away):
            store.join(opened.code, "a").result()
        with pytest.raises(Away):
            store.find(opened.code)
    finally:
        postgres.start()
    store.join(opened.code, "a").result()
    assert store.counts(store.find(opened.code)).joined == 1
    postgres.stop()
    postgres.start()
    # the first after a restart is not refused
    store.join(opened.code, "b").result()
    assert store.counts(store.find(opened.code)).joined == 2
    store.close()
