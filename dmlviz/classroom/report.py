"""The report after a class: both rounds of each question, as values and as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.base.spreadsheets import write_csv
from dmlviz.classroom.phase_table import ALONE_ROUND, ROUNDS
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.tally import Tally, tally

Votes = Mapping[tuple[int, int], Mapping[str, int]]
"""Question number and round -> answer -> number of votes."""

_NAMES = [*map(str, ROUNDS), "alone"]
_COLUMNS = (
    *("question", "key", "settings", "background", "prompt", "answer"),
    *(f"{counted}_{name}" for name in _NAMES for counted in ("votes", "right")),
    *("most_chosen_wrong", "round_of_wrong", "misconception", "link"),
)
_ANSWER_COLUMNS = (
    *("question", "key", "prompt", "answer", "right", *(f"votes_{name}" for name in _NAMES)),
    "misconception",
)


MOST_TIED = 3
"""The most wrong answers of a question that are named if they have as many votes."""


@dataclass(frozen=True)
class Row:
    """The result of one question.

    Attributes:
        number: of the question, from 0.
        poll: the question.
        rounds: the votes of each round of :data:`ROUNDS`.
        alone: the answers at one's own pace.
        mistaken: the most frequent wrong answers in the last round that has wrong votes, at most
            :data:`MOST_TIED`; those that were more frequent before come first.
        mistaken_round: that round, or :data:`ALONE_ROUND`; -1 without wrong votes.
        tied: how many wrong answers have as many votes as these.
    """

    number: int
    poll: Poll
    rounds: tuple[Tally, ...]
    alone: Tally
    mistaken: tuple[str, ...]
    mistaken_round: int
    tied: int


def report(polls: Sequence[Poll], votes: Votes) -> tuple[Row, ...]:
    """A row for each question, including questions without votes."""
    return tuple(_row(number, poll, votes) for number, poll in enumerate(polls))


def _row(number: int, poll: Poll, votes: Votes) -> Row:
    newest_first = [*reversed(ROUNDS), ALONE_ROUND]
    rounds = {turn: tally(poll, votes.get((number, turn), {})) for turn in newest_first}
    in_class, alone = tuple(rounds[turn] for turn in ROUNDS), rounds[ALONE_ROUND]
    decisive = next((turn for turn, each in rounds.items() if each.votes > each.right), -1)
    if decisive < 0:
        return Row(number, poll, in_class, alone, (), -1, 0)
    wrong = {a: n for a, n in rounds[decisive].counts.items() if a != poll.answer}
    tied = [answer for answer, count in wrong.items() if count == max(wrong.values())]
    tied.sort(key=lambda answer: [-each.counts.get(answer, 0) for each in rounds.values()])
    return Row(number, poll, in_class, alone, tuple(tied[:MOST_TIED]), decisive, len(tied))


def as_csv(rows: Sequence[Row], root: str = "") -> str:
    """The rows as CSV (RFC 4180), one line for each question; questions are numbered from 1.

    Its form is that of :func:`dmlviz.base.spreadsheets.write_csv`.

    Several wrong answers with as many votes are in one field, with ``|`` between them, and so are
    their misconceptions; ``round_of_wrong`` is a number or ``alone``.

    Args:
        rows: of :func:`report`.
        root: the app's address, such as ``https://example.org``, for links that are whole; without
            it they begin with ``/``.
    """
    lines: list[Sequence[str | int]] = []
    for row in rows:
        poll = row.poll
        texts = [poll.answer_text(answer) for answer in row.mistaken]
        mistaken = " | ".join([*texts, *(["…"] if row.tied > len(texts) else [])])
        whys = " | ".join(filter(None, map(poll.misconception, row.mistaken)))
        turn = "alone" if row.mistaken_round == ALONE_ROUND else row.mistaken_round
        line: list[str | int] = [row.number + 1, poll.key, poll.settings, poll.background]
        line += [poll.prompt, poll.answer_text(poll.answer)]
        for each in (*row.rounds, row.alone):
            line += [each.votes, each.right]
        line += [mistaken, turn if row.mistaken else "", whys]
        line += [f"{root}{poll.link}" if poll.link else ""]
        lines.append(line)
    return write_csv(_COLUMNS, lines)


def answers_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV, one line for each answer of each question: all choices, and what was given.

    Its form is that of :func:`as_csv`; ``right`` is 1 or 0.
    """
    lines: list[Sequence[str | int]] = []
    for row in rows:
        poll, rounds = row.poll, (*row.rounds, row.alone)
        choices = [str(number) for number in range(len(poll.choices))] or [poll.answer]
        # the same answer can be given in several rounds
        answers = dict.fromkeys([*choices, *(answer for each in rounds for answer in each.counts)])
        for answer in answers:
            line: list[str | int] = [row.number + 1, poll.key, poll.prompt]
            line += [poll.answer_text(answer), int(answer == poll.answer)]
            line += [each.counts.get(answer, 0) for each in rounds]
            lines.append([*line, poll.misconception(answer)])
    return write_csv(_ANSWER_COLUMNS, lines)
