"""GatherND: the documentation's example, tuples, slices, batches, tf.gather, and beyond."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.gather_nd.operator import GatherND
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), elements(), rows(), slices(), batches(), beyond(), wide())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = int(trace.inputs[INDICES][0, 0])
        return _(
            "Rows: the tuple ({first}) has one index for an input of two dimensions, so it "
            "selects all of row {first}: {row}."
        ).format(first=first, row=listed(trace.output[0]))

    return Question(
        "gather-nd-documentation",
        _("The documentation's example"),
        _("Two tuples of one index each, a table of two rows: elements or rows?"),
        tell,
        Opening(),
        pictured=True,
    )


def elements() -> Question:
    """A tuple with an index for each dimension."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = trace.inputs[INDICES][0]
        return _(
            "{output}: each tuple names one place, ({row}, {column}) row {row} and column "
            "{column}. {count} tuples make {count} elements."
        ).format(
            output=listed(trace.output),
            row=int(first[0]),
            column=int(first[1]),
            count=trace.output.size,
        )

    return Question(
        "gather-nd-elements",
        _("A tuple names a place"),
        _("The rows of indices are 2, 1 and 0, 3 and 1, 0: what do they take out of a table?"),
        tell,
        _opening(GatherND(2, 2, 0), (3, 4), (3, 2), "2,1,0,3,1,0"),
    )


def rows() -> Question:
    """tf.gather compared with tf.gather_nd."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, indices = trace.inputs[INPUT], trace.inputs[INDICES]
        gathered = np.take(x, indices, axis=0)
        return _(
            "tf.gather takes {count} rows, {rows}: sizes {sizes}. tf.gather_nd and this operator "
            "take the last dimension for tuples, and give two elements, {output}."
        ).format(
            count=indices.size,
            rows=listed(indices),
            sizes=print_sizes(gathered.shape),
            output=listed(trace.output),
        )

    return Question(
        "gather-nd-tensorflow",
        _("tf.gather or tf.gather_nd"),
        _(
            "The indices are 0, 2 above 1, 0. What does tf.gather take, "
            "and what does GatherND take?"
        ),
        tell,
        _opening(GatherND(2, 2, 0), (3, 3), (2, 2), "0,2,1,0"),
    )


def slices() -> Question:
    """A tuple with fewer indices than the input has dimensions."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, indices = trace.inputs[INPUT], trace.inputs[INDICES]
        return _(
            "A slice of {n}: two indices cover two of {rank} dimensions, and the last "
            "dimension stays whole. (1, 0) gives {first}."
        ).format(n=x.shape[-1], rank=x.ndim, first=listed(x[tuple(indices[0, 0])]))

    return Question(
        "gather-nd-slices",
        _("What stays whole"),
        _("Three dimensions, tuples of two indices: what does a tuple select?"),
        tell,
        _opening(GatherND(3, 2, 0), (2, 3, 4), (1, 2, 2), "1,0,0,2"),
    )


def batches() -> Question:
    """The same tuples within batches, and over the whole input."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A has one batch for each row, and each tuple takes an element of its own row: {a}. B "
            "has none, and each tuple takes a whole row: B begins with {b}."
        ).format(a=listed(a.output), b=listed(b.output[0]))

    return Question(
        "gather-nd-batches",
        _("Batches"),
        _("Tuples (2), (0), (1) and three rows: what do they take with batches, and without?"),
        tell,
        _opening(GatherND(2, 2, 1), (3, 4), (3, 1), "2,0,1", compare=GatherND(2, 2, 0)),
    )


def beyond() -> Question:
    """An index outside its dimension: refused here; DirectML reads from the next row."""
    return Question(
        "gather-nd-beyond",
        _("An index out of range"),
        _("Rows have the columns 0 to 2: does (0, 3) give the last element of row 0?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(GatherND(2, 2, 0), (2, 3), (2, 2), "0,3,1,0"),
    )


def wide() -> Question:
    """Indices of more than 32 bits, from recordings."""
    return Question(
        "gather-nd-64-bits",
        _("More than 32 bits"),
        _("Row 4,294,967,297 of three, column 1: does DirectML read the last element?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(
            GatherND(2, 2, 0),
            (3, 5),
            (2, 2),
            "4294967297,1,-1,8589934594",
            values=(
                "70014,-70003,70006,70013,-70001,70008,70012,-70010,70015,70005,-70011,70007,"
                "70004,-70009,70002"
            ),
        ),
    )


def _opening(
    operator: GatherND,
    sizes: tuple[int, ...],
    indices: tuple[int, ...],
    literal: str,
    compare: GatherND | None = None,
    values: str = "",
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    named = "own" if values else "count-1"
    return opening(operator, sizes, named, literal=values, more=more, compare=compare)
