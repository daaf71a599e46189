"""Join: the documentation's example, axes, stacking, memory and channels."""

from __future__ import annotations

from dmlviz.operators.join.operator import INPUTS, Join
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), axes(), stacking(), memory(), channels())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first, second = trace.inputs.values()
        return _(
            "After the first: its row {second} starts where {first} ends, and the output has "
            "{a} + {b} = {sum} columns."
        ).format(
            first=listed(first[0, 0, 0]),
            second=listed(second[0, 0, 0]),
            a=first.shape[3],
            b=second.shape[3],
            sum=trace.output.shape[3],
        )

    return Question(
        "join-documentation",
        _("The documentation's example"),
        _("Joined along dimension 3: where does the first row of the second tensor land?"),
        tell,
        Opening(),
        pictured=True,
    )


def axes() -> Question:
    """The same tensors along one axis and the other."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "Axis 0 puts rows below rows: A has sizes {a}. Axis 1 puts columns beside columns: B "
            "has sizes {b}, and its first row is {row}."
        ).format(
            a=print_sizes(a.output.shape), b=print_sizes(b.output.shape), row=listed(b.output[0])
        )

    return Question(
        "join-axis",
        _("Which dimension grows"),
        _(
            "Two tensors have 2 rows and 3 columns: what does Axis 0 make of them, and what "
            "does Axis 1?"
        ),
        tell,
        _opening(Join(0), (2, 3), ((2, 3), "7,8,9,10,11,12"), compare=Join(1)),
    )


def stacking() -> Question:
    """No new dimension."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = trace.inputs["InputTensors[0]"].shape
        return _(
            "No. Each row has sizes {rows}, and along the dimension of size 1 they become "
            "{sizes}. Join makes no new dimension: to stack rows of sizes {plain}, give them the 1 "
            "first."
        ).format(
            sizes=print_sizes(trace.output.shape),
            rows=print_sizes(first),
            plain=print_sizes(first[1:]),
        )

    return Question(
        "join-stack",
        _("Rows become a table"),
        _("Three rows are joined into a table: is that a new dimension?"),
        tell,
        _opening(Join(0), (1, 4), ((1, 4), "5,6,7,8"), ((1, 4), "9,10,11,12")),
    )


def memory() -> Question:
    """Along an inner axis, the tensors do not stay together in memory."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first, second = trace.inputs.values()
        return _(
            "No. Row by row the output is {output}: {a} of the first tensor, then {b} of the "
            "second, and so on. Only along dimension 0 would each stay in one piece."
        ).format(output=listed(trace.output), a=first.shape[1], b=second.shape[1])

    return Question(
        "join-memory",
        _("Side by side in memory"),
        _("Joined along dimension 1: do the elements of each tensor stay together in memory?"),
        tell,
        _opening(Join(1), (3, 2), ((3, 1), "10,20,30")),
    )


def channels() -> Question:
    """Planes become the channels of a picture."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        planes = [array.shape[1] for array in trace.inputs.values()]
        return _(
            "Along dimension 1: {sum} = {count} channels, sizes {sizes}. Channel 2 is {last}, the "
            "third tensor."
        ).format(
            sum=" + ".join(map(str, planes)),
            count=sum(planes),
            sizes=print_sizes(trace.output.shape),
            last=listed(trace.output[0, 2]),
        )

    return Question(
        "join-channels",
        _("Three planes, one picture"),
        _(
            "Red, green and blue are separate tensors: along which dimension are they joined "
            "into one?"
        ),
        tell,
        _opening(Join(1), (1, 1, 2, 2), ((1, 1, 2, 2), "5,6,7,8"), ((1, 1, 2, 2), "9,10,11,12")),
    )


def _opening(
    operator: Join,
    sizes: tuple[int, ...],
    *further: tuple[tuple[int, ...], str],
    compare: Join | None = None,
) -> Opening:
    names = INPUTS.names(1 + len(further))[1:]
    more = {
        name: Input(own, literal=literal)
        for name, (own, literal) in zip(names, further, strict=True)
    }
    return opening(operator, sizes, more=more, compare=compare)
