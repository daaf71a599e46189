"""The tables, and the steps that migrate a database from each version to the next.

There are few versions, and data is kept for only 30 days, so a list of steps is enough. Each
step runs once, in order, in one transaction with the version number that records it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    inspect,
    select,
    text,
)
from sqlalchemy.schema import CreateColumn

from dmlviz.base.words import _
from dmlviz.classroom.phases import USUAL_PER_ADDRESS
from dmlviz.classroom.refusals import ClassRefusal

METADATA = MetaData()

VERSION = Table(
    "dmlviz_version",
    METADATA,
    Column("version", Integer, nullable=False),
)

CLASS = Table(
    "dmlviz_class",
    METADATA,
    Column("code", String(4), primary_key=True),
    Column("title", Text, nullable=False),
    Column("teacher_hash", String(64), nullable=False),
    Column("wall_hash", String(64), nullable=False),
    Column("polls", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("round", Integer, nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("closes", BigInteger, nullable=False),
    Column("left", BigInteger, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("bars", Boolean, nullable=False),
    Column("step", Integer, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("locked", Boolean, nullable=False, server_default=false()),
    Column("per_address", Integer, nullable=False, server_default=str(USUAL_PER_ADDRESS)),
    # the group of the teacher's address; -1 if it is unknown
    Column("origin", Integer, nullable=False, server_default="-1"),
    Column("invites", Boolean, nullable=False, server_default=false()),
    # what the teacher has chosen, as JSON
    Column("options", Text, nullable=False, server_default="{}"),
    # where the class returns to when its own pace ends
    Column("phase_before", String(16), nullable=False, server_default="join"),
    Column("round_before", Integer, nullable=False, server_default="1"),
)

_OF_CLASS = "dmlviz_class.code"

DEVICE = Table(
    "dmlviz_device",
    METADATA,
    Column("code", String(4), ForeignKey(_OF_CLASS, ondelete="CASCADE"), primary_key=True),
    # the hash of its token
    Column("device", String(64), primary_key=True),
    # the number of the question at which its learner was last lost; -1 for none
    Column("lost", Integer, nullable=False),
    # the group of its address; -1 if it is unknown
    Column("origin", Integer, nullable=False, server_default="-1"),
    # milliseconds since 1970; 0 if it is unknown
    Column("joined", BigInteger, nullable=False, server_default="0"),
    # its learner's nickname; often empty
    Column("nickname", Text, nullable=False, server_default=""),
    # when it joined or last had a stream open, in milliseconds since 1970; 0 if it is unknown
    Column("contact", BigInteger, nullable=False, server_default="0"),
)

VOTE = Table(
    "dmlviz_vote",
    METADATA,
    Column("code", String(4), ForeignKey(_OF_CLASS, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("device", String(64), primary_key=True),
    Column("answer", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
)

HANDS = Table(
    "dmlviz_hands",
    METADATA,
    Column("code", String(4), ForeignKey(_OF_CLASS, ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("answer", String(80), primary_key=True),
    Column("count", Integer, nullable=False),
)

BY_AGE = Index("dmlviz_class_opened", CLASS.c.opened)


def _first(connection: Connection) -> None:
    METADATA.create_all(connection, tables=[CLASS, DEVICE, VOTE])


def _hands(connection: Connection) -> None:
    HANDS.create(connection)


def _door(connection: Connection) -> None:
    added = {CLASS: ("locked", "per_address", "origin"), DEVICE: ("origin", "joined")}
    _add_columns(connection, added)


def _options(connection: Connection) -> None:
    _add_columns(connection, {CLASS: ("invites", "options"), DEVICE: ("nickname",)})


def _before(connection: Connection) -> None:
    _add_columns(connection, {CLASS: ("phase_before", "round_before")})


def _contact(connection: Connection) -> None:
    _add_columns(connection, {DEVICE: ("contact",)})


def _add_columns(connection: Connection, names: Mapping[Table, Sequence[str]]) -> None:
    for table, added in names.items():
        # the first step creates a new database with all columns
        there = {column["name"] for column in inspect(connection).get_columns(table.name)}
        for name in added:
            if name not in there:
                column = CreateColumn(table.c[name]).compile(dialect=connection.dialect)
                connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column}"))


STEPS: Sequence[Callable[[Connection], None]] = (
    *(_first, _hands, _door, _options, _before),
    _contact,
)
"""From version n to n + 1; never change a step after its release."""

_LOCK = 0x646D6C76  # any number, the same for all replicas


class Newer(ClassRefusal):
    """The database belongs to a later version of dmlviz."""

    status, key = 503, "newer"

    def sentence(self) -> str:  # noqa: D102
        return _("The class's database was written by a newer version of dmlviz.")


def migrate(connection: Connection, steps: Sequence[Callable[[Connection], None]] = STEPS) -> int:
    """Bring the database to the newest version, within the connection's transaction.

    Returns:
        the version it had.

    Raises:
        Newer: the database's version is unknown to this program; nothing was changed.
    """
    if connection.dialect.name == "postgresql":
        # replicas may start at the same time
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = 0
    if inspect(connection).has_table(VERSION.name):
        version = connection.execute(select(VERSION.c.version)).scalar() or 0
    else:
        VERSION.create(connection)
    if version > len(steps):
        raise Newer
    for step in steps[version:]:
        step(connection)
    if version < len(steps):
        connection.execute(VERSION.delete())
        connection.execute(VERSION.insert().values(version=len(steps)))
    return version
