"""How people misread DiagonalMatrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.diagonal_matrix.strip import Strip
from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.words import _


def misread_diagonal(strip: Strip, x: Array) -> Iterator[Candidate]:
    """Wrong outputs of DiagonalMatrix for a tensor of indices.

    Args:
        strip: the diagonals.
        x: the tensor of indices, counted from 1: 0 is the fill value.
    """
    rows, columns = x.shape[-2:]
    row, column = np.arange(rows)[:, None], np.arange(columns)[None, :]
    filled = strip.filled(x.shape)
    yield "turned-round", _("That swaps what is filled and what is kept."), _with(x, ~filled)
    words = _("That takes row minus column: diagonals above the main one are the positive ones.")
    yield "below", words, _with(x, _filled(strip, row - column))
    low, high = sorted((strip.begin, strip.end))
    words = _("That fills diagonal {end} too: the end is not part of it.")
    if not strip.inverted:
        told = words.format(end=strip.end)
        yield "end", told, _with(x, Strip(strip.begin, strip.end + 1).filled(x.shape))
    words = _("That leaves diagonal {begin} as it is: the begin is part of what is filled.")
    if not strip.inverted and strip.begin < strip.end:
        told = words.format(begin=strip.begin)
        yield "begin", told, _with(x, Strip(strip.begin + 1, strip.end).filled(x.shape))
    words = _("That counts columns: {begin} and {end} are differences of column and row.")
    told = words.format(begin=strip.begin, end=strip.end)
    yield "columns", told, _with(x, _filled(strip, column - 0 * row))
    words = _("That counts diagonals from the other corner, where columns end.")
    yield "other-corner", words, _with(x, _filled(strip, (columns - 1 - column) - row))
    if strip.inverted:
        words = _(
            "That swaps begin {begin} and end {end}: in this order, what is filled and what "
            "is kept are swapped."
        )
        told = words.format(begin=strip.begin, end=strip.end)
        yield "sorted", told, _with(x, Strip(low, high).filled(x.shape))
    words = _("That is the transpose as well: what is kept stays where it is.")
    yield "transposed", words, np.swapaxes(_with(x, filled), -1, -2)
    words = _("That is the diagonal alone, as np.diagonal has it: the output is a matrix again.")
    yield "diagonal", words, np.diagonal(x, 0, -2, -1)
    short = min(rows, columns)
    words = _("That makes the matrix square, {short} by {short}: rows and columns all stay.")
    yield "square", words.format(short=short), _with(x, filled)[..., :short, :short]
    words = _("That drops the first row and column: filled elements stay, with another value.")
    if rows > 1 and columns > 1:
        yield "cut", words, _with(x, filled)[..., 1:, 1:]


def _filled(strip: Strip, diagonal: Array) -> Array:
    found: Array = (diagonal >= strip.begin) ^ (diagonal < strip.end)
    return found if strip.inverted else ~found


def _with(x: Array, filled: Array) -> Array:
    return np.where(filled, 0, x)
