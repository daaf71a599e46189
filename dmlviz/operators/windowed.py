"""Operators with a window in one of their tensors, walked in steps: SLICE, SLICE_GRAD."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.movement.steps import STEPS_SHOWN, Step
from dmlviz.operators.base import Operator
from dmlviz.operators.directions import SIMPLE, place_words
from dmlviz.operators.separable import Separable
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Sizes

INT_MIN, INT_MAX = -(2**31), 2**31 - 1

PYTORCH_SELECTS = ("UINT16", "UINT32", "UINT64")
"""Data types that PyTorch copies, but that not every version of it reverses."""


@dataclass(frozen=True)
class Walk:
    """The places of elements in a window along one dimension.

    Attributes:
        offset, window: the first place of the window, and how many it has.
        stride: from one place to the next; if negative, backward from the window's last place.
        count: how many places are taken.
    """

    offset: int
    window: int
    stride: int
    count: int

    @property
    def last(self) -> int:
        """The window's last place."""
        return self.offset + self.window - 1

    @property
    def start(self) -> int:
        """The first place taken."""
        return self.offset if self.stride > 0 else self.last

    @property
    def step(self) -> int:
        """The distance from one place to the next, in either direction."""
        return abs(self.stride)

    @property
    def most(self) -> int:
        """How many places fit in the window."""
        return 1 + (self.window - 1) // self.step

    @property
    def places(self) -> range:
        """The places, in the order taken."""
        return range(self.start, self.start + self.stride * self.count, self.stride)

    def whole(self, size: int) -> bool:
        """Whether a dimension of that size is unchanged."""
        return self.count == size and self.stride > 0

    def numbers(self) -> dict[str, int]:
        """Its numbers by name, for messages."""
        names = ("offset", "window", "last", "start", "stride", "step", "count", "most")
        return {name: getattr(self, name) for name in names}


def at_once(walks: Sequence[Walk]) -> str:
    """Python's start, end and step; the end is one beyond the last place in the walk's direction.

    >>> at_once([Walk(1, 3, 1, 3), Walk(2, 5, -2, 2), Walk(0, 5, -2, 3)])
    '1:4, 6:3:-2, 4::-2'
    """
    texts = []
    for walk in walks:
        last = walk.places[-1]
        end = str(last + 1) if walk.stride > 0 else str(last - 1) if last else ""
        texts.append(f"{walk.start}:{end}" + (f":{walk.stride}" if walk.stride != 1 else ""))
    return ", ".join(texts)


@dataclass(frozen=True)
class Windowed(Separable):
    """An operator whose settings are a window, its strides, and the sizes of the output.

    A subclass declares these three settings, then the free sizes.
    """

    input_window_offsets: tuple[int, ...]
    input_window_sizes: tuple[int, ...]
    input_window_strides: tuple[int, ...]

    def walk(self, d: int, count: int = 0) -> Walk:
        """The places of ``count`` elements along dimension ``d``; 0 for as many as there are."""
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride = self.input_window_strides[d]
        return Walk(offset, window, stride, count or 1 + (window - 1) // abs(stride))

    @classmethod
    @abstractmethod
    def fitted_along(
        cls, offset: int, window: int, stride: int, count: int, size: int
    ) -> tuple[int, int, int, int]:
        """A dimension's settings, where the input now has ``size``."""

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        fitted = super().fitted(values, sizes, before)
        if len(fitted) < len(cls.declared):
            return fitted
        numbers = zip(*fitted.values(), sizes, strict=True)
        along = (cls.fitted_along(*each) for each in numbers)
        return dict(zip(fitted, zip(*along, strict=True), strict=True))

    def alternative(self) -> Operator:
        # reverse the innermost dimension that has more than one element
        strides = list(self.input_window_strides)
        wide = [d for d, window in enumerate(self.input_window_sizes) if window > 1]
        d = wide[-1] if wide else len(strides) - 1
        strides[d] = -strides[d]
        return replace(self, input_window_strides=tuple(strides))

    def step_of_index(self, d: int, walk: Walk, k: int, each: int) -> Step:
        """The step of an index; the last step also includes all remaining ones."""
        last = walk.count - 1 if k == STEPS_SHOWN - 1 else k
        moved, forward = each * (last - k + 1), walk.stride > 0
        rank, place, last_place = len(self.input_window_sizes), walk.places[k], walk.places[last]
        numbers = {
            "d": d,
            "k": k,
            "last": last,
            "offset": walk.offset,
            "behind": walk.last,
            "stride": walk.stride,
            "step": walk.step,
            "place": place,
            "last_place": last_place,
            "moved": moved,
            "at": place_words(rank, d, k, last),
            "there": place_words(rank, d, place, last_place),
        }
        if last > k:
            key = "goes-on"
        elif k == 0:
            key = "starts" if forward else "starts-last"
        else:
            key = "further" if forward else "back"
        title = "indices-title" if last > k else "index-title"
        if rank <= SIMPLE:
            title, key = "simple-title", f"simple-{key}"
        return Step(self.say(title, **numbers), self.say(key, moved, **numbers))

    def counts_agree(self, outputs: Sizes) -> bool:
        """Whether output sizes and settings have numbers for equally many dimensions."""
        return {len(getattr(self, name)) for name in self.declared} == {len(outputs)}

    def empty_window(self, d: int) -> Problem:
        """The problem with a window of no element in dimension ``d``."""
        message = _(
            "input_window_sizes: {window} in dimension {d} is invalid; a window must have 1 "
            "element or more."
        ).format(window=short_text(self.input_window_sizes[d]), d=d)
        return Problem("input_window_sizes", message, f"{self.structure}, InputWindowSizes")

    def stride_problem(self, d: int) -> Problem | None:
        """The problem if the stride of dimension ``d`` is 0 or not a number of 32 bits."""
        stride = self.input_window_strides[d]
        if stride and INT_MIN <= stride <= INT_MAX:
            return None
        message = _(
            "input_window_strides: {stride} in dimension {d} is invalid; a stride must be a whole "
            "number of 32 bits, and not 0."
        ).format(stride=short_text(stride), d=d)
        return Problem("input_window_strides", message, f"{self.structure}, InputWindowStrides")
