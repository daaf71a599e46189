"""Exercises to answer with a pencil: grids to fill in, arrows to draw, a mistake to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.operators.calculations import equations_by_dimension
from dmlviz.operators.settings import Dice
from dmlviz.teaching.misread import indices_of, misread_sizes, misread_sources, sources_of
from dmlviz.teaching.questions import setup, source_text, travelling, value_text
from dmlviz.teaching.subjects import Subject, no_question, ran, subjects
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import located, print_cell, sizes_by_name
from dmlviz.tensors.types import Array
from dmlviz.verify import write_example

MOST_CELLS = 40
"""The limit of elements of all tensors of an exercise together."""

_MOST_COLUMNS, _LETTERS, _FEWEST = 9, "abcd", 2


MOST_LINES = 24
"""The limits of a text on paper."""

_MOST_LETTERS = 64


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
            made = _MADE[kind](ran(subject, level, dice), subject, dice)
            if made is not None:
                return made
    raise no_question(seed, number, operator, kind)


def _fits(subject: Subject) -> bool:
    sizes_in = subject.all_sizes
    every = [*sizes_in.values(), *subject.operator.outputs_after(sizes_in).values()]
    small = sum(int(np.prod(sizes)) for sizes in every) <= MOST_CELLS
    return small and all(sizes[-1] <= _MOST_COLUMNS for sizes in every)


def _grid(trace: Trace, subject: Subject, dice: Dice) -> Exercise | None:
    """Fill in every output, given about a third of its elements."""
    # without inputs, each element is calculated
    differing = trace.sources if trace.inputs else trace.outputs
    if all(len(np.unique(elements)) < 2 for elements in differing.values()):
        return None
    outputs = [
        Drawn(name, output, frozenset(dice.shuffled(range(output.size))[: output.size // 3]))
        for name, output in _named(trace.outputs, _("Output"))
    ]
    return Exercise(
        "grid",
        _("{setup} Fill in the empty cells.").format(setup=_setup(subject)),
        (*drawn_of(trace.inputs, _("Input")), *outputs),
        answered=drawn_of(trace.outputs, _("Output")),
    )


def _arrows(trace: Trace, subject: Subject, dice: Dice) -> Exercise | None:
    """Draw arrows to up to four copies in the first output, from different sources."""
    name, output = next(iter(trace.outputs.items()))
    sources = sources_of(trace)[: output.size]
    copies = (sources >= 0) & ~indices_of(trace)[: output.size]
    chosen: dict[int, int] = {}
    for number in dice.shuffled(np.flatnonzero(copies).tolist()):
        if sources[number] not in chosen.values() and len(chosen) < len(_LETTERS):
            chosen[number] = int(sources[number])
    if len(chosen) < _FEWEST:
        return None
    cells = sorted(chosen)
    marks = dict(zip(cells, _LETTERS, strict=False))
    travels = travelling(trace)
    arrows = [
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
        answer="\n".join(arrows),
        explanation=trace.operator.explain(trace.inputs, inside, name),
    )


def _mistake(trace: Trace, _subject: Subject, dice: Dice) -> Exercise | None:
    """The documentation's text of a run, with one wrong line."""
    mistake = mistaken(trace, dice)
    if mistake is None:
        return None
    return Exercise(
        "mistake",
        _(
            "One line of this documentation example is wrong. Which one is it, and what should "
            "it say?"
        ),
        lines=mistake.lines,
        answer=_("Line {line}: {right}, not {wrong}").format(
            line=mistake.line, right=mistake.right, wrong=mistake.wrong
        ),
        explanation=mistake.explanation,
    )


def _setup(subject: Subject) -> str:
    return setup(subject.operator, subject.all_sizes)


def _named(tensors: Mapping[str, Array], alone: str) -> list[tuple[str, Array]]:
    return [(alone if len(tensors) == 1 else name, array) for name, array in tensors.items()]


def drawn_of(tensors: Mapping[str, Array], alone: str) -> tuple[Drawn, ...]:
    """Every tensor with all its elements, under its name if there are several."""
    return tuple(Drawn(name, array) for name, array in _named(tensors, alone))


@dataclass(frozen=True)
class Mistake:
    """A text with one wrong line.

    Attributes:
        lines: of the text.
        line: the number of the wrong one, from 1 on.
        right, wrong: the correct line, and the wrong line in its place.
        explanation: why, with its numbers.
    """

    lines: tuple[str, ...]
    line: int
    right: str
    wrong: str
    explanation: str


def mistaken(trace: Trace, dice: Dice) -> Mistake | None:
    """The run's example with one output element, or the sizes of an output, misread.

    Args:
        trace: of a small run.
        dice: chooses the mistake.

    Returns:
        None if the text is too long, or nothing can be misread.
    """
    lines = _text(trace, trace.outputs)
    if len(lines) > MOST_LINES or max(map(len, lines)) > _MOST_LETTERS:
        return None
    both = [_wrong_value, _wrong_sizes] if dice.below(2) else [_wrong_sizes, _wrong_value]
    return next((mistake for make in both for mistake in make(trace, lines, dice)), None)


def _text(trace: Trace, outputs: Mapping[str, Array]) -> list[str]:
    return write_example(trace.operator, trace.inputs, outputs).split("\n")


def _wrong_value(trace: Trace, lines: list[str], dice: Dice) -> Iterator[Mistake]:
    """An element with the value that a misreading gives."""
    sources, travels = sources_of(trace), travelling(trace)
    padding = trace.operator.padding(trace.data_type)
    copies = np.flatnonzero(~indices_of(trace)).tolist()
    misreadings = misread_sources(trace)
    for number in dice.shuffled(copies):
        for misreading in dice.shuffled(misreadings):
            taken = int(misreading.source[number])
            wrong = value_text(taken, travels, padding)
            name, index = located(number, trace.outputs)
            right = print_value(trace.outputs[name][index])
            if taken == sources[number] or wrong == right:
                continue
            changed = {other: output.copy() for other, output in trace.outputs.items()}
            changed[name][index] = float(wrong)
            misread = _text(trace, changed)
            pairs = enumerate(zip(lines, misread, strict=True))
            differing = [i for i, (line, other) in pairs if line != other]
            # numbers of a different width shift whole columns
            if len(differing) == 1:
                why = trace.operator.explain(trace.inputs, index, name)
                yield Mistake(tuple(misread), differing[0] + 1, right, wrong, why)


def _wrong_sizes(trace: Trace, lines: list[str], dice: Dice) -> Iterator[Mistake]:
    """The heading of an output with sizes that a misreading gives."""
    right_sizes = sizes_by_name(trace.outputs)
    for misread, misreading in dice.shuffled(list(misread_sizes(trace))):
        for name, wrong in misread.items():
            right = right_sizes.get(name)
            heads = [i for i, line in enumerate(lines) if line.startswith(f"{name}: (")]
            if right is None or wrong == right or len(heads) != 1:
                continue
            head = lines[heads[0]]
            misread_head = head.replace(
                f"Sizes:{print_sizes(right)}", f"Sizes:{print_sizes(wrong)}", 1
            )
            if misread_head == head:
                continue
            sums = trace.operator.sums(sizes_by_name(trace.inputs))[name]
            yield Mistake(
                (*lines[: heads[0]], misread_head, *lines[heads[0] + 1 :]),
                heads[0] + 1,
                print_sizes(right),
                print_sizes(wrong),
                "\n".join([misreading.words, *equations_by_dimension(sums)]),
            )


_MADE: Mapping[str, Callable[[Trace, Subject, Dice], Exercise | None]] = MappingProxyType(
    {"grid": _grid, "arrows": _arrows, "mistake": _mistake}
)

EXERCISES = tuple(_MADE)
"""The kinds of exercise."""


def titles_of_exercises() -> dict[str, str]:
    """What people read for each of :data:`EXERCISES`."""
    titles = _("Fill in the grid"), _("Draw the arrows"), _("Find the mistake")
    return dict(zip(EXERCISES, titles, strict=True))
