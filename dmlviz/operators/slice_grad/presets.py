"""SliceGrad: the documentation's example, backwards, there and back, zeros, the output's sizes."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.slice_grad.operator import SliceGrad
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (documentation(), backwards(), there_and_back(), room(), channels())


def documentation() -> Question:
    """The example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{zeros} of {n} are 0. The first row becomes {row}: {apart} apart, as a slice with "
            "stride {apart} took them. The last row gets nothing."
        ).format(
            zeros=int((trace.source < 0).sum()),
            n=trace.output.size,
            row=listed(trace.output[0]),
            apart=preset.operator.input_window_strides[1],
        )

    return Question(
        "slice-grad-documentation",
        _("The documentation's example"),
        _("Four elements go into 16 places: how many of them are 0?"),
        tell,
        Opening(),
        pictured=True,
    )


def backwards() -> Question:
    """A negative stride."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A, stride {forwards}: {a}. B, stride {backwards}: {b}. A negative stride starts "
            "at the window's last place."
        ).format(
            forwards=preset.operator.input_window_strides[0],
            backwards=preset.second.input_window_strides[0],
            a=listed(a.output),
            b=listed(b.output),
        )

    return Question(
        "slice-grad-backwards",
        _("From the window's end"),
        _("Strides 2 and -2 in a window of 5: where does the first element go?"),
        tell,
        opening(
            SliceGrad((1,), (5,), (2,), (7,)),
            (3,),
            compare=SliceGrad((1,), (5,), (-2,), (7,)),
        ),
    )


def there_and_back() -> Question:
    """Slicing the output gives the input."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        start = preset.operator.input_window_offsets[0]
        step = preset.operator.input_window_strides[0]
        return _(
            "The input, {x}: a slice takes the places where its elements went. The reverse "
            "is not true: what the slice left out of {y} is now 0."
        ).format(x=listed(trace.output[start::step]), y=listed(np.arange(1, trace.output.size + 1)))

    return Question(
        "slice-grad-back",
        _("There and back"),
        _("What does a slice with the same settings give for this output?"),
        tell,
        opening(SliceGrad((1,), (7,), (3,)), (3,)),
    )


def room() -> Question:
    """The output's sizes are free."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A ends with the window: {a}. B has sizes {sizes}, and zeros after it: {b}. The "
            "window alone does not say how large the sliced tensor was."
        ).format(a=listed(a.output), b=listed(b.output), sizes=print_sizes(b.output.shape))

    return Question(
        "slice-grad-room",
        _("How large the tensor was"),
        _("The same window in outputs of sizes 4 and 6: what is different?"),
        tell,
        opening(SliceGrad((1,), (3,), (1,)), (3,), compare=SliceGrad((1,), (3,), (1,), (6,))),
    )


def channels() -> Question:
    """The gradient of a slice of channels."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Channel 1 gets {values}; the others are 0, {zeros} elements. Channels that a "
            "network did not use get no gradient."
        ).format(values=listed(trace.output[0, 1]), zeros=int((trace.source < 0).sum()))

    return Question(
        "slice-grad-channel",
        _("One channel of three"),
        _("A slice took channel 1 of three: what does its gradient give the three channels?"),
        tell,
        opening(SliceGrad((0, 1, 0, 0), (1, 1, 2, 2), (1, 1, 1, 1), (1, 3, 2, 2)), (1, 1, 2, 2)),
    )
