"""The tensors of an operator by DirectML's names, and what each of them is for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators.feature_levels import Support
from dmlviz.tensors import data_type_of, shown
from dmlviz.words import _

VALUES = "values"
"""The role of an input whose elements travel."""

CONTROL = "control"
"""The role of an input that says where to (indices, lengths): unchanged in both runs."""

INDEX = "index"
"""The role of an output whose elements are no copies: each is the index of one."""


@dataclass(frozen=True)
class Slot:
    """A named tensor of an operator, or a list of them.

    Attributes:
        name: DirectML's member, such as ``IndicesTensor``, or ``InputTensors`` for a list.
        role: of an input, :data:`VALUES` or :data:`CONTROL`; of an output, :data:`VALUES` or
            :data:`INDEX`.
        most: how many tensors a list may have; 0 for a slot of one tensor.
        support: of a ``control`` input or an output of indices the data types it may have at each
            feature level, from its page's "Tensor support"; its ranks are the operator's own
            business. Of another output its ranks and types, where they are not the input's.
        of: of an output of indices the output, of the same sizes, whose elements they are of.
        optional: whether DirectML takes it as absent, which is the same as an input of zeros with
            the output's sizes.
    """

    name: str
    role: str = VALUES
    most: int = 0
    support: tuple[Support, ...] = ()
    of: str = ""
    optional: bool = False

    @property
    def data_types(self) -> tuple[str, ...]:
        """Those that it may have at the newest feature level, where they are its own."""
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
    """What is known of a tensor before it is there.

    Attributes:
        sizes: rank 1 to 8.
        data_type: one of DirectML's 11.
    """

    sizes: tuple[int, ...]
    data_type: str


def descs_of(tensors: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, TensorDesc]:
    """Sizes and data type of every tensor."""
    return {
        name: TensorDesc(array.shape, data_type_of(array.dtype)) for name, array in tensors.items()
    }


@dataclass(frozen=True)
class BufferDesc:
    """What DirectML is told of a tensor whose array here is its memory, one element after another.

    Attributes:
        sizes: of the tensor.
        strides: for each dimension how many elements lie from one of its indices to the next.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def least(self) -> int:
        """How many elements the memory has at least: as far as the tensor's last one.

        >>> BufferDesc((2, 3), (4, 1)).least
        7
        """
        # numbers that are not possible are refused by name, wherever they stand
        pairs = zip(self.sizes, self.strides, strict=False)
        return 1 + sum(max(0, (n - 1) * s) for n, s in pairs)


def packed_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor without gaps whose last index runs fastest.

    >>> packed_strides((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))


INPUT = (Slot("InputTensor"),)
"""The inputs of an operator that has one."""

OUTPUT = (Slot("OutputTensor"),)
"""The outputs of an operator that has one."""


def by_name(slots: Sequence[Slot], given: Any, field: str) -> dict[str, Any]:
    """What is given for each tensor, in the order of the slots.

    Args:
        slots: an operator's.
        given: a mapping by name, or for the first tensor alone what belongs to it.
        field: what the message calls what is given.

    Raises:
        Error: a tensor is missing or unknown, or a list has a gap or too many.

    >>> by_name(INPUT, (2, 3), "sizes")
    {'InputTensor': (2, 3)}
    """
    if not isinstance(given, Mapping):
        given = {slots[0].names()[0]: given}
    found: dict[str, Any] = {}
    for slot in slots:
        own = [name for name in given if _belongs(str(name), slot)]
        names = slot.names(max(1, len(own)))
        for name in names:
            if name not in given:
                raise Error(_("{field}: {name} is missing.").format(field=field, name=name), field)
            found[name] = given[name]
        if slot.most and len(names) > slot.most:
            raise Error(
                _("{field}: {name} has {count} tensors; at most {most} are allowed.").format(
                    field=field, name=slot.name, count=len(names), most=slot.most
                ),
                field,
            )
    for name in given:
        if name not in found:
            raise Error(
                _("{field}: there is no tensor {name}; the tensors are {names}.").format(
                    field=field,
                    name=shown(name),
                    names=", ".join(slot.names()[0] for slot in slots),
                ),
                field,
            )
    return found


def _belongs(name: str, slot: Slot) -> bool:
    if not slot.most:
        return name == slot.name
    return name.startswith(f"{slot.name}[") and name.endswith("]")
