"""Scene -> board: everything of a picture that is the same at every moment, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement import VALUES
from dmlviz.movement.steps import Step
from dmlviz.picture.arrange import TITLE_ALONE, Arrangement, arrange, scale_of
from dmlviz.picture.cells import CROSS, DOTS, EDGE, FOLD, HATCH, CellLook, CellStyle
from dmlviz.picture.coloring import Mode, coloring, plane_letters
from dmlviz.picture.composed import Composed, compose
from dmlviz.picture.lettering import check_font, length, wrap
from dmlviz.picture.marks import Head, Marks, heads, side_marks
from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import DARK, LIGHT, Palette, hexadecimal, rgb
from dmlviz.picture.rulers import Mark, marks_at
from dmlviz.picture.scene import ROW_GAP, Scene, Side, of_sources
from dmlviz.picture.shapes import Text
from dmlviz.picture.sides import within
from dmlviz.picture.words import words
from dmlviz.tensors.types import Array

_PLANE, _INDEX, _CAPTION = 12.5, 11.0, 17.0
_SMALLEST = 8
_MARGIN = 28
_UP = 44
_LINE = 1.4
_LETTER_ROOM = 12
WIDER = 1.15
"""A browser's letters may be so many times as wide as those that are measured here."""


@dataclass(frozen=True)
class Caption:
    """Where the words under the stage are, and how they look.

    Attributes:
        width: of the picture.
        top, height: of the caption, in pixels.
        scale: see :class:`dmlviz.picture.arrange.Arrangement`.
        palette, font: how it looks.
    """

    width: int
    top: int
    height: int
    scale: float
    palette: Palette
    font: str | None

    def lines(self, title: str, caption: str, count: str) -> list[Text]:
        """A title with the count of steps beside it, and a caption, as far as there is room."""
        size = _CAPTION * self.scale
        left = _MARGIN * self.scale
        baseline = self.top + size
        right = self.width - left
        lines = [Text(right, baseline, count, size * 0.85, self.palette.line, align="right")]
        for bold, parts in ((True, self._title(title, count)), (False, self._text(caption))):
            for part in parts:
                lines.append(Text(left, baseline, part, size, self.palette.ink, bold))
                baseline += size * _LINE
        return [line for line in lines if line.y < self.top + self.height]

    def room_for(self, said: Sequence[tuple[str, str]], count: str) -> int:
        """The height that the longest of these titles and captions needs."""
        titles, captions = ({pair[k] for pair in said} for k in (0, 1))
        rows = max(len(self._title(text, count)) for text in _longest(titles))
        rows += max(len(self._text(text)) for text in _longest(captions))
        return round(_CAPTION * self.scale * (_LINE * rows + 0.9))

    def _title(self, title: str, count: str) -> list[str]:
        size = _CAPTION * self.scale
        beside = length(count, size * 0.85, font=self.font) + size
        room = self.width - 2 * _MARGIN * self.scale - beside
        return wrap(title, size, room, bold=True, font=self.font)

    def _text(self, caption: str) -> list[str]:
        size, room = _CAPTION * self.scale, self.width - 2 * _MARGIN * self.scale
        return wrap(caption, size, room, font=self.font)


def _longest(texts: set[str]) -> list[str]:
    # there may be thousands of steps, and measuring text is slow
    return sorted(texts, key=lambda text: (len(text), text))[-3:]


def head_lines(
    scene: Scene,
    words: Sequence[Head],
    at: Arrangement,
    size: float,
    palette: Palette,
    font: str | None,
) -> list[Text]:
    """The words above all tensors; data type and sizes only if there is room."""
    beside = at.input[1] == at.output[1]
    first_end = at.output[0] - size if beside else at.width
    places = [(t, scene.input, at.input, first_end) for t in scene.input.tensors]
    places += [(t, scene.output, at.output, at.width) for t in scene.output.tensors]
    wide, high = at.cell
    lines = []
    for head, (tensor, side, corner, end) in zip(words, places, strict=True):
        left, top = corner[0] + round(tensor.x * wide), corner[1] + round(tensor.y * high)
        others = (t.x for t in side.tensors if t.x > tensor.x and t.y == tensor.y)
        right = min([end, *(corner[0] + x * wide - size for x in others)])
        if not beside and not tensor.x:
            full = length(head.whole, size, True, font) * WIDER
            left = max(round(_MARGIN * at.scale), min(left, round(at.width - full)))
        called = length(head.name, size, True, font) * WIDER
        after = called + size * 0.5
        fits = (r for r in head.rests if after + length(r, size, font=font) * WIDER <= right - left)
        rest = next(fits, "")
        # a name without room beside another is smaller
        letters = max(_SMALLEST, size * min(1.0, (right - left) / called))
        up = max(10 * at.scale, at.head - at.scale * 26)
        if tensor.y:
            # close to its own tensor, without overlapping the one above
            up = min(_UP * at.scale, side.air * high - at.scale * 22)
        lines.append(Text(left, top - up, head.name, letters, palette.ink, bold=True, rest=rest))
    return lines


def mark_lines(
    scene: Scene,
    at: Arrangement,
    palette: Palette,
    font: str | None,
    letters: Sequence[Sequence[str]],
) -> list[Text]:
    """Titles of planes, and indices along their edges, if there is room.

    Args:
        scene: what is drawn.
        at: where.
        palette, font: how it looks.
        letters: of every plane of each tensor, inputs first; a letter comes before the plane's
            title, or alone where there is little room.
    """
    wide, high = at.cell
    sides = (scene.input, scene.output)
    tensors = [tensor.layout for side in sides for tensor in side.tensors]
    single = all(n == 1 for tensor in tensors for n in tensor.sizes[:-2])
    room = at.head - 32 * at.scale
    if not single:
        room = min(room, ROW_GAP * high)
    # between two tensors there is also the lower one's title
    room = min([room, *(s.air * high - 34 * at.scale for s in sides if s.air)])
    corners = (at.input, at.output)
    every = iter(letters)
    lettered = [{tensor.name: next(every) for tensor in side.tensors} for side in sides]
    placed = [
        (corner, part, of[tensor.name])
        for corner, side, of in zip(corners, sides, lettered, strict=True)
        for tensor, part in side_marks(side)
    ]
    parts = [(corner, _lettered(part, of_planes)) for corner, part, of_planes in placed]
    titles = [part for _corner, part in parts if part.kind == "title"]
    index = min(_INDEX * at.scale, high * 0.5, room * 0.36)
    title = min(_PLANE * at.scale, room - index * 1.75) if titles else 0.0
    indices = min(wide, high) >= 16 and index >= _SMALLEST and (not titles or title >= _SMALLEST)
    if titles and not indices:
        title = min(_PLANE * at.scale, room - 4)
    for part in titles:
        # must not overlap the next plane's title
        pitch = np.diff(np.unique(part.x)).min(initial=np.inf) * wide
        title = min(title, (pitch - 4) / length(max(part.texts, key=len), 1, font=font))
    if title < _SMALLEST and room >= _LETTER_ROOM * at.scale and any(map(any, letters)):
        parts = [
            (corner, replace(part, texts=tuple(of_planes)))
            for corner, part, of_planes in placed
            if part.kind == "title"
        ]
        title = _INDEX * at.scale
    shown = {"title": title >= _SMALLEST, "columns": indices, "rows": indices}
    style = {
        "title": (0.0, -(index * 1.75 if indices else 3), title, "left"),
        "columns": (0.0, -index * 0.5, index, "center"),
        "rows": (-index * 0.8, index * 0.36, index, "center"),
    }
    lines = []
    for corner, part in parts:
        if not shown[part.kind]:
            continue
        dx, dy, size, align = style[part.kind]
        for x, y, text in zip(part.x, part.y, part.texts, strict=True):
            place = corner[0] + x * wide + dx, corner[1] + y * high + dy
            lines.append(Text(*place, text, size, palette.line, align=align))
    return lines


def _lettered(part: Marks, letters: Sequence[str]) -> Marks:
    """The titles of planes with a letter before each that has one."""
    if part.kind != "title":
        return part
    texts = zip(letters, part.texts, strict=True)
    return replace(part, texts=tuple(f"{letter} {text}".lstrip() for letter, text in texts))


WIDTHS = (240, 4096)
"""The range of a picture's width, in pixels."""

MOST_PIXELS = 16_000_000
"""The most pixels; a picture that would have more is made narrower."""

EMPTY = 0
"""The number of the look of a place where nothing has landed."""

_TITLE = 16.0
_LOW, _TITLE_LOW = 360, 14.0
"""A room that is no wider has smaller titles."""
_HEAD = 80.0
"""The pixels down for the words above a tensor, with its indices."""


@dataclass(frozen=True)
class Cells:
    """The squares of one side, one entry for each cell.

    Attributes:
        x, y: left and upper edge of the place, in whole pixels; int64.
        color: red, green, blue; uint8, n by 3.
        ink: of the numbers, as ``#rrggbb``.
        labels: the numbers; all empty where cells are too small for them.
        pattern: a sum of ``HATCH``, ``DOTS``, ``CROSS``, ``EDGE`` and ``FOLD``; uint8.
        look: the number of the look that all these make; int64.
    """

    x: Array
    y: Array
    color: Array
    ink: Array
    labels: tuple[str, ...]
    pattern: Array
    look: Array


@dataclass(frozen=True)
class Board:
    """Everything of a picture that is the same at every moment.

    Attributes:
        width, height: of the whole picture, in pixels.
        at: where the sides are.
        input, output: their squares; the output's as they are after landing. The squares that
            they later cover come after the output's own.
        covers: for each of these the square that covers it; int64.
        looks: what cells look like, each look once; the first is that of an empty place.
        lines: titles of tensors and planes, and indices.
        composed: small pictures of three planes together, between the tensors and the caption.
        caption: where the words under the stage are.
        steps: titles and captions, in playing order.
        step_of, via, source, drivers: see :class:`dmlviz.picture.scene.Scene`; also for covered
            squares.
        driver_length, driver_apart: how many control squares, from the driver on, choose an output
            square, and how far they are from each other, in squares.
        rulers: for each step, the positions on rulers that it marks.
        frames: left, top, width and height of the dashed line around every tensor of indices.
        palette: colors.
        words: the player's words.
        font: a font file to prefer, or None.
    """

    width: int
    height: int
    at: Arrangement
    input: Cells
    output: Cells
    covers: Array
    looks: tuple[CellLook, ...]
    lines: tuple[Text, ...]
    composed: tuple[Composed, ...]
    caption: Caption
    steps: tuple[Step, ...]
    step_of: Array
    via: Array
    source: Array
    drivers: Array | None
    driver_length: int
    driver_apart: int
    rulers: tuple[tuple[Mark, ...], ...]
    frames: tuple[tuple[int, int, int, int], ...]
    palette: Palette
    words: dict[str, str]
    font: str | None

    def uncovered(self, landed: Array) -> Array:
        """Output squares that have landed and are not covered; int64.

        Args:
            landed: for each square whether it is in its place; bool.
        """
        own = landed.size - self.covers.size
        bare = landed[own:] & ~landed[self.covers]
        return np.flatnonzero(np.concatenate([landed[:own], bare]))

    @property
    def place(self) -> Array:
        """For each output square the one in whose place it is: itself, or what covers it; int64."""
        count = self.output.x.size - self.covers.size
        return np.concatenate([np.arange(count), self.covers])

    def standing(self, landed: Array) -> Array:
        """The square that is seen in each place of the output, -1 for an empty one; int64.

        Args:
            landed: for each square whether it is in its place; bool.
        """
        squares = np.full(landed.size - self.covers.size, -1)
        visible = self.uncovered(landed)
        squares[self.place[visible]] = visible
        return squares

    @property
    def square(self) -> tuple[int, int]:
        """The width and height of a cell's square, without the gap."""
        (wide, high), gap = self.at.cell, self.at.gap
        return max(1, wide - gap), max(1, high - gap)

    @property
    def style(self) -> CellStyle:
        """How cells are drawn."""
        return CellStyle(*self.square, self.at.font, self.palette)

    def corners(self, cells: Cells) -> tuple[Array, Array]:
        """Left and upper edge of the squares in their places; int64."""
        shift = self.at.gap // 2
        return cells.x + shift, cells.y + shift


def _largest(
    scene: Scene,
    width: int,
    letters: int,
    titles: tuple[float, float],
    tall: int | None,
    names: Sequence[float],
) -> tuple[Scene, Arrangement]:
    """The way of drawing it that has much larger cells than the first, as the player chooses it.

    In a room, tensors stand as it has room for them; where cells have no numbers, they are
    larger without indices and titles of planes.
    """
    if tall:
        return _in_room(scene, width, letters, titles, tall, names)
    ways = [(way, arrange(width, *way, letters, titles)) for way in scene.ways]
    best = max(ways, key=lambda pair: pair[1].cell[1])
    much = best[1].cell[1] > measures()["cells"]["larger"] * ways[0][1].cell[1]
    way, at = best if much else ways[0]
    return scene.turned(way), at


def _in_room(
    scene: Scene,
    width: int,
    letters: int,
    titles: tuple[float, float],
    tall: int,
    names: Sequence[float],
) -> tuple[Scene, Arrangement]:
    scale = scale_of(width, tall)
    for bare in (False, True):
        head, title = (TITLE_ALONE if bare else _HEAD) * scale, max(names)
        apart = (within(way, (width, tall), head, title) for way in scene.ways)
        ways = [(way, arrange(width, *way, letters, titles, tall, bare)) for way in apart]
        # names must not meet
        clear = [pair for pair in ways if not _meet(*pair, names)] or ways
        way, at = max(clear, key=lambda pair: (pair[1].height <= tall, pair[1].cell[1]))
        if at.font and at.height <= tall:
            break
    return scene.turned(way), at


def _meet(way: tuple[Side, Side], at: Arrangement, names: Sequence[float]) -> bool:
    """Whether names as wide as these, inputs first, meet each other or the picture's edge."""
    corners = [at.input] * len(way[0].tensors) + [at.output] * len(way[1].tensors)
    tensors = [*way[0].tensors, *way[1].tensors]
    lefts = [
        (left + tensor.x * at.cell[0], top + tensor.y * at.cell[1])
        for tensor, (left, top) in zip(tensors, corners, strict=True)
    ]
    for (left, top), name in zip(lefts, names, strict=True):
        others = [x for x, y in lefts if y == top and x > left]
        if left + name > min([*others, float(at.width)]):
            return True
    return False


def board(
    scene: Scene,
    dark: bool,
    width: int,
    font: str | None = None,
    colors: Mode = "value",
    tall: int | None = None,
) -> Board:
    """Lay out a scene in a picture.

    Args:
        scene: what to draw.
        dark: a dark background instead of a light one.
        width: in pixels, 240 to 4,096; a tensor of thousands of columns makes the picture wider,
            one of thousands of rows narrower.
        font: the name or path of a font file to prefer to the included one.
        colors: what they show, as in a link.
        tall: the pixels down of a room that all tensors must fit.

    Raises:
        Error: the width is invalid, or the font cannot be read.
    """
    low, high = WIDTHS
    if isinstance(width, bool) or not isinstance(width, int) or not low <= width <= high:
        raise Error(
            _("width: {width} is invalid; a picture must be {low} to {high} pixels wide.").format(
                width=width, low=low, high=f"{high:,}"
            ),
            "width",
        )
    check_font(font)
    values, source = scene.values, scene.source
    # if a broken engine names a source outside the input, the element has no source
    source = np.where((source >= 0) & (source < values.size), source, -1)
    palette = DARK if dark else LIGHT
    texts = scene.input_labels, scene.output_labels
    scale = scale_of(width, tall)
    letters = max(len(text) for side in texts for text in side)
    named = heads(scene)
    title = (_TITLE_LOW if tall and width <= _LOW else _TITLE) * scale
    wide = _title_widths(scene, named, title, font)
    names = [length(head.name, title, True, font) * WIDER for head in named]
    scene, at = _largest(scene, width, letters, wide, tall, names)
    if at.width == width > low and at.width * at.height > MOST_PIXELS:
        return board(scene, dark, max(low, MOST_PIXELS // at.height), font, colors, tall)
    if not at.font:
        texts = ([""] * scene.input.count, [""] * source.size)
    colored = coloring(scene, source, colors, palette)
    strange = ~np.isfinite(values) * np.uint8(DOTS)
    pattern = np.where(source < 0, np.uint8(HATCH), of_sources(strange, source))
    pattern[scene.computed] = EDGE
    pattern[scene.differing] |= CROSS
    pattern[scene.contested] |= FOLD
    covers, before = scene.covered
    alone = rgb(palette.padding).astype(np.uint8)
    landed = np.where((source < 0)[:, None], alone, of_sources(colored.color, source))
    landed = np.concatenate([landed, colored.color[before]])
    landed_ink = np.where(source < 0, palette.ink, of_sources(colored.ink, source))
    landed_ink = np.concatenate([landed_ink, colored.ink[before]])
    pattern = np.concatenate([pattern, strange[before]])
    # control tensors come last, plain
    plain = scene.input.count - values.size
    paper = np.broadcast_to(rgb(palette.paper).astype(np.uint8), (plain, 3))
    color = np.concatenate([colored.color, paper])
    ink = np.concatenate([colored.ink, np.full(plain, palette.ink)])
    strange = np.concatenate([strange, np.full(plain, EDGE, np.uint8)])
    composed, below = (
        compose(scene, source, at.width, at.height, scale, font) if colored.tinted else ((), 0)
    )
    stage_words = words(scene)
    count = stage_words["count"].format(step=len(scene.steps), steps=len(scene.steps))
    said = [(stage_words["start_title"], stage_words["start_caption"])]
    said += [(step.title, step.caption) for step in scene.steps]
    caption = Caption(at.width, at.height + below, 0, scale, palette, font)
    caption = replace(caption, height=caption.room_for(said, count))
    first = _cells(scene.input, at, at.input, (color, ink), texts[0], strange)
    second = _cells(scene.output, at, at.output, (landed, landed_ink), texts[1], pattern)
    sides = (scene.input, first.x, first.y), (scene.output, second.x, second.y)
    second = _covered(second, covers, before, texts[0])
    looks, numbers = _looks(palette, (first, second))
    return Board(
        width=at.width,
        height=caption.top + caption.height,
        at=at,
        input=replace(first, look=numbers[: first.x.size]),
        output=replace(second, look=numbers[first.x.size :]),
        covers=covers,
        looks=looks,
        lines=(
            *head_lines(scene, named, at, title, palette, font),
            *mark_lines(scene, at, palette, font, plane_letters(scene, source, colored.channel)),
        ),
        composed=composed,
        caption=caption,
        steps=scene.steps,
        step_of=np.concatenate([scene.step_of, np.zeros_like(scene.step_of, shape=covers.size)]),
        via=_longer(scene.via, covers.size),
        source=np.concatenate([source, before]),
        drivers=None if scene.drivers is None else _longer(scene.drivers, covers.size),
        driver_length=scene.driver_length,
        driver_apart=scene.driver_apart,
        rulers=tuple(
            marks_at(step.points, sides, at.cell, at.scale, texts, at.font) for step in scene.steps
        ),
        frames=_frames(scene, at),
        palette=palette,
        words=stage_words,
        font=font,
    )


def _longer(numbers: Array, count: int) -> Array:
    """The numbers, followed by ``count`` times -1."""
    return np.concatenate([numbers, np.full(count, -1, np.int64)])


def _covered(cells: Cells, covers: Array, before: Array, labels: Sequence[str]) -> Cells:
    """The squares of the output, and those that they cover later."""
    return replace(
        cells,
        x=np.concatenate([cells.x, cells.x[covers]]),
        y=np.concatenate([cells.y, cells.y[covers]]),
        labels=(*cells.labels, *(labels[i] for i in before.tolist())),
    )


def _title_widths(
    scene: Scene, named: Sequence[Head], title: float, font: str | None
) -> tuple[float, float]:
    """How wide the words above inputs and outputs are; 0 where they are within a side's columns."""
    wide = [length(head.whole, title, True, font) for head in named]
    count = len(scene.input.tensors)
    first, second = (
        0.0 if any(tensor.x for tensor in side.tensors) else max(widths, default=0.0)
        for side, widths in ((scene.input, wide[:count]), (scene.output, wide[count:]))
    )
    return first, second


def _frames(scene: Scene, at: Arrangement) -> tuple[tuple[int, int, int, int], ...]:
    (wide, high), off = at.cell, max(2, round(measures()["dashes"]["off"] * at.scale))
    return tuple(
        (
            left + round(tensor.x * wide) - off,
            top + round(tensor.y * high) - off,
            round(tensor.layout.width * wide) + 2 * off,
            round(tensor.layout.height * high) + 2 * off,
        )
        for side, (left, top) in ((scene.input, at.input), (scene.output, at.output))
        for tensor in side.tensors
        if tensor.role != VALUES
    )


def _cells(
    side: Side,
    at: Arrangement,
    corner: tuple[int, int],
    color: tuple[Array, Array],
    texts: Sequence[str],
    pattern: Array,
) -> Cells:
    x, y = side.positions()
    left = corner[0] + np.floor(x * at.cell[0] + 0.5).astype(np.int64)
    top = corner[1] + np.floor(y * at.cell[1] + 0.5).astype(np.int64)
    none = np.zeros(0, np.int64)
    return Cells(left, top, *color, tuple(texts), pattern.astype(np.uint8), none)


def _looks(palette: Palette, sides: Sequence[Cells]) -> tuple[tuple[CellLook, ...], Array]:
    """What cells look like, each look once after that of an empty place, and every cell's look."""
    color = np.concatenate([cells.color for cells in sides])
    pattern = np.concatenate([cells.pattern for cells in sides])
    labels = [text for cells in sides for text in cells.labels]
    texts = {text: number for number, text in enumerate(dict.fromkeys(labels))}
    inks, ink = np.unique(np.concatenate([cells.ink for cells in sides]), return_inverse=True)
    # in 64 bits also where an index has 32, as in a browser: what NumPy's own function refuses
    numbers: Array = color.astype(np.int64) @ [1 << 16, 1 << 8, 1]
    numbers = (numbers << 8) + pattern
    # ink is seen in numbers only
    numbers = numbers * len(inks) + ink.ravel() * any(texts)
    numbers = numbers * len(texts) + np.array([texts[text] for text in labels], np.int64)
    _kind, first, kind = np.unique(numbers, return_index=True, return_inverse=True)
    looks = [
        CellLook(hexadecimal(color[i].tolist()), str(inks[ink[i]]), labels[i], int(pattern[i]))
        for i in first.tolist()
    ]
    return (CellLook(palette.slot), *looks), kind.ravel() + 1
