"""TensorFlow: ``tf`` and its rooms ``tf.linalg`` and ``tf.nn``.

Source of the rules: TensorFlow 2.21, whose answers the tests hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import creation, numpy, numpy_copies, rules, tensorflow_image
from dmlviz.code.arguments import as_tensor, ints, number, one_int, tensors, typed, unbind
from dmlviz.code.arguments import stack as stacked
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.einsum import einsum
from dmlviz.code.indexing import check_mask, get
from dmlviz.code.library import Function, Library, each, ignoring
from dmlviz.code.refusals import CodeRefused, computes_values, sorts_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.operators.code.base import TensorForms
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.types import Array


class TensorShape(tuple[int, ...]):
    """The sizes of a tensor, with TensorFlow's ``as_list``."""


def _shape(b: Builder, x: Tensor) -> TensorShape:
    return TensorShape(x.sizes)


def _places(b: Builder, indices: Any) -> Array:
    """Indices, none of them negative: TensorFlow counts none from the end."""
    array = b.control_values(as_tensor(b, indices))
    if array.dtype.kind in "iu" and array.size and array.min() < 0:
        raise CodeRefused("sizes", _("TensorFlow's indices must not be negative."))
    return array


def _reshape(b: Builder, tensor: Any, shape: Any, name: Any = None) -> Tensor:
    return b.reshape(as_tensor(b, tensor), ints(b, shape))


def _transpose(
    b: Builder, a: Any, perm: Any = None, conjugate: Any = False, name: Any = None
) -> Tensor:
    x = as_tensor(b, a)
    return rules.reversed_axes(b, x) if perm is None else b.transpose(x, ints(b, perm))


def _matrix_transpose(b: Builder, a: Any, name: Any = None, conjugate: Any = False) -> Tensor:
    return rules.swapped(b, as_tensor(b, a), -1, -2)


def _adjoint(b: Builder, matrix: Any, name: Any = None) -> Tensor:
    return rules.swapped(b, as_tensor(b, matrix), -1, -2)


def _tile(b: Builder, input: Any, multiples: Any, name: Any = None) -> Tensor:
    return b.tile(as_tensor(b, input), ints(b, multiples))


def _concat(b: Builder, values: Any, axis: Any, name: Any = None) -> Tensor:
    return b.concat(tensors(b, values), axis)


def _stack(b: Builder, values: Any, axis: Any = 0, name: Any = None) -> Tensor:
    return stacked(b, values, axis)


def _unstack(b: Builder, value: Any, num: Any = None, axis: Any = 0, name: Any = None) -> Any:
    parts = unbind(b, as_tensor(b, value), axis)
    _check_count(b, num, parts)
    return parts


def _check_count(b: Builder, num: Any, parts: Sequence[Tensor]) -> None:
    """Refuse another count of parts than the one that the code says."""
    if num is not None and one_int(b, num) != len(parts):
        raise CodeRefused(
            "argument",
            _("num={num} is not {count}, the count of parts.").format(num=num, count=len(parts)),
        )


def _expand_dims(b: Builder, input: Any, axis: Any, name: Any = None) -> Tensor:
    return b.unsqueeze(as_tensor(b, input), [one_int(b, axis)])


def _squeeze(b: Builder, input: Any, axis: Any = None, name: Any = None) -> Any:
    # no axes are all axes
    return numpy.FUNCTIONS["numpy.squeeze"](b, input, None if axis == [] else axis)


def _reverse(b: Builder, tensor: Any, axis: Any, name: Any = None) -> Tensor:
    return b.flip(as_tensor(b, tensor), ints(b, axis))


def _reverse_sequence(
    b: Builder,
    input: Any,
    seq_lengths: Any,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: Any = None,
) -> Tensor:
    lengths = b.control_values(as_tensor(b, seq_lengths))
    return rules.reversed_parts(b, as_tensor(b, input), lengths, batch_axis or 0, seq_axis or 0)


def _roll(b: Builder, input: Any, shift: Any, axis: Any, name: Any = None) -> Tensor:
    return rules.rolled_each(b, as_tensor(b, input), shift, axis)


def _repeat(b: Builder, input: Any, repeats: Any, axis: Any = None, name: Any = None) -> Tensor:
    return rules.repeated(b, as_tensor(b, input), repeats, axis)


def _broadcast_to(b: Builder, input: Any, shape: Any, name: Any = None) -> Tensor:
    return b.expand(as_tensor(b, input), ints(b, shape))


def _cast(b: Builder, x: Any, dtype: Any, name: Any = None) -> Tensor:
    return numpy_copies.astype(b, x, dtype)


def _where(b: Builder, condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Tensor:
    if x is None or y is None:
        raise sorts_values()
    return rules.chosen_by(b, condition, x, y)


def _slice(b: Builder, input_: Any, begin: Any, size: Any, name: Any = None) -> Tensor:
    x, starts, counts = as_tensor(b, input_), ints(b, begin), ints(b, size)
    if not len(starts) == len(counts) == x.rank:
        raise CodeRefused(
            "argument",
            _("begin and size need one number for each of {rank} dimensions.").format(rank=x.rank),
        )
    for d, (start, count, n) in enumerate(zip(starts, counts, x.sizes, strict=True)):
        if start < 0:
            raise CodeRefused("sizes", _("TensorFlow's indices must not be negative."))
        x = rules.narrowed(b, x, d, start, n - start if count == -1 else count)
    return x


def _strided_slice(
    b: Builder,
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: Any = 0,
    end_mask: Any = 0,
    ellipsis_mask: Any = 0,
    new_axis_mask: Any = 0,
    shrink_axis_mask: Any = 0,
    var: Any = None,
    name: Any = None,
) -> Tensor:
    if var is not None:
        raise CodeRefused("view", _("var is not read; use tf.tensor_scatter_nd_update."))
    x, starts, ends = as_tensor(b, input_), ints(b, begin), ints(b, end)
    steps = (1,) * len(starts) if strides is None else ints(b, strides)
    if any((ellipsis_mask, new_axis_mask)):
        raise CodeRefused(
            "argument", _("ellipsis_mask and new_axis_mask are not read; use a subscript.")
        )
    masks = [one_int(b, mask) for mask in (begin_mask, end_mask, shrink_axis_mask)]
    key: list[Any] = []
    for d, (start, stop, step) in enumerate(zip(starts, ends, steps, strict=True)):
        no_start, no_end, single = (mask >> d & 1 for mask in masks)
        part = slice(None if no_start else start, None if no_end else stop, step)
        key.append(start if single else part)
    return get(b, x, tuple(key))


_PAD_MODES = {"constant": None, "reflect": 1, "symmetric": 0}
"""By TensorFlow's names in small letters, how much less than a size its padding must be."""


def _pad(
    b: Builder,
    tensor: Any,
    paddings: Any,
    mode: Any = "CONSTANT",
    constant_values: Any = 0,
    name: Any = None,
) -> Tensor:
    x, kind = as_tensor(b, tensor), str(mode).lower()
    widths = b.control_values(as_tensor(b, paddings))
    if kind not in _PAD_MODES:
        raise rules.unknown_mode(mode, map(str.upper, _PAD_MODES))
    if widths.shape != (x.rank, 2) or widths.dtype.kind not in "iu" or widths.min() < 0:
        raise CodeRefused(
            "argument",
            _("There must be one pair of numbers for each of {rank} dimensions.").format(
                rank=x.rank
            ),
        )
    before, after = widths.T.tolist()
    rules.check_padding(x, before, after, _PAD_MODES[kind], short_text(mode))
    return b.pad(x, before, after, kind, number(constant_values))


def _gather(
    b: Builder,
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: Any = 0,
    name: Any = None,
) -> Tensor:
    """Places of a dimension; the first ``batch_dims`` dimensions are those of the indices, too."""
    x, places = as_tensor(b, params), _places(b, indices)
    batch = one_int(b, batch_dims)
    batch += places.ndim if batch < 0 else 0
    at = batch if axis is None else b.axis(axis, x.rank)
    if not batch:
        return b.gather(x, at, control(places), typed=True)
    if not batch <= min(at, places.ndim) or places.shape[:batch] != x.sizes[:batch]:
        raise CodeRefused(
            "sizes",
            _(
                "The first {count} sizes of {one} and {two} must be equal, and the axis after them."
            ).format(count=batch, one=print_sizes(x.sizes), two=print_sizes(places.shape)),
        )
    outer = list(range(batch, at))
    # the axis first after the batches, for GatherND, and then where it was
    x = b.transpose(x, [*range(batch), at, *outer, *range(at + 1, x.rank)])
    made = b.gather_nd(x, control(places[..., None]), batch, typed=True)
    count = places.ndim - batch
    moved, kept = range(batch, batch + count), range(batch + count, batch + count + len(outer))
    return b.transpose(
        made, [*range(batch), *kept, *moved, *range(batch + count + len(outer), made.rank)]
    )


def _gather_nd(
    b: Builder,
    params: Any,
    indices: Any,
    batch_dims: Any = 0,
    name: Any = None,
    bad_indices_policy: Any = "",
) -> Tensor:
    places = control(_places(b, indices))
    return b.gather_nd(as_tensor(b, params), places, one_int(b, batch_dims), typed=True)


def _embedding_lookup(
    b: Builder, params: Any, ids: Any, max_norm: Any = None, name: Any = None
) -> Tensor:
    if max_norm is not None:
        raise computes_values()
    return _gather(b, params, ids)


def _split(
    b: Builder,
    value: Any,
    num_or_size_splits: Any,
    axis: Any = 0,
    num: Any = None,
    name: Any = None,
) -> Any:
    x = as_tensor(b, value)
    if isinstance(num_or_size_splits, int):
        return rules.equal_parts(b, x, num_or_size_splits, axis)
    parts, size = list(ints(b, num_or_size_splits)), x.sizes[b.axis(axis, x.rank)]
    if parts.count(-1) == 1:
        parts[parts.index(-1)] = size - sum(n for n in parts if n != -1)
    made = b.split(x, parts, axis)
    _check_count(b, num, made)
    return made


def _scatter_nd(
    b: Builder,
    indices: Any,
    updates: Any,
    shape: Any,
    bad_indices_policy: Any = "",
    name: Any = None,
) -> Tensor:
    places = _places(b, indices)
    if places.ndim and np.unique(places.reshape(-1, places.shape[-1]), axis=0).size != places.size:
        # it adds what comes to one place
        raise computes_values()
    zeros = control(rules.filled(b, ints(b, shape), 0))
    return b.scatter_nd(zeros, control(places), b.moved(as_tensor(b, updates)))


def _tensor_scatter_nd_update(
    b: Builder, tensor: Any, indices: Any, updates: Any, name: Any = None
) -> Tensor:
    new = b.moved(as_tensor(b, updates))
    return b.scatter_nd(as_tensor(b, tensor), control(_places(b, indices)), new)


def _boolean_mask(b: Builder, tensor: Any, mask: Any, axis: Any = None, name: Any = None) -> Tensor:
    x, chosen = as_tensor(b, tensor), b.control_values(as_tensor(b, mask)).astype(bool)
    start = 0 if axis is None else b.axis(axis, x.rank)
    part = x.sizes[start : start + chosen.ndim]
    check_mask(chosen.shape, part)
    line = b.reshape(x, (*x.sizes[:start], -1, *x.sizes[start + chosen.ndim :]))
    return b.gather(line, start, control(np.flatnonzero(chosen)))


def _blocks(b: Builder, x: Tensor, block_shape: Any, pairs: Any) -> tuple[tuple[int, ...], Array]:
    blocks = ints(b, block_shape)
    edges = b.control_values(as_tensor(b, pairs))
    if edges.shape != (len(blocks), 2) or len(blocks) >= x.rank or min(blocks) < 1:
        raise CodeRefused(
            "argument",
            _(
                "There must be one block size and one pair of numbers for each dimension after the "
                "first that is divided."
            ),
        )
    return blocks, edges


def _space_to_batch(
    b: Builder, input: Any, block_shape: Any, paddings: Any, name: Any = None
) -> Tensor:
    x = as_tensor(b, input)
    blocks, pads = _blocks(b, x, block_shape, paddings)
    count, rest = len(blocks), x.rank - 1 - len(blocks)
    before, after = ([0, *pads[:, side].tolist(), *[0] * rest] for side in (0, 1))
    x = b.pad(x, before, after)
    sizes = [x.sizes[0]]
    for n, block in zip(x.sizes[1:], blocks, strict=False):
        sizes += [n // block, block]
    t = b.reshape(x, [*sizes, *x.sizes[1 + count :]])
    inner, outer = range(2, 2 * count + 1, 2), range(1, 2 * count + 1, 2)
    t = b.transpose(t, [*inner, 0, *outer, *range(2 * count + 1, t.rank)])
    return b.reshape(t, (-1, *t.sizes[count + 1 :]))


def _batch_to_space(
    b: Builder, input: Any, block_shape: Any, crops: Any, name: Any = None
) -> Tensor:
    x = as_tensor(b, input)
    blocks, edges = _blocks(b, x, block_shape, crops)
    count = len(blocks)
    t = b.reshape(x, (*blocks, -1, *x.sizes[1:]))
    order = [count]
    for d in range(count):
        order += [count + 1 + d, d]
    t = b.transpose(t, [*order, *range(2 * count + 1, t.rank)])
    grown = [n * block for n, block in zip(x.sizes[1:], blocks, strict=False)]
    t = b.reshape(t, (-1, *grown, *x.sizes[1 + count :]))
    return b.slice(
        t, [(d + 1, int(edges[d, 0]), n - int(edges[d, 1]), 1) for d, n in enumerate(grown)]
    )


def _diag(
    b: Builder,
    diagonal: Any,
    name: Any = None,
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: Any = "",
) -> Tensor:
    if (num_rows, num_cols, padding_value) != (-1, -1, 0):
        raise CodeRefused("argument", _("num_rows, num_cols and padding_value are not read here."))
    return rules.diagonal_matrix(b, as_tensor(b, diagonal), one_int(b, k))


def _diag_part(
    b: Builder, input: Any, name: Any = None, k: Any = 0, padding_value: Any = 0, align: Any = ""
) -> Tensor:
    return rules.diagonal(b, as_tensor(b, input), one_int(b, k), -2, -1)


def _set_diag(
    b: Builder, input: Any, diagonal: Any, name: Any = None, k: Any = 0, align: Any = ""
) -> Tensor:
    return rules.region_written(
        b, as_tensor(b, input), diagonal, lambda x: rules.diagonal(b, x, one_int(b, k), -2, -1)
    )


def _tensor_diag(b: Builder, diagonal: Any, name: Any = None) -> Tensor:
    x = as_tensor(b, diagonal)
    made = rules.diagonal_matrix(b, b.reshape(x, (-1,)))
    return b.reshape(made, x.sizes * 2)


def _tensor_diag_part(b: Builder, input: Any, name: Any = None) -> Tensor:
    x = as_tensor(b, input)
    half = x.sizes[: x.rank // 2]
    if x.sizes != half * 2 or not half:
        raise CodeRefused(
            "sizes",
            _("The second half of the sizes {sizes} must equal the first half.").format(
                sizes=print_sizes(x.sizes)
            ),
        )
    square = b.reshape(x, (math.prod(half),) * 2)
    return b.reshape(rules.diagonal(b, square), half)


def _band_part(b: Builder, input: Any, num_lower: Any, num_upper: Any, name: Any = None) -> Tensor:
    x, below, above = as_tensor(b, input), one_int(b, num_lower), one_int(b, num_upper)
    if below >= 0:
        x = rules.triangle(b, x, -below, lower=False)
    return rules.triangle(b, x, above, lower=True) if above >= 0 else x


def _range(
    b: Builder, start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: Any = None
) -> Tensor:
    return creation.arange(b, start, limit, delta, dtype=dtype)


def _filled(value: int) -> Function:
    def filled(
        b: Builder, shape: Any, dtype: Any = None, name: Any = None, layout: Any = None
    ) -> Tensor:
        return control(typed(rules.filled(b, ints(b, shape), value), dtype, "float"))

    return filled


def _fill(b: Builder, dims: Any, value: Any, name: Any = None, layout: Any = None) -> Tensor:
    return control(rules.filled(b, ints(b, dims), value))


def _filled_like(value: int) -> Function:
    def filled(
        b: Builder, input: Any, dtype: Any = None, name: Any = None, layout: Any = None
    ) -> Tensor:
        return control(typed(rules.filled(b, as_tensor(b, input).sizes, value), dtype))

    return filled


def _eye(
    b: Builder,
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = None,
    name: Any = None,
) -> Tensor:
    if batch_shape is not None:
        raise CodeRefused("argument", _("batch_shape is not read; use tf.broadcast_to."))
    return creation.eye(b, num_rows, num_columns, 0, dtype)


def _constant(
    b: Builder, value: Any, dtype: Any = None, shape: Any = None, name: Any = None
) -> Tensor:
    x = as_tensor(b, value)
    x = x if x.moving else control(typed(x.array, dtype))
    if shape is None:
        return x
    return b.expand(x, ints(b, shape)) if x.array.size == 1 else b.reshape(x, ints(b, shape))


def _convert_to_tensor(
    b: Builder, value: Any, dtype: Any = None, dtype_hint: Any = None, name: Any = None
) -> Tensor:
    return _constant(b, value, dtype)


def _argsort(
    b: Builder,
    values: Any,
    axis: Any = -1,
    direction: Any = "ASCENDING",
    stable: Any = False,
    name: Any = None,
) -> Tensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise rules.unknown_mode(direction, ("ASCENDING", "DESCENDING"), "direction")
    return creation.sorted_places(b, values, axis, direction == "DESCENDING")


def _sequence_mask(
    b: Builder, lengths: Any, maxlen: Any = None, dtype: Any = None, name: Any = None
) -> Tensor:
    counts = b.control_values(as_tensor(b, lengths))
    most = int(counts.max()) if maxlen is None else one_int(b, maxlen)
    b.check((*counts.shape, most))
    return control(typed(np.arange(most) < counts[..., None], dtype))


def _meshgrid(b: Builder, *args: Any, indexing: Any = "xy", name: Any = None) -> list[Tensor]:
    return creation.grids(b, [as_tensor(b, x) for x in args], indexing)


def _of_input(measured: Callable[[Tensor], Any]) -> Function:
    def called(b: Builder, input: Any, out_type: Any = None, name: Any = None) -> Any:
        return measured(as_tensor(b, input))

    return called


def _rank(b: Builder, input: Any, name: Any = None) -> int:
    return as_tensor(b, input).rank


def _identity(b: Builder, input: Any, name: Any = None) -> Tensor:
    return as_tensor(b, input)


_BY_VALUES = """sort unique unique_with_counts argmax argmin searchsorted dynamic_partition
math.top_k nn.top_k math.argmax math.argmin image.non_max_suppression setdiff1d"""
_COMPUTES = """reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all matmul
add subtract multiply divide exp sqrt abs pow square negative sigmoid tanh maximum minimum
clip_by_value tensordot cumsum round sign norm one_hot tensor_scatter_nd_add tensor_scatter_nd_sub
tensor_scatter_nd_max tensor_scatter_nd_min linalg.matmul linalg.inv linalg.trace
nn.softmax nn.relu nn.conv2d nn.conv1d nn.max_pool nn.max_pool2d nn.avg_pool nn.avg_pool2d
nn.log_softmax nn.bias_add nn.dropout math.reduce_sum math.cumsum math.add math.exp
math.segment_sum math.unsorted_segment_sum image.crop_and_resize image.resize_with_pad"""

FUNCTIONS: dict[str, Function] = {
    "tensorflow.reshape": _reshape,
    "tensorflow.transpose": _transpose,
    "tensorflow.linalg.matrix_transpose": _matrix_transpose,
    "tensorflow.linalg.adjoint": _adjoint,
    "tensorflow.tile": _tile,
    "tensorflow.concat": _concat,
    "tensorflow.stack": _stack,
    "tensorflow.unstack": _unstack,
    "tensorflow.expand_dims": _expand_dims,
    "tensorflow.squeeze": _squeeze,
    "tensorflow.reverse": _reverse,
    "tensorflow.reverse_sequence": _reverse_sequence,
    "tensorflow.roll": _roll,
    "tensorflow.repeat": _repeat,
    "tensorflow.broadcast_to": _broadcast_to,
    "tensorflow.cast": _cast,
    "tensorflow.where": _where,
    "tensorflow.slice": _slice,
    "tensorflow.strided_slice": _strided_slice,
    "tensorflow.pad": _pad,
    "tensorflow.gather": _gather,
    "tensorflow.gather_nd": _gather_nd,
    "tensorflow.split": _split,
    "tensorflow.scatter_nd": _scatter_nd,
    "tensorflow.tensor_scatter_nd_update": _tensor_scatter_nd_update,
    "tensorflow.boolean_mask": _boolean_mask,
    **each("tensorflow.", "space_to_batch space_to_batch_nd nn.space_to_batch", _space_to_batch),
    "tensorflow.batch_to_space": _batch_to_space,
    "tensorflow.nn.embedding_lookup": _embedding_lookup,
    **tensorflow_image.FUNCTIONS,
    "tensorflow.linalg.diag": _diag,
    "tensorflow.linalg.diag_part": _diag_part,
    "tensorflow.linalg.set_diag": _set_diag,
    "tensorflow.linalg.band_part": _band_part,
    "tensorflow.linalg.tensor_diag": _tensor_diag,
    "tensorflow.linalg.tensor_diag_part": _tensor_diag_part,
    "tensorflow.range": _range,
    "tensorflow.zeros": _filled(0),
    "tensorflow.ones": _filled(1),
    "tensorflow.fill": _fill,
    "tensorflow.zeros_like": _filled_like(0),
    "tensorflow.ones_like": _filled_like(1),
    **each("tensorflow.", "eye linalg.eye", _eye),
    "tensorflow.constant": _constant,
    "tensorflow.convert_to_tensor": _convert_to_tensor,
    "tensorflow.sequence_mask": _sequence_mask,
    "tensorflow.meshgrid": _meshgrid,
    "tensorflow.argsort": _argsort,
    "tensorflow.shape": _of_input(lambda x: TensorShape(x.sizes)),
    "tensorflow.rank": _rank,
    "tensorflow.size": _of_input(lambda x: x.array.size),
    **each("tensorflow.", "identity stop_gradient guarantee_const", _identity),
    **each("tensorflow.", _BY_VALUES, rules.by_values),
    **each("tensorflow.", "einsum linalg.einsum", ignoring(einsum, "* optimize name")),
    **each("tensorflow.", _COMPUTES, rules.computes),
}

TENSORFLOW = Library(
    "tensorflow",
    "TensorFlow",
    names={"tf": "tensorflow", "tensorflow": "tensorflow"},
    modules={
        name: name
        for name in (
            "tensorflow",
            "tensorflow.image",
            "tensorflow.linalg",
            "tensorflow.math",
            "tensorflow.nn",
        )
    },
    functions=FUNCTIONS,
    methods={"numpy": rules.same_elements, "get_shape": _shape},
    attributes={
        "shape": _shape,
        "ndim": lambda b, x: x.rank,
        "dtype": lambda b, x: "",
    },
    constants={
        "tensorflow.newaxis": None,
        "tensorflow.image.ResizeMethod.NEAREST_NEIGHBOR": "nearest",
        "tensorflow.image.ResizeMethod.BILINEAR": "bilinear",
    },
    members={TensorShape: {"as_list": lambda b, sizes: list(sizes)}},
    instead="tf.tensor_scatter_nd_update",
    unread=("cpu", "device"),
    other_names=("tf",),
    signs=regex(r"\b(tf|tensorflow|keras)\.|\blayers\.[A-Z]"),
    imports="import tensorflow as tf",
    of_list="tf.constant",
    tensors=TensorForms(
        "tf.range",
        "tf.reshape(tf.cast({counted}, tf.{dtype}), [{sizes}])",
        "tf.constant({array})",
        "tf.constant({elements}, dtype=tf.{dtype})",
        "tf.constant({elements}, dtype=tf.{dtype}, shape=[{sizes}])",
    ),
    forms={
        "Tile": "tf.tile({x}, {repeats:list})",
        "Concat": "tf.concat({parts}, axis={axis})",
        "Split": "tf.split({x}, {parts:list}, axis={axis})",
        "ConstantOfShape": "tf.fill({sizes:list}, tf.constant({value}, tf.{dtype}))",
    },
    tested=False,
    prints=("Tensor",),
    conventions=Conventions(
        basic_only=True, gather="tf.gather", counts_from_end=False, whole_bits=32
    ),
)
