"""Small pictures of three planes together: of the input, and of what has landed in the output.

The rules are those of the player's composed.js.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.movement import VALUES
from dmlviz.picture.coloring import brightest, is_picture, levels
from dmlviz.picture.lettering import CAP, length
from dmlviz.picture.palettes import Palette
from dmlviz.picture.scene import Placed, Scene
from dmlviz.picture.shapes import Bitmap, Rectangle, Shape, Text
from dmlviz.tensors.types import Array

_HIGH, _WIDE = 96, 192
"""The most pixels of a picture, down and across, in a drawing of scale 1."""
_GAP, _MARGIN, _SIZE = 12, 28, 14.0


@dataclass(frozen=True)
class Composed:
    """One picture, and its place in the drawing.

    Attributes:
        called: the tensor's name.
        pixels: red, green, blue; uint8, rows by columns by 3.
        cells: for an output, the cell of each of these numbers; int64.
        left, top, wide, high: in pixels.
        size: of its name, which is to the left of it, in pixels.
    """

    called: str
    pixels: Array
    cells: Array | None
    left: float
    top: float
    wide: int
    high: int
    size: float

    def landed_pixels(self, landed: Array) -> Array:
        """Its pixels with what has landed, and their opacity; uint8, rows by columns by 4."""
        here = np.ones(self.pixels.shape, bool) if self.cells is None else landed[self.cells]
        opacity = np.where(here.any(axis=2, keepdims=True), np.uint8(255), np.uint8(0))
        return np.concatenate([self.pixels * here, opacity], axis=2)


def compose(
    scene: Scene, source: Array, width: int, top: int, scale: float, font: str | None
) -> tuple[tuple[Composed, ...], int]:
    """The pictures of a scene from the right end of a drawing, and the height that they take.

    Args:
        scene: whose planes are tinted.
        source: of every output cell the input cell, or -1.
        width: of the drawing, in pixels.
        top: where the pictures begin, in pixels.
        scale: of everything except cells.
        font: a font file to prefer, or None.
    """
    bright = np.append(levels(scene), _padding(scene))
    own = np.arange(scene.values.size)
    made = [
        _sized(scene.called(tensor), tensor, bright[of], lands, scale)
        for side, of, lands in ((scene.input, own, False), (scene.output, source, True))
        for tensor in side.tensors
        if tensor.role == VALUES and is_picture(tensor)
    ]
    gap, margin = _GAP * scale, _MARGIN * scale
    rows: list[list[tuple[Composed, float]]] = [[]]
    for one in made:
        takes = one.wide + 2 * gap + length(one.called, one.size, font=font)
        if rows[-1] and sum(t for _one, t in rows[-1]) + takes > width - 2 * margin:
            rows.append([])
        rows[-1].append((one, takes))
    placed, down = [], top + gap / 2
    for row in rows:
        right = width - margin - sum(takes for _one, takes in row)
        for one, takes in row:
            right += takes
            placed.append(replace(one, left=round(right) - one.wide, top=round(down)))
        down += max((one.high for one, _takes in row), default=0) + gap
    return tuple(placed), round(down - top + gap / 2) if made else 0


def composed_shapes(
    pictures: tuple[Composed, ...], landed: Array, palette: Palette
) -> Iterator[Shape]:
    """Pictures with their names.

    Args:
        pictures: in their places.
        landed: for each output cell whether its element is there.
        palette: the theme's.
    """
    for one in pictures:
        baseline = one.top + (one.high + CAP * one.size) / 2
        left = one.left - one.size / 2
        yield Text(left, baseline, one.called, one.size, palette.ink, align="right")
        pixels = one.landed_pixels(landed)
        box = one.left, one.top, one.wide, one.high
        yield Bitmap(*box, pixels.shape[0], pixels.shape[1], pixels.tobytes())
        around = one.left - 0.5, one.top - 0.5, one.wide + 1, one.high + 1
        yield Rectangle(*around, stroke=palette.line, opacity=0.6)


def _sized(called: str, tensor: Placed, bright: Array, lands: bool, scale: float) -> Composed:
    """A picture without a place, as many times larger as there is room, or smaller."""
    high, wide = tensor.layout.sizes[-2:]
    # the first of several
    cells = tensor.first + np.arange(3 * high * wide).reshape(3, high, wide).transpose(1, 2, 0)
    pixels = np.floor(bright[cells] * 255 + 0.5).astype(np.uint8)
    larger = min(_HIGH * scale / high, _WIDE * scale / wide)
    if larger > 1:
        larger = int(larger)
    across, down = (max(1, round(side * larger)) for side in (wide, high))
    return Composed(called, pixels, cells if lands else None, 0, 0, across, down, _SIZE * scale)


def _padding(scene: Scene) -> float:
    """How bright an element without a source is, from 0 to 1."""
    padding = scene.trace.padding
    return 0.0 if padding is None else min(1.0, max(0.0, float(padding) / brightest(scene)))
