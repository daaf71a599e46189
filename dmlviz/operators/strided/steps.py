"""The moves of Strided: row after row, each from where its offset begins."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Array, Step, Steps
from dmlviz.operators.slots import BufferDesc
from dmlviz.operators.strided.view import Sizes, offsets, sum_text
from dmlviz.words import _

# The remaining rows share one step: nobody watches the ninth.
_SHOWN = 8
# of a long row the first elements are named, and the last
_NAMED = 5


def strided_steps(told: BufferDesc) -> Steps:
    """One step for each row, or for each element if there is only one row.

    Args:
        told: the tensor.
    """
    sizes = told.sizes
    many = [d for d, n in enumerate(sizes) if n > 1]
    # a row is along the last dimension that has several elements
    inner = many[-1] if len(many) > 1 else -1
    own = tuple(1 if d == inner else n for d, n in enumerate(sizes))
    count = math.prod(own)
    found = offsets(told)
    steps = [_step(told, found, own, inner, k) for k in range(min(count, _SHOWN))]
    if count > _SHOWN:
        steps[-1] = _further(told, own, inner, _SHOWN - 1)
    rows = np.broadcast_to(np.arange(count).reshape(own), sizes)
    step_of = np.minimum(rows, _SHOWN - 1).astype(np.int32).ravel()
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _at(own: Sizes, k: int) -> Sizes:
    return tuple(int(i) for i in np.unravel_index(k, own))


def _name(at: Sizes, inner: int) -> str:
    return f"out[{', '.join(':' if d == inner else str(i) for d, i in enumerate(at))}]"


def _step(told: BufferDesc, found: Array, own: Sizes, inner: int, k: int) -> Step:
    at = _at(own, k)
    name, text = _name(at, inner), sum_text(told, at, inner)
    if inner < 0:
        words = _("{place} is element {sum} of memory.")
        return Step(name, words.format(place=name, sum=text))
    row = found[tuple(slice(None) if d == inner else i for d, i in enumerate(at))]
    stride = told.strides[inner]
    if stride:
        words = _(
            "{place} begins at element {sum} of memory and moves by {stride}: elements {elements}."
        )
    else:
        words = _("{place} is element {sum} of memory, {n} times: stride 0 stays where it is.")
    elements = [str(int(i)) for i in row]
    if len(elements) > _NAMED + 1:
        elements = [*elements[:_NAMED], "…", elements[-1]]
    listed = ", ".join(elements)
    return Step(
        name, words.format(place=name, sum=text, stride=stride, elements=listed, n=row.size)
    )


def _further(told: BufferDesc, own: Sizes, inner: int, k: int) -> Step:
    """The step of a row and of all after it."""
    count = math.prod(own) - k
    first, last = (_name(_at(own, at), inner) for at in (k, k + count - 1))
    words = _("The other {count} work the same way; {place} begins at element {sum}.")
    text = sum_text(told, _at(own, k + count - 1), inner)
    return Step(f"{first} – {last}", words.format(count=count, place=last, sum=text))
