"""How people misread Padding."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.misreadings import MISREADING_LIMIT, Array, Candidate
from dmlviz.operators.padding.folding import MODES
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Pads = tuple[int, ...]

_MIXED_UP = {
    "CONSTANT": ("EDGE", "SYMMETRIC", "WRAP"),
    "EDGE": ("SYMMETRIC", "REFLECTION", "WRAP", "CONSTANT"),
    "REFLECTION": ("SYMMETRIC", "EDGE", "WRAP"),
    "SYMMETRIC": ("REFLECTION", "EDGE", "WRAP"),
    "WRAP": ("REFLECTION", "SYMMETRIC", "EDGE"),
}
"""For each mode, the modes that people confuse with it."""


def misread_padding(x: Array, mode: str, start: Pads, end: Pads) -> Iterator[Candidate]:
    """Wrong outputs of Padding for a tensor of indices.

    Args:
        x: the tensor of indices.
        mode: one of the five.
        start, end: how many elements are added, one number per dimension of ``x``.
    """
    padded = [d for d in range(x.ndim) if start[d] or end[d]]
    if not padded:
        return
    for other in _MIXED_UP[mode]:
        words = _("That is {other}: {other_rule}; {mode}: {rule}.").format(
            other=other, mode=mode, other_rule=_rule(other, x, padded), rule=_rule(mode, x, padded)
        )
        yield other.lower(), words, pad(x, other, start, end)
    yield from _other_extents(x, mode, start, end)
    folding = [d for d in padded if max(start[d], end[d]) > MODES[mode].period(x.shape[d]) > 0]
    if folding:
        d = folding[-1]
        words = _(
            "That folds only once: {mode} along dimension {d} of size {n} reaches {period} places "
            "per fold and then folds again."
        ).format(mode=mode, d=d, n=x.shape[d], period=MODES[mode].period(x.shape[d]))
        yield "one-fold", words, _one_fold(x, mode, start, end)


def pad(x: Array, mode: str, start: Pads, end: Pads) -> Array:
    """As the operator pads; -1 for CONSTANT."""
    how: Any = MODES[mode].numpy
    width = list(zip(start, end, strict=True))
    return (
        np.pad(x, width, how, constant_values=-1) if mode == "CONSTANT" else np.pad(x, width, how)
    )


def _rule(mode: str, x: Array, padded: list[int]) -> str:
    # told along the last dimension that has something to tell
    d = max(padded, key=lambda d: (x.shape[d] > 1, d))
    last = x.shape[d] - 1
    near, far = {
        "CONSTANT": (None, None),
        "EDGE": (0, last),
        "REFLECTION": (min(1, last), max(last - 1, 0)),
        "SYMMETRIC": (0, last),
        "WRAP": (last, 0),
    }[mode]
    if near is None:
        return _("the padding value everywhere outside")
    if mode == "EDGE":
        return _(
            "index {near} repeated before the start, index {far} repeated after the end"
        ).format(near=near, far=far)
    if mode == "WRAP":
        return _("index {near} before the start, index {far} after the end").format(
            near=near, far=far
        )
    second = (min(near + 1, last), max((far or 0) - 1, 0))
    return _(
        "indices {near}, {nearer} outwards from the start, {far}, {farther} from the end"
    ).format(near=near, nearer=second[0], far=far, farther=second[1])


def _other_extents(x: Array, mode: str, start: Pads, end: Pads) -> Iterator[Candidate]:
    d = max(d for d in range(x.ndim) if start[d] or end[d])
    none = (0,) * x.ndim
    numbers = {"d": d, "s": start[d], "e": end[d], "n": x.shape[d], "start": print_sizes(start)}
    words = _(
        "That swaps StartPadding {start} and EndPadding {end}: start goes before the first element."
    ).format(start=print_sizes(start), end=print_sizes(end))
    yield "ends-swapped", words, pad(x, mode, end, start)
    if end[d]:
        moved = (_change(start, d, 1), _change(end, d, -1))
        words = _(
            "That is off by one: {s} elements come before the first of dimension {d}, not {t}."
        )
        yield "shifted", words.format(**numbers, t=start[d] + 1), pad(x, mode, *moved)
    if start[d]:
        moved = (_change(start, d, -1), _change(end, d, 1))
        words = _(
            "That is off by one: {s} elements come before the first of dimension {d}, not {t}."
        )
        yield "shifted-back", words.format(**numbers, t=start[d] - 1), pad(x, mode, *moved)
    others = [
        (
            "backwards",
            (start[::-1], end[::-1]),
            _(
                "That reads the paddings from the last dimension to the first; the first number of "
                "StartPadding {start} belongs to dimension 0."
            ),
        ),
        (
            "start-only",
            (start, none),
            _("That ignores EndPadding: {e} elements are added after dimension {d} as well."),
        ),
        (
            "end-only",
            (none, end),
            _("That ignores StartPadding: {s} elements are added before dimension {d} as well."),
        ),
        (
            "start-twice",
            (start, start),
            _("That pads dimension {d} by {s} at both ends; EndPadding is {e} there."),
        ),
        (
            "one-more",
            (start, tuple(e + 1 if e or s else e for s, e in zip(start, end, strict=True))),
            _("That is one too many: dimension {d} has {s} + {n} + {e} elements."),
        ),
    ]
    for key, pads, words in others:
        sizes = [s + n + e for s, n, e in zip(pads[0], x.shape, pads[1], strict=True)]
        if math.prod(sizes) <= MISREADING_LIMIT:
            yield key, words.format(**numbers), pad(x, mode, *pads)


def _change(pads: Pads, d: int, by: int) -> Pads:
    return (*pads[:d], pads[d] + by, *pads[d + 1 :])


def _one_fold(x: Array, mode: str, start: Pads, end: Pads) -> Array:
    """The mode for one fold, and then the last element repeatedly."""
    for d, (before, behind) in enumerate(zip(start, end, strict=True)):
        width = [(0, 0)] * x.ndim
        period = MODES[mode].period(x.shape[d]) or max(before, behind)
        once, rest = list(width), list(width)
        once[d] = (min(before, period), min(behind, period))
        rest[d] = (before - once[d][0], behind - once[d][1])
        how: Any = MODES[mode].numpy
        x = np.pad(np.pad(x, once, how), rest, "edge")
    return x
