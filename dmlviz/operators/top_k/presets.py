"""TopK: the documentation's example, ties, directions, axes, a whole sort, the map, NaN."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.operators.top_k.operator import TopK
from dmlviz.operators.top_k.picking import INDICES, VALUES
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), ties(), smallest(), axes(), whole(), as_map(), no_number())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        values, indices = trace.outputs[VALUES], trace.outputs[INDICES]
        return _(
            "{values}, and the indices {indices}: the largest is at index {index} of its row. "
            "Every row is sorted on its own, and an index counts from the row's start."
        ).format(
            values=listed(values[0, 0, 0]),
            indices=listed(indices[0, 0, 0]),
            index=int(indices.flat[0]),
        )

    return Question(
        "top-k-documentation",
        _("The documentation's example"),
        _("K is 2, and the first row holds 0, 1, 10, 11: what do the two outputs get from it?"),
        tell,
        Opening(),
        pictured=True,
    )


def ties() -> Question:
    """Equal elements, picked from both ends."""

    def tell(preset: Opened) -> str:
        a, b = (t.outputs[INDICES] for t in (preset.trace(), preset.second_trace()))
        return _(
            "The lower index comes first, whichever direction it is: {a} in A, the largest, "
            "and {b} in B, the smallest. B is not A reversed."
        ).format(a=listed(a), b=listed(b))

    return Question(
        "top-k-ties",
        _("Equal elements"),
        _("5, 7, 5, 7, 5: which of the sevens, and which of the fives, comes first?"),
        tell,
        _opening(TopK(0, 5), (5,), "5,7,5,7,5", compare=TopK(0, 5, "INCREASING")),
    )


def smallest() -> Question:
    """The nearest neighbors have the smallest distances."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Points {indices}: INCREASING picks the smallest, the smallest first, {values}."
        ).format(indices=listed(trace.outputs[INDICES]), values=listed(trace.outputs[VALUES]))

    return Question(
        "top-k-smallest",
        _("The nearest neighbors"),
        _("These are distances to 6 points: which 3 points are nearest?"),
        tell,
        _opening(TopK(0, 3, "INCREASING"), (6,), "40,12,33,8,57,21"),
    )


def axes() -> Question:
    """Rows or columns."""

    def tell(preset: Opened) -> str:
        a, b = (t.outputs[VALUES] for t in (preset.trace(), preset.second_trace()))
        return _(
            "Axis 1 goes along each row: A begins with {a}, sizes {a_sizes}. Axis 0 goes down each "
            "column: B begins with {b}, sizes {b_sizes}."
        ).format(
            a=listed(a[0]),
            b=listed(b[0]),
            a_sizes=print_sizes(a.shape),
            b_sizes=print_sizes(b.shape),
        )

    return Question(
        "top-k-axis",
        _("Rows or columns"),
        _("The two largest of each row, or of each column: what is the first row of each output?"),
        tell,
        _opening(TopK(1, 2), (3, 4), "3,9,1,7,8,2,6,4,5,10,12,11", compare=TopK(0, 2)),
    )


def whole() -> Question:
    """K is the whole axis."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Yes: K {k} is the whole sequence, and {values} is the sorted input. The indices "
            "{indices} are the order that sorts it, NumPy's argsort."
        ).format(
            k=preset.operator.k,
            values=listed(trace.outputs[VALUES]),
            indices=listed(trace.outputs[INDICES]),
        )

    return Question(
        "top-k-sort",
        _("All of them"),
        _("Five elements, K is 5, INCREASING: is that a sort?"),
        tell,
        _opening(TopK(0, 5, "INCREASING"), (5,), "30,10,50,20,40"),
    )


def as_map() -> Question:
    """The second output shows where the first comes from."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        values, indices = trace.outputs[VALUES], trace.outputs[INDICES]
        return _(
            "It is a map, not a copy: {index} says that {value} was at index {index} of row 1. "
            "Taking these indices out of each row again, as DML_GATHER_ELEMENTS does, gives the "
            "first output: {again}."
        ).format(
            index=int(indices[1, 0]),
            value=listed(values[1, :1]),
            again=listed(np.take_along_axis(trace.x, indices.astype(np.int64), 1)),
        )

    return Question(
        "top-k-map",
        _("The output of indices"),
        _("The other output begins its second row with 3: which 3 of the input is that?"),
        tell,
        _opening(TopK(1, 2), (2, 4), "3,8,6,1,2,5,3,9"),
    )


def no_number() -> Question:
    """NaN has no defined order."""
    return Question(
        "top-k-nan",
        _("NaN among them"),
        _("Is NaN larger than 3 and 5?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(TopK(0, 2), (3,), "3,NaN,5", "FLOAT32"),
    )


def _opening(
    operator: TopK,
    sizes: tuple[int, ...],
    literal: str,
    data_type: str = "INT32",
    compare: TopK | None = None,
) -> Opening:
    return opening(operator, sizes, "own", data_type=data_type, literal=literal, compare=compare)
