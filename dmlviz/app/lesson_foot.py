"""The bar at the foot of lessons and practice: back, all, and next, by button and by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import go, open_link
from dmlviz.app.class_draft import add_button
from dmlviz.app.lesson_marks import leave_part
from dmlviz.base.addresses import split_link, write_link
from dmlviz.base.words import _
from dmlviz.teaching.lessons import Lesson
from dmlviz.teaching.sets import parts_of_link

FOOT = 72
"""Pixels at the window's foot: the bar with *Next*, and some air above it."""
_ASKED = "lesson_skip_asked"
"""The session's key for the part that the reader was asked to confirm skipping."""


def awaits_skip(lesson: Lesson, number: int) -> bool:
    """Whether the reader pressed Next without an answer and was asked to confirm it."""
    return bool(st.session_state.get(_ASKED) == (lesson.key, number))


def part_foot(lesson: Lesson, number: int, *, answered: bool) -> None:
    """Draw the bar of a part.

    Args:
        lesson: the open lesson.
        number: of the part, from 1.
        answered: whether its question was answered; if not, Next asks once whether to skip it.
    """
    last = number == len(lesson.parts)
    onward = _("To the end") if last else _("Next part")
    with foot_bar():
        _back(lesson.link(number - 1) if number > 1 else "")
        _all()
        with st.container(
            key="lesson_present", width="content", horizontal=True, vertical_alignment="center"
        ):
            wall = {"lesson": lesson.key, "part": str(number)}
            open_link(write_link("present", wall), _("Present"), "co_present")
            add_button("lesson_add", lambda: parts_of_link(lesson.link(number)))
        if answered:
            next_button(onward, leave, lesson.link(number + 1))
        else:
            label = _("Skip this part") if awaits_skip(lesson, number) else onward
            next_button(label, _ask, lesson, number, primary=False)


def end_foot(lesson: Lesson, following: Lesson | None) -> None:
    """Draw the bar of a lesson's end: back, and the next lesson if there is one."""
    with foot_bar():
        _back(lesson.link(len(lesson.parts)))
        if following:
            _all()
        if following:
            next_button(_("Next lesson"), leave, following.link())
        else:
            next_button(_("All lessons"), leave)


def leave(link: str = "/lessons") -> None:
    """Open another part or the list, and forget the question whether to skip."""
    st.session_state.pop(_ASKED, None)
    leave_part()
    go(split_link(link).parameters)


def _ask(lesson: Lesson, number: int) -> None:
    if awaits_skip(lesson, number):
        leave(lesson.link(number + 1))
    else:
        st.session_state[_ASKED] = (lesson.key, number)


def foot_bar() -> DeltaGenerator:
    """The container at the window's foot, whose height and air are :data:`FOOT`."""
    return st.container(key="lesson_foot", horizontal=True, vertical_alignment="center")


def next_button(
    label: str,
    go_on: Callable[..., None],
    *args: Any,
    key: str = "lesson_next",
    primary: bool = True,
) -> None:
    """Draw the button at the bar's end that goes on; its key is N.

    Args:
        label: what comes next.
        go_on: what the button calls.
        args: for ``go_on``.
        key: of the button.
        primary: whether it is the one to press now.
    """
    st.space("stretch")
    st.button(
        label,
        icon=":material/arrow_forward:",
        key=key,
        shortcut="N",
        type="primary" if primary else "secondary",
        on_click=go_on,
        args=args,
    )


def _back(link: str) -> None:
    st.button(
        _("Back"),
        icon=":material/arrow_back:",
        key="lesson_back",
        shortcut="P",
        type="tertiary",
        disabled=not link,
        on_click=leave,
        args=(link,),
    )


def _all() -> None:
    st.button(
        _("All lessons"),
        icon=":material/apps:",
        key="lesson_all",
        shortcut="L",
        type="tertiary",
        on_click=leave,
    )
