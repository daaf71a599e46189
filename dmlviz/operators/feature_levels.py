"""Which ranks and data types an operator takes at each DirectML feature level.

The table is the "Tensor support" sections of the operators' pages, as data.  A level
counts from there on: a device at 4_0 follows the rows of 3_1.
"""

from __future__ import annotations

from dataclasses import dataclass

from dmlviz.errors import Error, Problem
from dmlviz.tensors import shown
from dmlviz.words import _

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

_FLOATS = ("FLOAT32", "FLOAT16")
_SMALL = ("FLOAT32", "FLOAT16", "INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8")
_NO_DOUBLE = (*_SMALL, "INT64", "UINT64")
_ALL = (*_NO_DOUBLE, "FLOAT64")


@dataclass(frozen=True)
class Support:
    """One row of a page's table: the ranks and data types from one level on."""

    level: str
    ranks: tuple[int, ...]
    data_types: tuple[str, ...]


_ANY = tuple(range(1, 9))

SUPPORT: dict[str, tuple[Support, ...]] = {
    "DML_TILE_OPERATOR_DESC": (
        Support("1_0", (4,), _FLOATS),
        Support("2_1", (4,), _SMALL),
        Support("3_1", _ANY, _SMALL),
        Support("4_1", _ANY, _NO_DOUBLE),
    ),
    "DML_PADDING_OPERATOR_DESC": (
        Support("1_0", (4, 5), _FLOATS),
        Support("2_1", (4, 5), _SMALL),
        Support("3_1", _ANY, _SMALL),
        Support("5_0", _ANY, _ALL),
    ),
    "DML_DEPTH_TO_SPACE1_OPERATOR_DESC": (
        Support("2_1", (4,), _SMALL),
        Support("5_0", (4,), _ALL),
    ),
    "DML_SPACE_TO_DEPTH1_OPERATOR_DESC": (
        Support("2_1", (4,), _SMALL),
        Support("5_0", (4,), _ALL),
    ),
}
"""By DirectML's structure, oldest level first."""

ACCEPTED_UNLISTED = {"DML_TILE_OPERATOR_DESC": ("FLOAT64",)}
"""What DirectML 1.15.4 runs although its page lists it at no level."""

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
                level=shown(name), levels=", ".join(FEATURE_LEVELS)
            ),
            "feature_level",
        )
    return short


def at_least(level: str, wanted: str) -> bool:
    """Whether ``level`` is ``wanted`` or newer."""
    return FEATURE_LEVELS.index(level) >= FEATURE_LEVELS.index(wanted)


def ranks_ever(structure: str) -> tuple[int, ...]:
    """The ranks that the newest level takes."""
    return SUPPORT[structure][-1].ranks


def level_problems(structure: str, rank: int, data_type: str | None, level: str) -> list[Problem]:
    """What a level refuses: the operator itself, the rank, the data type.

    Args:
        structure: DirectML's name, such as ``DML_TILE_OPERATOR_DESC``.
        rank: 1 to 8.
        data_type: one of the 11, or None to leave it unchecked.
        level: a short name of :data:`FEATURE_LEVELS`.

    The rule is the page's own table; where DirectML accepts more, the message says so.
    """
    level = feature_level(level)
    rows = SUPPORT[structure]
    source = f"{structure}, Tensor support"
    operator = structure.removesuffix("_OPERATOR_DESC")
    usable = [row for row in rows if at_least(level, row.level)]
    if not usable:
        message = _(
            "feature_level: {level} does not have {operator}; feature level {needed} brought it."
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
        if data_type in ACCEPTED_UNLISTED.get(structure, ()):
            message = _(
                "data_type: {data_type} is listed for {operator} at no feature level, {level} "
                "included; DirectML {version} itself runs it all the same, where the graphics "
                "adapter has the type."
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
