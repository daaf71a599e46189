"""PyTorch: indexing, slicing and joining, views, padding, and layers that only move.

Source of the rules: PyTorch 2.13 itself, which the tests run where it is installed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import (
    creation,
    index_numbers,
    numpy,
    rules,
    torch_creation,
    torch_forms,
    torch_nn,
    undefined,
)
from dmlviz.code.arguments import as_tensor, ints, number, one_int, spread, tensors
from dmlviz.code.arguments import stack as stacked
from dmlviz.code.arguments import unbind as unbound
from dmlviz.code.builder import Builder
from dmlviz.code.einsum import einsum
from dmlviz.code.indexing import get, put, written
from dmlviz.code.library import Function, Library, each, ignoring, without_lists
from dmlviz.code.memory import (
    copied_strides,
    packed,
    strides_like,
)
from dmlviz.code.refusals import CodeRefused, sorts_values
from dmlviz.code.tensor import Tensor, control

_TENSORS = "input index mask src condition other values"
"""The names of parameters for which PyTorch takes tensors, or single numbers, and no lists."""


def _of_tensors(function: Function) -> Function:
    """A function that refuses lists where PyTorch does."""
    if function in rules.REFUSING:
        return function

    def tensors(signature: inspect.Signature) -> str:
        # the source of movedim is an axis
        return f"{_TENSORS} source" if "index" in signature.parameters else _TENSORS

    return without_lists(function, tensors, "PyTorch", "torch.tensor(...)")


def _one_list(function: Function) -> Function:
    """A function whose sizes or axes are one list, where the method takes them one by one, too."""
    if not function.__code__.co_flags & inspect.CO_VARARGS:
        return function
    parameters = inspect.signature(function).parameters.values()
    star = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "args")
    if star in ("args", "more"):
        return function
    default = () if star in ("dim", "indices") else inspect.Parameter.empty
    own = [
        p.replace(kind=p.POSITIONAL_OR_KEYWORD, default=default) if p.name == star else p
        for p in parameters
    ]
    signature = inspect.Signature(own)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        return function(*bound.args, **bound.kwargs)

    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


def _like(b: Builder, made: Tensor, *inputs: Tensor) -> Tensor:
    """A new tensor, channels last in memory if those that it is made of are."""
    others = [(x.sizes, x.strides) for x in inputs if x.rank == made.rank]
    new = strides_like(made.sizes, others) if len(others) == len(inputs) else packed(made.sizes)
    return b.copy(made, new)


def _kept(b: Builder, made: Tensor, x: Tensor) -> Tensor:
    """A new tensor of the same sizes with the same order of dimensions in memory."""
    return b.copy(made, copied_strides(x.sizes, x.strides))


def _reshape(b: Builder, input: Tensor, *shape: Any) -> Tensor:
    return b.reshape(input, spread(b, shape))


def _view(b: Builder, input: Tensor, *size: Any) -> Tensor:
    if len(size) == 1 and isinstance(size[0], str):
        raise CodeRefused("computes", _("view with a data type reads bits as new values."))
    return rules.viewed(b, input, spread(b, size))


def _permute(b: Builder, input: Tensor, *dims: Any) -> Tensor:
    return b.transpose(input, spread(b, dims))


def _transpose(b: Builder, input: Tensor, dim0: Any = None, dim1: Any = None, *more: Any) -> Tensor:
    if more or dim1 is None:
        axes = spread(b, [axis for axis in (dim0, dim1, *more) if axis is not None])
        order = axes if set(axes) == {*range(input.rank)} else range(input.rank)[::-1]
        raise CodeRefused(
            "argument",
            _(
                "PyTorch's transpose swaps two axes, dim0 and dim1. For another order of all axes, "
                "use permute: {line}."
            ).format(line=rules.line_of(b, input, "permute", order)),
        )
    return rules.swapped(b, input, dim0, dim1)


def _swapaxes(b: Builder, input: Tensor, axis0: Any, axis1: Any) -> Tensor:
    return rules.swapped(b, input, axis0, axis1)


def _t(b: Builder, input: Tensor) -> Tensor:
    if input.rank > 2:
        raise CodeRefused(
            "sizes",
            _("t() takes 2 dimensions at most, not {rank}; use transpose or permute.").format(
                rank=input.rank
            ),
        )
    return rules.reversed_axes(b, input)


def _adjoint(b: Builder, input: Tensor) -> Tensor:
    return rules.swapped(b, input, -1, -2)


def _movedim(b: Builder, input: Tensor, source: Any, destination: Any) -> Tensor:
    return rules.moved_axes(b, input, source, destination)


def _cat(b: Builder, tensors: Any, dim: Any = 0, *, axis: Any = None) -> Tensor:
    parts = _all(b, tensors)
    return _like(b, b.concat(parts, dim if axis is None else axis), *parts)


def _all(b: Builder, items: Any) -> list[Tensor]:
    if isinstance(items, Tensor):
        raise CodeRefused("argument", _("A list of tensors is needed, such as [x, y]."))
    return tensors(b, items)


def _stack(b: Builder, tensors: Any, dim: Any = 0) -> Tensor:
    return stacked(b, _all(b, tensors), dim)


def _split(b: Builder, tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    return _split_method(b, as_tensor(b, tensor), split_size_or_sections, dim)


def _split_method(b: Builder, input: Tensor, split_size: Any, dim: Any = 0) -> Any:
    parts = split_size
    size = input.sizes[b.axis(dim, input.rank)]
    if not isinstance(parts, int):
        return b.split(input, ints(b, parts), dim)
    if parts < 1:
        raise CodeRefused("argument", _("The size of a part must be 1 or more."))
    return b.split(input, _chunks(size, parts), dim)


def _chunks(size: int, most: int) -> list[int]:
    """The sizes of parts of at most so many elements."""
    return [most] * (size // most) + ([size % most] if size % most else [])


def _split_with_sizes(b: Builder, input: Tensor, split_sizes: Any, dim: Any = 0) -> Any:
    return b.split(input, ints(b, split_sizes), dim)


def _chunk(b: Builder, input: Tensor, chunks: Any, dim: Any = 0) -> Any:
    size, count = input.sizes[b.axis(dim, input.rank)], one_int(b, chunks)
    if count < 1:
        raise CodeRefused("argument", _("There must be 1 part or more."))
    return b.split(input, _chunks(size, -(-size // count)), dim)


def _tensor_split(
    b: Builder,
    input: Tensor,
    tensor_indices_or_sections: Any = None,
    dim: Any = 0,
    *,
    sections: Any = None,
    indices: Any = None,
) -> Any:
    every = (tensor_indices_or_sections, sections, indices)
    return rules.near_equal_parts(b, input, next((p for p in every if p is not None), None), dim)


def _parts(axis: int) -> Function:
    def parts(b: Builder, input: Tensor, *indices: Any, sections: Any = None) -> Any:
        one = indices[0] if len(indices) == 1 else indices or sections
        return rules.equal_parts(b, input, one, 0 if input.rank == 1 == axis else axis)

    return parts


def _unbind(b: Builder, input: Tensor, dim: Any = 0) -> list[Tensor]:
    return unbound(b, input, dim)


def _gather(b: Builder, input: Tensor, dim: Any, index: Any) -> Tensor:
    places = as_tensor(b, index)
    if b.control_values(places).min() < 0:
        raise CodeRefused("sizes", _("PyTorch's gather and scatter take no negative indices."))
    return b.gather_elements(input, dim, places, typed=True)


def _index_select(b: Builder, input: Tensor, dim: Any, index: Any) -> Tensor:
    return b.gather(input, dim, _line(b, index), typed=True)


def _line(b: Builder, index: Any, negative: bool = False) -> Tensor:
    """The indices of a call in a row; only ``index_fill`` counts negative ones from the end."""
    places = as_tensor(b, index)
    if places.rank > 1:
        raise CodeRefused(
            "argument", _("The index must have 1 dimension, not {rank}.").format(rank=places.rank)
        )
    if not negative and b.control_values(places).min() < 0:
        raise CodeRefused("sizes", _("index_select and index_copy take no negative indices."))
    return control(b.control_values(places).reshape(-1))


def _take(b: Builder, input: Tensor, index: Any) -> Tensor:
    return rules.taken(b, input, index, None)


def _take_along_dim(b: Builder, input: Tensor, indices: Any, dim: Any = None) -> Tensor:
    return rules.taken_along(b, input, indices, dim)


def _narrow(b: Builder, input: Tensor, dim: Any, start: Any, length: Any) -> Tensor:
    return rules.narrowed(b, input, dim, start, length)


def _narrow_copy(b: Builder, input: Tensor, dim: Any, start: Any, length: Any) -> Tensor:
    return b.copy(_narrow(b, input, dim, start, length))


def _select(b: Builder, input: Tensor, dim: Any, index: Any) -> Tensor:
    return rules.selected(b, input, dim, index)


def _select_copy(b: Builder, input: Any, dim: Any, index: Any) -> Tensor:
    return b.copy(_select(b, as_tensor(b, input), dim, index))


def _squeeze(b: Builder, input: Tensor, *dim: Any) -> Tensor:
    axes = b.axes(spread(b, dim), input.rank) if dim else range(input.rank)
    return b.squeeze(input, [d for d in axes if input.sizes[d] == 1])


def _unsqueeze(b: Builder, input: Tensor, dim: Any) -> Tensor:
    return b.unsqueeze(input, [one_int(b, dim)])


def _tile(b: Builder, input: Tensor, *dims: Any) -> Tensor:
    return rules.tiled(b, input, spread(b, dims))


def _repeat(b: Builder, input: Tensor, *repeats: Any) -> Tensor:
    counts = spread(b, repeats)
    if len(counts) < input.rank:
        raise CodeRefused(
            "argument",
            _(
                "PyTorch's repeat needs one count for each of {rank} dimensions, not {count}."
            ).format(rank=input.rank, count=len(counts)),
        )
    return rules.tiled(b, input, counts)


def _repeat_interleave(
    b: Builder, input: Tensor, repeats: Any, dim: Any = None, *, output_size: Any = None
) -> Tensor:
    made = rules.repeated(b, input, repeats, dim)
    count = made.sizes[0 if dim is None else b.axis(dim, made.rank)]
    if output_size is not None and one_int(b, output_size) != count:
        raise CodeRefused(
            "argument",
            _("output_size={size} is not {count}, the size that the repeats make.").format(
                size=output_size, count=count
            ),
        )
    return made


def _flip(b: Builder, input: Tensor, *dims: Any) -> Tensor:
    return _kept(b, b.flip(input, spread(b, dims)), input)


def _flip_one(axis: int) -> Function:
    return lambda b, input: _flip(b, input, axis)


def _roll(b: Builder, input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    if dims is None:
        return rules.rolled(b, input, shifts, dims)
    return _like(b, rules.rolled_each(b, input, shifts, dims), input)


def _rot90(b: Builder, input: Tensor, k: Any = 1, dims: Any = (0, 1)) -> Tensor:
    first, second = b.axes(rules.pair(b, dims), input.rank)
    match one_int(b, k) % 4:
        case 0:
            return rules.copied(b, input)
        case 1:
            return rules.swapped(b, _flip(b, input, second), first, second)
        case 2:
            return _flip(b, input, first, second)
        case _:
            return rules.swapped(b, _flip(b, input, first), first, second)


def _ravel(b: Builder, input: Tensor) -> Tensor:
    return b.reshape(input, (-1,))


def _diagonal(b: Builder, input: Tensor, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Tensor:
    return rules.diagonal(b, input, offset, dim1, dim2)


def _diagonal_copy(b: Builder, input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Tensor:
    return b.copy(_diagonal(b, as_tensor(b, input), offset, dim1, dim2))


def _diag(b: Builder, input: Tensor, diagonal: Any = 0) -> Tensor:
    return b.copy(rules.diagonal_or_matrix(b, input, diagonal))


def _diagflat(b: Builder, input: Tensor, offset: Any = 0) -> Tensor:
    return rules.diagonal_matrix(b, b.reshape(input, (-1,)), offset)


def _diag_embed(
    b: Builder, input: Tensor, offset: Any = 0, dim1: Any = -2, dim2: Any = -1
) -> Tensor:
    return rules.diagonal_matrix(b, input, offset, dim1, dim2)


def _tril(b: Builder, input: Tensor, diagonal: Any = 0) -> Tensor:
    return rules.triangle(b, input, diagonal, lower=True)


def _triu(b: Builder, input: Tensor, diagonal: Any = 0) -> Tensor:
    return rules.triangle(b, input, diagonal, lower=False)


def _expanded(b: Builder, x: Tensor, sizes: Sequence[int]) -> Tensor:
    """PyTorch's expand: -1 keeps a size."""
    lead = len(sizes) - x.rank
    new = [x.sizes[d - lead] if n == -1 and d >= lead else n for d, n in enumerate(sizes)]
    return b.expand(x, new)


def _expand(b: Builder, input: Tensor, *size: Any) -> Tensor:
    return _expanded(b, input, spread(b, size))


def _expand_as(b: Builder, input: Tensor, other: Tensor) -> Tensor:
    return b.expand(input, other.sizes)


def _unfold(b: Builder, input: Tensor, dimension: Any, size: Any, step: Any) -> Tensor:
    return rules.windows(b, input, dimension, size, step)


def _as_strided(
    b: Builder, input: Tensor, size: Any, stride: Any, storage_offset: Any = 0
) -> Tensor:
    return rules.strided(b, input, size, ints(b, stride), one_int(b, storage_offset))


def _masked_select(b: Builder, input: Tensor, mask: Any) -> Tensor:
    x, places = rules.broadcast_all(b, [input, mask])
    return get(b, x, places)


def _masked_fill(b: Builder, input: Tensor, mask: Any, value: Any) -> Tensor:
    return b.where(as_tensor(b, mask), as_tensor(b, value), input)


def _scatter(
    b: Builder,
    input: Tensor,
    dim: Any,
    index: Any,
    src: Any = None,
    *,
    value: Any = None,
    reduce: Any = None,
) -> Tensor:
    if reduce is not None:
        raise CodeRefused("computes", _("scatter with reduce computes new values."))
    places = as_tensor(b, index)
    if b.control_values(places).min() < 0:
        raise CodeRefused("sizes", _("PyTorch's gather and scatter take no negative indices."))
    updates = as_tensor(b, value if src is None else src)
    if updates.rank == 0:
        flat = control(np.arange(input.array.size).reshape(input.sizes))
        return written(b, input, b.gather_elements(flat, dim, places).array, updates)
    return b.scatter_elements(input, dim, places, updates)


def _index_put(
    b: Builder, input: Tensor, indices: Any, values: Any, accumulate: Any = False
) -> Tensor:
    if accumulate:
        raise CodeRefused("computes", _("index_put with accumulate computes new values."))
    return _kept(b, put(b, input, tuple(indices), as_tensor(b, values)), input)


def _index_copy(b: Builder, input: Tensor, dim: Any, index: Any, source: Any) -> Tensor:
    axis = b.axis(dim, input.rank)
    return put(b, input, (*[slice(None)] * axis, _line(b, index)), source)


def _index_fill(b: Builder, input: Tensor, dim: Any, index: Any, value: Any) -> Tensor:
    axis = b.axis(dim, input.rank)
    places = _line(b, index, negative=True)
    return _kept(b, put(b, input, (*[slice(None)] * axis, places), number(value)), input)


def _put(b: Builder, input: Tensor, index: Any, source: Any, accumulate: Any = False) -> Tensor:
    """Elements of the tensor in a row, which may be negative, replaced by those of another."""
    if accumulate:
        raise CodeRefused("computes", _("put with accumulate computes new values."))
    places = b.index(as_tensor(b, index), input.array.size).array
    new = as_tensor(b, source)
    if new.array.size != places.size:
        raise CodeRefused(
            "sizes",
            _("put takes as many elements as indices: {count}, not {given}.").format(
                count=places.size, given=new.array.size
            ),
        )
    return _kept(b, written(b, input, places.ravel(), b.reshape(new, (-1,))), input)


def _written(b: Builder, x: Tensor, src: Any, choose: Callable[[Tensor], Tensor]) -> Tensor:
    return _kept(b, rules.region_written(b, x, src, choose), x)


def _diagonal_scatter(
    b: Builder, input: Tensor, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1
) -> Tensor:
    def diagonal(x: Tensor) -> Tensor:
        return rules.diagonal(b, x, offset, dim1, dim2)

    return _written(b, input, src, diagonal)


def _select_scatter(b: Builder, input: Tensor, src: Any, dim: Any, index: Any) -> Tensor:
    return _written(b, input, src, lambda x: rules.selected(b, x, dim, index))


def _slice_scatter(
    b: Builder,
    input: Tensor,
    src: Any,
    dim: Any = 0,
    start: Any = None,
    end: Any = None,
    step: Any = 1,
) -> Tensor:
    key = (*[slice(None)] * b.axis(dim, input.rank), slice(start, end, step))
    return _written(b, input, src, lambda x: get(b, x, key))


def _where(b: Builder, condition: Any, input: Any = None, other: Any = None) -> Tensor:
    if input is None or other is None:
        raise sorts_values()
    return _chosen(b, condition, input, other)


def _chosen(b: Builder, condition: Any, input: Any, other: Any) -> Tensor:
    made = rules.chosen_by(b, condition, input, other)
    whole = [t for t in (condition, input, other) if isinstance(t, Tensor) and t.rank == made.rank]
    same = len(whole) == 1 and whole[0].sizes == made.sizes
    return _kept(b, made, whole[0]) if same else made


def _where_method(b: Builder, input: Tensor, condition: Any, other: Any) -> Tensor:
    return _chosen(b, condition, input, other)


def _size(b: Builder, input: Tensor, dim: Any = None) -> Any:
    return input.sizes if dim is None else input.sizes[b.axis(dim, input.rank)]


def _stride(b: Builder, input: Tensor, dim: Any = None) -> Any:
    return input.strides if dim is None else input.strides[b.axis(dim, input.rank)]


def _copy_into(b: Builder, input: Tensor, other: Any) -> Tensor:
    # of a number, all that is put there is the other tensor itself
    return b.copy(put(b, input, Ellipsis, other))


def _randperm(b: Builder, *args: Any, **more: Any) -> Tensor:
    raise CodeRefused("values", _("Random numbers differ each time; write them as a list."))


def _stacked(function: Callable[..., Tensor], *numbers: int) -> Function:
    return lambda b, tensors: function(b, _all(b, tensors), *numbers)


_BY_VALUES = """sort topk unique msort kthvalue unique_consecutive masked_scatter
searchsorted bincount"""
_COMPUTES = """index_add index_reduce scatter_add scatter_reduce segment_reduce mean add matmul mm
bmm softmax relu exp amax amin std var sub pow sqrt logsumexp diff dot norm trace kron outer log sin
cos tanh sigmoid log_softmax addmm baddbmm lerp rsqrt square"""

_BOTH: dict[str, Function] = {
    "permute": _permute,
    "reshape": _reshape,
    **each("", "transpose swapdims", _transpose),
    "swapaxes": _swapaxes,
    "t": _t,
    "adjoint": _adjoint,
    **each("", "conj resolve_conj resolve_neg", rules.same_elements),
    **each("", "movedim moveaxis", _movedim),
    "split_with_sizes": _split_with_sizes,
    "chunk": _chunk,
    "tensor_split": _tensor_split,
    **{f"{name}split": _parts(axis) for axis, name in enumerate("vhd")},
    "unbind": _unbind,
    "gather": ignoring(_gather, "* sparse_grad"),
    "index_select": _index_select,
    "take": _take,
    "take_along_dim": _take_along_dim,
    "narrow": _narrow,
    "narrow_copy": _narrow_copy,
    "select": _select,
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "tile": _tile,
    "flip": _flip,
    "flipud": _flip_one(0),
    "fliplr": _flip_one(1),
    "roll": _roll,
    "rot90": _rot90,
    "ravel": _ravel,
    "diagonal": _diagonal,
    "diag": _diag,
    "diagflat": _diagflat,
    "diag_embed": _diag_embed,
    "tril": _tril,
    "triu": _triu,
    "broadcast_to": _expand,
    "repeat_interleave": _repeat_interleave,
    "clone": torch_creation.clone,
    "flatten": torch_nn.flatten,
    "unflatten": torch_nn.unflatten,
    "as_strided": _as_strided,
    "masked_select": _masked_select,
    "masked_fill": _masked_fill,
    "scatter": _scatter,
    "index_copy": _index_copy,
    "index_put": _index_put,
    "index_fill": _index_fill,
    "diagonal_scatter": _diagonal_scatter,
    "select_scatter": _select_scatter,
    "slice_scatter": _slice_scatter,
    "argsort": torch_creation.argsort,
    "put": _put,
    **index_numbers.TORCH,
    **each("", _BY_VALUES, rules.by_values),
    **each("", _COMPUTES, rules.computes),
}
"""What is a function and a method with the same arguments."""

FUNCTIONS: dict[str, Function] = {
    **{
        f"torch.{name}": _of_tensors(_one_list(function))
        for name, function in _BOTH.items()
        if name != "put"
    },
    "torch.split": _split,
    "torch.diagonal_copy": _diagonal_copy,
    "torch.select_copy": _select_copy,
    "torch.einsum": einsum,
    "torch.device": lambda b, *named: None,
    **each("torch.", "cat concat concatenate", _cat),
    "torch.stack": _stack,
    **each("torch.", "vstack row_stack", _stacked(rules.joined_depth, 2, 0)),
    "torch.hstack": _stacked(rules.joined_rows),
    "torch.dstack": _stacked(rules.joined_depth, 3, 2),
    "torch.column_stack": _stacked(rules.joined_columns),
    **{f"torch.atleast_{rank}d": numpy.FUNCTIONS[f"numpy.atleast_{rank}d"] for rank in (1, 2, 3)},
    "torch.broadcast_tensors": lambda b, *tensors: rules.broadcast_all(b, tensors),
    "torch.where": _where,
    "torch.fft.fftshift": lambda b, input, dim=None: rules.centered(b, input, dim, False),
    "torch.fft.ifftshift": lambda b, input, dim=None: rules.centered(b, input, dim, True),
    **{f"torch.{name}": function for name, function in index_numbers.TORCH_FUNCTIONS.items()},
    **torch_creation.FUNCTIONS,
    "torch.numel": lambda b, x, /: as_tensor(b, x).array.size,
    **each("torch.", "randperm rand randn randint", _randperm),
    "torch.empty": ignoring(undefined.torch_empty, torch_creation.SETTINGS),
    "torch.empty_like": ignoring(undefined.torch_empty_like, torch_creation.SETTINGS),
    **{f"torch.{name}": function for name, function in torch_nn.SHARED.items()},
    **torch_nn.FUNCTIONS,
}

METHODS: dict[str, Function] = {
    **{name: _of_tensors(function) for name, function in _BOTH.items()},
    "split": _split_method,
    "view": _view,
    "view_as": lambda b, input, other: rules.viewed(b, input, other.sizes),
    "reshape_as": lambda b, input, other: b.reshape(input, other.sizes),
    "expand": _expand,
    "expand_as": _expand_as,
    "unfold": _unfold,
    "repeat": _repeat,
    "where": _where_method,
    "size": _size,
    "stride": _stride,
    **each("", "dim ndimension", lambda b, input: input.rank),
    **each("", "numel nelement", lambda b, input: input.array.size),
    "detach": rules.same_elements,
    "cpu": rules.same_elements,
    "cuda": ignoring(rules.same_elements, "device non_blocking"),
    "numpy": ignoring(rules.same_elements, "* force"),
    "requires_grad_": ignoring(rules.same_elements, "mode"),
    "tolist": creation.to_list,
    "item": creation.item,
    "is_contiguous": lambda b, input: input.packed,
    **torch_creation.METHODS,
    "scatter_": _scatter,
    "index_copy_": _index_copy,
    "index_put_": _index_put,
    "index_fill_": _index_fill,
    "masked_fill_": _masked_fill,
    "squeeze_": _squeeze,
    "unsqueeze_": _unsqueeze,
    "t_": _t,
    "transpose_": _transpose,
    "zero_": lambda b, input: put(b, input, Ellipsis, 0),
    "fill_": lambda b, input, value: put(b, input, Ellipsis, number(value)),
    "copy_": ignoring(_copy_into, "non_blocking"),
    "put_": _put,
}

ATTRIBUTES: dict[str, Function] = {
    "shape": lambda b, x: x.sizes,
    "ndim": lambda b, x: x.rank,
    "T": rules.reversed_axes,
    "mT": lambda b, x: rules.swapped(b, x, -1, -2),
    "H": lambda b, x: rules.swapped(b, x, 0, 1),
    "mH": lambda b, x: rules.swapped(b, x, -1, -2),
    "data": rules.same_elements,
    "dtype": lambda b, x: "",
    "device": lambda b, x: "",
}

_MODULES = """torch torch.nn torch.nn.functional torch.nn.utils torch.nn.utils.rnn torch.linalg
torch.fft"""

TORCH = Library(
    "torch",
    "PyTorch",
    names={"torch": "torch", "F": "torch.nn.functional", "nn": "torch.nn"},
    modules={name: name for name in _MODULES.split()},
    functions=FUNCTIONS,
    methods=METHODS,
    attributes=ATTRIBUTES,
    unread=("itemsize", "resize"),
    other_names=("pytorch",),
    signs=torch_forms.SIGNS,
    dialect="pytorch",
    imports="import torch\nimport torch.nn.functional as F",
    of_list="torch.tensor",
    line_module="torch",
    tensors=torch_forms.TENSORS,
    forms=torch_forms.FORMS,
    prints=("tensor",),
    conventions=torch_forms.CONVENTIONS,
)
