"""Questions of practice's level 0: plain words, at most twelve numbers, one or two dimensions.

An operator has them if its TOML file says in ``[plain]`` what it does to a row of numbers, and to a
table along each direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.directions import place_words
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.settings import Dice
from dmlviz.operators.texts import translated
from dmlviz.teaching.answer_inputs import CHOICE, NUMBER, AnswerInput
from dmlviz.teaching.answers import MOST_WRONG, Answer, evened
from dmlviz.teaching.misread import misread_sizes, misread_sources
from dmlviz.teaching.questions import Question, question_input, travelling, value_text
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import located, sizes_by_name
from dmlviz.tensors.types import Array, Sizes, Tensors

PLAIN = 0
"""The level of these questions."""

_STAYS_ONCE_IN = 10

MOST_PLAIN = 12
"""The limit of elements of each tensor."""


@cache
def plain_operators() -> tuple[type[Operator], ...]:
    """The operators that have such questions, in display order."""
    return tuple(cls for cls in OPERATORS if cls.texts().plain)


def ask_plain(kind: str, make: AskPlain | None, subject: Subject, dice: Dice) -> Question | None:
    """A question about a row or a table; None if the subject has no plain words or no choices.

    Args:
        kind: the key of a kind.
        make: makes its question in plain words; None if it has none.
        subject: an operator with its settings, and its inputs' sizes.
        dice: draws the place in question, and the order of the choices.
    """
    along = _along(subject)
    if along is None or make is None:
        return None
    trace = ran(subject, PLAIN, dice)
    tensors = (*trace.inputs.values(), trace.output)
    if any(x.size > MOST_PLAIN or x.ndim > 2 for x in tensors) or trace.output.size < 3:
        return None
    if np.array_equal(trace.output, tensors[0]):
        return None
    body = make(trace, along, dice)
    if body is None or len(body.wrong) < 2:
        return None
    right = Answer(body.right)
    choices = dice.shuffled([right, *evened(right, list(body.wrong), dice)])
    return Question(
        kind,
        PLAIN,
        subject.operator,
        question_input(trace),
        body.asks,
        tuple(choices),
        choices.index(right),
        body.marked,
        f"{_result(trace.output)} {body.reason}",
        "input",
        next(iter(trace.outputs)),
        _reads(trace, choices) if body.marked is not None else (),
        body.lands,
        _setup(trace.operator, trace.inputs, along),
        input=body.input,
    )


def in_plain_words(question: Question, subject: Subject) -> Question | None:
    """The question after a sentence in plain words; None if the subject has none.

    Args:
        question: about the subject, in DirectML's words.
        subject: an operator with its settings, and its inputs' sizes.
    """
    along = _along(subject)
    if along is None:
        return None
    return replace(question, words=_setup(question.operator, question.inputs, along))


def plain_sentence_first(question: Question) -> Question:
    """The question, whose explanation begins with where its element comes from in plain words.

    It stays as it is if it is about no element of a row or a table, or if level 0 has no words for
    its operator.
    """
    if question.marked is None or type(question.operator) not in plain_operators():
        return question
    trace = run(question.operator, question.inputs)
    travels = travelling(trace)
    if len(travels) > 2 or any(x.ndim > 2 for x in (trace.output, *travels.values())):
        return question
    why = _why_there(trace, question.marked)
    return replace(question, explanation=f"{why}\n{question.explanation}")


def _reads(trace: Trace, choices: Sequence[Answer]) -> tuple[int, ...]:
    """The number of the first input element with each choice's value; -1 for none."""
    texts = _texts(travelling(trace))
    return tuple(texts.index(one.text) if one.text in texts else -1 for one in choices)


@dataclass(frozen=True)
class PlainBody:
    """A question without the sentence about the operator.

    Attributes:
        asks: the question.
        right: the right answer.
        wrong: the others.
        reason: why it is right, after the sentence with the result.
        marked: the index of the output element in question, or None.
        lands: the index of the output element that is the right answer, or None.
        input: how a class answers it.
    """

    asks: str
    right: str
    wrong: tuple[Answer, ...]
    reason: str
    marked: Sizes | None = None
    lands: Sizes | None = None
    input: AnswerInput = NUMBER


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


def _setup(operator: Operator, inputs: Tensors, along: int) -> str:
    """What the operator does to its input, in a sentence with their numbers."""
    way, numbers = _way(inputs, along), _in_words(operator, inputs, along)
    first, *others = inputs.values()
    texts = operator.texts().plain
    said = texts[way]
    for name, instead in texts.get("zero", {}).items():
        if numbers[name] == 0:
            said = instead[way]
    if "whole" in texts and way == "row" and others[0].ravel()[0] == first.size:
        said = texts["whole"]
    return translated(said).format(**numbers)


def _way(inputs: Tensors, along: int) -> str:
    return "row" if next(iter(inputs.values())).ndim == 1 else ("down", "across")[along]


def _in_words(operator: Operator, inputs: Tensors, along: int) -> dict[str, Any]:
    """The placeholders of plain words: the settings by name, and what the inputs hold."""
    first, *others = inputs.values()
    numbers = {"input": _numbers(first), "other": _numbers(others[0]) if others else ""}
    for setting in operator.parameters():
        value = operator.settings[setting.name]
        one = value[along] if setting.ranked else value
        numbers[setting.name] = print_value(np.float32(one)) if isinstance(one, float) else one
    return numbers


def _mistake(trace: Trace, along: int, misreading: Misreading) -> str:
    """What a misreading gets wrong, in plain words; empty if they cannot say it.

    If it has as many elements as the output, ``{misread}`` stands for them.
    """
    # a misreading of one dimension has the dimension's number in its key
    mistakes = trace.operator.texts().plain["mistakes"]
    said = mistakes.get(misreading.key.removesuffix(f"-{along}"), "")
    if not isinstance(said, str):
        said = said.get(_way(trace.inputs, along), "")
    numbers = _in_words(trace.operator, trace.inputs, along)
    if misreading.source.size == trace.output.size:
        padding = trace.operator.padding(trace.data_type) or 0
        # -1, the source of the padding value, takes the last
        held = np.append([x for each in travelling(trace).values() for x in each.flat], padding)
        numbers["misread"] = _rows(held[misreading.source].reshape(trace.output.shape))
    return translated(said).format(**numbers)


def _numbers(array: Array) -> str:
    return ", ".join(map(print_value, array.ravel()))


def _rows(array: Array) -> str:
    return "; ".join(map(_numbers, np.atleast_2d(array)))


def _result(output: Array) -> str:
    if output.ndim == 1:
        return _("Then the row is {numbers}.").format(numbers=_rows(output))
    return _("Then the rows are {rows}.").format(rows=_rows(output))


def _place(index: Sizes) -> str:
    return ", ".join(place_words(len(index), d, i) for d, i in enumerate(index))


def _at(array: Array, index: Sequence[int]) -> str | None:
    """The number at an index; None outside."""
    inside = all(0 <= i < n for i, n in zip(index, array.shape, strict=True))
    return print_value(array[tuple(index)]) if inside else None


def _moved(index: Sizes, by: int, along: int | None = None) -> Sizes:
    """An index with a number added in one dimension, or in all."""
    return tuple(i + by if along in (None, d) else i for d, i in enumerate(index))


def _origin(number: int, travels: Tensors) -> str:
    """A place of an input, such as ``place 1 of the row``."""
    name, index = located(number, travels)
    which = _tensor_words(len(index))[0 if len(travels) == 1 else 1 + [*travels].index(name)]
    return _("{place} of {which}").format(place=_place(index), which=which)


def _tensor_words(rank: int) -> tuple[str, str, str]:
    if rank == 1:
        return _("the row"), _("the first row"), _("the second row")
    return _("the table"), _("the first table"), _("the second table")


def _why_there(trace: Trace, index: Sizes) -> str:
    """Which number is at a place of the output, and where it comes from."""
    number, source = print_value(trace.output[index]), int(trace.source[index])
    if source < 0:
        said = _("{number} is at {place}: it is new.")
        return said.format(number=number, place=_place(index))
    return _("{number} is at {place}: it comes from {origin}.").format(
        number=number, place=_place(index), origin=_origin(source, travelling(trace))
    )


def _whys(answers: Iterable[tuple[str, str]], right: str) -> dict[str, str]:
    """For each wrong text, the first reason why somebody takes it."""
    whys: dict[str, str] = {}
    for text, why in answers:
        if text != right:
            whys.setdefault(text, why)
    return whys


def _enough(whys: dict[str, str], others: Iterable[tuple[str, str]], right: str) -> dict[str, str]:
    """The reasons; with answers that nobody takes for a reason only if there are too few."""
    missing = MOST_WRONG - len(whys)
    spare = {text: why for text, why in _whys(others, right).items() if text not in whys}
    return whys | dict([*spare.items()][: max(0, missing)])


def ask_value(trace: Trace, along: int, dice: Dice) -> PlainBody | None:
    """Which number is at a place."""
    output, travels = trace.output, travelling(trace)
    flat = _telling(trace, range(output.size), dice)
    index = tuple(map(int, np.unravel_index(flat, output.shape)))
    right, place = print_value(output[index]), _place(index)
    setup = _setup(trace.operator, trace.inputs, along)
    whys = _enough(
        {
            text: f"{why} {_why_not_value(trace, text, index)}"
            for text, why in _whys(_misread_values(trace, along, index), right).items()
        },
        ((text, f"{_where(trace, text)} {setup}") for text in dice.shuffled(_texts(travels))),
        right,
    )
    return PlainBody(
        _("Which number is then at {place}? Everything is counted from 0.").format(place=place),
        right,
        tuple(Answer(text, why) for text, why in whys.items()),
        _why_there(trace, index),
        index,
    )


def _telling(trace: Trace, places: Sequence[int], dice: Dice) -> int:
    """One of the output's elements to ask about; seldom one that stays where it is.

    Whoever takes everything to stay would be right about such an element.

    Args:
        places: the elements to choose from, numbered in row-major order.
    """
    every = list(np.ndindex(trace.output.shape))
    others = [flat for flat in places if not _stays(trace, every[flat])]
    return dice.choice(others if others and dice.below(_STAYS_ONCE_IN) else places)


def _stays(trace: Trace, index: Sizes) -> bool:
    """Whether an element of the output was at the same index of the only input."""
    source, travels = int(trace.source[index]), travelling(trace)
    return source >= 0 and len(travels) == 1 and located(source, travels)[1] == index


def _misread_values(trace: Trace, along: int, index: Sizes) -> Iterator[tuple[str, str]]:
    """The numbers that readers expect at a place, and why."""
    output, travels = trace.output, travelling(trace)
    padding = trace.operator.padding(trace.data_type)
    flat = int(np.ravel_multi_index(index, output.shape))
    # first: whoever leaves a number where it is misreads nothing else
    before = _at(next(iter(travels.values())), index)
    if before is not None:
        yield before, _left(before, index)
    for misreading in misread_sources(trace):
        said = _mistake(trace, along, misreading)
        if said:
            yield value_text(int(misreading.source[flat]), travels, padding), said
    for there, said in (
        (_moved(index, -1), _("That counts from 1: {number} is at {place}.")),
        (index[::-1], _("That swaps row and column: {number} is at {place}.")),
        (_moved(index, -1, along), _("That is one off: {number} is at {place}.")),
        (_moved(index, 1, along), _("That is one off: {number} is at {place}.")),
    ):
        number = _at(output, there)
        if number is not None:
            yield number, said.format(number=number, place=_place(there))


def _left(number: str, place: Sizes) -> str:
    """What is wrong with leaving a number at its place."""
    said = _("{number} was at {place} before; it does not stay there.")
    return said.format(number=number, place=_place(place))


def _why_not_value(trace: Trace, number: str, index: Sizes) -> str:
    """Where a number is in the input, and what is at a place instead of it."""
    travels, source = travelling(trace), int(trace.source[index])
    texts = _texts(travels)
    place = _place(index)
    if number not in texts:
        said = _("What is at {place} is not new: it comes from {origin}.")
        return said.format(place=place, origin=_origin(source, travels))
    taken = texts.index(number)
    if source < 0:
        said = _("What is at {place} is new, not from {origin}.")
        return said.format(place=place, origin=_origin(taken, travels))
    if _stays(trace, index):
        return _("What is at {place} stays there.").format(place=place)
    if len(travels) > 1:
        return _("What is at {place} comes from {origin}, not from {own}.").format(
            place=place, origin=_origin(source, travels), own=_origin(taken, travels)
        )
    # the one input is named once, where a language wants it
    there, own = (_place(located(number, travels)[1]) for number in (source, taken))
    which = _tensor_words(next(iter(travels.values())).ndim)[0]
    return _("What is at {place} comes from {there} of {which}, not from {own}.").format(
        place=place, there=there, which=which, own=own
    )


def _texts(travels: Tensors) -> list[str]:
    """The numbers of the inputs whose elements move, one after the other."""
    return [print_value(value) for x in travels.values() for value in x.ravel()]


def _where(trace: Trace, number: str) -> str:
    """Where a number of the input really is."""
    output, travels = trace.output, travelling(trace)
    places = [_place(index) for index in np.ndindex(output.shape) if _at(output, index) == number]
    if not places:
        texts = _texts(travels)
        origin = _origin(texts.index(number), travels)
        return _("{number}, from {origin}, is left out.").format(number=number, origin=origin)
    if len(places) == 1:
        return _("{number} is at {place}.").format(number=number, place=places[0])
    return _("{number} is at {place}, and at {count} more.").format(
        number=number, place=places[0], count=len(places) - 1
    )


def ask_place(trace: Trace, along: int, dice: Dice) -> PlainBody | None:
    """Where a number lands that is there once."""
    output = trace.output
    texts = [print_value(value) for value in output.ravel()]
    once = [flat for flat, text in enumerate(texts) if texts.count(text) == 1]
    once = [flat for flat in once if trace.source.ravel()[flat] >= 0]
    if not once:
        return None
    index = tuple(map(int, np.unravel_index(_telling(trace, once, dice), output.shape)))
    number, right = print_value(output[index]), _place(index)
    places = {_place(there): there for there in np.ndindex(output.shape)}
    whys = _enough(
        _whys(((_place(p), why) for p, why in _misread_places(trace, along, index)), right),
        ((place, "") for place in dice.shuffled(places)),
        right,
    )

    def wrong(place: str, why: str) -> Answer:
        instead = _why_not_place(trace, places[place])
        if why:
            return Answer(place, f"{why} {instead}")
        # what somebody takes for no reason has the operator's own words
        return Answer(place, f"{instead} {_setup(trace.operator, trace.inputs, along)}")

    return PlainBody(
        _("Where is the {number} then? Everything is counted from 0.").format(number=number),
        right,
        tuple(wrong(place, why) for place, why in whys.items()),
        _why_there(trace, index),
        lands=index,
        input=CHOICE,
    )


def _misread_places(trace: Trace, along: int, index: Sizes) -> Iterator[tuple[Sizes, str]]:
    """The places where readers expect the number that is at a place, and why."""
    shape, source = trace.output.shape, int(trace.source[index])
    travels = travelling(trace)
    before = located(source, travels)[1]
    if len(travels) == 1 and _at(trace.output, before) is not None:
        yield before, _left(print_value(trace.output[index]), before)
    for misreading in misread_sources(trace):
        said = _mistake(trace, along, misreading)
        for flat in np.flatnonzero(misreading.source == source) if said else ():
            yield tuple(map(int, np.unravel_index(flat, shape))), said
    for there, said in (
        (_moved(index, 1), _("That counts from 1.")),
        (index[::-1], _("That swaps row and column.")),
        (_moved(index, -1, along), _("That is one off.")),
        (_moved(index, 1, along), _("That is one off.")),
    ):
        if _at(trace.output, there) is not None:
            yield there, said


def _why_not_place(trace: Trace, index: Sizes) -> str:
    """What is at a place instead."""
    number, source = print_value(trace.output[index]), int(trace.source[index])
    if source < 0:
        return _("{number} is there: it is new.").format(number=number)
    return _("{number} is there, from {origin}.").format(
        number=number, origin=_origin(source, travelling(trace))
    )


def ask_count(trace: Trace, along: int, dice: Dice) -> PlainBody | None:
    """How many numbers there are."""
    output = trace.output
    right = str(output.size)
    counted = _counted(trace, along)
    whys = _enough(
        _whys(((str(n), why) for n, why in _misread_counts(trace, along)), right),
        (
            (str(output.size + by), _("That is {n} too many.").format(n=by))
            for by in range(1, MOST_WRONG + 1)
        ),
        right,
    )
    return PlainBody(
        _("How many numbers are there then?"),
        right,
        tuple(Answer(text, f"{why} {counted}") for text, why in whys.items()),
        counted,
    )


def _counted(trace: Trace, along: int) -> str:
    """Why there are so many numbers."""
    output = trace.output
    if output.ndim > 1:
        rows, columns = output.shape
        return _("Rows times columns: {rows} · {columns} = {count}.").format(
            rows=rows, columns=columns, count=output.size
        )
    said = translated(trace.operator.texts().plain.get("counted", ""))
    if said:
        return said.format(count=output.size, **_in_words(trace.operator, trace.inputs, along))
    ((rule,),) = trace.operator.sums(sizes_by_name(trace.inputs)).values()
    return _("Together: {sum} numbers.").format(sum=rule.equation)


def _misread_counts(trace: Trace, along: int) -> Iterator[tuple[int, str]]:
    """The numbers of numbers that readers expect, and why."""
    output, travels = trace.output, travelling(trace)
    name = next(iter(trace.outputs))
    for sizes, misreading in misread_sizes(trace):
        said = _mistake(trace, along, misreading)
        if said and name in sizes:
            yield int(np.prod(sizes[name])), said
    if output.ndim == 1:
        yield output.size - 1, _("That is the last place, counted from 0.")
    else:
        rows, columns = output.shape
        said = _("That is {rows} + {columns}, rows plus columns.")
        yield rows + columns, said.format(rows=rows, columns=columns)
    if len(travels) == 1:
        before = next(iter(travels.values())).size
        yield before, _("That is how many there were before.")
    else:
        for x, which in zip(travels.values(), _tensor_words(output.ndim)[1:], strict=True):
            yield x.size, _("That is {which} alone.").format(which=which)


AskPlain = Callable[[Trace, int, Dice], PlainBody | None]
"""Makes a question about a run along a dimension; None if there is none."""
