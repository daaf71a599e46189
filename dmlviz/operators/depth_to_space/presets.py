"""Depth to space: the two orders, which libraries use them, and invalid block sizes."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.depth_to_space.operator import DepthToSpace
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_value
from dmlviz.words import _

DCR, CRD = "DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        pixel_shuffle(),
        both_orders(),
        one_channel(),
        picture(),
        transpose(),
        undivided(),
    )


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Channels {channels}: every second one, because there are {count} output channels. "
            "The first block of channel 0 holds {values}."
        ).format(
            channels=listed(_first_block(trace.source // (2 * 3))),
            count=trace.output.shape[1],
            values=listed(_first_block(trace.output)),
        )

    return Question(
        "depth-to-space-documentation",
        _("The documentation's example"),
        _("Which input channels meet in the first 2 by 2 block?"),
        tell,
        Opening(),
        pictured=True,
    )


def pixel_shuffle() -> Question:
    """Which library uses which order."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace(), preset.second_trace()
        return _(
            "A, COLUMN_ROW_DEPTH: its first block holds channels {crd}. It is ONNX's CRD. B, "
            "DEPTH_COLUMN_ROW, takes {dcr}: ONNX's DCR, and TensorFlow's depth_to_space."
        ).format(crd=listed(_first_block(a.output)), dcr=listed(_first_block(b.output)))

    return Question(
        "depth-to-space-pixel-shuffle",
        _("PixelShuffle's order"),
        _("PyTorch's PixelShuffle puts channels 0, 1, 2, 3 into the first block: which order?"),
        tell,
        opening(
            DepthToSpace(2, CRD),
            (1, 8, 1, 2),
            "channel",
            colors="channel",
            compare=DepthToSpace(2, DCR),
        ),
    )


def both_orders() -> Question:
    """A known compiler error: the orders also differ at block size 3."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        where = np.flatnonzero(a != b)
        at = tuple(int(i) for i in np.unravel_index(int(where[0]), a.shape))
        return _(
            "A, DEPTH_COLUMN_ROW, puts channel {a} at out{index}, and B puts channel {b} there. "
            "{wrong} of {count} elements differ. Two compilers had B's order wrong for blocks of "
            "3 and more."
        ).format(
            index=list(at),
            a=print_value(a[at]),
            b=print_value(b[at]),
            wrong=where.size,
            count=a.size,
        )

    return Question(
        "depth-to-space-block-3",
        _("Both orders at block 3"),
        _("18 channels, a block of 3: which channel lands beside channel 0 in each order?"),
        tell,
        opening(
            DepthToSpace(3, DCR),
            (1, 18, 2, 2),
            "channel",
            colors="channel",
            compare=DepthToSpace(3, CRD),
        ),
    )


def one_channel() -> Question:
    """A case in which the wrong order makes no difference."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "No: {differing} of {count} elements differ. With one output channel there is only "
            "one channel to take from each place of the block, so a test with it proves nothing."
        ).format(differing=np.count_nonzero(a != b), count=a.size)

    return Question(
        "depth-to-space-one-channel",
        _("One output channel"),
        _("With a single output channel, does the order matter?"),
        tell,
        opening(DepthToSpace(2, DCR), (1, 4, 2, 3), "count-0", compare=DepthToSpace(2, CRD)),
    )


def picture() -> Question:
    """A picture, and the effect of the wrong order."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A, DEPTH_COLUMN_ROW: the channels were stored in that order. Read in the other one, "
            "{wrong} of {count} elements are wrong."
        ).format(wrong=np.count_nonzero(a != b), count=a.size)

    return Question(
        "depth-to-space-picture",
        _("A picture in the wrong order"),
        _("In which order were the channels of this picture stored?"),
        tell,
        opening(
            DepthToSpace(2, DCR),
            (1, 12, 6, 6),
            "picture",
            data_type="UINT8",
            picture="island",
            colors="picture",
            compare=DepthToSpace(2, CRD),
        ),
    )


def transpose() -> Question:
    """The three lines of NumPy."""

    def tell(preset: Opened) -> str:
        parts = preset.operator.rule_parts(preset.trace().inputs)
        before = [np.arange(preset.x.size), *(part.order for part in parts)]
        moved = [
            part.title
            for order, part in zip(before, parts, strict=False)
            if not np.array_equal(order, part.order)
        ]
        return _(
            "The order: {moved}. The copy: {copy}. The first two lines are views: "
            "np.shares_memory says True for them and the input. No view can have the last "
            "line's sizes with the elements in this order, so it copies all of them."
        ).format(moved=", ".join(moved), copy=parts[-1].title)

    return Question(
        "depth-to-space-transpose",
        _("Reshape, transpose, reshape"),
        _("Which of NumPy's three lines decides the order, and which one copies the elements?"),
        tell,
        opening(DepthToSpace(2, DCR), (1, 8, 1, 2), "count-0", moves="stages"),
    )


def undivided() -> Question:
    """A channel count that does not divide: refused, with the reason."""
    return Question(
        "depth-to-space-undivided",
        _("Channels that do not divide evenly"),
        _("Can 6 channels fill 2 by 2 blocks?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        opening(DepthToSpace(2, DCR), (1, 6, 2, 3)),
    )


def _first_block(values: Array) -> Array:
    """The 2 by 2 block in the corner of the first output channel."""
    return values[0, 0, :2, :2]
