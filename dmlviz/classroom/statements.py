"""The statements about classes, devices and votes, each made once: making one takes SQLAlchemy
longer than running it takes SQLite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, bindparam, exists, func, literal, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from dmlviz.base.deferred import dataclass
from dmlviz.classroom.phase_table import ALONE_ROUND, OPEN
from dmlviz.classroom.phases import GRACE, Class, read_options
from dmlviz.classroom.polls import stored_polls
from dmlviz.classroom.tables import CLASS, DEVICE, VOTE


@dataclass(frozen=True)
class Vote:
    """A stored answer.

    Attributes:
        answer: in its normal form.
        seq: the device's number for it.
    """

    answer: str
    seq: int


STATE = (
    *("number", "phase", "round", "seconds", "closes", "left", "paused", "bars", "step"),
    *("locked", "per_address", "invites", "phase_before", "round_before"),
)
"""The columns of a class that a change can change, besides its options."""


def insert(connection: Connection, table: Any) -> Any:
    """An INSERT of this database's dialect, because ON CONFLICT is not standard SQL."""
    return _DIALECTS[connection.dialect.name].insert(table)


def count_rows(connection: Connection, statement: Any) -> int:
    """Run a statement; how many rows it has changed."""
    return int(connection.execute(_counting(statement)).rowcount)


def read_class(connection: Connection, code: str, *, lock: bool = False) -> Class | None:
    """A class; ``lock`` prevents changes until the transaction ends."""
    # SQLite's transaction has already locked everything
    row = connection.execute(_LOCKED if lock else _CLASS_OF, {"new_code": code}).mappings().first()
    return None if row is None else _class(row)


def read_with_key(connection: Connection, code: str) -> tuple[Class, str] | None:
    """A class, and the key with which its addresses are grouped."""
    row = connection.execute(_CLASS_OF, {"new_code": code}).mappings().first()
    return None if row is None else (_class(row), row["teacher_hash"])


def _class(row: RowMapping) -> Class:
    plain = {name: row[name] for name in ("code", "title", "opened", "expires", "version", *STATE)}
    polls, options = stored_polls(row["polls"]), read_options(row["options"])
    return Class(polls=polls, options=options, **plain)


def read_hashes(connection: Connection, code: str) -> tuple[str, str] | None:
    """The hashes of the teacher's and the wall's tokens."""
    row = connection.execute(_HASHES_OF, {"new_code": code}).first()
    return None if row is None else (row[0], row[1])


def insert_device(
    connection: Connection, code: str, device: str, origin: int, now: int, most: int
) -> bool:
    """Add a device if the class admits it and has not expired; else False, also if it was there."""
    new = {"code": code, "device": device, "origin": origin, "now": now, "most": most}
    return _changes(connection, _INSERTS, new)


def read_device(connection: Connection, code: str, device: str) -> tuple[int, str] | None:
    """The question at which a device's learner was last lost, and its nickname; None for an unknown
    device.
    """
    row = connection.execute(_DEVICE_OF, {"new_code": code, "new_device": device}).first()
    return None if row is None else (row[0], row[1])


def upsert_vote(connection: Connection, key: Mapping[str, Any], vote: Vote, now: int) -> bool:
    """Store an answer if this round is open and no answer as new is stored.

    The statement itself checks all of this, because another process may have just closed the
    class.

    Args:
        connection: in a transaction.
        key: ``code``, ``number``, ``round`` and ``device``.
        vote: the answer.
        now: milliseconds since 1970.
    """
    new = {**key, "answer": vote.answer, "seq": vote.seq, "now": now, "late": now - GRACE}
    return _changes(connection, _UPSERTS, new)


def read_vote(connection: Connection, key: Mapping[str, Any]) -> Vote | None:
    """The stored answer; ``key`` is that of :func:`upsert_vote`."""
    row = connection.execute(_VOTE_OF, _parameters(key)).first()
    return None if row is None else Vote(row[0], row[1])


def _changes(connection: Connection, statements: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    statement = statements[connection.dialect.name]
    return int(connection.execute(statement, _parameters(new)).rowcount) == 1


def _parameters(new: Mapping[str, Any]) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in new.items()}


def _counting(statement: Any) -> Any:
    # without this option, an INSERT's number of rows is -1 rather than 0
    return statement.execution_options(preserve_rowcount=True)


def _new(name: str, column: Any) -> Any:
    return bindparam(f"new_{name}", type_=column.type)


def _insert_device(dialect: Any) -> Any:
    code, device = _new("code", CLASS.c.code), _new("device", DEVICE.c.device)
    now, origin = _new("now", CLASS.c.expires), _new("origin", DEVICE.c.origin)
    of_class = select(func.count()).where(DEVICE.c.code == code)
    of_address = of_class.where(DEVICE.c.origin == origin).scalar_subquery()
    row = select(CLASS.c.code, device, literal(-1), origin, now, now.label("contact")).where(
        CLASS.c.code == code,
        CLASS.c.expires > now,
        CLASS.c.locked.is_(False),
        of_class.scalar_subquery() < _new("most", DEVICE.c.origin),
        or_(origin < 0, of_address < CLASS.c.per_address),
    )
    columns = ["code", "device", "lost", "origin", "joined", "contact"]
    return _counting(dialect.insert(DEVICE).from_select(columns, row).on_conflict_do_nothing())


def _upsert(dialect: Any) -> Any:
    code, device = _new("code", VOTE.c.code), _new("device", VOTE.c.device)
    number = _new("number", VOTE.c.number)
    now = _new("now", VOTE.c.at)
    row = select(
        CLASS.c.code,
        number,
        CLASS.c.round,
        device,
        _new("answer", VOTE.c.answer),
        _new("seq", VOTE.c.seq),
        now,
    ).where(
        CLASS.c.code == code,
        or_(CLASS.c.round == ALONE_ROUND, CLASS.c.number == number),
        CLASS.c.round == _new("round", VOTE.c.round),
        CLASS.c.phase.in_(OPEN),
        CLASS.c.paused.is_(False),
        CLASS.c.expires > now,
        or_(CLASS.c.closes == 0, CLASS.c.closes > _new("late", VOTE.c.at)),
        exists().where(DEVICE.c.code == code, DEVICE.c.device == device),
    )
    # closing waits for votes that are being stored; later votes find it closed
    row = row.with_for_update(read=True, of=CLASS)
    columns = ["code", "number", "round", "device", "answer", "seq", "at"]
    insert = dialect.insert(VOTE).from_select(columns, row)
    new = insert.excluded
    statement = insert.on_conflict_do_update(
        index_elements=[c.name for c in VOTE.primary_key],
        set_={"answer": new.answer, "seq": new.seq, "at": new.at},
        # at one's own pace, the right answer follows the first one
        where=and_(new.seq > VOTE.c.seq, VOTE.c.round != ALONE_ROUND),
    )
    return _counting(statement)


_DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
_INSERTS = {name: _insert_device(dialect) for name, dialect in _DIALECTS.items()}
_UPSERTS = {name: _upsert(dialect) for name, dialect in _DIALECTS.items()}
_CLASS_OF = select(CLASS).where(CLASS.c.code == _new("code", CLASS.c.code))
_LOCKED = _CLASS_OF.with_for_update()
_HASHES_OF = select(CLASS.c.teacher_hash, CLASS.c.wall_hash).where(
    CLASS.c.code == _new("code", CLASS.c.code)
)
_DEVICE_OF = select(DEVICE.c.lost, DEVICE.c.nickname).where(
    DEVICE.c.code == _new("code", DEVICE.c.code), DEVICE.c.device == _new("device", DEVICE.c.device)
)
_VOTE_OF = select(VOTE.c.answer, VOTE.c.seq).where(
    *(column == _new(column.name, column) for column in VOTE.primary_key)
)
