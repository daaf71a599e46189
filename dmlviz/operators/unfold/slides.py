"""The positions of a window along one spatial dimension, and the places that it covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

LEADING = 2
"""Batch and channel; windows do not slide along them."""


@dataclass(frozen=True)
class Slide:
    """A window that moves along one dimension of the input.

    Attributes:
        size: of that dimension.
        window: how many places the window covers.
        stride: from one window to the next.
        dilation: from one place of a window to the next.
        start, end: how many zeros come before the first element and after the last.
    """

    size: int
    window: int
    stride: int
    dilation: int
    start: int
    end: int

    @property
    def padded(self) -> int:
        """The dimension's size with its zeros."""
        return self.start + self.size + self.end

    @property
    def extent(self) -> int:
        """The extent of a window from its first place to its last, both included."""
        return 1 + self.dilation * (self.window - 1)

    @property
    def count(self) -> int:
        """How many windows there are."""
        return (self.padded - self.extent) // self.stride + 1

    @property
    def still(self) -> bool:
        """Whether every window is one element, and every element is one."""
        return (self.window, self.stride, self.padded) == (1, 1, self.size)

    @property
    def places(self) -> Array:
        """The index that each place of the window has in each window; int64, may be outside."""
        taps = np.arange(self.window, dtype=np.int64)[:, np.newaxis] * self.dilation
        windows = np.arange(self.count, dtype=np.int64) * self.stride
        found: Array = taps + windows - self.start
        return found

    def covered(self, window: int) -> tuple[int, ...]:
        """The indices that one window covers; some may be outside."""
        first = window * self.stride - self.start
        return tuple(first + k * self.dilation for k in range(self.window))

    def zeros(self, window: int) -> int:
        """How many places of one window are outside."""
        return sum(not 0 <= place < self.size for place in self.covered(window))


def taken(x: Array, slides: Sequence[Slide]) -> Array:
    """Batch, channel, the places in a window, the windows: a dimension for each; 0 outside.

    It makes nothing larger than the output, however far apart the windows are.

    Args:
        x: the input.
        slides: of its spatial dimensions.
    """
    m = len(slides)
    at: list[Any] = [slice(None), slice(None)]
    outside = np.zeros((1,) * (2 * m), bool)
    for k, slide in enumerate(slides):
        shape = [1] * (2 * m)
        shape[k], shape[m + k] = slide.window, slide.count
        places = slide.places.reshape(shape)
        outside = outside | (places < 0) | (places >= slide.size)
        at.append(np.clip(places, 0, slide.size - 1))
    y: Array = x[tuple(at)]
    y[:, :, outside] = 0
    return y


def flattened(y: Array, slides: Sequence[Slide]) -> Array:
    """What :func:`taken` gives as three dimensions: batch, channel and place, window."""
    places = math.prod(slide.window for slide in slides)
    return y.reshape(y.shape[0], y.shape[1] * places, -1)


def interleaved(spatial: int) -> tuple[int, ...]:
    """The order that puts places of windows before windows, where they alternate.

    >>> interleaved(2)
    (0, 1, 2, 4, 3, 5)
    """
    last = LEADING + 2 * spatial
    return (0, 1, *range(LEADING, last, 2), *range(LEADING + 1, last, 2))
