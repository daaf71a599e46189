"""The moves of Slice: place by place along one dimension, and the parts of its rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter

import numpy as np

from dmlviz.movement.steps import Part, Step, Steps
from dmlviz.operators.walks import Walk
from dmlviz.tensors import print_sizes
from dmlviz.words import _, ngettext

# The remaining places along the dimension share one step: nobody watches the ninth.
_SHOWN = 8


def slice_steps(sizes: Sequence[int], walks: Sequence[Walk]) -> Steps:
    """One step for each place along the outermost dimension with several places.

    Args:
        sizes: of the input.
        walks: one for each dimension.
    """
    out = tuple(walk.count for walk in walks)
    changed = (d for d, walk in enumerate(walks) if walk.count > 1 and not walk.whole(sizes[d]))
    d = next(changed, None)
    none = np.full(math.prod(out), -1, np.int64)
    if d is None:
        return Steps((_together(sizes, walks),), np.zeros(none.size, np.int32), none)
    count = walks[d].count
    step_of = np.minimum(np.arange(count), _SHOWN - 1).astype(np.int32)
    shape = [-1 if e == d else 1 for e in range(len(out))]
    each = math.prod(out) // count
    steps = tuple(_place(d, walks[d], k, each) for k in range(min(count, _SHOWN)))
    return Steps(steps, np.broadcast_to(step_of.reshape(shape), out).ravel(), none)


def _together(sizes: Sequence[int], walks: Sequence[Walk]) -> Step:
    n = math.prod(walk.count for walk in walks)
    if all(walk.whole(size) for walk, size in zip(walks, sizes, strict=True)):
        caption = ngettext(
            "The window is the whole input, forward: the {n} element keeps its place.",
            "The window is the whole input, forward: the {n} elements keep their places.",
            n,
        )
    else:
        caption = ngettext(
            "In each dimension one index or all of them are taken: {n} element lands.",
            "In each dimension one index or all of them are taken: {n} elements land.",
            n,
        )
    return Step(_("The window"), caption.format(n=n))


def _place(d: int, walk: Walk, k: int, each: int) -> Step:
    """The step that takes place k; the last step also takes all remaining places."""
    last = walk.count - 1 if k == _SHOWN - 1 else k
    numbers = {
        "d": d,
        "k": k,
        "last": last,
        "first_of": walk.offset,
        "last_of": walk.last,
        "stride": walk.stride,
        "step": walk.step,
        "source": walk.places[k],
        "last_source": walk.places[last],
        "moved": each * (last - k + 1),
    }
    title = (
        _("Dimension {d}: output index {k}")
        if k == last
        else _("Dimension {d}: output indices {k} to {last}")
    )
    return Step(title.format(**numbers), _caption(walk, k, last, each).format(**numbers))


def _caption(walk: Walk, k: int, last: int, each: int) -> str:
    moved = each * (last - k + 1)
    if last > k:
        return _(
            "Stride {stride} goes on: input indices {source} to {last_source} land at output "
            "indices {k} to {last} ({moved} elements)."
        )
    if k == 0 and walk.stride > 0:
        return ngettext(
            "The window of dimension {d} is indices {first_of} to {last_of}. Stride {stride} "
            "starts at the first one: input index {source} lands at output index {k} ({moved} "
            "element).",
            "The window of dimension {d} is indices {first_of} to {last_of}. Stride {stride} "
            "starts at the first one: input index {source} lands at output index {k} "
            "({moved} elements).",
            moved,
        )
    if k == 0:
        return ngettext(
            "The window of dimension {d} is indices {first_of} to {last_of}. Stride {stride} is "
            "negative, so it starts at the last one: input index {source} lands at output index "
            "{k} "
            "({moved} element).",
            "The window of dimension {d} is indices {first_of} to {last_of}. Stride {stride} is "
            "negative, so it starts at the last one: input index {source} lands at output index "
            "{k} "
            "({moved} elements).",
            moved,
        )
    if walk.stride > 0:
        return ngettext(
            "{step} further: input index {source} lands at output index {k} ({moved} element).",
            "{step} further: input index {source} lands at output index {k} ({moved} elements).",
            moved,
        )
    return ngettext(
        "{step} back: input index {source} lands at output index {k} ({moved} element).",
        "{step} back: input index {source} lands at output index {k} ({moved} elements).",
        moved,
    )


def slice_parts(sizes: Sequence[int], walks: Sequence[Walk]) -> Iterator[Part]:
    """The window, then axis by axis: reversed if the stride is negative, then thinned out.

    Args:
        sizes: of the input.
        walks: one for each dimension.
    """
    before: Part | Sequence[int] = sizes
    after = [walk.window for walk in walks]
    ranges = tuple(slice(walk.offset, walk.last + 1) for walk in walks)
    if after != list(sizes):
        told = _("The window, of sizes {sizes}, is cut out; everything else is left out.")
        told = told.format(sizes=print_sizes(after))
        before = Part(_("The window"), told, tuple(after), before, itemgetter(ranges))
        yield before
    for d, walk in enumerate(walks):
        if walk.stride < 0 and walk.window > 1:
            told = _("Stride {stride} is negative: the window's last index comes first.")
            told = told.format(stride=walk.stride)
            title = _("Dimension {d}: reversed").format(d=d)
            before = Part(title, told, tuple(after), before, partial(np.flip, axis=d))
            yield before
        if walk.step > 1 and walk.window > 1:
            after[d] = walk.most
            title = _("Dimension {d}: steps of {step}").format(d=d, step=walk.step)
            told = _(
                "{n} of {window} indices stay, {step} apart from the first one on: input indices "
                "{places}. The gaps close."
            )
            places = Walk(walk.offset, walk.window, walk.stride, walk.most).places
            before = Part(
                title,
                told.format(places=_few(places), n=walk.most, window=walk.window, step=walk.step),
                tuple(after),
                before,
                partial(np.take, indices=np.arange(walk.most) * walk.step, axis=d),
            )
            yield before
    out = tuple(walk.count for walk in walks)
    if tuple(after) != out:
        told = _("OutputTensor has sizes {sizes}: only that many are copied.")
        told = told.format(sizes=print_sizes(out))
        room = itemgetter(tuple(slice(n) for n in out))
        yield Part(_("What the output has room for"), told, out, before, room)


def _few(places: Sequence[int]) -> str:
    """The first places, and the last."""
    if len(places) <= 6:
        return ", ".join(map(str, places))
    return ", ".join([*map(str, places[:4]), "…", str(places[-1])])
