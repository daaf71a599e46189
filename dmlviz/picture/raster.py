"""Drawings as pixels: resvg draws them from the SVG that is also exported."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import resvg_py
from PIL import Image

from dmlviz.picture.cells import Squares
from dmlviz.picture.layers import Drawing, Layer
from dmlviz.picture.lettering import files_for
from dmlviz.picture.shapes import Shape
from dmlviz.picture.svg import svg_file
from dmlviz.tensors.types import Array

_VISIBLE = 64
"""The opacity, of 255, from which a pixel over cells replaces the one under it."""
_APART = 4
"""The pixels between squares that are drawn to be copied."""
_PLAIN, _FRAMED, _MOVING = range(3)
_KINDS = 3


def raster(drawing: str, font: str | None = None) -> Array:
    """The pixels of an SVG at its own size; uint8, height by width by red, green, blue.

    Args:
        drawing: one ``svg`` element that names its fonts as :func:`.lettering.families` does.
        font: the name or path of a font file that is preferred.
    """
    pixels: Array = _with_opacity(drawing, font)[..., :3]
    return pixels


def _with_opacity(drawing: str, font: str | None) -> Array:
    made = resvg_py.svg_to_bytes(
        svg_string=drawing, skip_system_fonts=True, font_files=list(files_for(drawing, font))
    )
    with Image.open(io.BytesIO(bytes(made))) as image:
        return np.asarray(image.convert("RGBA"))


class Painter:
    """Paints the drawings of one board; this is fastest in playing order.

    A GIF has up to 240 frames; drawing each of them as SVG would take minutes. What is the same
    in all drawings is drawn once, cells are drawn once for each look and copied, and what is over
    them is drawn when it differs from the drawing before.

    Args:
        font: the name or path of a font file that is preferred.
        ink: how red, green and blue become a pixel, such as a GIF's indices; None keeps them.
    """

    def __init__(
        self, font: str | None = None, ink: Callable[[Array], Array] | None = None
    ) -> None:
        self.font = font
        self.ink = ink or (lambda pixels: pixels)
        self.ground: Array = np.zeros(0)
        self.placed: dict[str, Array] = {}
        self.copies: Array = np.zeros(0)
        self.drawn: set[int] = set()
        self.over: dict[str, tuple[tuple[Shape, ...], Array, Array]] = {}

    def paint(self, drawing: Drawing) -> Array:
        """The picture of a moment, as an array of rows of pixels."""
        if not self.ground.size:
            still = (Layer(_simple(layer)) for layer in drawing.layers if layer.still)
            empty = replace(drawing, layers=tuple(still))
            self.ground = np.array(self.ink(raster(svg_file(empty), self.font)))
        for layer in drawing.layers:
            if layer.still:
                for squares in _squares(layer):
                    self._place(layer.name, squares, drawing)
        canvas = self.ground.copy()
        for layer in drawing.layers:
            if not layer.still:
                for squares in _squares(layer):
                    _lay_down(canvas, squares, self._copies(squares, drawing))
                self._draw_over(canvas, layer, drawing)
        return canvas

    def _place(self, name: str, squares: Squares, drawing: Drawing) -> None:
        """Copy those squares to the ground that differ from the drawing before."""
        kinds = _kinds(squares)
        changed = np.flatnonzero(kinds != self.placed.get(name, -1))
        if not changed.size:
            return
        part = replace(
            squares,
            x=squares.x[changed],
            y=squares.y[changed],
            look=squares.look[changed],
            framed=np.flatnonzero(np.isin(changed, squares.framed)),
        )
        _lay_down(self.ground, part, self._copies(part, drawing))
        self.placed[name] = kinds

    def _copies(self, squares: Squares, drawing: Drawing) -> Array:
        """The pixels of squares; of sizes n, height, width, and what a pixel has."""
        kinds = _kinds(squares)
        if squares.under is not None:
            # they differ at every moment
            numbers = np.stack([kinds, squares.under], axis=1)
            _number, first, kind = np.unique(
                numbers, axis=0, return_index=True, return_inverse=True
            )
            return self._sheet(squares, first, drawing)[kind.ravel()]
        count, none = len(squares.looks), np.zeros(0, np.int64)
        for kind in set((kinds % _KINDS).tolist()) - self.drawn:
            # all looks at once, so that their pixels do not depend on which are seen first
            every = replace(
                squares,
                look=np.arange(count),
                framed=none if kind == _PLAIN else np.arange(count),
                moving=kind == _MOVING,
            )
            made = self._sheet(every, every.look, drawing)
            if not self.drawn:
                self.copies = np.zeros((_KINDS * count, *made.shape[1:]), np.uint8)
            self.copies[kind::_KINDS] = made
            self.drawn.add(kind)
        return self.copies[kinds]

    def _sheet(self, squares: Squares, which: Array, drawing: Drawing) -> Array:
        """Draw some squares apart from each other, and cut them out."""
        wide, high = int(squares.style.wide), int(squares.style.high)
        columns = math.ceil(math.sqrt(which.size))
        x, y = np.arange(which.size) % columns, np.arange(which.size) // columns
        part = replace(
            squares,
            x=x * (wide + _APART),
            y=y * (high + _APART),
            look=squares.look[which],
            framed=np.flatnonzero(np.isin(which, squares.framed)),
        )
        shapes = [part]
        if squares.under is not None:
            under, none = squares.under[which], np.zeros(0, np.int64)
            shapes.insert(0, replace(part, look=under, framed=none, grown=1, moving=False))
        sheet = replace(
            drawing,
            width=columns * (wide + _APART),
            height=(int(y[-1]) + 1) * (high + _APART),
            layers=(Layer(tuple(shapes)),),
        )
        pixels = self.ink(raster(svg_file(sheet), self.font))
        rows = (part.y[:, None] + np.arange(high))[:, :, None]
        cut: Array = pixels[rows, (part.x[:, None] + np.arange(wide))[:, None, :]]
        return cut

    def _draw_over(self, canvas: Array, layer: Layer, drawing: Drawing) -> None:
        """Draw the simple shapes of a layer, which are few, over all squares."""
        shapes = _simple(layer)
        if not shapes:
            return
        top, bottom = layer.rows or (0, canvas.shape[0])
        paper = drawing.paper if layer.rows else ""
        if layer.name not in self.over or self.over[layer.name][0] != shapes:
            part = replace(
                drawing, top=top, height=bottom - top, layers=(Layer(shapes),), paper=paper
            )
            pixels = _with_opacity(svg_file(part), self.font)
            # ink has no opacity
            visible = pixels[..., 3] >= _VISIBLE
            self.over[layer.name] = shapes, visible, self.ink(pixels[visible][:, :3])
        _shapes, visible, pixels = self.over[layer.name]
        canvas[top:bottom][visible] = pixels


def _simple(layer: Layer) -> tuple[Shape, ...]:
    return tuple(shape for shape in layer.shapes if not isinstance(shape, Squares))


def _squares(layer: Layer) -> list[Squares]:
    return [shape for shape in layer.shapes if isinstance(shape, Squares)]


def _kinds(squares: Squares) -> Array:
    """A number for each square that is the same for squares of the same pixels."""
    framed = np.full(squares.look.size, _PLAIN)
    framed[squares.framed] = _MOVING if squares.moving else _FRAMED
    kinds: Array = squares.look * _KINDS + framed
    return kinds


def _lay_down(canvas: Array, squares: Squares, pixels: Array) -> None:
    """Put squares on a canvas, later ones over earlier ones."""
    high, wide = pixels.shape[1:3]
    for x, y, square in zip(squares.x.tolist(), squares.y.tolist(), pixels, strict=True):
        canvas[y : y + high, x : x + wide] = square
