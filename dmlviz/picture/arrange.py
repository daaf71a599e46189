"""Arranges inputs and outputs in a picture of a given width, in whole pixels.

The rules are those of the player's arrange.js, but a picture cannot be scrolled, so very long
tensors get flat or narrow cells here.
"""

from __future__ import annotations

import math
from dataclasses import replace

from dmlviz.base.deferred import dataclass
from dmlviz.picture.measures import measures
from dmlviz.picture.scene import Side

_STAGE, _CELLS, _NUMBERS = (measures()[of] for of in ("stage", "cells", "numbers"))
_BETWEEN, _FOOT = 44, 12
_TITLE, _PLANES, _INDICES = 40, 18, 18
TITLE_ALONE = 32
"""The pixels above a tensor that has a title and neither indices nor titles of planes."""
_TALL = 400
_LOW = 230
"""The pixels down of a room below which words are smaller."""
_FOLLOWED = 6
_LONGEST = 4096
_FEW_ROWS = 24
_ROWS = 65_536


@dataclass(frozen=True)
class Arrangement:
    """Places in a picture, in pixels.

    Attributes:
        width, height: of the stage, without the caption.
        cell: width and height of a cell, including the gap.
        gap: between cells.
        head: from the upper edge of a tensor's part of the picture to its first cell.
        font: size of the numbers; 0 where they would be too small to read.
        input, output: left and upper edge of the sides.
        scale: of everything except cells; 1 in a picture that is 1,024 pixels wide.
    """

    width: int
    height: int
    cell: tuple[int, int]
    gap: int
    head: int
    font: float
    input: tuple[int, int]
    output: tuple[int, int]
    scale: float


def arrange(
    width: int,
    first: Side,
    second: Side,
    letters: int,
    titles: tuple[float, float],
    tall: int | None = None,
    bare: bool = False,
) -> Arrangement:
    """Arrange side by side if there is room, else one below the other; cells are as large as fit.

    Args:
        width: of the picture; it grows if the tensors do not fit.
        first, second: inputs and outputs; there can be no inputs.
        letters: of the longest label.
        titles: the widths of the words above inputs and outputs.
        tall: the pixels down of a room that the picture has to itself; all of it fits there.
        bare: without indices and titles of planes.
    """
    scale = scale_of(width, tall)
    # long numbers get wider cells, not smaller print
    widest = _CELLS["widest"]
    fair = min(widest, max(1.0, 1 + (letters - _CELLS["letters"]) * _CELLS["perLetter"]))
    for stretch in (fair, widest, 2.3):
        arrangement = _fitted(width, scale, first, second, stretch, titles, tall, bare)
        font = font_for(*arrangement.cell, letters)
        if font:
            return replace(arrangement, font=font)
    return _fitted(width, scale, first, second, 1.0, titles, tall, bare)


def scale_of(width: int, tall: int | None = None) -> float:
    """How large words are in a picture of this width, or in a room, where they are the stage's."""
    if tall:
        return min(1.0, max(0.75, tall / _LOW))
    return min(2.0, max(0.75, width / 1024))


def font_for(cell_width: int, cell_height: int, letters: int) -> float:
    """The size of the numbers in cells, 0 where they would be too small to read.

    >>> font_for(40, 40, 2), font_for(12, 12, 2)
    (18.0, 0.0)
    """
    room = (cell_width - 4) / (max(2, letters) * _NUMBERS["digit"])
    font = min(cell_height * _NUMBERS["share"], room, _NUMBERS["largest"])
    return 0.0 if font < _NUMBERS["readable"] else math.floor(font * 2) / 2


def _fitted(
    width: int,
    scale: float,
    first: Side,
    second: Side,
    stretch: float,
    titles: tuple[float, float],
    room: int | None,
    bare: bool,
) -> Arrangement:
    head = round((TITLE_ALONE if bare else _head(first, second)) * scale)
    narrow = room is not None and width < _STAGE["narrow"]
    left = round(_STAGE["narrowLeft" if narrow else "left"] * scale)
    right = round(_STAGE["right"] * scale)
    alone = not first.tensors
    apart = _STAGE["narrowBetween"] if narrow else _BETWEEN
    between, foot = 0 if alone else round(apart * scale), round(_FOOT * scale)
    tall = room or max(_TALL, width * 0.6)
    most = _CELLS["most"] * scale
    if room:
        most = max(most, min(_CELLS["largest"], tall / 7))
    margins = (1 if alone else 2) * (left + right)
    across_both = (width - between - margins) / ((first.width + second.width) * stretch)
    across_one = (width - left - 2 * right) / (max(first.width, second.width) * stretch)
    highest, both_high = max(first.height, second.height), first.height + second.height
    followed = 0 if room else _FOLLOWED
    beside = _cell(across_both, (tall - head - foot) / highest, most, followed)
    longer = tall if room else tall * _STAGE["stackedLonger"]
    below = _cell(across_one, (longer - 2 * head - 2 * foot) / both_high, most, followed)
    # wide pictures put input and output side by side, unless that halves the cells
    much = 1 if room else _much(width)
    stacked = below > beside * much
    # tens of thousands of rows below as many others would make a picture of twice the pixels
    stacked = not alone and (across_both < 1 or (stacked and both_high <= _ROWS))
    side = below if stacked else beside
    rows = both_high if stacked else highest
    high = max(1, math.floor(min(side, max(side / 16, _LONGEST / rows))))
    if side <= 2 and rows <= _FEW_ROWS:
        # in a picture of a few very long rows, stripes are visible but dots are not
        high = max(high, min(8, math.floor((tall - head) / rows)))
    wide = max(1, math.floor(side * stretch))
    a = math.ceil(first.width * wide), math.ceil(first.height * high)
    b = math.ceil(second.width * wide), math.ceil(second.height * high)
    smaller = min(wide, high)
    gap = 2 if smaller > _CELLS["wideGapAbove"] else 1 if smaller > _CELLS["gapAbove"] else 0
    if stacked:
        width = max(width, max(a[0], b[0]) + left + 2 * right)
        # both begin at the same line, so that columns of the same number stand below each other
        start = left + max(0, (width - left - right - max(a[0], b[0])) // 2)
        at, below_it = (start, head), (start, head + a[1] + foot + head)
        bottom = below_it[1] + b[1] + foot
        return Arrangement(width, bottom, (wide, high), gap, head, 0, at, below_it, scale)
    # a title may be wider than a tensor of few columns
    taken = max(a[0], math.ceil(titles[0]))
    used = taken + max(b[0], math.ceil(titles[1])) + between + margins
    if used > width:
        taken = a[0]
        used = taken + b[0] + between + margins
    width = max(width, used)
    start = (width - used) // 2 + left
    bottom = head + max(a[1], b[1]) + foot
    next_to_it = (start if alone else start + taken + right + between + left, head)
    return Arrangement(width, bottom, (wide, high), gap, head, 0, (start, head), next_to_it, scale)


def _much(width: int) -> float:
    """How many times as large cells are to be for the output to stand below the input."""
    if width < _STAGE["narrow"]:
        return _STAGE["stackedWhenNarrow"]
    return _STAGE["stackedWhenMiddle" if width < _STAGE["middle"] else "stackedWhenWide"]


def _head(first: Side, second: Side) -> int:
    """The room for the words above a tensor, and for anything between them and its cells."""
    tensors = [tensor.layout for side in (first, second) for tensor in side.tensors]
    planes = any(len(tensor.sizes) > 2 for tensor in tensors)
    folded = all(tensor.axes[-1].dy > 0 for tensor in tensors)
    return _TITLE + _PLANES * planes + _INDICES * (not folded)


def _cell(across: float, down: float, most: float, followed: float) -> float:
    # for a tall tensor, the picture grows before its cells shrink
    return max(1.0, min(most, across, max(down, min(across, followed))))
