"""What the reader reads: calls, and the tensors that they make."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Place
from dmlviz.code.builder import Builder
from dmlviz.code.tensor import Tensor


@dataclass(eq=False)
class Call:
    """A part of the code that makes tensors.

    Attributes:
        name: such as ``permute``, ``np.pad``, ``T`` or ``[...]``.
        text: that part of the code; of a method or a subscript, without what it belongs to.
        place: where that is.
        tensors: what it gives.
        onnx: of a call of an ONNX operator, its name, arguments and keyword arguments.
    """

    name: str
    text: str
    place: Place
    tensors: tuple[Tensor, ...] = ()
    onnx: tuple[str, Sequence[Any], Mapping[str, Any]] | None = None

    def of_function(self, name: str, args: Any, kwargs: Mapping[str, Any], returned: Any) -> Any:
        """What a function of a table returns; of an ONNX operator, as tensors of its own.

        A node that moves nothing is a node, too.

        Args:
            name: in the table, such as ``onnx.Tile``.
            args, kwargs: its arguments.
            returned: by the function.
        """
        if not name.startswith("onnx.") or not self.tensors:
            return returned
        self.onnx = (name.removeprefix("onnx."), args, kwargs)
        self.tensors = tuple(map(replace, self.tensors))
        return self.tensors if isinstance(returned, list | tuple) else self.tensors[0]


@dataclass(frozen=True, eq=False)
class CodeReading:
    """What was read.

    Attributes:
        builder: the nodes.
        calls: in the order in which they run; nodes refer to them by number.
        outputs: the tensors of the last statement, by the names that it gives them, or ``out``.
        names: what the code calls a tensor, by the tensor's name in the graph; the first name.
        modules: the full names of the modules that it names, in the order in which it does.
    """

    builder: Builder
    calls: tuple[Call, ...]
    outputs: Mapping[str, Tensor]
    names: Mapping[str, str]
    modules: tuple[str, ...] = ()


def names_of_outputs(number: int, taken: Container[str]) -> list[str]:
    """Names for so many results that have none in the code, and which no input has.

    >>> names_of_outputs(1, ["x"]), names_of_outputs(1, ["out"]), names_of_outputs(2, ["out0"])
    (['out'], ['out0'], ['out1', 'out2'])
    """
    if number == 1 and "out" not in taken:
        return ["out"]
    return list(islice((name for k in count() if (name := f"out{k}") not in taken), number))
