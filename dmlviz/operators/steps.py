"""The moves of an operator, and the parts of its rule, as the stage shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Point:
    """A place on a ruler along a dimension of a tensor, which need not be an element's.

    Attributes:
        tensor: DirectML's name.
        dimension: which.
        at: in elements: 0 is the start of the first one, 1 its end.
    """

    tensor: str
    dimension: int
    at: float


@dataclass(frozen=True)
class Step:
    """One move: a named group of output elements that land together.

    Attributes:
        title, caption: what is said of it.
        marks: input cells to frame with it although nothing comes from them, by number: those of
            the ``values`` inputs one tensor after the other, then those of the ``control`` inputs.
        points: places that it tells of, which the stage marks.
    """

    title: str
    caption: str
    marks: tuple[int, ...] = ()
    points: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Steps:
    """An operator's moves over one input.

    Attributes:
        steps: titles and captions, in playing order.
        step_of: for each output element, flat, the number of its step; int32.
        via: for each output element, flat, the output element (landed in an earlier step)
            that it is seen to come from, or -1 where it comes straight from its source; int64.
        before: for each output element, flat, the input element that lands in its place with the
            first step and is covered by its own step, or -1; int64; None where nothing is covered.
        contested: output elements, flat, that several inputs were put at; int64.
    """

    steps: tuple[Step, ...]
    step_of: Array
    via: Array
    before: Array | None = None
    contested: Array = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True)
class Part:
    """The tensor between two parts of the NumPy rule.

    Attributes:
        title, caption: what this part does.
        sizes: of the tensor after it.
        order: for each of its elements, flat, the flat index of the input element; int64.
    """

    title: str
    caption: str
    sizes: tuple[int, ...]
    order: Array
