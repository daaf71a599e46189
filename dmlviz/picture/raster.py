"""Drawings as pixels, which resvg draws from the SVG that is also exported; and GIF files."""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import resvg_py
from PIL import GifImagePlugin, Image

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.picture.board import Board, board
from dmlviz.picture.cells import FAINT, Squares
from dmlviz.picture.coloring import Mode
from dmlviz.picture.drawing import Drawing, Layer, moment_drawing
from dmlviz.picture.lettering import families, files_for
from dmlviz.picture.moment import moment
from dmlviz.picture.palettes import blended, rgb
from dmlviz.picture.scene import Scene
from dmlviz.picture.shapes import Shape
from dmlviz.picture.svg import svg_file
from dmlviz.picture.words import legible
from dmlviz.tensors.types import Array

_VISIBLE = 64
"""The opacity, of 255, from which a pixel over cells replaces the one under it."""
_APART = 4
"""The pixels between squares that are drawn to be copied."""
_PLAIN, _FRAMED, _MOVING = range(3)
_KINDS = 3

MOST_FRAMES = 240
"""The most frames of one file, for any number of steps."""

MOST_PIXELS = 400_000_000
"""The most pixels of all frames together; tall pictures have fewer frames."""

MOST_SIDE = 65_535
"""The most pixels across or down, which the format writes in 16 bits."""

MOST_SECONDS = 120
"""The longest movement in seconds; a movement of more steps plays faster."""

_SECONDS = (0.1, 10.0)
_RATES = (1, 50)
_MOVING_SHARE = 0.64
_END_RESTS = 3
_SHADES = 48
_NEAR = 8
_UNCHANGED = 255


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


def gif(
    scene: Scene,
    *,
    dark: bool = False,
    width: int = 960,
    seconds_per_step: float = 1.2,
    frames_per_second: int = 15,
    progress: Callable[[float], object] | None = None,
    font: str | None = None,
    colors: Mode = "value",
) -> bytes:
    """The movement from beginning to end, with a rest after each step.

    There are at most 240 frames, and fewer where the picture has more than 1.6 million pixels:
    the more steps, the fewer frames between them, and where there are more steps than frames,
    several land at once.  The whole takes at most 120 seconds.  All frames share one palette
    of 255 colors and hold only what differs from the frame before.

    Args:
        scene: what to draw.
        dark: light ink on dark paper.
        width: in pixels, 240 to 4,096.
        seconds_per_step: 0.1 to 10; about two thirds are movement.
        frames_per_second: 1 to 50, while something moves.
        progress: called after each frame with the share that is done, up to 1.
        font: the name or path of a font file to prefer to the one that comes along.  Where no
            font here has the letters of the language that is spoken, the words are in English.
        colors: what they show, as :func:`dmlviz.picture.svg.svg` takes it.

    Returns:
        a GIF file that loops.

    Raises:
        Error: width, seconds or frames are invalid, the font cannot be read, or a tensor has so
            many rows that the picture would have more than 65,535.
    """
    _check("seconds_per_step", seconds_per_step, _SECONDS)
    _check("frames_per_second", frames_per_second, _RATES)
    with legible(scene, font) as legible_scene:
        of = board(legible_scene, dark, width, font, colors)
    if max(of.width, of.height) > MOST_SIDE:
        raise Error(
            _(
                "gif: the picture would have {width:,} by {height:,} pixels, but a GIF file has at "
                "most {most:,} on a side. Save it as PNG."
            ).format(width=of.width, height=of.height, most=MOST_SIDE),
            "gif",
        )
    budget = min(MOST_FRAMES, max(2, MOST_PIXELS // (of.width * of.height)))
    moments = schedule(len(of.steps), seconds_per_step, frames_per_second, budget)
    palette = shared_palette(of)
    painter, writing = Painter(font, lambda pixels: indices(pixels, palette)), families(font)

    def pictures() -> Iterator[tuple[Array, int]]:
        for done, (t, duration) in enumerate(moments, 1):
            yield painter.paint(moment_drawing(of, moment(of, t), writing)), duration
            if progress is not None:
                progress(done / len(moments))

    return write(pictures(), palette, of.words["picture"])


def schedule(
    steps: int, seconds: float, rate: float, most: int = MOST_FRAMES
) -> list[tuple[float, int]]:
    """The moments to show, and how many milliseconds to show each, in multiples of ten.

    >>> schedule(1, 1.0, 4)
    [(0.0, 360), (0.3333333333333333, 210), (0.6666666666666666, 220), (1.0, 1290)]
    """
    seconds = min(seconds, MOST_SECONDS / steps)
    between = max(1, min(round(rate * seconds * _MOVING_SHARE), (most - 1) // steps))
    stride = math.ceil(steps / (most - 1))
    rest = seconds * (1 - _MOVING_SHARE)
    move = seconds * _MOVING_SHARE / between
    plan = [(0.0, rest)]
    for step in range(0, steps, stride):
        landed = min(step + stride, steps)
        plan += [(step + k / between, move) for k in range(1, between)]
        plan.append((float(landed), move + rest))
    plan[-1] = (plan[-1][0], move + rest * _END_RESTS)
    # rounded sums, so that small errors do not add up
    ends = [round(100 * end) for end in itertools.accumulate(d for _t, d in plan)]
    lasts = [max(2, b - a) for a, b in itertools.pairwise([0, *ends])]
    return [(t, 10 * last) for (t, _d), last in zip(plan, lasts, strict=True)]


def shared_palette(of: Board) -> Image.Image:
    """All colors of a movement: cells, words on paper, numbers on cells."""
    p = of.palette
    # numbers need mixed colors, too, and where there are none more cells have their own
    shades = _SHADES if of.at.font else 2 * _SHADES
    by_ink = {
        str(ink): np.unique(of.input.color[of.input.ink == ink], axis=0)
        for ink in np.unique(of.input.ink)
    }
    part = min(1.0, shades / max(1, sum(map(len, by_ink.values()))))
    by_ink = {ink: _fewer(own, math.ceil(part * len(own))) for ink, own in by_ink.items()}
    # without inputs there is no element with a color of its own
    cells = np.concatenate([np.zeros((0, 3), np.uint8), *by_ink.values()])
    plain = [rgb(color) for color in (p.paper, p.slot, p.ink, p.line, p.accent, p.padding, p.hatch)]
    mixes = [(p.ink, p.paper, 7), (p.line, p.paper, 5), (p.ink, p.padding, 4)]
    mixes += [(p.hatch, p.padding, 3), (p.accent, p.paper, 2), (p.accent, p.padding, 1)]
    for over, under, between in mixes:
        a, b = rgb(over), rgb(under)
        plain += [b + (a - b) * k // (between + 1) for k in range(1, between + 1)]
    if of.at.font:
        on_cells = [
            blended(own, np.full(len(own), k * 64), ink)
            for ink, own in by_ink.items()
            for k in (1, 2, 3)
        ]
    else:
        on_cells = [blended(cells, np.full(len(cells), round(255 * FAINT)), p.accent)]
    colors = np.concatenate([np.array(plain), cells, *on_cells]).astype(np.uint8)
    if of.composed:
        pixels = np.concatenate([one.pixels.reshape(-1, 3) for one in of.composed])
        pixels = _fewer(pixels, _UNCHANGED)
        # Pillow finds one of the nearest colors, which must not be almost white for white paper
        apart = np.abs(pixels[:, None].astype(np.int16) - colors).max(axis=2).min(axis=1) > _NEAR
        left = _UNCHANGED - len(np.unique(colors, axis=0))
        colors = np.concatenate([colors, _fewer(pixels[apart], max(1, left))])
    _color, first = np.unique(colors, axis=0, return_index=True)
    # in order of importance; the last index means: as in the frame before
    chosen = colors[np.sort(first)][:_UNCHANGED]
    flat = np.zeros((256, 3), np.uint8)
    flat[:] = chosen[0]
    flat[: len(chosen)] = chosen
    image = Image.new("P", (1, 1))
    image.putpalette(flat.tobytes())
    return image


def _fewer(colors: Array, most: int) -> Array:
    """The distinct ones of some colors, or so many that are near to all of them."""
    distinct = np.unique(colors, axis=0)
    if len(distinct) <= most:
        return distinct
    image = Image.fromarray(distinct[None]).quantize(most, Image.Quantize.MEDIANCUT)
    quantized: Array = np.array(image.getpalette(), np.uint8).reshape(-1, 3)[:most]
    return quantized


def indices(pixels: Array, palette: Image.Image) -> Array:
    """Red, green and blue in the last dimension as indices of the nearest colors."""
    sizes = pixels.shape[:-1]
    flat = np.ascontiguousarray(pixels).reshape(-1, sizes[-1], 3)
    if not flat.size:
        return np.zeros(sizes, np.uint8)
    nearest = Image.fromarray(flat).quantize(palette=palette, dither=Image.Dither.NONE)
    palette_indices = np.array(nearest).reshape(sizes)
    # the rest of the palette repeats its first color; the last index is taken
    palette_indices[palette_indices == _UNCHANGED] = 0
    return palette_indices


def write(pictures: Iterable[tuple[Array, int]], palette: Image.Image, comment: str) -> bytes:
    """A looping GIF of pictures in indices, each with its milliseconds.

    Compresses one picture after the other, so memory holds two at a time.
    """
    file = io.BytesIO()
    shown: Array | None = None
    for pixels, duration in _merged(pictures):
        if shown is None:
            first = _image(pixels, palette)
            comment_bytes = comment.encode("utf-8")
            first.save(
                file, "GIF", loop=0, duration=duration, optimize=False, comment=comment_bytes
            )
            # remove the end mark, which is written after the last picture
            file.seek(-1, io.SEEK_END)
            file.truncate()
        else:
            changed = pixels != shown
            rows, columns = changed.any(axis=1).nonzero()[0], changed.any(axis=0).nonzero()[0]
            box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
            part = np.where(changed[box], pixels[box], np.uint8(_UNCHANGED))
            corner = int(columns[0]), int(rows[0])
            for data in GifImagePlugin.getdata(
                _image(part, palette),
                corner,
                duration=duration,
                transparency=_UNCHANGED,
                disposal=1,
            ):
                file.write(data)
        shown = pixels
    file.write(b";")
    return file.getvalue()


def _merged(pictures: Iterable[tuple[Array, int]]) -> Iterator[tuple[Array, int]]:
    """Merge equal pictures in a row into one that lasts longer."""
    last: Array | None = None
    lasts = 0
    for pixels, duration in pictures:
        if last is not None and np.array_equal(last, pixels):
            lasts += duration
            continue
        if last is not None:
            yield last, lasts
        last, lasts = pixels, duration
    if last is not None:
        yield last, lasts


def _image(pixels: Array, palette: Image.Image) -> Image.Image:
    image = Image.fromarray(np.ascontiguousarray(pixels))
    image.putpalette(palette.getpalette() or [])
    return image


def _check(name: str, value: float, bounds: tuple[float, float]) -> None:
    low, high = bounds
    # the comparison is also False for NaN
    if not isinstance(value, int | float) or not low <= value <= high:
        raise Error(
            _("{name}: {value} is invalid; it must be from {low} to {high}.").format(
                name=name, value=value, low=f"{low:g}", high=f"{high:g}"
            ),
            name,
        )
