"""Questions about one output cell: where it comes from, and what it holds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dmlviz.operators.misreadings import Misreading
from dmlviz.questions.dice import Dice
from dmlviz.questions.evening import places, weighed
from dmlviz.questions.misread import indices_of, misread_sources, sources_of
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Subject, ran
from dmlviz.questions.words import given, setup, source, travelling, value
from dmlviz.tensors.numbering import located, print_cell
from dmlviz.trace import Trace
from dmlviz.words import _

_CELLS = 6

Wrong = dict[int, Misreading]
"""For each wrong source of a cell, the first misreading that leads to it."""


def ask_source(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which input element lands in a cell."""
    trace = ran(subject, level, dice)
    travels = travelling(trace)

    def choices(number: int, wrong: Wrong) -> list[Choice]:
        at = print_cell(number, trace.outputs, "out")
        told = {taken: source(taken, travels) for taken in wrong}
        right = Choice(source(int(sources_of(trace)[number]), travels))
        return [right, *(Choice(told[e], _why(wrong[e], at, told[e])) for e in wrong)]

    number, found = _cell(trace, choices, dice)
    if not found:
        return None
    at = print_cell(number, trace.outputs, "out")
    prompt = _("{setup} Which input element lands at {cell}?").format(
        setup=setup(subject.operator, subject.all_sizes), cell=at
    )
    return _question("source", level, trace, prompt, found, number, dice)


def ask_value(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What a cell holds."""
    trace = ran(subject, level, dice)
    travels, padding = travelling(trace), subject.operator.padding(trace.data_type)

    def choices(number: int, wrong: Wrong) -> list[Choice]:
        at = print_cell(number, trace.outputs, "out")
        right = Choice(value(int(sources_of(trace)[number]), travels, padding))
        listed = [right]
        for taken, misreading in wrong.items():
            text = value(taken, travels, padding)
            told = _("{source}, which is {value}").format(source=source(taken, travels), value=text)
            listed.append(Choice(text, _why(misreading, at, told)))
        return listed

    number, found = _cell(trace, choices, dice)
    if not found:
        return None
    at = print_cell(number, trace.outputs, "out")
    prompt = _("{setup} Which value does {cell} hold?").format(
        setup=setup(subject.operator, subject.all_sizes), cell=at
    )
    return _question("value", level, trace, prompt, found, number, dice)


def _question(
    kind: str,
    level: int,
    trace: Trace,
    prompt: str,
    choices: list[Choice],
    number: int,
    dice: Dice,
) -> Question:
    right = choices[0]
    output, index = located(number, trace.outputs)
    explanation = trace.operator.explain(trace.inputs, index, output)
    if kind == "value":
        holds = _("So {cell} holds {value}.").format(
            cell=print_cell(number, trace.outputs, "out"), value=right.text
        )
        explanation += "\n" + holds
    ordered = dice.shuffled(choices)
    return Question(
        kind,
        level,
        trace.operator,
        given(trace),
        prompt,
        tuple(ordered),
        ordered.index(right),
        index,
        explanation,
        "input",
        output,
    )


def _why(misreading: Misreading, cell: str, taken: str) -> str:
    return _("{words} That would make {cell} take {taken}.").format(
        words=misreading.words, cell=cell, taken=taken
    )


def _cell(
    trace: Trace, choices: Callable[[int, Wrong], list[Choice]], dice: Dice
) -> tuple[int, list[Choice]]:
    """A cell that several misreadings fill differently, with its choices, the right one first.

    Args:
        trace: the run.
        choices: makes all possible choices for a cell and its wrong sources.
        dice: draws the cells to compare, and the places of the right answer.

    Returns:
        No choices if there is no such cell.
    """
    misreadings = misread_sources(trace)
    if len(misreadings) < 2:
        return 0, []
    taken = np.stack([m.source for m in misreadings])
    truth = sources_of(trace)
    ordered = np.sort(np.where(taken == truth, truth, taken), axis=0)
    different = 1 + (np.diff(ordered, axis=0) != 0).sum(axis=0) - (taken == truth).any(axis=0)
    # an index is not a copy: it has no source and holds no value
    different[indices_of(trace)] = 0
    if different.max() < 2:
        return 0, []
    rich = np.flatnonzero(different >= min(3, int(different.max())))
    wanted, nearest = places(dice), math.inf
    best: tuple[int, list[Choice]] = (0, [])
    ordered_by = _by_weight(misreadings, dice)
    for flat in dice.shuffled(rich.tolist())[:_CELLS]:
        wrong: Wrong = {}
        for misreading in ordered_by:
            element = int(misreading.source[flat])
            if element != truth[flat]:
                wrong.setdefault(element, misreading)
        right, *others = choices(flat, wrong)
        far, listed = weighed(right, others, wanted)
        if far < nearest:
            nearest, best = far, (flat, [right, *listed])
    return best


def _by_weight(misreadings: list[Misreading], dice: Dice) -> list[Misreading]:
    """The most confused one first, the others in random order."""
    return [misreadings[0], *dice.shuffled(misreadings[1:])]
