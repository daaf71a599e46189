"""Padding: the documentation's example, the mirrors, and the padding value."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.padding.operator import Padding
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_value
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        mirrors(),
        as_large(),
        larger(),
        onnx_example(),
        size_1(),
        edge_or_wrap(),
        corner(),
        fraction(),
        large_value(),
    )


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        h, w = trace.output.shape[2:]
        return _(
            "{new} of the {count}: the output is {h} by {w}, and {copies} elements come from the "
            "input."
        ).format(
            new=np.count_nonzero(trace.source < 0),
            count=trace.output.size,
            h=h,
            w=w,
            copies=np.count_nonzero(trace.source >= 0),
        )

    return Question(
        "padding-documentation",
        _("The documentation's example"),
        _("How many of the output's elements are not copies of input elements?"),
        tell,
        Opening(),
    )


def mirrors() -> Question:
    """REFLECTION compared with SYMMETRIC on one row."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "SYMMETRIC repeats it: {b}. REFLECTION does not: {a}. Its mirror is on the edge "
            "element; SYMMETRIC's is just outside it."
        ).format(a=listed(a), b=listed(b))

    start, end = (3,), (3,)
    return Question(
        "padding-mirrors",
        _("REFLECTION or SYMMETRIC"),
        _("Which mirror repeats the edge element?"),
        tell,
        opening(Padding("REFLECTION", start, end), (5,), compare=Padding("SYMMETRIC", start, end)),
    )


def as_large() -> Question:
    """A mirror image as large as the axis: where engines disagree."""

    def tell(preset: Opened) -> str:
        out = preset.trace().output
        return _(
            "{third}: the mirror image ends after 2 elements and is folded once more, {out}. "
            "NumPy and DirectML do this; ONNX Runtime's own Pad does not on the CPU."
        ).format(third=print_value(out[0]), out=listed(out))

    return Question(
        "padding-reflection-as-large",
        _("REFLECTION as large as the axis"),
        _("The row has 3 elements. Which one lands 3 places before its start?"),
        tell,
        opening(Padding("REFLECTION", (3,), (3,)), (3,)),
        pictured=True,
    )


def larger() -> Question:
    """A mirror image larger than the axis folds again and again."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        remarks = preset.operator.remarks(trace.inputs, (0,))
        return _(
            "{folds}, of {period} elements each: {out}. How the first element got there: {remark}"
        ).format(
            folds=-(-trace.operator.settings["start_padding"][0] // (trace.x.size - 1)),
            period=trace.x.size - 1,
            out=listed(trace.output),
            remark=remarks[0],
        )

    return Question(
        "padding-reflection-larger",
        _("REFLECTION larger than the axis"),
        _("7 elements are added before a row of 3: how many times does the mirror fold?"),
        tell,
        opening(Padding("REFLECTION", (7,), (0,)), (3,)),
    )


def onnx_example() -> Question:
    """ONNX's printed example of reflect."""

    def tell(preset: Opened) -> str:
        out = preset.trace().output
        return _(
            "{first}: the first row is {row}, because the second fold begins at the other "
            "edge. ONNX prints this as its example, but ONNX Runtime's own Pad does not do "
            "it on the CPU."
        ).format(row=listed(out[0]), first=print_value(out[0, 0]))

    return Question(
        "padding-onnx-example",
        _("ONNX's printed example"),
        _("ONNX's own example reflects 2 elements before rows of 2: which element comes first?"),
        tell,
        opening(
            Padding("REFLECTION", (0, 2), (0, 0)),
            (3, 2),
            data_type="FLOAT32",
            literal="1,1.2,2.3,3.4,4.5,5.7",
        ),
    )


def size_1() -> Question:
    """Mirroring a single element."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{value}, {times} times: it is the only element. No page of DirectML says so, "
            "but DirectML 1.15.4 and NumPy do it."
        ).format(value=print_value(trace.x[0]), times=trace.output.size - 1)

    return Question(
        "padding-size-1",
        _("REFLECTION of size 1"),
        _("What does a mirror show when there is only one element?"),
        tell,
        opening(Padding("REFLECTION", (2,), (2,)), (1,), literal="7"),
    )


def edge_or_wrap() -> Question:
    """The edge, or the other end."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A, EDGE, repeats the first: {a}. B, WRAP, continues from the other end: {b}. "
            "WRAP is in DirectML's header from feature level 6_4 on, but on no documentation "
            "page."
        ).format(a=listed(a[:3]), b=listed(b[:3]))

    start, end = (3,), (2,)
    return Question(
        "padding-edge-or-wrap",
        _("EDGE or WRAP"),
        _("What comes before 1, 2, 3, 4, 5: the first element, or the last ones?"),
        tell,
        opening(Padding("EDGE", start, end), (5,), compare=Padding("WRAP", start, end)),
    )


def corner() -> Question:
    """Where padded rows and padded columns meet."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        at = tuple(int(i) for i in np.unravel_index(int(trace.source[0, 0]), trace.x.shape))
        return _(
            "{value}, which is in{index}: the rows are mirrored, then the columns, and the "
            "corner is mirrored both ways."
        ).format(value=print_value(trace.output[0, 0]), index=list(at))

    return Question(
        "padding-corner",
        _("The corner"),
        _("Which element is in the corner, where padded rows and columns meet?"),
        tell,
        opening(Padding("REFLECTION", (1, 1), (1, 1)), (3, 5)),
    )


def fraction() -> Question:
    """A fraction in an integer tensor."""

    def tell(preset: Opened) -> str:
        return _(
            "{value}: an integer tensor drops the fraction; it does not round. The page says "
            "so, and DirectML does it."
        ).format(value=print_value(preset.trace().output[0]))

    return Question(
        "padding-fraction",
        _("PaddingValue 10.6 in INT32"),
        _("PaddingValue is 10.6 and the tensor is INT32: 10 or 11?"),
        tell,
        opening(Padding("CONSTANT", (2,), (2,), 10.6), (3,)),
    )


def large_value() -> Question:
    """A whole number that a FLOAT cannot hold."""

    def tell(preset: Opened) -> str:
        out = preset.trace().output
        return _(
            "{value}: PaddingValue is a FLOAT with 24 bits of precision, whatever the "
            "tensor's type. It holds every whole number up to 2 to the 24th, {most}."
        ).format(value=print_value(out[0]), most=2**24)

    return Question(
        "padding-16777217",
        _("PaddingValue 16777217 in INT32"),
        _("INT32 can hold 16777217. Which value does the padding get?"),
        tell,
        opening(Padding("CONSTANT", (1,), (1,), 16777217.0), (3,)),
    )
