"""What a cell's color says: its value, its source's channel or place, or the pixel of a picture.

The rules are those of the player's colors.js.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.movement import VALUES
from dmlviz.picture.measures import measures
from dmlviz.picture.palettes import Palette, colors_at, inks, mixed, rgb
from dmlviz.picture.scene import Placed, Scene
from dmlviz.tensors.types import Array

Mode = Literal["value", "channel", "position", "picture", "planes"]
"""What a cell's color can show, in the words of links."""

_COLORS = measures()["colors"]

_LEVELS = int(_COLORS["levels"])
"""Colors have this many steps above the first, so that there are few of them."""

_UNSEEN = (int(_COLORS["unseen"]),) * 3
"""The color of an element that is in no picture."""


def value_scale(values: Array, span: tuple[float, float] | None = None) -> Array:
    """Values as numbers from 0 to 1, smallest to largest; float32, flat.

    Infinities are at the ends, NaN in the middle; if all values are equal, they are in the middle.

    Args:
        values: of any shape.
        span: what :func:`value_range` says about them, if that is known.
    """
    flat = _as_doubles(values)
    low, high = span or value_range(values)
    if high > low:
        # halved first, so that the span of the largest doubles stays finite
        with np.errstate(invalid="ignore"):
            flat = (flat / 2 - low / 2) / (high / 2 - low / 2)
    else:
        flat = np.where(np.isfinite(flat), 0.5, flat)
    return np.nan_to_num(flat, nan=0.5, posinf=1.0, neginf=0.0).clip(0, 1).astype(np.float32)


def _as_doubles(values: Array) -> Array:
    # signaling NaNs are ordinary values here
    with np.errstate(invalid="ignore"):
        return values.ravel().astype(np.float64)


def value_range(*tensors: Array) -> tuple[float, float]:
    """The smallest and the largest finite value of all tensors; 0 and 0 if there is none."""
    flat = np.concatenate([_as_doubles(values) for values in tensors]) if tensors else np.zeros(0)
    finite = flat[np.isfinite(flat)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def brightest(picture: Scene, span: tuple[float, float] | None = None) -> float:
    """The value of full brightness in a picture; 0 if the values are not a picture's.

    Args:
        picture: what is drawn.
        span: what :func:`value_range` says about its values, if that is known.
    """
    low, high = span or value_range(picture.values)
    if low < 0 or high <= 0:
        return 0.0
    # of floats, of the built-in pictures, and of eight bits
    limits = (1.0, 99.0, 255.0) if picture.full is None else (picture.full,)
    return next((limit for limit in limits if high <= limit), 0.0)


def modes(picture: Scene) -> list[Mode]:
    """What colors can show in a scene; pictures only where a tensor has three channels."""
    usual: list[Mode] = ["value", "channel", "position"]
    return [*usual, "picture", "planes"] if _picture_side(picture) else usual


@dataclass(frozen=True)
class Coloring:
    """The colors of the elements that move, by number; copies have the color of their source.

    Attributes:
        color: red, green, blue; uint8, n by 3.
        ink: a color that is readable on it, as ``#rrggbb``.
        channel: 0, 1 or 2 where an element is tinted red, green or blue, else -1; int64.
    """

    color: Array
    ink: Array
    channel: Array

    @property
    def tinted(self) -> bool:
        """Whether planes are tinted."""
        return bool((self.channel >= 0).any())


def coloring(picture: Scene, source: Array, mode: Mode, palette: Palette) -> Coloring:
    """The colors of a scene; by value where it has no three channels to make a picture of.

    Args:
        picture: the scene.
        source: of every output cell the input cell, or -1.
        mode: what colors show.
        palette: the theme's.
    """
    count = picture.values.size
    side = _picture_side(picture)
    plain, none = np.full(count, palette.ink), np.full(count, -1)
    if mode == "channel":
        return Coloring(_by_channel(picture, palette), plain, none)
    if mode == "position":
        return Coloring(_by_position(picture, palette), plain, none)
    if mode == "value" or not side:
        return Coloring(colors_at(palette, value_scale(picture.values)), plain, none)
    if mode == "planes":
        channel = _channels(picture, source)
        tints = np.array([rgb(tint) for tint in palette.tints])
        color = mixed(np.zeros(3), tints[channel], _stepped(picture)[:, None])
        color[channel < 0] = _UNSEEN
    else:
        color, channel = _pixels(picture, source, side), none
    return Coloring(color, inks(color), channel)


def is_picture(tensor: Placed) -> bool:
    """Whether it has three channels."""
    sizes = tensor.layout.sizes
    return len(sizes) >= 3 and sizes[-3] == 3


def levels(picture: Scene) -> Array:
    """How bright each element is in a picture, from 0 to 1; float64."""
    values = picture.values
    span = low, high = value_range(values)
    scaled = low + value_scale(values, span).astype(np.float64) * (high - low)
    brightness: Array = np.clip(scaled / brightest(picture, span), 0, 1)
    return brightness


def plane_letters(scene: Scene, source: Array, channel: Array) -> list[tuple[str, ...]]:
    """For every tensor, the letter of each plane's color; empty for mixed and untinted planes.

    Args:
        scene: what is drawn.
        source: of every output cell the input cell, or -1.
        channel: of every element that moves; 0, 1 or 2, or -1.
    """
    letters = np.array(["R", "G", "B", ""])[np.append(channel, -1)]
    inputs = np.minimum(np.arange(scene.input.count), channel.size)
    by_tensor = []
    for side, of in ((scene.input, inputs), (scene.output, source)):
        for tensor in side.tensors:
            elements = of[tensor.first : tensor.first + tensor.count]
            planes = elements.reshape(-1, math.prod(tensor.layout.sizes[-2:]))
            own = [set(letters[plane[plane >= 0]].tolist()) for plane in planes]
            by_tensor.append(tuple(one.pop() if len(one) == 1 else "" for one in own))
    return by_tensor


def _stepped(picture: Scene) -> Array:
    stepped: Array = np.floor(levels(picture) * _LEVELS + 0.5) / _LEVELS
    return stepped


def _moving(picture: Scene) -> list[Placed]:
    return [tensor for tensor in picture.input.tensors if tensor.role == VALUES]


def _picture_side(picture: Scene) -> str:
    """On which side a tensor has three channels; empty if there is none."""
    if not brightest(picture):
        return ""
    if any(is_picture(tensor) for tensor in picture.output.tensors):
        return "output"
    return "input" if any(is_picture(tensor) for tensor in _moving(picture)) else ""


def _elements(picture: Scene, source: Array, side: str) -> list[Array]:
    """The elements of every picture of a side; of sizes (pictures, 3, pixels), -1 for none."""
    tensors = picture.output.tensors if side == "output" else _moving(picture)
    elements = []
    for tensor in filter(is_picture, tensors):
        cells = np.arange(tensor.first, tensor.first + tensor.count)
        of = source[cells] if side == "output" else cells
        elements.append(of.reshape(-1, 3, tensor.layout.sizes[-2] * tensor.layout.sizes[-1]))
    return elements


def _channels(picture: Scene, source: Array) -> Array:
    # an output may lack some of the picture
    side = "input" if any(map(is_picture, _moving(picture))) else "output"
    channel = np.full(picture.values.size, -1)
    for elements in reversed(_elements(picture, source, side)):
        own = np.broadcast_to(np.arange(3)[:, None], elements.shape)
        _set_first(channel, elements, own)
    return channel


def _pixels(picture: Scene, source: Array, side: str) -> Array:
    """Each element in the color of the pixel that it belongs to."""
    level = np.append(np.floor(_stepped(picture) * 255 + 0.5), 0).astype(np.uint8)
    color = np.full((picture.values.size, 3), _UNSEEN, np.uint8)
    for elements in reversed(_elements(picture, source, side)):
        pixel = level[elements].transpose(0, 2, 1)[:, None]
        _set_first(color, elements, np.broadcast_to(pixel, (*elements.shape, 3)))
    return color


def _set_first(of: Array, elements: Array, values: Array) -> None:
    """Set what is found for each element, if several times what was found first."""
    seen = elements >= 0
    # the last of several assignments holds
    of[elements[seen][::-1]] = values[seen][::-1]


def _by_channel(picture: Scene, palette: Palette) -> Array:
    kinds = np.array([rgb(kind) for kind in palette.kinds], np.uint8)
    color = np.zeros((picture.values.size, 3), np.uint8)
    for tensor in _moving(picture):
        sizes = tensor.layout.sizes
        index = np.indices(sizes)[max(len(sizes) - 3, 0)].ravel()
        color[tensor.first : tensor.first + tensor.count] = kinds[index % len(kinds)]
    return color


def _by_position(picture: Scene, palette: Palette) -> Array:
    corners = [rgb(corner) for corner in palette.corners]
    color = np.zeros((picture.values.size, 3), np.uint8)
    for tensor in _moving(picture):
        sizes = tensor.layout.sizes
        down, across = (_part(sizes, d) for d in (len(sizes) - 2, len(sizes) - 1))
        top, bottom = mixed(corners[0], corners[1], across), mixed(corners[2], corners[3], across)
        color[tensor.first : tensor.first + tensor.count] = mixed(top, bottom, down)
    return color


def _part(sizes: tuple[int, ...], d: int) -> Array:
    """How far each element is along a dimension, from 0 to 1 in a few steps."""
    if d < 0 or sizes[d] == 1:
        return np.zeros((int(np.prod(sizes)), 1))
    index = np.indices(sizes)[d].reshape(-1, 1)
    share: Array = np.floor(index / (sizes[d] - 1) * _LEVELS + 0.5) / _LEVELS
    return share
