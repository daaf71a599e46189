"""One question of a series that is shown to a room: of a lesson, a run, a class, or practice."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

from dmlviz.app.class_draft import run_of
from dmlviz.base.addresses import Reading, write_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.posed import Posed, of_belief, of_part, of_practice
from dmlviz.teaching.practice import Practice, read_practice
from dmlviz.teaching.runs import Run, runs
from dmlviz.teaching.sets import SET, ClassSet, read_set

BACK = "back"
"""The parameter for where Escape leads: ``back=teach``; by default, to the question itself."""

_MOST_PARTS = 99


@dataclass(frozen=True)
class Series:
    """One question of a series.

    Attributes:
        posed: the question.
        at: its number, from 1.
        count: how many there are; 0 if the series is endless.
        name: the parameter that holds the number.
        back: the link that Escape opens.
        minutes: that the question takes; 0 if that is not known.
        notes: for the teacher alone; often empty.
        following: the question after this one: its title, its code and its words; empty after the
            last.
        group: a name of the whole series, by which two windows know that they show the same one.
    """

    posed: Posed
    at: int
    count: int
    name: str
    back: str
    minutes: int = 0
    notes: str = ""
    following: str = ""
    group: str = ""


def read_series(here: Mapping[str, str]) -> tuple[Series | None, list[str]]:
    """The question that an address names, and the address's problems."""
    series, problems = _read(here)
    if series is None:
        return None, problems
    rest = sorted((name, text) for name, text in here.items() if name not in (series.name, BACK))
    return replace(series, group=f"{zlib.crc32(repr(rest).encode()):08x}"), problems


def _read(here: Mapping[str, str]) -> tuple[Series | None, list[str]]:
    if "seed" in here:
        practice, wrong = read_practice(here, Practice(1))
        return _of_practice(practice), [problem.message for problem in wrong]
    reading = Reading(here)
    known, named = {one.key: one for one in lessons()}, {one.key: one for one in runs()}
    rule = _("there is none with that name.")
    lesson = known.get(reading.one_of("lesson", list(known), "", rule))
    run = named.get(reading.one_of("run", list(named), "", rule))
    back = reading.one_of(BACK, ["teach"], "")
    beliefs = lesson.plan.misunderstandings if lesson else ()
    belief = reading.whole("belief", 1, len(beliefs), 0) if beliefs else 0
    chosen = reading.part(SET, read_set, ClassSet())
    problems: list[str] = []
    if chosen.parts and run is None and lesson is None:
        run, left_out = run_of(chosen)
        problems = [problem.message for problem in left_out]
    parts = run.parts if run and lesson is None else lesson.parts if lesson else ()
    number = reading.whole("part", 1, len(parts) or _MOST_PARTS, 1)
    problems = [*(problem.message for problem in reading.all_problems()), *problems]
    if lesson:
        return _of_lesson(lesson, number, belief, back), problems
    return (_of_run(run, number) if run and run.parts else None), problems


def _of_lesson(lesson: Lesson, number: int, belief: int, back: str) -> Series:
    plan = write_link("teach", {"lesson": lesson.key})
    if belief:
        count = len(lesson.plan.misunderstandings)
        posed = of_belief(lesson, belief)
        after = of_belief(lesson, belief + 1).prompt if belief < count else ""
        return Series(posed, belief, count, "belief", plan, following=after)
    count = len(lesson.parts)
    posed = of_part(lesson, number)
    after = _announced(of_part(lesson, number + 1)) if number < count else ""
    minutes = max(1, round(lesson.minutes / count))
    leads = plan if back else lesson.link(number)
    return Series(posed, number, count, "part", leads, minutes, following=after)


def _of_run(run: Run, number: int) -> Series:
    part, count = run.parts[number - 1], len(run.parts)
    posed = replace(part.posed, title=run.title)
    after = _announced(run.parts[number].posed) if number < count else ""
    return Series(posed, number, count, "part", run.link(), part.minutes, part.notes, after)


def _announced(posed: Posed) -> str:
    """A question with what tells it apart from others in the same words."""
    code = posed.runs if posed.runs_code else ""
    return " \u00b7 ".join(filter(None, (posed.title, code, posed.prompt)))


def _of_practice(practice: Practice) -> Series:
    posed = of_practice(practice)
    return Series(posed, practice.number, 0, "number", posed.learner)
