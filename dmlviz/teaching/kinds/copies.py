"""How many output elements copy an input element."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answer_inputs import NUMBER
from dmlviz.teaching.answers import Answer, evened
from dmlviz.teaching.kinds.kind import QuestionKind, WorkedOut
from dmlviz.teaching.kinds.of_cells import number_in
from dmlviz.teaching.misread import indices_of, misread_sizes, sources_of
from dmlviz.teaching.questions import Question, question_input, setup, travelling
from dmlviz.teaching.subjects import Subject, ran
from dmlviz.tensors import short_text
from dmlviz.tensors.numbering import located, print_cell
from dmlviz.tensors.types import Array

_LISTED = 6
_COMPARED = 24


class CopiesKind(QuestionKind):
    """The copies of an input element: none, one, or as many as there are repeats or windows."""

    key = "copies"
    place = 60
    input = NUMBER
    facts = r"copies of (?P<element>[^ ]+\[[^\]]*\])"
    one_in = 10
    of_states = True
    element_example = "in[0, 1]"

    def title(self) -> str:
        return _("Copies of an element")

    def element_label(self) -> str:
        return _("Cell of the input")

    def suits(self, cls: type[Operator]) -> bool:
        return bool(cls.input_slots) and super().suits(cls)

    def element(self, scene: Scene, cell: str) -> int:
        travels = travelling(scene.trace)
        number = number_in(travels, cell, "in")
        if number < 0:
            rule = _("cell: {value} is no element of the input; write one such as {example}.")
            example = print_cell(0, travels, "in") if travels else self.element_example
            raise Error(rule.format(value=short_text(cell), example=example), "cell")
        return number

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        trace = ran(subject, level, dice)
        numbers = dice.shuffled(range(_count(trace)))
        if not numbers:
            return None
        number = _mistaken_most(trace, numbers)
        choices, copies = _choices(trace, number, dice), _copies(trace, number)
        output, lands = located(copies[0], trace.outputs) if copies else ("", None)
        return Question(
            self.key,
            level,
            trace.operator,
            question_input(trace),
            _prompt(trace, number),
            tuple(choices),
            next(i for i, each in enumerate(choices) if not each.why),
            None,
            _reason(trace, number),
            "input",
            output,
            lands=lands,
            stated=setup(subject.operator, subject.all_sizes),
            rule=trace.operator.rule_words(trace.inputs),
        )

    def on_state(self, scene: Scene, cell: str) -> WorkedOut:
        trace = scene.trace
        if not _count(trace):
            raise Error(_("no element moves here; choose another question."), "asks")
        number = self.element(scene, cell) if cell else _mistaken_most(trace, range(_count(trace)))
        prompt = _prompt(trace, number)
        answers = tuple(_choices(trace, number, Dice(prompt)))
        return WorkedOut(prompt, answers, _reason(trace, number), cell=_name(trace, number))


def _count(trace: Trace) -> int:
    return sum(x.size for x in travelling(trace).values())


def _name(trace: Trace, number: int) -> str:
    return print_cell(number, travelling(trace), "in")


def _prompt(trace: Trace, number: int) -> str:
    words = _("How many output elements are copies of {cell}?")
    return words.format(cell=_name(trace, number))


def _counts(trace: Trace, sources: Array) -> Array:
    """How many elements copy each input element; an index is no copy."""
    indices = indices_of(trace)
    copied = sources[~indices] if sources.size == indices.size else sources
    return np.bincount(copied[copied >= 0], minlength=_count(trace))


def _mistaken_most(trace: Trace, numbers: list[int] | range) -> int:
    """Of the first few elements, the one of which misreadings have most other counts."""
    right = _counts(trace, sources_of(trace))
    misread = [_counts(trace, each.source) for _sizes, each in misread_sizes(trace)]

    def mistakes(number: int) -> tuple[int, bool]:
        # where one copy is the rule, another count says more
        return len({int(each[number]) for each in misread} - {int(right[number])}), right[
            number
        ] != 1

    return max(numbers[:_COMPARED], key=mistakes)


def _copies(trace: Trace, number: int) -> list[int]:
    """The numbers of the output elements that copy an input element."""
    copied = (sources_of(trace) == number) & ~indices_of(trace)
    return [int(each) for each in np.flatnonzero(copied)]


def _reason(trace: Trace, number: int) -> str:
    """Where the element lands, and so how often."""
    cell, copies = _name(trace, number), _copies(trace, number)
    if not copies:
        return _("{cell} lands nowhere: 0 copies.").format(cell=cell)
    places = ", ".join(print_cell(each, trace.outputs, "out") for each in copies[:_LISTED])
    words = _("{cell} lands at {places}: {count}.")
    if len(copies) > _LISTED:
        words = _("{cell} lands at {places} and at {more} more places: {count}.")
    return words.format(cell=cell, places=places, count=len(copies), more=len(copies) - _LISTED)


def _choices(trace: Trace, number: int, dice: Dice) -> list[Answer]:
    """The right number of copies among others, each with what is wrong with it."""
    counts = _counts(trace, sources_of(trace))
    right = Answer(str(counts[number]))
    wrong: dict[str, Answer] = {}
    for count, why in _mistaken(trace, number, counts):
        if count != counts[number] and count >= 0:
            wrong.setdefault(str(count), Answer(str(count), why))
    return dice.shuffled([right, *evened(right, [*wrong.values()], dice)])


def _mistaken(trace: Trace, number: int, counts: Array) -> Iterator[tuple[int, str]]:
    """Other counts and where they come from, the likeliest first."""
    for _sizes, misreading in misread_sizes(trace):
        yield int(_counts(trace, misreading.source)[number]), misreading.words
    for other in np.argsort(abs(np.arange(counts.size) - number), kind="stable")[
        1:_LISTED
    ].tolist():
        words = _("That is how often {cell} is copied.")
        yield int(counts[other]), words.format(cell=_name(trace, other))
    yield int(counts[number]) + 1, _("That is one too many.")
    yield int(counts[number]) - 1, _("That is one too few.")
    yield counts.size, _("That is how many elements the input has.")
    yield indices_of(trace).size, _("That is how many elements the output has.")
