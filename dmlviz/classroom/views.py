"""What each kind of listener sees of a class, as JSON values, in the language of this thread.

Before the reveal, learners and the wall see nothing that gives away the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

import msgspec

from dmlviz.base.words import _
from dmlviz.classroom.phase_table import ASK, JOIN, PHASES, REOPENED, REVEAL, ROUNDS
from dmlviz.classroom.phases import MOST_STEP, STANDS, Class
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.report import Row
from dmlviz.classroom.tally import Counts, Sentence, Tally, advice
from dmlviz.teaching.answer_inputs import TEXT

View = dict[str, Any]

MOST_SHOWN = 3
"""The most sentences that a wall shows."""

MORE_SECONDS = 15
"""How many seconds one press adds to the clock."""

_MOST_BURSTS = 3
_MOST_NICKNAMES = 80  # that a wall has room for


def place(current: Class, now: int, role: str = "learner", advice: str = "") -> View:
    """The class's state, with what somebody sees and may do in its phase.

    Args:
        current: the class.
        now: milliseconds since 1970.
        role: ``learner``, ``wall`` or ``teacher``.
        advice: of :func:`dmlviz.classroom.tally.advice` about the newest vote, for the teacher.
    """
    here = current.at(now)
    note = {"wall": here.kind.wall, "teacher": here.kind.teacher}.get(role, here.kind.phone)
    return {
        "code": here.code,
        "title": here.title,
        "version": here.version,
        "phase": here.phase,
        "number": here.number,
        "questions": len(here.polls),
        "round": here.round,
        "open": here.open,
        "paused": here.paused,
        "left_ms": here.remaining(now),
        "step": here.step,
        "invites": here.invites,
        "options": msgspec.to_builtins(here.options),
        "layout": here.kind.layout,
        "self_paced": here.kind.self_paced,
        "writes": here.kind.writes,
        "note": note(here),
        **(_controls(here, now, advice) if role != "learner" else {}),
    }


def _controls(here: Class, now: int, advice: str) -> View:
    """What the teacher can do, from the teacher's page or a wall with controls."""
    clock = here.remaining(now) is not None
    changes = {
        "pause": (here.kind.votes or clock, {"paused": not here.paused}),
        "more": (here.phase in REOPENED or clock, {"more": MORE_SECONDS}),
        "bars": (here.kind.asks and here.poll.votes, {"bars": not here.bars}),
        "invite": (here.kind.layout != "door", {"invites": not here.invites}),
    }
    return {
        "can": {name: change for name, (possible, change) in changes.items() if possible},
        "actions": [*_actions(here, advice)],
    }


def _actions(here: Class, advice: str) -> Iterator[View]:
    """The buttons for what can come next: their labels, and the bodies of their requests."""
    if here.kind.layout == "revealed" and here.step == STANDS:
        # pages leave it out where a question has no movement
        play = {"label": _("Play the movement"), "change": {"step": MOST_STEP}}
        yield {**play, "main": True, "plays": True}
    for name in here.following:
        to, main = PHASES[name], name == here.kind.next(here, advice)
        reopens = REOPENED.get(here.phase) == name
        label = here.kind.leave(here) or (to.reopen(here) if reopens else to.action(here))
        # with F5, clickers begin
        key = "F5" if main and here.phase == JOIN else to.key
        change = {"to": name}
        yield {"label": label, "change": change, "main": main, "reopens": reopens, "key": key}


def question(current: Class, now: int, *, teacher: bool = False) -> View | None:
    """The current question, without its answer until the reveal.

    None before the first one, and while everybody is at another one: see :func:`alone`.
    """
    here = current.at(now)
    if here.kind.layout == "door" and not teacher:
        return None
    with_answer = teacher or here.kind.answers
    return {**_question(here.poll.spoken(), with_answer), **(_notes(here) if teacher else {})}


def alone(
    current: Class, now: int, answers: Mapping[int, str], number: int | None = None
) -> View | None:
    """What a device sees at its own pace: its question, with the answer once it has answered.

    Args:
        current: the class.
        now: milliseconds since 1970.
        answers: the device's, by the number of the question.
        number: of the question, at most :meth:`Class.furthest`; None for the first one without an
            answer, or if all have one, the first one that was answered wrongly.

    Returns:
        None if everybody is at the same question.
    """
    if not current.at(now).kind.self_paced:
        return None
    last = current.furthest(answers)
    if number is None and last in answers:
        wrong = (each for each in current.alone if answers[each] != current.polls[each].answer)
        number = next(wrong, last)
    number = min(number, last) if number in current.alone else last
    here = replace(current, number=number)
    shown = {"layout": "answering"}
    if number in answers:
        shown = {"layout": "revealed", "note": PHASES[REVEAL].phone(here)}
    return {
        **place(here, now),
        **shown,
        "question": _question(here.poll.spoken(), number in answers),
        "asked": list(current.alone),
        "answers": {str(each): answer for each, answer in answers.items()},
        # the device has seen the answers to all of these
        "right": sum(current.polls[each].answer == answer for each, answer in answers.items()),
    }


def _question(poll: Poll, with_answer: bool) -> View:
    return {
        "input": poll.input.name,
        "invitation": poll.input.invitation(),
        "label": poll.input.label(),
        "settings": poll.settings,
        "code": poll.runs_code,
        "background": poll.background,
        "prompt": poll.prompt,
        "choices": [choice.text for choice in poll.choices],
        "compares": poll.compares,
        "marks": [poll.mark(number) for number in range(len(poll.choices))],
        # the key names a question that anybody can open, and the state may give the answer away
        "key": poll.key if with_answer else "",
        "repeat": (poll.repeat or poll.link) if with_answer else "",
        "tensors": [{"name": t.name, "sizes": list(t.sizes)} for t in poll.tensors],
        **(_answer(poll) if with_answer else {}),
    }


def _notes(here: Class) -> View:
    """What only the teacher sees with a question."""
    poll = here.poll.spoken()
    after = [each.spoken() for each in here.polls[here.number + 1 : here.number + 2]]
    return {
        "shown": poll.answer_text(poll.answer),
        "following": poll.following,
        "notes": poll.notes,
        "minutes": poll.minutes,
        "next": after[0].prompt if after else "",
        "next_settings": after[0].settings if after else "",
    }


def _answer(poll: Poll) -> View:
    choices = [(str(number), c.misconception) for number, c in enumerate(poll.choices)]
    known = dict([*choices, *poll.misconceptions])
    return {
        "answer": poll.answer,
        "told": poll.reveal,
        "misconceptions": {wrong: why for wrong, why in known.items() if why},
    }


def counted(current: Class, counts: Counts, now: int, most: int, *, teacher: bool = False) -> View:
    """The counts; the wall gets the bars only on request or after the reveal.

    Args:
        current, counts: the class and what was counted.
        now: milliseconds since 1970.
        most: how many devices can join.
        teacher: whether the teacher sees them, or the wall.
    """
    here = current.at(now)
    bars = teacher or here.bars or here.kind.answers
    on = counts.rounds[ROUNDS.index(here.vote_round)]
    view: View = {
        "joined": counts.here,
        "votes": counts.answered if here.kind.writes else on.votes,
        "missing": counts.waiting,
        "bars": bars,
        "bars_shown": here.bars,
        "finished": counts.finished,
        "following": list(here.following),
    }
    if here.options.nicknames == "wall":
        view["nicknames"] = [each.nickname for each in counts.people[-_MOST_NICKNAMES:]]
    if bars:
        # the right bar is part of the answer, so it is hidden until the reveal
        with_answer = teacher or here.kind.answers
        expected = None if teacher or here.poll.input is not TEXT else here.poll.expected
        view["rounds"] = [_tally(each, with_answer, expected) for each in counts.rounds]
    shown = counts.sentences if teacher else counts.sentences[:MOST_SHOWN]
    if teacher or here.kind.shows_sentences:
        view["sentences"] = [_sentence(here.poll.spoken(), each, teacher) for each in shown]
        view["sentences_shown"] = MOST_SHOWN * here.kind.shows_sentences
    if teacher:
        view["door"] = {
            "locked": here.locked,
            "most": most,
            "largest": counts.largest,
            "per_address": here.per_address,
            "bursts": [asdict(burst) for burst in counts.bursts[:_MOST_BURSTS]],
        }
        view["lost"] = counts.lost
        view["advice"] = advice(on)
        view["advice_text"] = _advice_text(on) if here.kind.advises else ""
        view["seconds"] = here.seconds
        view["people"] = [asdict(person) for person in counts.people]
        view["unnamed"] = counts.unnamed
        # nobody discusses alone
        view["alone_questions"] = len(here.alone)
        view["alone"] = [_tally(each, True) for each in counts.alone]
    return view


def _sentence(poll: Poll, each: Sentence, teacher: bool) -> View:
    # as in bars, a room sees of what others type only what is expected
    known = teacher or poll.input is not TEXT or each.answer in poll.expected
    answer = poll.answer_text(each.answer) if each.answer and known else ""
    return {"text": each.text, "answer": answer, **({"device": each.device} if teacher else {})}


def _advice_text(on: Tally) -> str:
    share = round(100 * (on.share or 0))
    match advice(on):
        case "explain":
            text = _("{share}% right: too few to convince the others. Explain, then vote again.")
        case "discuss":
            text = _("{share}% right: let them discuss, then vote again.")
        case "go_on":
            text = _("{share}% right: show the answer and go on.")
        case _:
            return ""
    return text.format(share=share)


def _tally(each: Tally, with_answer: bool, expected: Collection[str] | None = None) -> View:
    """The votes of a round; of the answers only expected ones, if a room sees what others type."""
    counts = {a: n for a, n in each.counts.items() if expected is None or a in expected}
    plain: View = {"votes": each.votes, "counts": counts}
    return {**plain, "right": each.right, "share": each.share} if with_answer else plain


def row(each: Row) -> View:
    """A line of the report."""
    poll = each.poll
    return {
        "number": each.number,
        "key": poll.key,
        "input": poll.input.name,
        "settings": poll.settings,
        "background": poll.background,
        "prompt": poll.prompt,
        "ask": {"to": ASK, "number": each.number},
        "repeat": poll.repeat or poll.link,
        "answer": poll.answer,
        "shown": poll.answer_text(poll.answer),
        "rounds": [_tally(votes, True) for votes in each.rounds],
        "alone": _tally(each.alone, True),
        "mistaken": [
            {"shown": poll.answer_text(answer), "misconception": poll.misconception(answer)}
            for answer in each.mistaken
        ],
        "mistaken_round": each.mistaken_round,
        "tied": each.tied,
    }
