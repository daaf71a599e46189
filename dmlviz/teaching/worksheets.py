"""Worksheets to print: questions from a seed, with the answers on a separate page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import chain, cycle
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import segno

from dmlviz.base.addresses import LANGUAGE, Reading, write_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import ENGLISH, _, language, ngettext
from dmlviz.base.words.particles import bound
from dmlviz.engines.trace import run
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.picture.policy import policy
from dmlviz.teaching.answers import ALL, NOTHING, Answer
from dmlviz.teaching.exercises import (
    EXERCISES,
    Drawn,
    Exercise,
    drawn_of,
    exercise,
    titles_of_exercises,
)
from dmlviz.teaching.facts import operator_keys, state_of
from dmlviz.teaching.kinds import KINDS, kind_of_fact, kinds_for, kinds_of_practice
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.posed import Posed, of_part
from dmlviz.teaching.practice import MOST_SEED, Practice, ask, check_kind, check_whole
from dmlviz.teaching.questions import (
    LEVELS,
    Question,
    support_head,
    support_note,
    support_rows,
)
from dmlviz.tensors import print_label, print_sizes, short_text
from dmlviz.tensors.numbering import print_index

MOST_COUNT = 30
"""The limit of questions on a sheet."""


MOST_CELLS = 400
"""The limit of cells of a tensor to print."""

FOLDER = Path(__file__).resolve().parent
"""The folder of the templates: ``worksheet.html``, and ``worksheet_tensor.html`` with a
:class:`Printed`."""

_LETTERS = "ABCDEFGH"
_MOST_SCANNED = 500
_MANY = 75
_MANY_OF_TENSOR = 64
_SHORT, _LONG = 14, 36

_MOST_LESSON_CELLS = 64
"""The limit of input elements of a lesson's state to print."""


def titles_of_kinds() -> dict[str, str]:
    """What people read for each kind on a sheet: questions with choices, and pencil exercises."""
    return {
        **{key: kind.title() for key, kind in kinds_of_practice().items()},
        **titles_of_exercises(),
    }


def kinds_of(operator: str) -> tuple[str, ...]:
    """The kinds that are possible for an operator.

    Args:
        operator: its key; empty for all operators.
    """
    if not operator:
        return (*kinds_of_practice(), *EXERCISES)
    cls = operator_class(operator)
    return (*kinds_for(cls), *(kind for kind in EXERCISES if kind not in cls.unasked))


def _lesson_by_key(key: str) -> Lesson:
    lesson = next((lesson for lesson in lessons() if lesson.key == key), None)
    if lesson is None:
        raise Error(_("lesson: there is no lesson {key}.").format(key=short_text(key)), "lesson")
    return lesson


@dataclass(frozen=True)
class Sheet:
    """A sheet's questions, as the parameters that make them.

    Attributes:
        seed: 0 to 2,147,483,647.
        level: 1 to 3.
        operator: the key of an operator, or empty for all.
        kind: one of :func:`titles_of_kinds`; empty for all multiple-choice kinds.
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
            _lesson_by_key(self.lesson)

    def questions(self) -> tuple[SheetQuestion, ...]:
        """Its questions, number 1 first."""
        if self.lesson:
            return self._of_lesson(_lesson_by_key(self.lesson))
        numbers = range(1, self.count + 1)
        return tuple(self._drawn(number, self.operator, self.kind) for number in numbers)

    def _drawn(self, number: int, operator: str, kind: str) -> Question | Exercise:
        if kind in EXERCISES:
            return exercise(self.seed, number, level=self.level, operator=operator, kind=kind)
        return ask(self.seed, number, level=self.level, operator=operator, kind=kind)

    def _of_lesson(self, lesson: Lesson) -> tuple[SheetQuestion, ...]:
        """The lesson's own questions, limited to leave space for one exercise of each kind."""
        of_parts = lesson_questions(lesson)[: max(1, self.count - len(EXERCISES))]
        kinds = chain(EXERCISES, cycle(lesson_kinds(lesson)))
        operators = cycle(lesson.operators)
        numbers = range(1, self.count - len(of_parts) + 1)
        return (*of_parts, *(self._drawn(n, next(operators), next(kinds)) for n in numbers))

    def title(self) -> str:
        """Its heading.

        >>> Sheet(seed=7, level=2, operator="padding").title()
        'Padding, level 2'
        """
        if self.lesson:
            return _lesson_by_key(self.lesson).title
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
        return {name: str(value) for name, value in asdict(self).items() if value != usual[name]}

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
        practice = Practice(self.seed, self.level, self.operator)
        page, words = practice.key, practice.parameters()
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
    sheet = Sheet(
        reading.whole("seed", 0, MOST_SEED, usual.seed),
        reading.whole("level", LEVELS[0], LEVELS[-1], usual.level),
        operator,
        reading.one_of("kind", ["", *kinds_of(operator)], usual.kind),
        reading.whole("count", 1, MOST_COUNT, usual.count),
        reading.one_of("lesson", ["", *(lesson.key for lesson in lessons())], usual.lesson),
    )
    return sheet, reading.all_problems()


SheetQuestion = Question | Posed | Exercise
"""What a sheet can ask."""


def lesson_questions(lesson: Lesson) -> tuple[Posed, ...]:
    """The questions of a lesson's parts, in order, in the lesson's words."""
    return tuple(of_part(lesson, number) for number in range(1, len(lesson.parts) + 1))


def lesson_kinds(lesson: Lesson) -> tuple[str, ...]:
    """The kinds of :data:`dmlviz.teaching.kinds.KINDS` in its parts, in order of appearance.

    Each kind must be possible for all operators of the lesson.
    """
    of_parts = (_kind(part.prediction.answers[0].claim, part.link) for part in lesson.parts)
    classes = [operator_class(key) for key in lesson.operators]
    asked = [key for key, kind in KINDS.items() if all(map(kind.suits, classes))]
    return tuple(kind for kind in dict.fromkeys(of_parts) if kind in asked) or tuple(asked)


def _kind(claim: str, link: str) -> str:
    kind, _element = kind_of_fact(claim.partition(" = ")[0])
    # code has no settings
    return kind.key if kind else "setting" if operator_keys([link]) else "value"


def _lesson_tensors(posed: Posed) -> Iterator[Drawn]:
    """The inputs if the question does not hide them, and the output if it is asked with it."""
    state = state_of(posed.link)
    inputs = state.inputs()
    if posed.hides == ALL or sum(x.size for x in inputs.values()) > _MOST_LESSON_CELLS:
        return
    yield from drawn_of(inputs, state.input_title or next(iter(inputs), ""))
    drawn, *others = state.scenes() if posed.hides == NOTHING else (None,)
    if drawn is not None and not others:
        outputs = drawn.trace.outputs
        yield from drawn_of(outputs, next(iter(outputs)) if posed.runs_code else _("Output"))


@dataclass(frozen=True)
class Cell:
    """A cell: its value, or a letter (often none) in a box to fill in."""

    text: str
    empty: bool = False


@dataclass(frozen=True)
class PrintedPlane:
    """A table of the last two dimensions, and its index, which is empty if there is only one."""

    index: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Printed:
    """A tensor as tables for paper, without color.

    Attributes:
        name, sizes: for its heading.
        note: instead of its planes, if it is too large.
        planes: in order.
        single: whether it has only one dimension.
        dense: whether it has many cells.
    """

    name: str
    sizes: str
    note: str
    planes: Sequence[PrintedPlane]
    single: bool
    dense: bool

    @property
    def cells(self) -> int:
        """How many cells there are to print, with the corners of the tables."""
        corners = 0 if self.single else len(self.planes)
        return corners + sum(len(row) for plane in self.planes for row in plane.rows)


def worksheet(
    questions: Sequence[SheetQuestion],
    title: str,
    *,
    description: str = "",
    address: str = "",
) -> str:
    """A page to print: questions with boxes to tick, then, on a new sheet, answers with reasons.

    It contains no script, loads nothing, and needs no color.

    Args:
        questions: in order.
        title: the heading.
        description: what gives the same questions again, such as the seed; at the foot of each
            part.
        address: where they are on the web, also shown as a QR code for phones; can be empty.

    >>> from dmlviz.teaching.practice import ask
    >>> page = worksheet([ask(7, 1)], "Tile & others")
    >>> "<h1>Tile &amp; others</h1>" in page, "<script" in page
    (True, False)
    """
    parts = [_PARTS[type(question)](question) for question in questions]
    cells = sum(_cells(part) for part in parts)
    return render(
        FOLDER,
        "worksheet.html",
        policy=policy("'none'"),
        style=_style(),
        language=language(),
        title=title,
        answers_title=_("Answers: {title}").format(title=title),
        questions=parts,
        many=cells > _MANY * max(1, len(questions)),
        description=description,
        address=address,
        code=_qr(address) if address and len(address) <= _MOST_SCANNED else "",
        words={
            "name": _("Name"),
            "date": _("Date"),
            "right": _("Right"),
            "hint": _("Where there are boxes, one answer is right: tick it before you try it out."),
            "again": _("The same questions in the app:"),
        },
    )


@cache
def _style() -> str:
    return trusted((FOLDER / "worksheet.css").read_text(encoding="utf-8"))


def _qr(address: str) -> str:
    code = segno.make(address, micro=False, error="m")
    svg = code.svg_inline(scale=3, border=2, omitsize=True, svgclass="code")
    return trusted(svg)


def _exercise(exercise: Exercise) -> dict[str, Any]:
    return _printed_part(
        exercise.prompt,
        exercise.explanation,
        exercise.drawn,
        kind=exercise.kind,
        lines=exercise.lines,
        answered=[printed(each) for each in exercise.answered],
        answer=exercise.answer,
    )


def _choice_question(question: Question) -> dict[str, Any]:
    return _printed_part(
        question.prompt,
        question.explanation,
        _drawn(question),
        support=_support(question),
        **_printed_choices(question.choices, question.right),
    )


def _lesson_question(posed: Posed) -> dict[str, Any]:
    return _printed_part(
        posed.prompt if posed.runs_code else f"{posed.runs}. {posed.prompt}",
        posed.reveal,
        tuple(_lesson_tensors(posed)),
        code=posed.runs if posed.runs_code else "",
        words=posed.words,
        **_printed_choices(posed.answers, posed.right),
    )


_PARTS: Mapping[type, Callable[[Any], dict[str, Any]]] = MappingProxyType(
    {Exercise: _exercise, Question: _choice_question, Posed: _lesson_question}
)
"""How each is printed."""


def _printed_part(
    prompt: str, explanation: str, drawn: Sequence[Drawn], **fields: Any
) -> dict[str, Any]:
    """A part of a sheet as its template takes it."""
    texts = dict.fromkeys(("code", "words", "width", "kind", "answer"), "")
    lists = dict.fromkeys(("lines", "choices", "answered"), ())
    tensors = [printed(each) for each in drawn]
    said = {"prompt": bound(prompt), "explanation": bound(explanation), "tensors": tensors}
    return {**texts, **lists, "support": None, "right": None, **said, **fields}


def _printed_choices(answers: Sequence[Answer], right: int) -> dict[str, Any]:
    """The choices with letters, and whether each needs a whole line, or two fit on a line."""
    choices = list(zip(_LETTERS, answers, strict=False))
    longest = max(len(answer.text) for answer in answers)
    width = "long" if longest > _LONG else "short" if longest <= _SHORT else ""
    return {"choices": choices, "right": choices[right], "width": width}


def _support(question: Question) -> dict[str, Any] | None:
    if question.shows != "support":
        return None
    rows = list(support_rows(question.operator))
    return {"head": support_head(), "rows": rows, "note": support_note()}


def _cells(part: Mapping[str, Any]) -> int:
    rows = part["support"]["rows"] if part["support"] else ()
    cells: int = sum(len(row) for row in rows) + sum(tensor.cells for tensor in part["tensors"])
    return cells


def _drawn(question: Question) -> tuple[Drawn, ...]:
    """The tensors to show with the question."""
    if not question.pictured:
        return ()
    drawn = drawn_of(question.inputs, _("Input"))
    if question.shows == "both":
        drawn += drawn_of(run(question.operator, question.inputs).outputs, _("Output"))
    return drawn


def printed(drawn: Drawn) -> Printed:
    """The tables of a tensor; of one with more than 400 elements, only the sizes."""
    x = drawn.values
    sizes, single, dense = print_sizes(x.shape), x.ndim == 1, x.size > _MANY_OF_TENSOR
    if x.size > MOST_CELLS:
        note = _("It has {count} elements, too many to print.").format(count=f"{x.size:,}")
        return Printed(drawn.name, sizes, note, (), single, dense=False)
    cells = [
        Cell(print_label(value))
        if drawn.printed is None or i in drawn.printed
        else Cell(drawn.marks.get(i, ""), empty=True)
        for i, value in enumerate(x.flat)
    ]
    numbers = np.arange(x.size).reshape(-1, *(1, *x.shape)[-2:])
    planes = [
        PrintedPlane(
            print_index((*outer, ":", ":")) if outer else "",
            [[cells[i] for i in row] for row in plane.tolist()],
        )
        for outer, plane in zip(np.ndindex(x.shape[:-2]), numbers, strict=True)
    ]
    return Printed(drawn.name, sizes, "", planes, single, dense)
