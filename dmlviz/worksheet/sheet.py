"""The contents of a sheet: the same parameters give the same sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain, cycle
from typing import ClassVar

from dmlviz.addresses import LANGUAGE, Reading, write_link
from dmlviz.errors import Error, Problem
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.practice import MOST_SEED, Practice, ask, check_kind, check_whole
from dmlviz.teaching.questions import KINDS, LEVELS, Question
from dmlviz.tensors import shown
from dmlviz.words import ENGLISH, _, language, ngettext
from dmlviz.worksheet.exercise import EXERCISES, Exercise, exercise
from dmlviz.worksheet.lesson import kinds_asked, own_questions

MOST_COUNT = 30
"""The limit of questions on a sheet."""

SHEET_KINDS = (*KINDS, *EXERCISES)
"""The kinds on a sheet: multiple-choice questions and pencil exercises."""


def kinds_of(operator: str) -> tuple[str, ...]:
    """The kinds that are possible for an operator.

    Args:
        operator: its key; empty for all operators.
    """
    unasked = operator_class(operator).unasked if operator else ()
    return tuple(kind for kind in SHEET_KINDS if kind not in unasked)


def _lesson(key: str) -> Lesson:
    found = next((lesson for lesson in lessons() if lesson.key == key), None)
    if found is None:
        raise Error(_("lesson: there is no lesson {key}.").format(key=shown(key)), "lesson")
    return found


@dataclass(frozen=True)
class Sheet:
    """A sheet's questions, as the parameters that make them.

    Attributes:
        seed: 0 to 2,147,483,647.
        level: 1 to 3.
        operator: the key of an operator, or empty for all.
        kind: one of :data:`SHEET_KINDS`; empty for all multiple-choice kinds.
        count: how many questions, 1 to 30.
        lesson: the key of a lesson: its own questions, exercises, then more of the same kinds
            about its operators; operator and kind are then ignored. Empty for none.

    Raises:
        Error: one of them is invalid; the message says which.
    """

    key: ClassVar[str] = "worksheet"

    seed: int = 1
    level: int = 1
    operator: str = ""
    kind: str = ""
    count: int = 8
    lesson: str = ""

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0, MOST_SEED)
        check_whole("level", self.level, LEVELS[0], LEVELS[-1])
        check_whole("count", self.count, 1, MOST_COUNT)
        if self.operator:
            operator_class(self.operator)
        if self.kind not in EXERCISES:
            check_kind(self.kind)
        if self.lesson:
            _lesson(self.lesson)

    def questions(self) -> tuple[Question | Exercise, ...]:
        """Its questions, number 1 first."""
        if self.lesson:
            return self._of_lesson(_lesson(self.lesson))
        numbers = range(1, self.count + 1)
        return tuple(self._drawn(number, self.operator, self.kind) for number in numbers)

    def _drawn(self, number: int, operator: str, kind: str) -> Question | Exercise:
        if kind in EXERCISES:
            return exercise(self.seed, number, level=self.level, operator=operator, kind=kind)
        return ask(self.seed, number, level=self.level, operator=operator, kind=kind)

    def _of_lesson(self, lesson: Lesson) -> tuple[Question | Exercise, ...]:
        """The lesson's own questions, limited to leave space for one exercise of each kind."""
        own = own_questions(lesson)[: max(1, self.count - len(EXERCISES))]
        kinds = chain(EXERCISES, cycle(kinds_asked(lesson)))
        operators = cycle(lesson.operators)
        numbers = range(1, self.count - len(own) + 1)
        return (*own, *(self._drawn(n, next(operators), next(kinds)) for n in numbers))

    def title(self) -> str:
        """Its heading.

        >>> Sheet(seed=7, level=2, operator="padding").title()
        'Padding, level 2'
        """
        if self.lesson:
            return _lesson(self.lesson).title
        names = {cls.key: cls.__name__ for cls in OPERATORS}
        about = names.get(self.operator) or _("Data movement in DirectML")
        return _("{about}, level {level}").format(about=about, level=self.level)

    def description(self) -> str:
        """The parameters that give the same sheet again, for its foot.

        >>> Sheet(seed=7, level=2, count=10).description()
        'Seed 7, level 2, 10 questions'
        """
        parts = [_("Seed {seed}, level {level}").format(seed=self.seed, level=self.level)]
        words = (self.lesson,) if self.lesson else (self.operator, self.kind)
        parts += [word for word in words if word]
        count = ngettext("{n} question", "{n} questions", self.count).format(n=self.count)
        return ", ".join((*parts, count))

    def parameters(self) -> dict[str, str]:
        """The parameters of its link, without defaults."""
        usual = asdict(Sheet())
        return {name: str(held) for name, held in asdict(self).items() if held != usual[name]}

    def address(self, root: str) -> str:
        """The address of the same questions on the web; the lesson's address for a
        lesson's sheet; empty for a sheet of one kind only.

        Args:
            root: of the app, such as ``https://example.org/dmlviz``; can be empty.

        >>> Sheet(seed=7, operator="tile").address("http://host:8501/")
        'http://host:8501/practice?seed=7&level=1&operator=tile&number=1'
        """
        if not root or (self.kind and not self.lesson):
            return ""
        # the page on the web must have the language of the paper
        spoken = {LANGUAGE: language()} if language() != ENGLISH else {}
        asked = Practice(self.seed, self.level, self.operator)
        page, words = asked.key, asked.parameters()
        if self.lesson:
            page, words = "lessons", {"lesson": self.lesson}
        return root.rstrip("/") + write_link(page, {**words, **spoken})


def read_sheet(parameters: Mapping[str, str]) -> tuple[Sheet, tuple[Problem, ...]]:
    """The sheet that an address names, and the problems with the address.

    Args:
        parameters: names and texts, untrusted.
    """
    reading, usual = Reading(parameters), Sheet()
    operator = reading.one_of("operator", ["", *(cls.key for cls in OPERATORS)], usual.operator)
    found = Sheet(
        reading.whole("seed", 0, MOST_SEED, usual.seed),
        reading.whole("level", LEVELS[0], LEVELS[-1], usual.level),
        operator,
        reading.one_of("kind", ["", *kinds_of(operator)], usual.kind),
        reading.whole("count", 1, MOST_COUNT, usual.count),
        reading.one_of("lesson", ["", *(lesson.key for lesson in lessons())], usual.lesson),
    )
    return found, reading.told()
