"""Two settings of one operator on one stage: the inputs once, the outputs of both."""

from __future__ import annotations

import numpy as np

from dmlviz.scene import Scene, Side
from dmlviz.scene.runs import output_name, print_settings, runs_of, settings_apart, steps_together
from dmlviz.scene.sides import Laid, stood
from dmlviz.trace import Trace

_MOST_LETTERS = 34
"""A longer title is cut before cells get smaller for its sake."""


def compared(a: Scene, b: Scene) -> Scene:
    """Both runs in one scene, each step of one together with that of the other.

    Args:
        a: one run; its outputs are called ``A``.
        b: another setting of the same operator on the same inputs; its outputs are called ``B``.
    """
    runs = runs_of(a.trace, b.trace)
    outputs = [
        laid
        for (letter, run), drawn in zip(runs.items(), (a, b), strict=True)
        for laid in _laid(drawn.output, letter, run)
    ]
    one, two = a.trace.operator, b.trace.operator
    # what tells the two apart is to be read above them
    apart = settings_apart(one, two), settings_apart(two, one)
    letters = max(len(name) for name, _role, _layout in outputs)
    letters += max(len(print_settings(settings)) for settings in apart)
    first, second = stood(_laid(a.input), outputs, min(letters, _MOST_LETTERS))
    count = a.output.count
    moved = np.array([[count], [0]])
    return Scene(
        a.trace,
        first,
        second,
        steps_together(runs, (a.steps, b.steps)),
        np.concatenate([a.step_of, b.step_of]),
        np.concatenate([a.via, np.where(b.via < 0, -1, b.via + count)]),
        np.concatenate([a.covered, b.covered + moved], axis=1),
        np.concatenate([a.contested, b.contested + count]),
        b.trace,
    )


def _laid(side: Side, letter: str = "", run: Trace | None = None) -> list[Laid]:
    """The tensors of a side, by their names on the stage."""
    return [
        (
            tensor.name if run is None else output_name(letter, tensor.name, run),
            tensor.role,
            tensor.layout,
        )
        for tensor in side.tensors
    ]
