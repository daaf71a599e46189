"""The SQL statements, the same for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    RowMapping,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from dmlviz.classroom.phases import GRACE, OPEN, Class
from dmlviz.classroom.polls import stored_polls
from dmlviz.classroom.report import Votes
from dmlviz.classroom.store import MOST_DEVICES, Vote
from dmlviz.classroom.tables import CLASS, DEVICE, HANDS, VOTE
from dmlviz.classroom.tally import BURST_DEVICES, Counts, bursts, tally

_PLACE = (
    *("number", "phase", "round", "seconds", "closes", "left", "paused", "bars", "step"),
    *("locked", "per_address"),
)


def _insert(connection: Connection, table: Any) -> Any:
    # ON CONFLICT is not standard SQL: each dialect of SQLAlchemy has its own
    of = sqlite if connection.dialect.name == "sqlite" else postgresql
    return of.insert(table)


def _changed(connection: Connection, statement: Any) -> int:
    # without this option, an INSERT's number of rows is -1 rather than 0
    kept = statement.execution_options(preserve_rowcount=True)
    return int(connection.execute(kept).rowcount)


def read_class(connection: Connection, code: str, *, lock: bool = False) -> Class | None:
    """A class; ``lock`` prevents changes until the transaction ends."""
    # SQLite's transaction has already locked everything
    asked = _CLASS_OF.with_for_update() if lock else _CLASS_OF
    row = connection.execute(asked, {"given_code": code}).mappings().first()
    return None if row is None else _class(row)


def _class(row: RowMapping) -> Class:
    place = {name: row[name] for name in _PLACE}
    return Class(
        code=row["code"],
        title=row["title"],
        polls=stored_polls(row["polls"]),
        opened=row["opened"],
        expires=row["expires"],
        version=row["version"],
        **place,
    )


def read_hashes(connection: Connection, code: str) -> tuple[str, str] | None:
    """The hashes of the teacher's and the wall's tokens."""
    asked = select(CLASS.c.teacher_hash, CLASS.c.wall_hash).where(CLASS.c.code == code)
    row = connection.execute(asked).first()
    return None if row is None else (row[0], row[1])


def insert_class(connection: Connection, values: Mapping[str, Any]) -> bool:
    """Insert a class; False if the code was taken."""
    statement = _insert(connection, CLASS).values(**values).on_conflict_do_nothing()
    return _changed(connection, statement) == 1


def update_class(connection: Connection, old: Class, new: Class) -> bool:
    """Update a class; False if it had changed in the meantime."""
    place = {name: getattr(new, name) for name in _PLACE}
    same = and_(CLASS.c.code == old.code, CLASS.c.version == old.version)
    statement = CLASS.update().where(same).values(version=new.version, **place)
    return _changed(connection, statement) == 1


def insert_device(connection: Connection, code: str, device: str, origin: int, now: int) -> None:
    """Add a device if the class admits it and has not expired; repeating changes nothing."""
    of_class = select(func.count()).where(DEVICE.c.code == code)
    of_address = of_class.where(DEVICE.c.origin == origin).scalar_subquery()
    row = select(
        CLASS.c.code, literal(device), literal(-1), literal(origin), literal(now, BigInteger)
    ).where(
        CLASS.c.code == code,
        CLASS.c.expires > now,
        CLASS.c.locked.is_(False),
        of_class.scalar_subquery() < MOST_DEVICES,
        or_(literal(origin) < 0, of_address < CLASS.c.per_address),
    )
    columns = ["code", "device", "lost", "origin", "joined"]
    statement = _insert(connection, DEVICE).from_select(columns, row)
    connection.execute(statement.on_conflict_do_nothing())


def count_devices(connection: Connection, code: str) -> int:
    """How many devices a class has."""
    counted = select(func.count()).where(DEVICE.c.code == code)
    return int(connection.execute(counted).scalar_one())


def read_devices(connection: Connection, code: str) -> frozenset[str]:
    """The hashes of all devices of a class."""
    return frozenset(
        connection.execute(select(DEVICE.c.device).where(DEVICE.c.code == code)).scalars()
    )


def delete_devices(connection: Connection, code: str, origin: int, first: int, last: int) -> int:
    """Delete the devices of an address that joined in this time, with their votes; count them."""
    which = and_(
        DEVICE.c.code == code, DEVICE.c.origin == origin, DEVICE.c.joined.between(first, last)
    )
    devices = select(DEVICE.c.device).where(which)
    connection.execute(delete(VOTE).where(VOTE.c.code == code, VOTE.c.device.in_(devices)))
    return _changed(connection, delete(DEVICE).where(which))


def read_lost(connection: Connection, code: str, device: str) -> int | None:
    """The question at which a device's learner was last lost; None for an unknown device."""
    asked = select(DEVICE.c.lost).where(DEVICE.c.code == code, DEVICE.c.device == device)
    found: int | None = connection.execute(asked).scalar()
    return found


def update_lost(connection: Connection, code: str, device: str, lost: int) -> None:
    """Store the question at which a learner is lost; -1 for none."""
    mine = and_(DEVICE.c.code == code, DEVICE.c.device == device)
    connection.execute(DEVICE.update().where(mine).values(lost=lost))


def upsert_vote(connection: Connection, key: Mapping[str, Any], vote: Vote, now: int) -> bool:
    """Store an answer if this round is open and no answer as new is stored.

    The statement itself checks all of this, because another process may have just closed the
    class.

    Args:
        key: ``code``, ``number``, ``round`` and ``device``.
    """
    given = {**key, "answer": vote.answer, "seq": vote.seq, "now": now, "late": now - GRACE}
    named = {f"given_{name}": value for name, value in given.items()}
    result = connection.execute(_UPSERTS[connection.dialect.name], named)
    return int(result.rowcount) == 1


def _upsert(of: Any) -> Any:
    """Made once per dialect: making it takes SQLAlchemy longer than running it takes SQLite."""
    code, device = _given("code", VOTE.c.code), _given("device", VOTE.c.device)
    now = _given("now", VOTE.c.at)
    row = select(
        CLASS.c.code,
        CLASS.c.number,
        CLASS.c.round,
        device,
        _given("answer", VOTE.c.answer),
        _given("seq", VOTE.c.seq),
        now,
    ).where(
        CLASS.c.code == code,
        CLASS.c.number == _given("number", VOTE.c.number),
        CLASS.c.round == _given("round", VOTE.c.round),
        CLASS.c.phase.in_(OPEN),
        CLASS.c.paused.is_(False),
        CLASS.c.expires > now,
        or_(CLASS.c.closes == 0, CLASS.c.closes > _given("late", VOTE.c.at)),
        exists().where(DEVICE.c.code == code, DEVICE.c.device == device),
    )
    # closing waits for votes that are being stored; later votes find it closed
    row = row.with_for_update(read=True, of=CLASS)
    columns = ["code", "number", "round", "device", "answer", "seq", "at"]
    insert = of.insert(VOTE).from_select(columns, row)
    new = insert.excluded
    statement = insert.on_conflict_do_update(
        index_elements=[c.name for c in VOTE.primary_key],
        set_={"answer": new.answer, "seq": new.seq, "at": new.at},
        where=new.seq > VOTE.c.seq,
    )
    return statement.execution_options(preserve_rowcount=True)


def _given(name: str, column: Any) -> Any:
    return bindparam(f"given_{name}", type_=column.type)


_UPSERTS = {"sqlite": _upsert(sqlite), "postgresql": _upsert(postgresql)}
_CLASS_OF = select(CLASS).where(CLASS.c.code == _given("code", CLASS.c.code))


def read_vote(connection: Connection, key: Mapping[str, Any]) -> Vote | None:
    """The stored answer; ``key`` is that of :func:`upsert_vote`."""
    asked = select(VOTE.c.answer, VOTE.c.seq)
    for name, value in key.items():
        asked = asked.where(VOTE.c[name] == value)
    row = connection.execute(asked).first()
    return None if row is None else Vote(row[0], row[1])


def delete_classes(connection: Connection, where: Any) -> int:
    """Delete classes and all their data; return how many."""
    codes = select(CLASS.c.code).where(where)
    for table in (VOTE, HANDS, DEVICE):
        connection.execute(delete(table).where(table.c.code.in_(codes)))
    return _changed(connection, delete(CLASS).where(where))


def read_counts(connection: Connection, current: Class) -> Counts:
    """The counts of a class at its current question."""
    lost = func.count().filter(DEVICE.c.lost == current.number)
    asked = select(func.count(), lost).where(DEVICE.c.code == current.code)
    joined, losts = connection.execute(asked).one()
    votes = _votes(connection, current.code, current.number)
    rounds = [tally(current.poll, votes.get((current.number, turn), {})) for turn in (1, 2)]
    by_address = select(DEVICE.c.origin, func.count()).where(
        DEVICE.c.code == current.code, DEVICE.c.origin >= 0
    )
    found = connection.execute(by_address.group_by(DEVICE.c.origin))
    sizes = {row[0]: row[1] for row in found}
    large = [origin for origin, n in sizes.items() if n >= BURST_DEVICES]
    joins: dict[int, list[int]] = {origin: [] for origin in large}
    if large:
        times = select(DEVICE.c.origin, DEVICE.c.joined).where(
            DEVICE.c.code == current.code, DEVICE.c.origin.in_(large)
        )
        for origin, time in connection.execute(times.order_by(DEVICE.c.joined)):
            joins[origin].append(time)
    largest = max(sizes.values(), default=0)
    return Counts(joined, losts, rounds[0], rounds[1], largest, bursts(joins))


def read_votes(connection: Connection, code: str) -> Votes:
    """All votes of a class, counted."""
    return _votes(connection, code)


def replace_hands(
    connection: Connection, code: str, number: int, turn: int, counts: Mapping[str, int]
) -> None:
    """Store a show of hands; it replaces an earlier one of the same round."""
    place = {"code": code, "number": number, "round": turn}
    earlier = delete(HANDS)
    for name, value in place.items():
        earlier = earlier.where(HANDS.c[name] == value)
    connection.execute(earlier)
    rows = [{**place, "answer": answer, "count": n} for answer, n in counts.items() if n]
    if rows:
        connection.execute(HANDS.insert(), rows)


def _votes(
    connection: Connection, code: str, number: int | None = None
) -> dict[tuple[int, int], dict[str, int]]:
    """Votes and shows of hands together, for one question or for all."""
    by = (VOTE.c.number, VOTE.c.round, VOTE.c.answer)
    votes = select(*by, func.count()).where(VOTE.c.code == code).group_by(*by)
    hands = select(HANDS.c.number, HANDS.c.round, HANDS.c.answer, HANDS.c.count)
    hands = hands.where(HANDS.c.code == code)
    if number is not None:
        votes = votes.where(VOTE.c.number == number)
        hands = hands.where(HANDS.c.number == number)
    found: dict[tuple[int, int], dict[str, int]] = {}
    for asked in (votes, hands):
        for at, turn, answer, count in connection.execute(asked):
            counted = found.setdefault((at, turn), {})
            counted[answer] = counted.get(answer, 0) + count
    return found


def count_classes(connection: Connection, now: int, origin: int | None = None) -> int:
    """How many classes have not expired: all, or those of one address."""
    living = select(func.count()).where(CLASS.c.expires > now)
    if origin is not None:
        living = living.where(CLASS.c.origin == origin)
    return int(connection.execute(living).scalar_one())
