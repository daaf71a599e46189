"""Reads from the database what a class has answered, counted."""

from __future__ import annotations

from sqlalchemy import Connection, Select, and_, case, exists, func, or_, select

from dmlviz.classroom.phase_table import ALONE_ROUND, ROUNDS, WRITTEN_ROUND
from dmlviz.classroom.phases import Class
from dmlviz.classroom.tables import DEVICE, HANDS, VOTE
from dmlviz.classroom.tally import (
    BURST_DEVICES,
    Counts,
    Person,
    Sentence,
    Tally,
    bursts,
    differing,
    tally,
)

MOST_SENTENCES = 200
"""The most sentences about one question that a teacher sees: the first ones."""

MOST_PEOPLE = 1_000
"""The most nicknames that a teacher sees."""

AWAY = 30_000
"""Milliseconds without contact after which a device has left: no vote waits for it."""

DEVICE_LETTERS = 12
"""How many letters of its token's hash name a device to the teacher."""


def read_counts(connection: Connection, current: Class, now: int) -> Counts:
    """The counts of a class at its current question; ``now`` is in milliseconds since 1970."""
    of_class = DEVICE.c.code == current.code
    votes = read_votes(connection, current.code, current.number)
    rounds = (tally(current.poll, votes.get((current.number, turn), {})) for turn in ROUNDS)
    of_round = (
        VOTE.c.code == current.code,
        VOTE.c.number == current.number,
        VOTE.c.round == current.round,
    )
    answered = select(func.count()).where(*of_round)
    # a device that lost its storage joins anew, and its old self does not come back
    number_of = () if current.kind.self_paced else (VOTE.c.number == current.number,)
    by_device = VOTE.c.code == current.code, VOTE.c.device == DEVICE.c.device
    fresh = DEVICE.c.contact > now - AWAY
    present = or_(fresh, exists().where(*by_device, *number_of))
    waits = and_(fresh, ~exists().where(*of_round, VOTE.c.device == DEVICE.c.device))
    those = (DEVICE.c.lost == current.number, waits, present, present & (DEVICE.c.nickname == ""))
    counts = (func.count().filter(each) for each in those)
    row = connection.execute(select(func.count(), *counts).where(of_class)).one()
    joined, losts, waiting, here, unnamed = map(int, row)
    alone, finished = _read_alone(connection, current) if current.kind.self_paced else ((), 0)
    by_address = select(DEVICE.c.origin, func.count()).where(of_class, DEVICE.c.origin >= 0)
    rows = connection.execute(by_address.group_by(DEVICE.c.origin))
    sizes = {row[0]: row[1] for row in rows}
    large = [origin for origin, n in sizes.items() if n >= BURST_DEVICES]
    joins: dict[int, list[int]] = {origin: [] for origin in large}
    if large:
        times = select(DEVICE.c.origin, DEVICE.c.joined)
        times = times.where(of_class, DEVICE.c.origin.in_(large)).order_by(DEVICE.c.joined)
        for origin, time in connection.execute(times):
            joins[origin].append(time)
    largest = max(sizes.values(), default=0)
    return Counts(
        joined,
        losts,
        tuple(rounds),
        largest,
        bursts(joins),
        connection.execute(answered).scalar_one(),
        waiting,
        alone,
        finished,
        _read_people(connection, current),
        here,
        unnamed,
        _read_sentences(connection, current),
    )


def standing(code: str) -> Select[tuple[str, int, str]]:
    """``device``, ``number`` and ``answer`` of all answers that stand: one of each device to each
    question, the one at its own pace, or else its last one in the class.
    """
    other = VOTE.alias()
    # one's own pace comes after all rounds
    last = max(ROUNDS) + 1
    rank, others = (case((t.c.round == ALONE_ROUND, last), else_=t.c.round) for t in (VOTE, other))
    names = ("code", "number", "device")
    same = (getattr(other.c, name) == getattr(VOTE.c, name) for name in names)
    replaced = exists().where(*same, others > rank)
    return select(VOTE.c.device, VOTE.c.number, VOTE.c.answer).where(
        VOTE.c.code == code, VOTE.c.round != WRITTEN_ROUND, ~replaced
    )


def read_answers(connection: Connection, code: str, device: str) -> dict[int, str]:
    """The answers of a device that :func:`standing` has, by the number of the question."""
    rows = connection.execute(standing(code).where(VOTE.c.device == device))
    return {each.number: each.answer for each in rows}


def _read_alone(connection: Connection, current: Class) -> tuple[tuple[Tally, ...], int]:
    """The answers to each question that stand, and how many devices have answered all."""
    answers = standing(current.code).subquery()
    by_answer = select(answers.c.number, answers.c.answer, func.count())
    votes: dict[int, dict[str, int]] = {}
    rows = connection.execute(by_answer.group_by(answers.c.number, answers.c.answer))
    for number, answer, count in rows:
        votes.setdefault(number, {})[answer] = count
    alone = tuple(tally(poll, votes.get(number, {})) for number, poll in enumerate(current.polls))
    by_device = select(answers.c.device).group_by(answers.c.device)
    finished = by_device.having(func.count() == len(current.alone)).subquery()
    count = select(func.count()).select_from(finished)
    return alone, connection.execute(count).scalar_one()


def _read_people(connection: Connection, current: Class) -> tuple[Person, ...]:
    """Who has given a nickname, with what they have answered."""
    if current.options.nicknames == "none":
        return ()
    count = func.count(VOTE.c.number.distinct())
    # counted first: joined first, each device would read the votes of all
    votes = select(VOTE.c.device, count.label("answered")).where(VOTE.c.code == current.code)
    if not current.kind.self_paced:
        votes = votes.where(VOTE.c.number == current.number, VOTE.c.round == current.round)
    by_device = votes.group_by(VOTE.c.device).subquery()
    answered = func.coalesce(by_device.c.answered, 0)
    rows = (
        select(DEVICE.c.device, DEVICE.c.nickname, DEVICE.c.lost, answered)
        .outerjoin(by_device, by_device.c.device == DEVICE.c.device)
        .where(DEVICE.c.code == current.code, DEVICE.c.nickname != "")
        .order_by(DEVICE.c.joined, DEVICE.c.device)
        .limit(MOST_PEOPLE)
    )
    return tuple(
        Person(device[:DEVICE_LETTERS], nickname, count, lost == current.number)
        for device, nickname, lost, count in connection.execute(rows)
    )


def _read_sentences(connection: Connection, current: Class) -> tuple[Sentence, ...]:
    """What was written about the current question, where it is written or shown."""
    if not (current.kind.writes or current.kind.shows_sentences):
        return ()
    first = VOTE.alias()
    names = ("code", "number", "device")
    same = [getattr(first.c, name) == getattr(VOTE.c, name) for name in names]
    rows = (
        select(VOTE.c.device, VOTE.c.answer, func.coalesce(first.c.answer, ""))
        .outerjoin(first, and_(*same, first.c.round == ROUNDS[0]))
        .where(VOTE.c.code == current.code, VOTE.c.number == current.number)
        .where(VOTE.c.round == WRITTEN_ROUND, VOTE.c.answer != "")
        .order_by(VOTE.c.at, VOTE.c.device)
        .limit(MOST_SENTENCES)
    )
    return differing(
        Sentence(device[:DEVICE_LETTERS], text, answer)
        for device, text, answer in connection.execute(rows)
    )


def read_votes(
    connection: Connection, code: str, number: int | None = None
) -> dict[tuple[int, int], dict[str, int]]:
    """Votes and shows of hands together, for one question or for all."""
    by = (VOTE.c.number, VOTE.c.round, VOTE.c.answer)
    votes = select(*by, func.count()).where(VOTE.c.code == code).group_by(*by)
    votes = votes.where(VOTE.c.round != WRITTEN_ROUND)
    hands = select(HANDS.c.number, HANDS.c.round, HANDS.c.answer, HANDS.c.count)
    hands = hands.where(HANDS.c.code == code)
    if number is not None:
        votes = votes.where(VOTE.c.number == number)
        hands = hands.where(HANDS.c.number == number)
    by_round: dict[tuple[int, int], dict[str, int]] = {}
    for statement in (votes, hands):
        for at, turn, answer, count in connection.execute(statement):
            counted = by_round.setdefault((at, turn), {})
            counted[answer] = counted.get(answer, 0) + count
    return by_round
