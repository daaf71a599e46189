"""A page's tables of ranks and data types by feature level, compared with the operator's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dmlviz.documents.findings import Finding
from dmlviz.documents.text import Source
from dmlviz.errors import Error
from dmlviz.operators.feature_levels import SUPPORT, Support, feature_level, print_ranks
from dmlviz.tensors import DATA_TYPES, MAX_RANK
from dmlviz.words import _

_LEVEL = re.compile(r"DML_FEATURE_LEVEL_(\d{1,2}_\d{1,2})(?!\d)")
_ROW = re.compile(
    r"^[|\s]{0,20}(?P<tensor>InputTensor|OutputTensor)[|\s]{1,20}(?P<rest>[^\n]{5,1000})",
    re.MULTILINE,
)
_NAMES = "|".join(DATA_TYPES)
_TYPE = re.compile(rf"\b(?:{_NAMES})\b")
_BRACES = re.compile(r"\{[^{}]{0,300}\}")
_NUMBER = re.compile(r"(?<![\w])\d{1,2}(?!\d)")


@dataclass(frozen=True)
class Row:
    """What a page's table says of one tensor at one feature level."""

    line: int
    tensor: str
    support: Support


def table(source: Source) -> tuple[Row, ...]:
    """The rows of the page's tables; each counts for the level last named before it."""
    rows = []
    levels = [(found.start(), found[1]) for found in _LEVEL.finditer(source.text)]
    here = -1
    for found in _ROW.finditer(source.text):
        while here + 1 < len(levels) and levels[here + 1][0] < found.start():
            here += 1
        types = tuple(_TYPE.findall(found["rest"]))
        if not types or here < 0:
            continue
        ranks = _ranks(_TYPE.sub(" ", _BRACES.sub(" ", found["rest"])))
        line = source.line(found.start("tensor"))
        rows.append(Row(line, found["tensor"], Support(levels[here][1], ranks, types)))
    return tuple(rows)


def support_findings(rows: tuple[Row, ...], structure: str) -> tuple[Finding, ...]:
    """Where a page's table is not dmlviz's; nothing where they agree or there is no table."""
    if not rows:
        return ()
    ours = {row.level: row for row in SUPPORT[structure]}
    findings = []
    for row in rows:
        level = row.support.level
        try:
            feature_level(level)
        except Error as error:
            findings.append(Finding(row.line, str(error)))
            continue
        if level not in ours:
            message = _("the table has a row for {level}; dmlviz knows of no change there.")
            findings.append(Finding(row.line, message.format(level=level)))
        else:
            findings += _compared(row, ours[level])
    told = {row.support.level for row in rows}
    before: Support | None = None
    for level, support in ours.items():
        if level not in told:
            message = _("the page has no table for feature level {level}, which brought {news}.")
            news = _news(before, support)
            findings.append(Finding(rows[0].line, message.format(level=level, news=news)))
        before = support
    return tuple(sorted(findings))


def _news(before: Support | None, now: Support) -> str:
    """What a level takes that the one before it did not."""
    if before is None:
        return _("the operator")
    types = _listed(set(now.data_types) - set(before.data_types))
    ranks = "" if now.ranks == before.ranks else _told(now.ranks)
    return ", ".join(part for part in (ranks, types) if part)


def _compared(row: Row, ours: Support) -> list[Finding]:
    findings = []
    named = {"tensor": row.tensor, "level": ours.level}
    if row.support.ranks and row.support.ranks != ours.ranks:
        message = _("{tensor} at {level}: the page says {theirs}, dmlviz has {ours}.").format(
            theirs=_told(row.support.ranks), ours=_told(ours.ranks), **named
        )
        findings.append(Finding(row.line, message))
    theirs, known = set(row.support.data_types), set(ours.data_types)
    if theirs != known:
        if not theirs - known:
            message = _("{tensor} at {level}: the page's data types are dmlviz's without {less}.")
        elif not known - theirs:
            message = _("{tensor} at {level}: the page's data types are dmlviz's with {more}.")
        else:
            message = _(
                "{tensor} at {level}: the page's data types are dmlviz's without {less}, "
                "with {more}."
            )
        told = message.format(less=_listed(known - theirs), more=_listed(theirs - known), **named)
        findings.append(Finding(row.line, told))
    return findings


def _ranks(text: str) -> tuple[int, ...]:
    numbers = [int(n) for n in _NUMBER.findall(text)]
    numbers = [n for n in numbers if 1 <= n <= MAX_RANK]
    if not numbers:
        return ()
    return tuple(range(min(numbers), max(numbers) + 1))


def _told(ranks: tuple[int, ...]) -> str:
    return _("rank {ranks}").format(ranks=print_ranks(ranks))


def _listed(names: set[str]) -> str:
    return ", ".join(name for name in DATA_TYPES if name in names)
