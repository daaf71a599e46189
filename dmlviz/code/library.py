"""What the reader knows of a library: its names, functions, methods and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dmlviz.code.builder import Builder, Tensor

Function = Callable[..., Any]
"""A function of a builder and of a call's arguments, by the library's names of them."""


@dataclass(frozen=True)
class Library:
    """A library whose code is read.

    Attributes:
        key: its name in links and on the command line.
        title: its name for readers.
        names: what stands for its modules without an import, such as ``np``.
        modules: its modules, by the full name that functions have in the tables; an import of
            another name, such as ``torch.nn.functional``, gives the same module.
        functions: by full name, such as ``numpy.take``.
        methods: of its tensors; each takes the tensor after the builder.
        attributes: of its tensors.
        constants: other names of its modules.
        members: methods of other values than tensors, by the value's type.
        instead: what its code has in place of ``x[0] = y``; empty if tensors can be changed.
    """

    key: str
    title: str
    names: Mapping[str, str]
    modules: Mapping[str, str]
    functions: Mapping[str, Function]
    methods: Mapping[str, Function] = field(default_factory=dict)
    attributes: Mapping[str, Function] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    members: Mapping[type, Mapping[str, Function]] = field(default_factory=dict)
    instead: str = ""


@dataclass(frozen=True, eq=False)
class At:
    """What takes a subscript and gives a :class:`IndexedPart`: JAX's ``x.at``."""

    tensor: Tensor


@dataclass(frozen=True, eq=False)
class IndexedPart:
    """A part of a tensor, whose methods make new tensors: JAX's ``x.at[0]``.

    Attributes:
        tensor: the whole tensor.
        key: the subscript.
    """

    tensor: Tensor
    key: Any


@dataclass(frozen=True)
class Later:
    """A layer such as ``nn.PixelShuffle(2)``: a function that takes the tensor later.

    Attributes:
        name: the layer's full name.
        function: of a builder, the tensor and the layer's arguments.
        args, kwargs: the layer's arguments.
    """

    name: str
    function: Function
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def layer(name: str, function: Function) -> Function:
    """A function that makes a layer."""

    def made(b: Builder, /, *args: Any, **kwargs: Any) -> Later:
        return Later(name, function, args, kwargs)

    return made


def each(prefix: str, names: str, function: Function) -> dict[str, Function]:
    """The same function under several names."""
    return {f"{prefix}{name}": function for name in names.split()}
