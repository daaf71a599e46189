"""Split: the documentation's example, sizes against cuts, axes, the way back, channels."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from dmlviz.operators.split.operator import Split
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), sizes_or_cuts(), rows_or_columns(), way_back(), channels())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        parts = [array.shape[2] for array in trace.outputs.values()]
        return _(
            "{sum} = {size} rows: the first output has {first}, the second {second}, the "
            "third the rest. Each row is in exactly one of them."
        ).format(
            sum=" + ".join(map(str, parts)),
            size=trace.x.shape[2],
            first=listed(trace.outputs["OutputTensors[0]"]),
            second=listed(trace.outputs["OutputTensors[1]"]),
        )

    return Question(
        "split-documentation",
        _("The documentation's example"),
        _("Six rows, parts 2, 1 and 3: which rows does each output have?"),
        tell,
        Opening(),
        pictured=True,
    )


def sizes_or_cuts() -> Question:
    """A part has a size; NumPy takes the places to cut."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        parts = preset.operator.parts
        a, b = trace.outputs.values()
        return _(
            "{a} and {b}: the parts have sizes {parts}. NumPy's split takes the places to "
            "cut at, {cuts}; np.split(x, [{parts}]) makes three parts, of which the first is "
            "{first}, the last {last}."
        ).format(
            a=listed(a),
            b=listed(b),
            parts=", ".join(map(str, parts)),
            cuts=list(accumulate(parts))[:-1],
            first=listed(trace.x[: parts[0]]),
            last=listed(trace.x[parts[1] :]),
        )

    return Question(
        "split-sizes-or-cuts",
        _("Sizes, not cuts"),
        _("Parts 2 and 5 of seven elements: two outputs, or three?"),
        tell,
        opening(Split(0, (2, 5)), (7,)),
    )


def rows_or_columns() -> Question:
    """The same parts along one axis and the other."""

    def tell(preset: Opened) -> str:
        a, b = (next(iter(t.outputs.values())) for t in (preset.trace(), preset.second_trace()))
        return _(
            "Axis 0 cuts between rows: A's first output has sizes {a} and is {row}. Axis 1 cuts "
            "between columns: B's has sizes {b} and is {column}."
        ).format(a=print_sizes(a.shape), row=listed(a), b=print_sizes(b.shape), column=listed(b))

    return Question(
        "split-axis",
        _("Between rows or columns"),
        _(
            "A square is split into parts 1 and 3: what is in the first output with Axis 0, "
            "and what with Axis 1?"
        ),
        tell,
        opening(Split(0, (1, 3)), (4, 4), compare=Split(1, (1, 3))),
    )


def way_back() -> Question:
    """Join reverses Split."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        joined = np.concatenate(list(trace.outputs.values()), axis=preset.operator.axis)
        return _(
            "Yes: joined along dimension {axis} the first row is {row} again, as in the input. In "
            "memory they were not in one piece: the first output is {first}."
        ).format(
            axis=preset.operator.axis,
            row=listed(joined[0]),
            first=listed(trace.outputs["OutputTensors[0]"]),
        )

    return Question(
        "split-back",
        _("There and back"),
        _("Does Join put the parts together again?"),
        tell,
        opening(Split(1, (3, 2)), (2, 5)),
    )


def channels() -> Question:
    """A picture's channels, each a tensor."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        second = trace.outputs["OutputTensors[1]"]
        return _(
            "In the second: {values}. It keeps the dimension of the channels, of size {size} now: "
            "sizes {sizes}."
        ).format(values=listed(second), size=second.shape[1], sizes=print_sizes(second.shape))

    return Question(
        "split-channels",
        _("One picture, three planes"),
        _("Three channels, parts 1, 1 and 1: where is channel 1, and what are its sizes?"),
        tell,
        opening(Split(1, (1, 1, 1)), (1, 3, 2, 2)),
    )
