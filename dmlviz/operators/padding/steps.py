"""The moves of Padding: the body, then the padding from the innermost dimension outward.

Rows are lengthened first, then rows are added, then planes, so that every padded place
finds the place that it is folded from already filled.
"""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.padding.folding import Mode
from dmlviz.words import _, ngettext

# The remaining folds on one side share one step: nobody watches the seventh.
_FOLDS_SHOWN = 6


def padding_steps(
    mode: Mode,
    sizes: tuple[int, ...],
    out: tuple[int, ...],
    start_padding: tuple[int, ...],
    value: str,
) -> Steps:
    """Body first, then per dimension and side, one fold at a time in the mirrored modes."""
    steps = [_body(math.prod(sizes), out, start_padding)]
    step_of = np.zeros(out, np.int32)
    via = np.full(out, -1, np.int64)
    strides = [math.prod(out[d + 1 :]) for d in range(len(out))]
    flat = np.arange(math.prod(out), dtype=np.int64).reshape(out)
    for d in reversed(range(len(out))):
        position = np.arange(out[d]) - start_padding[d]
        n = sizes[d]
        for side, inside, distance in (
            ("start", mode.before, -position),
            ("end", mode.behind, position - n + 1),
        ):
            fold = mode.fold(distance, n)
            last = int(fold[distance > 0].max(initial=0))
            for first in range(1, min(last, _FOLDS_SHOWN) + 1):
                until = last if first == _FOLDS_SHOWN else first
                places = np.flatnonzero((distance > 0) & (fold >= first) & (fold <= until))
                # outer dimensions are still at their body: their steps come later
                region = tuple(
                    places
                    if e == d
                    else np.arange(out[e])
                    if e > d
                    else np.arange(start_padding[e], start_padding[e] + sizes[e])
                    for e in range(len(out))
                )
                at = np.ix_(*region)
                step_of[at] = len(steps)
                moved = math.prod(len(r) for r in region)
                if mode.name != "CONSTANT":
                    where = position[places]
                    came_from = inside(where, fold[places], n)
                    shift = (came_from - where) * strides[d]
                    shape = [-1 if e == d else 1 for e in range(len(out))]
                    via[at] = flat[at] + shift.reshape(shape)
                steps.append(_side(mode, d, side, first, until, len(places), moved, value))
    return Steps(tuple(steps), step_of.ravel(), via.ravel())


def _body(count: int, out: tuple[int, ...], start: tuple[int, ...]) -> Step:
    moved_by = [(d, s) for d, s in enumerate(start) if s]
    if not moved_by:
        caption = ngettext(
            "The {n} element of the input keeps its place.",
            "The {n} elements of the input keep their places.",
            count,
        ).format(n=count)
    else:
        shifts = ", ".join(_("by {s} in dimension {d}").format(s=s, d=d) for d, s in moved_by)
        caption = ngettext(
            "The {n} element of the input lands, moved {shifts}.",
            "The {n} elements of the input land, moved {shifts}.",
            count,
        ).format(n=count, shifts=shifts)
    return Step(_("The body: the input itself"), caption)


def _side(
    mode: Mode, d: int, side: str, first: int, last: int, places: int, moved: int, value: str
) -> Step:
    title = _side_title(side == "start", bool(mode.period(2)), first == last)
    caption = _side_caption(mode.name, first, places, moved, value)
    return Step(title.format(d=d, first=first, last=last), caption)


def _side_title(start: bool, folds: bool, one: bool) -> str:
    match start, folds, one:
        case True, False, _any:
            return _("Dimension {d}: start padding")
        case True, True, True:
            return _("Dimension {d}: start padding, fold {first}")
        case True, True, False:
            return _("Dimension {d}: start padding, folds {first} to {last}")
        case False, False, _any:
            return _("Dimension {d}: end padding")
        case False, True, True:
            return _("Dimension {d}: end padding, fold {first}")
        case _other:
            return _("Dimension {d}: end padding, folds {first} to {last}")


def _side_caption(mode: str, fold: int, places: int, moved: int, value: str) -> str:
    match mode:
        case "CONSTANT":
            text = ngettext(
                "{moved} new element holds the padding value {value}: it is not a copy.",
                "{moved} new elements hold the padding value {value}: they are not copies.",
                moved,
            )
        case "EDGE":
            text = ngettext(
                "The edge is repeated {places} times: {moved} element.",
                "The edge is repeated {places} times: {moved} elements.",
                moved,
            )
        case "WRAP":
            text = ngettext(
                "{moved} element wraps around from the other end.",
                "{moved} elements wrap around from the other end.",
                moved,
            )
        case "SYMMETRIC" if fold == 1:
            text = ngettext(
                "{moved} element is mirrored outside the edge; the edge itself is repeated.",
                "{moved} elements are mirrored outside the edge; the edge itself is repeated.",
                moved,
            )
        case "REFLECTION" if fold == 1:
            text = ngettext(
                "{moved} element is mirrored at the edge; the edge itself is not repeated.",
                "{moved} elements are mirrored at the edge; the edge itself is not repeated.",
                moved,
            )
        case _:
            text = ngettext(
                "The padding is larger than the input, so fold {fold} mirrors what fold "
                "{before} put there: {moved} element.",
                "The padding is larger than the input, so fold {fold} mirrors what fold "
                "{before} put there: {moved} elements.",
                moved,
            )
    return text.format(moved=moved, value=value, places=places, fold=fold, before=fold - 1)
