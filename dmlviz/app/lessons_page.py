"""The lessons: a card for each; ``/lessons?lesson=tile&part=2`` opens a part of one.

``part=end`` opens the page after its last part.
"""

from __future__ import annotations

import streamlit as st

from dmlviz.addresses import Reading, write_link
from dmlviz.app.address import (
    address_parameters,
    linked,
    open_link,
    page_of,
    repeat_address,
    tell,
    to,
)
from dmlviz.app.lesson_foot import end_foot
from dmlviz.app.lesson_marks import forget_answers, marks_of, remember, tick
from dmlviz.app.lesson_view import lesson_view
from dmlviz.app.still import card_still
from dmlviz.app.text import operator_titles
from dmlviz.teaching.facts import operator_keys, state_of
from dmlviz.teaching.glossary import glossary
from dmlviz.teaching.lessons import END, Lesson, chapters, least_right, lessons, passed
from dmlviz.words import _, ngettext

_MOST_PARTS = 99
_ICONS = {True: "check_circle", False: "cancel", None: "radio_button_unchecked"}


def lessons_page() -> None:
    """Draw what the address asks for: one part of a lesson, or all lessons."""
    reading, found = Reading(address_parameters()), {lesson.key: lesson for lesson in lessons()}
    # the page lists them
    rule = _("there is none with that name; all of them are listed here.")
    lesson = found.get(reading.one_of("lesson", list(found), "", rule))
    ended = lesson is not None and reading.texts.get("part") == END
    reading.know("part")
    most = len(lesson.parts) if lesson else _MOST_PARTS
    number = 0 if ended else reading.whole("part", 1, most, 1)
    tell(problem.message for problem in reading.all_problems())
    repeat_address()
    if lesson is None:
        _list()
    elif ended:
        rest = list(found.values())[list(found).index(lesson.key) + 1 :]
        _end(lesson, rest[0] if rest else None)
    else:
        lesson_view(lesson, number)


def _list() -> None:
    st.title(_("Lessons"), anchor=False)
    st.markdown(
        _(
            "Short parts: read, predict what will happen, then watch it happen. Every number "
            "comes from the engine."
        )
    )
    remember()
    seen: set[str] = set()
    for number, (title, members) in enumerate(chapters(lessons())):
        st.header(title, anchor=False)
        with st.container(key=f"lesson_cards_{number}"):
            for one in members:
                _card(*one, seen)


def _card(number: int, lesson: Lesson, seen: set[str]) -> None:
    """Draw a lesson's card: the inputs of its first part, without the result."""
    minutes = ngettext("{n} minute", "{n} minutes", lesson.minutes).format(n=lesson.minutes)
    parts = ngettext("{n} part", "{n} parts", len(lesson.parts)).format(n=len(lesson.parts))
    with st.container(border=True, key=f"lesson_card_{lesson.key}"):
        card_still(state_of(lesson.parts[0].link))
        page, parameters = page_of(lesson.link())
        st.page_link(page, label=f"{number}. {lesson.title}", query_params=to(parameters))
        st.caption(f"{parts} \u00b7 {minutes}")
        tick(lesson)
        st.markdown(linked(lesson.audience, seen, glossary()))


def _end(lesson: Lesson, following: Lesson | None) -> None:
    """Draw the page after a lesson's last part: what was right, the aims, and where to go next.

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
        _parts(lesson, marks)
        aims = "\n".join(f"- {linked(aim, set(), glossary())}" for aim in lesson.aims)
        heading = _("Now you can:") if all(marks) else _("The aims of this lesson:")
        st.markdown(f"**{heading}**\n\n{aims}")
        _practice(lesson, marks)
        if following:
            told = _("Next lesson: {title}").format(title=following.title)
            open_link(following.link(), f"**{told}**", "school")
    end_foot(lesson, following)


def _parts(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    """Link to every part: first to those with wrong answers."""
    parts = list(zip(range(1, len(marks) + 1), lesson.parts, marks, strict=True))
    missed = [each for each in parts if each[2] is False]
    if missed:
        heading = _("Look again at:")
        st.markdown(f"**{heading}**")
    for number, part, mark in sorted(parts, key=lambda each: each[2] is not False):
        open_link(lesson.link(number), f"{number}. {part.title}", _ICONS[mark])


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
