"""What the reader reads: calls, and the tensors that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dmlviz.base.errors import Place
from dmlviz.code.builder import Builder, Tensor


@dataclass(eq=False)
class Call:
    """A part of the code that makes tensors.

    Attributes:
        name: such as ``permute``, ``np.pad``, ``T`` or ``[...]``.
        text: that part of the code; of a method or a subscript, without what it belongs to.
        place: where that is.
        tensors: what it gives.
    """

    name: str
    text: str
    place: Place
    tensors: tuple[Tensor, ...] = ()


@dataclass(frozen=True, eq=False)
class CodeReading:
    """What was read.

    Attributes:
        builder: the nodes.
        calls: in the order in which they run; nodes refer to them by number.
        outputs: the tensors of the last statement, by the names that it gives them, or ``out``.
        names: what the code calls a tensor, by the tensor's name in the graph; the first name.
    """

    builder: Builder
    calls: tuple[Call, ...]
    outputs: Mapping[str, Tensor]
    names: Mapping[str, str]
