"""Starting values: what tensors hold before the user types any numbers, such as small pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _
from dmlviz.tensors.data_types import DataType
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.sizes import READ_LIMIT, check_element_count, element_count, sizes_of
from dmlviz.tensors.types import Array

STARTING_VALUES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "count-0": lambda: _("Counting from 0"),
        "count-1": lambda: _("Counting from 1"),
        "channel": lambda: _("The channel's number"),
        "random": lambda: _("Random numbers"),
        "picture": lambda: _("A picture"),
    }
)
"""Names and functions that return the title in the reader's language, in display order."""

GO_ON = "count-on"
"""Starting values of another tensor: counting continues after the tensor before it."""

MOST_SEED = 2**31
"""The limit of seeds of random numbers."""

FOLDER = ASSETS / "pictures"

PICTURES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "sailboat": lambda: _("Sailboat"),
        "cat": lambda: _("Cat"),
        "rocket": lambda: _("Rocket"),
        "island": lambda: _("Island"),
        "key": lambda: _("Key"),
        "letter-r": lambda: _("Letter R"),
    }
)
"""Names and functions that return the title in the reader's language; all are asymmetric."""

_LARGEST_SIDE = 64
_COLOUR = regex(r"(\S) ([0-9]{1,2}) ([0-9]{1,2}) ([0-9]{1,2})")


def start(
    name: str, sizes: Sequence[int], data_type: str, *, seed: int = 0, picture: str = ""
) -> Array:
    """A tensor of starting values.

    Args:
        name: one of :data:`STARTING_VALUES`.

            * ``count-0``, ``count-1``: 0, 1, 2, ... or 1, 2, 3, ... in the order of memory.
              Where the type cannot hold the next number, counting starts again from its
              first number: INT8 goes to 127, UINT8 to 255, FLOAT16 to 2048.
            * ``channel``: every element is the number of its channel, the index in the third
              dimension from the end (in the first dimension for rank 1 and 2); it starts
              again from 0 like counting.
            * ``random``: whole numbers from -99 to 99 (0 to 99 in unsigned types), or -9.9 to
              9.9 with one decimal in float types. The same seed gives the same first values
              for all sizes.
            * ``picture``: see :func:`dmlviz.tensors.draw`.
        sizes: 1 to 8 sizes, 4,194,304 elements at most.
        data_type: one of the eleven data types.
        seed: for ``random``, 0 or more.
        picture: for ``picture``, one of :data:`dmlviz.tensors.PICTURES`; empty for the first.

    Returns:
        A read-only array of those sizes and that type.

    Raises:
        TooLarge: there are more elements than that; nothing was allocated.
        Error: there is no such name, type or picture, or the sizes or the seed are invalid.

    >>> start("count-1", (2, 3), "INT32").tolist()
    [[1, 2, 3], [4, 5, 6]]
    """
    if name not in STARTING_VALUES:
        message = _("starting_values: {name} is not one of the starting values: {names}.").format(
            name=excerpt(str(name)), names=", ".join(STARTING_VALUES)
        )
        raise Error(message, field="starting_values")
    checked = sizes_of(sizes)
    check_element_count(checked, READ_LIMIT)
    kind = find_type(data_type)
    if name == "picture":
        return draw(picture or next(iter(PICTURES)), checked, kind.name)
    if name == "random":
        values = _random(checked, kind, seed)
    elif name == "channel":
        values = _channels(checked, kind)
    else:
        values = _count(checked, kind, first=int(name.removeprefix("count-")))
    values.flags.writeable = False
    return values


def _count(sizes: tuple[int, ...], kind: DataType, first: int) -> Array:
    period, count = _reach(kind) - first + 1, element_count(sizes)
    if count <= period:
        return np.arange(first, first + count, dtype=kind.dtype).reshape(sizes)
    numbers = first + np.arange(count, dtype=np.int64) % period
    return numbers.astype(kind.dtype).reshape(sizes)


def _reach(kind: DataType) -> int:
    # Larger than any count here, and small enough for an int64 count.
    return min(kind.highest_count, 2**32)


def _channels(sizes: tuple[int, ...], kind: DataType) -> Array:
    dimension = max(len(sizes) - 3, 0)
    numbers = np.arange(sizes[dimension], dtype=np.int64) % (_reach(kind) + 1)
    column = numbers.astype(kind.dtype).reshape(-1, *[1] * (len(sizes) - 1 - dimension))
    return np.broadcast_to(column, sizes).copy()


def _random(sizes: tuple[int, ...], kind: DataType, seed: int) -> Array:
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        message = _("seed: {seed} is not a whole number of 0 or more.").format(
            seed=excerpt(repr(seed))
        )
        raise Error(message, field="seed")
    lowest = 0 if kind.kind == "unsigned" else -99
    # Drawn one by one in the order of memory, always as 64 bits: other sizes or another type
    # only lengthen or convert the same sequence.
    drawn = np.random.default_rng(seed).integers(lowest, 100, element_count(sizes), np.int64)
    return (drawn if kind.is_integer else drawn / 10).astype(kind.dtype).reshape(sizes)


@cache
def picture(name: str) -> Array:
    """A picture's pixels.

    Args:
        name: one of :data:`PICTURES`.

    Returns:
        A read-only uint8 array of sizes (3, height, width): red, green and blue, each from
        0 to 99.

    Raises:
        Error: there is no picture with that name (field ``picture``).

    >>> picture("sailboat").shape
    (3, 16, 16)
    """
    if name not in PICTURES:
        message = _("picture: {name} is not one of the pictures: {names}.").format(
            name=excerpt(str(name)), names=", ".join(PICTURES)
        )
        raise Error(message, field="picture")
    return read_picture((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)


def read_picture(text: str, name: str) -> Array:
    """The pixels in a picture's file.

    Args:
        text: a palette, one line per color: a symbol, then red, green and blue from 0 to 99,
            with one blank between them; an empty line; then the rows, one symbol per pixel,
            equally long, at most 64 by 64.
        name: of the file, for error messages.

    Returns:
        A read-only uint8 array of sizes (3, height, width).

    Raises:
        Error: the text is invalid (field ``picture``).

    >>> read_picture("o 1 2 3\\n# 97 98 99\\n\\no#\\n", "tiny").tolist()
    [[[1, 97]], [[2, 98]], [[3, 99]]]
    """
    head, _blank, body = text.partition("\n\n")
    colours: dict[str, tuple[int, ...]] = {}
    for line in head.splitlines():
        match = _COLOUR.fullmatch(line)
        if match is None or match[1] in colours:
            rule = _("the palette line {line} is not a new symbol with three numbers from 0 to 99")
            raise _refusal(name, rule.format(line=excerpt(line)))
        colours[match[1]] = tuple(int(level) for level in match.groups()[1:])
    rows = body.splitlines()
    width = len(rows[0]) if rows else 0
    if not (1 <= width <= _LARGEST_SIDE and len(rows) <= _LARGEST_SIDE):
        rule = _("it is {height} high and {width} wide, outside 1 to {most}")
        raise _refusal(name, rule.format(height=len(rows), width=width, most=_LARGEST_SIDE))
    for number, row in enumerate(rows):
        if len(row) != width:
            rule = _("row {number} has {found} pixels where row 0 has {width}")
            raise _refusal(name, rule.format(number=number, found=len(row), width=width))
        if not colours.keys() >= set(row):
            rule = _("row {number} has a symbol that is not in the palette: {row}")
            raise _refusal(name, rule.format(number=number, row=excerpt(row)))
    pixels = np.array([[colours[symbol] for symbol in row] for row in rows], np.uint8)
    result = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    result.flags.writeable = False
    return result


def draw(name: str, sizes: Sequence[int], data_type: str) -> Array:
    """A picture as a tensor of any sizes, by taking the nearest pixel.

    Args:
        name: one of :data:`PICTURES`.
        sizes: the last two are height and width, the one before is channels: one channel is
            brightness, several are red, green, blue, red, ...; dimensions before that repeat
            the picture. Rank 2 is brightness; rank 1 the middle row of brightness.
            65,536 elements at most.
        data_type: one of the eleven data types; every one holds the values.

    Returns:
        A read-only array with values from 0 to 99.

    Raises:
        TooLarge: there are more elements than that; nothing was allocated.
        Error: there is no such picture or type, or the sizes are invalid.

    >>> draw("sailboat", (1, 3, 4, 5), "FLOAT32").shape
    (1, 3, 4, 5)
    """
    checked = sizes_of(sizes)
    check_element_count(checked, READ_LIMIT)
    dtype = find_type(data_type).dtype
    result = as_tensor(picture(name), checked).astype(dtype, order="C")
    result.flags.writeable = False
    return result


def as_tensor(pixels: Array, sizes: tuple[int, ...]) -> Array:
    """Pixels as a tensor of any sizes, by taking the nearest pixel; see :func:`draw`.

    Args:
        pixels: red, green and blue, of sizes (3, height, width).
        sizes: of the tensor.

    Returns:
        A read-only view with the type and the values of the pixels, or int64 for brightness.
    """
    channels = sizes[-3] if len(sizes) >= 3 else 1
    planes = _brightness(pixels) if channels == 1 else pixels[np.arange(channels) % 3]
    planes = planes[:, :, _nearest(planes.shape[2], sizes[-1])]
    if len(sizes) == 1:
        planes = planes[0, planes.shape[1] // 2]
    else:
        planes = planes[:, _nearest(planes.shape[1], sizes[-2])]
        planes = planes if len(sizes) >= 3 else planes[0]
    return np.broadcast_to(planes, sizes)


def _brightness(pixels: Array) -> Array:
    weights = np.array([299, 587, 114]).reshape(3, 1, 1)
    result: Array = ((pixels * weights).sum(axis=0, keepdims=True) + 500) // 1000
    return result


def _nearest(have: int, want: int) -> Array:
    """For each of ``want`` cells, the pixel at its center."""
    return (2 * np.arange(want) + 1) * have // (2 * want)


def _refusal(name: str, rule: str) -> Error:
    message = _("picture: {name} cannot be read, because {rule}.").format(name=name, rule=rule)
    return Error(message, field="picture")
