"""Answers in lessons, for this session; the browser alone remembers them for the next one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.app.remembered import visit
from dmlviz.base.words import _
from dmlviz.teaching.lessons import Lesson, lessons

_ANSWERS = "lesson_answers"
"""The first answer's number in this session, by lesson and part."""
_JUST = "lesson_just_answered"
_MEMORY = "lesson_memory"
_MOST_REMEMBERED = 20_000
"""The most letters of a browser's answers that are read."""

_SCRIPT = Path(__file__).with_name("lesson_memory.js")


def answer_of(lesson: Lesson, number: int) -> int | None:
    """The number of the answer to a part's question, from 0; None if there is none yet."""
    answer: int | None = st.session_state.get(_ANSWERS, {}).get((lesson.key, number))
    return answer


def keep_answer(lesson: Lesson, number: int, answer: int) -> None:
    """Keep an answer; the part then shows it, and its movement waits at the start."""
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
    answers = [answer_of(lesson, number) for number in range(1, len(lesson.parts) + 1)]
    return tuple(
        None if answer is None else answer == part.prediction.right
        for answer, part in zip(answers, lesson.parts, strict=True)
    )


def tick(lesson: Lesson) -> None:
    """Draw the place of a lesson's tick, which the browser shows if the lesson was passed."""
    with st.container(key=f"lesson_passed_{lesson.key}"):
        label = _("Lesson passed")
        st.markdown(f":material/check_circle: {label}")


def remember(passed: Lesson | None = None) -> None:
    """Let the browser remember the answers, give back its last session's, and show its ticks.

    Args:
        passed: a lesson that gets a tick from now on; the server keeps nothing of it.
    """
    answers: dict[str, dict[str, int]] = {}
    for (lesson, number), answer in st.session_state.get(_ANSWERS, {}).items():
        answers.setdefault(lesson, {})[str(number)] = answer
    with st.container(key="lesson_remembers"):
        tell = st.components.v2.component("dmlviz_lessons", js=_script(), isolate_styles=False)
        tell(
            key=_MEMORY,
            data={"passed": passed.key if passed else "", "visit": visit(), "answers": answers},
            on_answers_change=_take_back,
        )


def _take_back() -> None:
    """Take the answers of the browser's last session, where this one has none."""
    remembered = read_answers(str(st.session_state.get(_MEMORY, {}).get("answers") or ""))
    st.session_state[_ANSWERS] = remembered | st.session_state.get(_ANSWERS, {})


def read_answers(text: str) -> dict[tuple[str, int], int]:
    """The answers that a browser sends: JSON, by lesson and part, each answer's number from 0.

    What no lesson asks is left out; what is no such text has no answers.

    >>> read_answers('{"tile": {"1": 0, "99": 0}, "none": {"1": 0}}'), read_answers("{")
    ({('tile', 1): 0}, {})
    """
    if len(text) > _MOST_REMEMBERED:
        return {}
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    choices = {
        (lesson.key, number): len(part.prediction.answers)
        for lesson in lessons()
        for number, part in enumerate(lesson.parts, 1)
    }
    return {
        (lesson, number): answer
        for (lesson, number), count in choices.items()
        if isinstance(sent, dict) and isinstance(parts := sent.get(lesson), dict)
        if type(answer := parts.get(str(number))) is int and 0 <= answer < count
    }


@cache
def _script() -> str:
    return _SCRIPT.read_text(encoding="utf-8")
