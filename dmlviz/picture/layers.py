"""A picture of one moment as layers of shapes, which svg.py and raster.py turn into files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dmlviz.picture.cells import Squares
from dmlviz.picture.shapes import Shape


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
