"""Board and moment -> drawing: all shapes of a moment, in layers.

svg.py and raster.py turn a drawing into files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.picture.board import EMPTY, Board, Cells
from dmlviz.picture.cells import Squares, dashed
from dmlviz.picture.composed import composed_shapes
from dmlviz.picture.lettering import CAP, SCREEN_FAMILIES
from dmlviz.picture.moment import Moment, moment
from dmlviz.picture.rulers import ruler_shapes
from dmlviz.picture.shapes import Shape, Text
from dmlviz.tensors.types import Array

_ASKED = 14.0


@dataclass(frozen=True)
class Layer:
    """Shapes that belong together.

    Attributes:
        shapes: in the order of drawing.
        name: of the layer in a file; empty for none.
        label: what it is called for those who listen; empty for none.
        still: whether everything but squares is the same at every moment.
        rows: from which pixel row to which the layer is alone on the paper, if it is.
    """

    shapes: Sequence[Shape | Squares]
    name: str = ""
    label: str = ""
    still: bool = False
    rows: tuple[int, int] | None = None


@dataclass(frozen=True)
class Drawing:
    """A picture of one moment.

    Attributes:
        width, height: in pixels.
        layers: from back to front.
        paper: the color of the background; empty for none.
        families: the fonts to write in, as CSS lists them.
        title, description: what the picture is, in words; empty where the page says it.
        top: the upper edge, if only a part of the picture is drawn.
    """

    width: float
    height: float
    layers: tuple[Layer, ...]
    families: str
    paper: str = ""
    title: str = ""
    description: str = ""
    top: float = 0


def moment_drawing(of: Board, now: Moment, families: str) -> Drawing:
    """One moment of a board.

    Args:
        of: everything that is the same at every moment.
        now: the rest.
        families: the fonts to write in, as CSS lists them.
    """
    layers = [*_tensors(of, now), Layer(tuple(_moving(of, now)), "flight")]
    if now.ruled:
        shapes = ruler_shapes(now.ruled, of.palette, of.at.scale, of.font)
        layers.append(Layer(tuple(shapes), "rulers"))
    if of.composed:
        shapes = composed_shapes(of.composed, now.landed, of.palette)
        layers.append(Layer(tuple(shapes), "composed", rows=(of.at.height, of.caption.top)))
    said = of.caption.lines(now.title, now.caption, now.count)
    layers.append(Layer(tuple(said), "caption", rows=(of.caption.top, of.height)))
    return Drawing(
        of.width,
        of.height,
        tuple(layers),
        families,
        of.palette.paper,
        f"{now.title}. {now.caption}",
        of.words["picture"],
    )


def tensors_drawing(of: Board, landed: bool, asked: Collection[int] = ()) -> Drawing:
    """Only the tensors of a board, at the beginning or at the end.

    Args:
        of: everything that is the same at every moment.
        landed: whether to draw the output or its empty places.
        asked: the numbers of the output elements that have a frame and "?".
    """
    layers = list(_tensors(of, moment(of, None if landed else 0)))
    style = of.style
    for number in asked:
        x, y, wide, high = style.square(*(int(corner[number]) for corner in of.corners(of.output)))
        # if cells are too small for numbers, the mark is larger than its cell
        size = of.at.font or max(_ASKED, 1.5 * high)
        mark = Text(
            x + wide / 2, y + (high + CAP * size) / 2, "?", size, of.palette.ink, True, "center"
        )
        name = f"asked-{number}" if len(asked) > 1 else "asked"
        layers.append(Layer((*style.frames([(x, y)]), mark), name))
    return Drawing(of.width, of.caption.top, tuple(layers), SCREEN_FAMILIES, of.palette.paper)


def _tensors(of: Board, now: Moment) -> Iterator[Layer]:
    """All tensors, with empty places for elements that have not landed, and frames."""
    yield Layer(of.lines, still=True)
    around = tuple(dashed(*frame, of.palette, of.at.scale) for frame in of.frames)
    inputs = _squares(of, of.input, of.input.look, now.marked_input)
    yield Layer((*around, inputs), "input", _("Input"), still=True)
    outputs = _squares(of, of.output, _looks_now(of, now), np.unique(of.place[now.marked_output]))
    yield Layer((outputs,), "output", _("Output"), still=True)


def _looks_now(of: Board, now: Moment) -> Array:
    """What is seen in each place of the output."""
    squares = of.standing(now.landed)
    return np.where(squares < 0, EMPTY, of.output.look[squares])


def _squares(of: Board, cells: Cells, look: Array, framed: Array) -> Squares:
    x, y = of.corners(cells)
    return Squares(x[: look.size], y[: look.size], look, of.looks, of.style, framed)


def _moving(of: Board, now: Moment) -> Iterator[Squares]:
    """The squares that fly, and those that grow in their places."""
    shift, looks, style = of.at.gap // 2, of.looks, of.style
    if now.flying.size:
        framed = np.arange(now.flying.size)
        x, y, look = now.x + shift, now.y + shift, of.output.look[now.flying]
        yield Squares(x, y, look, looks, style, framed, moving=True)
    if now.growing.size:
        framed = np.arange(now.growing.size)
        x, y = (corner[now.growing] for corner in of.corners(of.output))
        look, under = of.output.look[now.growing], _looks_now(of, now)[of.place[now.growing]]
        yield Squares(x, y, look, looks, style, framed, now.grown, moving=True, under=under)
