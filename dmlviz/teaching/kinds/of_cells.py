"""What the kinds have in common that are about one output element."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answers import CELLS, Answer, evened, places, weighed
from dmlviz.teaching.kinds.kind import QuestionKind, WorkedOut
from dmlviz.teaching.misread import indices_of, misread_sources, sources_of
from dmlviz.teaching.predict import predictions
from dmlviz.teaching.questions import Question, question_input, setup
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import located, print_cell
from dmlviz.tensors.types import Tensors

_CELL = regex(r"\s*(?:(\w+(?:\[\d+\])?))?\s*\[?\s*(\d{1,6}(?:\s*,\s*\d{1,6})*)\s*\]?\s*")
_CELLS = 6
_WRONG = 9
_NEAR = 16

Wrong = dict[int, Misreading]
"""For each wrong source of a cell, the first misreading that leads to it."""


class CellKind(QuestionKind):
    """A question about one output element, which a reader may take for another."""

    hides = CELLS
    of_states = True
    element_example = "out[0, 1]"

    def element_label(self) -> str:
        return _("Cell of the output")

    def element(self, scene: Scene, cell: str) -> int:
        return cell_number(scene, cell)

    @abstractmethod
    def prompt(self, cell: str) -> str:
        """The question about an output element."""

    @abstractmethod
    def taken(self, source: int, trace: Trace) -> str:
        """The answer, if the element were a copy of this input element; -1 for the padding."""

    def right(self, number: int, trace: Trace) -> str:
        """The right answer about an output element.

        Raises:
            Error: it has none.
        """
        return self.taken(int(sources_of(trace)[number]), trace)

    def why(self, source: int, trace: Trace, misreading: Misreading) -> str:
        """What is wrong with an answer that a misreading leads to."""
        return misreading.words

    @abstractmethod
    def elsewhere(self, cell: str) -> str:
        """That an answer is right for another output element."""

    def conclusion(self, cell: str, right: str) -> str:
        """What follows from the source of the element; empty if that is the answer."""
        return ""

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        trace = ran(subject, level, dice)

        def choices(number: int, wrong: Wrong) -> list[Answer]:
            right = Answer(self.taken(int(sources_of(trace)[number]), trace))
            others = (Answer(self.taken(n, trace), self.why(n, trace, m)) for n, m in wrong.items())
            return [right, *others]

        number, answers = _cell_to_ask(trace, choices, dice)
        if not answers:
            return None
        right = answers[0]
        cell = print_cell(number, trace.outputs, "out")
        output, index = located(number, trace.outputs)
        explanation = trace.operator.explain(
            trace.inputs, index, output, letters=level > 1, looked=True
        )
        ordered = dice.shuffled(answers)
        taken = (int(misreading.source.ravel()[number]) for misreading in misread_sources(trace))
        reads = {self.taken(source, trace): source for source in taken}
        reads[right.text] = int(sources_of(trace)[number])
        return Question(
            self.key,
            level,
            trace.operator,
            question_input(trace),
            self.prompt(cell),
            tuple(ordered),
            ordered.index(right),
            index,
            "\n".join(filter(None, (explanation, self.conclusion(cell, right.text)))),
            "input",
            output,
            tuple(reads[answer.text] for answer in ordered),
            stated=setup(subject.operator, subject.all_sizes),
            rule=trace.operator.rule_words(trace.inputs),
        )

    def on_state(self, scene: Scene, cell: str) -> WorkedOut:
        trace, number = scene.trace, cell_number(scene, cell)
        at = print_cell(number, trace.outputs, "out")
        prompt, right = self.prompt(at), Answer(self.right(number, trace))
        distinct: dict[str, Answer] = {}
        for answer in self._wrong(trace, number):
            if answer.text != right.text and len(distinct) < _WRONG:
                distinct.setdefault(answer.text, answer)
        if not distinct:
            rule = _("cell: every other element is the same; choose another question.")
            raise Error(rule, "cell")
        dice = Dice(prompt + right.text)
        output, index = located(number, trace.outputs)
        reveal = trace.operator.explain(trace.inputs, index, output)
        answers = dice.shuffled([right, *evened(right, list(distinct.values()), dice)])
        return WorkedOut(prompt, tuple(answers), reveal, number, at)

    def _wrong(self, trace: Trace, number: int) -> Iterator[Answer]:
        for source, words in _misread_inputs(trace, number):
            yield Answer(self.taken(source, trace), words)
        for other in _near(number, sources_of(trace).size):
            # what is no copy has no source that one could take for this one's
            with suppress(Error):
                words = self.elsewhere(print_cell(other, trace.outputs, "out"))
                yield Answer(self.right(other, trace), words)


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
    number = number_in(outputs, cell, "out")
    if number < 0:
        rule = _("cell: {value} is no element of the output; write one such as {example}.")
        example = print_cell(0, outputs, "out")
        raise Error(rule.format(value=short_text(cell), example=example), "cell")
    return number


def number_in(tensors: Tensors, cell: str, alone: str) -> int:
    """The flat number of the element that a text names, counted across all tensors; -1 for none.

    Args:
        tensors: the outputs, or the inputs whose elements move.
        cell: such as ``out[0, 1]``.
        alone: what the only tensor can be called, besides its name and nothing.
    """
    match, before = _CELL.fullmatch(cell), 0
    for name, x in tensors.items() if match else ():
        assert match is not None
        index = tuple(int(part) for part in match[2].split(","))
        if match[1] == name or (len(tensors) == 1 and match[1] in (alone, None)):
            inside = len(index) == x.ndim and all(map(int.__lt__, index, x.shape))
            return before + int(np.ravel_multi_index(index, x.shape)) if inside else -1
        before += x.size
    return -1


def _cell_to_ask(
    trace: Trace, choices: Callable[[int, Wrong], list[Answer]], dice: Dice
) -> tuple[int, list[Answer]]:
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
    best: tuple[int, list[Answer]] = (0, [])
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


def _misread_inputs(trace: Trace, number: int) -> Iterator[tuple[int, str]]:
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
