"""Moment -> pixels: the still background once, then only what flies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlviz.exports.board import Board, Cells
from dmlviz.exports.colors import blended, rgb
from dmlviz.exports.lettering import ASCENT, length, mask
from dmlviz.exports.lines import Line
from dmlviz.exports.moment import Moment
from dmlviz.exports.stamps import framed, stamps

Array = np.ndarray[Any, Any]


class Painter:
    """Paints the moments of one board, quickest in playing order.

    Args:
        board: what is the same at every moment.
        ink: how red, green and blue become a pixel; None leaves them, a GIF has indices.
    """

    def __init__(self, board: Board, ink: Callable[[Array], Array] | None = None) -> None:
        self.board = board
        self.ink = ink or (lambda pixels: pixels)
        self.ground = self._ground()
        self.landed = np.zeros(board.step_of.size, bool)
        self.flight_step = -1
        self.flight: Array = np.zeros(0)
        self.said: dict[tuple[str, str, str], Array] = {}
        self.squares = {
            "input": self.ink(stamps(board, board.input, _all(board.input))),
            "output": self.ink(self._output_squares()),
        }
        self._put(self.ground, board.input, _all(board.input), self.squares["input"])
        self.slot = self.ink(np.broadcast_to(rgb(board.palette.slot), (1, 1, 3)).astype(np.uint8))
        self._empty(_all(board.output))

    def paint(self, moment: Moment) -> Array:
        """The picture of a moment, as an array of rows of pixels."""
        board = self.board
        self._land(moment)
        canvas = self.ground.copy()
        for cells, which in (
            (board.input, moment.marked_input),
            (board.output, moment.marked_output),
        ):
            if which.size:
                self._put(canvas, cells, which, self._framed(cells, which))
        if moment.growing.size:
            self._grow(canvas, moment)
        if moment.flying.size:
            if self.flight_step != moment.step:
                self.flight = self._framed(board.output, moment.flying, outline=True)
                self.flight_step = moment.step
            _lay_down(
                canvas, moment.x + board.at.gap // 2, moment.y + board.at.gap // 2, self.flight
            )
        canvas[board.caption.top :] = self._caption(moment)
        return canvas

    def _ground(self) -> Array:
        board = self.board
        ground = np.empty((board.height, board.width, 3), np.uint8)
        ground[:] = rgb(board.palette.paper)
        write(ground, board.lines, board)
        return np.array(self.ink(ground))

    def _output_squares(self) -> Array:
        """Copies look like their sources: most squares are made once for all of them."""
        board = self.board
        kinds: dict[tuple[bytes, str, int], int] = {}
        cells = board.output
        colors = [color.tobytes() for color in cells.color]
        keys = zip(colors, cells.labels, cells.pattern.tolist(), strict=True)
        which = np.array([kinds.setdefault(key, len(kinds)) for key in keys], np.intp)
        _kind, first = np.unique(which, return_index=True)
        made: Array = stamps(board, cells, first)[which]
        return made

    def _land(self, moment: Moment) -> None:
        """Bring the ground to this moment, forward or back."""
        cells = self.board.output
        landing = np.flatnonzero(moment.landed & ~self.landed)
        self._put(self.ground, cells, landing, self.squares["output"][landing])
        self._empty(np.flatnonzero(self.landed & ~moment.landed))
        self.landed = moment.landed

    def _empty(self, which: Array) -> None:
        """Places whose elements have not landed."""
        wide, high = self.board.square
        slots = np.broadcast_to(self.slot, (which.size, high, wide, *self.ground.shape[2:]))
        self._put(self.ground, self.board.output, which, slots)

    def _framed(self, cells: Cells, which: Array, outline: bool = False) -> Array:
        return self.ink(framed(stamps(self.board, cells, which), self.board.palette, outline))

    def _grow(self, canvas: Array, moment: Moment) -> None:
        board, cells = self.board, self.board.output
        wide, high = board.square
        w, h = max(1, round(wide * moment.grown)), max(1, round(high * moment.grown))
        texts = np.array([cells.labels[i] for i in moment.growing.tolist()])
        _text, first, where = np.unique(texts, return_index=True, return_inverse=True)
        made = stamps(board, cells, moment.growing[first], (w, h), moment.grown > 0.6)
        squares = self.ink(framed(made, board.palette, outline=True))[where.ravel()]
        left = cells.x[moment.growing] + board.at.gap // 2 + (wide - w) // 2
        top = cells.y[moment.growing] + board.at.gap // 2 + (high - h) // 2
        _lay_down(canvas, left, top, squares)

    def _caption(self, moment: Moment) -> Array:
        said = (moment.title, moment.caption, moment.count)
        if said not in self.said:
            board = self.board
            part = np.empty((board.caption.height, board.width, 3), np.uint8)
            part[:] = rgb(board.palette.paper)
            write(part, board.caption.lines(*said), board, board.caption.top)
            # one is enough: the next moment mostly says the same
            self.said = {said: self.ink(part)}
        return self.said[said]

    def _put(self, canvas: Array, cells: Cells, which: Array, squares: Array) -> None:
        shift = self.board.at.gap // 2
        _lay_down(canvas, cells.x[which] + shift, cells.y[which] + shift, squares)


def write(canvas: Array, lines: Sequence[Line], board: Board, top: int = 0) -> None:
    """Lines of text on pixels, in place; ``top`` is where the pixels begin in the picture."""
    for line in lines:
        long = length(line.text, line.size, line.bold, board.font)
        x = line.x - {"left": 0.0, "center": long / 2, "right": long}[line.align]
        y = round(line.y - ASCENT * line.size) - top
        _ink(canvas, mask(line.text, line.size, line.bold, board.font), round(x), y, line.color)
        if line.rest:
            x += length(f"{line.text}  ", line.size, line.bold, board.font)
            _ink(canvas, mask(line.rest, line.size, False, board.font), round(x), y, line.color)


def _ink(canvas: Array, drawn: Array, x: int, y: int, color: str) -> None:
    """One mask in a colour, in place, cut off at the edges."""
    left, top = max(0, -x), max(0, -y)
    place = canvas[y + top : y + drawn.shape[0], x + left : x + drawn.shape[1]]
    shown = drawn[top : top + place.shape[0], left : left + place.shape[1]]
    place[:] = blended(place, shown, color)


def _all(cells: Cells) -> Array:
    return np.arange(cells.x.size)


def _lay_down(canvas: Array, left: Array, top: Array, squares: Array) -> None:
    """Squares on a canvas, later ones over earlier ones."""
    high, wide = squares.shape[1:3]
    for x, y, square in zip(left.tolist(), top.tolist(), squares, strict=True):
        canvas[y : y + high, x : x + wide] = square
