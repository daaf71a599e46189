"""Scene -> board: everything of a picture that is the same at every moment, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.exports.arrange import Arrangement, arrange, scale_of
from dmlviz.exports.colors import colors_at, rgb
from dmlviz.exports.lettering import check_font, length
from dmlviz.exports.lines import Caption, Line, heads, marks
from dmlviz.operators import Step
from dmlviz.player.figure import value_scale
from dmlviz.player.palettes import DARK, LIGHT, Palette
from dmlviz.player.words import words
from dmlviz.scene import Layout, Scene, labels
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]

WIDTHS = (240, 4096)
"""How wide a picture may be asked for, in pixels."""

MOST_PIXELS = 16_000_000
"""A picture that would have more of them is made narrower than was asked for."""

HATCH, DOTS, CROSS = 1, 2, 4
"""Patterns: a padding value; NaN or an infinity; an element that differs from its source."""

_TITLE = 16.0


@dataclass(frozen=True)
class Cells:
    """The squares of one tensor, one entry for each element.

    Attributes:
        x, y: left and upper edge of the place, in whole pixels; int64.
        color: red, green, blue; uint8, n by 3.
        labels: the numbers; all empty where cells are too small for them.
        pattern: a sum of ``HATCH``, ``DOTS`` and ``CROSS``; uint8.
    """

    x: Array
    y: Array
    color: Array
    labels: tuple[str, ...]
    pattern: Array


@dataclass(frozen=True)
class Board:
    """Everything of a picture that is the same at every moment.

    Attributes:
        width, height: of the whole picture, in pixels.
        at: where the tensors stand.
        input, output: their squares; the output's as they are when they have landed.
        lines: titles of tensors and planes, and indices.
        caption: where the words under the stage stand.
        steps: titles and captions, in playing order.
        step_of, via, source: see :class:`dmlviz.scene.Scene` and :class:`dmlviz.trace.Trace`.
        palette: colours.
        words: the player's words.
        font: a font file to prefer, or None.
    """

    width: int
    height: int
    at: Arrangement
    input: Cells
    output: Cells
    lines: tuple[Line, ...]
    caption: Caption
    steps: tuple[Step, ...]
    step_of: Array
    via: Array
    source: Array
    palette: Palette
    words: dict[str, str]
    font: str | None

    @property
    def square(self) -> tuple[int, int]:
        """Width and height of what is drawn of a cell, without the gap."""
        (wide, high), gap = self.at.cell, self.at.gap
        return max(1, wide - gap), max(1, high - gap)


def board(scene: Scene, dark: bool, width: int, font: str | None = None) -> Board:
    """Lay out a scene in a picture.

    Args:
        scene: what to draw.
        dark: light ink on dark paper instead of dark ink on light paper.
        width: in pixels, 240 to 4,096; a tensor of thousands of columns makes the picture wider,
            one of thousands of rows narrower.
        font: the name or path of a font file to prefer to the one that comes along.

    Raises:
        Error: such a width is not possible, or the font cannot be read.
    """
    low, high = WIDTHS
    if isinstance(width, bool) or not isinstance(width, int) or not low <= width <= high:
        raise Error(
            _("width: {width} is not possible; a picture is {low} to {high} pixels wide.").format(
                width=width, low=low, high=f"{high:,}"
            ),
            "width",
        )
    check_font(font)
    trace = scene.trace
    source = trace.source.ravel()
    # what a broken engine says comes from outside the input comes from nowhere
    source = np.where((source >= 0) & (source < trace.x.size), source, -1)
    palette = DARK if dark else LIGHT
    texts = labels(trace.x), labels(trace.output)
    scale = scale_of(width)
    letters = max(len(text) for side in texts for text in side)
    named = [
        (_("Input"), print_sizes(trace.x.shape), trace.data_type),
        (_("Output"), print_sizes(trace.output.shape), trace.data_type),
    ]
    title = _TITLE * scale
    wide = [length("  ".join(head), title, True, font) for head in named]
    at = arrange(width, scene.input, scene.output, letters, (wide[0], wide[1]))
    if at.width == width > low and at.width * at.height > MOST_PIXELS:
        return board(scene, dark, max(low, MOST_PIXELS // at.height), font)
    if not at.font:
        texts = ([""] * trace.x.size, [""] * trace.output.size)
    colors = colors_at(palette, value_scale(trace.x))
    strange = ~np.isfinite(trace.x.ravel()) * np.uint8(DOTS)
    copied = np.maximum(source, 0)
    pattern = np.where(source < 0, np.uint8(HATCH), strange[copied])
    pattern[trace.differing] |= CROSS
    landed = np.where((source < 0)[:, None], rgb(palette.padding).astype(np.uint8), colors[copied])
    told = words(scene)
    count = told["count"].format(step=len(scene.steps), steps=len(scene.steps))
    said = [(told["start_title"], told["start_caption"])]
    said += [(step.title, step.caption) for step in scene.steps]
    caption = Caption(at.width, at.height, 0, scale, palette, font)
    caption = replace(caption, height=caption.room_for(said, count))
    return Board(
        width=at.width,
        height=at.height + caption.height,
        at=at,
        input=_cells(scene.input, at, at.input, colors, texts[0], strange),
        output=_cells(scene.output, at, at.output, landed, texts[1], pattern),
        lines=(
            *heads(named, at, title, palette, font),
            *marks(scene, at, palette, font),
        ),
        caption=caption,
        steps=scene.steps,
        step_of=scene.step_of,
        via=scene.via,
        source=source,
        palette=palette,
        words=told,
        font=font,
    )


def _cells(
    layout: Layout,
    at: Arrangement,
    corner: tuple[int, int],
    color: Array,
    texts: Sequence[str],
    pattern: Array,
) -> Cells:
    x, y = layout.positions()
    left = corner[0] + np.floor(x * at.cell[0] + 0.5).astype(np.int64)
    top = corner[1] + np.floor(y * at.cell[1] + 0.5).astype(np.int64)
    return Cells(left, top, color, tuple(texts), pattern.astype(np.uint8))
