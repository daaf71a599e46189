"""Predict first: the player's questions about a picture before it shows the output."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement import VALUES
from dmlviz.operators.calculations import equations
from dmlviz.picture.scene import Scene
from dmlviz.picture.words import listed
from dmlviz.teaching.misread import misread_sources, wrong_sizes
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import print_cell, sizes_by_name
from dmlviz.tensors.types import Array, NamedSizes

MOST_CELLS = 5
"""The limit of output cells in questions."""

MOST_CHOICES = 4
"""How many sizes there are to choose from."""

# Streamlit keeps C and R for itself
_LETTERS = "ABDEFG"


def answer_keys(texts: Sequence[str]) -> tuple[str, ...]:
    """The key that chooses each answer: a digit, or a letter where two numbers begin with the same.

    An answer with one number has its first digit, so that nobody who types the answer chooses
    another one.

    >>> answer_keys(["{2, 3}", "{3, 2}"]), answer_keys(["place 3", "place 1"])
    (('1', '2'), ('3', '1'))
    >>> answer_keys(["20", "10", "-0.5", "none"]), answer_keys(["12", "10"])
    (('2', '1', '0', '3'), ('A', 'B'))
    """
    numbers = [re.findall(r"\d+(?:\.\d+)?", text) for text in texts]
    first = [one[0][0] if len(one) == 1 else "" for one in numbers]
    taken = [digit for digit in first if digit]
    if len({*taken}) < len(taken):
        return tuple(_LETTERS[: len(texts)])
    free = (digit for digit in "123456789" if digit not in taken)
    return tuple(digit or next(free) for digit in first)


@dataclass(frozen=True)
class Marked:
    """A marked output cell, whose source is asked for.

    Attributes:
        cell: its flat index.
        value: in full.
        traps: flat input elements (-1 for the padding value) with the misreading that leads there.
        depends: the control elements that choose the source, with their numbers; empty for none.
    """

    cell: int
    value: str
    traps: Mapping[str, str]
    depends: str = ""


@dataclass(frozen=True)
class Guess:
    """An answer to choose; the right one has no ``why``."""

    text: str
    why: str


@dataclass(frozen=True)
class Predictions:
    """The questions about one operation.

    Attributes:
        sizes: the answers about the output's sizes, of which the right one has no ``why``; none
            where the sizes are a setting.
        counts: the same about the number of elements, where there is no input; none where a size
            or a setting says it.
        cells: the marked cells.
        pads: whether "it is the padding value" can be an answer, right or wrong.
        words: sentences with placeholders.
    """

    sizes: tuple[Guess, ...]
    counts: tuple[Guess, ...]
    cells: tuple[Marked, ...]
    pads: bool
    words: Mapping[str, str]

    @property
    def as_json(self) -> dict[str, Any]:
        """As the player takes them: first what is chosen, then what is found in the picture."""
        first, words = self.sizes or self.counts, dict(self.words)
        right = "".join(guess.text for guess in first if not guess.why)
        right_words, wrong_words = words.pop("right_choice"), words.pop("wrong_choice")
        words["shown_choice"] = words["shown_choice"].replace("{sizes}", right)
        choices = []
        for guess, key in zip(first, answer_keys([each.text for each in first]), strict=True):
            sentence = f"{wrong_words} {guess.why}" if guess.why else right_words
            feedback = sentence.replace("{sizes}", guess.text, 1)
            choices.append({**asdict(guess), "key": key, "told": feedback})
        return {
            "choices": choices,
            "cells": [asdict(marked) for marked in self.cells],
            "pads": self.pads,
            "words": words,
        }


def predictions(picture: Scene) -> Predictions:
    """The questions about one operation; the same picture always has the same ones.

    First the output's sizes, unless a setting says them, then the sources of up to five output
    cells: those in which the most misreadings of the operator give another value. Without an input
    the number of elements and the values are asked for, but no number that a setting says. The
    right answers come from the engine's own output and source map.
    """
    trace, source = picture.trace, picture.source
    sizes = next((x.shape for x in trace.inputs.values()), ())
    # a different operation gets a different order of choices
    seed = hashlib.sha256(repr((trace.operator, sizes)).encode()).digest()
    random = np.random.default_rng(list(seed))
    alike = [(m.words, m.source.ravel()) for m in misread_sources(trace)]
    marked = _marked(picture, [wrong for _words, wrong in alike], random)
    ways = (source, *(wrong for _words, wrong in alike))
    return Predictions(
        sizes=_sizes(trace, random) if trace.inputs else (),
        counts=() if trace.inputs else _counts(trace, random),
        cells=tuple(
            Marked(
                cell,
                print_value(_value(picture, cell)),
                _traps(cell, source, alike),
                _depends(picture, cell),
            )
            for cell in marked
        ),
        pads=bool(trace.inputs) and any(min(way) < 0 for way in ways),
        words=predict_words(picture),
    )


def _value(picture: Scene, cell: int) -> np.generic:
    tensor, index = picture.output.at(cell)
    value: np.generic = picture.trace.outputs[tensor.name][index]
    return value


def _sizes(trace: Trace, random: np.random.Generator) -> tuple[Guess, ...]:
    """The right sizes among wrong ones, in random order; each wrong one has its own sentence."""
    outputs = sizes_by_name(trace.outputs)
    if any(value in outputs.values() for value in trace.operator.settings.values()):
        return ()  # the answer stands on the screen
    chosen = {_printed(outputs): ""}
    for sizes, why in wrong_sizes(trace):
        if len(chosen) < MOST_CHOICES and all(min(each) > 0 for each in sizes.values()):
            chosen.setdefault(_printed(sizes), why)
    return _shuffled(chosen, random)


def _shuffled(chosen: dict[str, str], random: np.random.Generator) -> tuple[Guess, ...]:
    order = random.permutation(len(chosen))
    answers = [Guess(text, why) for text, why in chosen.items()]
    return tuple(answers[i] for i in order)


def _counts(trace: Trace, random: np.random.Generator) -> tuple[Guess, ...]:
    """The right number of elements among wrong ones, as :func:`_sizes` has sizes."""
    sizes = trace.output.shape
    if sum(n > 1 for n in sizes) < 2:
        return ()  # a size says it
    times = " \u00b7 ".join(map(str, sizes))
    wrong = {
        sum(sizes): _("That adds the sizes. They multiply: {times}."),
        sizes[-1]: _("That is the last size alone; the sizes multiply: {times}."),
        len(sizes): _("That is the number of dimensions; the sizes multiply: {times}."),
        trace.output.size + sizes[-1]: _("That is one row too many; the sizes multiply: {times}."),
        trace.output.size + 1: _("That is one too many; the sizes multiply: {times}."),
    }
    chosen = {str(trace.output.size): ""}
    for count, why in wrong.items():
        if len(chosen) < MOST_CHOICES:
            chosen.setdefault(str(count), why.format(times=times))
    return _shuffled(chosen, random)


def _printed(sizes: NamedSizes) -> str:
    return ", ".join(print_sizes(each) for each in sizes.values())


def _marked(picture: Scene, misread: list[Array], random: np.random.Generator) -> list[int]:
    """The cells to ask about: in many misreadings, and spread over steps and sources."""
    source = picture.source
    most = min(MOST_CELLS, int((~picture.naming).sum()))
    if not picture.input.tensors:
        # nothing comes from anywhere: each value that no setting says is asked for once
        settings = picture.trace.operator.settings.values()
        said = {print_value(value) for value in settings if isinstance(value, int | float)}
        _values, firsts = np.unique(picture.output_labels, return_index=True)
        asked = [int(cell) for cell in random.permutation(firsts)]
        return [cell for cell in asked if print_value(_value(picture, cell)) not in said][:most]
    kind = _kinds(picture)
    telling = np.zeros(source.size)
    for wrong in misread:
        differs = wrong != source
        # if the value would differ, a typed value also reveals the misreading
        telling += differs * (0.5 + 0.5 * (kind[wrong] != kind[source]))
    left = telling / max(1.0, float(telling.max(initial=0)))
    left = left + random.random(source.size) * 0.1
    # an index is not a copy
    left[picture.naming] = -np.inf
    cells: list[int] = []
    for _cell in range(most):
        best = int(left.argmax())
        cells.append(best)
        left[picture.step_of == picture.step_of[best]] -= 0.35
        left[source == source[best]] -= 0.35
        left[best] = -np.inf
    return cells


def _kinds(picture: Scene) -> Array:
    """A number for each input element, equal for equal labels; the padding's at -1."""
    texts = picture.input_labels[: picture.values.size]
    padding = np.flatnonzero(picture.source < 0)
    texts.append(picture.output_labels[padding[0]] if padding.size else "")
    _distinct, numbers = np.unique(texts, return_inverse=True)
    return numbers.ravel()


def _depends(picture: Scene, cell: int) -> str:
    """Which element of a control tensor an output cell depends on, and its number."""
    trace = picture.trace
    operator = trace.operator
    if all(operator.role(name) == VALUES for name in trace.inputs):
        return ""
    tensor, index = picture.output.at(cell)
    formulas = (each for each in operator.formulas(trace.inputs)[tensor.name] if each.holds(index))
    looked = [line for formula in formulas for line in formula.looked(index)]
    if not looked:
        return ""
    return _("{cell} depends on {looked}.").format(
        cell=print_cell(cell, trace.outputs, "out"), looked=", ".join(looked)
    )


def _traps(cell: int, source: Array, misread: list[tuple[str, Array]]) -> dict[str, str]:
    """The wrong input elements that the misreadings lead to, and the misreadings' sentences."""
    traps: dict[str, str] = {}
    for words, wrong in misread:
        if wrong[cell] != source[cell]:
            traps.setdefault(str(int(wrong[cell])), words)
    return traps


def predict_words(picture: Scene) -> dict[str, str]:
    """Sentences with placeholders in single braces, for the player to fill in.

    The answer about the sizes names its question, since it stands below the next one.
    """
    trace = picture.trace
    if not trace.inputs:
        hidden = _("{data_type}, made from the settings alone. The output is hidden.").format(
            data_type=trace.data_type
        )
        question = _("How many elements will the output have?")
        right = _("Question 1: right, the number of elements is {sizes}.")
        revealed = _("Question 1: the number of elements is {sizes}.")
    elif picture.single:
        sizes = print_sizes(trace.x.shape)
        hidden = _("Input of sizes {sizes}, {data_type}. The output is hidden.").format(
            sizes=sizes, data_type=trace.data_type
        )
        question = _("The input has sizes {sizes}. What will the sizes of the output be?").format(
            sizes=sizes
        )
        right, revealed = (
            _("Question 1: right, the output has sizes {sizes}."),
            _("Question 1: the output has sizes {sizes}."),
        )
        sums = ", ".join(equations(trace.operator.sums(sizes_by_name(trace.inputs))))
        if sums:
            # the browser fills in the sizes
            right, revealed = (
                text.replace("{sums}", sums)
                for text in (
                    _("Question 1: right, the output has sizes {sizes}: {sums}."),
                    _("Question 1: the output has sizes {sizes}: {sums}."),
                )
            )
    else:
        inputs = listed(trace.inputs, trace.input_types)
        hidden = _("Inputs: {inputs}. What comes out is hidden.").format(inputs=inputs)
        question = _("The inputs are {inputs}. What will the sizes of {outputs} be?").format(
            inputs=inputs, outputs=", ".join(trace.outputs)
        )
        right, revealed = (
            _("Question 1: right, the sizes are {sizes}."),
            _("Question 1: the sizes are {sizes}."),
        )
        if origin := trace.operator.size_words():
            right, revealed = (f"{text} {origin}" for text in (right, revealed))
    rule = trace.operator.rule_words(trace.inputs)

    def ruled(question: str) -> str:
        return f"{rule} {question}" if rule else question

    words = {
        "name": _("Predict first"),
        "title": _("Output"),
        "hidden": hidden,
        "count": _("Question {n} of {all}"),
        "settings": _settings(picture),
        "choice": question,
        "cell": ruled(
            _("Where does {cell} come from? Choose its source in the input, or type its value.")
        ),
        "cell_pads": ruled(
            _(
                "Where does {cell} come from? Choose its source in the input, type its value, "
                "or say that it is the padding value."
            )
        ),
        "keys": _("Keys: arrows move in the input, Enter chooses the cell."),
        "choice_keys": _("Keys: press a number to choose."),
        "value": _("Value"),
        "value_name": _("Value of {cell}"),
        "check": _("Check"),
        "padding": _("It is the padding value"),
        "reveal": _("Reveal"),
        "next": _("Next question"),
        "finish": _("Show my score"),
        "again": _("Ask again"),
        "cursor": _("{cell} = {value}"),
        "right_choice": right,
        "right_source": _("Right: {cell} = {source} = {value}."),
        "right_padding": _(
            "Right: {cell} lies outside the input; it is the padding value {value}."
        ),
        "shown_choice": revealed,
        "shown_source": _("{cell} = {source} = {value}."),
        "shown_padding": _("{cell} lies outside the input; it is the padding value {value}."),
        "watch": _("Watch it land in step {step}: {title}."),
        "wrong_choice": _("Not {sizes}."),
        "wrong_source": _("No: {source} = {value} lands at {places}, not at {cell}."),
        "wrong_nowhere": _("No: {source} = {value} lands nowhere in this output."),
        "wrong_padding": _("No: {cell} is a copy of an input element, not padding."),
        "wrong_value": _("No: {value} is at {source}, which lands at {places}."),
        "wrong_padding_value": _("No: {value} is the padding value; {cell} is a copy."),
        "wrong_number": _("No: no element of the input is {value}."),
        "same_value": _(
            "{value} is the right value, but this {value} lands at {places}. Which {value} "
            "lands at {cell}?"
        ),
        "more": _("{places} and {n} more"),
        "no_number": _("Type a number, such as {value}."),
        "in_control": _(
            "{tensor} only says where elements go; it is not copied. Choose another cell."
        ),
        "in_output": _("That cell hides the answer. Choose a cell of the input."),
        "done": _("{right} of {all} right on the first try."),
        "done_more": _("Change a setting for new questions, or turn off Predict first."),
    }
    return words if trace.inputs else words | _value_words()


def _value_words() -> dict[str, str]:
    """The sentences that differ where there is no input to choose a source in."""
    return {
        "cell": _("Which value does {cell} get? Type it."),
        "keys": "",
        "right_padding": _("Right: {cell} = {value}."),
        "shown_padding": "{cell} = {value}.",
        "wrong_number": _("No: {cell} is not {value}."),
        "no_number": _("Type a number."),
    }


def _settings(picture: Scene) -> str:
    """The operator's settings on one line, for presenting; empty if there are none."""
    operator = picture.trace.operator
    desc = operator.desc
    now = operator.settings
    parameters = [
        parameter
        for parameter in operator.parameters()
        if parameter.used(now) and not parameter.unspoken(now[parameter.name])
    ]
    settings = ", ".join(
        f"{one.label}: {_plain(desc.get(one.label, now[one.name]))}" for one in parameters
    )
    if parameters and parameters[0].tensor == "InputTensor":
        # the sizes as which memory is read are not those of the input in the picture
        return _("How memory is read: {settings}").format(settings=settings)
    return settings


def _plain(value: Any) -> str:
    return print_sizes(value) if isinstance(value, list | tuple) else str(value)
