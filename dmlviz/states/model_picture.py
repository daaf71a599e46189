"""The graph of a model as a picture: its parts, and what computes between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.model import Model
from dmlviz.code.model_graph import GraphBlock
from dmlviz.code.model_groups import PartGroup
from dmlviz.picture.drawing import Drawing, Layer
from dmlviz.picture.lettering import SCREEN_FAMILIES, wrap
from dmlviz.picture.palettes import DARK, LIGHT, Palette
from dmlviz.picture.shapes import Path, Rectangle, Shape, Text
from dmlviz.tensors import print_sizes

BLOCK_LIMIT = 600
"""The limit of blocks of a picture."""

_WIDE, _GAP, _BETWEEN, _MARGIN = 200, 24, 44, 32
_FONT, _LINE, _PAD = 13, 18, 10
_TURN = 12
_ROOM = 150
_LETTERS = 20
"""Pixels: the width of a block, between blocks of a row, between rows and around all; of a line of
text; how far a line to a row above goes aside; and of a line's letters, which a browser may draw
wider. How many letters of a word have room in a line."""


@dataclass(frozen=True)
class _PlacedBlock:
    """A block where it is drawn: its upper left corner, its height, and its lines of text."""

    x: float
    y: float
    high: float
    lines: tuple[str, ...]


def model_picture(model: Model, groups: Sequence[PartGroup], *, dark: bool = False) -> Drawing:
    """The graph of a model; its parts have their numbers, from 1.

    Args:
        model: what to draw.
        groups: its parts, by what they do.
        dark: light ink on dark paper.

    Raises:
        Error: it has more than 600 blocks.
    """
    blocks = model.graph.blocks
    if len(blocks) > BLOCK_LIMIT:
        raise Error(
            _("The picture would have {count} blocks; at most {most} are drawn.").format(
                count=f"{len(blocks):,}", most=BLOCK_LIMIT
            ),
            "file",
        )
    titles = {number: group.title for group in groups for number in group.parts}
    texts = [_lines(model, block, titles) for block in blocks]
    placed, width, height = _places(blocks, model.graph.edges, texts)
    palette = DARK if dark else LIGHT
    lines = tuple(_edges(placed, model.graph.edges, palette))
    boxes = tuple(
        shape for k in range(len(blocks)) for shape in _box(blocks[k], placed[k], palette)
    )
    return Drawing(
        width,
        height,
        (Layer(lines, "edges"), Layer(boxes, "blocks")),
        SCREEN_FAMILIES,
        palette.paper,
        _("The graph of a model"),
        _("{nodes} nodes, of which {parts} parts only move elements.").format(
            nodes=f"{model.nodes:,}", parts=len(model.parts)
        ),
    )


def _lines(model: Model, block: GraphBlock, titles: Mapping[int, str]) -> tuple[str, ...]:
    """What a block says; nothing of it is cut."""
    if block.part is not None:
        part = model.parts[block.part]
        made = [f"→ {print_sizes(sizes)}" for sizes in part.output_sizes.values()]
        rows = [f"{block.part + 1}. {titles[block.part]}"]
        rows += [*map(print_sizes, part.input_sizes.values()), *made]
    elif block.tensor:
        rows = [block.tensor, *([] if block.sizes is None else [print_sizes(block.sizes)])]
    else:
        rows = [", ".join(name if n == 1 else f"{name}×{n}" for name, n in block.op_types)]
    broken = (" ".join(_pieces(row)) for row in rows)
    return tuple(line for row in broken for line in wrap(row, _FONT, _ROOM, bold=True))


def _pieces(text: str) -> list[str]:
    """The words of a text, the long ones in pieces that have room in a line."""
    return [word[k : k + _LETTERS] for word in text.split() for k in range(0, len(word), _LETTERS)]


def _places(
    blocks: Sequence[GraphBlock], edges: Sequence[tuple[int, int]], texts: Sequence[tuple[str, ...]]
) -> tuple[list[_PlacedBlock], float, float]:
    """Where blocks are: those of a level in a row, near those that they come from."""
    rows: dict[int, list[int]] = {}
    for k, block in enumerate(blocks):
        rows.setdefault(block.level, []).append(k)
    widest = max(map(len, rows.values()), default=1)
    width = 2 * _MARGIN + widest * _WIDE + (widest - 1) * _GAP
    before: dict[int, list[int]] = {}
    for one, two in edges:
        before.setdefault(two, []).append(one)
    middles: dict[int, float] = {}
    placed: dict[int, _PlacedBlock] = {}
    y = float(_MARGIN)
    for level in sorted(rows):
        row = rows[level]
        row.sort(key=lambda k: _mean([middles[of] for of in before.get(k, ()) if of in middles]))
        x = (width - len(row) * _WIDE - (len(row) - 1) * _GAP) / 2
        high = max(len(texts[k]) for k in row) * _LINE + 2 * _PAD
        for k in row:
            placed[k] = _PlacedBlock(x, y, len(texts[k]) * _LINE + 2 * _PAD, texts[k])
            middles[k] = x + _WIDE / 2
            x += _WIDE + _GAP
        y += high + _BETWEEN
    return [placed[k] for k in range(len(blocks))], width, y - _BETWEEN + _MARGIN


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _edges(
    placed: Sequence[_PlacedBlock], edges: Sequence[tuple[int, int]], palette: Palette
) -> list[Shape]:
    """A line from each block to those that take its tensors; one to a row above goes round."""
    shapes: list[Shape] = []
    for one, two in edges:
        a, b = placed[one], placed[two]
        start, end = (a.x + _WIDE / 2, a.y + a.high), (b.x + _WIDE / 2, b.y)
        way = [start, (start[0], (end[1] + start[1]) / 2), (end[0], (end[1] + start[1]) / 2), end]
        if end[1] <= start[1]:
            side = max(a.x, b.x) + _WIDE + _GAP / 2
            low, top = start[1] + _TURN, end[1] - _TURN
            way = [start, (start[0], low), (side, low), (side, top), (end[0], top), end]
        arrow = ((end[0] - 4, end[1] - 7), end, (end[0] + 4, end[1] - 7))
        shapes.append(Path((tuple(way),), stroke=palette.line, thick=1.5))
        shapes.append(Path((arrow,), fill=palette.line))
    return shapes


def _box(block: GraphBlock, at: _PlacedBlock, palette: Palette) -> list[Shape]:
    """A block: a part in color, what computes in gray, inputs and outputs as a frame."""
    fill = palette.slot
    if block.part is not None:
        fill = palette.kinds[0]
    elif block.tensor:
        fill = palette.paper
    shapes: list[Shape] = [Rectangle(at.x, at.y, _WIDE, at.high, fill, palette.line)]
    ink = "#000000" if block.part is not None else palette.ink
    for k, line in enumerate(at.lines):
        y = at.y + _PAD + (k + 0.75) * _LINE
        shapes.append(Text(at.x + _PAD, y, line, _FONT, ink, bold=block.part is not None and not k))
    return shapes
