"""For the teacher: plans of lessons and runs with collapsed answers.

``/teach?lesson=tile`` opens the plan of a lesson, ``/teach?run=gather-and-scatter`` that of a run.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import address_parameters, go, open_link, tell
from dmlviz.app.class_draft import add_button
from dmlviz.app.series import BACK
from dmlviz.app.text import plain
from dmlviz.base.addresses import Reading, write_link
from dmlviz.base.words import _, ngettext
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.posed import Posed, of_part
from dmlviz.teaching.runs import Run, runs
from dmlviz.teaching.sets import parts_of_link

_CHOSEN = "teach_plan"
_ALL = "all"
_LETTERS = "ABCD"


def teach_page() -> None:
    """Draw the page."""
    known = {lesson.key: lesson for lesson in lessons()}
    named = {run.key: run for run in runs()}
    st.title(_("Plans for the teacher"), anchor=False)
    if not known:
        st.info(_("There are no lessons here yet."), icon=":material/school:")
        return
    at, problems = _read(list(known), list(named))
    st.markdown(
        _(
            "Plans for lessons and short runs. **Present** shows a question to the class: "
            "large, keyboard only, with the answer hidden until you press R. Answers on this "
            "page are collapsed, in case you project it by mistake."
        )
    )
    tell(problems)
    _choice(at, known, named)
    kind, _mark, key = at.partition(":")
    if kind == "run":
        _run(named[key])
        return
    for lesson in known.values() if at == _ALL else [known[key]]:
        _plan(lesson)


def _read(known: list[str], named: list[str]) -> tuple[str, list[str]]:
    """Which plan the address names, and what is wrong with it; the first lesson's by default."""
    reading = Reading(address_parameters())
    rule = _("there is none with that name; all of them are listed here.")
    lesson = reading.one_of("lesson", [*known, _ALL], "", rule)
    run = reading.one_of("run", named, "", rule)
    problems = [problem.message for problem in reading.all_problems()]
    if lesson:
        return _ALL if lesson == _ALL else f"lesson:{lesson}", problems
    return f"run:{run}" if run else f"lesson:{known[0]}", problems


def _choice(at: str, known: dict[str, Lesson], named: dict[str, Run]) -> None:
    """The plans to choose from; what is chosen becomes the address."""
    names = {f"run:{run.key}": _run_title(run) for run in named.values()}
    names |= {f"lesson:{lesson.key}": lesson.title for lesson in known.values()}
    total = sum(lesson.minutes for lesson in known.values())
    names[_ALL] = ngettext(
        "All lessons, to print ({n} minute)", "All lessons, to print ({n} minutes)", total
    ).format(n=total)
    # the address decides, because the Back button can change it
    st.session_state[_CHOSEN] = at
    st.selectbox(
        _("Plan"),
        list(names),
        key=_CHOSEN,
        format_func=lambda name: names.get(name, ""),
        on_change=_choose,
    )


def _choose() -> None:
    kind, _mark, key = str(st.session_state.get(_CHOSEN) or "").partition(":")
    go({"lesson": _ALL} if kind == _ALL else {kind: key} if key else {})


def _run_title(run: Run) -> str:
    minutes = ngettext("{n} minute", "{n} minutes", run.minutes).format(n=run.minutes)
    return _("{title}, {minutes}").format(title=run.title, minutes=minutes)


def _run(run: Run) -> None:
    with st.container(border=True, key="teach_run"):
        st.header(run.title, anchor=False)
        _facts(run.minutes, ngettext("{n} part", "{n} parts", len(run.parts)), len(run.parts))
        live = write_link("start-class", {"run": run.key})
        _begin(run.opening, write_link("present", {"run": run.key}), live)
        for number, part in enumerate(run.parts, 1):
            minutes = ngettext("{n} minute", "{n} minutes", part.minutes).format(n=part.minutes)
            link = write_link("present", {"run": run.key, "part": str(number)})
            _question_row(part.posed, f"{number}", f"{minutes} \u00b7 {part.posed.title}", link)
        operators = [*run.operators]
        _worksheet({"operator": operators[0]} if len(operators) == 1 else {}, _("Worksheet"))


def _plan(lesson: Lesson) -> None:
    with st.container(border=True, key=f"teach_{lesson.key}"):
        st.header(lesson.title, anchor=False)
        _facts(lesson.minutes, lesson.audience)
        _list(_("By the end, students can"), lesson.aims)
        live = write_link("start-class", {"lesson": lesson.key})
        _begin(lesson.plan.opening, _wall(lesson, part=1), live)
        _heading(_("The parts"))
        for number, part in enumerate(lesson.parts, 1):
            _question_row(
                of_part(lesson, number), f"{number}", part.title, _wall(lesson, part=number)
            )
        _heading(_("Ask the class"))
        for question in lesson.plan.questions:
            with st.expander(question.ask):
                _labeled(_("Answer"), question.right)
                _labeled(_("Likely mistake"), question.wrong)
                _labeled(_("Ask next"), question.following)
        if lesson.plan.misunderstandings:
            _heading(_("What learners often believe"))
        for number, belief in enumerate(lesson.plan.misunderstandings, 1):
            words, _stop, truth = belief.words.partition(". ")
            with _row(f"{lesson.key}-belief-{number}"):
                with st.expander(f"{words.rstrip('.')}."):
                    st.markdown(truth)
                open_link(_wall(lesson, belief=number), _("Present"), "co_present")
        _worksheet({"lesson": lesson.key}, _("Worksheet for this lesson"))


def _facts(minutes: int, more: str, n: int = 0) -> None:
    duration = ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    sign = ":material/view_carousel:" if n else ":material/groups:"
    st.markdown(f":material/schedule: {duration} \u2002 {sign} {more.format(n=n) if n else more}")


def _begin(opening: str, link: str, live: str) -> None:
    """Draw how to begin: show the first question to the room, or start a class with votes."""
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"teach-begin-{_key_of(link)}"
    ):
        heading = _("Warm-up")
        st.markdown(f"**{heading}**  \n{opening}")
        with st.container(width="content", key=f"teach-start-{_key_of(link)}"):
            open_link(link, _("Present from the start"), "play_arrow", **{BACK: "teach"})
            open_link(live, _("Start a class"), "groups")
            add_button(
                f"teach-add-all-{_key_of(link)}", lambda: parts_of_link(link.partition("&part=")[0])
            )


def _question_row(posed: Posed, number: str, above: str, link: str) -> None:
    """Draw a question, its collapsed answer, and the link that shows it to the room."""
    with _row(_key_of(link)):
        with st.expander(f"{number}. **{plain(posed.prompt)}**"):
            st.caption(above)
            right = _right(posed.answers, posed.right)
            _labeled(_("Answer"), plain(right) if right else plain(posed.reveal))
            if posed.likely:
                letter = _LETTERS[posed.answers.index(posed.likely)]
                wrong = f"{letter} {plain(posed.likely.text)}. {plain(posed.likely.why)}"
                _labeled(_("Likely mistake"), wrong)
            if posed.following:
                _labeled(_("Ask next"), posed.following)
        with st.container(key=f"teach-acts-{_key_of(link)}", width="content", gap="xxsmall"):
            open_link(link, _("Present"), "co_present", **{BACK: "teach"})
            add_button(f"teach-add-{_key_of(link)}", lambda: parts_of_link(link))


def _right(answers: tuple[Answer, ...], right: int) -> str:
    return f"{_LETTERS[right]} {answers[right].text}" if right >= 0 else ""


def _labeled(heading: str, text: str) -> None:
    st.markdown(f"**{heading}:** {text}")


def _row(key: str) -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="top", key=f"teach-row-{key}")


def _heading(text: str) -> None:
    st.subheader(text, anchor=False)


def _list(heading: str, lines: tuple[str, ...]) -> None:
    if lines:
        st.markdown("\n".join([f"**{heading}**\n", *(f"- {line}" for line in lines)]))


def _wall(lesson: Lesson, **number: int) -> str:
    numbers = {name: str(n) for name, n in number.items()}
    return write_link("present", {"lesson": lesson.key, **numbers})


def _key_of(link: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in link)


def _worksheet(words: Mapping[str, str], label: str) -> None:
    open_link(write_link("worksheet", words), label, "print")
