"""The report after a class: both rounds of each question, as values and as CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from dmlviz.classroom.polls import Poll
from dmlviz.classroom.tally import Tally, tally

Votes = Mapping[tuple[int, int], Mapping[str, int]]
"""Question number and round -> answer -> number of votes."""

_COLUMNS = (
    *("question", "key", "settings", "background", "prompt", "answer"),
    *("votes_1", "right_1", "votes_2", "right_2"),
    *("most_chosen_wrong", "misconception", "link"),
)
# where the comma is the decimal sign, a semicolon or a tab divides cells, also within quotes; wide
# signs begin a formula where Chinese, Japanese or Korean is written
_SIGNS = "=+@\uff1d\uff0b\uff0d\uff20\\-"
_FORMULA = re.compile(rf"^(?=[{_SIGNS}\t\r\n])|(?<=[;\t])(?= *[{_SIGNS}])")


@dataclass(frozen=True)
class Row:
    """The result of one question.

    Attributes:
        number: of the question, from 0.
        poll: the question.
        first, second: the votes of both rounds.
        mistaken: the most frequent wrong answer in the last round that has wrong votes; empty
            if there is none.
        misconception: the one behind ``mistaken``.
    """

    number: int
    poll: Poll
    first: Tally
    second: Tally
    mistaken: str
    misconception: str


def report(polls: Sequence[Poll], votes: Votes) -> tuple[Row, ...]:
    """A row for each question, including questions without votes."""
    return tuple(_row(number, poll, votes) for number, poll in enumerate(polls))


def _row(number: int, poll: Poll, votes: Votes) -> Row:
    first = tally(poll, votes.get((number, 1), {}))
    second = tally(poll, votes.get((number, 2), {}))
    mistaken = _mistaken(poll, second) or _mistaken(poll, first)
    why = poll.misconception(mistaken) if mistaken else ""
    return Row(number, poll, first, second, mistaken, why)


def _mistaken(poll: Poll, counted: Tally) -> str:
    return next((answer for answer in counted.counts if answer != poll.answer), "")


def as_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV (RFC 4180), one line for each question; questions are numbered from 1.

    All texts are quoted, and what a spreadsheet could read as the beginning of a formula gets an
    apostrophe before it.
    """
    out = StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(_COLUMNS)
    for row in rows:
        poll = row.poll
        mistaken = poll.answer_text(row.mistaken) if row.mistaken else ""
        line: list[str | int] = [row.number + 1, poll.key, poll.settings, poll.background]
        line += [poll.prompt, poll.answer_text(poll.answer)]
        line += [row.first.votes, row.first.right, row.second.votes, row.second.right]
        line += [mistaken, row.misconception, poll.link]
        writer.writerow([_plain(cell) if isinstance(cell, str) else cell for cell in line])
    return out.getvalue()


def _plain(text: str) -> str:
    numeric = text.lstrip("-").replace(".", "", 1).isdecimal()
    return text if numeric else _FORMULA.sub("'", text)
