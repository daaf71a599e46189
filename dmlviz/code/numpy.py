"""NumPy: the functions of its array manipulation and indexing routines, and its methods.

Source of the rules: numpy.org/doc/2.4/reference, and NumPy 2.4 itself, which the tests run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import creation, index_numbers, numpy_copies, rules, undefined
from dmlviz.code.arguments import (
    as_tensor,
    flat,
    ints,
    number,
    one_int,
    spread,
    tensors,
    unbind,
)
from dmlviz.code.arguments import stack as stacked
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.einsum import einsum
from dmlviz.code.library import Function, Library, checking, each, ignoring
from dmlviz.code.memory import is_packed
from dmlviz.code.numpy_padding import pad
from dmlviz.code.refusals import CodeRefused, not_an_order, sorts_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import DATA_TYPES, short_text


def _reshaped(b: Builder, x: Tensor, sizes: Sequence[int], order: Any = "C") -> Tensor:
    """A reshape in the order of the last dimension, ``C``, of the first, ``F``, or of memory."""
    if order == "A":
        order = "F" if not x.packed and is_packed(x.sizes[::-1], x.strides[::-1]) else "C"
    if order == "C":
        return b.reshape(x, sizes)
    if order != "F":
        raise CodeRefused(
            "argument", _("order={order} is not read; use C or F.").format(order=short_text(order))
        )
    new = b.whole_sizes(x, sizes)
    line = b.reshape(rules.reversed_axes(b, x), new[::-1])
    return rules.reversed_axes(b, line)


def _reshape(b: Builder, a: Any, shape: Any, order: Any = "C", *, copy: Any = None) -> Tensor:
    x = as_tensor(b, a)
    return numpy_copies.copied_or_not(b, x, _reshaped(b, x, ints(b, shape), order), copy)


def _reshape_method(b: Builder, x: Tensor, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
    return numpy_copies.copied_or_not(b, x, _reshaped(b, x, spread(b, shape), order), copy)


def _ravel(b: Builder, a: Any, order: Any = "C") -> Tensor:
    # unlike that of reshape, the result has no gaps
    line = _reshaped(b, as_tensor(b, a), (-1,), order)
    return line if line.packed else b.copy(line)


def _flatten(b: Builder, x: Tensor, order: Any = "C") -> Tensor:
    return b.copy(_reshaped(b, x, (-1,), order))


def _transpose(b: Builder, a: Any, axes: Any = None, *more: Any) -> Tensor:
    a = as_tensor(b, a)
    if axes is None and not more:
        return rules.reversed_axes(b, a)
    order = spread(b, (axes, *more))
    if more or len(order) == 2 < a.rank:
        call = "swapaxes" if len(order) == 2 < a.rank else "transpose"
        raise not_an_order(a.rank, rules.line_of(b, a, call, order))
    return b.transpose(a, order)


def _transpose_method(b: Builder, x: Tensor, *axes: Any) -> Tensor:
    return _transpose(b, x, None if not axes or axes == (None,) else spread(b, axes))


def _moveaxis(b: Builder, a: Any, source: Any, destination: Any) -> Tensor:
    return rules.moved_axes(b, as_tensor(b, a), source, destination)


def _rollaxis(b: Builder, a: Any, axis: Any, start: Any = 0) -> Tensor:
    a = as_tensor(b, a)
    axis, place = b.axis(axis, a.rank), one_int(b, start)
    place = place + a.rank if place < 0 else place
    order = [d for d in range(a.rank) if d != axis]
    order.insert(place - 1 if axis < place else place, axis)
    return b.transpose(a, order)


def _swapaxes(b: Builder, a: Any, axis1: Any, axis2: Any) -> Tensor:
    return rules.swapped(b, as_tensor(b, a), axis1, axis2)


def _matrix_transpose(b: Builder, x: Any) -> Tensor:
    return rules.swapped(b, as_tensor(b, x), -1, -2)


def _at_least(rank: int) -> Function:
    def at_least(b: Builder, *arys: Any) -> Any:
        parts = [rules.at_least(b, as_tensor(b, array), rank) for array in arys]
        return parts[0] if len(parts) == 1 else parts

    return at_least


def _broadcast_to(b: Builder, array: Any, shape: Any) -> Tensor:
    return b.expand(as_tensor(b, array), ints(b, shape))


def _broadcast_arrays(b: Builder, *args: Any) -> list[Tensor]:
    return rules.broadcast_all(b, args)


def _expand_dims(b: Builder, a: Any, axis: Any) -> Tensor:
    return b.unsqueeze(as_tensor(b, a), ints(b, axis))


def _squeeze(b: Builder, a: Any, axis: Any = None) -> Tensor:
    return rules.squeezed(b, as_tensor(b, a), axis)


def _concatenate(b: Builder, arrays: Any, axis: Any = 0) -> Tensor:
    parts = tensors(b, arrays)
    if axis is None:
        parts, axis = [b.reshape(part, (-1,)) for part in parts], 0
    return b.copy(b.concat(parts, axis))


def _stack(b: Builder, arrays: Any, axis: Any = 0) -> Tensor:
    return stacked(b, arrays, axis)


def _block(b: Builder, arrays: Any) -> Tensor:
    def depth(item: Any) -> int:
        return 1 + max(map(depth, item), default=0) if isinstance(item, list) else 0

    levels = depth(arrays)
    leaves = [as_tensor(b, x) for x in flat(arrays if isinstance(arrays, list) else [arrays])]
    rank = max(levels, *(leaf.rank for leaf in leaves))

    def joined(item: Any, level: int) -> Tensor:
        if not isinstance(item, list):
            x = as_tensor(b, item)
            return b.reshape(x, (1,) * (rank - x.rank) + x.sizes)
        return b.concat([joined(part, level + 1) for part in item], rank - levels + level)

    return b.copy(joined(arrays, 0))


def _parts(axis: int) -> Function:
    def parts(b: Builder, ary: Any, indices_or_sections: Any) -> Any:
        x = as_tensor(b, ary)
        # hsplit divides the only dimension of a line
        return rules.equal_parts(b, x, indices_or_sections, 0 if x.rank == 1 == axis else axis)

    return parts


def _split(b: Builder, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    return rules.equal_parts(b, as_tensor(b, ary), indices_or_sections, axis)


def _array_split(b: Builder, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    return rules.near_equal_parts(b, as_tensor(b, ary), indices_or_sections, axis)


def _unstack(b: Builder, x: Any, /, *, axis: Any = 0) -> list[Tensor]:
    return unbind(b, as_tensor(b, x), axis)


def _tile(b: Builder, A: Any, reps: Any) -> Tensor:  # noqa: N803  NumPy's name
    return rules.tiled(b, as_tensor(b, A), ints(b, reps))


def _repeat(b: Builder, a: Any, repeats: Any, axis: Any = None) -> Tensor:
    return rules.repeated(b, as_tensor(b, a), repeats, axis)


def _on_axis(b: Builder, x: Tensor, axis: Any) -> tuple[Tensor, int]:
    """The tensor and the axis; all elements in a row if there is no axis."""
    return (b.reshape(x, (-1,)), 0) if axis is None else (x, b.axis(axis, x.rank))


def _spots(b: Builder, obj: Any, size: int) -> Any:
    """The places that a slice, a number or a list names, as NumPy takes them."""
    if isinstance(obj, slice):
        return np.arange(size)[obj]
    return b.control_values(as_tensor(b, obj))


def _delete(b: Builder, arr: Any, obj: Any, axis: Any = None) -> Tensor:
    x, axis = _on_axis(b, as_tensor(b, arr), axis)
    size = x.sizes[axis]
    return b.gather(x, axis, control(np.delete(np.arange(size), _spots(b, obj, size))))


def _insert(b: Builder, arr: Any, obj: Any, values: Any, axis: Any = None) -> Tensor:
    x, axis = _on_axis(b, as_tensor(b, arr), axis)
    new, size = as_tensor(b, values), x.sizes[axis]
    spots = _spots(b, obj, size)
    count = spots.size
    if spots.size == 1 and new.rank <= x.rank:
        new = b.reshape(new, (1,) * (x.rank - new.rank) + new.sizes)
        if spots.ndim == 0:
            # the values of a place are those of x[:, 0], whose first dimension is its own
            new = b.transpose(new, [*range(1, axis + 1), 0, *range(axis + 1, x.rank)])
        count = new.sizes[axis]
    # NumPy itself says where the old and the new places are, also if spots do not ascend
    places = np.insert(np.arange(size), spots, -1 - np.arange(count))
    due = (*x.sizes[:axis], count, *x.sizes[axis + 1 :])
    both = b.concat([b.moved(x), b.expand(b.moved(new), due)], axis)
    order = np.where(places < 0, size - 1 - places, places)
    return b.gather(both, axis, control(order))


def _append(b: Builder, arr: Any, values: Any, axis: Any = None) -> Tensor:
    return _concatenate(b, [arr, values], axis)


def _resize(b: Builder, a: Any, new_shape: Any) -> Tensor:
    x, sizes = as_tensor(b, a), ints(b, new_shape)
    b.check(sizes)
    places = np.arange(math.prod(sizes)) % x.array.size
    return b.reshape(b.gather(b.reshape(x, (-1,)), 0, control(places)), sizes)


def _flip(b: Builder, m: Any, axis: Any = None) -> Tensor:
    x = as_tensor(b, m)
    return b.flip(x, range(x.rank) if axis is None else ints(b, axis))


def _roll(b: Builder, a: Any, shift: Any, axis: Any = None) -> Tensor:
    return rules.rolled(b, as_tensor(b, a), shift, axis)


def _rot90(b: Builder, m: Any, k: Any = 1, axes: Any = (0, 1)) -> Tensor:
    return rules.rotated(b, as_tensor(b, m), k, axes)


def take(
    b: Builder, a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise"
) -> Tensor:
    """The places that indices choose; those outside as ``mode`` says: NumPy's ``take``."""
    _check_no_out(out)
    x = as_tensor(b, a)
    if mode == "raise":
        return rules.taken(b, x, indices, axis)
    size = x.array.size if axis is None else x.sizes[b.axis(axis, x.rank)]
    return rules.taken(b, x, inside(b, as_tensor(b, indices), size, mode), axis)


def inside(b: Builder, indices: Tensor, size: int, mode: Any) -> Tensor:
    """Indices within a dimension of this size: those outside wrap around, or become the nearest.

    Raises:
        CodeRefused: the mode is neither ``wrap`` nor ``clip``.
    """
    if mode not in ("wrap", "clip"):
        raise rules.unknown_mode(mode, ("raise", "wrap", "clip"))
    array = b.control_values(indices)
    return control(array % size if mode == "wrap" else np.clip(array, 0, size - 1))


def _with_out(function: Function) -> Function:
    """A function with NumPy's ``out`` as its last parameter, which must stay None."""
    return checking(function, "out", None, _check_no_out)


def _check_no_out(out: Any) -> None:
    if out is not None:
        raise CodeRefused("view", _("out is not read; give the result a name: y = ..."))


def _take_along_axis(b: Builder, arr: Any, indices: Any, axis: Any = -1) -> Tensor:
    return rules.taken_along(b, as_tensor(b, arr), indices, axis)


def _compress(b: Builder, condition: Any, a: Any, axis: Any = None) -> Tensor:
    places = np.flatnonzero(b.control_values(as_tensor(b, condition)))
    return rules.taken(b, as_tensor(b, a), control(places), axis)


def _compress_method(b: Builder, x: Tensor, condition: Any, axis: Any = None) -> Tensor:
    return _compress(b, condition, x, axis)


def _diagonal(b: Builder, a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Tensor:
    return rules.diagonal(b, as_tensor(b, a), offset, axis1, axis2)


def _diag(b: Builder, v: Any, k: Any = 0) -> Tensor:
    return rules.diagonal_or_matrix(b, as_tensor(b, v), k)


def _diagflat(b: Builder, v: Any, k: Any = 0) -> Tensor:
    return rules.diagonal_matrix(b, b.reshape(as_tensor(b, v), (-1,)), k)


def _square(b: Builder, m: Any) -> Tensor:
    """A tensor of two dimensions or more: NumPy repeats a line as the rows of a square."""
    x = as_tensor(b, m)
    return b.expand(x, x.sizes * 2) if x.rank == 1 else x


def _tril(b: Builder, m: Any, k: Any = 0) -> Tensor:
    return rules.triangle(b, _square(b, m), k, lower=True)


def _triu(b: Builder, m: Any, k: Any = 0) -> Tensor:
    return rules.triangle(b, _square(b, m), k, lower=False)


def _where(b: Builder, condition: Any, x: Any = None, y: Any = None, /) -> Tensor:
    if x is None or y is None:
        raise sorts_values()
    return rules.chosen_by(b, condition, x, y)


def _choose(b: Builder, a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Tensor:
    _check_no_out(out)
    index, *parts = rules.broadcast_all(b, [a, *tensors(b, choices)])
    chosen = index if mode == "raise" else inside(b, index, len(parts), mode)
    places = b.control_values(chosen)
    outside = places[(places < 0) | (places >= len(parts))]
    if outside.size:
        raise CodeRefused(
            "sizes",
            _("There is no choice {i}; with mode=raise, choices are 0 to {last}.").format(
                i=outside[0].item(), last=len(parts) - 1
            ),
        )
    layers = stacked(b, parts, 0)
    return b.squeeze(b.gather_elements(layers, 0, control(places[None]), typed=True), [0])


def _select(b: Builder, condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    result = as_tensor(b, default)
    pairs = list(zip(tensors(b, condlist), tensors(b, choicelist), strict=True))
    for condition, choice in reversed(pairs):
        result = b.where(condition, choice, result)
    return result


def _sliding_window_view(
    b: Builder,
    x: Any,
    window_shape: Any,
    axis: Any = None,
    *,
    subok: Any = False,
    writeable: Any = False,
) -> Tensor:
    t, sizes = as_tensor(b, x), ints(b, window_shape)
    axes = list(range(t.rank)) if axis is None else [b.axis(d, t.rank) for d in ints(b, axis)]
    if len(sizes) != len(axes):
        raise CodeRefused("argument", _("There must be one window size for each axis."))
    for d, size in zip(axes, sizes, strict=True):
        t = rules.windows(b, t, d, size, 1)
    return t


def _view(b: Builder, x: Tensor, dtype: Any = None, type: Any = None) -> Tensor:
    """The same tensor; bytes as another type are not shown."""
    if (dtype, type) != (None, None) and dtype != "":
        raise CodeRefused(
            "computes",
            _(
                "x.view(dtype) reads the same bytes as another data type, which is not shown; for "
                "other sizes, use x.reshape(...)."
            ),
        )
    return x


def _item_size(b: Builder) -> int:
    """How many bytes an element has."""
    return DATA_TYPES[b.data_type].dtype.itemsize


def _strides(b: Builder, x: Tensor) -> tuple[int, ...]:
    """NumPy's strides, in bytes."""
    return tuple(_item_size(b) * stride for stride in x.strides)


def _as_strided(
    b: Builder,
    x: Any,
    shape: Any = None,
    strides: Any = None,
    subok: Any = False,
    writeable: Any = True,
) -> Tensor:
    t = as_tensor(b, x)
    steps = ints(b, strides) if strides is not None else _strides(b, t)
    size = _item_size(b)
    if any(step % size for step in steps):
        raise CodeRefused(
            "argument",
            _(
                "Strides are in bytes, and an element of {data_type} has {bytes}. For strides in "
                "elements, write x.itemsize: (2 * x.itemsize, x.itemsize)."
            ).format(data_type=b.data_type, bytes=size),
        )
    sizes = t.sizes if shape is None else ints(b, shape)
    return rules.strided(b, t, sizes, [step // size for step in steps])


def _filled_like(value: int) -> Function:
    def filled_like(
        b: Builder,
        a: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: Any = True,
        shape: Any = None,
    ) -> Tensor:
        return _full_like(b, a, value, dtype, order, subok, shape)

    return filled_like


def _full_like(
    b: Builder,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
) -> Tensor:
    creation.check_order(order)
    return creation.full_like(b, a, fill_value, dtype, shape)


def _item(b: Builder, x: Tensor, /, *args: Any) -> Any:
    """The value of a control tensor at an index; without one, of its only element."""
    return b.control_values(x).item(*spread(b, args)) if args else creation.item(b, x)


def _size(b: Builder, a: Any, axis: Any = None) -> int:
    x = as_tensor(b, a)
    return x.array.size if axis is None else x.sizes[b.axis(axis, x.rank)]


_BY_VALUES = """sort partition argpartition unique trim_zeros extract lexsort
searchsorted"""
_COMPUTES = """mean dot matmul kron outer inner exp log sqrt trace convolve tensordot std var interp
sin cos tanh cross median average percentile gradient isnan vdot"""
_IN_PLACE = "copyto place put putmask fill_diagonal put_along_axis"

FUNCTIONS: dict[str, Function] = {
    **each("numpy.", "reshape", _reshape),
    **each("numpy.", "ravel", _ravel),
    **each("numpy.", "transpose permute_dims", _transpose),
    **each("numpy.", "moveaxis", _moveaxis),
    **each("numpy.", "rollaxis", _rollaxis),
    **each("numpy.", "swapaxes", _swapaxes),
    **each("numpy.", "matrix_transpose linalg.matrix_transpose", _matrix_transpose),
    **{f"numpy.atleast_{rank}d": _at_least(rank) for rank in (1, 2, 3)},
    **each("numpy.", "broadcast_to", ignoring(_broadcast_to, "subok")),
    **each("numpy.", "broadcast_arrays", ignoring(_broadcast_arrays, "* subok")),
    **each("numpy.", "expand_dims", _expand_dims),
    **each("numpy.", "squeeze", _squeeze),
    **numpy_copies.FUNCTIONS,
    **each("numpy.", "concatenate concat", _with_out(_concatenate)),
    **each("numpy.", "stack", _with_out(_stack)),
    **each("numpy.", "vstack row_stack", lambda b, tup: rules.joined_depth(b, tup, 2, 0)),
    **each("numpy.", "hstack", lambda b, tup: rules.joined_rows(b, tup)),
    **each("numpy.", "dstack", lambda b, tup: rules.joined_depth(b, tup, 3, 2)),
    **each("numpy.", "column_stack", lambda b, tup: rules.joined_columns(b, tup)),
    **each("numpy.", "block", _block),
    **each("numpy.", "split", _split),
    **each("numpy.", "array_split", _array_split),
    **{f"numpy.{name}split": _parts(axis) for axis, name in enumerate("vhd")},
    **each("numpy.", "unstack", _unstack),
    **each("numpy.", "tile", _tile),
    **each("numpy.", "repeat", _repeat),
    **each("numpy.", "delete", _delete),
    **each("numpy.", "insert", _insert),
    **each("numpy.", "append", _append),
    **each("numpy.", "resize", _resize),
    "numpy.pad": pad,
    **each("numpy.", "flip", _flip),
    **each("numpy.", "flipud", lambda b, m: _flip(b, m, 0)),
    **each("numpy.", "fliplr", lambda b, m: _flip(b, m, 1)),
    **each("numpy.", "roll", _roll),
    **each("numpy.", "rot90", _rot90),
    **each("numpy.", "take", take),
    **each("numpy.", "take_along_axis", _take_along_axis),
    **each("numpy.", "compress", _with_out(_compress)),
    **each("numpy.", "diagonal", _diagonal),
    **each("numpy.", "diag", _diag),
    **each("numpy.", "diagflat", _diagflat),
    **each("numpy.", "tril", _tril),
    **each("numpy.", "triu", _triu),
    **each("numpy.", "where", _where),
    **each("numpy.", "choose", _choose),
    **each("numpy.", "select", _select),
    **each("numpy.lib.stride_tricks.", "sliding_window_view", _sliding_window_view),
    **each("numpy.lib.stride_tricks.", "as_strided", _as_strided),
    "numpy.zeros": ignoring(creation.with_order(creation.filled_with(0)), "* device like"),
    "numpy.ones": ignoring(creation.with_order(creation.filled_with(1)), "* device like"),
    "numpy.zeros_like": ignoring(_filled_like(0), "* device"),
    "numpy.ones_like": ignoring(_filled_like(1), "* device"),
    "numpy.full": ignoring(creation.with_order(creation.full), "* device like"),
    "numpy.full_like": ignoring(_full_like, "* device"),
    "numpy.arange": ignoring(creation.arange, "* device like"),
    "numpy.linspace": ignoring(creation.linspace, "* device"),
    "numpy.eye": ignoring(creation.with_order(creation.eye), "* device like"),
    "numpy.identity": ignoring(creation.identity, "* like"),
    "numpy.tri": ignoring(creation.tri, "* like"),
    "numpy.ix_": creation.ix_,
    "numpy.meshgrid": creation.meshgrid,
    "numpy.fft.fftshift": lambda b, x, axes=None: rules.centered(b, as_tensor(b, x), axes, False),
    "numpy.fft.ifftshift": lambda b, x, axes=None: rules.centered(b, as_tensor(b, x), axes, True),
    "numpy.argsort": creation.argsort,
    **each("numpy.", "shape", lambda b, a: as_tensor(b, a).sizes),
    **each("numpy.", "ndim", lambda b, a: as_tensor(b, a).rank),
    **each("numpy.", "size", _size),
    **each("numpy.", _BY_VALUES, rules.by_values),
    "numpy.einsum": ignoring(einsum, "* optimize"),
    **{f"numpy.{name}": function for name, function in index_numbers.NUMPY.items()},
    **each("numpy.", _COMPUTES, rules.computes),
    **each("numpy.", _IN_PLACE, rules.in_place),
    "numpy.empty": ignoring(creation.with_order(undefined.empty), "* device like"),
    "numpy.empty_like": ignoring(undefined.empty_like, "* device"),
}

METHODS: dict[str, Function] = {
    **{
        name: FUNCTIONS[f"numpy.{name}"]
        for name in ["ravel", "swapaxes", "squeeze", "repeat", "take", "diagonal", "argsort"]
    },
    "reshape": _reshape_method,
    "flatten": _flatten,
    "transpose": _transpose_method,
    **numpy_copies.METHODS,
    **each("", "conj conjugate", rules.same_elements),
    "to_device": ignoring(rules.same_elements, "device * stream"),
    "view": _view,
    "compress": _with_out(_compress_method),
    "tolist": creation.to_list,
    "item": _item,
    **each("", _BY_VALUES, rules.by_values),
    **index_numbers.NUMPY_METHODS,
    **each("", _COMPUTES, rules.computes),
    **each("", "put fill resize", rules.in_place),
}

ATTRIBUTES: dict[str, Function] = {
    "shape": lambda b, x: x.sizes,
    "ndim": lambda b, x: x.rank,
    "size": lambda b, x: x.array.size,
    "T": rules.reversed_axes,
    "mT": lambda b, x: rules.swapped(b, x, -1, -2),
    "flat": rules.flat,
    "itemsize": lambda b, x: _item_size(b),
    "dtype": lambda b, x: "",
    "strides": _strides,
}

MATH: dict[str, Function] = {
    "math.prod": lambda b, iterable: rules.whole_product(b, iterable),
    "math.ceil": lambda b, x: math.ceil(number(x)),
    "math.floor": lambda b, x: math.floor(number(x)),
    "math.sqrt": lambda b, x: math.sqrt(number(x)),
    "math.isqrt": lambda b, n: math.isqrt(one_int(b, n)),
    "math.gcd": lambda b, *integers: math.gcd(*(one_int(b, n) for n in integers)),
}
"""Python's own functions of numbers."""

NUMPY = Library(
    "numpy",
    "NumPy",
    names={"np": "numpy", "numpy": "numpy"},
    modules={
        "numpy": "numpy",
        "numpy.lib": "numpy.lib",
        "numpy.lib.stride_tricks": "numpy.lib.stride_tricks",
        "numpy.linalg": "numpy.linalg",
        "numpy.fft": "numpy.fft",
    },
    functions=FUNCTIONS,
    methods=METHODS,
    attributes=ATTRIBUTES,
    unread=("data", "device"),
    constants={
        "numpy.newaxis": None,
        "numpy.nan": math.nan,
        "numpy.inf": math.inf,
        **{f"numpy.{name}": of for name, of in index_numbers.SUBSCRIPTED.items()},
    },
    other_names=("np",),
    signs=regex(r"\b(np|numpy)\."),
    imports="import numpy as np",
    line_module="np",
    prints=("array", "matrix"),
    forms={
        "Tile": "np.tile({x}, {repeats})",
        "Concat": "np.concatenate({parts}, axis={axis})",
        "ConstantOfShape": "np.full({sizes}, {value}, dtype=np.{dtype})",
    },
    conventions=Conventions(repeats_writable=False, scalars_apart=True, float_bits=64),
)
