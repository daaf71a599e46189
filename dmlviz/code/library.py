"""What the reader knows of a library: its names, functions, methods and attributes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache, wraps
from re import Pattern
from types import MappingProxyType
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.python.values import Composite, Decorator
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.operators.code.base import Case, Snippet, TensorForms

Function = Callable[..., Any]
"""A function of a builder and of a call's arguments, by the library's names of them."""


@dataclass(frozen=True)
class Library:
    """A library whose code is read, and written.

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
        unread: methods and attributes that its tensors have, other libraries' are read, and its
            are not.
        other_names: what else it is called on the command line.
        signs: what only code for it contains; None if nothing.
        has_tensors: whether it has tensors of its own; otherwise it takes those of the others.
        dialect: its name among the dialects of an operator's code; the key if it is empty.
        imports: the lines that its code begins with.
        of_list: what makes a tensor of a list, such as ``torch.tensor``; empty if only NumPy does.
        prints: the types that a printed tensor names, such as ``array`` in ``array([1, 2])``.
        names_of: the keys of the libraries whose names its functions have; its own if empty.
        conventions: how its tensors behave.
        tensors: how its code makes a tensor; None if as NumPy's.
        forms: how it writes ONNX's nodes, see :mod:`dmlviz.code.node_lines`.
        from_numpy: what rewrites an operator's code of NumPy; None if nothing does.
        line_module: the module of the functions with which lines are written that do the same as
            code, such as ``np``; empty if there are no such lines.
        has_dialect: whether an operator's code is written in it, as in :mod:`dmlviz.code.dialects`.
        tested: whether the tests run an operator's code.
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
    unread: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()
    signs: Pattern[str] | None = None
    has_tensors: bool = True
    dialect: str = ""
    imports: str = ""
    of_list: str = ""
    prints: tuple[str, ...] = ()
    names_of: tuple[str, ...] = ()
    conventions: Conventions = field(default_factory=Conventions)
    tensors: TensorForms | None = None
    forms: Mapping[str, str] = field(default_factory=dict)
    from_numpy: Callable[[Case, Snippet], Snippet] | None = None
    line_module: str = ""
    has_dialect: bool = True
    tested: bool = True

    @property
    def dialect_key(self) -> str:
        """Its name among the dialects of an operator's code."""
        return self.dialect or self.key


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


@dataclass(frozen=True, eq=False, repr=False)
class Sequential(Composite):
    """Layers one after the other, as ``nn.Sequential`` has them."""

    layers: tuple[Any, ...]

    def parts(self) -> Sequence[Any]:
        """The layers."""
        return self.layers


@dataclass(frozen=True, eq=False, repr=False)
class MappedFunction(Composite):
    """A function that is called with each part of its tensors, as ``jax.vmap`` makes it.

    Attributes:
        function: takes the parts.
        in_axes: along which dimension each tensor has them, or one for all; None for a tensor
            that is taken whole.
        out_axes: along which the results are stacked.
    """

    function: Any
    in_axes: Any
    out_axes: Any

    def parts(self) -> Sequence[Any]:
        """The function."""
        return [self.function]


def unchanged(names: str) -> Function:
    """A decorator or a context that changes no movement, as ``torch.no_grad`` or ``jax.jit``.

    Args:
        names: of its parameters; those after ``*`` only as keywords.
    """
    before, _star, after = names.partition("*")
    kinds = {
        **dict.fromkeys(before.split(), inspect.Parameter.POSITIONAL_OR_KEYWORD),
        **dict.fromkeys(after.split(), inspect.Parameter.KEYWORD_ONLY),
    }
    parameters = [inspect.Parameter("b", inspect.Parameter.POSITIONAL_ONLY)]
    parameters += [inspect.Parameter(name, kind, default=None) for name, kind in kinds.items()]

    def decorated(*args: Any, **kwargs: Any) -> Any:
        taken = next(iter((*args[1:], *kwargs.values())), None)
        return taken if isinstance(taken, Composite) else Decorator(names)

    decorated.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return decorated


def layer(name: str, function: Function) -> Function:
    """A function that makes a layer."""

    def made(b: Builder, /, *args: Any, **kwargs: Any) -> Later:
        return Later(name, function, args, kwargs)

    return made


_PLACE = "the elements are the same wherever a tensor is kept"
_GRADIENT = "it concerns gradients, or how they are kept"
_PROMISE = "it promises something that is true of all indices read here, or makes them faster"
_TIES = "the places of equal numbers ascend, which each way of sorting allows"
_CLASS = "arrays of other classes than NumPy's are not read"
_WRITTEN = "what code writes there keeps its value in any data type"
_GRAPH = "it names an operation in TensorFlow's graph"

WITHOUT_EFFECT: Mapping[str, str] = MappingProxyType(
    {
        "align": "it orders several diagonals, and one is read",
        "argsort.kind": _TIES,
        "argsort.stable": _TIES,
        "assume_unique_indices": _PROMISE,
        "bad_indices_policy": _PROMISE,
        "casting": "elements that move keep their values in any data type",
        "conjugate": "elements are real numbers",
        "device": _PLACE,
        "device_put.src": _PLACE,
        "diag_part.padding_value": "it fills shorter diagonals, and one is read",
        "donate": _PLACE,
        "Buffer.persistent": "it says whether the buffer is saved with the model",
        "Dropout.inplace": "a layer is read as in evaluation, where it writes nothing",
        "dropout.inplace": "nothing is dropped where dropout is read, so nothing is written",
        "Dropout.consumed_inputs": "it let old runtimes write into the memory of an input",
        "Dropout.p": "a layer is read as in evaluation, where nothing is dropped",
        "Dropout.ratio": "it is that of training, which is refused",
        "Dropout.seed": "it is that of training, which is refused",
        "dtype_hint": "elements that move keep their values in any data type",
        "embedding.sparse": _GRADIENT,
        "empty.dtype": _WRITTEN,
        "empty_like.dtype": _WRITTEN,
        "Identity.args": "the layer uses none of its arguments",
        "Identity.kwargs": "the layer uses none of its arguments",
        "precision": "it concerns sums, and nothing is added",
        "resize.antialias": "it has no effect on the method nearest, and others are refused",
        "Resize.antialias": "it has no effect on the mode nearest, and others are refused",
        "Resize.cubic_coeff_a": "it is that of the mode cubic, which is refused",
        "Resize.exclude_outside": "it is about weights of the mode cubic, which is refused",
        "Resize.extrapolation_value": "it is that of tf_crop_and_resize, which is refused",
        "Resize.roi": "it is that of tf_crop_and_resize, which is refused",
        "force": _PLACE,
        "indices_are_sorted": _PROMISE,
        "layout": _PLACE,
        "like": _CLASS,
        "may_alias": _PLACE,
        "name": _GRAPH,
        "new_empty.dtype": _WRITTEN,
        "non_blocking": _PLACE,
        "norm_type": "it is the norm of max_norm, which is refused",
        "optimize": "it chooses in which order einsum multiplies, and nothing is multiplied",
        "out_sharding": _PLACE,
        "out_type": "sizes are whole numbers in any data type",
        "padding_idx": _GRADIENT,
        "pin_memory": _PLACE,
        "requires_grad": _GRADIENT,
        "requires_grad_.mode": _GRADIENT,
        "scale_grad_by_freq": _GRADIENT,
        "sharding": _PLACE,
        "sparse_grad": _GRADIENT,
        "stream": _PLACE,
        "subok": _CLASS,
        "unique_indices": _PROMISE,
        "validate_indices": _PROMISE,
        "writeable": "it forbids writing, and moves nothing",
    }
)
"""The parameters that a function may take without using them, and why they change no element.

By name, or by the function's name and the parameter's where the name alone is not enough."""


def ignoring(function: Function, names: str) -> Function:
    """A function with more parameters, which change no element: see :data:`WITHOUT_EFFECT`.

    Args:
        function: without them.
        names: after the function's own parameters; those after ``*`` only as keywords.
    """
    before, _star, after = names.partition("*")
    own = inspect.signature(function)
    kinds = {
        **dict.fromkeys(before.split(), inspect.Parameter.POSITIONAL_OR_KEYWORD),
        **dict.fromkeys(after.split(), inspect.Parameter.KEYWORD_ONLY),
    }
    more = [inspect.Parameter(name, kind, default=None) for name, kind in kinds.items()]
    every = sorted([*own.parameters.values(), *more], key=lambda parameter: parameter.kind)
    signature = own.replace(parameters=every)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs).arguments
        used = {name: value for name, value in bound.items() if name not in kinds}
        rest = inspect.BoundArguments(own, used)
        return function(*rest.args, **rest.kwargs)

    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


def checking(function: Function, name: str, default: Any, check: Callable[[Any], None]) -> Function:
    """A function with one more parameter at the end, whose value is checked and not used.

    Args:
        function: without it.
        name, default: the parameter's.
        check: refuses the values that would change the result.
    """
    own = inspect.signature(function)
    last = inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
    signature = own.replace(parameters=[*own.parameters.values(), last])

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs).arguments
        check(bound.pop(name, default))
        return function(**bound)

    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


def without_lists(
    function: Function, names: Callable[[inspect.Signature], str], library: str, instead: str
) -> Function:
    """A function that refuses lists in place of tensors, as its library does.

    Args:
        function: a function of a table.
        names: of its signature, the parameters for which a list is refused.
        library: the library's name for readers.
        instead: how code makes a tensor of a list.
    """

    @cache
    def parameters() -> tuple[inspect.Signature, list[str]]:
        signature = inspect.signature(function)
        return signature, names(signature).split()

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        signature, tensors = parameters()
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in tensors and isinstance(value, list | tuple):
                raise CodeRefused(
                    "argument",
                    _("{library} takes no list for {name}; write {instead}.").format(
                        library=library, name=name, instead=instead
                    ),
                )
        return function(*args, **kwargs)

    return called


def each(prefix: str, names: str, function: Function) -> dict[str, Function]:
    """The same function under several names."""
    return {f"{prefix}{name}": function for name in names.split()}
