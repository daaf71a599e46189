"""The counts of votes, and advice on what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dmlviz.base.deferred import dataclass
from dmlviz.classroom.polls import Poll

EXPLAIN_BELOW, GO_ON_ABOVE = 0.35, 0.70
"""Shares of right answers: below the first, too few learners can convince others; above the
second, nobody needs to (Crouch and Mazur, *Peer Instruction: Ten years of experience and
results*, 2001)."""


@dataclass(frozen=True)
class Tally:
    """The votes on one question in one round.

    Attributes:
        counts: of each answer that was given.
        right: how many votes are right.
    """

    counts: Mapping[str, int]
    right: int

    @property
    def votes(self) -> int:
        """How many devices have voted."""
        return sum(self.counts.values())

    @property
    def share(self) -> float | None:
        """The share of right votes, from 0 to 1; None without votes."""
        return self.right / self.votes if self.votes else None


BURST_DEVICES, BURST_MS = 60, 20_000
"""Devices of one address that join within so many milliseconds are a burst."""


@dataclass(frozen=True)
class Burst:
    """Devices of one address that joined in quick succession.

    Attributes:
        origin: the group of their address, see :func:`dmlviz.classroom.codes.grouped`.
        first, last: when the first and the last one joined, in milliseconds since 1970.
        devices: how many.
    """

    origin: int
    first: int
    last: int
    devices: int


@dataclass(frozen=True)
class Person:
    """A learner who has given a nickname.

    Attributes:
        device: the beginning of the hash of the device's token.
        nickname: as the learner gave it.
        answered: at its own pace, how many questions the device has answered, in the class too;
            otherwise 1 if it has answered the current question in this round, or 0.
        lost: whether the learner is lost at the current question.
    """

    device: str
    nickname: str
    answered: int
    lost: bool


@dataclass(frozen=True)
class Sentence:
    """What a learner has written about the current question.

    Attributes:
        device: the beginning of the hash of the device's token.
        text: one line.
        answer: of the device in the first round; empty if it has none.
    """

    device: str
    text: str
    answer: str


@dataclass(frozen=True)
class Counts:
    """The counts of a class in its current state.

    Attributes:
        joined: devices that have joined, those included that came back as another one.
        lost: devices whose learner is lost at this question.
        rounds: the votes of each round on this question, as
            :data:`dmlviz.classroom.phase_table.ROUNDS` has them.
        largest: devices of the address with the most devices.
        bursts: the largest first.
        answered: devices that have answered in this round, without a show of hands.
        waiting: devices that are in the class and have not answered in this round.
        alone: at one's own pace, the answers to each question, those of the class too; empty in
            other phases.
        finished: devices that have answered all questions, in the class or at their own pace.
        people: those with a nickname, in the order in which they joined.
        here: devices that are in the class, or have answered the current question; at one's own
            pace, any question.
        unnamed: those of them without a nickname.
        sentences: where they are written or shown, those that are not hidden: by different answers
            first, see :func:`differing`.
    """

    joined: int
    lost: int
    rounds: tuple[Tally, ...]
    largest: int = 0
    bursts: tuple[Burst, ...] = ()
    answered: int = 0
    waiting: int = 0
    alone: tuple[Tally, ...] = ()
    finished: int = 0
    people: tuple[Person, ...] = ()
    here: int = 0
    unnamed: int = 0
    sentences: tuple[Sentence, ...] = ()


def tally(poll: Poll, counts: Mapping[str, int]) -> Tally:
    """The votes on a question, the most frequent answer first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Tally(MappingProxyType(dict(ordered)), counts.get(poll.answer, 0))


def differing(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Sentences in an order in which the first ones are by learners with different answers.

    >>> texts = [Sentence("", text, answer) for text, answer in ("a1", "b1", "c0", "d1", "e0")]
    >>> "".join(each.text for each in differing(texts))
    'acbed'
    """
    places: Counter[str] = Counter()
    ranked: list[tuple[int, Sentence]] = []
    for each in sentences:
        ranked.append((places[each.answer], each))
        places[each.answer] += 1
    return tuple(each for _place, each in sorted(ranked, key=lambda pair: pair[0]))


def bursts(joins: Mapping[int, Sequence[int]]) -> tuple[Burst, ...]:
    """The bursts of a class, the largest first.

    Args:
        joins: the group of an address -> when its devices joined, in order.

    >>> bursts({7: [*range(0, 60_000, 200)], 8: [*range(0, 60_000, 500)]})
    (Burst(origin=7, first=0, last=59800, devices=300),)
    """
    all_bursts: list[Burst] = []
    for origin, times in joins.items():
        begin = end = -1
        for start in range(len(times) - BURST_DEVICES + 1):
            stop = start + BURST_DEVICES - 1
            if times[stop] - times[start] > BURST_MS:
                continue
            if start > end:
                if end >= 0:
                    all_bursts.append(Burst(origin, times[begin], times[end], end - begin + 1))
                begin = start
            end = stop
        if end >= 0:
            all_bursts.append(Burst(origin, times[begin], times[end], end - begin + 1))
    return tuple(sorted(all_bursts, key=lambda each: (-each.devices, each.first)))


def advice(counted: Tally) -> str:
    """What to do after a vote: ``explain``, ``discuss`` or ``go_on``; empty without votes.

    >>> advice(Tally({"0": 7, "1": 3}, 7)), advice(Tally({"0": 34, "1": 66}, 34))
    ('discuss', 'explain')
    """
    share = counted.share
    if share is None:
        return ""
    if share < EXPLAIN_BELOW:
        return "explain"
    return "go_on" if share > GO_ON_ABOVE else "discuss"
