"""Starting values: tensors to use before the user types any numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.tensors.data_types import DataType
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.pictures import PICTURES, draw
from dmlviz.tensors.sizes import check_element_count, element_count, sizes_of
from dmlviz.tensors.types import Array

ELEMENT_LIMIT = 65_536
"""The limit of elements for starting values."""

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
        sizes: 1 to 8 sizes, 65,536 elements at most.
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
    check_element_count(checked, ELEMENT_LIMIT)
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
    period = _reach(kind) - first + 1
    numbers = first + np.arange(element_count(sizes), dtype=np.int64) % period
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
