"""The moves of Resample: pixel by pixel along one dimension after the other, and axis by axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from dmlviz.movement.steps import Part, Point, Step, Steps
from dmlviz.operators.resample.ruler import CENTRE, START, Ruler
from dmlviz.operators.slots import INPUT, OUTPUT
from dmlviz.tensors import print_value
from dmlviz.words import _, ngettext

# The remaining pixels of a dimension share one step: nobody watches the ninth.
_SHOWN = 8


def resample_steps(rulers: Sequence[Ruler]) -> Steps:
    """One step for each output pixel of each dimension that changes, the outermost first.

    While a dimension goes on, those after it stay at their first pixel.

    Args:
        rulers: one for each dimension.
    """
    out = tuple(ruler.count for ruler in rulers)
    changed = [d for d, ruler in enumerate(rulers) if not ruler.whole]
    step_of = np.zeros(out, np.int32)
    at = [(0, 0)]
    for d in changed:
        shown = min(rulers[d].count, _SHOWN)
        along = np.minimum(np.arange(out[d]), shown - 1) + len(at) - 1
        here = np.broadcast_to(
            along.reshape([-1 if e == d else 1 for e in range(len(out))]), out
        ).astype(np.int32)
        step_of = np.where(here >= len(at), here, step_of)
        at += [(d, k) for k in range(1, shown)]
    moved = np.bincount(step_of.ravel(), minlength=len(at)).tolist()
    steps = [_first(rulers, changed, moved[0])]
    for (d, k), n in zip(at[1:], moved[1:], strict=True):
        last = rulers[d].count - 1 if k == _SHOWN - 1 else k
        steps.append(_step(d, rulers[d], k, last, n))
    flat = step_of.ravel()
    return Steps(tuple(steps), flat, np.full(flat.size, -1, np.int64))


def resample_parts(sizes: Sequence[int], rulers: Sequence[Ruler]) -> Iterator[Part]:
    """The tensor after each dimension that changes, if there are several of them.

    Dimensions that shrink come first: so no tensor has more elements than the larger of input
    and output.

    Args:
        sizes: of the input.
        rulers: one for each dimension.
    """
    before: Part | Sequence[int] = sizes
    after = list(sizes)
    changed = [(d, ruler) for d, ruler in enumerate(rulers) if not ruler.whole]
    changed.sort(key=lambda one: one[1].count > one[1].size)
    for d, ruler in changed if len(changed) > 1 else []:
        places = ruler.places
        after[d] = ruler.count
        told = _(
            "The {n} output pixels fall on {there} of the input's ruler. Input indices {places} "
            "are copied, in this order."
        )
        there = [print_value(np.float32(ruler.fall(k).there)) for k in _few(ruler.count)]
        before = Part(
            _("Dimension {d}: {size} → {count}").format(d=d, size=ruler.size, count=ruler.count),
            told.format(
                n=ruler.count,
                there=_listed(there, ruler.count),
                places=_listed([str(places[k]) for k in _few(ruler.count)], ruler.count),
            ),
            tuple(after),
            before,
            partial(np.take, indices=places, axis=d),
        )
        yield before


def _first(rulers: Sequence[Ruler], changed: Sequence[int], n: int) -> Step:
    if not changed:
        told = ngettext(
            "Every output pixel falls on its own input pixel: the {n} element keeps its place.",
            "Every output pixel falls on its own input pixel: the {n} elements keep their places.",
            n,
        )
        return Step(_("Nothing changes"), told.format(n=n))
    if len(changed) == 1:
        return _step(changed[0], rulers[changed[0]], 0, 0, n)
    told = " ".join(_where(rulers[d], 0, d) for d in changed)
    points = tuple(point for d in changed for point in _points(d, rulers[d], 0))
    return Step(_("The first output pixel"), f"{told} {_copied(n)}", points=points)


def _step(d: int, ruler: Ruler, k: int, last: int, n: int) -> Step:
    if last == k:
        title = _("Dimension {d}: output pixel {k}").format(d=d, k=k)
        return Step(title, f"{_where(ruler, k)} {_copied(n)}", points=_points(d, ruler, k))
    one, other = ruler.fall(k), ruler.fall(last)
    words = _(
        "And so on: output pixels {k} to {last} fall on {there} to {last_there} of the "
        "input's ruler, and input indices {place} to {last_place} are copied ({n} "
        "elements)."
    )
    if one.place == other.place:
        words = _(
            "And so on: output pixels {k} to {last} fall on {there} to {last_there} of the "
            "input's ruler, and input index {place} is copied ({n} elements)."
        )
    told = words.format(
        k=k,
        last=last,
        there=_number(one.there),
        last_there=_number(other.there),
        place=one.place,
        last_place=other.place,
        n=n,
    )
    title = _("Dimension {d}: output pixels {k} to {last}").format(d=d, k=k, last=last)
    return Step(title, told)


def _points(d: int, ruler: Ruler, k: int) -> tuple[Point, ...]:
    """An output pixel's point on both rulers."""
    fall = ruler.fall(k)
    return Point(INPUT[0].name, d, fall.there), Point(OUTPUT[0].name, d, fall.point)


def _where(ruler: Ruler, k: int, d: int | None = None) -> str:
    """The place of an output pixel, and its index; ``d`` if the title names several dimensions."""
    fall = ruler.fall(k)
    found = [
        _falls(ruler.output_offset, d).format(
            d=d, point=_number(fall.point), there=_number(fall.there)
        ),
        _rounded(ruler.input_offset, ruler.up).format(
            there=_number(fall.there),
            offset=_number(abs(ruler.input_offset)),
            coordinate=_number(fall.coordinate),
            index=_number(fall.rounded),
        ),
    ]
    if fall.rounded != fall.place:
        words = _("There is no such input pixel, so the edge repeats: index {place}.")
        found.append(words.format(place=fall.place))
    return " ".join(found)


def _falls(offset: float, d: int | None) -> str:
    if d is None and offset == CENTRE:
        return _("Its center, {point}, falls on {there} of the input's ruler.")
    if d is None and offset == START:
        return _("Its start, {point}, falls on {there} of the input's ruler.")
    if d is None:
        return _("Its point {point} falls on {there} of the input's ruler.")
    if offset == CENTRE:
        return _("Dimension {d}: its center, {point}, falls on {there} of the input's ruler.")
    if offset == START:
        return _("Dimension {d}: its start, {point}, falls on {there} of the input's ruler.")
    return _("Dimension {d}: its point {point} falls on {there} of the input's ruler.")


def _rounded(offset: float, up: bool) -> str:
    if offset > 0 and up:
        return _("{there} − {offset} = {coordinate}, rounded up: index {index}.")
    if offset > 0:
        return _("{there} − {offset} = {coordinate}, rounded down: index {index}.")
    if offset < 0 and up:
        return _("{there} + {offset} = {coordinate}, rounded up: index {index}.")
    if offset < 0:
        return _("{there} + {offset} = {coordinate}, rounded down: index {index}.")
    return _("Rounded up: index {index}.") if up else _("Rounded down: index {index}.")


def _copied(n: int) -> str:
    return ngettext("{n} element is copied.", "{n} elements are copied.", n).format(n=n)


def _number(value: float) -> str:
    # a number rounded up to 0 has no minus sign here
    return print_value(np.float32(value + 0.0))


def _few(count: int) -> list[int]:
    return [*range(5), count - 1] if count > 7 else list(range(count))


def _listed(texts: Sequence[str], count: int) -> str:
    return ", ".join([*texts[:-1], "…", texts[-1]] if len(texts) < count else texts)
