"""Tile: the documentation's example, and tile against repeat and broadcast."""

from __future__ import annotations

import numpy as np

from dmlviz.operators.teaching import Opened, Opening, Question, listed, opening
from dmlviz.operators.tile.operator import Tile
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def presets() -> tuple[Question, ...]:
    """In display order."""
    return (
        documentation(),
        tile_or_repeat(),
        repeat_by_tile(),
        broadcast(),
        channels(),
        dimensions(),
    )


def documentation() -> Question:
    """The example of DirectML's page."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{times} times: {down} copies down times {across} across. So {count} elements "
            "become {landed}."
        ).format(
            times=np.count_nonzero(trace.source == 0),
            down=trace.output.shape[2] // trace.x.shape[2],
            across=trace.output.shape[3] // trace.x.shape[3],
            count=trace.x.size,
            landed=trace.output.size,
        )

    return Question(
        "tile-documentation",
        _("The documentation's example"),
        _("Repeats is 1, 1, 3, 3: how many times does the 1 land?"),
        tell,
        Opening(),
        pictured=True,
    )


def tile_or_repeat() -> Question:
    """``numpy.tile`` is not ``numpy.repeat``."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{tiled}: the whole input, then the whole input again. {repeated} is what "
            "`numpy.repeat` and `torch.repeat_interleave` give; `torch.Tensor.repeat` tiles."
        ).format(tiled=listed(trace.output), repeated=listed(np.repeat(trace.x, 2)))

    return Question(
        "tile-or-repeat",
        _("Tile or repeat"),
        _("1, 2, 3 tiled twice: 1, 2, 3, 1, 2, 3 or 1, 1, 2, 2, 3, 3?"),
        tell,
        opening(Tile((2,)), (3,)),
        pictured=True,
    )


def repeat_by_tile() -> Question:
    """With a dimension of size 1, a tile equals a repeat."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "Yes: as a column of sizes {sizes}, each element is a row of its own, and the rows "
            "grow across. Read row by row, the output is {output}."
        ).format(sizes=print_sizes(trace.x.shape), output=listed(trace.output))

    return Question(
        "tile-repeats-elements",
        _("Repeat, made of Tile"),
        _("Can Tile make 1, 1, 2, 2, 3, 3 after all?"),
        tell,
        opening(Tile((1, 2)), (3, 1)),
    )


def broadcast() -> Question:
    """Broadcasting is a tile along sizes of 1."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "No, the same {count} elements: broadcasting {sizes} to {output} repeats a "
            "dimension of size 1. Only Tile goes further: a size of {n} cannot be broadcast "
            "to {more}."
        ).format(
            count=trace.output.size,
            sizes=print_sizes(trace.x.shape),
            output=print_sizes(trace.output.shape),
            n=trace.output.shape[0],
            more=2 * trace.output.shape[0],
        )

    return Question(
        "tile-or-broadcast",
        _("Tile or broadcast"),
        _("Does broadcasting one row to 4 rows give a different result?"),
        tell,
        opening(Tile((4, 1)), (1, 3)),
    )


def channels() -> Question:
    """All channels are copied together."""

    def tell(preset: Opened) -> str:
        trace = preset.trace()
        return _(
            "{order}: all {channels} channels repeat together, {times} times. No channel is "
            "repeated next to itself."
        ).format(
            order=listed(trace.output[0, :, 0, 0]),
            channels=trace.x.shape[1],
            times=trace.output.shape[1] // trace.x.shape[1],
        )

    return Question(
        "tile-channels",
        _("Copies of channels"),
        _("Channels 0 and 1, repeated 3 times: 0, 0, 0, 1, 1, 1 or 0, 1, 0, 1, 0, 1?"),
        tell,
        opening(Tile((1, 3, 1, 1)), (1, 2, 2, 3), "channel", colors="channel"),
    )


def dimensions() -> Question:
    """The same number for another dimension."""

    def tell(preset: Opened) -> str:
        a, b = preset.trace().output, preset.second_trace().output
        return _(
            "A repeats the columns: {a}. B repeats the rows: {b}. Both have {count} elements, "
            "in different places."
        ).format(a=print_sizes(a.shape), b=print_sizes(b.shape), count=a.size)

    return Question(
        "tile-dimensions",
        _("Which dimension"),
        _("Repeats 1, 3 or 3, 1: which one makes the tensor wider?"),
        tell,
        opening(Tile((1, 3)), (2, 3), compare=Tile((3, 1))),
    )
