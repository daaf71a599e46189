"""``/present?lesson=tile&part=2``: the questions of a lesson, a run or practice for a room."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dmlviz.addresses import Reading, split_link, write_link
from dmlviz.app.address import address_parameters, go, open_link, page_address, page_of, tell, to
from dmlviz.app.compare import outputs_on_stage, show_both
from dmlviz.app.stage import link_of, pictures, show, show_still
from dmlviz.app.text import plain
from dmlviz.app.wall import Acts, alone, refusal_of, still_of, wall_of
from dmlviz.errors import Error
from dmlviz.teaching.answers import NOTHING
from dmlviz.teaching.facts import Facts, facts_of, state_of
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.posed import Posed, of_belief, of_part, of_practice
from dmlviz.teaching.practice import MOST_NUMBER, Practice, read_practice
from dmlviz.teaching.runs import Run, runs
from dmlviz.verify import write_example
from dmlviz.words import _

_LEAVES = "wall_leaves"
_KEY = "present-stage-wall"
_MOST_PARTS = 99
BACK = "back"
"""The parameter for where Escape leads: ``back=teach``; by default, to the question itself."""


@dataclass(frozen=True)
class _Series:
    """One question of a series.

    Attributes:
        posed: the question.
        at: its number, from 1.
        count: how many there are; 0 if the series is endless.
        name: the parameter that holds the number.
        back: the link that Escape opens.
    """

    posed: Posed
    at: int
    count: int
    name: str
    back: str


def present_page() -> None:
    """Draw what the address says, large enough for the last row."""
    if leaves := st.session_state.pop(_LEAVES, ""):
        page, parameters = page_of(leaves)
        st.switch_page(page, query_params=to(parameters))
    here = address_parameters()
    found, problems = _read(here)
    if found is None:
        # leave room for Streamlit's header, because this page has no bar
        st.space("large")
        tell(problems)
        st.title(_("Present"), anchor=False)
        st.markdown(_("Choose what to present in Plans for the teacher."))
        open_link("/teach", _("Plans for the teacher"), "co_present")
        return
    alone()
    tell(problems)
    _wall(found, here)


def _wall(found: _Series, here: Mapping[str, str]) -> None:
    posed = found.posed

    def turn(way: str) -> None:
        number = found.at + (1 if way == "next" else -1)
        if 1 <= number <= (found.count or MOST_NUMBER):
            go({**here, found.name: str(number)})

    def leave(_search: str) -> None:
        st.session_state[_LEAVES] = found.back

    place = _("{number} of {count}").format(number=found.at, count=found.count)
    place = place if found.count else str(found.at)
    acts = Acts(lambda _search: _for_learners(posed.learner), leave, turn)
    words: dict[str, Any] = {"hidden": True, "place": f"{posed.title} \u00b7 {place}"}
    state = state_of(posed.link) if posed.link else None
    refusal = refusal_of(state) if state else ""
    if state is None or refusal:
        # a preset's answer may already contain the refusal
        before = "" if refusal in posed.reveal else refusal
        reveal = "\n".join(filter(None, (before, posed.reveal)))
        posed = replace(posed, reveal=reveal)
        words["text"] = posed.support
        show_still(wall_of(posed, _KEY, acts, **words, still=still_of(state)), _KEY)
        return
    if posed.text:
        words["text"] = _as_text(posed.link)
    try:
        drawn, *others = pictures(state)
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    other = others[0] if others else None
    # each question counts as a new opening of the page
    opening = zlib.crc32(repr(sorted(here.items())).encode())
    link = link_of("present", opening, state.view, outputs_on_stage(drawn, other))
    link |= {"writes": False, "shares": False, "pins": True}
    step = len(drawn.steps) if posed.hides == NOTHING else 0
    link["view"] = {**link["view"], "step": step}
    wall = wall_of(posed, _KEY, acts, **words)
    if other is None:
        show(drawn, key=_KEY, link=link, wall=wall)
    else:
        show_both(drawn, other, _KEY, link, wall)


def _as_text(link: str) -> str:
    """The documentation's text before the output."""
    facts = facts_of(link)
    assert isinstance(facts, Facts)  # code has no documentation
    text = write_example(facts.operator, facts.trace.inputs, facts.trace.outputs)
    return text.partition(f"\n\n{next(iter(facts.trace.outputs))}:")[0]


def _for_learners(link: str) -> str:
    """The whole address that a learner opens."""
    root = page_address().rpartition("/")[0]
    found = split_link(link)
    return root + write_link(found.page, to(found.parameters))


def _read(here: Mapping[str, str]) -> tuple[_Series | None, list[str]]:
    """The question that the address names, and the address's problems."""
    if "seed" in here:
        asked, wrong = read_practice(here, Practice(1))
        series = _of_practice(asked)
        return series, [problem.message for problem in wrong]
    reading = Reading(here)
    known, named = {one.key: one for one in lessons()}, {one.key: one for one in runs()}
    rule = _("there is none with that name.")
    lesson = known.get(reading.one_of("lesson", list(known), "", rule))
    run = named.get(reading.one_of("run", list(named), "", rule))
    back = reading.one_of(BACK, ["teach"], "")
    beliefs = lesson.plan.misunderstandings if lesson else ()
    belief = reading.whole("belief", 1, len(beliefs), 0) if beliefs else 0
    parts = run.parts if run and lesson is None else lesson.parts if lesson else ()
    number = reading.whole("part", 1, len(parts) or _MOST_PARTS, 1)
    problems = [problem.message for problem in reading.all_problems()]
    if lesson:
        return _of_lesson(lesson, number, belief, back), problems
    return (_of_run(run, number) if run else None), problems


def _of_lesson(lesson: Lesson, number: int, belief: int, back: str) -> _Series:
    plan = write_link("teach", {"lesson": lesson.key})
    if belief:
        count = len(lesson.plan.misunderstandings)
        return _Series(of_belief(lesson, belief), belief, count, "belief", plan)
    posed = of_part(lesson, number)
    return _Series(posed, number, len(lesson.parts), "part", plan if back else lesson.link(number))


def _of_run(run: Run, number: int) -> _Series:
    posed = replace(run.parts[number - 1].posed, title=run.title)
    return _Series(posed, number, len(run.parts), "part", run.link())


def _of_practice(asked: Practice) -> _Series:
    posed = of_practice(asked)
    return _Series(posed, asked.number, 0, "number", posed.learner)
