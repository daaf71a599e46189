"""The end of a lesson: which answers were right, the goal, and where to go next."""

from __future__ import annotations

import streamlit as st

from dmlviz.addresses import write_link
from dmlviz.app.address import linked, open_link
from dmlviz.app.lesson_foot import end_foot
from dmlviz.app.lesson_marks import forget_answers, marks_of, remember
from dmlviz.app.text import operator_titles
from dmlviz.teaching.facts import operator_keys
from dmlviz.teaching.glossary import glossary
from dmlviz.teaching.lessons import Lesson, least_right, passed
from dmlviz.words import _, ngettext

_ICONS = {True: "check_circle", False: "cancel", None: "radio_button_unchecked"}


def lesson_end(lesson: Lesson, following: Lesson | None) -> None:
    """The page after a lesson's last part.

    Args:
        lesson: the lesson that ends.
        following: the lesson to take next; None after the last one.
    """
    marks = marks_of(lesson)
    st.title(lesson.title, anchor=False)
    with st.container(key="lesson_end"):
        told = _("You answered {right} of {count} questions correctly.")
        st.markdown(f"**{told.format(right=marks.count(True), count=len(marks))}**")
        _passed(lesson, marks)
        for number, (part, mark) in enumerate(zip(lesson.parts, marks, strict=True), 1):
            open_link(lesson.link(number), f"{number}. {part.title}", _ICONS[mark])
        aims = "\n".join(f"- {linked(aim, set(), glossary())}" for aim in lesson.aims)
        heading = _("Now you can:") if passed(marks) else _("The aims of this lesson:")
        st.markdown(f"**{heading}**\n\n{aims}")
        _practice(lesson, marks)
        if following:
            told = _("Next lesson: {title}").format(title=following.title)
            open_link(following.link(), f"**{told}**", "school")
    end_foot(lesson, following)


def _passed(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    remember(lesson if passed(marks) else None)
    if passed(marks):
        told = _("You passed this lesson. Only this browser remembers its tick.")
        st.markdown(f":material/check: {told}")
        return
    missing = [str(number) for number, mark in enumerate(marks, 1) if mark is None]
    if missing:
        told = ngettext(
            "Part {parts} is not answered yet.", "Parts {parts} are not answered yet.", len(missing)
        )
        st.markdown(f":material/radio_button_unchecked: {told.format(parts=', '.join(missing))}")
    told = _("To pass, answer every question, at least {least} of {count} correctly.")
    st.markdown(told.format(least=least_right(len(marks)), count=len(marks)))
    if any(mark is not None for mark in marks):
        st.button(
            _("Start this lesson over"),
            icon=":material/restart_alt:",
            key="lesson_again",
            on_click=forget_answers,
            args=(lesson,),
        )


def _practice(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    """Link to practice of the operators with wrong answers, or of all if no answer was wrong."""
    missed = [part for part, mark in zip(lesson.parts, marks, strict=True) if mark is False]
    # code has no practice of its own
    keys = operator_keys(part.link for part in missed) or lesson.operators
    heading = _("Practice what you missed:") if missed else _("Practice it:")
    st.markdown(f"**{heading}**")
    for key in keys:
        open_link(write_link("practice", {"operator": key}), operator_titles()[key], "exercise")
