"""The moves of Gather: index by index."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Array, Step, Steps
from dmlviz.operators.gather.layout import Layout
from dmlviz.operators.indices import INDICES
from dmlviz.words import ngettext

# The remaining indices share one step: nobody watches the ninth.
_SHOWN = 8


def gather_steps(layout: Layout, indices: Array) -> Steps:
    """One step for each index: its slice moves to the output.

    Args:
        layout: the positions of inputs and outputs.
        indices: IndicesTensor.
    """
    cells = math.prod(layout.inner)
    steps = [_cell(layout, indices, k) for k in range(min(cells, _SHOWN))]
    if cells > _SHOWN:
        steps[-1] = _further(layout, indices, _SHOWN - 1)
    step_of = np.minimum(layout.drivers().ravel(), _SHOWN - 1).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _at(layout: Layout, k: int) -> tuple[str, str]:
    """The cell of an index, and the output's elements that it chooses, as ``[0, :]``."""
    place = [int(i) for i in np.unravel_index(k, layout.inner)] if layout.inner else []
    before = [0] * (len(layout.indices) - layout.count)
    cell = ", ".join(str(i) for i in (*before, *place))
    exact: list[str] = [":"] * len(layout.exact)
    exact[layout.axis : layout.axis + layout.count] = [str(i) for i in place]
    shown = ["0"] * (1 - layout.count) + exact[len(layout.cropped) :]
    return f"[{cell}]", f"[{', '.join(shown)}]"


def _cell(layout: Layout, indices: Array, k: int) -> Step:
    """The step of one index."""
    cell, target = _at(layout, k)
    size = layout.sizes[layout.axis]
    value = int(indices.ravel()[k])
    found = value + size if value < 0 else value
    source = [":"] * len(layout.sizes)
    source[layout.axis] = str(found)
    n = math.prod(layout.sizes) // size
    if value < 0:
        caption = ngettext(
            "Index {value} counts from the end: {value} + {size} = {found}. in{source} lands at "
            "out{target} ({n} element).",
            "Index {value} counts from the end: {value} + {size} = {found}. in{source} lands at "
            "out{target} ({n} elements).",
            n,
        )
    else:
        caption = ngettext(
            "The index is {value}: in{source} lands at out{target} ({n} element).",
            "The index is {value}: in{source} lands at out{target} ({n} elements).",
            n,
        )
    told = caption.format(
        value=value,
        size=size,
        found=found,
        source=f"[{', '.join(source)}]",
        target=target,
        n=n,
    )
    return Step(f"{INDICES}{cell} = {value}", told)


def _further(layout: Layout, indices: Array, k: int) -> Step:
    """The step of an index and of all after it."""
    count = math.prod(layout.inner) - k
    first, last = (_at(layout, at)[0] for at in (k, k + count - 1))
    n = math.prod(layout.sizes) // layout.sizes[layout.axis] * count
    told = ngettext(
        "So do the other {count} indices: each names its slice along dimension {axis}, {n} element "
        "in all.",
        "So do the other {count} indices: each names its slice along dimension {axis}, {n} "
        "elements in all.",
        n,
    )
    return Step(f"{INDICES}{first} – {last}", told.format(count=count, axis=layout.axis, n=n))
