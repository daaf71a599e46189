"""Squares with their numbers, made once and put down many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from dmlviz.exports.board import CROSS, DOTS, HATCH, Board, Cells
from dmlviz.exports.colors import blended
from dmlviz.exports.lettering import ASCENT, CAP, mask
from dmlviz.kept import kept
from dmlviz.player.palettes import Palette

Array = np.ndarray[Any, Any]

FAINT = 89
"""How strong a frame round a small square is, of 255."""

_FINE = 4


def stamps(
    board: Board,
    cells: Cells,
    which: Array,
    square: tuple[int, int] | None = None,
    numbers: bool = True,
) -> Array:
    """The squares of some elements.

    Args:
        board: colours, sizes, font.
        cells: of the input or the output.
        which: indices of the elements.
        square: width and height, smaller than in place while they grow.
        numbers: whether to write them, where there is room for them in place.

    Returns:
        uint8 of sizes n, height, width, 3.
    """
    wide, high = square or board.square
    palette = board.palette
    made = np.empty((len(which), high, wide, 3), np.uint8)
    made[:] = cells.color[which][:, None, None, :]
    pattern = cells.pattern[which]
    for flag, color in ((HATCH, palette.hatch), (DOTS, palette.ink), (CROSS, palette.accent)):
        marked = np.flatnonzero(pattern & flag)
        if marked.size:
            drawn = pattern_mask(flag, wide, high)
            made[marked] = blended(made[marked], drawn[None], color)
    if board.at.font and numbers:
        _write(made, [cells.labels[i] for i in which.tolist()], board)
    return made


def framed(made: Array, palette: Palette, outline: bool = False) -> Array:
    """Squares with a frame: full round large cells, faint round small ones.

    ``outline`` draws it thinner, and round small squares not at all, as flying ones have it.
    """
    high, wide = made.shape[1:3]
    small = min(high, wide) <= 14
    if outline and small:
        return made
    thick = 1 if min(high, wide) < (40 if outline else 26) else 2
    edge = np.full((high, wide), FAINT if small else 255, np.uint8)
    edge[thick : high - thick, thick : wide - thick] = 0
    return blended(made, edge[None], palette.accent)


@kept(megabytes=4, words=False)
def pattern_mask(flag: int, wide: int, high: int) -> Array:
    """A pattern on a square of these sizes: strokes in a corner, dots below, a struck corner."""
    large = Image.new("L", (wide * _FINE, high * _FINE))
    pen = ImageDraw.Draw(large)
    w, h = wide * _FINE, high * _FINE
    if flag == HATCH:
        reach = min(w, h) * 0.42
        for part in (1, 2, 3):
            end = reach * part / 3
            pen.line([(0, end), (end, 0)], fill=255, width=max(_FINE, round(reach / 9)))
    elif flag == DOTS:
        size = max(1.5 * _FINE, w / 16)
        for part in range(4):
            left, top = w * (0.2 + part * 0.2) - size / 2, h - size * 2.4
            pen.rectangle([left, top, left + size, top + size], fill=255)
    else:
        reach = max(4 * _FINE, w * 0.3)
        pen.polygon([(w - reach, 0), (w, 0), (w, reach)], fill=255)
    return np.asarray(large.reduce(_FINE))


def _write(made: Array, labels: Sequence[str], board: Board) -> None:
    """Numbers in the middle of squares, in place."""
    size = board.at.font
    distinct = {text: k for k, text in enumerate(dict.fromkeys(labels))}
    high, wide = made.shape[1:3]
    masks = np.zeros((len(distinct), high, wide), np.uint8)
    for text, k in distinct.items():
        drawn = mask(text, size, True, board.font)
        # from the baseline up, a digit's height is in the middle
        top = round((high + CAP * size) / 2 - ASCENT * size)
        left = (wide - drawn.shape[1] + 1) // 2
        _lay(masks[k], drawn, left, top)
    rows = np.flatnonzero(masks.any(axis=(0, 2)))
    if not rows.size:
        return
    band = slice(rows[0], rows[-1] + 1)
    which = np.array([distinct[text] for text in labels], np.intp)
    made[:, band] = blended(made[:, band], masks[which, band], board.palette.ink)


def _lay(under: Array, drawn: Array, left: int, top: int) -> None:
    """Put one mask into another, cut off at its edges."""
    high, wide = under.shape
    a, b = max(0, top), max(0, left)
    part = drawn[a - top : high - top, b - left : wide - left]
    under[a : a + part.shape[0], b : b + part.shape[1]] = part
