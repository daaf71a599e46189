"""Gather: the documentation's example, tables, axes, ranks, and indices outside the axis."""

from __future__ import annotations

from dmlviz.operators.gather.operator import Gather
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        table(),
        rows_or_columns(),
        from_the_end(),
        more_dimensions(),
        beyond(),
        wide(),
    )


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, indices = trace.inputs[INPUT], trace.inputs[INDICES].ravel()
        twice = next(int(i) for i in indices if (indices == i).sum() > 1)
        return _(
            "{output}: each index is replaced by the element that it names. {element} "
            "appears twice, because index {twice} appears twice."
        ).format(output=listed(trace.output), element=listed(x[[twice]]), twice=twice)

    return Question(
        "gather-documentation",
        _("The documentation's example"),
        _("Four elements, five indices: what comes out, and how often?"),
        tell,
        Opening(),
        pictured=True,
    )


def table() -> Question:
    """An embedding: word numbers select rows of a table."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        table, indices = trace.inputs[INPUT], trace.inputs[INDICES]
        return _(
            "Rows {indices} of the table, one under the other: {count} words become sizes {sizes}. "
            "The first is {first}. That is what an embedding layer does."
        ).format(
            indices=listed(indices),
            count=indices.size,
            sizes=print_sizes(trace.output.shape),
            first=listed(table[int(indices[0, 0])]),
        )

    return Question(
        "gather-table",
        _("Looking words up in a table"),
        _("A table has a row for each of 5 words: what do the words 2, 0, 2, 4 become?"),
        tell,
        _opening(Gather(0, 1), (5, 3), (1, 4), "2,0,2,4"),
    )


def rows_or_columns() -> Question:
    """The same indices along one axis and the other."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "Axis 0 takes rows: A begins with {a}. Axis 1 takes columns of every row: B begins "
            "with {b}."
        ).format(a=listed(a.output[0]), b=listed(b.output[0]))

    return Question(
        "gather-axis",
        _("Rows or columns"),
        _("What do the indices 2 and 0 select with Axis 0, and what with Axis 1?"),
        tell,
        _opening(Gather(0, 1), (3, 4), (1, 2), "2,0", compare=Gather(1, 1)),
    )


def from_the_end() -> Question:
    """Negative indices."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        size = trace.inputs[INPUT].shape[0]
        back = int(trace.inputs[INDICES].ravel()[0])
        return _(
            "{output}: {back} counts from the end, {back} + {size} = {found}. An index beyond "
            "{first} to {last} is refused here; DirectML would read another element."
        ).format(
            output=listed(trace.output),
            back=back,
            size=size,
            found=back + size,
            first=-size,
            last=size - 1,
        )

    return Question(
        "gather-end",
        _("From the end"),
        _("What do indices -1 and -2 name?"),
        tell,
        _opening(Gather(0, 1), (7,), (3,), "-1,-2,0"),
    )


def more_dimensions() -> Question:
    """Indices of two dimensions."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        sizes, indices = trace.inputs[INPUT].shape, trace.inputs[INDICES].shape
        return _(
            "Sizes {output}: the two dimensions of the indices, {indices}, take the place of "
            "dimension 1 of {sizes}, and the leading 1 is dropped."
        ).format(
            output=print_sizes(trace.output.shape),
            indices=print_sizes(indices[1:]),
            sizes=print_sizes(sizes),
        )

    return Question(
        "gather-dimensions",
        _("Two sentences at once"),
        _(
            "The indices have two dimensions and select rows of a table: what sizes does the "
            "output have?"
        ),
        tell,
        _opening(Gather(1, 2), (1, 5, 3), (1, 2, 4), "2,0,2,4,1,1,3,0"),
    )


def beyond() -> Question:
    """An index outside the axis: refused here; DirectML reads from the next row."""
    return Question(
        "gather-beyond",
        _("An index beyond the axis"),
        _("A row has the indices 0 to 2: does index 3 give its last element?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(Gather(1, 1), (2, 3), (1, 2), "3,0"),
    )


def wide() -> Question:
    """Indices of more than 32 bits, from recordings."""
    values = (
        "70014,-70003,70006,70013,-70001,70008,70012,-70010,70015,70005,-70011,70007,70004,-70009,"
        "70002"
    )
    indices = Input((1, 3), data_type="UINT64", literal="4294967297,9223372036854775808,4")
    return Question(
        "gather-64-bits",
        _("More than 32 bits"),
        _("Row 4,294,967,297 of five: does DirectML read the last one?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        opening(Gather(0, 1), (5, 3), "own", literal=values, more={INDICES: indices}),
    )


def _opening(
    operator: Gather,
    sizes: tuple[int, ...],
    indices: tuple[int, ...],
    literal: str,
    compare: Gather | None = None,
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    return opening(operator, sizes, more=more, compare=compare)
