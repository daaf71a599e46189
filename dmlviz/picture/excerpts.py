"""An excerpt of a run that is too large to draw: a part of each output, and where it comes from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement import Movement, Output
from dmlviz.movement.formulas import Formula
from dmlviz.movement.steps import Part, Step, Steps, grouped_steps, rest_step
from dmlviz.tensors.numbering import distinct, print_element
from dmlviz.tensors.types import Array, Places, Sizes

WHOLE_LIMIT = 1_024
"""A tensor of at most so many elements is drawn whole, and no part of another has more."""

_SIDES = 8, 8, 2
"""The most indices that are drawn in the last dimension, in the one before, and in all others."""


@dataclass(frozen=True, repr=False)
class Excerpt(Trace):
    """A part of a run; its tensors are those parts, and their indices those of the whole.

    Attributes:
        cut: of each tensor of which only a part is here, the indices that are, by dimension.
        whole: the sizes of every tensor.
        checked: the comparison of all elements, in words.
        all_agree: what :attr:`Trace.agrees` is of the whole run.
        of_outputs: the formulas of each output.
        constant: the value of every element without a source; None without one for all.
        text: the code that ran.
    """

    cut: Mapping[str, Places]
    whole: Mapping[str, Sizes]
    checked: str
    all_agree: bool
    of_outputs: Mapping[str, tuple[Formula, ...]]
    constant: np.generic | None
    text: str

    @property
    def places(self) -> Mapping[str, Places]:
        """See :attr:`dmlviz.engines.trace.Trace.places`."""
        return self.cut

    @property
    def whole_sizes(self) -> Mapping[str, Sizes]:
        """See :attr:`dmlviz.engines.trace.Trace.whole_sizes`."""
        return self.whole

    @property
    def agrees(self) -> bool:
        """Whether every element of the whole output equals its source."""
        return self.all_agree

    def check(self) -> str:
        """The comparison of all elements, and what is not drawn."""
        drawn = {**self.inputs, **self.outputs}
        parts = [
            _("{drawn} of {all} of {name}").format(
                name=name,
                drawn=f"{drawn[name].size:,}",
                all=f"{math.prod(self.whole_sizes[name]):,}",
            )
            for name in self.places
        ]
        words = _("{told} The picture is an excerpt: {parts}.")
        return words.format(told=self.checked, parts=", ".join(parts))

    @property
    def code(self) -> str:
        """See :attr:`dmlviz.engines.trace.Trace.code`."""
        return self.text

    @property
    def formulas(self) -> Mapping[str, tuple[Formula, ...]]:
        """Those of the whole run, for the indices of the whole."""
        return self.of_outputs

    @property
    def padding(self) -> np.generic | None:
        """See :attr:`dmlviz.engines.trace.Trace.padding`."""
        return self.constant

    @property
    def parts(self) -> tuple[Part, ...]:
        """None: they are those of the whole."""
        return ()

    @property
    def movement(self) -> Movement:
        """That of the part, without constants."""
        return Movement(
            {name: x.shape for name, x in self.inputs.items()},
            {name: Output(source) for name, source in self.sources.items()},
        )

    def remarks_at(self, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        """None."""
        return ([] for _index in indices)

    def index_of(self, name: str, position: Sequence[int]) -> Sizes:
        """See :meth:`dmlviz.engines.trace.Trace.index_of`."""
        places = self.places.get(name)
        if places is None:
            return tuple(position)
        return tuple(own[i] for own, i in zip(places, position, strict=True))

    @property
    def moves(self) -> Steps:
        """A step for each index of the first dimension of which the part has several."""
        groups, steps, first = list[Array](), list[Step](), 0
        for name, x in self.outputs.items():
            d = next((d for d, n in enumerate(x.shape) if n > 1), 0)
            count = x.shape[d] if x.ndim else 1
            groups.append(np.indices(x.shape)[d].ravel() + first if x.ndim else np.zeros(1, int))
            first += count
            own = self.index_of(name, (0,) * x.ndim)
            for k in range(count):
                i = self.index_of(name, (*(0,) * d, k, *(0,) * (x.ndim - d - 1)))[d] if own else 0
                at = [str(i) if e == d else ":" for e in range(x.ndim)]
                caption = _("{n} of its elements are drawn.").format(n=f"{x.size // count:,}")
                steps.append(Step(print_element(name, at), caption))
        return grouped_steps(np.concatenate(groups), steps.__getitem__, rest_step)


def excerpt_of(run: Trace, around: Mapping[str, Sizes] = MappingProxyType({})) -> Excerpt:
    """The part of a run that is drawn: the first elements of each output, and their sources.

    Args:
        run: of values that move.
        around: an element of an output that the part has in its middle, by the output's name.
    """
    sides = [*_SIDES]
    places = _places(run, sides, around)
    while max((math.prod(map(len, own)) for own in places.values()), default=0) > WHOLE_LIMIT:
        # the sources of a smaller part are in fewer places
        sides = [max(1, side // 2) for side in sides]
        places = _places(run, sides, around)
    inputs = {name: _part(x, places.get(name)) for name, x in run.inputs.items()}
    outputs = {name: _part(x, places.get(name)) for name, x in run.outputs.items()}
    sources = {
        name: _renumbered(_part(source, places.get(name)), run.inputs, places)
        for name, source in run.sources.items()
    }
    return Excerpt(
        replace(run.operator),
        MappingProxyType(inputs),
        MappingProxyType(outputs),
        MappingProxyType(sources),
        MappingProxyType({}),
        MappingProxyType(
            {
                name: _among(_part(_flat(x.shape), places.get(name)), run.differences[name])
                for name, x in run.outputs.items()
            }
        ),
        run.engine,
        run.data_type,
        replace(run.ran, outputs=outputs),
        MappingProxyType(places),
        MappingProxyType(
            {name: x.shape for name, x in (*run.inputs.items(), *run.outputs.items())}
        ),
        run.check(),
        run.agrees,
        MappingProxyType(dict(run.formulas)),
        run.padding,
        run.code,
    )


def _places(run: Trace, sides: Sequence[int], around: Mapping[str, Sizes]) -> dict[str, Places]:
    """The indices of each tensor that is cut, by dimension.

    Args:
        run: the whole.
        sides: as :data:`_SIDES`, and less where the sources are too many.
        around: as of :func:`excerpt_of`.
    """
    least = WHOLE_LIMIT if sides == [*_SIDES] else 1
    places = {
        name: _first(x.shape, sides, around.get(name))
        for name, x in run.outputs.items()
        if x.size > least
    }
    start = 0
    parts = [_part(of, places.get(name)).ravel() for name, of in run.sources.items()]
    numbers = np.concatenate(parts)
    for name, x in run.inputs.items():
        own = numbers[(numbers >= start) & (numbers < start + x.size)] - start
        start += x.size
        if x.size <= least:
            continue
        at = np.unravel_index(own, x.shape)
        used = tuple(tuple(distinct(each).tolist()) for each in at)
        places[name] = used if own.size else _first(x.shape, sides, None)
    return places


def _first(sizes: Sizes, sides: Sequence[int], around: Sizes | None) -> Places:
    """A block of a tensor: its first indices, or those around an element."""
    last, before, others = sides
    most = (*(others,) * max(0, len(sizes) - 2), before, last)[-len(sizes) :] if sizes else ()
    counts = [min(n, m) for n, m in zip(sizes, most, strict=True)]
    at = around or (0,) * len(sizes)
    starts = [
        max(0, min(i - count // 2, n - count))
        for i, count, n in zip(at, counts, sizes, strict=True)
    ]
    return tuple(
        tuple(range(start, start + count)) for start, count in zip(starts, counts, strict=True)
    )


def _part(x: Array, places: Places | None) -> Array:
    """The elements at some indices of each dimension; all if there are none."""
    if places is None:
        return x
    part: Array = x[np.ix_(*(np.array(own, np.intp) for own in places))] if places else x
    part.setflags(write=False)
    return part


def _flat(sizes: Sizes) -> Array:
    """The number of each element of a tensor."""
    return np.arange(math.prod(sizes)).reshape(sizes)


def _among(numbers: Array, some: Array) -> Array:
    """The places of those numbers that are among some."""
    return np.flatnonzero(np.isin(numbers.ravel(), some))


def _renumbered(source: Array, inputs: Mapping[str, Array], places: Mapping[str, Places]) -> Array:
    """Sources as numbers of the elements that the parts of the inputs have.

    Args:
        source: of a part of an output, as numbers through all whole inputs.
        inputs: the whole ones.
        places: by tensor, as of :class:`Excerpt`.
    """
    new = np.full(source.shape, -1, np.int64)
    start = first = 0
    for name, x in inputs.items():
        own = (source >= start) & (source < start + x.size)
        at = np.unravel_index(source[own] - start, x.shape)
        start += x.size
        cut = places.get(name)
        if cut is None:
            new[own] = np.ravel_multi_index(at, x.shape) + first if x.ndim else first
            first += x.size
            continue
        sizes = tuple(map(len, cut))
        inside = tuple(
            np.searchsorted(own_places, i) for own_places, i in zip(cut, at, strict=True)
        )
        new[own] = np.ravel_multi_index(inside, sizes) + first
        first += math.prod(sizes)
    new.setflags(write=False)
    return new
