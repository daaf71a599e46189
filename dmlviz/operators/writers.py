"""Operators that write: each update lands at the place that its index names.

If two updates have the same place, which one stays is undefined in DirectML. Engines here keep
the last one, and so do pictures; sentences name all of them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.base.words import _, ngettext
from dmlviz.movement.expressions import expression, index, names_of
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Operator
from dmlviz.operators.indices import INDICES, INPUT, UPDATES, Outside, cells_outside, offsets
from dmlviz.operators.mapped import At, ControlValues, Letters, Lookup
from dmlviz.operators.settings import Dice
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, print_sizes
from dmlviz.tensors.numbering import distinct, print_flat_index, print_index
from dmlviz.tensors.types import Array, Sizes, Tensors

_NAMED = 3
"""How many updates of one place a sentence names."""


class Written(Operator):
    """An operator that writes updates over a tensor, each at the place that its index names."""

    updates: ClassVar[str] = UPDATES
    """The name of the input whose elements are written."""

    @abstractmethod
    def before(self, inputs: Tensors) -> Array:
        """The output before the first update, as a new array."""

    @abstractmethod
    def places(self, inputs: Tensors) -> Array:
        """For each element of the updates, in order, the flat index of its place; int64."""

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        return {self.output_slots[0].name: self.written(inputs)}

    def written(self, inputs: Tensors) -> Array:
        """The output that the places give: the specification of :meth:`evaluate`."""
        out = self.before(inputs)
        out.reshape(-1)[self.places(inputs)] = inputs[self.updates].ravel()
        return out

    def undecided(self, inputs: Tensors) -> bool:
        places = self.places(inputs)
        return len(distinct(places)) < places.size

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        (output,) = self.outputs_after({n: array.shape for n, array in inputs.items()}).items()
        name, sizes = output
        return {name: winners(self.places(inputs), math.prod(sizes)).reshape(sizes)}

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        # finding the update needs a search; the rule and the remarks tell it
        return {self.output_slots[0].name: ()}

    @abstractmethod
    def rule_lines(self, inputs: Tensors) -> list[str]: ...

    def rule_of(self, before: str, place: str, update: str) -> list[str]:
        """What the output holds before the first update, and where an update goes."""
        return [before, _("then {text}").format(text=f"{place} = {update}")]

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        (out,) = self.outputs_after({n: array.shape for n, array in inputs.items()}).values()
        updates, places = inputs[self.updates].shape, self.places(inputs)
        for at in indices:
            place = int(np.ravel_multi_index(tuple(at), out))
            writers = np.flatnonzero(places == place)[: _NAMED + 1].tolist()
            named = self.index_of(inputs, writers[0]) if writers else ""
            spots = [print_flat_index(k, updates) for k in writers]
            yield self.remark(print_flat_index(place, out), place, spots, named)

    def index_of(self, inputs: Tensors, k: int) -> str:
        """The index that names the place of an element of the updates, with its number.

        Here each element has one of its own, at the same place of the indices.

        Args:
            inputs: by name.
            k: the flat index of the element of the updates.

        Returns:
            Such as ``IndicesTensor[2] = 3``.
        """
        indices = inputs[INDICES]
        return f"{INDICES}{print_flat_index(k, indices.shape)} = {indices.flat[k]}"

    @abstractmethod
    def remark(self, at: str, place: int, writers: Sequence[str], named: str) -> list[str]:
        """What an element of the output holds, and which update wrote it.

        Args:
            at: the element, as ``[0, 2]``.
            place: its flat index.
            writers: the first four of the updates that are put there, in the same way.
            named: the index of the first of them: see :meth:`index_of`; empty without updates.
        """


class Scattered(Written):
    """An operator that writes UpdatesTensor over a copy of InputTensor: SCATTER and SCATTER_ND.

    DirectML 1.15.4 does not refuse an index outside the input. Such an index is refused here, and
    the refusal names the element that DirectML would write.
    """

    def remark(self, at: str, place: int, writers: Sequence[str], named: str) -> list[str]:
        if not writers:
            return [f"out{at} = {INPUT}{at}", _("No index names this place.")]
        if len(writers) == 1:
            return [
                f"out{at} = {UPDATES}{writers[0]}",
                _("{index} names this place.").format(index=named),
            ]
        words = _(
            "out{cell}: the updates at {updates} are all put at this place; which one wins "
            "is undefined."
        )
        return [words.format(cell=at, updates=_list(writers))]

    @abstractmethod
    def along(self, sizes: Mapping[str, Sizes]) -> range:
        """The dimensions that indices count along, for valid inputs.

        If there are several, so many indices one after another name a place together.
        """

    @abstractmethod
    def target(self, at: At, control: Lookup, sizes: Mapping[str, Sizes]) -> At:
        """The index in the output of the place of the update at ``at``.

        Args:
            at: for each dimension of the updates, an expression, an array or a number.
            control: the elements of IndicesTensor.
            sizes: of every input, by name.
        """

    @abstractmethod
    def update_letters(self, sizes: Mapping[str, Sizes]) -> tuple[str, ...]:
        """The letters of the updates' dimensions."""

    def coordinates(self, inputs: Tensors) -> Sequence[Array]:
        """For each dimension of the output, the index of the place of each of the updates; int64.

        They can be outside the output where the indices are.
        """
        sizes = {name: array.shape for name, array in inputs.items()}
        of_updates = sizes[self.updates]
        at = tuple(np.indices(of_updates, np.int64, sparse=True))
        target = self.target(at, ControlValues(inputs), sizes)
        return [np.broadcast_to(axis, of_updates) for axis in target]

    def rule_lines(self, inputs: Tensors) -> list[str]:
        sizes = {name: array.shape for name, array in inputs.items()}
        letters = self.update_letters(sizes)
        target = self.target(tuple(map(index, range(len(letters)))), Letters(inputs), sizes)
        place = ", ".join(expression(i).show(letters) for i in target)
        whole = ", ".join(names_of(len(sizes[INPUT])))
        before = f"out[{whole}] = {INPUT}[{whole}]"
        return self.rule_of(before, f"out[{place}]", f"{UPDATES}[{', '.join(letters)}]")

    @abstractmethod
    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        """ONNX's own operator, which has no more basic form, and what adapts the tensors to it."""

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: sizes[INPUT]}

    def before(self, inputs: Tensors) -> Array:
        return inputs[INPUT].copy()

    def places(self, inputs: Tensors) -> Array:
        return offsets(self.coordinates(inputs), inputs[INPUT].shape).ravel()

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES]
        along = self.along({name: array.shape for name, array in inputs.items()})
        cells = cells_outside(indices, sizes, along)
        if not cells:
            return []
        number, k = divmod(cells[0], len(along))
        first = number * (inputs[UPDATES].size * len(along) // indices.size)
        start = tuple(int(axis.flat[first]) for axis in self.coordinates(inputs))
        wrong = Outside(indices, cells, sizes, along[k], start)
        return [Problem(INDICES, wrong.written(), f"{self.structure}, {INDICES}")]

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return Graph("native", self.nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("lowered", self.nodes(inputs))


def update_problems(
    structure: str, due: Sizes, sizes: Sizes, types: Mapping[str, str]
) -> Iterator[Problem]:
    """Problems with the updates' sizes and data type.

    Args:
        structure: DirectML's structure.
        due: the sizes that the updates must have.
        sizes: the sizes that they have.
        types: the known data types, by the tensors' names.
    """
    if sizes != due:
        message = _("UpdatesTensor: sizes {sizes} are not {due}, one update for each index.")
        yield Problem(
            UPDATES,
            message.format(sizes=print_sizes(sizes), due=print_sizes(due)),
            f"{structure}, {UPDATES}",
        )
    first = types.get(INPUT)
    if types.get(UPDATES, first) != first:
        message = _("UpdatesTensor: data type {data_type} is not {due}, the input's data type.")
        yield Problem(
            UPDATES,
            message.format(data_type=types[UPDATES], due=first),
            f"{structure}, Tensor constraints",
        )


def winners(places: Array, count: int) -> Array:
    """For each of ``count`` places, the last update that lands there, or -1; int64."""
    last = np.full(count, -1, np.int64)
    np.maximum.at(last, places, np.arange(places.size, dtype=np.int64))
    return last


def different_places(size: int, count: int, dice: Dice) -> list[int]:
    """Places below ``size``, no one twice: the value there would be undefined."""
    left = list(range(size))
    return [left.pop(dice.between(0, len(left) - 1)) for _place in range(count)]


# ---- moves


def steps_of_writers(
    first: Step | None, last: Array, one: Callable[[int], Step], rest: Callable[[Array], Step]
) -> Steps:
    """A step for all places without an update, then one for each update that stays.

    Args:
        first: the step before all updates; None if each place has an update, and nothing is shown
            before.
        last: for each place, the update that stays there, or -1.
        one: the step of an update, by its number.
        rest: the step of several updates, by their numbers.
    """
    written = last >= 0
    stays, number = np.unique(last[written], return_inverse=True)
    updates = grouped_steps(number, lambda k: one(int(stays[k])), lambda k: rest(stays[k:]))
    step_of = np.zeros(last.size, np.int32)
    step_of[written] = updates.step_of + (first is not None)
    steps = updates.steps if first is None else (first, *updates.steps)
    return Steps(steps, step_of, np.full(last.size, -1, np.int64))


def writer_steps(
    sizes: Sizes,
    updates: Sizes,
    places: Array,
    name: Callable[[int], str],
    slices: int = 0,
    numbers: int = 1,
) -> Steps:
    """The whole input first, then one step for each update that stays.

    Args:
        sizes: of input and output.
        updates: of the updates.
        places: the flat place of each update, in order: an element, or one of the slices
            along the last dimensions.
        name: returns the name of one of them with its index, such as ``IndicesTensor[2] = 3``.
        slices: how many last dimensions an update spans; 0 if it is one element.
        numbers: how many numbers of IndicesTensor form an index.
    """
    each = math.prod(sizes[len(sizes) - slices :])
    total = math.prod(sizes) // each
    last = winners(places, total)

    def one(k: int) -> Step:
        writers = np.flatnonzero(places == places[k])
        others = writers[writers != k]
        target = _spot(int(places[k]), sizes, slices)
        spots = [_spot(int(w), updates, slices) for w in (k, *others[: _NAMED + 1])]
        title = ", ".join(name(int(w)) for w in (k, *others[:_NAMED]))
        marks: list[int] = []
        if others.size:
            # every update of the place, and its index
            chose = total * each + places.size * each
            marks = [*_run(writers, each, total * each), *_run(writers, numbers, chose)]
        return Step(title, _update(target, spots), tuple(marks))

    def rest(left: Array) -> Step:
        ends = (_spot(int(k), updates, slices) for k in (left[0], left[-1]))
        words = _("The other {count} updates cover their places in the same way.")
        return Step(f"{UPDATES}{' – '.join(ends)}", words.format(count=left.size))

    first = _input(int((last < 0).sum()) * each, total * each)
    steps = steps_of_writers(first, last, one, rest)
    every = np.arange(total * each, dtype=np.int64)
    before = np.where(np.repeat(last < 0, each), -1, every)
    written, times = np.unique(places, return_counts=True)
    contested = np.array(_run(written[times > 1], each, 0), np.int64)
    step_of = np.repeat(steps.step_of, each)
    return Steps(steps.steps, step_of, np.full_like(every, -1), before, contested)


def _run(which: Array, each: int, first: int) -> list[int]:
    """The numbers of all elements of some slices of ``each``, counted from ``first``."""
    run: list[int] = (first + which[:, None] * each + np.arange(each)).ravel().tolist()
    return run


def _spot(k: int, sizes: Sizes, slices: int) -> str:
    """An element as ``[0, 2]``, or a slice as ``[0, :]``."""
    outer = sizes[: len(sizes) - slices]
    at = np.unravel_index(k, outer) if outer else ()
    return print_index((*at, *[":"] * slices))


def _input(staying: int, total: int) -> Step:
    if not staying:
        words = _("The whole input is copied first; updates cover all {total} elements.")
        return Step(INPUT, words.format(total=total))
    words = ngettext(
        "The whole input is copied first: {staying} of {total} elements stays, updates cover the "
        "others.",
        "The whole input is copied first: {staying} of {total} elements stay, updates cover the "
        "others.",
        staying,
    )
    return Step(INPUT, words.format(staying=staying, total=total))


def _update(target: str, spots: Sequence[str]) -> str:
    """What the first of several updates does, if all land at the same place."""
    at, *others = spots
    if not others:
        words = _("The update at {cell} covers InputTensor{target} at out{target}.")
        return words.format(cell=at, target=target)
    words = _(
        "The update at {cell} is at out{target} here. The one at {others} is put there "
        "too: which one wins is undefined."
    )
    return words.format(cell=at, target=target, others=_list(others))


def _list(named: Sequence[str]) -> str:
    """The first of some elements or slices, as ``[0], [2]``."""
    return ", ".join([*named[:_NAMED], "…"] if len(named) > _NAMED else named)
