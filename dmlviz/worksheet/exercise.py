"""Exercises to answer with a pencil: grids to fill in, arrows to draw, a mistake to find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.operators.settings import Dice
from dmlviz.teaching.misread import indices_of, sources_of
from dmlviz.teaching.questions import setup, source_text, travelling
from dmlviz.teaching.subjects import Subject, ran, subjects
from dmlviz.tensors.numbering import located, print_cell
from dmlviz.tensors.types import Array
from dmlviz.trace import Trace
from dmlviz.words import _
from dmlviz.worksheet.mistake import Mistake, mistaken

MOST_CELLS = 40
"""The limit of elements of all tensors of an exercise together."""

_MOST_COLUMNS, _LETTERS, _FEWEST = 9, "abcd", 2


@dataclass(frozen=True, eq=False)
class Drawn:
    """A tensor on paper.

    Attributes:
        name: its heading.
        values: its elements.
        printed: the flat numbers of the elements to print; None for all.
        marks: letters in empty cells, by flat number.
    """

    name: str
    values: Array
    printed: frozenset[int] | None = None
    marks: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise with its answer.

    Attributes:
        kind: one of :data:`EXERCISES`.
        prompt: the task.
        drawn: the tensors for the task.
        lines: of a documentation example, if the task is about one.
        answer: in words, one fact per line; empty if the tensors show it.
        answered: the tensors of the answer.
        explanation: why, with its numbers.
    """

    kind: str
    prompt: str
    drawn: tuple[Drawn, ...] = ()
    lines: tuple[str, ...] = ()
    answer: str = ""
    answered: tuple[Drawn, ...] = ()
    explanation: str = ""


def exercise(seed: int, number: int, *, level: int, operator: str, kind: str) -> Exercise:
    """The exercise with that number; the same arguments give the same one on every machine.

    Args:
        seed, number, level: as in :func:`dmlviz.teaching.practice.ask`.
        operator: the key of an operator; empty for any.
        kind: one of :data:`EXERCISES`.

    Raises:
        Error: no exercise that fits on paper could be made.
    """
    dice = Dice(f"{seed} {number} {level} {operator} {kind}")
    classes = (operator_class(operator),) if operator else tuple(dice.shuffled(OPERATORS))
    for cls in (cls for cls in classes if kind not in cls.unasked):
        for subject in subjects(cls, level, dice):
            if not _fits(subject):
                continue
            found = _MADE[kind](ran(subject, level, dice), subject, dice)
            if found is not None:
                return found
    raise Error(
        _("number: seed {seed} gives no question {number}.").format(number=number, seed=seed),
        "number",
    )


def _fits(subject: Subject) -> bool:
    given = subject.all_sizes
    every = [*given.values(), *subject.operator.outputs_after(given).values()]
    small = sum(int(np.prod(sizes)) for sizes in every) <= MOST_CELLS
    return small and all(sizes[-1] <= _MOST_COLUMNS for sizes in every)


def _grid(trace: Trace, subject: Subject, dice: Dice) -> Exercise | None:
    """Fill in every output, given about a third of its elements."""
    # without inputs, each element is calculated
    differing = trace.sources if trace.inputs else trace.outputs
    if all(len(np.unique(elements)) < 2 for elements in differing.values()):
        return None
    asked = [
        Drawn(name, output, frozenset(dice.shuffled(range(output.size))[: output.size // 3]))
        for name, output in _named(trace.outputs, _("Output"))
    ]
    return Exercise(
        "grid",
        _("{setup} Fill in the empty cells.").format(setup=_setup(subject)),
        (*drawn_of(trace.inputs, _("Input")), *asked),
        answered=drawn_of(trace.outputs, _("Output")),
    )


def _arrows(trace: Trace, subject: Subject, dice: Dice) -> Exercise | None:
    """Draw arrows to up to four copies in the first output, from different sources."""
    name, output = next(iter(trace.outputs.items()))
    came = sources_of(trace)[: output.size]
    copies = (came >= 0) & ~indices_of(trace)[: output.size]
    chosen: dict[int, int] = {}
    for number in dice.shuffled(np.flatnonzero(copies).tolist()):
        if came[number] not in chosen.values() and len(chosen) < len(_LETTERS):
            chosen[number] = int(came[number])
    if len(chosen) < _FEWEST:
        return None
    cells = sorted(chosen)
    marks = dict(zip(cells, _LETTERS, strict=False))
    travels = travelling(trace)
    told = [
        _("{letter}: from {source} to {cell}").format(
            letter=marks[number],
            source=source_text(chosen[number], travels),
            cell=print_cell(number, trace.outputs, "out"),
        )
        for number in cells
    ]
    heading = _("Output") if len(trace.outputs) == 1 else name
    inside = located(cells[-1], trace.outputs)[1]
    return Exercise(
        "arrows",
        _(
            "{setup} Draw an arrow to each cell with a letter, from the input element that is "
            "copied there."
        ).format(setup=_setup(subject)),
        (*drawn_of(trace.inputs, _("Input")), Drawn(heading, output, frozenset(), marks)),
        answer="\n".join(told),
        explanation=trace.operator.explain(trace.inputs, inside, name),
    )


def _mistake(trace: Trace, _subject: Subject, dice: Dice) -> Exercise | None:
    """The documentation's text of a run, with one wrong line."""
    found: Mistake | None = mistaken(trace, dice)
    if found is None:
        return None
    return Exercise(
        "mistake",
        _(
            "One line of this documentation example is wrong. Which one is it, and what should "
            "it say?"
        ),
        lines=found.lines,
        answer=_("Line {line}: {right}, not {wrong}").format(
            line=found.line, right=found.right, wrong=found.wrong
        ),
        explanation=found.explanation,
    )


_MADE: Mapping[str, Callable[[Trace, Subject, Dice], Exercise | None]] = MappingProxyType(
    {"grid": _grid, "arrows": _arrows, "mistake": _mistake}
)

EXERCISES = tuple(_MADE)
"""The kinds of exercise."""


def _setup(subject: Subject) -> str:
    return setup(subject.operator, subject.all_sizes)


def _named(tensors: Mapping[str, Array], alone: str) -> list[tuple[str, Array]]:
    return [(alone if len(tensors) == 1 else name, array) for name, array in tensors.items()]


def drawn_of(tensors: Mapping[str, Array], alone: str) -> tuple[Drawn, ...]:
    """Every tensor with all its elements, under its name if there are several."""
    return tuple(Drawn(name, array) for name, array in _named(tensors, alone))
