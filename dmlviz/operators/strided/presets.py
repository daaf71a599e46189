"""Strided: transposes versus reshapes, layouts of pictures, repeats, windows, gaps."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.strided.operator import Strided
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        transpose(),
        channels_last(),
        broadcast(),
        windows(),
        every_second(),
        gaps(),
    )


def documentation() -> Question:
    """Columns one after the other in memory."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{row}: elements {places} of memory. The next column is {stride} elements away; "
            "the columns come one after the other, {column} first."
        ).format(
            row=listed(trace.output[0]),
            places=listed(trace.source[0]),
            stride=preset.operator.input_tensor_strides[1],
            column=listed(trace.output[:, 0]),
        )

    return Question(
        "strided-documentation",
        _("Column after column"),
        _("Memory holds 1, 4, 2, 5, 3, 6 and the strides are 1 and 2: what is row 0?"),
        tell,
        Opening(),
        pictured=True,
    )


def transpose() -> Question:
    """A transpose is not a reshape."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A, with strides {strides}: its row 0 is {a}, the first column of the 2 by 3 "
            "matrix. B only reshapes: its row 0 is {b}, in the order of memory."
        ).format(
            strides=print_sizes(preset.operator.input_tensor_strides),
            a=listed(a[0]),
            b=listed(b[0]),
        )

    return Question(
        "strided-transpose",
        _("Transpose or reshape"),
        _(
            "Memory holds a 2 by 3 matrix, row after row. Both outputs are 3 by 2: which is its "
            "transpose?"
        ),
        tell,
        opening(Strided((3, 2), (1, 3)), (6,), compare=Strided((3, 2), (2, 1))),
    )


def channels_last() -> Question:
    """NCHW to NHWC."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{pair}: elements {places} of memory. The channels are {stride} apart, one whole "
            "picture of 2 by 3, so the last stride is {stride}."
        ).format(
            pair=listed(trace.output[0, 0, 0]),
            places=listed(trace.source[0, 0, 0]),
            stride=preset.operator.input_tensor_strides[-1],
        )

    return Question(
        "strided-channels-last",
        _("NCHW to NHWC"),
        _(
            "Two channels of 2 by 3 are one after the other in memory: what does the first "
            "pixel hold?"
        ),
        tell,
        opening(Strided((1, 2, 3, 2), (12, 3, 1, 6)), (12,)),
    )


def broadcast() -> Question:
    """A stride of 0."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "It can belong to either. In A each row begins where the last one did and is "
            "{row}. In B all columns start at the same element, and row 0 is {other}. Memory "
            "has {n} elements, each output {count}."
        ).format(row=listed(a[0]), other=listed(b[0]), n=preset.x.size, count=a.size)

    return Question(
        "strided-broadcast",
        _("Stride 0"),
        _("Three elements, nine in the output: does stride 0 belong to the rows or the columns?"),
        tell,
        opening(Strided((3, 3), (0, 1)), (3,), compare=Strided((3, 3), (1, 0))),
    )


def windows() -> Question:
    """Rows that overlap."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        counts = np.bincount(trace.source.ravel(), minlength=preset.x.size)
        return _(
            "{most} times: in row 0 it is last, in row 2 first. Row 1 begins one element after row "
            "0 and is {row}. The 1 is read once, in row 0."
        ).format(most=int(counts[2]), row=listed(trace.output[1]))

    return Question(
        "strided-windows",
        _("Windows that overlap"),
        _(
            "Seven elements become five rows of three, and both strides are 1: how many "
            "times is the 3 read?"
        ),
        tell,
        opening(Strided((5, 3), (1, 1)), (7,)),
    )


def every_second() -> Question:
    """Fewer elements than memory has."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "{a}: elements {places}. The last is element {last}, and memory has one more. Stride 3 "
            "(B) would go beyond it with four, so it stops after {n}: {b}."
        ).format(
            a=listed(a.output),
            places=listed(a.source),
            last=int(a.source[-1]),
            n=b.output.size,
            b=listed(b.output),
        )

    return Question(
        "strided-every-second",
        _("Every second element"),
        _("Eight elements, stride 2, size 4: what comes out?"),
        tell,
        opening(Strided((4,), (2,)), (8,), compare=Strided((3,), (3,))),
    )


def gaps() -> Question:
    """Rows with something after them."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        left = np.setdiff1d(np.arange(preset.x.size), trace.source)
        return _(
            "{left}: elements {places}. A row has {n} elements, the next begins {stride} after it. "
            "Row 1 is {row}."
        ).format(
            left=listed(preset.x[left]),
            places=listed(left),
            n=trace.output.shape[1],
            stride=preset.operator.input_tensor_strides[0],
            row=listed(trace.output[1]),
        )

    return Question(
        "strided-gaps",
        _("Rows with a gap after them"),
        _("Rows of three begin four elements apart: which elements of memory are never read?"),
        tell,
        opening(Strided((3, 3), (4, 1)), (12,)),
    )
