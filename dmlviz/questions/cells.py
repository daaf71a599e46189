"""Questions about one output cell: where it comes from, and what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.operators.misreadings import Misreading
from dmlviz.questions.dice import Dice
from dmlviz.questions.misread import indices_of, misread_sources, sources_of
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Subject, ran
from dmlviz.questions.words import given, setup, source, travelling, value
from dmlviz.tensors.numbering import located, print_cell
from dmlviz.trace import Trace
from dmlviz.words import _

Array = np.ndarray[Any, Any]

Wrong = dict[int, Misreading]
"""For each wrong source of a cell, the first misreading that takes it."""


def ask_source(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which input element lands in a cell."""
    trace = ran(subject, level, dice)
    found = _cell(trace, dice)
    if found is None:
        return None
    number, wrong = found
    at, travels = print_cell(number, trace.outputs, "out"), travelling(trace)
    prompt = _("{setup} Which input element lands at {cell}?").format(
        setup=setup(subject.operator, subject.all_sizes), cell=at
    )
    choices = [
        Choice(source(taken, travels), _why(misreading, at, source(taken, travels)))
        for taken, misreading in wrong.items()
    ]
    right = Choice(source(int(sources_of(trace)[number]), travels))
    return _question("source", level, trace, prompt, [right, *choices], number, dice)


def ask_value(subject: Subject, level: int, dice: Dice) -> Question | None:
    """What a cell holds."""
    trace = ran(subject, level, dice)
    found = _cell(trace, dice)
    if found is None:
        return None
    number, wrong = found
    at, travels = print_cell(number, trace.outputs, "out"), travelling(trace)
    padding = subject.operator.padding(trace.data_type)
    prompt = _("{setup} Which value does {cell} hold?").format(
        setup=setup(subject.operator, subject.all_sizes), cell=at
    )
    choices = []
    for taken, misreading in wrong.items():
        text = value(taken, travels, padding)
        told = _("{source}, which is {value}").format(source=source(taken, travels), value=text)
        choices.append(Choice(text, _why(misreading, at, told)))
    right = Choice(value(int(sources_of(trace)[number]), travels, padding))
    return _question("value", level, trace, prompt, [right, *choices], number, dice)


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
    return _("{words} So {cell} would take {taken}.").format(
        words=misreading.words, cell=cell, taken=taken
    )


def _cell(trace: Trace, dice: Dice) -> tuple[int, Wrong] | None:
    """A cell that several misreadings fill from elsewhere, with three of their sources."""
    misreadings = misread_sources(trace)
    if len(misreadings) < 2:
        return None
    taken = np.stack([m.source for m in misreadings])
    truth = sources_of(trace)
    ordered = np.sort(np.where(taken == truth, truth, taken), axis=0)
    different = 1 + (np.diff(ordered, axis=0) != 0).sum(axis=0) - (taken == truth).any(axis=0)
    # an index is no copy: it comes from nowhere and holds no value
    different[indices_of(trace)] = 0
    if different.max() < 2:
        return None
    rich = np.flatnonzero(different >= min(3, int(different.max())))
    flat = int(dice.choice(rich.tolist()))
    wrong: Wrong = {}
    for misreading in _by_weight(misreadings, dice):
        element = int(misreading.source[flat])
        if element != truth[flat] and len(wrong) < 3:
            wrong.setdefault(element, misreading)
    return flat, wrong


def _by_weight(misreadings: list[Misreading], dice: Dice) -> list[Misreading]:
    """The one that is mixed up most first, the others by chance."""
    return [misreadings[0], *dice.shuffled(misreadings[1:])]
