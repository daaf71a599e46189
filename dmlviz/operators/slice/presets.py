"""Slice: the documentation's example, sizes versus ends, and negative strides."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.slice.operator import Slice
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        size_or_end(),
        reverse(),
        odd_way_back(),
        even_and_odd(),
        room_for_fewer(),
        mirror(),
    )


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{output}: every second row and every second column of the window. Of {count} elements "
            "{copied} are copied."
        ).format(output=listed(trace.output), count=trace.x.size, copied=trace.output.size)

    return Question(
        "slice-documentation",
        _("The documentation's example"),
        _("Strides are 2 and 2: which four elements are copied?"),
        tell,
        Opening(),
        pictured=True,
    )


def size_or_end() -> Question:
    """A window has a size; in NumPy and ONNX a slice has an end."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        window = preset.operator.walks[0]
        return _(
            "{output}: the window has {size} elements, from index {offset} to {last}. NumPy's "
            "x[{offset}:{size}] and ONNX's ends say where to stop, and give {other}."
        ).format(
            output=listed(trace.output),
            size=window.window,
            offset=window.offset,
            last=window.last,
            other=listed(trace.x[window.offset : window.window]),
        )

    return Question(
        "slice-size-or-end",
        _("A size, not an end"),
        _("Offset 2, size 4: is the output 3, 4 or 3, 4, 5, 6?"),
        tell,
        opening(Slice((2,), (4,), (1,)), (7,)),
    )


def reverse() -> Question:
    """The whole input backward."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Yes: {output}. The window is the whole input, and stride -1 starts at its last "
            "element. In ONNX the end would have to be before index 0, but -1 means the last "
            "index."
        ).format(output=listed(trace.output))

    return Question(
        "slice-reverse",
        _("Everything backward"),
        _("Can Slice reverse a row, including its first element?"),
        tell,
        opening(Slice((0,), (7,), (-1,)), (7,)),
    )


def odd_way_back() -> Question:
    """A backward stride does not give the reversed forward result."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "No. A, stride -2, starts at the window's last element: {a}. B, stride 2, starts at "
            "its first: {b}."
        ).format(a=listed(a.output), b=listed(b.output))

    return Question(
        "slice-way-back",
        _("The way back is different"),
        _("Is stride -2 the result of stride 2, read from the end?"),
        tell,
        opening(Slice((1,), (6,), (-2,)), (8,), compare=Slice((1,), (6,), (2,))),
    )


def even_and_odd() -> Question:
    """Two offsets, one stride."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "None: each of the {count} columns is in one of them. Of the first row A has {a}, "
            "B has {b}."
        ).format(
            count=a.x.shape[1],
            a=listed(a.output[0]),
            b=listed(b.output[0]),
        )

    return Question(
        "slice-even-odd",
        _("Even and odd columns"),
        _("Offsets 0 and 1, both with stride 2: which columns do they share?"),
        tell,
        opening(Slice((0, 0), (2, 6), (1, 2)), (2, 6), compare=Slice((0, 1), (2, 5), (1, 2))),
    )


def room_for_fewer() -> Question:
    """The output's size is free below the maximum."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        walk = preset.operator.walks[0]
        return _(
            "{output}: OutputTensor has sizes {sizes}, so {count} of the {most} elements that the "
            "stride reaches are copied. DirectML takes any number from 1 to {most}."
        ).format(
            output=listed(trace.output),
            sizes=print_sizes(trace.output.shape),
            count=walk.count,
            most=walk.most,
        )

    return Question(
        "slice-fewer",
        _("A smaller output"),
        _("A window of 7 and an output of 3: what is copied?"),
        tell,
        opening(Slice((0,), (7,), (-1,), (3,)), (7,)),
    )


def mirror() -> Question:
    """A picture, from the last column to the first."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = np.unravel_index(int(trace.source[0, 0, 0, 0]), trace.x.shape)
        return _(
            "The columns: stride -1 belongs to dimension 3 and starts at its last column, "
            "{column}. The first element is in{place}; the rows stay in order."
        ).format(column=first[3], place=[int(i) for i in first])

    return Question(
        "slice-mirror",
        _("A mirrored picture"),
        _("Strides 1 and -1: what is reversed, rows or columns?"),
        tell,
        opening(
            Slice((0, 0, 0, 0), (1, 1, 12, 12), (1, 1, 1, -1)),
            (1, 1, 12, 12),
            "picture",
            data_type="UINT8",
            picture="letter-r",
        ),
    )
