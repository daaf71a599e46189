"""Answers in lessons, kept for this visit; the browser alone keeps which lessons were passed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.teaching.lessons import Lesson
from dmlviz.words import _

_ANSWERS = "lesson_answers"
"""The first answer's number in this session, by lesson and part."""
_JUST = "lesson_just_answered"

_SCRIPT = Path(__file__).with_name("lesson_marks.js")


def answer_of(lesson: Lesson, number: int) -> int | None:
    """The number of the answer to a part's question, from 0; None if there is none yet."""
    found: int | None = st.session_state.get(_ANSWERS, {}).get((lesson.key, number))
    return found


def keep_answer(lesson: Lesson, number: int, answer: int) -> None:
    """Keep an answer; the part then shows it and plays its movement once."""
    answers = st.session_state.get(_ANSWERS, {})
    st.session_state[_ANSWERS] = {**answers, (lesson.key, number): answer}
    st.session_state[_JUST] = (lesson.key, number)


def just_answered(lesson: Lesson, number: int) -> bool:
    """Whether a part's question was answered last, during this visit to the part."""
    return bool(st.session_state.get(_JUST) == (lesson.key, number))


def leave_part() -> None:
    """Note that the reader leaves a part; on return its movement is at its end."""
    st.session_state.pop(_JUST, None)


def forget_answers(lesson: Lesson) -> None:
    """Ask a lesson's questions again."""
    answers = st.session_state.get(_ANSWERS, {})
    st.session_state[_ANSWERS] = {at: n for at, n in answers.items() if at[0] != lesson.key}


def marks_of(lesson: Lesson) -> tuple[bool | None, ...]:
    """For each part, whether its answer is right; None if it was not answered."""
    given = [answer_of(lesson, number) for number in range(1, len(lesson.parts) + 1)]
    return tuple(
        None if answer is None else answer == part.prediction.right
        for answer, part in zip(given, lesson.parts, strict=True)
    )


def tick(lesson: Lesson) -> None:
    """Draw the place of a lesson's tick, which the browser shows if the lesson was passed."""
    with st.container(key=f"lesson_passed_{lesson.key}"):
        told = _("Lesson passed")
        st.markdown(f":material/check_circle: {told}")


def ticks(passed: Lesson | None = None) -> None:
    """Let the browser show its ticks.

    Args:
        passed: a lesson that gets a tick from now on; the server keeps nothing of it.
    """
    tell = st.components.v2.component("dmlviz_lessons", js=_script(), isolate_styles=False)
    tell(key="lesson_ticks", data={"passed": passed.key if passed else ""})


@cache
def _script() -> str:
    return _SCRIPT.read_text(encoding="utf-8")
