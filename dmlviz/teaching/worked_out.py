"""Answers to a question about one run, worked out from the run: sizes, a value, a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.operator import CodeOperator
from dmlviz.engines.trace import Trace
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answers import Answer, evened
from dmlviz.teaching.misread import indices_of, misread_sources, sources_of
from dmlviz.teaching.predict import predictions
from dmlviz.teaching.questions import sizes_explanation, source_text, travelling
from dmlviz.tensors import print_sizes, print_value, short_text
from dmlviz.tensors.numbering import located, print_all_sizes, print_cell, sizes_by_name
from dmlviz.tensors.types import Array

_CELL = re.compile(r"\s*(?:(\w+(?:\[\d+\])?))?\s*\[?\s*(\d{1,6}(?:\s*,\s*\d{1,6})*)\s*\]?\s*")
_WRONG = 9
_NEAR = 16


@dataclass(frozen=True)
class WorkedOut:
    """What the engine answers.

    Attributes:
        prompt: the question, with the cell that it is about.
        answers: two to four choices in an order that tells nothing; the right one has no ``why``.
        reveal: why the right one is right, with its numbers.
        marked: the flat number of the output element in question, counted across all outputs; -1
            if it is about sizes.
        cell: what that element is called, such as ``out[0, 1]``; empty if it is about sizes.
    """

    prompt: str
    answers: tuple[Answer, ...]
    reveal: str
    marked: int = -1
    cell: str = ""


def sizes_question(scene: Scene) -> WorkedOut:
    """What are the sizes of the outputs?

    Raises:
        Error: there is nothing that they could be mistaken for.
    """
    choices = tuple(Answer(guess.text, guess.why) for guess in predictions(scene).sizes)
    if len(choices) < 2:
        raise Error(_("no wrong sizes are likely here; write the choices yourself."), "asks")
    prompt = _("What are the sizes of the output?")
    if len(scene.trace.outputs) > 1:
        prompt = _("What are the sizes of the outputs?")
    return WorkedOut(prompt, choices, _sizes_reason(scene))


def _sizes_reason(scene: Scene) -> str:
    """What the sizes were before, and what each call of a code or the operator makes of them."""
    trace, strip = scene.trace, scene.strip
    before, after = sizes_by_name(trace.inputs), sizes_by_name(trace.outputs)
    if not isinstance(trace.operator, CodeOperator):
        return sizes_explanation(trace.operator, before, after)
    if strip is None:
        inputs = ", ".join(f"{name} {print_sizes(sizes)}" for name, sizes in before.items())
        return f"{inputs}\n{trace.operator.on_one_line()} \u2192 {print_all_sizes(after)}"
    by_call: dict[int, list[str]] = {}
    texts: dict[int, str] = {}
    for tensor in strip.tensors:
        name = "" if tensor.call else f"{tensor.name} "
        by_call.setdefault(tensor.call, []).append(name + print_sizes(tensor.sizes))
        texts[tensor.call] = f"{tensor.text} \u2192 " if tensor.call else ""
    return "\n".join(texts[call] + ", ".join(sizes) for call, sizes in by_call.items())


def value_question(scene: Scene, cell: str) -> WorkedOut:
    """Which value does an output element hold?

    Args:
        scene: of one run.
        cell: the element, such as ``out[0, 1]`` or ``0, 1``; empty for the one that is most often
            mistaken.

    Raises:
        Error: there is no such element, or no other value that it could be mistaken for.
    """
    trace, number = scene.trace, cell_number(scene, cell)
    values = [value for output in trace.outputs.values() for value in output.flat]

    def wrong() -> Iterator[Answer]:
        travels = travelling(trace)
        for source, words in _misread(trace, number):
            tensor, index = located(source, travels)
            yield Answer(print_value(travels[tensor][index]), words)
        for other in _near(number, len(values)):
            words = _("That is {cell}.").format(cell=_output_cell(trace, other))
            yield Answer(print_value(values[other]), words)

    at = _output_cell(trace, number)
    prompt = _("Which value does {cell} hold?").format(cell=at)
    return _cell_question(trace, number, prompt, Answer(print_value(values[number])), wrong())


def source_question(scene: Scene, cell: str) -> WorkedOut:
    """Which input element lands at an output element?

    Args:
        scene, cell: as of :func:`value_question`.

    Raises:
        Error: as of :func:`value_question`; or the element is an index, which is no copy.
    """
    trace, number = scene.trace, cell_number(scene, cell)
    if indices_of(trace)[number]:
        at = _output_cell(trace, number)
        raise Error(_("cell: {cell} is an index, which is no copy.").format(cell=at), "cell")
    sources = sources_of(trace)

    def wrong() -> Iterator[Answer]:
        for source, words in _misread(trace, number):
            yield Answer(source_text(source, travelling(trace)), words)
        for other in _near(number, sources.size):
            words = _("That lands at {cell}.").format(cell=_output_cell(trace, other))
            yield Answer(source_text(int(sources[other]), travelling(trace)), words)

    at = _output_cell(trace, number)
    prompt = _("Which input element lands at {cell}?").format(cell=at)
    return _cell_question(
        trace, number, prompt, Answer(source_text(int(sources[number]), travelling(trace))), wrong()
    )


def cell_number(scene: Scene, cell: str) -> int:
    """The flat number of an output element, counted across all outputs.

    Args:
        scene: of one run.
        cell: its index, with the output's name if there are several; empty for the one that is
            most often mistaken.

    Raises:
        Error: there is no such element.
    """
    outputs = scene.trace.outputs
    if not cell.strip():
        marked = predictions(scene).cells
        return marked[0].cell if marked else 0
    match = _CELL.fullmatch(cell)
    before = 0
    for name, output in outputs.items() if match else ():
        assert match is not None
        called = {name, "out"} if len(outputs) == 1 else {name}
        index = tuple(int(part) for part in match[2].split(","))
        if match[1] in called or (match[1] is None and len(outputs) == 1):
            inside = len(index) == output.ndim and all(
                i < n for i, n in zip(index, output.shape, strict=True)
            )
            if inside:
                return before + _flat(index, output)
        before += output.size
    rule = _("cell: {value} is no element of the output; write one such as {example}.")
    example = _output_cell(scene.trace, 0)
    raise Error(rule.format(value=short_text(cell), example=example), "cell")


def _flat(index: tuple[int, ...], output: Array) -> int:
    number = 0
    for i, n in zip(index, output.shape, strict=True):
        number = number * n + i
    return number


def _cell_question(
    trace: Trace, number: int, prompt: str, right: Answer, wrong: Iterator[Answer]
) -> WorkedOut:
    distinct: dict[str, Answer] = {}
    for answer in wrong:
        if answer.text != right.text and len(distinct) < _WRONG:
            distinct.setdefault(answer.text, answer)
    if not distinct:
        rule = _("cell: every other element is the same; choose another question.")
        raise Error(rule, "cell")
    dice = Dice(prompt + right.text)
    output, index = located(number, trace.outputs)
    reveal = trace.operator.explain(trace.inputs, index, output)
    answers = dice.shuffled([right, *evened(right, list(distinct.values()), dice)])
    return WorkedOut(prompt, tuple(answers), reveal, number, _output_cell(trace, number))


def _misread(trace: Trace, number: int) -> Iterator[tuple[int, str]]:
    """The input elements that misconceptions put there, each with its misconception."""
    right = int(sources_of(trace)[number])
    for misreading in misread_sources(trace):
        source = int(misreading.source.ravel()[number])
        if source not in (right, -1):
            yield source, misreading.words


def _near(number: int, count: int) -> Iterator[int]:
    """The numbers of other output elements, the nearest first."""
    for far in range(1, _NEAR):
        for other in (number + far, number - far):
            if 0 <= other < count:
                yield other


def _output_cell(trace: Trace, number: int) -> str:
    return print_cell(number, trace.outputs, "out")
