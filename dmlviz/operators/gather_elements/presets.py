"""GatherElements: the documentation's example, columns and rows, picking, the end, and beyond."""

from __future__ import annotations

from dmlviz.operators.gather_elements.operator import GatherElements
from dmlviz.operators.indices import INDICES, INPUT, cell
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), picked(), axes(), sorted_rows(), from_the_end(), beyond(), last())


def documentation() -> Question:
    """The example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, first = trace.inputs[INPUT], int(trace.inputs[INDICES][0, 0])
        return _(
            "{output}: column 0 stays column 0, and index {first} takes {element} out of it. Each "
            "index chooses the row of one element."
        ).format(output=listed(trace.output[0]), first=first, element=listed(x[first, :1]))

    return Question(
        "gather-elements-documentation",
        _("The documentation's example"),
        _("The first row of indices is 1, 2, 0: what is the first row of the output?"),
        tell,
        Opening(),
        pictured=True,
    )


def picked() -> Question:
    """One element of every row, as a loss function picks the probability of a label."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{output}: one element of each row, in the columns that the labels {labels} name. That "
            "is how a loss picks the score of the right class."
        ).format(output=listed(trace.output), labels=listed(trace.inputs[INDICES]))

    return Question(
        "gather-elements-labels",
        _("The score of the right class"),
        _("Scores of 4 classes in each of 3 rows, labels 2, 0, 3: which scores are picked?"),
        tell,
        _opening(GatherElements(1), (3, 4), (3, 1), "2,0,3"),
    )


def axes() -> Question:
    """The same indices along one axis and the other."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "Axis 0 replaces the row: A begins with {a}. Axis 1 replaces the column: B begins with "
            "{b}."
        ).format(a=listed(a.output[0]), b=listed(b.output[0]))

    return Question(
        "gather-elements-axis",
        _("Which coordinate is replaced"),
        _("The same indices with Axis 0 and Axis 1: what is the first row of each output?"),
        tell,
        _opening(
            GatherElements(0),
            (3, 3),
            (3, 3),
            "2,1,0,0,2,1,1,0,2",
            compare=GatherElements(1),
        ),
    )


def sorted_rows() -> Question:
    """A separate order for each row, which whole slices cannot do."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{first}, then {second}: each row has an order of its own. Gather takes the same "
            "columns of every row."
        ).format(first=listed(trace.output[0]), second=listed(trace.output[1]))

    return Question(
        "gather-elements-orders",
        _("Each row in its own order"),
        _("Can the two rows be put in different orders at once?"),
        tell,
        _opening(GatherElements(1), (2, 4), (2, 4), "3,2,1,0,1,0,3,2"),
    )


def from_the_end() -> Question:
    """Negative indices."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        size = trace.inputs[INPUT].shape[0]
        back = int(trace.inputs[INDICES].ravel()[0])
        return _(
            "{output}: {back} counts from the end, {back} + {size} = {found}, so the first is "
            "in{source}."
        ).format(
            output=listed(trace.output),
            back=back,
            size=size,
            found=back + size,
            source=cell(int(trace.source.flat[0]), trace.inputs[INPUT].shape),
        )

    return Question(
        "gather-elements-end",
        _("From the end"),
        _("Which elements of their columns do indices -1, -2 and 0 select?"),
        tell,
        _opening(GatherElements(0), (5, 3), (1, 3), "-1,-2,0"),
    )


def beyond() -> Question:
    """An index outside the axis: refused here; DirectML reads from the next row."""
    return Question(
        "gather-elements-beyond",
        _("An index beyond the axis"),
        _("A row has the indices 0 to 2: does index 3 give its last element?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(GatherElements(1), (2, 3), (2, 1), "3,0"),
    )


def last() -> Question:
    """An index beyond the whole tensor, from recordings: DirectML reads the last element."""
    values = (
        "70014,-70003,70006,70013,-70001,70008,70012,-70010,70015,70005,-70011,70007,70004,-70009,"
        "70002"
    )
    indices = Input((2, 3), data_type="INT32", literal="5,0,-6,1,9,2")
    return Question(
        "gather-elements-last",
        _("Beyond the whole tensor"),
        _("Row 5 of five, in column 0: does DirectML clamp it to row 4?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        opening(GatherElements(0), (5, 3), "own", literal=values, more={INDICES: indices}),
    )


def _opening(
    operator: GatherElements,
    sizes: tuple[int, ...],
    indices: tuple[int, ...],
    literal: str,
    compare: GatherElements | None = None,
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    return opening(operator, sizes, more=more, compare=compare)
