"""assets/runs/*.toml -> runs: questions across lessons, presets and practice, with minutes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dmlviz import words
from dmlviz.addresses import write_link
from dmlviz.kept import kept
from dmlviz.lessons.lesson import Lesson
from dmlviz.lessons.posed import Posed, hidden_by, of_part, of_practice, of_preset
from dmlviz.lessons.reading import (
    Table,
    file_in,
    lessons,
    read_answers,
    read_hiding,
    read_toml,
)
from dmlviz.places import ASSETS
from dmlviz.presets import presets
from dmlviz.questions import LEVELS, MOST_NUMBER, MOST_SEED, Asked
from dmlviz.teaching.facts import state_of
from dmlviz.words import _, speaking

RUNS = ASSETS / "runs"


@dataclass(frozen=True)
class RunPart:
    """One question of a run.

    Attributes:
        posed: the question.
        minutes: that it takes in a class.
        claims: about the question's state, or another one that they name, to check its texts.
    """

    posed: Posed
    minutes: int
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """Questions to ask one after another.

    Attributes:
        key: its file's name and its name in addresses, such as ``gather-and-scatter``.
        title: its display name.
        opening: how to begin, in one or two sentences.
        parts: in order.
    """

    key: str
    title: str
    opening: str
    parts: tuple[RunPart, ...]

    @property
    def minutes(self) -> int:
        """The minutes of all parts together."""
        return sum(part.minutes for part in self.parts)

    @property
    def operators(self) -> tuple[str, ...]:
        """The keys of the operators that its parts show, in order."""
        links = [part.posed.link for part in self.parts if part.posed.link]
        return tuple(dict.fromkeys(state_of(link).key for link in links))

    def link(self) -> str:
        """The address of its plan."""
        return write_link("teach", {"run": self.key})


def runs(language: str | None = None) -> tuple[Run, ...]:
    """Every run, by name.

    Args:
        language: as in :func:`dmlviz.lessons.lessons`.

    Raises:
        Error: a file is not a run; the message names the file and the key.
    """
    with speaking(language or words.language()) as spoken:
        return _runs(spoken)


@kept(megabytes=4)
def _runs(language: str) -> tuple[Run, ...]:
    found = []
    for english in sorted(RUNS.glob("*.en.toml")):
        key = english.name.removesuffix(".en.toml")
        path = file_in(RUNS, key, language)
        found.append(read_run(path.read_text(encoding="utf-8"), key, path.name))
    return tuple(found)


def read_run(text: str, key: str, file: str) -> Run:
    """The run in the text of a file.

    Args:
        text: TOML.
        key: of the run.
        file: its name, for messages.

    Raises:
        Error: it is not TOML; a key is unknown, missing or of the wrong type; or a lesson, a part,
            a preset or a question of practice does not exist.
    """
    table = Table(read_toml(text, file), file, "")
    known = {lesson.key: lesson for lesson in lessons()}
    parts = tuple(_part(part, known) for part in table.tables("parts"))
    run = Run(key, table.text("title"), table.text("opening"), parts)
    if table.whole("minutes") != run.minutes:
        raise table.error("minutes", _("the parts take {n}.").format(n=run.minutes))
    table.done()
    return run


def _part(table: Table, known: Mapping[str, Lesson]) -> RunPart:
    minutes = table.whole("minutes")
    if "lesson" in table.data:
        posed = _of_lesson(table, known)
    elif "preset" in table.data:
        posed = _of_preset(table)
    else:
        posed = _of_practice(table)
    following = table.text("next", usual=posed.following or None)
    claims = table.texts("claims", usual=[], raw=True)
    table.done()
    return RunPart(replace(posed, following=following), minutes, claims)


def _of_lesson(table: Table, known: Mapping[str, Lesson]) -> Posed:
    lesson = known.get(table.text("lesson"))
    if lesson is None:
        raise table.error(
            "lesson", _("it must be one of {options}.").format(options=", ".join(known))
        )
    number = table.whole("part")
    if number > len(lesson.parts):
        rule = _("the lesson has {n} parts.").format(n=len(lesson.parts))
        raise table.error("part", rule)
    return of_part(lesson, number)


def _of_preset(table: Table) -> Posed:
    key = table.text("preset")
    preset = next((one for one in presets() if one.key == key), None)
    if preset is None:
        raise table.error("preset", _("there is none with that name."))
    posed = of_preset(preset)
    if "choices" not in table.data:
        return posed
    # the preset's state fills in their facts
    table.link = posed.link
    answers = read_answers(table)
    prompt = table.text("prompt", usual=posed.prompt)
    hides, quiet = read_hiding(table)
    hides = hides or hidden_by(answers)
    return replace(posed, prompt=prompt, answers=answers, hides=hides, quiet=quiet)


def _of_practice(table: Table) -> Posed:
    asked = Asked(
        table.whole("seed"),
        table.whole("level"),
        table.text("operator"),
        table.whole("number"),
    )
    if asked.seed > MOST_SEED or asked.level not in LEVELS or asked.number > MOST_NUMBER:
        raise table.error("seed", _("there is no such question."))
    return of_practice(asked)
