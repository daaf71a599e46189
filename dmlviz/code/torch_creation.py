"""PyTorch: tensors that code makes of numbers, copies, and conversions.

Source of the rules: PyTorch 2.13 itself, which the tests run where it is installed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import creation, numpy_copies, rules, undefined
from dmlviz.code.arguments import as_tensor, spread, typed
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, each, ignoring
from dmlviz.code.memory import channels_last_strides
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text

SETTINGS = "* layout device pin_memory requires_grad"
"""What functions that make tensors take besides, and what changes no element."""


def _tensor(b: Builder, data: Any, dtype: Any = None) -> Tensor:
    x = as_tensor(b, data)
    return b.copy(x) if x.moving else control(typed(x.array, dtype))


def _typed_tensor(b: Builder, data: Any) -> Tensor:
    if isinstance(data, int):
        # the sizes of a tensor without values
        raise undefined.undefined_values()
    return _tensor(b, data)


def _as_tensor(b: Builder, data: Any, dtype: Any = None) -> Tensor:
    return numpy_copies.asarray(b, data, dtype)


def _asarray(b: Builder, obj: Any, *, dtype: Any = None, copy: Any = None) -> Tensor:
    x = numpy_copies.asarray(b, obj, dtype)
    return b.copy(x) if copy else x


def _from_numpy(b: Builder, ndarray: Any, /) -> Tensor:
    return as_tensor(b, ndarray)


def _parameter(b: Builder, data: Any) -> Tensor:
    """What a model has as numbers of its own: those with which the code begins it."""
    return as_tensor(b, data)


def _filled(value: int) -> Function:
    def filled(b: Builder, *size: Any, dtype: Any = None) -> Tensor:
        return control(typed(rules.filled(b, spread(b, size), value), dtype, "float"))

    return filled


def _filled_like(value: int) -> Function:
    def filled(b: Builder, input: Any, *, dtype: Any = None) -> Tensor:
        return control(typed(rules.filled(b, as_tensor(b, input).sizes, value), dtype))

    return filled


def _new_filled(value: int) -> Function:
    def filled(b: Builder, input: Tensor, *size: Any, dtype: Any = None) -> Tensor:
        return control(typed(rules.filled(b, spread(b, size), value), dtype, "float"))

    return filled


def _full(b: Builder, size: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    return creation.full(b, size, fill_value, dtype)


def _full_like(b: Builder, input: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    return creation.full(b, as_tensor(b, input).sizes, fill_value, dtype)


def _new_full(
    b: Builder, input: Tensor, size: Any, fill_value: Any, *, dtype: Any = None
) -> Tensor:
    return creation.full(b, size, fill_value, dtype)


def _arange(
    b: Builder, *args: Any, start: Any = None, end: Any = None, step: Any = 1, dtype: Any = None
) -> Tensor:
    first, *more = [edge for edge in (start, *args[:2], end) if edge is not None] or [None]
    without_start = start is None and not args and step != 1
    if first is None or len(more) > 1 or len(args) > 3 or without_start:
        raise CodeRefused("argument", _("arange takes a start, an end and a step other than 0."))
    stop = more[0] if more else None
    return creation.arange(b, first, stop, args[2] if len(args) == 3 else step, dtype=dtype)


def _eye(b: Builder, n: Any, m: Any = None, *, dtype: Any = None) -> Tensor:
    return creation.eye(b, n, m, dtype=dtype)


def argsort(
    b: Builder, input: Any, dim: Any = -1, descending: Any = False, *, stable: Any = False
) -> Tensor:
    """The places of numbers in order: PyTorch's ``argsort``."""
    return creation.sorted_places(b, input, dim, descending)


def _meshgrid(b: Builder, *tensors: Any, indexing: Any = "ij") -> list[Tensor]:
    one = len(tensors) == 1 and isinstance(tensors[0], list | tuple)
    parts = [as_tensor(b, x) for x in (tensors[0] if one else tensors)]
    return creation.grids(b, parts, indexing)


def _in_format(b: Builder, x: Tensor, memory_format: Any) -> Tensor:
    """A copy with the dimensions in the order of memory that PyTorch's name of a format says."""
    name = str(memory_format or "preserve_format").rpartition(".")[2]
    if name == "preserve_format":
        return rules.copied(b, x)
    if name == "contiguous_format":
        return b.copy(x)
    if (name, x.rank) not in (("channels_last", 4), ("channels_last_3d", 5)):
        raise CodeRefused(
            "argument",
            _("memory_format={format} does not fit a tensor of {rank} dimensions.").format(
                format=short_text(name), rank=x.rank
            ),
        )
    return b.copy(x, channels_last_strides(x.sizes))


def clone(b: Builder, input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy in an order of memory: PyTorch's ``clone``."""
    return _in_format(b, input, memory_format)


def _contiguous(b: Builder, input: Tensor, memory_format: Any = "contiguous_format") -> Tensor:
    new = _in_format(b, input, memory_format)
    return input if new.strides == input.strides else new


def _to_bool(b: Builder, input: Tensor) -> Tensor:
    return numpy_copies.astype(b, input, bool)


def _converted(kind: str) -> Function:
    def converted(b: Builder, input: Tensor) -> Tensor:
        return _to(b, input, dtype=kind)

    return converted


def _to(
    b: Builder,
    input: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    non_blocking: Any = False,
    copy: Any = False,
    memory_format: Any = None,
) -> Tensor:
    if any(isinstance(arg, bool) for arg in args):
        raise CodeRefused("argument", _("Name these arguments: non_blocking=..., copy=..."))
    made = input
    for kind in (dtype, *args):
        if isinstance(kind, str | type) and typed(np.zeros(1), kind).dtype == bool:
            return _to_bool(b, input)
        if isinstance(kind, str | type) and not input.moving:
            made = control(typed(input.array, kind))
    return _in_format(b, made, memory_format) if copy or memory_format is not None else made


def _type(b: Builder, input: Tensor, dtype: Any) -> Tensor:
    return _to(b, input, dtype)


FUNCTIONS: dict[str, Function] = {
    **each("torch.", "tensor", ignoring(_tensor, "* device requires_grad pin_memory")),
    **each(
        "torch.", "LongTensor BoolTensor Tensor FloatTensor", ignoring(_typed_tensor, "* device")
    ),
    "torch.as_tensor": ignoring(_as_tensor, "device"),
    "torch.asarray": ignoring(_asarray, "* device requires_grad"),
    "torch.from_numpy": _from_numpy,
    "torch.zeros": ignoring(_filled(0), SETTINGS),
    "torch.ones": ignoring(_filled(1), SETTINGS),
    "torch.zeros_like": ignoring(_filled_like(0), SETTINGS),
    "torch.ones_like": ignoring(_filled_like(1), SETTINGS),
    "torch.full": ignoring(_full, SETTINGS),
    "torch.full_like": ignoring(_full_like, SETTINGS),
    "torch.arange": ignoring(_arange, SETTINGS),
    "torch.eye": ignoring(_eye, SETTINGS),
    "torch.meshgrid": _meshgrid,
    "torch.nn.Parameter": ignoring(_parameter, "requires_grad"),
    "torch.nn.Buffer": ignoring(_parameter, "* persistent"),
}

METHODS: dict[str, Function] = {
    "new_zeros": ignoring(_new_filled(0), SETTINGS),
    "new_ones": ignoring(_new_filled(1), SETTINGS),
    "new_full": ignoring(_new_full, SETTINGS),
    "new_empty": ignoring(undefined.new_empty, SETTINGS),
    "contiguous": _contiguous,
    **each("", "float double half bfloat16", _converted("float")),
    **each("", "long int short", _converted("int")),
    "bool": _to_bool,
    "to": _to,
    "type": ignoring(_type, "non_blocking"),
}
