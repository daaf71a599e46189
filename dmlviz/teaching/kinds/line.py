"""Which line made this output of this input: what lies between two arrays, as a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code import ChainTrace, run_code
from dmlviz.operators import Operator
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.states.code import CODE
from dmlviz.teaching.answers import NOTHING, Answer
from dmlviz.teaching.kinds.kind import QuestionKind, WorkedOut
from dmlviz.teaching.questions import Question
from dmlviz.teaching.subjects import Subject
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import print_cell
from dmlviz.tensors.types import Array, Sizes

_WRONG = 3
_ORDERS = 6
"""How many orders of dimensions are tried as wrong choices."""


class LineKind(QuestionKind):
    """The line of code; both tensors are seen."""

    key = "line"
    place = 70
    hides = NOTHING
    of_states = True
    quiets = (CODE,)

    def title(self) -> str:
        return _("Which line did this")

    def suits(self, cls: type[Operator]) -> bool:
        return False

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        return None

    def on_state(self, scene: Scene, cell: str) -> WorkedOut:
        trace = scene.trace
        if not isinstance(trace, ChainTrace) or len(trace.chain.inputs) != 1 or scene.strip:
            rule = _(
                "only one line of code on one tensor can be asked for; choose another question."
            )
            raise Error(rule, "asks")
        right = Answer(trace.chain.text.strip())
        wrong = list(_wrong_lines(trace))[:_WRONG]
        if not wrong:
            raise Error(_("no wrong lines are likely here; write the choices yourself."), "asks")
        prompt = _("Which line made the output of the input?")
        answers = Dice(prompt + right.text).shuffled([right, *wrong])
        return WorkedOut(prompt, tuple(answers), f"{right.text}\n{trace.formula}")


def _wrong_lines(trace: ChainTrace) -> Iterator[Answer]:
    """Lines that give another output of the same sizes, each with where it differs first."""
    ((name, x),) = trace.inputs.items()
    (output,) = trace.outputs.values()
    results = {output.tobytes(), x.tobytes() if x.shape == output.shape else b""}
    for line in _lines(name, x.shape, output.shape):
        made = _made(line, name, x)
        if made is None or made.shape != output.shape or made.tobytes() in results:
            continue
        results.add(made.tobytes())
        number = int(np.flatnonzero(made.ravel() != output.ravel())[0])
        words = _("With this line, {cell} would hold {wrong}; the output holds {right} there.")
        yield Answer(
            line,
            words.format(
                cell=print_cell(number, trace.outputs, "out"),
                wrong=print_value(made.flat[number]),
                right=print_value(output.flat[number]),
            ),
        )


def _lines(name: str, sizes: Sizes, out: Sizes) -> Iterator[str]:
    """Lines that people take for each other, the likeliest first."""
    shape = ", ".join(map(str, out))
    if prod(sizes) == prod(out):
        yield f"{name}.reshape({shape})"
        yield f"{name}.T" if out == sizes[::-1] else f"{name}.T.reshape({shape})"
        yield f"{name}.ravel()[::-1].reshape({shape})"
    if len(sizes) == 2:
        yield from (f"np.rot90({name})", f"np.rot90({name}, -1)", f"{name}.T[::-1, ::-1]")
    for d in range(len(sizes)):
        before = ":, " * d
        yield f"{name}[{before}::-1]"
        yield f"np.roll({name}, 1, axis={d})"
        yield f"np.roll({name}, -1, axis={d})"
        if len(sizes) == len(out) and out[d] % sizes[d] == 0 and out[d] > sizes[d]:
            count = out[d] // sizes[d]
            times = [count if e == d else 1 for e in range(len(sizes))]
            yield f"np.repeat({name}, {count}, axis={d})"
            yield f"np.tile({name}, ({', '.join(map(str, times))},))"
    for order in list(permutations(range(len(sizes))))[:_ORDERS]:
        yield f"{name}.transpose({', '.join(map(str, order))}).reshape({shape})"


def _made(line: str, name: str, x: Array) -> Array | None:
    """What a line makes of a tensor; None if it does not take its sizes."""
    try:
        return run_code(line, {name: x}, "numpy").output
    except Error:
        return None
