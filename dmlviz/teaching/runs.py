"""Runs: questions across lessons, presets and practice, with minutes.

A run is one file in ``assets/runs``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from dmlviz.base import words
from dmlviz.base.addresses import write_link
from dmlviz.base.cache import cached
from dmlviz.base.decoding import below
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _, of_file, speaking
from dmlviz.teaching.answers import Choices
from dmlviz.teaching.facts import operator_keys
from dmlviz.teaching.files import decode_table, error_at, fill_texts, read_all, read_toml
from dmlviz.teaching.lessons import Positive, lessons
from dmlviz.teaching.posed import Posed, hidden_by, of_part, of_practice, of_preset
from dmlviz.teaching.practice import MOST_NUMBER, MOST_SEED, Practice
from dmlviz.teaching.presets import presets
from dmlviz.teaching.questions import LEVELS

RUNS = ASSETS / "runs"


@dataclass(frozen=True)
class RunPart:
    """One question of a run.

    Attributes:
        posed: the question.
        minutes: that it takes in a class.
        claims: about the question's state, or another one that they name, to check its texts.
        notes: for the teacher alone; often empty.
    """

    posed: Posed
    minutes: int
    claims: tuple[str, ...] = ()
    notes: str = ""


@dataclass(frozen=True)
class Run:
    """Questions to ask one after another.

    Attributes:
        key: its file's name and its name in addresses, such as ``gather-and-scatter``.
        title: its display name.
        opening: how to begin, in one or two sentences.
        parts: in order.
        plan: the address of its plan; empty for the page of plans, where those of the app are.
    """

    key: str
    title: str
    opening: str
    parts: tuple[RunPart, ...]
    plan: str = ""

    @property
    def minutes(self) -> int:
        """The minutes of all parts together."""
        return sum(part.minutes for part in self.parts)

    @property
    def operators(self) -> tuple[str, ...]:
        """The keys of the operators that its parts show, in order."""
        links = [part.posed.link for part in self.parts if part.posed.link]
        return operator_keys(links)

    def link(self) -> str:
        """The address of its plan."""
        return self.plan or write_link("teach", {"run": self.key})


def runs(language: str | None = None) -> tuple[Run, ...]:
    """Every run, by name.

    Args:
        language: as in :func:`dmlviz.teaching.lessons.lessons`.

    Raises:
        Error: a file is not a run; the message names the file and the key.
    """
    with speaking(language or words.locale()) as spoken:
        return _runs(spoken)


@cached(megabytes=4)
def _runs(language: str) -> tuple[Run, ...]:
    return read_all(RUNS, language, read_run)


class _FilePart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    minutes: Positive
    following: str = field(name="next")
    claims: tuple[str, ...] = ()

    def posed(self) -> Posed:
        raise NotImplementedError


class _LessonFilePart(_FilePart, frozen=True, forbid_unknown_fields=True, kw_only=True):
    lesson: str
    part: Positive
    # the lesson has a proposal
    following: str = field(name="next", default="")

    def posed(self) -> Posed:
        by_key = {lesson.key: lesson for lesson in lessons()}
        if self.lesson not in by_key:
            rule = _("it must be one of {options}.").format(options=", ".join(by_key))
            raise Error(rule, "lesson")
        lesson = by_key[self.lesson]
        if self.part > len(lesson.parts):
            raise Error(_("the lesson has {n} parts.").format(n=len(lesson.parts)), "part")
        return of_part(lesson, self.part)


class _PresetFilePart(_FilePart, frozen=True, forbid_unknown_fields=True, kw_only=True):
    preset: str

    def posed(self) -> Posed:
        return _of_preset(self.preset)


# a struct has one base: the first three fields are those of _FilePart
class _ChoicesFilePart(Choices, frozen=True, forbid_unknown_fields=True, kw_only=True):
    minutes: Positive
    following: str = field(name="next")
    claims: tuple[str, ...] = ()
    preset: str
    prompt: str = ""

    def posed(self) -> Posed:
        return _of_preset(self.preset)


class _PracticeFilePart(_FilePart, frozen=True, forbid_unknown_fields=True, kw_only=True):
    seed: Positive
    level: Positive
    operator: str
    number: Positive

    def posed(self) -> Posed:
        if self.seed > MOST_SEED or self.level not in LEVELS or self.number > MOST_NUMBER:
            raise Error(_("there is no such question."), "seed")
        return of_practice(Practice(self.seed, self.level, self.operator, self.number))


# by the key that tells a kind of part from those after it
_KINDS: dict[str, type[_FilePart | _ChoicesFilePart]] = {
    "lesson": _LessonFilePart,
    "choices": _ChoicesFilePart,
    "preset": _PresetFilePart,
    "minutes": _PracticeFilePart,
}


def _of_preset(key: str) -> Posed:
    preset = next((each for each in presets() if each.key == key), None)
    if preset is None:
        raise Error(_("there is none with that name."), "preset")
    return of_preset(preset)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    opening: str
    minutes: Positive
    parts: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1)]


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
    table = decode_table(read_toml(text, file), _File, file)
    parts = tuple(_part(part, file, f"parts[{i}]") for i, part in enumerate(table.parts))
    run = Run(key, of_file(table.title), of_file(table.opening), parts)
    if table.minutes != run.minutes:
        raise error_at(file, "minutes", _("the parts take {n}.").format(n=run.minutes))
    return run


def _part(table: Mapping[str, Any], file: str, place: str) -> RunPart:
    kind = next((kind for key, kind in _KINDS.items() if key in table), _PracticeFilePart)
    part = decode_table(table, kind, file, place)
    try:
        posed = part.posed()
    except Error as error:
        raise error_at(file, below(place, error.field), str(error)) from None
    # the preset's state fills in the facts of its choices
    part = fill_texts(part, file, place, posed.link if isinstance(part, Choices) else "")
    if isinstance(part, _ChoicesFilePart):
        posed = replace(
            posed,
            prompt=part.prompt or posed.prompt,
            answers=part.answers,
            hides=part.hides or hidden_by(part.answers),
            quiet=part.hides_settings,
        )
    posed = replace(posed, following=part.following or posed.following)
    return RunPart(posed, part.minutes, part.claims)
