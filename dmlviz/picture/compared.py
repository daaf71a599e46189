"""Two settings of one operator on one stage: the inputs once, the outputs of both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dmlviz.base.words import _
from dmlviz.movement import INDEX, VALUES
from dmlviz.picture.runs import output_name, print_settings, runs_of, settings_apart, steps_together
from dmlviz.picture.scene import Scene, laid
from dmlviz.picture.sides import Laid, ways
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)

_MOST_LETTERS = 34
"""A longer title is truncated, so that it does not make cells smaller."""


def compared(a: Scene, b: Scene) -> Scene:
    """Both runs in one scene, each step of one together with that of the other.

    Args:
        a: one run; its outputs are called ``A``.
        b: another setting of the same operator on the same inputs; its outputs are called ``B``.
    """
    runs = runs_of(a.trace, b.trace)
    directions = dict(a.directions)

    def lay(shape: float) -> tuple[list[Laid], list[Laid]]:
        outputs = [
            (output_name(letter, name, run), role, planes)
            for letter, run in runs.items()
            for name, role, planes in laid(run, directions, shape)[1]
        ]
        return laid(a.trace, directions, shape)[0], outputs

    # the difference between the two must be readable above them
    apart = settings_apart(a.trace, b.trace), settings_apart(b.trace, a.trace)
    letters = max(len(name) for name, _role, _planes in lay(1.0)[1])
    letters += max(len(print_settings(settings)) for settings in apart)
    count = a.output.count
    moved = np.array([[count], [0]])
    return Scene(
        a.trace,
        ways(lay, min(letters, _MOST_LETTERS)),
        steps_together(runs, (a.steps, b.steps)),
        np.concatenate([a.step_of, b.step_of]),
        np.concatenate([a.via, np.where(b.via < 0, -1, b.via + count)]),
        np.concatenate([a.covered, b.covered + moved], axis=1),
        np.concatenate([a.contested, b.contested + count]),
        b.trace,
        a.directions,
        a.full,
    )


def difference(a: Scene, b: Scene) -> str:
    """A sentence: whether the outputs differ, and where first."""
    return verdict(a, b).whole


class ComparisonSentences(NamedTuple):
    """Whether two outputs differ, as a sentence.

    Attributes:
        brief: read before the movement, so that it names no value.
        whole: with the first place where they differ.
    """

    brief: str
    whole: str


def verdict(a: Scene, b: Scene) -> ComparisonSentences:
    """Whether the outputs of two pictures differ."""
    first, second = a.trace.outputs, b.trace.outputs
    if [x.shape for x in first.values()] != [x.shape for x in second.values()]:
        sentence = _("The outputs have different sizes: A {a}, B {b}.").format(
            a=print_all_sizes(sizes_by_name(first)), b=print_all_sizes(sizes_by_name(second))
        )
        return ComparisonSentences(sentence, sentence)
    where = differing_elements(first, second)
    total = sum(output.size for output in first.values())
    if not where:
        sentence = _("A and B give the same output, all {n} elements.").format(n=total)
        return ComparisonSentences(sentence, sentence)
    # two codes may call their results differently
    same = len(first) > 1 or list(first) == list(second)
    common = first if same else {"out": next(iter(first.values()))}
    return ComparisonSentences(
        _("{wrong} of {n} elements differ.").format(wrong=len(where), n=total),
        _("{wrong} of {n} elements differ, first at {cell}: A has {a}, B has {b}.").format(
            wrong=len(where),
            n=total,
            cell=print_cell(where[0], common, "out"),
            a=_with_source(a, where[0]),
            b=_with_source(b, where[0]),
        ),
    )


def _with_source(drawn: Scene, number: int) -> str:
    """The value of an output element, and the input element that it copies, if there is one."""
    trace = drawn.trace
    name, index = located(number, trace.outputs)
    value, source = print_value(trace.outputs[name][index]), int(trace.sources[name][index])
    if source < 0 or trace.roles[name] == INDEX:
        return value
    moving = {name: x for name, x in trace.inputs.items() if trace.roles[name] == VALUES}
    return _("{value} from {cell}").format(value=value, cell=print_cell(source, moving, "in"))
