"""Unfold: the documentation's example, patches, channels, dilation, zeros, a convolution."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.operators.indices import cell
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.operators.unfold.operator import Unfold
from dmlviz.tensors import print_sizes
from dmlviz.words import _

_ONES, _NONE = (1, 1), (0, 0)


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), patches(), channels(), dilated(), zeros(), convolution(), series())


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        copies = np.bincount(trace.source.ravel(), minlength=trace.x.size)
        middle = int(np.argmax(copies))
        return _(
            "{most} times: {cell}, the middle one, is in all {windows} windows, each time in "
            "another row. A corner, {corner}, is in {least}."
        ).format(
            most=int(copies.max()),
            cell="in" + cell(middle, trace.x.shape),
            windows=trace.output.shape[2],
            corner="in" + cell(0, trace.x.shape),
            least=int(copies[0]),
        )

    return Question(
        "unfold-documentation",
        _("The documentation's example"),
        _("A 3 by 3 window slides over 5 by 5: how many times is the middle element copied?"),
        tell,
        Opening(),
        pictured=True,
    )


def patches() -> Question:
    """Windows side by side."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Once: with strides as large as the window, {size} elements become {size}. "
            "Column 0 is the first patch, {first}. A vision transformer begins like this: "
            "each column is a token."
        ).format(size=trace.output.size, first=listed(trace.output[0, :, 0]))

    return Question(
        "unfold-patches",
        _("Patches, side by side"),
        _("Window 2 by 2, strides 2: how many times does each element appear?"),
        tell,
        opening(Unfold((2, 2), (2, 2), _ONES, _NONE, _NONE), (1, 1, 4, 6)),
    )


def channels() -> Question:
    """The order of rows."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        places = math.prod(preset.operator.window_sizes)
        of = trace.source[0, :, 0] // math.prod(trace.x.shape[2:])
        return _(
            "Channels {channels}, row by row: all {places} places of channel 0, then those "
            "of channel 1, as in torch.nn.Unfold. If you expect the channels of a place "
            "together, as in tf.image.extract_patches, you misread row 1."
        ).format(channels=listed(of), places=places)

    return Question(
        "unfold-channels",
        _("Channel after channel"),
        _("Two channels, window 2 by 2: which channel does row 1 belong to?"),
        tell,
        opening(Unfold((2, 2), _ONES, _ONES, _NONE, _NONE), (1, 2, 3, 3)),
    )


def dilated() -> Question:
    """Places further apart."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A, dilation 2: {wide}, so {fewer} windows fit. B, dilation 1: {dense}, and "
            "{more} windows."
        ).format(
            wide=listed(a.output[0, :, 0]),
            fewer=a.output.shape[2],
            dense=listed(b.output[0, :, 0]),
            more=b.output.shape[2],
        )

    return Question(
        "unfold-dilation",
        _("Places farther apart"),
        _("A window of 3 with dilation 2 over 7 elements: what is in the first column?"),
        tell,
        opening(
            Unfold((3,), (1,), (2,), (0,), (0,)),
            (1, 1, 7),
            compare=Unfold((3,), (1,), (1,), (0,), (0,)),
        ),
    )


def zeros() -> Question:
    """Padding on all sides."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        first = trace.output[0, :, 0]
        return _(
            "{count}: {first}. With a 0 on every side there are as many windows as elements, "
            "{windows}; {all} of the output's {size} elements come from the padding."
        ).format(
            count=int((trace.source[0, :, 0] < 0).sum()),
            first=listed(first),
            windows=trace.output.shape[2],
            all=int((trace.source < 0).sum()),
            size=trace.output.size,
        )

    return Question(
        "unfold-padding",
        _("Zeros around it"),
        _("Padding 1 on every side, window 3 by 3: how many zeros does the first column have?"),
        tell,
        opening(Unfold((3, 3), _ONES, _ONES, _ONES, _ONES), (1, 1, 3, 4)),
    )


def convolution() -> Question:
    """The use of the columns."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        rows, columns = trace.output.shape[1:]
        c = trace.x.shape[1]
        places = math.prod(preset.operator.window_sizes)
        return _(
            "{rows} weights a filter, one for each row: {c} channels of {places} places. Filters "
            "as rows of a matrix times these {columns} columns is the whole convolution. Unfold "
            "only moves: {before} elements in, {size} out, sizes {sizes}."
        ).format(
            rows=rows,
            c=c,
            places=places,
            columns=columns,
            before=trace.x.size,
            size=trace.output.size,
            sizes=print_sizes(trace.output.shape),
        )

    return Question(
        "unfold-convolution",
        _("A convolution as one product"),
        _("Two channels, window 3 by 3: how many weights does a filter need for each column?"),
        tell,
        opening(Unfold((3, 3), _ONES, _ONES, _ONES, _ONES), (1, 2, 4, 4)),
    )


def series() -> Question:
    """A window that moves along one row."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        last = trace.x.shape[-1] - 1 - int(trace.source.max())
        return _(
            "{count}, and {last} at the end is in none: the next window would need {need} more. "
            "The last column is {column}."
        ).format(
            count=trace.output.shape[2],
            last=listed(trace.x.ravel()[-last:]),
            need=preset.operator.strides[0] - last,
            column=listed(trace.output[0, :, -1]),
        )

    return Question(
        "unfold-series",
        _("A moving window"),
        _("Windows of 4 over 9 elements, moving by 2 each time: how many are there?"),
        tell,
        opening(Unfold((4,), (2,), (1,), (0,), (0,)), (1, 1, 9)),
    )
