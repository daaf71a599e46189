"""Resample: centers and starts, up and down, and the names in each library."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.resample.modes import DOWN, UP
from dmlviz.operators.resample.operator import Resample
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes
from dmlviz.words import _

_CENTRE, _START = -0.5, 0.0
_ROW = (5,)


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        half_pixels(),
        starts(),
        pytorch(),
        halves(),
        shrinking(),
        one_and_a_half(),
        upsample(),
        eight_bits(),
    )


def _row(direction: str, scale: float, inputs: float, outputs: float, *sizes: int) -> Resample:
    return Resample(direction, (scale,), (inputs,), (outputs,), sizes)


def documentation() -> Question:
    """The first example of the page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{n} times: row 0 of the output is {row}, and row 1 is the same. Output pixel 2 "
            "has its center at 2.5, which falls on 1.25 of the input's ruler: within pixel "
            "1, {value}."
        ).format(
            n=int((trace.output == trace.x.flat[1]).sum()),
            row=listed(trace.output[0, 0, 0]),
            value=listed(trace.output[0, 0, 0, 2:3]),
        )

    return Question(
        "resample-documentation",
        _("Twice as high and wide"),
        _("Scales are 2 and 2: how many times does the 2 appear in the output?"),
        tell,
        Opening(),
        pictured=True,
    )


def half_pixels() -> Question:
    """From center to center, rounded down or up."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "No. From center to center every output pixel falls between two: on -0.25, 0.25, "
            "0.75 and so on. A rounds down: {a}. B rounds up: {b}. ONNX calls both "
            "half_pixel, A with floor and B with ceil."
        ).format(a=listed(a.output), b=listed(b.output))

    return Question(
        "resample-half-pixel",
        _("Half pixels, down or up"),
        _("Twice as long, from center to center: is every element copied twice?"),
        tell,
        opening(
            _row(DOWN, 2, 0.5, _CENTRE),
            (3,),
            data_type="FLOAT32",
            compare=_row(UP, 2, 0.5, _CENTRE),
        ),
    )


def starts() -> Question:
    """From start to start, rounded down or up."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "Rounded down (A) each comes twice: {a}. Rounded up (B) only output pixel 0 falls on "
            "index 0: {b}. ONNX calls this asymmetric, A with floor and B with ceil."
        ).format(a=listed(a.output), b=listed(b.output))

    return Question(
        "resample-starts",
        _("From start to start"),
        _("Both offsets are 0: how often does the first element come?"),
        tell,
        opening(
            _row(DOWN, 2, 0, _START), (3,), data_type="FLOAT32", compare=_row(UP, 2, 0, _START)
        ),
    )


def pytorch() -> Question:
    """nearest and nearest-exact."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "No. A, nearest, goes from start to start: {a}. B, nearest-exact, takes centers: "
            "{b}. {n} of {count} elements differ. For whole scales both are the same."
        ).format(
            a=listed(a.output),
            b=listed(b.output),
            n=int((a.output != b.output).sum()),
            count=a.output.size,
        )

    return Question(
        "resample-pytorch",
        _("PyTorch's two nearest"),
        _("Scale 1.5: do nearest (A) and nearest-exact (B) copy the same elements?"),
        tell,
        opening(
            _row(DOWN, 1.5, 0, _START),
            (4,),
            data_type="FLOAT32",
            compare=_row(DOWN, 1.5, 0, _CENTRE),
        ),
    )


def halves() -> Question:
    """Every output pixel is exactly between two centers."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "ONNX's default, round_prefer_floor (A), takes the one before: {a}. round_prefer_ceil "
            "(B) takes the one after: {b}. InputPixelOffsets 1 with INCREASING, and 0 with "
            "DECREASING, say so in DirectML."
        ).format(a=listed(a.output), b=listed(b.output))

    return Question(
        "resample-halves",
        _("Exactly between two centers"),
        _("Half as long: each center falls exactly between two. Which one is nearest?"),
        tell,
        opening(
            _row(UP, 0.5, 1, _CENTRE),
            (6,),
            data_type="FLOAT32",
            compare=_row(DOWN, 0.5, 0, _CENTRE),
        ),
    )


def shrinking() -> Question:
    """TensorFlow's two nearest modes, for a smaller output."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A, tf_half_pixel_for_nn, is tf.image.resize: {a}, the middle one of every three. B, "
            "asymmetric, is what TensorFlow 1 did: {b}, the first one."
        ).format(a=listed(a.output), b=listed(b.output))

    third = float(np.float32(1) / np.float32(3))
    return Question(
        "resample-shrink",
        _("A third as long"),
        _("9 elements become 3: which ones does TensorFlow keep?"),
        tell,
        opening(
            _row(DOWN, third, 0, _CENTRE),
            (9,),
            data_type="FLOAT32",
            compare=_row(DOWN, third, 0, _START),
        ),
    )


def one_and_a_half() -> Question:
    """A scale that does not give a whole number of pixels."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "{a_sizes} by default (A): {a}. OutputTensor may have any size: with {b_sizes} "
            "(B) more pixels fall at the end and beyond it, and its edge repeats: {b}."
        ).format(
            a_sizes=print_sizes(a.output.shape),
            a=listed(a.output),
            b_sizes=print_sizes(b.output.shape),
            b=listed(b.output),
        )

    return Question(
        "resample-one-and-a-half",
        _("One and a half times"),
        _("5 elements, scale 1.5: 5 · 1.5 = 7.5. How long is the output?"),
        tell,
        opening(
            _row(DOWN, 1.5, 0, _CENTRE),
            _ROW,
            data_type="FLOAT32",
            compare=_row(DOWN, 1.5, 0, _CENTRE, 10),
        ),
    )


def upsample() -> Question:
    """DML_UPSAMPLE_2D: the width comes first in its sizes."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "The columns: {before} becomes {after}. ScaleSize is a DML_SIZE_2D, whose width "
            "comes first; sizes start with the height. As DML_RESAMPLE2 it is Scales "
            "{scales}."
        ).format(
            before=print_sizes(trace.x.shape),
            after=print_sizes(trace.output.shape),
            scales=preset.operator.parameters()[2].spell(preset.operator.scales),
        )

    return Question(
        "resample-upsample-2d",
        _("DML_UPSAMPLE_2D"),
        _("ScaleSize is {3, 2}: which become three times as many, rows or columns?"),
        tell,
        opening(
            Resample(DOWN, (1, 1, 2, 3), (0,) * 4, (_START,) * 4),
            (1, 2, 2, 3),
            data_type="FLOAT32",
        ),
    )


def eight_bits() -> Question:
    """How DirectML 1.15.4 runs RESAMPLE1 with 8-bit types."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "Not in DirectML {version}: DML_RESAMPLE1 and DML_RESAMPLE round down there (A, {a}). "
            "With FLOAT32 they round to the nearest (B, {b}). DML_RESAMPLE2 does the same for all "
            "its types, so use that for 8 bits."
        ).format(version="1.15.4", a=listed(a.output), b=listed(b.output))

    return Question(
        "resample-8-bits",
        _("DML_RESAMPLE1 with 8 bits"),
        _("From center to center with UINT8: does DML_RESAMPLE1 copy each element twice?"),
        tell,
        opening(
            _row(DOWN, 2, 0.5, _CENTRE),
            (3,),
            "own",
            data_type="UINT8",
            literal="10,95,43",
            compare=_row(DOWN, 2, 0, _CENTRE),
        ),
    )
