"""What practice keeps: the settings, the number, and the answers; all in the session alone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dmlviz.operators import OPERATORS
from dmlviz.operators.settings import read_whole
from dmlviz.questions import LEVELS, MOST_NUMBER, MOST_SEED, Question, ask
from dmlviz.tensors import one_line
from dmlviz.ui.address import address_words, go, to
from dmlviz.ui.state import STAYED, by_history
from dmlviz.words import _

KEYS = ("", *(cls.key for cls in OPERATORS))
"""The operators to choose from; empty for all."""

_PAST = 20


@dataclass(frozen=True)
class Asked:
    """Which question: the words of its address.

    Attributes:
        seed, level, operator, number: as :func:`dmlviz.questions.ask` takes them.
    """

    seed: int
    level: int
    operator: str
    number: int

    def question(self) -> Question:
        """The question itself."""
        return ask(self.seed, self.number, level=self.level, operator=self.operator)

    def words(self) -> dict[str, str]:
        """The words of its address."""
        words = {"seed": str(self.seed), "level": str(self.level)}
        if self.operator:
            words["operator"] = self.operator
        return {**words, "number": str(self.number)}

    def address(self) -> str:
        """Its address, from the app's root on."""
        return f"/practice?{urlencode(to(self.words()))}"


@dataclass(frozen=True)
class Answered:
    """An answer: to which question, which choice, and whether it is right."""

    asked: Asked
    chosen: int
    right: bool


def asked() -> Asked:
    """Which question is on the page."""
    state = st.session_state
    return Asked(
        int(_held("seed", 0)),
        int(_held("level", 1)),
        str(_held("operator", "")),
        int(state.get("practice_number", 1)),
    )


def _held(name: str, usual: Any) -> Any:
    # an emptied number field holds None
    found = st.session_state.get(f"practice_{name}")
    return usual if found is None else found


def begin() -> list[str]:
    """Take what an address says that was just opened; sentences about what it says wrongly."""
    state, words = st.session_state, address_words()
    words = {name: text for name, text in words.items() if not name.startswith("embed")}
    first = "practice_seed" not in state
    if first:
        # a seed of one's own; a class gets its seed by the link
        state["practice_seed"] = random.randrange(1, 10_000)  # noqa: S311  a game
        state["practice_level"], state["practice_operator"] = 1, ""
        state["practice_number"] = 1
        state["practice_answers"] = ()
    if words and (first or _is_new(words)):
        state["practice_problems"] = _take(words)
    return list(state.get("practice_problems", ()))


def _is_new(words: dict[str, str]) -> bool:
    """Whether somebody has opened an address with these words, just now."""
    if words == st.session_state.get("practice_link"):
        return False
    # a change may be on its way before the address of the last one has arrived
    late = st.session_state.get(STAYED, False) and words in st.session_state["practice_past"]
    return by_history() or not late


def follow() -> None:
    """Make the address that of the question on the page."""
    state, words = st.session_state, asked().words()
    if words != state.get("practice_link"):
        state["practice_link"] = words
        state["practice_past"] = [*state.get("practice_past", ()), words][-_PAST:]
    if address_words() != words:
        go(words)


def _take(words: Mapping[str, str]) -> list[str]:
    limits = {
        "seed": (0, MOST_SEED),
        "level": (LEVELS[0], LEVELS[-1]),
        "number": (1, MOST_NUMBER),
    }
    problems = []
    st.session_state["practice_operator"], st.session_state["practice_number"] = "", 1
    for name, text in words.items():
        if name in limits:
            least, most = limits[name]
            found = read_whole(text, least, most)
            if found is not None:
                st.session_state[f"practice_{name}"] = found
                continue
            rule = _("it is a whole number from {least} to {most:,}.").format(
                least=least, most=most
            )
        elif name == "operator":
            if text in KEYS:
                st.session_state["practice_operator"] = text
                continue
            rule = _("it is one of {keys}.").format(keys=", ".join(KEYS[1:]))
        else:
            rule = _("a link to this page has no such part.")
        problems.append(
            _("link: {name}={value} is not possible here and was left out: {rule}").format(
                name=one_line(name, 40), value=one_line(text, 60), rule=rule
            )
        )
    return problems


def restart() -> None:
    """The first question of other settings."""
    st.session_state["practice_number"] = 1
    st.session_state["practice_problems"] = ()


def go_on() -> None:
    """The next question."""
    number = int(st.session_state.get("practice_number", 1))
    st.session_state["practice_number"] = min(number + 1, MOST_NUMBER)
    st.session_state["practice_problems"] = ()


def answer(to: Asked, chosen: int, right: bool) -> None:
    """Keep an answer; the first one to a question counts."""
    if answer_to(to) is None:
        kept = st.session_state.get("practice_answers", ())
        st.session_state["practice_answers"] = (*kept, Answered(to, chosen, right))


def answers() -> tuple[Answered, ...]:
    """The answers of this session, oldest first."""
    kept: tuple[Answered, ...] = st.session_state.get("practice_answers", ())
    return kept


def forget() -> None:
    """Begin to count anew."""
    st.session_state["practice_answers"] = ()


def answer_to(to: Asked) -> Answered | None:
    """The answer to a question, if it was answered."""
    return next((kept for kept in answers() if kept.asked == to), None)


def streaks(kept: tuple[Answered, ...]) -> tuple[int, int]:
    """How many right answers in a row there are now, and at most.

    >>> streaks(())
    (0, 0)
    """
    now = longest = 0
    for one in kept:
        now = now + 1 if one.right else 0
        longest = max(longest, now)
    return now, longest
