"""One wrong line in the documentation example of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from dmlviz.operators.settings import Dice
from dmlviz.teaching.misread import (
    indices_of,
    misread_sizes,
    misread_sources,
    sources_of,
)
from dmlviz.teaching.questions import travelling, value_text
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import located, sizes_by_name
from dmlviz.tensors.types import Array
from dmlviz.trace import Trace
from dmlviz.verify import write_example
from dmlviz.words import _

MOST_LINES = 24
"""The limits of a text on paper."""

_MOST_LETTERS = 64


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
    both = [_values, _sizes] if dice.below(2) else [_sizes, _values]
    return next((found for make in both for found in make(trace, lines, dice)), None)


def _text(trace: Trace, outputs: Mapping[str, Array]) -> list[str]:
    return write_example(trace.operator, trace.inputs, outputs).split("\n")


def _values(trace: Trace, lines: list[str], dice: Dice) -> Iterator[Mistake]:
    """An element with the value that a misreading gives."""
    came, travels = sources_of(trace), travelling(trace)
    padding = trace.operator.padding(trace.data_type)
    copies = np.flatnonzero(~indices_of(trace)).tolist()
    misreadings = misread_sources(trace)
    for number in dice.shuffled(copies):
        for misreading in dice.shuffled(misreadings):
            taken = int(misreading.source[number])
            wrong = value_text(taken, travels, padding)
            name, index = located(number, trace.outputs)
            right = print_value(trace.outputs[name][index])
            if taken == came[number] or wrong == right:
                continue
            changed = {other: output.copy() for other, output in trace.outputs.items()}
            changed[name][index] = float(wrong)
            told = _text(trace, changed)
            pairs = enumerate(zip(lines, told, strict=True))
            differing = [i for i, (line, other) in pairs if line != other]
            # numbers of a different width shift whole columns
            if len(differing) == 1:
                why = trace.operator.explain(trace.inputs, index, name)
                yield Mistake(tuple(told), differing[0] + 1, right, wrong, why)


def _sizes(trace: Trace, lines: list[str], dice: Dice) -> Iterator[Mistake]:
    """The heading of an output with sizes that a misreading gives."""
    due = sizes_by_name(trace.outputs)
    for misread, misreading in dice.shuffled(list(misread_sizes(trace))):
        for name, wrong in misread.items():
            right = due.get(name)
            heads = [i for i, line in enumerate(lines) if line.startswith(f"{name}: (")]
            if right is None or wrong == right or len(heads) != 1:
                continue
            head = lines[heads[0]]
            told = head.replace(f"Sizes:{print_sizes(right)}", f"Sizes:{print_sizes(wrong)}", 1)
            if told == head:
                continue
            why = [
                _("Dimension {d}: {sum}").format(d=d, sum=text)
                for d, text in enumerate(trace.operator.sums(sizes_by_name(trace.inputs))[name])
                if " = " in text
            ]
            yield Mistake(
                (*lines[: heads[0]], told, *lines[heads[0] + 1 :]),
                heads[0] + 1,
                print_sizes(right),
                print_sizes(wrong),
                "\n".join([misreading.words, *why]),
            )
