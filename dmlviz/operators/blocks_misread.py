"""How people misread DepthToSpace and SpaceToDepth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.misreadings import MISREADING_LIMIT, Array, Candidate
from dmlviz.tensors import print_sizes
from dmlviz.words import _

_CHANNEL_FIRST = "COLUMN_ROW_DEPTH"


def misread_to_space(x: Array, b: int, order: str) -> Iterator[Candidate]:
    """Wrong outputs of DepthToSpace for a tensor of indices.

    Args:
        x: the tensor of indices, rank 4.
        b: the block size; its square divides the channels.
        order: ``DEPTH_COLUMN_ROW`` or ``COLUMN_ROW_DEPTH``.
    """
    n, c, h, w = x.shape
    out = (n, c // (b * b), h * b, w * b)
    mine, other = (order == _CHANNEL_FIRST), (order != _CHANNEL_FIRST)

    def spread(channel_first: bool, axes: tuple[int, ...]) -> Array:
        return _split(x, b, channel_first).transpose(axes).reshape(out)

    yield "other-order", _other_order(order, out[1]), spread(other, (0, 1, 4, 2, 5, 3))
    yield "swapped", _swapped(b), spread(mine, (0, 1, 4, 3, 5, 2))
    words = _(
        "That lays whole channels of {h} by {w} beside each other; the first {b} by {b} block "
        "takes element [0, 0] of {square} channels instead."
    ).format(h=h, w=w, b=b, square=b * b)
    yield "beside", words, spread(mine, (0, 1, 2, 4, 3, 5))
    yield "reshape", _reshape(x.shape, out), x.reshape(out)
    rows = _spread_rows(x, b, mine)
    words = _(
        "That divides the {c} channels by {b} only once; a {b} by {b} block takes {square} of them."
    ).format(c=c, b=b, square=b * b)
    if rows.size * b <= MISREADING_LIMIT:
        yield "once", words, np.repeat(rows, b, axis=3)
    words = _(
        "That makes only the height {b} times as large; the width grows from {w} to {wide} as well."
    ).format(b=b, w=w, wide=out[3])
    yield "rows-only", words, rows
    if h % b == 0 and w % b == 0:
        words = _("That is the inverse: SpaceToDepth makes more channels, DepthToSpace fewer.")
        yield "inverse", words, _gather(x, b, mine)
    words = _("That takes the other order, {other}, and swaps row and column of the block.")
    yield (
        "other-order-swapped",
        words.format(other=_other(order)),
        spread(other, (0, 1, 4, 3, 5, 2)),
    )


def misread_to_depth(x: Array, b: int, order: str) -> Iterator[Candidate]:
    """Wrong outputs of SpaceToDepth for a tensor of indices.

    Args:
        x: the tensor of indices, rank 4.
        b: the block size; it divides height and width.
        order: ``DEPTH_COLUMN_ROW`` or ``COLUMN_ROW_DEPTH``.
    """
    n, c, height, width = x.shape
    h, w = height // b, width // b
    out = (n, c * b * b, h, w)
    mine, other = (order == _CHANNEL_FIRST), (order != _CHANNEL_FIRST)
    flipped = _gather(x, b, mine, flip=True)
    yield "other-order", _other_order(order, c), _gather(x, b, other)
    yield "swapped", _swapped(b), flipped
    whole = x.reshape(n, c, b, h, b, w).transpose(0, 1, 3, 2, 5, 4).reshape(x.shape)
    words = _(
        "That cuts each channel into {square} pieces of {h} by {w}; each {b} by {b} block gives "
        "one element to {square} channels instead."
    ).format(square=b * b, h=h, w=w, b=b)
    yield "beside", words, _gather(whole, b, mine)
    yield "reshape", _reshape(x.shape, out), x.reshape(out)
    parts = x.reshape(n, c, h, b, width)
    rows = parts.transpose((0, 1, 3, 2, 4) if mine else (0, 3, 1, 2, 4))
    rows = rows.reshape(n, c * b, h, width)
    words = _(
        "That multiplies the {c} channels by {b} only once; a {b} by {b} block becomes {square} "
        "channels."
    ).format(c=c, b=b, square=b * b)
    yield "once", words, rows[..., ::b]
    words = _("That divides only the height by {b}; the width shrinks from {width} to {w} as well.")
    yield "rows-only", words.format(b=b, width=width, w=w), rows
    if c % (b * b) == 0:
        words = _("That is the inverse: DepthToSpace makes fewer channels, SpaceToDepth more.")
        spread = _split(x, b, mine).transpose(0, 1, 4, 2, 5, 3)
        yield "inverse", words, spread.reshape(n, c // (b * b), height * b, width * b)
    words = _("That takes the other order, {other}, and swaps row and column of the block.")
    yield (
        "other-order-swapped",
        words.format(other=_other(order)),
        _gather(x, b, other, flip=True),
    )


def _spread_rows(x: Array, b: int, channel_first: bool) -> Array:
    """DepthToSpace along the height only."""
    n, c, h, w = x.shape
    if channel_first:
        parts = x.reshape(n, c // b, b, h, w).transpose(0, 1, 3, 2, 4)
    else:
        parts = x.reshape(n, b, c // b, h, w).transpose(0, 2, 3, 1, 4)
    return parts.reshape(n, c // b, h * b, w)


def _split(x: Array, b: int, channel_first: bool) -> Array:
    """Batch, channel, row and column in the block, row, column."""
    n, c, h, w = x.shape
    wide = c // (b * b)
    if channel_first:
        return x.reshape(n, wide, b, b, h, w)
    return x.reshape(n, b, b, wide, h, w).transpose(0, 3, 1, 2, 4, 5)


def _gather(x: Array, b: int, channel_first: bool, flip: bool = False) -> Array:
    """SpaceToDepth; ``flip`` swaps row and column of the block."""
    n, c, height, width = x.shape
    parts = x.reshape(n, c, height // b, b, width // b, b)
    place = (5, 3) if flip else (3, 5)
    first = (1, *place) if channel_first else (*place, 1)
    return parts.transpose(0, *first, 2, 4).reshape(n, c * b * b, height // b, width // b)


def _other(order: str) -> str:
    return "DEPTH_COLUMN_ROW" if order == _CHANNEL_FIRST else _CHANNEL_FIRST


def _other_order(order: str, channels: int) -> str:
    if order == _CHANNEL_FIRST:
        words = _(
            "That takes the channels in the other order, DEPTH_COLUMN_ROW: the next place of the "
            "block is {channels} further there, 1 further in COLUMN_ROW_DEPTH."
        )
    else:
        words = _(
            "That takes the channels in the other order, COLUMN_ROW_DEPTH: the next place of the "
            "block is 1 further there, {channels} further in DEPTH_COLUMN_ROW."
        )
    return words.format(channels=channels)


def _swapped(b: int) -> str:
    return _(
        "That swaps row and column of the block: the rule counts the {b} places of row 0 first, "
        "then those of row 1."
    ).format(b=b)


def _reshape(sizes: tuple[int, ...], out: tuple[int, ...]) -> str:
    return _("That only reshapes {sizes} to {out}; the operator moves the elements.").format(
        sizes=print_sizes(sizes), out=print_sizes(out)
    )
