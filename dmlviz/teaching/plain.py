"""Questions of practice's level 0: plain words, at most twelve numbers, one or two dimensions.

An operator has them if its TOML file says in ``[plain]`` what it does to a row of numbers, and to a
table along each direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.engines.trace import Trace
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.settings import Dice
from dmlviz.operators.texts import translated
from dmlviz.teaching.answers import Answer, evened
from dmlviz.teaching.misread import misread_sizes, misread_sources
from dmlviz.teaching.questions import Question, question_input, travelling, value_text
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import print_value
from dmlviz.tensors.types import Array, Sizes
from dmlviz.words import _

PLAIN = 0
"""The level of these questions."""

MOST_PLAIN = 12
"""The limit of elements of each tensor."""


@cache
def plain_operators() -> tuple[type[Operator], ...]:
    """The operators that have such questions, in display order."""
    return tuple(cls for cls in OPERATORS if cls.texts().plain)


def ask_plain(kind: str, subject: Subject, dice: Dice) -> Question | None:
    """A question about a row or a table; None if the subject has no plain words or no choices.

    Args:
        kind: one of :data:`PLAIN_KINDS`.
        subject: an operator with its settings, and its inputs' sizes.
        dice: draws the place in question, and the order of the choices.
    """
    along = _along(subject)
    if along is None:
        return None
    trace = ran(subject, PLAIN, dice)
    tensors = (*trace.inputs.values(), trace.output)
    if any(x.size > MOST_PLAIN or x.ndim > 2 for x in tensors) or trace.output.size < 3:
        return None
    if np.array_equal(trace.output, tensors[0]):
        return None
    body = PLAIN_KINDS[kind](trace, dice)
    if body is None or len(body.wrong) < 2:
        return None
    right = Answer(body.right)
    choices = dice.shuffled([right, *evened(right, list(body.wrong), dice)])
    return Question(
        kind,
        PLAIN,
        subject.operator,
        question_input(trace),
        f"{_setup(trace, along)} {body.prompt}",
        tuple(choices),
        choices.index(right),
        body.marked,
        f"{_result(trace.output)} {body.reason}",
        "input",
        next(iter(trace.outputs)),
        _reads(trace, choices) if body.marked is not None else (),
        body.lands,
    )


def _reads(trace: Trace, choices: Sequence[Answer]) -> tuple[int, ...]:
    """The number of the first input element with each choice's value; -1 for none."""
    texts = [print_value(value) for x in travelling(trace).values() for value in x.ravel()]
    return tuple(texts.index(one.text) if one.text in texts else -1 for one in choices)


@dataclass(frozen=True)
class _Body:
    """A question without the sentence about the operator.

    Attributes:
        prompt: the question.
        right: the right answer.
        wrong: the others.
        reason: why it is right, after the sentence with the result.
        marked: the index of the output element in question, or None.
        lands: the index of the output element that is the right answer, or None.
    """

    prompt: str
    right: str
    wrong: tuple[Answer, ...]
    reason: str
    marked: Sizes | None = None
    lands: Sizes | None = None


def _along(subject: Subject) -> int | None:
    """The dimension that the operator changes; None if plain words cannot say what it does."""
    operator, sizes = subject.operator, subject.sizes
    now = operator.settings
    only = operator.texts().plain.get("state", {})
    if any(set(np.atleast_1d(now[name])) != {value} for name, value in only.items()):
        return None
    if min(sizes) < 2 or len(subject.beside) > 1:
        return None
    if "axis" in now:
        return int(now["axis"])
    changed = set()
    for setting in (setting for setting in operator.parameters() if setting.ranked):
        usual = setting.neutral(sizes)
        changed |= {
            d for d, (a, b) in enumerate(zip(now[setting.name], usual, strict=True)) if a != b
        }
    return changed.pop() if len(changed) == 1 else None


def _setup(trace: Trace, along: int) -> str:
    """What the operator does to its input, in a sentence with their numbers."""
    operator = trace.operator
    way = "row" if next(iter(trace.inputs.values())).ndim == 1 else ("down", "across")[along]
    settings: dict[str, Any] = {}
    for setting in operator.parameters():
        value = operator.settings[setting.name]
        one = value[along] if setting.ranked else value
        settings[setting.name] = print_value(np.float32(one)) if isinstance(one, float) else one
    first, *others = trace.inputs.values()
    other = _numbers(others[0]) if others else ""
    texts = operator.texts().plain
    said = texts[way]
    for name, instead in texts.get("zero", {}).items():
        if settings[name] == 0:
            said = instead[way]
    if "whole" in texts and way == "row" and others[0].ravel()[0] == first.size:
        said = texts["whole"]
    return translated(said).format(input=_numbers(first), other=other, **settings)


def _numbers(array: Array) -> str:
    return ", ".join(map(print_value, array.ravel()))


def _result(output: Array) -> str:
    if output.ndim == 1:
        return _("Then the row is {numbers}.").format(numbers=_numbers(output))
    rows = "; ".join(map(_numbers, output))
    return _("Then the rows are {rows}.").format(rows=rows)


def _place(index: Sizes) -> str:
    if len(index) == 1:
        return _("place {place}").format(place=index[0])
    return _("row {row}, column {column}").format(row=index[0], column=index[1])


def _cells(output: Array) -> list[Sizes]:
    return [tuple(map(int, index)) for index in np.ndindex(output.shape)]


def _ask_value(trace: Trace, dice: Dice) -> _Body | None:
    """Which number is at a place."""
    output, travels = trace.output, travelling(trace)
    padding = trace.operator.padding(trace.data_type)
    flat = dice.below(output.size)
    index = _cells(output)[flat]
    right = print_value(output[index])
    believed = [
        value_text(int(misreading.source.ravel()[flat]), travels, padding)
        for misreading in misread_sources(trace)
    ]
    near = dice.shuffled(print_value(value) for x in travels.values() for value in x.ravel())
    wrong = dict.fromkeys(text for text in (*believed, *near) if text != right)
    return _Body(
        _("Which number is then at {place}? Everything is counted from 0.").format(
            place=_place(index)
        ),
        right,
        tuple(Answer(text, _where(output, text)) for text in wrong),
        _("{number} is at {place}.").format(number=right, place=_place(index)),
        index,
    )


def _where(output: Array, number: str) -> str:
    """Where a number really is."""
    places = [_place(index) for index in _cells(output) if print_value(output[index]) == number]
    if not places:
        return _("{number} is nowhere then.").format(number=number)
    if len(places) == 1:
        return _("{number} is at {place}.").format(number=number, place=places[0])
    return _("{number} is at {place}, and at {count} more.").format(
        number=number, place=places[0], count=len(places) - 1
    )


def _ask_place(trace: Trace, dice: Dice) -> _Body | None:
    """Where a number lands that is there once."""
    output = trace.output
    texts = [print_value(value) for value in output.ravel()]
    once = [flat for flat, text in enumerate(texts) if texts.count(text) == 1]
    once = [flat for flat in once if trace.source.ravel()[flat] >= 0]
    if not once:
        return None
    flat = dice.choice(once)
    cells = _cells(output)
    wrong = {
        _place(cells[other]): _("{number} is there.").format(number=texts[other])
        for other in _near(trace, flat, dice)
    }
    right = _place(cells[flat])
    return _Body(
        _("Where is the {number} then? Everything is counted from 0.").format(number=texts[flat]),
        right,
        tuple(Answer(place, why) for place, why in wrong.items()),
        _("{number} is at {place}.").format(number=texts[flat], place=right),
        lands=cells[flat],
    )


def _near(trace: Trace, flat: int, dice: Dice) -> Iterator[int]:
    """Places where a number is expected wrongly: as in the input, one off, or anywhere."""
    count = trace.output.size
    source = int(trace.source.ravel()[flat])
    anywhere = dice.shuffled(range(count))
    for other in dict.fromkeys((source, flat + 1, flat - 1, *anywhere)):
        if other != flat and 0 <= other < count:
            yield other


def _ask_count(trace: Trace, dice: Dice) -> _Body | None:
    """How many numbers there are."""
    count = trace.output.size
    name = next(iter(trace.outputs))
    beliefs = [
        int(np.prod(sizes[name])) for sizes, _misreading in misread_sizes(trace) if name in sizes
    ]
    inputs = sum(x.size for x in travelling(trace).values())
    wrong = dict.fromkeys(
        n for n in (*beliefs, inputs, count + 1, count - 1, count + 2) if n != count and n > 0
    )
    reason = _("Those are {n} numbers.").format(n=count)
    whys = {
        n: _("That is {n} too many: count again.").format(n=n - count)
        if n > count
        else _("That is {n} too few: count again.").format(n=count - n)
        for n in wrong
    }
    return _Body(
        _("How many numbers are there then?"),
        str(count),
        tuple(Answer(str(n), why) for n, why in whys.items()),
        reason,
    )


PLAIN_KINDS: Mapping[str, Callable[[Trace, Dice], _Body | None]] = MappingProxyType(
    {"sizes": _ask_count, "source": _ask_place, "value": _ask_value}
)
"""The kinds of questions that have plain words, with what asks them."""
