"""The report after a class: both rounds of each question, as values and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dmlviz.classroom.phases import ALONE_ROUND
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.tally import Tally, tally
from dmlviz.spreadsheets import write_csv

Votes = Mapping[tuple[int, int], Mapping[str, int]]
"""Question number and round -> answer -> number of votes."""

_COLUMNS = (
    *("question", "key", "settings", "background", "prompt", "answer"),
    *("votes_1", "right_1", "votes_2", "right_2", "votes_alone", "right_alone"),
    *("most_chosen_wrong", "misconception", "link"),
)
_ANSWER_COLUMNS = (
    *("question", "key", "prompt", "answer", "right", "votes_1", "votes_2", "votes_alone"),
    "misconception",
)


@dataclass(frozen=True)
class Row:
    """The result of one question.

    Attributes:
        number: of the question, from 0.
        poll: the question.
        first, second: the votes of both rounds.
        alone: the answers at one's own pace.
        mistaken: the most frequent wrong answer in the last round that has wrong votes, of
            several the one that was more frequent before; empty if there is none.
        misconception: the one behind ``mistaken``.
    """

    number: int
    poll: Poll
    first: Tally
    second: Tally
    alone: Tally
    mistaken: str
    misconception: str


def report(polls: Sequence[Poll], votes: Votes) -> tuple[Row, ...]:
    """A row for each question, including questions without votes."""
    return tuple(_row(number, poll, votes) for number, poll in enumerate(polls))


def _row(number: int, poll: Poll, votes: Votes) -> Row:
    first = tally(poll, votes.get((number, 1), {}))
    second = tally(poll, votes.get((number, 2), {}))
    alone = tally(poll, votes.get((number, ALONE_ROUND), {}))
    rounds = (second, first, alone)
    answers = dict.fromkeys(answer for each in rounds for answer in each.counts)
    wrong = [answer for answer in answers if answer != poll.answer]
    # without wrong votes in a round, all have none there and the next one decides
    frequency = {answer: [each.counts.get(answer, 0) for each in rounds] for answer in wrong}
    mistaken = max(wrong, key=lambda answer: frequency[answer], default="")
    why = poll.misconception(mistaken) if mistaken else ""
    return Row(number, poll, first, second, alone, mistaken, why)


def as_csv(rows: Sequence[Row], root: str = "") -> str:
    """The rows as CSV (RFC 4180), one line for each question; questions are numbered from 1.

    Its form is that of :func:`dmlviz.spreadsheets.write_csv`.

    Args:
        rows: of :func:`report`.
        root: the app's address, such as ``https://example.org``, for links that are whole; without
            it they begin with ``/``.
    """
    lines: list[Sequence[str | int]] = []
    for row in rows:
        poll = row.poll
        mistaken = poll.answer_text(row.mistaken) if row.mistaken else ""
        line: list[str | int] = [row.number + 1, poll.key, poll.settings, poll.background]
        line += [poll.prompt, poll.answer_text(poll.answer)]
        line += [row.first.votes, row.first.right, row.second.votes, row.second.right]
        line += [row.alone.votes, row.alone.right]
        line += [mistaken, row.misconception, f"{root}{poll.link}" if poll.link else ""]
        lines.append(line)
    return write_csv(_COLUMNS, lines)


def answers_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV, one line for each answer of each question: all choices, and what was given.

    Its form is that of :func:`as_csv`; ``right`` is 1 or 0.
    """
    lines: list[Sequence[str | int]] = []
    for row in rows:
        poll, rounds = row.poll, (row.first, row.second, row.alone)
        choices = [str(number) for number in range(len(poll.choices))] or [poll.answer]
        # the same answer can be given in several rounds
        answers = dict.fromkeys([*choices, *(answer for each in rounds for answer in each.counts)])
        for answer in answers:
            line: list[str | int] = [row.number + 1, poll.key, poll.prompt]
            line += [poll.answer_text(answer), int(answer == poll.answer)]
            line += [each.counts.get(answer, 0) for each in rounds]
            lines.append([*line, poll.misconception(answer)])
    return write_csv(_ANSWER_COLUMNS, lines)
