"""The phases of a class, each one declaration: what each role sees, what ends it, what is counted.

To add a phase, add a row to :data:`TABLE`. The store, the routes, the wall, phones, the teacher's
page and the report read it; pages get what they show and may send, and know no phase by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.teaching.sets import MOST_MINUTES

if TYPE_CHECKING:
    from dmlviz.classroom.phases import Class

Layout = Literal["door", "answering", "answered", "talking", "revealed", "ended"]
"""What a page shows: how to join; the question, open; closed; with time to talk; with its right
answer and the movement; and the end."""

Text = Callable[["Class"], str]
"""Gives a text in the language of this thread; empty for none."""

MOST_SECONDS = 600
"""The most seconds of a vote's clock."""

WRITTEN_ROUND = -1
"""The round of what each learner has written about a question, which is no vote."""

ALONE_ROUND = 0
"""The round of answers at one's own pace: the first answer to a question stays, because the device
then gets the right one."""


def no_text(_here: Class) -> str:
    """No text."""
    return ""


@dataclass(frozen=True)
class Phase:
    """A phase of a class.

    Attributes:
        name: as it is stored, at most 16 characters.
        after, before: the phases that it can follow, and that can follow it. One is enough: two
            rows need not name each other. From where it ended, it can open again.
        layout: of all pages.
        teacher, phone, wall: what each of them says about it; the wall can say nothing.
        action: the teacher's button that leads to it; its class is the one before.
        next: the phase that the teacher's one key leads to, from the class and the advice of
            :func:`dmlviz.classroom.tally.advice`; empty if the key does nothing.
        round: of the answers that count in it; None if none do. Those of a vote are 1, 2 and so on;
            :data:`ALONE_ROUND` if everybody goes at their own pace; :data:`WRITTEN_ROUND` if each
            learner writes a sentence.
        ends: the phase in which it ends, after its clock or by the teacher; empty if it ends only
            when another one follows.
        reopen: the button that leads back to it from there.
        leave: the button for any phase that follows; empty if each has its own.
        seconds: of its clock when it begins; 0 for none. None if it never has a clock.
        longest: the most seconds that its clock can have.
        advises: whether the teacher gets advice about the newest vote.
        shows_sentences: whether the wall shows some of the sentences that were written.
        key: of the keyboard for its button, besides that for the next phase.
    """

    name: str
    after: tuple[str, ...]
    layout: Layout
    teacher: Text
    phone: Text
    action: Text
    next: Callable[[Class, str], str]
    wall: Text = no_text
    before: tuple[str, ...] = ()
    round: int | None = None
    ends: str = ""
    reopen: Text = no_text
    leave: Text = no_text
    seconds: Callable[[Class], int] | None = None
    longest: int = MOST_SECONDS
    advises: bool = False
    shows_sentences: bool = False
    key: str = ""

    @property
    def self_paced(self) -> bool:
        """Whether each device has a question of its own."""
        return self.round == ALONE_ROUND

    @property
    def votes(self) -> bool:
        """Whether everybody votes or writes about the same question."""
        return bool(self.round)

    @property
    def writes(self) -> bool:
        """Whether each learner writes a sentence."""
        return self.round == WRITTEN_ROUND

    @property
    def answers(self) -> bool:
        """Whether everybody sees the right answer."""
        return self.layout in ("revealed", "ended")

    @property
    def asks(self) -> bool:
        """Whether everybody sees the same question, before its answer."""
        return self.layout in ("answering", "answered", "talking")


def _advised(_here: Class, advice: str) -> str:
    return {"go_on": REVEAL, "explain": "again"}.get(advice, "discuss")


def _after_talk(here: Class, _advice: str) -> str:
    return "again" if here.poll.votes else REVEAL


def _after_reveal(here: Class, _advice: str) -> str:
    return "over" if here.is_last else ASK


def _talk_seconds(here: Class) -> int:
    # a discussion without a vote is the whole of its part, and takes its minutes
    return (0 if here.poll.votes else 60 * here.poll.minutes) or here.options.discussion


def _closed(_here: Class) -> str:
    return _("Voting is closed")


JOIN = "join"
"""The phase before the first question."""

ASK = "ask"
"""The phase in which a question begins."""

TALK = "discuss"
"""The phase in which a question without a vote begins."""

REVEAL = "reveal"
"""The phase that shows the answer."""

TABLE: tuple[Phase, ...] = (
    Phase(
        JOIN,
        after=(),
        layout="door",
        teacher=lambda _here: _("Students join"),
        phone=lambda _here: _("You are in. Look at the wall."),
        action=no_text,
        next=lambda _here, _advice: ASK,
    ),
    Phase(
        ASK,
        after=(JOIN, REVEAL),
        layout="answering",
        teacher=lambda _here: _("Voting is open"),
        phone=lambda _here: _("Answer by yourself. You can change it until voting closes."),
        wall=lambda _here: _("Answer by yourself"),
        action=lambda here: (
            _("Ask the first question") if here.phase == JOIN else _("Next question")
        ),
        next=lambda _here, _advice: "closed",
        round=1,
        ends="closed",
        reopen=lambda _here: _("Reopen the first vote"),
        seconds=lambda here: here.seconds,
    ),
    Phase(
        "closed",
        after=(ASK,),
        layout="answered",
        teacher=_closed,
        phone=lambda _here: _("Voting is closed."),
        wall=_closed,
        action=lambda _here: _("Close the vote"),
        next=_advised,
        advises=True,
    ),
    Phase(
        "reasons",
        after=("closed",),
        layout="answering",
        teacher=lambda _here: _("Students write reasons"),
        phone=lambda _here: _("Write in one sentence why you chose your answer."),
        wall=lambda _here: _("Write in one sentence why you chose your answer"),
        action=lambda _here: _("Ask for reasons"),
        next=lambda _here, _advice: "reasons_shown",
        round=WRITTEN_ROUND,
        ends="reasons_shown",
        reopen=lambda _here: _("Ask for more reasons"),
        seconds=lambda here: here.seconds,
    ),
    Phase(
        "reasons_shown",
        after=("reasons",),
        before=(TALK, "again", "reveal"),
        layout="talking",
        teacher=lambda _here: _("Reasons are shown"),
        phone=lambda _here: _("Read the reasons on the wall: do they convince you?"),
        wall=lambda _here: _("Reasons for different answers: which one convinces you?"),
        action=lambda _here: _("Show three reasons"),
        next=lambda _here, _advice: "again",
        shows_sentences=True,
    ),
    Phase(
        TALK,
        after=("closed",),
        layout="talking",
        teacher=lambda _here: _("Discussion"),
        phone=lambda here: (
            _("Talk with your neighbor: why?")
            if here.poll.votes
            else _("Talk about it with your neighbor.")
        ),
        wall=lambda here: (
            _("Talk with your neighbor: who has a different answer, and why?")
            if here.poll.votes
            else _("Talk about it with your neighbor")
        ),
        action=lambda _here: _("Discuss"),
        next=_after_talk,
        leave=lambda here: "" if here.poll.votes else _("End the discussion"),
        seconds=_talk_seconds,
        longest=60 * MOST_MINUTES,
        advises=True,
    ),
    Phase(
        "again",
        after=("closed", TALK),
        layout="answering",
        teacher=lambda _here: _("The second vote is open"),
        phone=lambda _here: _("Vote again, with what you think now."),
        wall=lambda _here: _("Vote again, with what you think now"),
        action=lambda _here: _("Start the second vote"),
        next=lambda _here, _advice: "closed_again",
        round=2,
        ends="closed_again",
        reopen=lambda _here: _("Reopen the second vote"),
        seconds=lambda here: here.seconds,
    ),
    Phase(
        "closed_again",
        after=("again",),
        layout="answered",
        teacher=lambda _here: _("The second vote is closed"),
        phone=lambda _here: _("Voting is closed."),
        wall=_closed,
        action=lambda _here: _("Close the vote"),
        next=lambda _here, _advice: REVEAL,
    ),
    Phase(
        REVEAL,
        after=("closed", TALK, "closed_again", "over"),
        layout="revealed",
        teacher=lambda here: (
            _("The answer is shown") if here.poll.votes else _("The discussion is over")
        ),
        phone=lambda here: _("The answer") if here.poll.votes else _("The discussion is over."),
        wall=lambda here: _("The answer") if here.poll.votes else _("The discussion is over"),
        action=lambda _here: _("Show the answer"),
        next=_after_reveal,
        key="R",
    ),
    Phase(
        "over",
        after=(REVEAL,),
        layout="ended",
        teacher=lambda _here: _("The class is over"),
        phone=lambda _here: _("The class is over. Thank you for being there."),
        wall=lambda _here: _("That was the last question. Thank you!"),
        action=lambda _here: _("End the class"),
        next=lambda _here, _advice: "",
    ),
    Phase(
        "alone",
        after=(JOIN, REVEAL, "over"),
        # of these, only the one where it began
        before=(JOIN, REVEAL, "over"),
        layout="door",
        teacher=lambda _here: _("Everyone at their own pace"),
        phone=lambda _here: _(
            "At your own pace. Your first answer counts, then you see the right one."
        ),
        wall=lambda _here: _("Everyone goes at their own pace, with the same code"),
        action=lambda _here: _("Start own pace"),
        next=lambda here, _advice: here.phase_before,
        round=ALONE_ROUND,
        leave=lambda _here: _("End own pace"),
    ),
)
"""All phases, in the order of the teacher's buttons."""

PHASES: Mapping[str, Phase] = {phase.name: phase for phase in TABLE}
"""The phases by name."""

OPEN = tuple(phase.name for phase in TABLE if phase.round is not None)
"""The phases in which answers count."""

ROUNDS = tuple(sorted(turn for each in TABLE if (turn := each.round or 0) > ALONE_ROUND))
"""The rounds of votes, from the first."""

REOPENED: Mapping[str, str] = {phase.ends: phase.name for phase in TABLE if phase.ends}
"""The phase that can open again, by the one in which it ended."""

FOLLOWING: Mapping[str, tuple[str, ...]] = {
    phase.name: (
        *(to.name for to in TABLE if phase.name in to.after or to.name in phase.before),
        *(again for ended, again in REOPENED.items() if ended == phase.name),
    )
    for phase in TABLE
}
"""Which phases can follow each phase; one that opens again is the last."""
