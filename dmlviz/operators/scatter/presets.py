"""Scatter: the documentation's examples, overwriting, axes, undoing a sort, and refusals."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES, INPUT, UPDATES, cell
from dmlviz.operators.scatter.operator import Scatter
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), adds(), twice(), axes(), unsorted(), beyond(), more())


def documentation() -> Question:
    """The example of DirectML's page that does not write any place twice."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        row = int(trace.inputs[INDICES][0, 0])
        return _(
            "At out[{row}, 0]: index {row} replaces the row, the column stays 0. {count} places "
            "that no index names keep the input's {value}."
        ).format(
            row=row,
            count=trace.output.size - trace.inputs[UPDATES].size,
            value=listed(trace.inputs[INPUT][0, :1]),
        )

    return Question(
        "scatter-documentation",
        _("The documentation's example"),
        _("Update 10 is at [0, 0] and its index is 1: where does it land?"),
        tell,
        Opening(),
        pictured=True,
    )


def adds() -> Question:
    """It overwrites."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        x, at = trace.inputs[INPUT], int(trace.inputs[INDICES][0])
        return _(
            "No, it overwrites: out[{at}] is {new}, and {old} is gone. torch.scatter_add would "
            "give {total}."
        ).format(
            at=at,
            new=listed(trace.output[[at]]),
            old=listed(x[[at]]),
            total=listed(x[[at]] + trace.inputs[UPDATES][:1]),
        )

    return Question(
        "scatter-adds",
        _("Overwriting, not adding"),
        _("Does Scatter add its updates to what is there?"),
        tell,
        _opening(Scatter(0), (5,), "10,20,30,40,50", (2,), "1,3", "5,6"),
    )


def twice() -> Question:
    """The page's first example, which its own text calls invalid."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        indices, updates = trace.inputs[INDICES], trace.inputs[UPDATES]
        at = next(int(i) for i in indices if (indices == i).sum() > 1)
        rivals = [int(k) for k in (indices == at).nonzero()[0]]
        return _(
            "{value} here, but updates {rivals} both go there: which one wins is undefined. "
            "Never rely on it."
        ).format(value=listed(trace.output[[at]]), rivals=listed(updates[rivals]))

    return Question(
        "scatter-twice",
        _("Two updates for one place"),
        _("Index 3 appears twice, with updates 5 and 7: which value ends up at place 3?"),
        tell,
        _opening(Scatter(0), (5,), "0,1,2,3,4", (4,), "3,1,3,0", "5,6,7,8"),
    )


def axes() -> Question:
    """The same indices along one axis and the other."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        first = a.inputs[UPDATES].flat[0]
        spots = [cell(int((t.output == first).argmax()), t.output.shape) for t in (a, b)]
        return _(
            "Axis 0 replaces the row: in A, {value} lands at out{a}. Axis 1 replaces the column: "
            "in B it lands at out{b}."
        ).format(value=listed([first]), a=spots[0], b=spots[1])

    return Question(
        "scatter-axis",
        _("Which coordinate is replaced"),
        _("Update 100 is at [0, 0] and its index is 2: where does it land with each axis?"),
        tell,
        _opening(
            Scatter(0),
            (3, 3),
            "1,2,3,4,5,6,7,8,9",
            (3, 3),
            "2,0,1,0,1,2,1,2,0",
            "100,101,102,103,104,105,106,107,108",
            compare=Scatter(1),
        ),
    )


def unsorted() -> Question:
    """Scatter reverses a gather with the same indices."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Yes: {output}. Each value goes back to the place that it was taken from, {places}."
        ).format(output=listed(trace.output), places=listed(trace.inputs[INDICES]))

    return Question(
        "scatter-unsorted",
        _("Undoing a sort"),
        _("30, 10, 20 was sorted by taking places 1, 2, 0: do the same indices undo it?"),
        tell,
        _opening(Scatter(0), (3,), "0,0,0", (3,), "1,2,0", "10,20,30"),
    )


def beyond() -> Question:
    """An index outside the axis: refused here; DirectML writes into the next row."""
    return Question(
        "scatter-beyond",
        _("An index beyond the axis"),
        _("A row has the places 0 to 2: is an update with index 3 dropped?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(Scatter(1), (2, 3), "1,2,3,4,5,6", (2, 1), "3,0", "100,101"),
    )


def more() -> Question:
    """More indices than places, which ONNX accepts."""
    return Question(
        "scatter-more",
        _("More indices than places"),
        _("Two places, three updates: does DirectML take them?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(Scatter(0), (2,), "1,2", (3,), "0,1,0", "10,20,30"),
    )


def _opening(
    operator: Scatter,
    sizes: tuple[int, ...],
    values: str,
    indices: tuple[int, ...],
    literal: str,
    updates: str,
    compare: Scatter | None = None,
) -> Opening:
    more = {
        INDICES: Input(indices, data_type="INT64", literal=literal),
        UPDATES: Input(indices, literal=updates),
    }
    return opening(operator, sizes, literal=values, more=more, compare=compare)
