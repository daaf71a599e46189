"""Questions about one output cell: where it comes from, and what it holds."""

from __future__ import annotations

import numpy as np

from dmlviz.operators import Operator
from dmlviz.operators.misreadings import Misreading
from dmlviz.questions.dice import Dice
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import Sizes, ran
from dmlviz.questions.words import at, cell, setup, source, value
from dmlviz.trace import Trace
from dmlviz.words import _

Wrong = dict[int, Misreading]
"""For each wrong source of a cell, the first misreading that takes it."""


def ask_source(operator: Operator, sizes: Sizes, level: int, dice: Dice) -> Question | None:
    """Which input element lands in a cell."""
    trace = ran(operator, sizes, level, dice)
    found = _cell(operator, trace, dice)
    if found is None:
        return None
    index, wrong = found
    prompt = _("{setup} Which input element lands at {cell}?").format(
        setup=setup(operator, sizes), cell=cell("out", index)
    )
    choices = [
        Choice(source(taken, sizes), _why(misreading, index, source(taken, sizes)))
        for taken, misreading in wrong.items()
    ]
    right = Choice(source(int(trace.source[index]), sizes))
    return _question("source", level, trace, prompt, [right, *choices], index, dice)


def ask_value(operator: Operator, sizes: Sizes, level: int, dice: Dice) -> Question | None:
    """What a cell holds."""
    trace = ran(operator, sizes, level, dice)
    found = _cell(operator, trace, dice)
    if found is None:
        return None
    index, wrong = found
    padding = operator.padding(trace.data_type)
    prompt = _("{setup} Which value does {cell} hold?").format(
        setup=setup(operator, sizes), cell=cell("out", index)
    )
    choices = []
    for taken, misreading in wrong.items():
        text = value(taken, trace.x, padding)
        told = _("{source}, which is {value}").format(source=source(taken, sizes), value=text)
        choices.append(Choice(text, _why(misreading, index, told)))
    right = Choice(value(int(trace.source[index]), trace.x, padding))
    return _question("value", level, trace, prompt, [right, *choices], index, dice)


def _question(
    kind: str,
    level: int,
    trace: Trace,
    prompt: str,
    choices: list[Choice],
    index: tuple[int, ...],
    dice: Dice,
) -> Question:
    right = choices[0]
    explanation = trace.operator.explain(trace.x.shape, index)
    if kind == "value":
        holds = _("So {cell} holds {value}.").format(cell=cell("out", index), value=right.text)
        explanation += "\n" + holds
    ordered = dice.shuffled(choices)
    return Question(
        kind,
        level,
        trace.operator,
        trace.x,
        prompt,
        tuple(ordered),
        ordered.index(right),
        index,
        explanation,
        "input",
    )


def _why(misreading: Misreading, index: tuple[int, ...], taken: str) -> str:
    return _("{words} So {cell} would take {taken}.").format(
        words=misreading.words, cell=cell("out", index), taken=taken
    )


def _cell(operator: Operator, trace: Trace, dice: Dice) -> tuple[tuple[int, ...], Wrong] | None:
    """A cell that several misreadings fill from elsewhere, with three of their sources."""
    sizes = trace.output.shape
    # one with the output's sizes tells something of every cell
    misreadings = [m for m in operator.misreadings(trace.x.shape) if m.output_sizes == sizes]
    if len(misreadings) < 2:
        return None
    taken = np.stack([m.source for m in misreadings])
    truth = trace.source.ravel()
    ordered = np.sort(np.where(taken == truth, truth, taken), axis=0)
    different = 1 + (np.diff(ordered, axis=0) != 0).sum(axis=0) - (taken == truth).any(axis=0)
    rich = np.flatnonzero(different >= min(3, int(different.max())))
    if different.max() < 2:
        return None
    flat = int(dice.choice(rich.tolist()))
    wrong: Wrong = {}
    for misreading in _by_weight(misreadings, dice):
        element = int(misreading.source[flat])
        if element != truth[flat] and len(wrong) < 3:
            wrong.setdefault(element, misreading)
    return at(flat, sizes), wrong


def _by_weight(misreadings: list[Misreading], dice: Dice) -> list[Misreading]:
    """The one that is mixed up most first, the others by chance."""
    return [misreadings[0], *dice.shuffled(misreadings[1:])]
