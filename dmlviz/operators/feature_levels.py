"""Which ranks and data types an operator supports at each DirectML feature level.

Each operator has the "Tensor support" section of its page as rows of data.  A row applies from its
level on: without a row for 4_0, a device at 4_0 follows the row of 3_1.
"""

from __future__ import annotations

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.tensors import short_text

FEATURE_LEVELS = (
    "1_0",
    "2_0",
    "2_1",
    "3_0",
    "3_1",
    "4_0",
    "4_1",
    "5_0",
    "5_1",
    "5_2",
    "6_0",
    "6_1",
    "6_2",
    "6_3",
    "6_4",
)
"""Every level of DirectML.h, without its prefix ``DML_FEATURE_LEVEL_``, oldest first."""

FLOATS = ("FLOAT32", "FLOAT16")
FIRST = ("FLOAT32", "FLOAT16", "INT32", "INT16", "UINT32", "UINT16")
SMALL = ("FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8")
NO_DOUBLE = (*SMALL, "INT64", "UINT64")
ALL = (*NO_DOUBLE, "FLOAT64")
"""Groups of data types, as in the pages' tables."""


@dataclass(frozen=True)
class Support:
    """One row of a page's table: the ranks and data types from one level on."""

    level: str
    ranks: tuple[int, ...]
    data_types: tuple[str, ...]


@dataclass(frozen=True)
class Supported:
    """What an operator supports at each level.

    Attributes:
        structure: DirectML's name, such as ``DML_TILE_OPERATOR_DESC``.
        rows: its page's table, oldest level first.
        unlisted: data types that DirectML 1.15.4 runs although its page does not list them.
    """

    structure: str
    rows: tuple[Support, ...]
    unlisted: tuple[str, ...] = ()


ANY_RANK = tuple(range(1, 9))
"""Ranks 1 to 8."""

RECORDED_VERSION = "1.15.4"


def feature_level(name: str) -> str:
    """The level's short name, from either spelling.

    Raises:
        Error: there is no such level.

    >>> feature_level("DML_FEATURE_LEVEL_3_1")
    '3_1'
    """
    short = str(name).strip().upper().removeprefix("DML_FEATURE_LEVEL_").replace(".", "_")
    if short not in FEATURE_LEVELS:
        raise Error(
            _("feature_level: {level} is not a DirectML feature level; they are {levels}.").format(
                level=short_text(name), levels=", ".join(FEATURE_LEVELS)
            ),
            "feature_level",
        )
    return short


def at_least(level: str, wanted: str) -> bool:
    """Whether ``level`` is ``wanted`` or newer."""
    return FEATURE_LEVELS.index(level) >= FEATURE_LEVELS.index(wanted)


def level_problems(
    support: Supported, rank: int, data_type: str | None, level: str
) -> list[Problem]:
    """Problems at a level: with the operator itself, the rank, or the data type.

    Args:
        support: the operator's.
        rank: 1 to 8.
        data_type: one of the 11, or None to skip the check.
        level: a short name of :data:`FEATURE_LEVELS`.

    The rule is the page's table; if DirectML accepts more, the message says so.
    """
    level = feature_level(level)
    rows = support.rows
    source = f"{support.structure}, Tensor support"
    operator = support.structure.removesuffix("_OPERATOR_DESC")
    usable = [row for row in rows if at_least(level, row.level)]
    if not usable:
        message = _(
            "feature_level: {level} does not have {operator}; it was added in feature level "
            "{needed}."
        ).format(level=level, operator=operator, needed=rows[0].level)
        return [Problem("feature_level", message, source)]
    row = usable[-1]
    problems = []
    if rank not in row.ranks:
        message = _(
            "sizes: {rank} dimensions are not accepted by {operator} at feature level {level}, "
            "which takes {ranks}; {remedy}"
        ).format(
            rank=rank,
            operator=operator,
            level=level,
            ranks=print_ranks(row.ranks),
            remedy=_remedy([r.level for r in rows if rank in r.ranks]),
        )
        problems.append(Problem("sizes", message, source))
    if data_type is not None and data_type not in row.data_types:
        message = _(
            "data_type: {data_type} is not accepted by {operator} at feature level {level}, "
            "which takes {data_types}; {remedy}"
        ).format(
            data_type=data_type,
            operator=operator,
            level=level,
            data_types=", ".join(row.data_types),
            remedy=_remedy([r.level for r in rows if data_type in r.data_types]),
        )
        if data_type in support.unlisted:
            message = _(
                "data_type: no feature level lists {data_type} for {operator}, not even {level}; "
                "DirectML {version} still runs it if the graphics adapter supports the type."
            ).format(data_type=data_type, operator=operator, level=level, version=RECORDED_VERSION)
        problems.append(Problem("data_type", message, source))
    return problems


def print_ranks(ranks: tuple[int, ...]) -> str:
    """Ranks as words.

    >>> print_ranks((4, 5)), print_ranks((1, 2, 3))
    ('4 or 5', '1 to 3')
    """
    if len(ranks) == 1:
        return str(ranks[0])
    pattern = _("{first} or {last}") if len(ranks) == 2 else _("{first} to {last}")
    return pattern.format(first=ranks[0], last=ranks[-1])


def _remedy(levels: list[str]) -> str:
    if levels:
        return _("feature level {level} and above accept it.").format(level=levels[0])
    return _("no feature level accepts it.")
