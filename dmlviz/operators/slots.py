"""The tensors of an operator by DirectML's names, and the role of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement.value import VALUES
from dmlviz.operators.feature_levels import Support
from dmlviz.tensors import data_type_of, short_text


@dataclass(frozen=True)
class Slot:
    """A named tensor of an operator, or a list of them.

    Attributes:
        name: DirectML's member, such as ``IndicesTensor``, or ``InputTensors`` for a list.
        role: of an input, :data:`VALUES` or :data:`CONTROL`; of an output, :data:`VALUES`,
            :data:`INDEX` or :data:`dmlviz.movement.COMPUTED`.
        most: the limit of tensors in a list; 0 for a slot of one tensor.
        support: of a ``control`` input or an output of indices, the data types it can have at each
            feature level, from its page's "Tensor support"; the operator checks its ranks
            itself. Of another output, its ranks and types, if they differ from the input's.
        of: for an output of indices, the output, of the same sizes, whose elements it indexes.
        optional: whether DirectML allows it to be absent, which equals an input of zeros with
            the output's sizes.
        like_first: of a ``control`` input, whether its sizes are the first input's except along
            one dimension at most.
    """

    name: str
    role: str = VALUES
    most: int = 0
    support: tuple[Support, ...] = ()
    of: str = ""
    optional: bool = False
    like_first: bool = False

    @property
    def data_types(self) -> tuple[str, ...]:
        """The data types at the newest feature level, if the slot has its own."""
        return self.support[-1].data_types if self.support else ()

    def names(self, count: int = 1) -> tuple[str, ...]:
        """The names of its tensors: ``InputTensors[0]`` and on for a list.

        >>> Slot("InputTensors", most=8).names(2)
        ('InputTensors[0]', 'InputTensors[1]')
        """
        if not self.most:
            return (self.name,)
        return tuple(f"{self.name}[{k}]" for k in range(count))


@dataclass(frozen=True)
class TensorDesc:
    """What is known about a tensor before it exists, or for code that makes it.

    Attributes:
        sizes: rank 1 to 8.
        data_type: one of DirectML's 11.
        values: its elements, if code has to make them; two descriptions are equal without them.
    """

    sizes: tuple[int, ...]
    data_type: str
    values: np.ndarray[Any, Any] | None = field(default=None, compare=False, repr=False)


def descs_of(
    tensors: Mapping[str, np.ndarray[Any, Any]], *, values: bool = False
) -> dict[str, TensorDesc]:
    """Sizes and data type of every tensor, and its elements if ``values``."""
    return {
        name: TensorDesc(array.shape, data_type_of(array.dtype), array if values else None)
        for name, array in tensors.items()
    }


@dataclass(frozen=True)
class BufferDesc:
    """The description of a tensor whose array here is its memory, one element after another.

    Attributes:
        sizes: of the tensor.
        strides: for each dimension, the distance in elements from one of its indices to the next.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def least(self) -> int:
        """The least number of elements in the memory: up to the tensor's last one.

        >>> BufferDesc((2, 3), (4, 1)).least
        7
        """
        # invalid numbers are refused by name, wherever they are
        pairs = zip(self.sizes, self.strides, strict=False)
        return 1 + sum(max(0, (n - 1) * s) for n, s in pairs)


def packed_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor without gaps whose last index runs fastest.

    >>> packed_strides((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))


INPUT = (Slot("InputTensor"),)
"""The inputs of an operator that has one input."""

OUTPUT = (Slot("OutputTensor"),)
"""The outputs of an operator that has one output."""


def by_name(slots: Sequence[Slot], values: Any, field: str) -> dict[str, Any]:
    """The values given for each tensor, in the order of the slots.

    Args:
        slots: the operator's slots.
        values: a mapping by name, or the value for the first tensor alone; None or nothing for no
            tensor.
        field: the name of ``values`` in messages.

    Raises:
        Error: a tensor is missing or unknown, or a list has a gap or too many tensors.

    >>> by_name(INPUT, (2, 3), "sizes")
    {'InputTensor': (2, 3)}
    """
    if not isinstance(values, Mapping):
        values = {slots[0].names()[0]: values} if slots else _nothing(values, field)
    named: dict[str, Any] = {}
    for slot in slots:
        own = [name for name in values if _belongs(str(name), slot)]
        names = slot.names(max(1, len(own)))
        for name in names:
            if values.get(name) is None:
                raise Error(_("{field}: {name} is missing.").format(field=field, name=name), field)
            named[name] = values[name]
        if slot.most and len(names) > slot.most:
            raise Error(
                _("{field}: {name} has {count} tensors; at most {most} are allowed.").format(
                    field=field, name=slot.name, count=len(names), most=slot.most
                ),
                field,
            )
    for name in values:
        if name not in named:
            raise Error(
                _("{field}: there is no tensor {name}; the tensors are {names}.").format(
                    field=field,
                    name=short_text(name),
                    names=", ".join(slot.names()[0] for slot in slots),
                ),
                field,
            )
    return named


def _nothing(values: Any, field: str) -> dict[str, Any]:
    """No tensors.

    Raises:
        Error: something is given.
    """
    if values is not None and not (isinstance(values, tuple) and not values):
        raise Error(_("{field}: there are no input tensors.").format(field=field), field)
    return {}


def _belongs(name: str, slot: Slot) -> bool:
    if not slot.most:
        return name == slot.name
    return name.startswith(f"{slot.name}[") and name.endswith("]")
