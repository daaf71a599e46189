"""Every line of text in a picture except the numbers: titles, indices and the caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dmlviz.picture.arrange import Arrangement
from dmlviz.picture.lettering import length, wrap
from dmlviz.picture.marks import Head, Marks, side_marks
from dmlviz.picture.palettes import Palette
from dmlviz.picture.scene import ROW_GAP, Scene
from dmlviz.picture.shapes import Text

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
