"""MaxUnpooling: a pooled plane, two channels, other sizes, one place twice, and beyond."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES, cell
from dmlviz.operators.max_unpooling.operator import MaxUnpooling
from dmlviz.operators.teaching import Input, Opened, Opening, Question, listed, opening
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (pooled(), channels(), sizes(), twice(), beyond())


def pooled() -> Question:
    """The largest of each quarter, back at its place."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = int(trace.inputs[INDICES].flat[0])
        return _(
            "At element {first} of the output, out{place}, where pooling found it. The other "
            "{zeros} elements are 0: all but the largest are lost."
        ).format(
            first=first,
            place=cell(first, trace.output.shape),
            zeros=int((trace.source < 0).sum()),
        )

    return Question(
        "max-unpooling-pooled",
        _("Back from pooling"),
        _("The first element is 6 and its index is 5: where does it land in the 4 by 4 output?"),
        tell,
        Opening(),
        pictured=True,
    )


def channels() -> Question:
    """An index counts through all channels."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        indices = trace.inputs[INDICES]
        k = indices.size // 2
        index = int(indices.flat[k])
        plane = trace.output.shape[2] * trace.output.shape[3]
        return _(
            "Through both: a plane has {plane} elements, so index {index} is number {rest} "
            "of channel 1, out{place}. PyTorch would count from 0 in each channel."
        ).format(
            plane=plane,
            index=index,
            rest=index - plane,
            place=cell(index, trace.output.shape),
        )

    return Question(
        "max-unpooling-channels",
        _("Through all channels"),
        _("Two channels of 4 by 4: do indices of channel 1 begin at 0, or at 16?"),
        tell,
        _opening((1, 2, 4, 4), (1, 2, 2, 2), "1,2,3,4,5,6,7,8", "0,3,12,15,21,22,25,31"),
    )


def sizes() -> Question:
    """The same indices in outputs of other sizes."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        index = int(a.inputs[INDICES].flat[1])
        return _(
            "No: index {index} is out{a} in A and out{b} in B, whose rows are longer. The "
            "indices do not tell how large the output is; its sizes do."
        ).format(index=index, a=cell(index, a.output.shape), b=cell(index, b.output.shape))

    return Question(
        "max-unpooling-sizes",
        _("A larger output"),
        _("The same indices in outputs of 4 by 4 and 5 by 5: is the picture the same?"),
        tell,
        _opening(
            (1, 1, 4, 4),
            (1, 1, 2, 2),
            "6,8,9,7",
            "5,7,12,10",
            compare=MaxUnpooling((1, 1, 5, 5)),
        ),
    )


def twice() -> Question:
    """Windows that overlap find the same maximum."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        indices = trace.inputs[INDICES].ravel()
        at = int(indices[0])
        return _(
            "{value}, once: both are put at element {at}, and nothing is added. Which of two "
            "different values would win is undefined."
        ).format(value=listed(trace.output.ravel()[[at]]), at=at)

    return Question(
        "max-unpooling-twice",
        _("One maximum of two windows"),
        _("Two overlapping windows both found the 9 of element 2: what is there in the output?"),
        tell,
        _opening((1, 1, 1, 5), (1, 1, 1, 2), "9,9", "2,2"),
    )


def beyond() -> Question:
    """An index outside the output: refused here; DirectML drops the element."""
    return Question(
        "max-unpooling-beyond",
        _("An index beyond the output"),
        _("The output has elements 0 to 15: does index 16 wrap around to the first?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        _opening((1, 1, 4, 4), (1, 1, 1, 2), "6,8", "5,16"),
    )


def _opening(
    out: tuple[int, ...],
    sizes: tuple[int, ...],
    values: str,
    indices: str,
    compare: MaxUnpooling | None = None,
) -> Opening:
    more = {INDICES: Input(sizes, data_type="UINT32", literal=indices)}
    return opening(MaxUnpooling(out), sizes, literal=values, more=more, compare=compare)
