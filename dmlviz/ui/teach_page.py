"""For the teacher: the plan of each lesson, on the screen and on paper."""

from __future__ import annotations

import streamlit as st

from dmlviz.addresses import PRESENT, write_link
from dmlviz.lessons import Lesson, lessons
from dmlviz.ui.address import open_link
from dmlviz.ui.state import KEEP
from dmlviz.words import _, ngettext


def teach_page() -> None:
    """Draw the page."""
    st.title(_("Teach"), anchor=False)
    st.markdown(
        _(
            "A plan for each lesson: what to ask the class, what learners often believe, and the "
            "state that shows why it is not so. *Present* opens it for the room: large, with keys "
            "alone. The parts begin with the output hidden: let the class predict it, then press R."
        )
    )
    found = {lesson.key: lesson for lesson in lessons()}
    if not found:
        st.info(_("There are no lessons here yet."), icon=":material/school:")
        return
    total = sum(lesson.minutes for lesson in found.values())
    names = {key: lesson.title for key, lesson in found.items()}
    every = ngettext(
        "All lessons, to print ({n} minute)", "All lessons, to print ({n} minutes)", total
    ).format(n=total)
    chosen = st.selectbox(
        _("Lesson"),
        [*names, ""],
        key="teach_lesson",
        format_func=lambda key: names.get(key, every),
        persist_state=KEEP,
    )
    # what is none of the lessons is all of them: a browser may send anything
    for lesson in [found[chosen]] if chosen in found else found.values():
        _plan(lesson)


def _plan(lesson: Lesson) -> None:
    with st.container(border=True):
        st.header(lesson.title, anchor=False)
        minutes = ngettext("{n} minute", "{n} minutes", lesson.minutes).format(n=lesson.minutes)
        st.markdown(f":material/schedule: {minutes} \u2002 :material/groups: {lesson.audience}")
        _list(_("Afterwards one can"), lesson.aims)
        if lesson.plan.opening:
            heading = _("To begin")
            st.markdown(f"**{heading}**  \n{lesson.plan.opening}")
        heading = _("The parts")
        st.markdown(f"**{heading}**")
        for number, part in enumerate(lesson.parts, 1):
            told = f"{number}. **{part.title}** \u2002 *{part.prediction.prompt}*"
            _shown(told, part.link, f"{lesson.key}-part-{number}", predict="true")
        _list(_("Ask the class"), lesson.plan.questions)
        if lesson.plan.misunderstandings:
            heading = _("What learners often believe")
            st.markdown(f"**{heading}**")
        for number, belief in enumerate(lesson.plan.misunderstandings):
            _shown(belief.words, belief.link, f"{lesson.key}-belief-{number}")
        _worksheet(lesson)


def _list(heading: str, lines: tuple[str, ...]) -> None:
    if lines:
        st.markdown("\n".join([f"**{heading}**\n", *(f"- {line}" for line in lines)]))


def _shown(told: str, link: str, key: str, **more: str) -> None:
    """A text, and the button that shows their state to the room.

    Args:
        told: Markdown.
        link: of the state.
        key: of what is drawn.
        more: further parameters.
    """
    with st.container(horizontal=True, vertical_alignment="center", key=f"teach-{key}"):
        st.markdown(told)
        open_link(link, _("Present"), "co_present", **more, **{PRESENT: "true"})


def _worksheet(lesson: Lesson) -> None:
    alone = {"operator": lesson.operators[0]} if len(lesson.operators) == 1 else {}
    open_link(write_link("worksheet", alone), _("A worksheet for it"), "print")
