"""The moments of a movement as pixels, cut out of drawings of its start and its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PIL import Image

from dmlviz.picture.board import Board, Cells
from dmlviz.picture.colors import blended
from dmlviz.picture.lettering import families
from dmlviz.picture.moment import Moment, moment
from dmlviz.picture.raster import layer, raster
from dmlviz.picture.rulers import Mark
from dmlviz.picture.svg import caption_drawing, composed_drawing, drawing, rulers_drawing
from dmlviz.tensors.types import Array

_SEEN = 64
"""The opacity, of 255, from which a pixel of a ruler replaces the one under it."""


class Painter:
    """Paints the moments of one board; this is fastest in playing order.

    A GIF has up to 240 frames; drawing each of them as SVG would take minutes.

    Args:
        board: what is the same at every moment.
        ink: how red, green and blue become a pixel, such as a GIF's indices; None keeps them.
    """

    def __init__(self, board: Board, ink: Callable[[Array], Array] | None = None) -> None:
        self.board = board
        self.ink = ink or (lambda pixels: pixels)
        empty, full = self._still(0), self._still(None)
        self.ground = np.array(self.ink(empty))
        self.input = _cut(empty, board, board.input)
        self.output = _cut(full, board, board.output)
        # squares that are covered at the end look as they do in the input
        own = self.output.shape[0] - board.covers.size
        self.output[own:] = self.input[board.source[own:]]
        self.squares = self.ink(self.output)
        self.slots = self.ink(_cut(empty, board, board.output))
        self.landed = np.zeros(board.step_of.size, bool)
        self.flight_step = -1
        self.flight: Array = np.zeros(0)
        self.ruled: dict[tuple[Mark, ...], tuple[Array, Array]] = {}
        self.composed: dict[int, Array] = {}
        self.captions: dict[tuple[str, str, str], Array] = {}

    def paint(self, moment: Moment) -> Array:
        """The picture of a moment, as an array of rows of pixels."""
        board = self.board
        self._land(moment)
        canvas = self.ground.copy()
        for cells, squares, which in (
            (board.input, self.input, moment.marked_input),
            (board.output, self.output, moment.marked_output),
        ):
            if which.size:
                self._put(canvas, cells, which, self._framed(squares[which]))
        if moment.growing.size:
            self._grow(canvas, moment)
        if moment.flying.size:
            if self.flight_step != moment.step:
                self.flight = self._framed(self.output[moment.flying], flying=True)
                self.flight_step = moment.step
            shift = board.at.gap // 2
            _lay_down(canvas, moment.x + shift, moment.y + shift, self.flight)
        if moment.ruled:
            self._rule(canvas, moment)
        if board.composed:
            canvas[board.at.height : board.caption.top] = self._composed(moment)
        canvas[board.caption.top :] = self._caption(moment)
        return canvas

    def _still(self, t: float | None) -> Array:
        """A moment without its words."""
        board = self.board
        now = replace(moment(board, t), title="", caption="", count="")
        return raster(drawing(board, now, families(board.font)), board.font)

    def _land(self, moment: Moment) -> None:
        """Update the background to this moment, forward or backward."""
        cells = self.board.output
        leaving = np.flatnonzero(self.landed & ~moment.landed)
        self._put(self.ground, cells, leaving, self.slots[leaving])
        seen = self.board.uncovered(moment.landed)
        # draw squares again that another square may have just uncovered
        uncovered = seen >= self.landed.size - self.board.covers.size
        new = seen[~self.landed[seen] | uncovered]
        self._put(self.ground, cells, new, self.squares[new])
        self.landed = moment.landed

    def _framed(self, squares: Array, flying: bool = False) -> Array:
        high, wide = squares.shape[1:3]
        thick, strength = self.board.frame((wide, high), flying)
        edge = np.full((1, high, wide), round(255 * strength), np.uint8)
        edge[:, thick : high - thick, thick : wide - thick] = 0
        return self.ink(blended(squares, edge, self.board.palette.accent))

    def _grow(self, canvas: Array, moment: Moment) -> None:
        board, cells = self.board, self.board.output
        wide, high = board.square
        w, h = max(1, round(wide * moment.grown)), max(1, round(high * moment.grown))
        texts = np.array([cells.labels[i] for i in moment.growing.tolist()])
        _text, first, where = np.unique(texts, return_index=True, return_inverse=True)
        full = self.output[moment.growing[first]]
        made = np.stack([np.asarray(Image.fromarray(square).resize((w, h))) for square in full])
        squares = self._framed(made, flying=True)[where.ravel()]
        left = cells.x[moment.growing] + board.at.gap // 2 + (wide - w) // 2
        top = cells.y[moment.growing] + board.at.gap // 2 + (high - h) // 2
        _lay_down(canvas, left, top, squares)

    def _rule(self, canvas: Array, moment: Moment) -> None:
        if moment.ruled not in self.ruled:
            font = self.board.font
            drawn = layer(rulers_drawing(self.board, moment, families(font)), font)
            # ink has no opacity
            seen = drawn[..., 3] >= _SEEN
            self.ruled = {moment.ruled: (seen, self.ink(drawn[seen][:, :3]))}
        seen, pixels = self.ruled[moment.ruled]
        canvas[seen] = pixels

    def _composed(self, moment: Moment) -> Array:
        if moment.step not in self.composed:
            font = self.board.font
            drawn = raster(composed_drawing(self.board, moment, families(font)), font)
            self.composed = {moment.step: self.ink(drawn)}
        return self.composed[moment.step]

    def _caption(self, moment: Moment) -> Array:
        said = (moment.title, moment.caption, moment.count)
        if said not in self.captions:
            font = self.board.font
            drawn = raster(caption_drawing(self.board, moment, families(font)), font)
            # caching one is enough, because the next moment usually has the same words
            self.captions = {said: self.ink(drawn)}
        return self.captions[said]

    def _put(self, canvas: Array, cells: Cells, which: Array, squares: Array) -> None:
        shift = self.board.at.gap // 2
        _lay_down(canvas, cells.x[which] + shift, cells.y[which] + shift, squares)


def _cut(picture: Array, board: Board, cells: Cells) -> Array:
    """The squares of a picture; uint8 of sizes n, height, width, 3."""
    wide, high = board.square
    shift = board.at.gap // 2
    rows = (cells.y[:, None] + shift + np.arange(high))[:, :, None]
    columns = (cells.x[:, None] + shift + np.arange(wide))[:, None, :]
    found: Array = picture[rows, columns]
    return found


def _lay_down(canvas: Array, left: Array, top: Array, squares: Array) -> None:
    """Draw squares on a canvas, later ones over earlier ones."""
    high, wide = squares.shape[1:3]
    for x, y, square in zip(left.tolist(), top.tolist(), squares, strict=True):
        canvas[y : y + high, x : x + wide] = square
