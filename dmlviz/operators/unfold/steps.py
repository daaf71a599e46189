"""The moves of Unfold: window after window, each becomes a column."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.unfold.slides import LEADING, Slide
from dmlviz.words import _, listed, ngettext

# The remaining windows share one step: nobody watches the thirteenth.
_SHOWN = 12
# Other places are not named one by one.
_NAMED = 4


def unfold_steps(out: Sequence[int], slides: Sequence[Slide]) -> Steps:
    """A step for each window, of all batches and channels.

    Args:
        out: the output's sizes.
        slides: of the spatial dimensions.
    """
    windows = out[-1]
    shown = min(windows, _SHOWN)
    counts = [slide.count for slide in slides]
    steps = []
    for k in range(shown):
        at = [int(i) for i in np.unravel_index(k, counts)]
        if k < shown - 1 or shown == windows:
            steps.append(_window(k, at, out, slides))
        else:
            steps.append(_further(k, windows, out))
    order = np.minimum(np.arange(windows), shown - 1).astype(np.int32)
    number = np.broadcast_to(order, tuple(out)).ravel()
    return Steps(tuple(steps), number, np.full(number.size, -1, np.int64))


def _window(k: int, at: Sequence[int], out: Sequence[int], slides: Sequence[Slide]) -> Step:
    moved = math.prod(out[:-1])
    places = math.prod(slide.window for slide in slides)
    inside = math.prod(slide.window - slide.zeros(i) for i, slide in zip(at, slides, strict=True))
    zeros = moved // places * (places - inside)
    covered = listed(
        [
            _("{places} of dimension {d}").format(places=_places(slide.covered(i)), d=d)
            for d, (i, slide) in enumerate(zip(at, slides, strict=True), LEADING)
        ]
    )
    if zeros:
        told = ngettext(
            "It covers {covered}. Its {n} elements become column {k}; {zeros} lies in the "
            "padding and is 0.",
            "It covers {covered}. Its {n} elements become column {k}; {zeros} lie in the "
            "padding and are 0.",
            zeros,
        )
    else:
        told = ngettext(
            "It covers {covered}. Its {n} element becomes column {k}.",
            "It covers {covered}. Its {n} elements become column {k}.",
            moved,
        )
    caption = told.format(covered=covered, n=moved, k=k, zeros=zeros)
    return Step(_("Window {k}").format(k=k), caption)


def _further(k: int, windows: int, out: Sequence[int]) -> Step:
    told = _("Each of them becomes a column in the same way: {n} elements.")
    caption = told.format(n=math.prod(out[:-1]) * (windows - k))
    return Step(_("Windows {k} to {last}").format(k=k, last=windows - 1), caption)


def _places(covered: Sequence[int]) -> str:
    """Some indices of a dimension, one after the other or from first to last."""
    first, last = covered[0], covered[-1]
    if len(covered) == 1:
        return _("index {i}").format(i=first)
    if last - first == len(covered) - 1:
        return _("indices {first} to {last}").format(first=first, last=last)
    named = [str(i) for i in covered]
    if len(named) > _NAMED:
        named = [*named[: _NAMED - 1], "…", named[-1]]
    return _("indices {list}").format(list=", ".join(named))
