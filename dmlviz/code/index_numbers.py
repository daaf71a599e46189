"""Functions that compute numbers, read where the numbers of their tensors are known.

Such a tensor is one of indices, a mask, or another list of numbers of the code itself: what is
computed from it says where elements go, and is no element of a result. Of a tensor whose elements
move, the same functions make new values, which are refused.

Source of the rules: each library itself, which the tests run where it is installed. NumPy computes
the numbers of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor, ints, one_int, typed
from dmlviz.code.builder import OWN_COST, Builder
from dmlviz.code.library import Function, each
from dmlviz.code.refusals import CodeRefused, NewValues, sorts_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Array

_POWERS_OF_TEN = 400


def computed(b: Builder, function: Callable[..., Any], *operands: Any, **options: Any) -> Tensor:
    """What a function of NumPy computes from numbers and from the numbers of tensors.

    Args:
        b: the builder.
        function: of arrays; element by element if it takes several.
        operands: tensors, numbers and lists of numbers.
        options: other arguments of the function, as they are.

    Raises:
        CodeRefused: elements of one of the tensors move, the sizes do not fit, or NumPy refuses
            the arguments.
    """
    known = [x if isinstance(x, int | float) else as_tensor(b, x) for x in operands]
    tensors = [operand for operand in known if isinstance(operand, Tensor)]
    if any(tensor.moving and tensor.values is None for tensor in tensors):
        raise NewValues()
    b.broadcast_sizes(tensors)
    arrays = [b.control_values(x) if isinstance(x, Tensor) else x for x in known]
    with np.errstate(all="ignore"):
        try:
            array = function(*arrays, **options)
        except (TypeError, ValueError, IndexError) as error:
            raise _refused(error) from None
    return b.derived(array, *tensors)


def _refused(error: Exception) -> CodeRefused:
    return CodeRefused(
        "argument",
        _("NumPy refuses these numbers: {reason}.").format(
            reason=short_text(str(error).strip().rstrip("."))
        ),
    )


def unary(function: Callable[[Array], Any]) -> Function:
    """A function of each number."""
    return lambda b, x, /: computed(b, function, x)


def binary(function: Callable[[Any, Any], Any]) -> Function:
    """A function of each pair of numbers."""
    return lambda b, x1, x2, /: computed(b, function, x1, x2)


def reduced(function: Callable[..., Any]) -> Function:
    """A sum or another function of the numbers along dimensions."""

    def reduction(b: Builder, a: Any, axis: Any = None, *, keepdims: Any = False) -> Tensor:
        return computed(b, function, a, axis=axes(b, axis), keepdims=bool(keepdims))

    return reduction


def axes(b: Builder, axis: Any) -> int | tuple[int, ...] | None:
    """Dimensions as NumPy takes them: none, one or several."""
    if axis is None or isinstance(axis, int):
        return axis
    return ints(b, axis)


def of_numbers(function: Callable[..., Any]) -> Function:
    """A place that a function finds by its number, such as ``argmax``; of elements that move, it is
    refused."""

    def place(b: Builder, a: Any, axis: Any = None, *, keepdims: Any = False) -> Tensor:
        if as_tensor(b, a).moving:
            raise sorts_values()
        return computed(b, function, a, axis=axes(b, axis), keepdims=bool(keepdims))

    return place


def accumulated(function: Callable[..., Any]) -> Function:
    """A sum or product of the numbers up to each one."""

    def accumulation(b: Builder, a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
        made = computed(b, function, a, axis=None if axis is None else one_int(b, axis))
        return b.derived(typed(made.array, dtype), made)

    return accumulation


def _clip(
    b: Builder,
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Tensor:
    return clipped(b, a, a_min if min is None else min, a_max if max is None else max)


def clipped(b: Builder, a: Any, lowest: Any, highest: Any) -> Tensor:
    """Numbers that are at least the one and at most the other; None for no limit."""
    if lowest is not None and highest is not None:
        return computed(b, np.clip, a, lowest, highest)
    if lowest is not None:
        return computed(b, np.maximum, a, lowest)
    return computed(b, np.asarray, a) if highest is None else computed(b, np.minimum, a, highest)


def _round(b: Builder, a: Any, decimals: Any = 0) -> Tensor:
    # NumPy multiplies by ten so often, and beyond this a power of ten is infinite
    places = max(-_POWERS_OF_TEN, min(one_int(b, decimals), _POWERS_OF_TEN))
    return computed(b, np.round, a, decimals=places)


def _diff(b: Builder, a: Any, n: Any = 1, axis: Any = -1) -> Tensor:
    x = as_tensor(b, a)
    # NumPy goes on when nothing is left
    times = min(one_int(b, n), max(x.sizes, default=0))
    return computed(b, np.diff, x, n=times, axis=one_int(b, axis))


def _nonzero(b: Builder, a: Any) -> tuple[Tensor, ...]:
    return tuple(lines_of(b, argwhere(b, a)))


def argwhere(b: Builder, a: Any) -> Tensor:
    """The indices of the numbers that are not zero, one in each row."""
    x = as_tensor(b, a)
    if x.moving and x.values is None:
        raise sorts_values()
    return computed(b, np.argwhere, x)


def lines_of(b: Builder, table: Tensor) -> list[Tensor]:
    """The columns of a table of numbers."""
    return [b.derived(column, table) for column in table.array.T]


def _flatnonzero(b: Builder, a: Any) -> Tensor:
    return b.reshape(argwhere(b, b.reshape(as_tensor(b, a), (-1,))), (-1,))


def triangle(b: Builder, function: Callable[..., Any], n: Any, k: Any, m: Any) -> Array:
    """The indices of a matrix's lower or upper triangle, one line of them a dimension."""
    rows, columns = one_int(b, n), one_int(b, n if m is None else m)
    b.check((rows, columns), cost=OWN_COST)
    return np.array(function(rows, one_int(b, k), columns))


def _triangle(function: Callable[..., Any]) -> Function:
    def indices(b: Builder, n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
        return tuple(map(control, triangle(b, function, n, k, m)))

    return indices


def _triangle_of(function: Callable[..., Any]) -> Function:
    def indices(b: Builder, arr: Any, k: Any = 0) -> tuple[Tensor, ...]:
        rows, columns = as_tensor(b, arr).sizes
        return tuple(map(control, triangle(b, function, rows, k, columns)))

    return indices


def _diag_indices(b: Builder, n: Any, ndim: Any = 2) -> tuple[Tensor, ...]:
    count = one_int(b, n)
    b.check((count, one_int(b, ndim)), cost=OWN_COST)
    return tuple(control(np.arange(count)) for _dimension in range(one_int(b, ndim)))


def _indices(b: Builder, dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    sizes = ints(b, dimensions)
    b.check((len(sizes), *sizes), cost=OWN_COST)
    if sparse:
        return tuple(control(typed(grid, dtype)) for grid in np.indices(sizes, sparse=True))
    return control(typed(np.indices(sizes), dtype))


def _unravel_index(b: Builder, indices: Any, shape: Any, order: Any = "C") -> tuple[Tensor, ...]:
    sizes = ints(b, shape)
    table = computed(b, lambda flat: np.array(np.unravel_index(flat, sizes, order)), indices)
    return tuple(b.derived(line, table) for line in table.array)


def _ravel_multi_index(
    b: Builder, multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C"
) -> Tensor:
    lines = [*lines_from(b, multi_index)]
    sizes = ints(b, dims)
    return computed(b, lambda *at: np.ravel_multi_index(at, sizes, mode, order), *lines)


def lines_from(b: Builder, lines: Any) -> Sequence[Any]:
    """The rows of a tensor of known numbers, or the items of a list."""
    if isinstance(lines, Tensor):
        return [b.derived(line, lines) for line in computed(b, np.asarray, lines).array]
    return list(lines)


NUMPY: dict[str, Function] = {
    **each("", "abs absolute", unary(np.abs)),
    "sign": unary(np.sign),
    "negative": unary(np.negative),
    "positive": unary(np.positive),
    "square": unary(np.square),
    "floor": unary(np.floor),
    "ceil": unary(np.ceil),
    "trunc": unary(np.trunc),
    "rint": unary(np.rint),
    **each("", "invert bitwise_not bitwise_invert", unary(np.invert)),
    "logical_not": unary(np.logical_not),
    "add": binary(np.add),
    "subtract": binary(np.subtract),
    "multiply": binary(np.multiply),
    **each("", "divide true_divide", binary(np.divide)),
    "floor_divide": binary(np.floor_divide),
    **each("", "mod remainder", binary(np.remainder)),
    **each("", "power pow", binary(np.power)),
    "maximum": binary(np.maximum),
    "minimum": binary(np.minimum),
    "bitwise_and": binary(np.bitwise_and),
    "bitwise_or": binary(np.bitwise_or),
    "bitwise_xor": binary(np.bitwise_xor),
    **each("", "left_shift bitwise_left_shift", binary(np.left_shift)),
    **each("", "right_shift bitwise_right_shift", binary(np.right_shift)),
    "logical_and": binary(np.logical_and),
    "logical_or": binary(np.logical_or),
    "logical_xor": binary(np.logical_xor),
    "equal": binary(np.equal),
    "not_equal": binary(np.not_equal),
    "less": binary(np.less),
    "less_equal": binary(np.less_equal),
    "greater": binary(np.greater),
    "greater_equal": binary(np.greater_equal),
    "clip": _clip,
    "round": _round,
    "diff": _diff,
    "sum": reduced(np.sum),
    "prod": reduced(np.prod),
    "argmax": of_numbers(np.argmax),
    "argmin": of_numbers(np.argmin),
    **each("", "max amax", reduced(np.max)),
    **each("", "min amin", reduced(np.min)),
    "all": reduced(np.all),
    "any": reduced(np.any),
    "cumsum": accumulated(np.cumsum),
    "cumprod": accumulated(np.cumprod),
    "nonzero": _nonzero,
    "argwhere": argwhere,
    "flatnonzero": _flatnonzero,
    "tril_indices": _triangle(np.tril_indices),
    "triu_indices": _triangle(np.triu_indices),
    "tril_indices_from": _triangle_of(np.tril_indices),
    "triu_indices_from": _triangle_of(np.triu_indices),
    "diag_indices": _diag_indices,
    "indices": _indices,
    "unravel_index": _unravel_index,
    "ravel_multi_index": _ravel_multi_index,
}
"""NumPy's functions, by their names."""

NUMPY_METHODS: dict[str, Function] = {
    **{
        name: NUMPY[name]
        for name in ["sum", "prod", "max", "min", "all", "any", "cumsum", "cumprod", "nonzero"]
    },
    **{name: NUMPY[name] for name in ["argmax", "argmin"]},
    "round": _round,
    "clip": lambda b, x, /, min=None, max=None: clipped(b, x, min, max),
}
"""The same as methods of arrays."""


def _divided(b: Builder, input: Any, other: Any, *, rounding_mode: Any = None) -> Tensor:
    if rounding_mode not in (None, "floor", "trunc"):
        raise CodeRefused(
            "argument",
            _("rounding_mode={mode} is not one of floor and trunc.").format(
                mode=short_text(rounding_mode)
            ),
        )
    return computed(b, _DIVISIONS[rounding_mode], input, other)


def _truncated(a: Any, b: Any) -> Any:
    whole = np.result_type(a, b).kind in "iub"
    quotient = np.trunc(np.divide(a, b))
    return quotient.astype(np.int64) if whole else quotient


_DIVISIONS: dict[Any, Callable[..., Any]] = {
    None: np.divide,
    "floor": np.floor_divide,
    "trunc": _truncated,
}


def _torch_reduced(function: Callable[..., Any]) -> Function:
    def reduction(b: Builder, input: Any, dim: Any = None, keepdim: Any = False) -> Tensor:
        return computed(b, function, input, axis=axes(b, dim), keepdims=bool(keepdim))

    return reduction


def _torch_of_numbers(function: Callable[..., Any]) -> Function:
    place = of_numbers(function)

    def place_of(b: Builder, input: Any, dim: Any = None, keepdim: Any = False) -> Tensor:
        made: Tensor = place(b, input, dim, keepdims=keepdim)
        return made

    return place_of


def _torch_largest(function: Callable[..., Any]) -> Function:
    """Of one dimension, or of pairs, ``max`` and ``min`` are not read."""
    return lambda b, input: computed(b, function, input)


def _torch_accumulated(function: Callable[..., Any]) -> Function:
    return lambda b, input, dim: computed(b, function, input, axis=one_int(b, dim))


def _clamp(b: Builder, input: Any, min: Any = None, max: Any = None) -> Tensor:
    if min is None and max is None:
        raise CodeRefused("argument", _("clamp takes min, max or both."))
    return clipped(b, input, min, max)


def _torch_round(b: Builder, input: Any, *, decimals: Any = 0) -> Tensor:
    return _round(b, input, decimals)


def _torch_nonzero(b: Builder, input: Any, *, as_tuple: Any = False) -> Any:
    table = argwhere(b, input)
    return tuple(lines_of(b, table)) if as_tuple else table


def _torch_of_pairs(function: Callable[[Any, Any], Any]) -> Function:
    return lambda b, input, other: computed(b, function, input, other)


def _torch_of_each(function: Callable[[Any], Any]) -> Function:
    return lambda b, input: computed(b, function, input)


TORCH: dict[str, Function] = {
    **each("", "abs absolute", _torch_of_each(np.abs)),
    **each("", "neg negative", _torch_of_each(np.negative)),
    "sign": _torch_of_each(np.sign),
    "floor": _torch_of_each(np.floor),
    "ceil": _torch_of_each(np.ceil),
    "trunc": _torch_of_each(np.trunc),
    "bitwise_not": _torch_of_each(np.invert),
    "logical_not": _torch_of_each(np.logical_not),
    "maximum": _torch_of_pairs(np.maximum),
    "minimum": _torch_of_pairs(np.minimum),
    **each("", "mul multiply", _torch_of_pairs(np.multiply)),
    "floor_divide": _torch_of_pairs(np.floor_divide),
    "remainder": _torch_of_pairs(np.remainder),
    "bitwise_and": _torch_of_pairs(np.bitwise_and),
    "bitwise_or": _torch_of_pairs(np.bitwise_or),
    "bitwise_xor": _torch_of_pairs(np.bitwise_xor),
    "logical_and": _torch_of_pairs(np.logical_and),
    "logical_or": _torch_of_pairs(np.logical_or),
    "logical_xor": _torch_of_pairs(np.logical_xor),
    **each("", "div divide", _divided),
    **each("", "clamp clip", _clamp),
    "round": _torch_round,
    "sum": _torch_reduced(np.sum),
    "all": _torch_reduced(np.all),
    "any": _torch_reduced(np.any),
    "argmax": _torch_of_numbers(np.argmax),
    "argmin": _torch_of_numbers(np.argmin),
    "prod": _torch_largest(np.prod),
    "max": _torch_largest(np.max),
    "min": _torch_largest(np.min),
    "cumsum": _torch_accumulated(np.cumsum),
    "cumprod": _torch_accumulated(np.cumprod),
    "argwhere": lambda b, input: argwhere(b, input),
    "nonzero": _torch_nonzero,
}
"""PyTorch's functions, which are methods of its tensors as well."""


def _torch_triangle(function: Callable[..., Any]) -> Function:
    def indices(b: Builder, row: Any, col: Any, offset: Any = 0) -> Tensor:
        return control(triangle(b, function, row, offset, col))

    return indices


def _torch_unravel_index(b: Builder, indices: Any, shape: Any) -> tuple[Tensor, ...]:
    return _unravel_index(b, indices, shape)


TORCH_FUNCTIONS: dict[str, Function] = {
    "tril_indices": _torch_triangle(np.tril_indices),
    "triu_indices": _torch_triangle(np.triu_indices),
    "unravel_index": _torch_unravel_index,
}
"""PyTorch's functions that are no methods."""


@dataclass(frozen=True)
class Subscripted:
    """What takes a subscript and is no tensor, such as ``np.r_``.

    Attributes:
        take: of a builder and the subscript.
    """

    take: Callable[[Builder, Any], Any]


def _line(b: Builder, part: slice) -> Array:
    """The whole numbers of a slice."""
    if part.stop is None:
        raise CodeRefused("argument", _("A slice of numbers needs an end, such as 0:3."))
    start, step = part.start or 0, 1 if part.step is None else part.step
    if step == 0:
        raise CodeRefused("argument", _("A slice of numbers takes no step of 0."))
    numbers = range(start, part.stop, step)
    b.check((len(numbers),), cost=OWN_COST)
    return np.arange(numbers.start, numbers.stop, numbers.step)


def _parts(b: Builder, key: Any) -> list[Tensor]:
    items = key if isinstance(key, tuple) else (key,)
    if any(isinstance(item, str) for item in items):
        raise CodeRefused("argument", _("A text in the subscript is not read; use concatenate."))
    return [control(_line(b, x)) if isinstance(x, slice) else as_tensor(b, x) for x in items]


def _row(b: Builder, key: Any) -> Tensor:
    """NumPy's ``r_``."""
    return b.concat([b.unsqueeze(x, [0]) if not x.rank else x for x in _parts(b, key)], 0)


def _columns(b: Builder, key: Any) -> Tensor:
    """NumPy's ``c_``."""
    columns = [b.reshape(x, (x.array.size, 1)) if x.rank < 2 else x for x in _parts(b, key)]
    return b.concat(columns, columns[0].rank - 1)


def _lines(b: Builder, key: Any) -> tuple[list[Array], bool]:
    """The numbers along each dimension of a grid, and whether it has several."""
    parts = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(part, slice) for part in parts):
        raise CodeRefused("argument", _("A grid takes slices, such as np.mgrid[0:2, 0:3]."))
    lines = [_line(b, part) for part in parts]
    b.check((len(lines), *(line.size for line in lines)), cost=OWN_COST)
    return lines, isinstance(key, tuple)


def _grid(b: Builder, key: Any) -> Tensor:
    """NumPy's ``mgrid``."""
    lines, several = _lines(b, key)
    return control(np.array(np.meshgrid(*lines, indexing="ij")) if several else lines[0])


def _open_grid(b: Builder, key: Any) -> Any:
    """NumPy's ``ogrid``."""
    lines, several = _lines(b, key)
    return tuple(map(control, np.ix_(*lines))) if several else control(lines[0])


SUBSCRIPTED = {
    "r_": Subscripted(_row),
    "c_": Subscripted(_columns),
    "mgrid": Subscripted(_grid),
    "ogrid": Subscripted(_open_grid),
    **dict.fromkeys(("s_", "index_exp"), Subscripted(lambda b, key: key)),
}
"""NumPy's objects that only have subscripts, by their names."""
