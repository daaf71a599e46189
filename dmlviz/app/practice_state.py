"""What practice keeps in the session only: the settings, the number and the answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dmlviz.app.address import PageAddress
from dmlviz.teaching.plain import PLAIN
from dmlviz.teaching.practice import MOST_NUMBER, Practice, operators_at, read_practice
from dmlviz.teaching.questions import LEVELS

_ADDRESS = PageAddress("practice")


@dataclass(frozen=True)
class Answered:
    """An answer: its question, its choice, and whether it is right."""

    practice: Practice
    chosen: int
    right: bool


def current_practice() -> Practice:
    """The question on the page."""
    state = st.session_state
    return Practice(
        int(_value("seed", 0)),
        _level(1),
        str(_value("operator", "")),
        int(state.get("practice_number", 1)),
    )


def _value(name: str, usual: Any) -> Any:
    # an empty number field holds None
    found = st.session_state.get(f"practice_{name}")
    return usual if found is None else found


def _level(usual: int) -> int:
    # read before its widget refuses what it does not offer
    found = _value("level", usual)
    return found if found in (PLAIN, *LEVELS) else usual


def operators() -> tuple[str, ...]:
    """The operators to choose from at the level of the page; empty for all."""
    return ("", *(cls.key for cls in operators_at(_level(PLAIN))))


def begin() -> Sequence[str]:
    """Apply an address that was just opened; return sentences about its problems."""
    state = st.session_state
    if "practice_seed" not in state:
        # a random seed; a class gets its seed from the link
        _put(Practice(random.randrange(1, 10_000), PLAIN))  # noqa: S311  a game
        state["practice_answers"] = ()
        # a link without a level is of level 1
        usual = Practice(current_practice().seed)
    else:
        usual = replace(current_practice(), operator="", number=1)
    opened = _ADDRESS.opened()
    if opened:
        found, problems = read_practice(opened, usual)
        _put(found)
        _ADDRESS.open(found, problems, whole=True)
    return _ADDRESS.problem_messages(
        lambda parameters: read_practice(parameters, current_practice())[1]
    )


def _put(found: Practice) -> None:
    for name in ("seed", "level", "operator", "number"):
        st.session_state[f"practice_{name}"] = getattr(found, name)


def follow() -> None:
    """Make the address match the question on the page."""
    _ADDRESS.follow(current_practice())


def restart() -> None:
    """Start with the first question after a change of settings."""
    st.session_state["practice_number"] = 1
    if st.session_state["practice_operator"] not in operators():
        st.session_state["practice_operator"] = ""


def go_on() -> None:
    """Go to the next question."""
    number = int(st.session_state.get("practice_number", 1))
    st.session_state["practice_number"] = min(number + 1, MOST_NUMBER)


def answer(to: Practice, chosen: int, right: bool) -> None:
    """Keep an answer; the first one to a question counts."""
    if answer_to(to) is None:
        kept = st.session_state.get("practice_answers", ())
        st.session_state["practice_answers"] = (*kept, Answered(to, chosen, right))


def answers() -> tuple[Answered, ...]:
    """The answers of this session, oldest first."""
    kept: tuple[Answered, ...] = st.session_state.get("practice_answers", ())
    return kept


def forget() -> None:
    """Delete the answers and count from 0 again."""
    st.session_state["practice_answers"] = ()


def answer_to(to: Practice) -> Answered | None:
    """The answer to a question, if it was answered."""
    return next((kept for kept in answers() if kept.practice == to), None)


def streaks(kept: tuple[Answered, ...]) -> tuple[int, int]:
    """The current and the longest run of right answers.

    >>> streaks(())
    (0, 0)
    """
    now = longest = 0
    for one in kept:
        now = now + 1 if one.right else 0
        longest = max(longest, now)
    return now, longest
