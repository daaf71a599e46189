"""OneHot: the documentation's example, axes, other values, places beyond, labels of a class."""

from __future__ import annotations

from dmlviz.operators.one_hot.layout import INDICES, VALUES
from dmlviz.operators.one_hot.operator import OneHot
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), columns(), smoothed(), beyond(), longer(), wide())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        indices = trace.inputs[INDICES].ravel()
        return _(
            "{count}: each index becomes a row of its own, and index {second} makes {row}. Each "
            "row has one 1, {ones} in all."
        ).format(
            count=indices.size,
            second=int(indices[1]),
            row=listed(trace.output.reshape(3, 4)[1]),
            ones=int(trace.output.sum()),
        )

    return Question(
        "one-hot-documentation",
        _("The documentation's example"),
        _("Three indices, sequences of four: how many ones does the output have?"),
        tell,
        Opening(),
        pictured=True,
    )


def columns() -> Question:
    """Vertical sequences."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "In columns: dimension 0 has size {depth}, and the sizes are {sizes}. Index "
            "{index} puts its 1 in row {index} of the first column."
        ).format(
            depth=trace.output.shape[0],
            sizes=print_sizes(trace.output.shape),
            index=int(trace.inputs[INDICES].flat[0]),
        )

    return Question(
        "one-hot-columns",
        _("In columns"),
        _("The indices are in a row and Axis is 0: are the sequences rows or columns?"),
        tell,
        _opening(OneHot(0, 3), "0,1", (1, 4), "2,0,1,0"),
    )


def smoothed() -> Question:
    """Any two values."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        off, on = trace.inputs[VALUES].ravel()[:2]
        return _(
            "{row}: the second value, {on}, is copied once, and the first, {off}, to all "
            "other places. This is how labels are smoothed."
        ).format(row=listed(trace.output[0]), on=listed(on), off=listed(off))

    return Question(
        "one-hot-smoothed",
        _("Not 0 and 1"),
        _("ValuesTensor holds 0.1 and 0.6, and the index is 2: what is the row?"),
        tell,
        _opening(OneHot(1, 5), "0.1,0.6", (2, 1), "2,4", "FLOAT32"),
    )


def beyond() -> Question:
    """Indices from the end, and beyond it."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first, second, third = (int(i) for i in trace.inputs[INDICES].ravel())
        depth = preset.operator.depth
        return _(
            "{first} counts from the end, place {place}. {second} and {third} are outside: places "
            "are 0 to {last}. Their rows are all {off}; nothing is refused."
        ).format(
            first=first,
            place=first + depth,
            second=second,
            third=third,
            last=depth - 1,
            off=listed(trace.output[1, :1]),
        )

    return Question(
        "one-hot-beyond",
        _("From the end, and beyond"),
        _("Sequences of four: which places do the indices -1, 4 and -5 turn on?"),
        tell,
        _opening(OneHot(1, 4), "0,1", (3, 1), "-1,4,-5"),
    )


def longer() -> Question:
    """The depth comes from the output's size."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A's rows have {a} elements and B's {b}; the ones are at the same places. The "
            "indices do not tell how long a sequence is: the output's size does."
        ).format(a=a.output.shape[1], b=b.output.shape[1])

    return Question(
        "one-hot-depth",
        _("How long a sequence is"),
        _("The largest index is 2: do the sequences have three elements or five?"),
        tell,
        _opening(OneHot(1, 3), "0,1", (3, 1), "1,2,0", compare=OneHot(1, 5)),
    )


def wide() -> Question:
    """Indices of more than 32 bits, which DirectML cuts."""
    return Question(
        "one-hot-64-bits",
        _("More than 32 bits"),
        _("Sequences of four, index 4,294,967,297: are all its places off in DirectML?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening(OneHot(1, 4), "0,1", (2, 1), "4294967297,2"),
    )


def _opening(
    operator: OneHot,
    pair: str,
    indices: tuple[int, ...],
    literal: str,
    data_type: str = "INT32",
    compare: OneHot | None = None,
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    return opening(
        operator,
        (1, 2),
        "own",
        data_type=data_type,
        literal=pair,
        more=more,
        compare=compare,
    )
