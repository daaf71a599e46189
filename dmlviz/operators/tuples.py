"""Operators by index tuples, each of which selects an element or a slice: GATHER_ND1, SCATTER_ND.

What both share: the layout of tuples and of what they select, the settings that say how many
dimensions count, their checks, indices for questions, nodes and code that adapt the tensors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.movement.expressions import ONE, index_letters, names_of
from dmlviz.movement.graphs import FLOW, Node, cast
from dmlviz.operators.base import Operator
from dmlviz.operators.code.base import Case, commas, tuple_text
from dmlviz.operators.code.indices import from_front_lines, indices_type, whole_indices
from dmlviz.operators.indices import INDICES, INPUT, from_front, ranks_problem, shape_of
from dmlviz.operators.mapped import At, Lookup
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Choice, Dice, setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import MAX_RANK, print_sizes, short_text
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array, Sizes

Candidates = Iterator[Candidate]


# ---- the layout


@dataclass(frozen=True)
class Tuples:
    """What tuples select, for valid sizes.

    Attributes:
        sizes, indices: of the input and of IndicesTensor.
        input_count, indices_count: how many of their last dimensions count; those before them
            have size 1.
        batches: how many of the first dimensions that count are batches, of the same sizes in both.
    """

    sizes: Sizes
    indices: Sizes
    input_count: int
    indices_count: int
    batches: int = 0

    @property
    def inner(self) -> Sizes:
        """The input's sizes that count."""
        return self.sizes[len(self.sizes) - self.input_count :]

    @property
    def cells(self) -> Sizes:
        """The sizes of the tensor of tuples, with each tuple as one element."""
        return self.indices[len(self.indices) - self.indices_count : -1]

    @property
    def length(self) -> int:
        """How many indices a tuple has."""
        return self.indices[-1]

    @property
    def along(self) -> range:
        """The input's dimensions that the indices of a tuple count along."""
        first = len(self.sizes) - self.input_count + self.batches
        return range(first, first + self.length)

    @property
    def named(self) -> Sizes:
        """The sizes of those dimensions."""
        return self.sizes[self.along.start : self.along.stop]

    @property
    def slices(self) -> Sizes:
        """The sizes of what one tuple selects; empty if it is an element."""
        return self.sizes[self.along.stop :]

    @property
    def exact(self) -> Sizes:
        """The sizes of everything that tuples select, without leading ones."""
        return self.cells + self.slices

    @property
    def output(self) -> Sizes:
        """The same with as many dimensions as the input has."""
        return (1,) * (len(self.sizes) - len(self.exact)) + self.exact

    @property
    def index_letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of IndicesTensor; t counts along a tuple."""
        ones = (ONE,) * (len(self.indices) - self.indices_count)
        return (*ones, *self._cell_letters, "t")

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of :attr:`output`."""
        exact = self._cell_letters + names_of(len(self.sizes))[self.along.stop :]
        return (ONE,) * (len(self.sizes) - len(exact)) + exact

    @property
    def _cell_letters(self) -> tuple[str, ...]:
        """The letters of the dimensions of :attr:`cells`: the input's for batches."""
        start = self.along.start
        batches = names_of(len(self.sizes))[start - self.batches : start]
        return batches + index_letters(len(self.cells) - self.batches)

    def source(self, at: At, control: Lookup) -> At:
        """The index in the input of the element at ``at`` of what the tuples select.

        Args:
            at: for each dimension of :attr:`output`, an expression, an array or a number.
            control: the elements of IndicesTensor.
        """
        exact = at[len(at) - len(self.exact) :]
        cell, rest = exact[: len(self.cells)], exact[len(self.cells) :]
        before = (0,) * (len(self.indices) - self.indices_count)
        chosen = (
            control.from_front(INDICES, (*before, *cell, k), n) for k, n in enumerate(self.named)
        )
        ones = (0,) * (len(self.sizes) - self.input_count)
        return (*ones, *cell[: self.batches], *chosen, *rest)

    def inside(self, indices: Array) -> Array:
        """Only the tuples: IndicesTensor without the dimensions that do not count."""
        return indices.reshape((*self.cells, self.length))

    def fronts(self, tuples: Array) -> Array:
        """Tuples with negative indices counted from the front; int64."""
        return from_front(tuples, np.array(self.named))

    def selection(self, tuples: Array) -> tuple[Array, ...]:
        """NumPy's index, in a tensor of sizes :attr:`inner`, of what tuples select.

        Args:
            tuples: of :attr:`cells` and one dimension more; they can have another length.
        """
        batches = np.indices(self.cells, sparse=True)[: self.batches]
        return (*batches, *np.moveaxis(tuples.astype(np.int64), -1, 0))

    def places(self, indices: Array, k: int) -> tuple[str, str, str]:
        """A tuple, the elements that it selects and those that belong to its cell.

        Args:
            indices: IndicesTensor, without indices outside the input.
            k: the tuple's number.

        Returns:
            ``(1, -1)``, ``[1, 2, :]`` of the input and ``[0, 3, :]`` of output or updates.
        """
        at = np.unravel_index(k, self.cells)
        ones = (0,) * (len(self.sizes) - self.input_count)
        lead = (0,) * (len(self.sizes) - len(self.exact))
        rest = (":",) * len(self.slices)
        one = self.inside(indices)[at]
        return (
            f"({', '.join(map(str, one))})",
            print_index((*ones, *at[: self.batches], *self.fronts(one), *rest)),
            print_index((*lead, *at, *rest)),
        )

    def cell(self, k: int) -> str:
        """The place of a tuple in IndicesTensor, as ``[0, 1, :]``."""
        before = (0,) * (len(self.indices) - self.indices_count)
        return print_index((*before, *np.unravel_index(k, self.cells), ":"))


# ---- the operators


@dataclass(frozen=True)
class Counted(Choice):
    """How many of a tensor's last dimensions count."""

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Any:
        # if all of them counted before, all of them count now
        return len(sizes) if value == len(before) else min(value, len(sizes))


def _countable(sizes: Sizes) -> tuple[int, ...]:
    """How many of these dimensions can count: only dimensions of size 1 can be left out."""
    ones = next((d for d, n in enumerate(sizes) if n != 1), max(0, len(sizes) - 1))
    return tuple(range(len(sizes) - ones if sizes else 1, (len(sizes) or MAX_RANK) + 1))


@with_settings
class TupleOperator(Operator):
    """An operator whose IndicesTensor holds tuples in its last dimension."""

    input_dimension_count: int = setting(
        Counted, "InputDimensionCount", offered=_countable, initial=1
    )
    indices_dimension_count: int = setting(
        Counted,
        "IndicesDimensionCount",
        offered=lambda sizes: tuple(range(1, (len(sizes) or MAX_RANK) + 1)),
        initial=1,
    )

    # other counts make outputs of other sizes, which would reveal the answer, or change nothing
    unasked: ClassVar[tuple[str, ...]] = ("setting",)

    @property
    def batches(self) -> int:
        """How many of the first dimensions that count are batches."""
        return 0

    def tuples(self, sizes: Mapping[str, Sizes]) -> Tuples:
        """What the tuples select, for valid inputs."""
        counts = self.input_dimension_count, self.indices_dimension_count
        return Tuples(sizes[INPUT], sizes[INDICES], *counts, self.batches)

    def tuples_of(self, inputs: Mapping[str, Array]) -> Tuples:
        """The same for arrays."""
        return self.tuples({name: array.shape for name, array in inputs.items()})

    def along(self, sizes: Mapping[str, Sizes]) -> range:
        """The input's dimensions that the indices of a tuple count along, for valid inputs."""
        return self.tuples(sizes).along

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        return self.tuples_of(inputs).length

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        return min(self.tuples({name: desc.sizes for name, desc in inputs.items()}).named)

    # ---- checks

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        # each check needs what those before it make sure of
        return list(islice(self._checks(sizes), 1))

    def _checks(self, sizes: Mapping[str, Sizes]) -> Iterator[Problem]:
        rank = len(sizes[INPUT])
        if problem := ranks_problem(self.structure, sizes):
            yield problem
        for name, field in (
            (INPUT, "input_dimension_count"),
            (INDICES, "indices_dimension_count"),
        ):
            if message := self._uncountable(field, name, sizes[name]):
                yield Problem(field, message, f"{self.structure}, {self.declared[field].label}")
        tuples = self.tuples(sizes)
        yield from self.batch_problems(tuples)
        most = tuples.input_count - tuples.batches
        if tuples.length > most:
            message = _(
                "IndicesTensor: the last dimension has size {length}, so each tuple has {length} "
                "indices; at most {most} can count along the input's dimensions here."
            ).format(length=tuples.length, most=most)
            yield Problem(INDICES, message, f"{self.structure}, {INDICES}")
        if len(tuples.exact) > rank:
            message = _(
                "IndicesTensor: tuples of sizes {cells}, each leading to sizes {slices}, make "
                "{count} dimensions; all tensors have {rank} here. Add leading ones to all sizes "
                "to make room."
            ).format(
                cells=print_sizes(tuples.cells),
                slices=print_sizes(tuples.slices),
                count=len(tuples.exact),
                rank=rank,
            )
            yield Problem(INDICES, message, f"{self.structure}, Tensor constraints")

    def _uncountable(self, field: str, name: str, sizes: Sizes) -> str:
        """Why so many dimensions of a tensor cannot count; empty if they can."""
        count = getattr(self, field)
        if not 1 <= count <= len(sizes):
            return _(
                "{field}: {count} is invalid; {name} has {rank} dimensions, and 1 to {rank} of "
                "them can count."
            ).format(field=field, count=short_text(count), name=name, rank=len(sizes))
        for d, n in enumerate(sizes[: len(sizes) - count]):
            if n != 1:
                return _(
                    "{field}: {count} leaves out dimension {d} of {name}, which has size {n}; only "
                    "leading ones can be dropped."
                ).format(field=field, count=count, d=d, name=name, n=n)
        return ""

    def batch_problems(self, tuples: Tuples) -> Iterator[Problem]:
        """Problems with the batches, if there can be any."""
        return iter(())

    # ---- questions

    def drawn_indices(self, sizes: Sizes, dice: Dice) -> Array:
        """An IndicesTensor for a question; the tuples of a batch all differ; int64.

        Args:
            sizes: of the input.
            dice: the random generator.
        """
        rank, count = len(sizes), self.indices_dimension_count
        inner = sizes[rank - min(self.input_dimension_count, rank) :]
        shared = min(self.batches, len(inner) - 1, count - 1)
        free = min(count, rank) - 1 - shared
        # the selection must not have more dimensions than the input
        length = dice.between(max(1, free + len(inner) - rank), len(inner) - shared)
        named = inner[shared : shared + length]
        cells, left = [], math.prod(named)
        for _d in range(free):
            cells.append(dice.between(1, min(3, left)))
            left //= cells[-1]
        groups = range(math.prod(inner[:shared]))
        numbers = [place for _group in groups for place in _places(math.prod(cells), named, dice)]
        ones = (1,) * (rank - shared - free - 1)
        return np.array(numbers, np.int64).reshape(*ones, *inner[:shared], *cells, length)

    # ---- ONNX takes only INT64 indices, without dimensions that do not count

    def counted_nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[list[Node], str, str]:
        """The nodes that adapt the inputs, and the names of input and indices after them."""
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        nodes, x, indices = [], INPUT, INDICES
        if tuples.inner != tuples.sizes:
            x = "counted"
            nodes.append(Node("Reshape", (INPUT, shape_of(tuples.inner)), outputs=(x,)))
        if inputs[INDICES].data_type != "INT64":
            nodes.append(cast(indices, "INT64", "whole"))
            indices = "whole"
        inner = (*cells_of(tuples), tuples.length)
        if inner != tuples.indices:
            nodes.append(Node("Reshape", (indices, shape_of(inner)), outputs=("tuples",)))
            indices = "tuples"
        return nodes, x, indices

    def onnx_note(self, case: Case) -> str:
        if indices_type(case) == "INT64":
            return ""
        return _("ONNX takes tuples of indices as INT64 only, so others are cast first.")

    # ---- misreadings that both have

    def backwards(self, tuples: Tuples, fronts: Array, made: Callable[[Array], Any]) -> Candidates:
        """Tuples that are read backward.

        Args:
            tuples: what they select.
            fronts: the tuples, with indices counted from the front.
            made: the output for other tuples.
        """
        along, turned = tuples.along, fronts[..., ::-1]
        if tuples.length > 1 and within(turned, tuples.named):
            words = _(
                "That reads a tuple backward, as x before y: its first index counts along "
                "dimension {axis}, its last along dimension {last}."
            ).format(axis=along[0], last=along[-1])
            yield "backwards", words, made(turned)

    def miscounted(self, tuples: Tuples, whole: Array, made: Callable[[Array], Any]) -> Candidates:
        """Indices that are counted from 1, or not from the end.

        Args:
            tuples: what they select.
            whole: the tuples as they are.
            made: the output for other tuples.
        """
        fronts = tuples.fronts(whole)
        if fronts.min() > 0:
            words = _("That counts from 1: the first index of each dimension is 0.")
            yield "from-one", words, made(fronts - 1)
        if whole.min() < 0:
            words = _(
                "That stops at the first one: a negative index counts from the end of its "
                "dimension, so the size of that dimension is added to it."
            )
            yield "clamped", words, made(np.maximum(whole, 0))


def cells_of(tuples: Tuples) -> Sizes:
    """The sizes of the tensor of tuples for ONNX; {1} for one tuple alone.

    DirectML takes no tensor without dimensions, which is what one tuple selects that has an index
    for each dimension.
    """
    return tuples.cells or (1,)


def ranked_nodes(exact: Sizes, output: Sizes) -> list[Node]:
    """The node that gives the output its own rank, if it needs one."""
    return [Node("Reshape", (FLOW, shape_of(output)))] if exact != output else []


def within(tuples: Array, sizes: Sequence[int]) -> bool:
    """Whether tuples of that many indices, counted from the front, are inside such dimensions."""
    return all(int(tuples[..., k].max()) < n for k, n in enumerate(sizes))


def _places(count: int, sizes: Sizes, dice: Dice) -> list[Sizes]:
    """That many different places of a tensor."""
    places: dict[Sizes, None] = {}
    last = math.prod(sizes) - 1
    while len(places) < count:
        place = tuple(dice.between(0, n - 1) for n in sizes)
        while place in places:
            flat = int(np.ravel_multi_index(place, sizes)) + 1
            place = tuple(int(i) for i in np.unravel_index(flat if flat <= last else 0, sizes))
        places[place] = None
    return list(places)


# ---- code in other dialects


def numpy_tuples(tuples: Tuples) -> list[str]:
    """Lines that make ``i``, an array for each dimension, and ``batch`` if there is one."""
    lines = [f"i = np.moveaxis({_counted('indices.astype(np.int64)', tuples)}, -1, 0)"]
    if tuples.batches:
        cells = tuple_text(tuples.cells)
        lines.append(f"batch = np.indices({cells}, sparse=True)[:{tuples.batches}]")
    return lines


def pytorch_tuples(tuples: Tuples) -> list[str]:
    """The same in PyTorch."""
    lines = [f"i = {_counted(whole_indices('pytorch'), tuples)}.unbind(-1)"]
    if tuples.batches:
        ranges = f"torch.arange(n) for n in {tuple_text(tuples.cells)}"
        lines.append(f'batch = torch.meshgrid(*({ranges}), indexing="ij")[:{tuples.batches}]')
    return lines


def tensorflow_tuples(case: Case, tuples: Tuples) -> list[str]:
    """Lines that make ``i``, tuples counted from the front, and drop other dimensions of ``x``."""
    lines = []
    if tuples.inner != tuples.sizes:
        lines.append(f"x = tf.reshape(x, [{commas(tuples.inner)}])")
    whole = whole_indices("tensorflow")
    inner = (*tuples.cells, tuples.length)
    if inner != tuples.indices:
        whole = f"tf.reshape({whole}, [{commas(inner)}])"
    return [*lines, *from_front_lines(case, whole, [*tuples.named])]


def _counted(indices: str, tuples: Tuples) -> str:
    inner = (*tuples.cells, tuples.length)
    return indices if inner == tuples.indices else f"{indices}.reshape({commas(inner)})"
