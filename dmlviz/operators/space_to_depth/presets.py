"""Space to depth: the inverse, the page's wrong sizes, and invalid block sizes."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.depth_to_space.operator import DepthToSpace
from dmlviz.operators.space_to_depth.operator import SpaceToDepth
from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.tensors import print_sizes, start
from dmlviz.words import _

DCR, CRD = "DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        small_pictures(),
        output_sizes(),
        together(),
        round_trip(),
        undivided(),
    )


def documentation() -> Question:
    """The first example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        corners = trace.x[0, 0, :2, :2].ravel()
        found = [int(np.argwhere(trace.output == value)[0][1]) for value in corners]
        return _(
            "{corners} land in channels {channels}, each at row 0, column 0: every second "
            "channel, because there are {count} input channels."
        ).format(corners=listed(corners), channels=listed(found), count=trace.x.shape[1])

    return Question(
        "space-to-depth-documentation",
        _("The documentation's example"),
        _("Which channels do the four corners of the first block go to?"),
        tell,
        Opening(),
    )


def small_pictures() -> Question:
    """One channel becomes four of half the size."""

    def tell(preset: Opened) -> str:
        out = preset.trace().output
        return _(
            "{channels}, of {h} by {w}: each takes every second row and every second column, so "
            "each is the picture again, only coarser."
        ).format(channels=out.shape[1], h=out.shape[2], w=out.shape[3])

    return Question(
        "space-to-depth-small-pictures",
        _("One picture becomes four"),
        _("How many small pictures are in this large one?"),
        tell,
        opening(
            SpaceToDepth(2, DCR), (1, 1, 12, 12), "picture", data_type="UINT8", picture="letter-r"
        ),
        pictured=True,
    )


def output_sizes() -> Question:
    """The page of the operator prints the sizes of the inverse."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        inverse = DepthToSpace(2, DCR).output_sizes(trace.x.shape)
        return _(
            "No: {sizes} becomes {output}, Channels · B · B, Height / B, Width / B. The page's "
            "line is Depth to space's, and would be {inverse}."
        ).format(
            sizes=print_sizes(trace.x.shape),
            output=print_sizes(trace.output.shape),
            inverse=print_sizes(inverse),
        )

    return Question(
        "space-to-depth-output-sizes",
        _("The sizes on the page"),
        _(
            "DirectML's page says the output is Batch, Channels / (B · B), Height · B, Width · B. "
            "Is it?"
        ),
        tell,
        opening(SpaceToDepth(2, DCR), (1, 4, 4, 6), "count-0"),
    )


def together() -> Question:
    """How the orders arrange the channels."""

    def tell(preset: Opened) -> str:
        a, b = (t.output[0, :, 0, 0] for t in (preset.trace(), preset.second_trace()))
        return _(
            "A, DEPTH_COLUMN_ROW: {a}. B, COLUMN_ROW_DEPTH, keeps each input channel together: {b}."
        ).format(a=listed(a), b=listed(b))

    return Question(
        "space-to-depth-block-3",
        _("Both orders at block 3"),
        _("Which order keeps the 9 places of one input channel together?"),
        tell,
        opening(
            SpaceToDepth(3, DCR),
            (1, 2, 6, 3),
            "channel",
            colors="channel",
            compare=SpaceToDepth(3, CRD),
        ),
    )


def round_trip() -> Question:
    """Only the same order is the inverse."""
    made = DepthToSpace(2, DCR).apply(start("count-0", (1, 8, 2, 2), "INT32"))

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A, the same order: {first}, ... come back. In the other order, {wrong} of {count} "
            "elements are in the wrong channel."
        ).format(first=listed(a.ravel()[:6]), wrong=np.count_nonzero(a != b), count=a.size)

    return Question(
        "space-to-depth-round-trip",
        _("There and back"),
        _("Depth to space made this from 0, 1, 2, 3, ...: which order brings it back?"),
        tell,
        opening(
            SpaceToDepth(2, DCR),
            made.shape,
            literal=listed(made).replace(" ", ""),
            compare=SpaceToDepth(2, CRD),
        ),
    )


def undivided() -> Question:
    """A width that does not divide: refused, with the reason."""
    return Question(
        "space-to-depth-undivided",
        _("A width that is not divisible"),
        _("Can a width of 5 be cut into 2 by 2 blocks?"),
        lambda preset: _("No. {refusal}").format(refusal=preset.refusal),
        opening(SpaceToDepth(2, DCR), (1, 2, 4, 5)),
    )
