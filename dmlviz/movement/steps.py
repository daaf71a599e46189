"""The moves of an operator, and the parts of its rule, as the stage shows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _, ngettext
from dmlviz.tensors.types import Array


@dataclass(frozen=True)
class Point:
    """A position along a dimension of a tensor, not necessarily that of an element.

    Attributes:
        tensor: DirectML's name.
        dimension: its number.
        at: the position in elements: 0 is the start of the first element, 1 its end.
    """

    tensor: str
    dimension: int
    at: float


@dataclass(frozen=True)
class Step:
    """One move: a named group of output elements that land together.

    Attributes:
        title, caption: its texts.
        marks: input cells to frame with it although no element comes from them, by number: those of
            the ``values`` inputs one tensor after the other, then those of the ``control`` inputs.
        points: positions in the caption that the stage marks.
        used: output elements of earlier steps to frame with it, by number: what a sum is made of.
    """

    title: str
    caption: str
    marks: tuple[int, ...] = ()
    points: tuple[Point, ...] = ()
    used: tuple[int, ...] = ()


@dataclass(frozen=True)
class Steps:
    """An operator's moves over one input.

    Attributes:
        steps: titles and captions, in playing order.
        step_of: for each output element, flat, the number of its step; int32.
        via: for each output element, flat, the output element (of an earlier step)
            that it moves from on the stage, or -1 if it comes straight from its source; int64.
        before: for each output element, flat, the input element that lands at its place in the
            first step and that a later step covers, or -1; int64; None if nothing is covered.
        contested: output elements, flat, at which several input elements land; int64.
    """

    steps: tuple[Step, ...]
    step_of: Array
    via: Array
    before: Array | None = None
    contested: Array = field(default_factory=lambda: np.zeros(0, np.int64))


STEPS_SHOWN = 8
"""The limit of steps for groups that move alike: nobody watches the ninth."""


def grouped_steps(
    group_of: Array,
    step: Callable[[int], Step],
    rest: Callable[[int], Step],
    most: int = STEPS_SHOWN,
) -> Steps:
    """A step for each group of output elements; the last one and all after it share one.

    Args:
        group_of: for each output element, flat, the number of its group: every number from 0 on.
        step: the step of a group, by number.
        rest: the step of a group and of all after it, where there are more than ``most``.
        most: the limit of steps.
    """
    count = int(group_of.max(initial=-1)) + 1
    steps = [step(k) for k in range(min(count, most))]
    if count > most:
        steps[-1] = rest(most - 1)
    step_of = np.minimum(group_of, most - 1).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def outermost_steps(outputs: Mapping[str, Sequence[int]]) -> Steps:
    """A step for each index of the first dimension of each output that has several indices.

    Args:
        outputs: the sizes of each, by name.
    """
    groups: list[Array] = []
    steps: list[Step] = []
    first = 0
    for name, sizes in outputs.items():
        dimension = next((d for d, n in enumerate(sizes) if n > 1), 0)
        count = sizes[dimension] if sizes else 1
        group = np.indices(tuple(sizes))[dimension].ravel() if sizes else np.zeros(1, np.int64)
        groups.append(group + first)
        first += count
        landing = math.prod(sizes) // count
        steps += [
            _indexed(name, sizes, dimension, k, landing)
            for k in range(min(count, STEPS_SHOWN - len(steps)))
        ]
    return grouped_steps(np.concatenate(groups), steps.__getitem__, rest_step)


def _indexed(name: str, sizes: Sequence[int], dimension: int, index: int, count: int) -> Step:
    """The move to one index of a dimension."""
    at = ", ".join(str(index) if d == dimension else ":" for d in range(len(sizes)))
    caption = ngettext("{n} element lands.", "{n} elements land.", count)
    return Step(f"{name}[{at}]" if sizes else name, caption.format(n=f"{count:,}"))


def rest_step(_number: int) -> Step:
    """The move of everything after the steps that are shown."""
    return Step(_("The rest"), _("All other elements land together."))


@dataclass(frozen=True)
class Part:
    """The tensor between two parts of the NumPy rule.

    Attributes:
        title, caption: what this part does.
        sizes: of the tensor after it.
        before: the part before it; of the first part, the sizes of the input.
        take: makes the tensor after it from the one before, with -1 for a constant.
        constants: the value of each element of the tensor, which counts where it is a constant;
            None if the part has none of its own.
    """

    title: str
    caption: str
    sizes: tuple[int, ...]
    before: Part | Sequence[int]
    take: Callable[[Array], Array]
    constants: Array | None = None

    @cached_property
    def places(self) -> Array:
        """For each element of the tensor, flat, its place in the tensor before, or -1; int64."""
        sizes = self.before.sizes if isinstance(self.before, Part) else tuple(self.before)
        numbered = np.arange(math.prod(sizes), dtype=np.int64).reshape(sizes)
        return np.ascontiguousarray(self.take(numbered)).ravel()

    @property
    def rearranges(self) -> bool:
        """Whether it takes every element of the tensor before exactly once."""
        sizes = self.before.sizes if isinstance(self.before, Part) else tuple(self.before)
        return np.array_equal(np.sort(self.places), np.arange(math.prod(sizes)))

    @cached_property
    def order(self) -> Array:
        """For each element of the tensor, flat, the flat index of the input element, or -1; int64.

        It is made only now, so that the sizes of all parts can be checked first.
        """
        if isinstance(self.before, Part):
            taken = self.before.order.reshape(self.before.sizes)
        else:
            taken = np.arange(math.prod(self.before), dtype=np.int64).reshape(tuple(self.before))
        return np.ascontiguousarray(self.take(taken)).ravel()
