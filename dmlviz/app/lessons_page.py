"""The lessons: a card for each; ``/lessons?lesson=tile&part=2`` opens a part of one.

``part=end`` opens the page after its last part.
"""

from __future__ import annotations

import streamlit as st

from dmlviz.addresses import Reading
from dmlviz.app.address import address_parameters, linked, page_of, repeat_address, tell, to
from dmlviz.app.lesson_end import lesson_end
from dmlviz.app.lesson_marks import remember, tick
from dmlviz.app.lesson_view import lesson_view
from dmlviz.app.still import card_still
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.glossary import glossary
from dmlviz.teaching.lessons import END, Lesson, chapters, lessons
from dmlviz.words import _, ngettext

_MOST_PARTS = 99


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
        lesson_end(lesson, rest[0] if rest else None)
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
