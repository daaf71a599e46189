"""JAX: NumPy's functions as ``jnp``, its own in ``jax.lax``, and ``x.at[...]``.

Source of the rules: JAX 0.10, whose answers the tests hold.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import creation, index_numbers, numpy, numpy_copies, rules
from dmlviz.code.arguments import as_tensor, ints, number, one_int, typed
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.indexing import get, put
from dmlviz.code.library import At, Function, IndexedPart, Library, each, ignoring, without_lists
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.operators.code.base import Case, Snippet, with_file
from dmlviz.tensors import short_text

_ARRAYS = "a x m v A arr array ary condition indices obj repeats values y"
"""NumPy's names of parameters for which JAX takes arrays, and no lists."""

_NOT_IN_JAX = """asanyarray asarray_chkfinite require ascontiguousarray asfortranarray row_stack
lib.stride_tricks.sliding_window_view lib.stride_tricks.as_strided copyto place put putmask
fill_diagonal put_along_axis fft.fftshift fft.ifftshift tril_indices_from triu_indices_from"""
"""NumPy's functions that JAX does not have, or has without the effect on their argument."""


def _of_arrays(function: Function) -> Function:
    """A function of NumPy that refuses lists where JAX does."""
    if function in rules.REFUSING:
        return function
    return without_lists(function, lambda _signature: _ARRAYS, "JAX", "jnp.array(...)")


def _empty_like(b: Builder, prototype: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """JAX's new tensors are zeros, whatever is asked for."""
    made: Tensor = creation.filled_like(0)(b, prototype, dtype, shape)
    return made


def _take(
    b: Builder,
    a: Any,
    indices: Any,
    axis: Any = None,
    out: Any = None,
    mode: Any = None,
    unique_indices: Any = False,
    indices_are_sorted: Any = False,
) -> Tensor:
    if mode not in (None, "fill", "wrap", "clip"):
        raise rules.unknown_mode(mode, ("fill", "wrap", "clip"))
    # what the mode fill puts there is no element, and indices outside are refused
    return numpy.take(b, a, indices, axis, out, "raise" if mode in (None, "fill") else mode)


def _repeat(
    b: Builder, a: Any, repeats: Any, axis: Any = None, *, total_repeat_length: Any = None
) -> Tensor:
    x = as_tensor(b, a)
    if total_repeat_length is None:
        return rules.repeated(b, x, repeats, axis)
    x, axis = (b.reshape(x, (-1,)), 0) if axis is None else (x, b.axis(axis, x.rank))
    counts, size, total = ints(b, repeats), x.sizes[axis], one_int(b, total_repeat_length)
    if len(counts) not in (1, size) or min(counts) < 0:
        raise rules.unfit_repeats(len(counts), size)
    b.check((*x.sizes[:axis], total, *x.sizes[axis + 1 :]))
    # JAX cuts what is too long, and repeats the last element where it is too short
    places = [
        k for k, n in enumerate(counts * (size // len(counts))) for _k in range(min(n, total))
    ]
    return b.gather(x, axis, control((places + [size - 1] * total)[:total]))


def _argsort(
    b: Builder, a: Any, axis: Any = -1, *, stable: Any = True, descending: Any = False
) -> Tensor:
    return creation.sorted_places(b, a, axis, descending)


def _concat(b: Builder, arrays: Any, /, *, axis: Any = 0) -> Tensor:
    made: Tensor = _numpy("concatenate")(b, arrays, axis)
    return made


def _numpy(name: str) -> Function:
    """NumPy's function or method, without the parameters that only NumPy has."""
    every = numpy.METHODS if name.startswith(".") else numpy.FUNCTIONS
    function: Function = inspect.unwrap(
        every[name[1:] if name.startswith(".") else f"numpy.{name}"]
    )
    return function


def _array(
    b: Builder,
    object: Any,
    dtype: Any = None,
    copy: Any = True,
    order: Any = "K",
    ndmin: Any = 0,
) -> Tensor:
    return numpy_copies.array(b, object, dtype, copy=copy, order=order, ndmin=ndmin)


def _astype_method(b: Builder, x: Tensor, dtype: Any = None, copy: Any = False) -> Tensor:
    made = numpy_copies.astype(b, x, dtype)
    return made if copy or not made.moving else x


def _reshape_method(b: Builder, x: Tensor, *args: Any, order: Any = "C") -> Tensor:
    made: Tensor = _numpy(".reshape")(b, x, *args, order=order)
    return made


def _permute_dims(b: Builder, x: Any, /, axes: Any) -> Tensor:
    return b.transpose(as_tensor(b, x), ints(b, axes))


def _arange(
    b: Builder, start: Any, stop: Any = None, step: Any = None, dtype: Any = None
) -> Tensor:
    return creation.arange(b, start, stop, step, dtype=dtype)


def _convert_element_type(b: Builder, operand: Any, new_dtype: Any) -> Tensor:
    return numpy_copies.astype(b, operand, new_dtype)


def _triangle(lower: bool) -> Function:
    def triangle(b: Builder, m: Any, k: Any = 0) -> Tensor:
        # NumPy makes a square of a line; JAX does not
        return rules.triangle(b, as_tensor(b, m), k, lower)

    return _of_arrays(triangle)


def _rev(b: Builder, operand: Any, dimensions: Any) -> Tensor:
    return b.flip(as_tensor(b, operand), ints(b, dimensions))


def _transpose(b: Builder, operand: Any, permutation: Any) -> Tensor:
    return b.transpose(as_tensor(b, operand), ints(b, permutation))


def _reshape(b: Builder, operand: Any, new_sizes: Any, dimensions: Any = None) -> Tensor:
    x = as_tensor(b, operand)
    if dimensions is not None:
        x = b.transpose(x, ints(b, dimensions))
    return b.reshape(x, ints(b, new_sizes))


def _broadcast(b: Builder, operand: Any, sizes: Any) -> Tensor:
    x = as_tensor(b, operand)
    return b.expand(x, (*ints(b, sizes), *x.sizes))


def _broadcast_in_dim(b: Builder, operand: Any, shape: Any, broadcast_dimensions: Any) -> Tensor:
    x, new = as_tensor(b, operand), ints(b, shape)
    axes = b.axes(ints(b, broadcast_dimensions), len(new)) if x.rank else []
    if len(axes) != x.rank or axes != sorted(axes):
        raise CodeRefused(
            "argument",
            _("There must be one axis of the result, in ascending order, for each dimension."),
        )
    sizes = [1] * len(new)
    for axis, n in zip(axes, x.sizes, strict=True):
        sizes[axis] = n
    return b.expand(b.reshape(x, sizes), new)


def _concatenate(b: Builder, operands: Any, dimension: Any) -> Any:
    return numpy.FUNCTIONS["numpy.concatenate"](b, operands, one_int(b, dimension))


def _slice(
    b: Builder, operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None
) -> Tensor:
    x = as_tensor(b, operand)
    starts, ends = ints(b, start_indices), ints(b, limit_indices)
    steps = (1,) * x.rank if strides is None else ints(b, strides)
    if not len(starts) == len(ends) == len(steps) == x.rank or min((*steps, 1)) < 1:
        raise _parts_do_not_fit(x)
    for start, end, n in zip(starts, ends, x.sizes, strict=True):
        if not 0 <= start <= end <= n:
            raise _parts_do_not_fit(x)
    return get(b, x, tuple(map(slice, starts, ends, steps)))


def _parts_do_not_fit(x: Tensor) -> CodeRefused:
    return CodeRefused(
        "sizes",
        _("There must be a start, an end and a step within each of {rank} dimensions.").format(
            rank=x.rank
        ),
    )


def _slice_in_dim(
    b: Builder, operand: Any, start_index: Any, limit_index: Any, stride: Any = 1, axis: Any = 0
) -> Tensor:
    x = as_tensor(b, operand)
    key = slice(start_index, limit_index, one_int(b, stride))
    return get(b, x, (*[slice(None)] * b.axis(axis, x.rank), key))


def _index_in_dim(
    b: Builder, operand: Any, index: Any, axis: Any = 0, keepdims: Any = True
) -> Tensor:
    x = as_tensor(b, operand)
    axis = b.axis(axis, x.rank)
    selected = rules.selected(b, x, axis, index)
    return b.unsqueeze(selected, [axis]) if keepdims else selected


def _starts(b: Builder, x: Tensor, start_indices: Any, sizes: Sequence[int]) -> tuple[int, ...]:
    """Where a part of these sizes begins: JAX moves what reaches beyond the end inside."""
    starts = ints(b, start_indices)
    if len(starts) != x.rank or len(sizes) != x.rank:
        raise _parts_do_not_fit(x)
    counted = (s + n if s < 0 else s for s, n in zip(starts, x.sizes, strict=True))
    return tuple(
        min(max(start, 0), n - size) for start, n, size in zip(counted, x.sizes, sizes, strict=True)
    )


def _dynamic_slice(b: Builder, operand: Any, start_indices: Any, slice_sizes: Any) -> Tensor:
    x, sizes = as_tensor(b, operand), ints(b, slice_sizes)
    starts = _starts(b, x, start_indices, sizes)
    if any(not 0 < size <= n for size, n in zip(sizes, x.sizes, strict=True)):
        raise _parts_do_not_fit(x)
    return b.slice(
        x, [(d, s, s + n, 1) for d, (s, n) in enumerate(zip(starts, sizes, strict=True))]
    )


def _dynamic_slice_in_dim(
    b: Builder, operand: Any, start_index: Any, slice_size: Any, axis: Any = 0
) -> Tensor:
    x = as_tensor(b, operand)
    axis, size = b.axis(axis, x.rank), one_int(b, slice_size)
    sizes = [size if d == axis else n for d, n in enumerate(x.sizes)]
    starts = [one_int(b, start_index) if d == axis else 0 for d in range(x.rank)]
    return _dynamic_slice(b, x, starts, sizes)


def _dynamic_update_slice(b: Builder, operand: Any, update: Any, start_indices: Any) -> Tensor:
    x, new = as_tensor(b, operand), as_tensor(b, update)
    starts = _starts(b, x, start_indices, new.sizes)
    ends = (s + n for s, n in zip(starts, new.sizes, strict=True))
    key = tuple(map(slice, starts, ends))
    return rules.region_written(b, x, new, lambda t: get(b, t, key))


def _dynamic_update_slice_in_dim(
    b: Builder, operand: Any, update: Any, start_index: Any, axis: Any
) -> Tensor:
    x = as_tensor(b, operand)
    at = b.axis(axis, x.rank)
    starts = [one_int(b, start_index) if d == at else 0 for d in range(x.rank)]
    return _dynamic_update_slice(b, x, update, starts)


def _pad(b: Builder, operand: Any, padding_value: Any, padding_config: Any) -> Tensor:
    """Padding on both sides, which may be negative, and between neighbors."""
    x, value = as_tensor(b, operand), number(padding_value)
    triples = [ints(b, triple) for triple in padding_config]
    if len(triples) != x.rank or any(len(t) != 3 or t[2] < 0 for t in triples):
        raise CodeRefused(
            "argument",
            _("There must be three numbers (low, high, interior) for each of {rank} axes.").format(
                rank=x.rank
            ),
        )
    sizes = [n + (n - 1) * inner for n, (_b, _a, inner) in zip(x.sizes, triples, strict=True)]
    if tuple(sizes) != x.sizes:
        b.check(sizes)
        apart = b.moved(control(np.full(sizes, value)))
        key = tuple(slice(None, None, inner + 1) for _b, _a, inner in triples)
        x = put(b, apart, key, x)
    return b.pad(x, [t[0] for t in triples], [t[1] for t in triples], "constant", value)


def _squeeze(b: Builder, array: Any, dimensions: Any) -> Any:
    return numpy.FUNCTIONS["numpy.squeeze"](b, array, ints(b, dimensions))


def _expand_dims(b: Builder, array: Any, dimensions: Any) -> Tensor:
    return b.unsqueeze(as_tensor(b, array), ints(b, dimensions))


def _collapse(b: Builder, operand: Any, start_dimension: Any, stop_dimension: Any = None) -> Tensor:
    x = as_tensor(b, operand)
    start, stop, _step = slice(start_dimension, stop_dimension).indices(x.rank)
    if start >= stop:
        raise CodeRefused("argument", _("stop_dimension must come after start_dimension."))
    return b.reshape(x, (*x.sizes[:start], -1, *x.sizes[stop:]))


def _split(b: Builder, operand: Any, sizes: Any, axis: Any = 0) -> Any:
    return b.split(as_tensor(b, operand), ints(b, sizes), axis)


def _select(b: Builder, pred: Any, on_true: Any, on_false: Any) -> Tensor:
    sizes = [as_tensor(b, item).sizes for item in (pred, on_true, on_false)]
    if sizes[1] != sizes[2] or sizes[0] not in ((), sizes[1]):
        raise CodeRefused("sizes", _("lax.select broadcasts nothing; use jnp.where."))
    return rules.chosen_by(b, pred, on_true, on_false)


def _iota(b: Builder, dtype: Any, size: Any) -> Tensor:
    b.check((one_int(b, size),))
    return control(typed(np.arange(one_int(b, size)), dtype))


def _broadcasted_iota(b: Builder, dtype: Any, shape: Any, dimension: Any) -> Tensor:
    sizes = ints(b, shape)
    b.check(sizes)
    return control(typed(np.indices(sizes)[b.axis(dimension, len(sizes))], dtype))


def _full(b: Builder, shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return control(typed(rules.filled(b, ints(b, shape), fill_value), dtype))


def _set(
    b: Builder,
    part: IndexedPart,
    values: Any,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
) -> Tensor:
    return put(b, part.tensor, part.key, values)


def _get(
    b: Builder,
    part: IndexedPart,
    *,
    indices_are_sorted: Any = False,
    unique_indices: Any = False,
) -> Tensor:
    return get(b, part.tensor, part.key)


_COMPUTES = """add sub mul div max min dot dot_general exp log sqrt rsqrt tanh abs neg pow
integer_pow conv conv_general_dilated reduce reduce_sum reduce_max reduce_min reduce_window cumsum
cumprod cummax cummin batch_matmul clamp erf sin cos floor ceil round sign scatter_add logistic"""


def _clip(b: Builder, x: Any = None, /, min: Any = None, max: Any = None) -> Tensor:
    return index_numbers.clipped(b, x, min, max)


def _image_resize(b: Builder, image: Any, shape: Any, method: Any, antialias: Any = True) -> Tensor:
    """``jax.image.resize``: of the methods, ``nearest`` copies elements."""
    x, sizes = as_tensor(b, image), ints(b, shape)
    if method != "nearest":
        raise CodeRefused(
            "computes",
            _("method={method} computes new values; only nearest copies elements.").format(
                method=short_text(method)
            ),
        )
    if len(sizes) != x.rank:
        raise CodeRefused(
            "sizes",
            _("shape has {count} sizes, the tensor {rank}.").format(count=len(sizes), rank=x.rank),
        )
    b.check(sizes)
    for d, (old, new) in enumerate(zip(x.sizes, sizes, strict=True)):
        if old != new:
            # in JAX's own type, which rounds
            middles = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old)
            places = np.floor(middles / np.float32(new)).astype(np.int64)
            x = b.gather(x, d, control(places))
    return x


FUNCTIONS: dict[str, Function] = {
    **{
        f"jax.{name}": _of_arrays(_numpy(name.removeprefix("numpy.")))
        for name in numpy.FUNCTIONS
        if name.removeprefix("numpy.") not in _NOT_IN_JAX.split()
    },
    "jax.numpy.einsum": rules.computes,
    "jax.numpy.take": _of_arrays(_take),
    "jax.numpy.repeat": _of_arrays(ignoring(_repeat, "* out_sharding")),
    "jax.numpy.argsort": _of_arrays(_argsort),
    "jax.numpy.array": ignoring(_array, "* device out_sharding"),
    "jax.numpy.asarray": ignoring(numpy_copies.asarray, "* device out_sharding"),
    "jax.numpy.permute_dims": _of_arrays(_permute_dims),
    "jax.numpy.concat": _of_arrays(_concat),
    **{
        f"jax.numpy.{name}": ignoring(_of_arrays(_numpy(name)), "* device out_sharding")
        for name in ("zeros", "ones", "full")
    },
    **{
        f"jax.numpy.{name}_like": ignoring(_of_arrays(function), "* device out_sharding")
        for name, function in {
            "zeros": creation.filled_like(0),
            "ones": creation.filled_like(1),
            "full": creation.full_like,
        }.items()
    },
    "jax.numpy.empty": ignoring(_of_arrays(_numpy("zeros")), "* device out_sharding"),
    "jax.numpy.empty_like": ignoring(_of_arrays(_empty_like), "* device"),
    "jax.numpy.arange": ignoring(_arange, "* device out_sharding"),
    "jax.numpy.tril": _triangle(lower=True),
    "jax.numpy.triu": _triangle(lower=False),
    "jax.lax.rev": _rev,
    "jax.lax.transpose": _transpose,
    "jax.lax.reshape": _reshape,
    "jax.lax.broadcast": _broadcast,
    "jax.lax.broadcast_in_dim": _broadcast_in_dim,
    "jax.lax.concatenate": _concatenate,
    "jax.lax.slice": _slice,
    "jax.lax.slice_in_dim": _slice_in_dim,
    "jax.lax.index_in_dim": _index_in_dim,
    "jax.lax.dynamic_slice": _dynamic_slice,
    "jax.lax.dynamic_slice_in_dim": _dynamic_slice_in_dim,
    "jax.lax.dynamic_update_slice": _dynamic_update_slice,
    "jax.lax.dynamic_update_slice_in_dim": _dynamic_update_slice_in_dim,
    "jax.lax.pad": _pad,
    "jax.lax.squeeze": _squeeze,
    "jax.lax.expand_dims": _expand_dims,
    "jax.lax.collapse": _collapse,
    "jax.lax.split": _split,
    "jax.lax.select": _select,
    "jax.lax.iota": _iota,
    "jax.lax.broadcasted_iota": _broadcasted_iota,
    "jax.lax.full": _full,
    "jax.lax.convert_element_type": _convert_element_type,
    **each("jax.lax.", "stop_gradient optimization_barrier", rules.same_elements),
    **each("jax.lax.", "sort top_k argmax argmin approx_max_k", rules.by_values),
    **each("jax.lax.", _COMPUTES, rules.computes),
    **each("jax.nn.", "relu softmax sigmoid gelu silu log_softmax tanh", rules.computes),
    "jax.numpy.clip": _clip,
    "jax.numpy.unravel_index": index_numbers.TORCH_FUNCTIONS["unravel_index"],
    "jax.image.resize": ignoring(_image_resize, "precision"),
    "jax.device_put": ignoring(rules.same_elements, "device * src donate may_alias"),
}

METHODS: dict[str, Function] = {
    **{
        name: _of_arrays(_numpy(f".{name}"))
        for name, function in numpy.METHODS.items()
        if function is not rules.in_place
    },
    "take": _of_arrays(_take),
    "repeat": _of_arrays(ignoring(_repeat, "* out_sharding")),
    "argsort": _of_arrays(_argsort),
    "copy": rules.copied_in_order,
    "astype": ignoring(_astype_method, "device"),
    "reshape": ignoring(_reshape_method, "* out_sharding"),
    "block_until_ready": rules.same_elements,
    "to_device": ignoring(rules.same_elements, "device * stream"),
}

_WRITE = regex(r"^(\w+)\[(.+)\] = (.+)$", re.MULTILINE)
_PUT = regex(r"^np\.put_along_axis\((\w+),(.+)\)$", re.MULTILINE)
_LOAD = regex(r"np\.load\(.+\)\[.+\]")
_X64 = 'jax.config.update("jax_enable_x64", True)'
_NOT_WRITTEN = regex(r"np\.lib\.(?:\w+\.)*(\w+)")


def _from_numpy(case: Case, numpy: Snippet) -> Snippet:
    """JAX's code, which is NumPy's but that arrays are never changed: a write makes a new one.

    ``jax.numpy`` has the functions and parameters of NumPy's by the same names. Types of 64 bits
    are 32 bits wide in JAX unless it is told otherwise.
    """
    if not numpy.body:
        return Snippet("jax", note=numpy.note)
    if missing := _NOT_WRITTEN.search(numpy.body):
        return Snippet("jax", note=_("JAX has no {function}.").format(function=missing[1]))
    body = _WRITE.sub(r"\1 = \1.at[\2].set(\3)", numpy.body)
    body = _PUT.sub(r"\1 = np.put_along_axis(\1,\2, inplace=False)", body)
    body = body.replace('kind="stable"', "stable=True")
    make_x = _LOAD.sub(lambda load: f"jnp.asarray({load[0]})", numpy.make_x)
    imports = ["import jax", _X64] if "64" in make_x + body else []
    imports += ["import numpy as np"] if make_x != numpy.make_x else []
    return Snippet(
        "jax",
        "\n".join([*imports, "import jax.numpy as jnp"]),
        re.sub(r"\bnp\.(?!load)", "jnp.", make_x),
        re.sub(r"\bnp\.", "jnp.", body),
        with_file(case, ""),
    )


def _outside(taken: bool) -> str:
    if taken:
        return _(
            "Index {i} is outside a dimension of size {size}: {first} to {last}. JAX does not "
            'refuse it: with its default mode="fill", this call puts NaN there, and in a type of '
            "integers its largest or smallest number. Only indices inside are shown here."
        )
    return _(
        "Index {i} is outside a dimension of size {size}: {first} to {last}. JAX does not "
        "refuse it: x[...] takes the nearest element, and x.at[...].set drops the update. Only "
        "indices inside are shown here."
    )


JAX = Library(
    "jax",
    "JAX",
    names={"jnp": "jax.numpy", "lax": "jax.lax", "jax": "jax"},
    modules={
        name: name
        for name in ("jax", "jax.numpy", "jax.numpy.linalg", "jax.lax", "jax.nn", "jax.image")
    },
    functions=FUNCTIONS,
    methods=METHODS,
    attributes={
        **{name: of for name, of in numpy.ATTRIBUTES.items() if name != "strides"},
        "at": lambda b, x: At(x),
    },
    constants={
        "jax.numpy.newaxis": None,
        **{f"jax.numpy.{name}": of for name, of in index_numbers.SUBSCRIPTED.items()},
    },
    members={
        IndexedPart: {
            "set": _set,
            "get": _get,
            **each("", "add subtract multiply mul divide power min max apply", rules.computes),
        }
    },
    instead="x.at[...].set(...)",
    unread=("device",),
    other_names=("jnp",),
    signs=regex(r"\b(jax|jnp|lax)\.|\.at\["),
    imports="import jax.numpy as jnp",
    of_list="jnp.array",
    prints=("Array", "DeviceArray"),
    names_of=("numpy",),
    from_numpy=_from_numpy,
    tested=False,
    # numbers have 32 bits unless users ask for 64
    conventions=Conventions(
        list_indices="none", unsorted_cuts=False, whole_bits=32, outside=_outside
    ),
)
