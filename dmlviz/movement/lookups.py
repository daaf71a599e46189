"""Tables that formulas look up: index tensors and masks that the code says, and other numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlviz.movement.fitting import fitted
from dmlviz.movement.formulas import POSITION
from dmlviz.movement.graphs import Constant
from dmlviz.movement.linear import Linear, look
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes

INDEX_TENSORS = ("idx", "indices", "table")
"""What an index tensor is called that has no name in the code."""

MASKS = ("mask", "chosen", "flags")
"""What a mask is called that has no name in the code."""


class Lookups:
    """Tables by name, of which those that the code says have its names.

    Args:
        inputs: the sizes of the tensors whose elements move, by name.
        sizes: of every tensor, by name.
        controls: the values of the tensors that choose elements, by name.

    Attributes:
        tables: the numbers that are looked up, by name; int64.
        typed: for the name of a table that the code says, the name of the index tensor or the mask,
            and its elements.
    """

    def __init__(
        self,
        inputs: Mapping[str, Sizes],
        sizes: Mapping[str, Sizes],
        controls: Mapping[str, Array],
    ) -> None:
        self.inputs, self.sizes, self.controls = inputs, sizes, controls
        self.tables: dict[str, Array] = {}
        self.typed: dict[str, tuple[str, Array]] = {}

    def numbers(self, table: Array, at: Sequence[Linear], name: str = "") -> Linear:
        """The number of a table at these indices: arithmetic if there is some."""
        shared = [d for d, n in enumerate(table.shape) if n > 1 and not constant_along(table, d)]
        kept = table[tuple(slice(None) if d in shared else 0 for d in range(table.ndim))]
        places = [at[d] for d in shared]
        rule = fitted(kept)
        if rule is not None:
            return rule(places)
        return look(self._name(kept, name), places, kept)

    def looked_up(self, item: Constant, at: Sequence[Linear], column: int | None = None) -> Linear:
        """An index that a node takes from its index tensor.

        Args:
            item: the index tensor.
            at: the index in each of its dimensions, without that of a tuple's numbers.
            column: of a tensor that holds tuples, which of their numbers.
        """
        front = item.values if column is None else item.values[..., column]
        if not item.typed or not at:
            return self.numbers(front, at)
        own = item.written[0 if column is None or len(item.written) == 1 else column]
        if own.dtype == bool:
            return self._true(own, item, at, column)
        if column is not None and len(item.written) == 1:
            return self._look(own, item.values, (*at, Linear(column)), front)
        if not own.ndim:
            return Linear(int(front.flat[0]))
        # a list that is broadcast is looked up where it is written
        lead = front.ndim - own.ndim
        kept = [
            slice(None) if n == m else slice(1)
            for n, m in zip(own.shape, front.shape[lead:], strict=True)
        ]
        table = front[(*[0] * lead, *kept)]
        several = column if len(item.written) > 1 else None
        return self._look(own, table, broadcast(at, own.shape), table, several)

    def _true(
        self, mask: Array, item: Constant, at: Sequence[Linear], column: int | None
    ) -> Linear:
        """An index of an element for which a mask holds, in the order of its elements."""
        own = self._called(mask, MASKS)
        table = np.argwhere(mask).astype(np.int64)
        name, places = f"nonzero({own})", broadcast(at, (len(table),))
        if mask.ndim == 1:
            table = table[:, 0]
        else:
            first = next(k for k, one in enumerate(item.written) if one is mask)
            places = [*places, Linear((column or 0) - first)]
        self.tables[name], self.typed[name] = table, (own, mask)
        return look(name, places, table if mask.ndim == 1 else table[:, int(places[1].range[0])])

    def _look(
        self,
        own: Array,
        whole: Array,
        at: Sequence[Linear],
        table: Array,
        number: int | None = None,
    ) -> Linear:
        """The element of an index tensor.

        Args:
            own: the tensor as the code says it; an index can be negative.
            whole: the same, counted from the front.
            at: the index in each of its dimensions.
            table: the numbers that it can be.
            number: of the list among several in one subscript; None if it is the only one.
        """
        names = INDEX_TENSORS if number is None else (f"i{number}", f"index{number}")
        name = self._called(own, names)
        sizes = self.controls[name].shape if name in self.controls else own.shape
        # the code can give a tensor dimensions of size 1
        places = iter([one for one, n in zip(at, own.shape, strict=True) if n > 1])
        at = [next(places) if n > 1 else Linear() for n in sizes]
        self.tables[name] = whole.astype(np.int64).reshape(sizes)
        self.typed[name] = (name, own.reshape(sizes))
        return look(name, at, table)

    def look_at_mask(self, name: str, own: Array, at: Sequence[Linear]) -> Linear:
        """Whether a mask that has a name in the code holds: 1, or 0."""
        table = own.astype(bool).astype(np.int64)
        self.tables[name], self.typed[name] = table, (name, own)
        return look(name, at, np.arange(2))

    def control_like(self, numbers: Array, size: int) -> Array | None:
        """The index tensor of the code that holds these numbers; None if none does.

        Args:
            numbers: counted from the front.
            size: of the dimension that they count along.
        """
        for array in self.controls.values():
            squeezed = array.reshape([n for n in array.shape if n > 1] or [1])
            if array.dtype != bool and np.array_equal(squeezed % size, np.squeeze(numbers)):
                return array.reshape(numbers.shape)
        return None

    def position(self, own: Array, axis: int, at: Sequence[Linear], size: int) -> Linear:
        """Where an index tensor has a number, along one of its dimensions; -1 if nowhere.

        Args:
            own: the index tensor, in which a number can count from the end.
            axis: the dimension; in it, ``at`` is the number to find.
            at: the index in each of its other dimensions.
            size: how many numbers there are.
        """
        name = self._called(own, INDEX_TENSORS)
        table = np.full((*own.shape[:axis], size, *own.shape[axis + 1 :]), -1, np.int64)
        places = np.indices(own.shape)[axis]
        np.put_along_axis(table, own.astype(np.int64) % size, places, axis)
        key = f"{POSITION}({name}, {axis})" if axis else f"{POSITION}({name})"
        self.tables[key], self.typed[key] = table, (name, own)
        return look(key, at, table)

    def _called(self, own: Array, names: Sequence[str]) -> str:
        """The name of a tensor in the code: that of the control that it is, or a new one."""
        for name, array in self.controls.items():
            alike = (array.dtype == bool) == (own.dtype == bool)
            long = [n for n in array.shape if n > 1] == [n for n in own.shape if n > 1]
            if alike and long and np.array_equal(array.ravel(), own.ravel()):
                return name
        for name in names:
            known = [array for one, array in self.typed.values() if one == name]
            if known and not np.array_equal(known[0], own):
                continue
            if name not in {**self.controls, **self.inputs, **self.sizes}:
                return name
        raise OverflowError

    def _name(self, table: Array, name: str) -> str:
        """The name of a table: that of the control that holds it, or T1, T2 and so on."""
        whole = table.astype(np.int64)
        for own, array in self.controls.items():
            if array.shape == table.shape and np.array_equal(array, table):
                name = own
        taken = (name, *(f"T{k}" for k in range(1, len(self.tables) + 2)))
        for one in filter(None, taken):
            if one in self.tables and not np.array_equal(self.tables[one], whole):
                continue
            if one in self.inputs or (one != name and one in self.controls):
                continue
            self.tables[one] = whole
            return one
        raise OverflowError


def broadcast(at: Sequence[Linear], sizes: Sizes) -> list[Linear]:
    """The indices in a tensor that is broadcast."""
    last = at[len(at) - len(sizes) :]
    return [Linear() if n == 1 else one for one, n in zip(last, sizes, strict=True)]


def constant_along(table: Array, d: int) -> bool:
    """Whether a table has the same numbers all along a dimension."""
    return bool((table == take(table, [0], d)).all())
