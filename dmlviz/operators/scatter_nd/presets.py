"""ScatterND: the documentation's example, elements, rows, overwriting, and beyond."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES, INPUT, UPDATES, cell
from dmlviz.operators.scatter_nd.operator import ScatterND
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), elements(), rows(), zeros(), twice(), next_row(), dropped())


def documentation() -> Question:
    """The page's example, in ranks that DirectML takes."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        places, updates = trace.inputs[INDICES].ravel(), trace.inputs[UPDATES].ravel()
        return _(
            "{output}: {first} lands at place {place}. Its page gives the tensors different "
            "ranks and the indices as FLOAT32; DirectML refuses both, so leading ones are "
            "added here."
        ).format(output=listed(trace.output), first=listed(updates[:1]), place=int(places[0]))

    return Question(
        "scatter-nd-documentation",
        _("The documentation's example"),
        _("Tuples (4), (3), (1), (7) and updates 9, 10, 11, 12: where does 9 land?"),
        tell,
        Opening(),
        pictured=True,
    )


def elements() -> Question:
    """A tuple with an index for each dimension."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        flat = int((trace.output == trace.inputs[UPDATES].flat[0]).argmax())
        return _(
            "{value} lands at out{place}: its tuple names row and column. The other {count} "
            "elements stay as they were."
        ).format(
            value=listed(trace.inputs[UPDATES].flat[:1]),
            place=cell(flat, trace.output.shape),
            count=trace.output.size - trace.inputs[UPDATES].size,
        )

    return Question(
        "scatter-nd-elements",
        _("A tuple names a place"),
        _("Update 100 has the tuple (2, 0), update 101 (0, 3): where does 100 land?"),
        tell,
        _opening((3, 4), (2, 2), "2,0,0,3", (1, 2), "100,101"),
    )


def rows() -> Question:
    """A tuple with fewer indices than the input has dimensions."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        places = trace.inputs[INDICES].ravel()
        return _(
            "Rows: a tuple of one index selects a whole row, so each update is a row too. "
            "Row {row} becomes {values}."
        ).format(row=int(places[0]), values=listed(trace.output[int(places[0])]))

    return Question(
        "scatter-nd-rows",
        _("Whole rows"),
        _("Tuples of one index and a table: are elements replaced, or rows?"),
        tell,
        _opening((4, 3), (2, 1), "3,1", (2, 3), "100,101,102,103,104,105"),
    )


def zeros() -> Question:
    """It overwrites the input; tf.scatter_nd adds to zeros."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "No: {output}. The input is copied first, and {old} is replaced. tf.scatter_nd starts "
            "from zeros; tf.tensor_scatter_nd_update does what this does."
        ).format(
            output=listed(trace.output),
            old=listed(trace.inputs[INPUT].ravel()[[int(trace.inputs[INDICES].flat[0])]]),
        )

    return Question(
        "scatter-nd-zeros",
        _("Onto the input, not onto zeros"),
        _("Places that no tuple names: do they become 0?"),
        tell,
        _opening((1, 5), (2, 1), "1,3", (1, 2), "5,6", counted=1, values="10,20,30,40,50"),
    )


def twice() -> Question:
    """Two tuples that select the same row."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        row = int(trace.inputs[INDICES].flat[0])
        first, second = trace.inputs[UPDATES]
        return _(
            "{values} here, but {first} and {second} are both put there: which one wins is "
            "undefined. Never rely on it."
        ).format(values=listed(trace.output[row]), first=listed(first), second=listed(second))

    return Question(
        "scatter-nd-twice",
        _("Two updates for one place"),
        _("Both tuples are (1): what ends up in row 1?"),
        tell,
        _opening((3, 2), (2, 1), "1,1", (2, 2), "100,101,102,103"),
    )


def next_row() -> Question:
    """An index outside its dimension: refused here; DirectML writes into the next row."""
    return Question(
        "scatter-nd-beyond",
        _("An index out of range"),
        _("Rows have the columns 0 to 2: is an update with the tuple (0, 3) dropped?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening((2, 3), (2, 2), "0,3,1,1", (1, 2), "100,101"),
    )


def dropped() -> Question:
    """An index beyond the whole tensor, from a recording."""
    return Question(
        "scatter-nd-dropped",
        _("Beyond the whole tensor"),
        _("A table of three rows: does an update with the tuple (3, 0) land anywhere?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(
            (3, 5),
            (3, 2),
            "3,0,0,5,1,1",
            (1, 3),
            "100,101,102",
            values=(
                "70014,-70003,70006,70013,-70001,70008,70012,-70010,70015,70005,-70011,70007,"
                "70004,-70009,70002"
            ),
            data_type="INT32",
        ),
    )


def _opening(
    sizes: tuple[int, ...],
    indices: tuple[int, ...],
    literal: str,
    given: tuple[int, ...],
    updates: str,
    *,
    counted: int = 2,
    values: str = "",
    data_type: str = "INT64",
) -> Opening:
    more = {
        INDICES: Input(indices, data_type=data_type, literal=literal),
        UPDATES: Input(given, literal=updates),
    }
    named = "own" if values else "count-1"
    return opening(ScatterND(counted, 2), sizes, named, literal=values, more=more)
