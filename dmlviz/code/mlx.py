"""MLX: the functions of ``mlx.core`` that move elements, and the methods of its arrays.

Source of the rules: MLX 0.32, whose answers the tests hold. A part of an array, or an array with
other sizes, is a value of its own: a write to one never changes the other. An index outside is not
checked by MLX, which reads what is there in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import creation, numpy_copies, rules
from dmlviz.code.arguments import as_tensor, ints, number, one_int, spread, stack, tensors, unbind
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.einsum import einsum
from dmlviz.code.indexing import get
from dmlviz.code.library import Function, Library, each, ignoring, without_lists
from dmlviz.code.memory import packed
from dmlviz.code.numpy_padding import pad
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.operators.code.base import TensorForms

_ARRAYS = "a x y array indices values update start_indices condition"
"""The names of parameters for which MLX takes arrays, and no lists."""


def _of_arrays(function: Function) -> Function:
    """A function that takes arrays, and ``stream``, and gives new ones."""

    @wraps(function)
    def called(b: Builder, /, *args: Any, **kwargs: Any) -> Any:
        made = function(b, *args, **kwargs)
        # what moves nothing is another array, too
        taken = any(made is arg for arg in (*args, *kwargs.values()))
        return b.apart(made, made.strides) if taken and isinstance(made, Tensor) else made

    checked = without_lists(called, lambda _signature: _ARRAYS, "MLX", "mx.array(...)")
    return ignoring(checked, "* stream")


def _reshape(b: Builder, a: Any, /, shape: Any) -> Tensor:
    return b.reshape(as_tensor(b, a), ints(b, shape))


def _reshape_method(b: Builder, x: Tensor, /, *shape: Any) -> Tensor:
    return b.reshape(x, spread(b, shape))


def _flatten(b: Builder, a: Any, /, start_axis: Any = 0, end_axis: Any = -1) -> Tensor:
    x = as_tensor(b, a)
    if not x.rank:
        return b.reshape(x, (1,))
    first, last = b.axis(start_axis, x.rank), b.axis(end_axis, x.rank)
    if first > last:
        raise CodeRefused("argument", _("start_axis must not come after end_axis."))
    return b.reshape(x, (*x.sizes[:first], -1, *x.sizes[last + 1 :]))


def _unflatten(b: Builder, a: Any, /, axis: Any, shape: Any) -> Tensor:
    x = as_tensor(b, a)
    d, parts = b.axis(axis, x.rank), list(ints(b, shape))
    part = b.whole_sizes(control(np.empty(x.sizes[d], np.int64)), parts)
    return b.reshape(x, (*x.sizes[:d], *part, *x.sizes[d + 1 :]))


def _transpose(b: Builder, a: Any, /, axes: Any = None) -> Tensor:
    x = as_tensor(b, a)
    return rules.reversed_axes(b, x) if axes is None else b.transpose(x, ints(b, axes))


def _transpose_method(b: Builder, x: Tensor, /, *axes: Any) -> Tensor:
    return _transpose(b, x, spread(b, axes) if axes else None)


def _moveaxis(b: Builder, a: Any, /, source: Any, destination: Any) -> Tensor:
    return rules.moved_axes(b, as_tensor(b, a), one_int(b, source), one_int(b, destination))


def _swapaxes(b: Builder, a: Any, /, axis1: Any, axis2: Any) -> Tensor:
    return rules.swapped(b, as_tensor(b, a), axis1, axis2)


def _squeeze(b: Builder, a: Any, /, axis: Any = None) -> Tensor:
    return rules.squeezed(b, as_tensor(b, a), axis)


def _expand_dims(b: Builder, a: Any, /, axis: Any) -> Tensor:
    return b.unsqueeze(as_tensor(b, a), ints(b, axis))


def _broadcast_to(b: Builder, a: Any, /, shape: Any) -> Tensor:
    return b.expand(as_tensor(b, a), ints(b, shape))


def _broadcast_arrays(b: Builder, *arrays: Any) -> list[Tensor]:
    return rules.broadcast_all(b, arrays)


def _at_least(rank: int) -> Function:
    def at_least(b: Builder, *arys: Any) -> Any:
        parts = [rules.at_least(b, as_tensor(b, array), rank) for array in arys]
        return parts[0] if len(parts) == 1 else parts

    return at_least


def _tile(b: Builder, a: Any, reps: Any, /) -> Tensor:
    return rules.tiled(b, as_tensor(b, a), ints(b, reps))


def _repeat(b: Builder, array: Any, repeats: Any, axis: Any = None) -> Tensor:
    return rules.repeated(b, as_tensor(b, array), one_int(b, repeats), axis)


def _pad(
    b: Builder, a: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0
) -> Tensor:
    if mode not in (modes := ("constant", "edge", "reflect", "symmetric")):
        raise rules.unknown_mode(mode, modes)
    value = number(constant_values) if mode == "constant" else None
    return pad(b, a, pad_width, mode, constant_values=value)


def _concatenate(b: Builder, arrays: Any, axis: Any = 0) -> Tensor:
    parts = tensors(b, arrays)
    if axis is None:
        parts, axis = [b.reshape(part, (-1,)) for part in parts], 0
    return b.concat(parts, axis)


def _stack(b: Builder, arrays: Any, axis: Any = 0) -> Tensor:
    return stack(b, arrays, axis)


def _split(b: Builder, a: Any, /, indices_or_sections: Any, axis: Any = 0) -> Any:
    return list(rules.equal_parts(b, as_tensor(b, a), indices_or_sections, axis))


def _unstack(b: Builder, x: Any, /, *, axis: Any = 0) -> list[Tensor]:
    return unbind(b, as_tensor(b, x), axis)


def _roll(b: Builder, a: Any, shift: Any, axis: Any = None) -> Tensor:
    return rules.rolled(b, as_tensor(b, a), shift, axis)


def _flip(b: Builder, a: Any, /, axis: Any = None) -> Tensor:
    x = as_tensor(b, a)
    return b.flip(x, range(x.rank) if axis is None else ints(b, axis))


def _take(b: Builder, a: Any, /, indices: Any, axis: Any = None) -> Tensor:
    return rules.taken(b, as_tensor(b, a), indices, axis)


def _take_along_axis(b: Builder, a: Any, /, indices: Any, axis: Any = -1) -> Tensor:
    return rules.taken_along(b, as_tensor(b, a), indices, axis)


def _put_along_axis(b: Builder, a: Any, /, indices: Any, values: Any, axis: Any = None) -> Tensor:
    x = as_tensor(b, a)
    whole = control(np.arange(x.array.size).reshape(x.sizes))
    places = rules.taken_along(b, whole, indices, axis).array
    line = b.reshape(x, (-1,)) if axis is None else x
    new = b.expand(as_tensor(b, values), places.shape)
    return b.reshape(rules.region_written(b, line, new, lambda _whole: control(places)), x.sizes)


def _part(
    b: Builder, x: Tensor, start_indices: Any, axes: Any, sizes: Sequence[int]
) -> tuple[slice, ...]:
    """The part of these sizes that begins at an index of some of the dimensions."""
    starts, along = ints(b, start_indices), b.axes(ints(b, axes), x.rank)
    if len(starts) != len(along) or len(sizes) != x.rank:
        raise CodeRefused(
            "argument",
            _("There must be one start for each of the axes, and one size for each dimension."),
        )
    first = [starts[along.index(d)] if d in along else 0 for d in range(x.rank)]
    if any(not 0 <= s <= n - m for s, n, m in zip(first, x.sizes, sizes, strict=True)):
        raise CodeRefused("sizes", _("The part does not lie within the tensor."))
    return tuple(slice(s, s + m) for s, m in zip(first, sizes, strict=True))


def _slice(b: Builder, a: Any, start_indices: Any, axes: Any, slice_size: Any) -> Tensor:
    x = as_tensor(b, a)
    return get(b, x, _part(b, x, start_indices, axes, ints(b, slice_size)))


def _slice_update(b: Builder, a: Any, update: Any, start_indices: Any, axes: Any) -> Tensor:
    x, new = as_tensor(b, a), as_tensor(b, update)
    part = _part(b, x, start_indices, axes, new.sizes)
    return rules.region_written(b, x, new, lambda t: get(b, t, part))


def _as_strided(
    b: Builder, a: Any, /, shape: Any = None, strides: Any = None, offset: Any = 0
) -> Tensor:
    x = b.copy(as_tensor(b, a))
    sizes = x.sizes if shape is None else ints(b, shape)
    steps = ints(b, strides) if strides is not None else packed(sizes)
    return rules.strided(b, x, sizes, steps, one_int(b, offset))


def _meshgrid(b: Builder, *arrays: Any, sparse: Any = False, indexing: Any = "xy") -> list[Tensor]:
    return creation.grids(b, [as_tensor(b, x) for x in arrays], indexing, sparse)


def _diag(b: Builder, a: Any, /, k: Any = 0) -> Tensor:
    return rules.diagonal_or_matrix(b, as_tensor(b, a), k)


def _diag_method(b: Builder, a: Any, k: Any = 0) -> Tensor:
    return _diag(b, a, k)


def _diagonal(b: Builder, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Tensor:
    return rules.diagonal(b, as_tensor(b, a), offset, axis1, axis2)


def _triangle(lower: bool) -> Function:
    def triangle(b: Builder, x: Any, k: Any = 0) -> Tensor:
        return rules.triangle(b, as_tensor(b, x), k, lower)

    return triangle


def _where(b: Builder, condition: Any, x: Any, y: Any, /) -> Tensor:
    return rules.chosen_by(b, condition, x, y)


def _einsum(b: Builder, subscripts: Any, *operands: Any) -> Tensor:
    return einsum(b, subscripts, *operands)


def _contiguous(b: Builder, a: Any, /, allow_col_major: Any = False) -> Tensor:
    # both orders of memory have the same elements
    return as_tensor(b, a) if allow_col_major else b.copy(as_tensor(b, a))


def _array(b: Builder, val: Any, dtype: Any = None) -> Tensor:
    return numpy_copies.array(b, val, dtype)


def _asarray(b: Builder, a: Any, dtype: Any = None) -> Tensor:
    return numpy_copies.array(b, a, dtype)


def _astype(b: Builder, a: Any, dtype: Any, /) -> Tensor:
    return numpy_copies.astype(b, a, dtype)


def _astype_method(b: Builder, a: Any, dtype: Any) -> Tensor:
    return numpy_copies.astype(b, a, dtype)


def _full(b: Builder, shape: Any, vals: Any, dtype: Any = None) -> Tensor:
    return creation.full(b, shape, vals, dtype)


def _full_like(b: Builder, a: Any, vals: Any, dtype: Any = None) -> Tensor:
    return creation.full_like(b, a, vals, dtype)


def _like(value: int) -> Function:
    def like(b: Builder, a: Any, /, dtype: Any = None) -> Tensor:
        return creation.full_like(b, a, value, dtype)

    return like


def _arange(
    b: Builder, start: Any, stop: Any = None, step: Any = None, dtype: Any = None
) -> Tensor:
    return creation.arange(b, start, stop, step, dtype=dtype)


def _eye(b: Builder, n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Tensor:
    return creation.eye(b, n, m, k, dtype)


def _tri(b: Builder, n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Tensor:
    return creation.tri(b, n, m, k, dtype)


def _linspace(
    b: Builder, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None
) -> Tensor:
    return creation.linspace(b, start, stop, num, endpoint, dtype=dtype)


def _argsort(b: Builder, a: Any, /, axis: Any = -1) -> Tensor:
    return creation.sorted_places(b, a, axis)


def _shifted(back: bool) -> Function:
    def shifted(b: Builder, a: Any, axes: Any = None) -> Tensor:
        return rules.centered(b, as_tensor(b, a), axes, back)

    return shifted


_BY_VALUES = "sort partition argpartition topk argmax argmin searchsorted unique"
_COMPUTES = """abs add subtract multiply divide matmul max min mean sum prod var std exp log sqrt
square softmax sigmoid maximum minimum power cumsum cumprod logsumexp tensordot inner outer kron
round floor ceil sin cos tanh erf convolve conv1d conv2d conv_general addmm trace all any"""

_MOVING: dict[str, Function] = {
    "reshape": _reshape,
    "flatten": _flatten,
    "unflatten": _unflatten,
    **each("", "transpose permute_dims", _transpose),
    "moveaxis": _moveaxis,
    "swapaxes": _swapaxes,
    "matrix_transpose": lambda b, a, /: rules.swapped(b, as_tensor(b, a), -1, -2),
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "broadcast_to": _broadcast_to,
    "broadcast_arrays": _broadcast_arrays,
    **{f"atleast_{rank}d": _at_least(rank) for rank in (1, 2, 3)},
    "tile": _tile,
    "repeat": _repeat,
    "pad": _pad,
    **each("", "concatenate concat", _concatenate),
    "stack": _stack,
    "split": _split,
    "unstack": _unstack,
    "roll": _roll,
    "flip": _flip,
    "take": _take,
    "take_along_axis": _take_along_axis,
    "put_along_axis": _put_along_axis,
    "slice": _slice,
    "slice_update": _slice_update,
    "as_strided": _as_strided,
    "meshgrid": _meshgrid,
    "diag": _diag,
    "diagonal": _diagonal,
    "tril": _triangle(lower=True),
    "triu": _triangle(lower=False),
    "where": _where,
    "einsum": _einsum,
    "contiguous": _contiguous,
    "stop_gradient": rules.same_elements,
    "astype": _astype,
    "full": _full,
    "full_like": _full_like,
    "zeros": creation.filled_with(0),
    "ones": creation.filled_with(1),
    "zeros_like": _like(0),
    "ones_like": _like(1),
    "arange": _arange,
    "eye": _eye,
    "identity": creation.identity,
    "tri": _tri,
    "linspace": _linspace,
    "argsort": _argsort,
    "fft.fftshift": _shifted(back=False),
    "fft.ifftshift": _shifted(back=True),
}

FUNCTIONS: dict[str, Function] = {
    **{f"mlx.core.{name}": _of_arrays(function) for name, function in _MOVING.items()},
    "mlx.core.array": _array,
    "mlx.core.asarray": _asarray,
    **each("mlx.core.", _BY_VALUES, rules.by_values),
    **each("mlx.core.", _COMPUTES, rules.computes),
}

METHODS: dict[str, Function] = {
    **{
        name: _of_arrays(_MOVING[name])
        for name in ("flatten", "moveaxis", "swapaxes", "squeeze", "split", "diagonal")
    },
    "reshape": _of_arrays(_reshape_method),
    "transpose": _of_arrays(_transpose_method),
    "diag": _of_arrays(_diag_method),
    "astype": _of_arrays(_astype_method),
    "tolist": creation.to_list,
    "item": creation.item,
    **each("", "argmax argmin", rules.by_values),
    **each(
        "", "abs max min mean sum prod var std exp log sqrt square cumsum round", rules.computes
    ),
}


def _outside(taken: bool) -> str:
    return _(
        "Index {i} is outside a dimension of size {size}: {first} to {last}. MLX does not check "
        "it, and reads what is there in memory. Only indices inside are shown here."
    )


_SCATTER = "{y} = mx.array({x})\n{y}[tuple(mx.moveaxis({indices}, -1, 0))] = {updates}"

MLX = Library(
    "mlx",
    "MLX",
    names={"mx": "mlx.core"},
    modules={"mlx": "mlx", "mlx.core": "mlx.core", "mlx.core.fft": "mlx.core.fft"},
    functions=FUNCTIONS,
    methods=METHODS,
    attributes={
        "shape": lambda b, x: x.sizes,
        "ndim": lambda b, x: x.rank,
        "size": lambda b, x: x.array.size,
        "T": rules.reversed_axes,
        "mT": lambda b, x: rules.swapped(b, x, -1, -2),
        "dtype": lambda b, x: "",
    },
    constants={
        "mlx.core.newaxis": None,
        "mlx.core.inf": float("inf"),
        "mlx.core.nan": float("nan"),
    },
    unread=("at", "itemsize"),
    other_names=("mx",),
    signs=regex(r"\bmx\.|\bmlx\b"),
    imports="import mlx.core as mx",
    of_list="mx.array",
    line_module="mx",
    prints=("array",),
    names_of=("numpy",),
    conventions=Conventions(has_views=False, reads_masks=False, whole_bits=32, outside=_outside),
    tensors=TensorForms(
        "mx.arange",
        "{counted}.astype(mx.{dtype}).reshape({sizes})",
        "mx.array({array}, dtype=mx.{dtype})",
        "mx.array({elements}, dtype=mx.{dtype})",
        "mx.array({elements}, dtype=mx.{dtype}).reshape({sizes})",
        takes_long=False,
    ),
    forms={
        "Add": "{x} + {other}",
        "Cast": "{x}.astype(mx.{dtype})",
        "Concat": "mx.concatenate({parts}, axis={axis})",
        "ConstantOfShape": "mx.full({sizes}, {value}, dtype=mx.{dtype})",
        "Equal": "{x} == {other}",
        "Expand": "mx.broadcast_to({x}, {sizes})",
        "Gather": "mx.take({x}, {indices}, axis={axis})",
        "GatherElements": "mx.take_along_axis({x}, {indices}, axis={axis})",
        "GatherND": "{x}[tuple(mx.moveaxis({indices}, -1, 0))]",
        "Less": "{x} < {other}",
        "Mul": "{x} * {other}",
        "Pad constant": "mx.pad({x}, {pairs}, constant_values={value})",
        "Pad edge": 'mx.pad({x}, {pairs}, mode="edge")',
        "Pad reflect": 'mx.pad({x}, {pairs}, mode="reflect")',
        "Range": "mx.arange({start}, {limit}, {delta})",
        "Reshape": "{x}.reshape({sizes:bare})",
        "ScatterElements": "mx.put_along_axis({x}, {indices}, {updates}, axis={axis})",
        "ScatterND": _SCATTER,
        "ScatterND deep": _SCATTER,
        "Slice": "{x}[{subscript}]",
        "Slice backward": "{x}[{subscript}]",
        "Split": "mx.split({x}, {cuts:list}, axis={axis})",
        "Sub": "{x} - {other}",
        "Tile": "mx.tile({x}, {repeats})",
        "Transpose": "{x}.transpose({order:bare})",
        "Trilu lower": "mx.tril({x}, {k})",
        "Trilu upper": "mx.triu({x}, {k})",
        "Where": "mx.where({condition}, {x}, {other})",
        "constant": "mx.array({values}, dtype=mx.{dtype})",
    },
    tested=False,
)
