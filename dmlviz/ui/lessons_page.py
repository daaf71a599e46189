"""The lessons: a card for each; ``/lessons?lesson=tile&part=2`` opens a part of one."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dmlviz.addresses import Reading
from dmlviz.glossary import glossary
from dmlviz.lessons import Lesson, lessons
from dmlviz.lessons.lesson import state_of
from dmlviz.ui.address import address_parameters, linked, open_link, tell
from dmlviz.ui.lesson_view import lesson_view
from dmlviz.ui.still import state_still
from dmlviz.words import _, ngettext

_MOMENT = 1.5
_MOST_PARTS = 99


def lessons_page() -> None:
    """What the address asks for: one part of a lesson, or all lessons."""
    reading, found = Reading(address_parameters()), {lesson.key: lesson for lesson in lessons()}
    # the page lists them
    rule = _("there is none of that name; all of them are here.")
    lesson = found.get(reading.one_of("lesson", list(found), "", rule))
    number = reading.whole("part", 1, len(lesson.parts) if lesson else _MOST_PARTS, 1)
    tell(problem.message for problem in reading.told())
    if lesson is not None:
        lesson_view(lesson, number)
    else:
        _list()


def _list() -> None:
    st.title(_("Lessons"), anchor=False)
    st.markdown(
        _(
            "Short parts: read, say what will happen, then see it happen. "
            "Every number in them comes from the engine."
        )
    )
    seen: set[str] = set()
    numbered = list(enumerate(lessons(), 1))
    for at in range(0, len(numbered), 2):
        pair = numbered[at : at + 2]
        for column, one in zip(st.columns(2, gap="medium"), pair, strict=False):
            with column.container(border=True, height="stretch"):
                _card(*one, seen)


def _card(number: int, lesson: Lesson, seen: set[str]) -> None:
    st.subheader(f"{number}. {lesson.title}", anchor=False)
    minutes = ngettext("{n} minute", "{n} minutes", lesson.minutes).format(n=lesson.minutes)
    parts = ngettext("{n} part", "{n} parts", len(lesson.parts)).format(n=len(lesson.parts))
    st.markdown(
        f":material/schedule: {minutes} \u2002 :material/format_list_numbered: {parts}"
        f" \u2002 {linked(lesson.audience, seen, glossary())}"
    )
    # not the first part's own state: that would tell its answer
    state_still(_under_way(lesson.parts[0].what_if.link), width=720)
    st.markdown("\n".join(f"- {linked(aim, seen, glossary())}" for aim in lesson.aims))
    start = _("Start: {title}").format(title=lesson.title)
    open_link(lesson.link(), start, "play_circle")


def _under_way(link: str) -> str:
    """The same state in the middle of its first moves."""
    state = state_of(link)
    return replace(state, view=replace(state.view, step=_MOMENT, pinned=())).address()
