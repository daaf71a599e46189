"""Keras: the functions of ``keras.ops`` that move elements, the same on every backend.

Source of the rules: keras.io/api/ops and Keras 3.15, whose answers with NumPy the tests hold. Its
tensors are those of the backend, so only what all have is read: subscripts, sizes and the type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import creation, einops, numpy_copies, rules, torch_nn
from dmlviz.code.arguments import as_tensor, ints, number, one_int, stack, tensors, unbind
from dmlviz.code.builder import Builder
from dmlviz.code.conventions import Conventions
from dmlviz.code.einsum import einsum
from dmlviz.code.indexing import get
from dmlviz.code.library import Function, Library, each
from dmlviz.code.numpy_padding import pad
from dmlviz.code.refusals import CodeRefused, computes_values, sorts_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.code.tensorflow_image import windows_of_images
from dmlviz.operators.code.base import TensorForms


def _reshape(b: Builder, x: Any, newshape: Any) -> Tensor:
    return b.reshape(as_tensor(b, x), ints(b, newshape))


def _ravel(b: Builder, x: Any) -> Tensor:
    return b.reshape(as_tensor(b, x), (-1,))


def _transpose(b: Builder, x: Any, axes: Any = None) -> Tensor:
    t = as_tensor(b, x)
    return rules.reversed_axes(b, t) if axes is None else b.transpose(t, ints(b, axes))


def _moveaxis(b: Builder, x: Any, source: Any, destination: Any) -> Tensor:
    return rules.moved_axes(b, as_tensor(b, x), source, destination)


def _swapaxes(b: Builder, x: Any, axis1: Any, axis2: Any) -> Tensor:
    return rules.swapped(b, as_tensor(b, x), axis1, axis2)


def _expand_dims(b: Builder, x: Any, axis: Any) -> Tensor:
    return b.unsqueeze(as_tensor(b, x), ints(b, axis))


def _squeeze(b: Builder, x: Any, axis: Any = None) -> Tensor:
    return rules.squeezed(b, as_tensor(b, x), axis)


def _broadcast_to(b: Builder, x: Any, shape: Any) -> Tensor:
    return b.expand(as_tensor(b, x), ints(b, shape))


def _tile(b: Builder, x: Any, repeats: Any) -> Tensor:
    return rules.tiled(b, as_tensor(b, x), ints(b, repeats))


def _repeat(b: Builder, x: Any, repeats: Any, axis: Any = None) -> Tensor:
    return rules.repeated(b, as_tensor(b, x), repeats, axis)


def _pad(
    b: Builder, x: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = None
) -> Tensor:
    value = None if constant_values is None else number(constant_values)
    return pad(b, x, pad_width, mode, constant_values=value)


def _concatenate(b: Builder, xs: Any, axis: Any = 0) -> Tensor:
    parts = tensors(b, xs)
    if axis is None:
        parts, axis = [b.reshape(part, (-1,)) for part in parts], 0
    return b.concat(parts, axis)


def _append(b: Builder, x1: Any, x2: Any, axis: Any = None) -> Tensor:
    return _concatenate(b, [x1, x2], axis)


def _stack(b: Builder, x: Any, axis: Any = 0) -> Tensor:
    return stack(b, x, axis)


def _unstack(b: Builder, x: Any, num: Any = None, axis: Any = 0) -> list[Tensor]:
    parts = unbind(b, as_tensor(b, x), axis)
    if num is not None and one_int(b, num) != len(parts):
        message = _("num={num} is not the number of parts, {count}.")
        raise CodeRefused("argument", message.format(num=one_int(b, num), count=len(parts)))
    return parts


def _split(b: Builder, x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    return list(rules.equal_parts(b, as_tensor(b, x), indices_or_sections, axis))


def _array_split(b: Builder, x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    return list(rules.near_equal_parts(b, as_tensor(b, x), indices_or_sections, axis))


def _parts(axis: int) -> Function:
    def parts(b: Builder, x: Any, indices_or_sections: Any) -> Any:
        t = as_tensor(b, x)
        # hsplit divides the only dimension of a line
        return _split(b, t, indices_or_sections, 0 if t.rank == 1 == axis else axis)

    return parts


def _roll(b: Builder, x: Any, shift: Any, axis: Any = None) -> Tensor:
    return rules.rolled(b, as_tensor(b, x), shift, axis)


def _flip(b: Builder, x: Any, axis: Any = None) -> Tensor:
    t = as_tensor(b, x)
    return b.flip(t, range(t.rank) if axis is None else ints(b, axis))


def _rot90(b: Builder, array: Any, k: Any = 1, axes: Any = (0, 1)) -> Tensor:
    return rules.rotated(b, as_tensor(b, array), k, axes)


def _take(b: Builder, x: Any, indices: Any, axis: Any = None) -> Tensor:
    return rules.taken(b, as_tensor(b, x), indices, axis)


def _take_along_axis(b: Builder, x: Any, indices: Any, axis: Any = None) -> Tensor:
    return rules.taken_along(b, as_tensor(b, x), indices, axis)


def _get_item(b: Builder, x: Any, key: Any) -> Tensor:
    return get(b, as_tensor(b, x), key)


def _part(b: Builder, x: Tensor, start_indices: Any, sizes: Sequence[int]) -> tuple[slice, ...]:
    """The part of these sizes that begins at an index."""
    starts = ints(b, start_indices)
    if not len(starts) == len(sizes) == x.rank:
        message = _("There must be a start and a size for each of {rank} dimensions.")
        raise CodeRefused("argument", message.format(rank=x.rank))
    inside = (0 <= s <= n - m for s, n, m in zip(starts, x.sizes, sizes, strict=True))
    if not all(inside):
        raise CodeRefused("sizes", _("The part does not lie within the tensor."))
    return tuple(slice(s, s + m) for s, m in zip(starts, sizes, strict=True))


def _slice(b: Builder, inputs: Any, start_indices: Any, shape: Any) -> Tensor:
    x = as_tensor(b, inputs)
    return get(b, x, _part(b, x, start_indices, ints(b, shape)))


def _slice_update(b: Builder, inputs: Any, start_indices: Any, updates: Any) -> Tensor:
    x, new = as_tensor(b, inputs), as_tensor(b, updates)
    part = _part(b, x, start_indices, new.sizes)
    return rules.region_written(b, x, new, lambda t: get(b, t, part))


def _scatter(b: Builder, indices: Any, values: Any, shape: Any) -> Tensor:
    places = b.control_values(as_tensor(b, indices))
    if np.unique(places.reshape(-1, places.shape[-1]), axis=0).size != places.size:
        # it adds what comes to one place
        raise computes_values()
    zeros = control(rules.filled(b, ints(b, shape), 0))
    return b.scatter_nd(zeros, control(places), b.moved(as_tensor(b, values)))


def _scatter_update(
    b: Builder, inputs: Any, indices: Any, updates: Any, reduction: Any = None
) -> Tensor:
    if reduction is not None:
        raise computes_values()
    places = control(b.control_values(as_tensor(b, indices)))
    if places.rank != 2:
        message = _("indices must have 2 dimensions, an index in each row, not {rank}.")
        raise CodeRefused("sizes", message.format(rank=places.rank))
    return b.scatter_nd(as_tensor(b, inputs), places, b.moved(as_tensor(b, updates)))


def _meshgrid(b: Builder, *x: Any, indexing: Any = "xy") -> list[Tensor]:
    return creation.grids(b, [as_tensor(b, item) for item in x], indexing)


def _diag(b: Builder, x: Any, k: Any = 0) -> Tensor:
    return rules.diagonal_or_matrix(b, as_tensor(b, x), k)


def _diagflat(b: Builder, x: Any, k: Any = 0) -> Tensor:
    return rules.diagonal_matrix(b, _ravel(b, x), k)


def _diagonal(b: Builder, x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Tensor:
    return rules.diagonal(b, as_tensor(b, x), offset, axis1, axis2)


def _triangle(lower: bool) -> Function:
    def triangle(b: Builder, x: Any, k: Any = 0) -> Tensor:
        return rules.triangle(b, as_tensor(b, x), k, lower)

    return triangle


def _where(b: Builder, condition: Any, x1: Any = None, x2: Any = None) -> Tensor:
    if x1 is None or x2 is None:
        raise sorts_values()
    return rules.chosen_by(b, condition, x1, x2)


def _einsum(b: Builder, subscripts: Any, *operands: Any) -> Tensor:
    return einsum(b, subscripts, *operands)


def _rearrange(b: Builder, tensor: Any, pattern: Any, **axes_lengths: Any) -> Any:
    return einops.FUNCTIONS["einops.rearrange"](b, tensor, pattern, **axes_lengths)


def _unfold(
    b: Builder, x: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    columns = torch_nn.FUNCTIONS["torch.nn.functional.unfold"]
    return columns(b, x, kernel_size, dilation, padding, stride)


def _extract_sequences(b: Builder, x: Any, sequence_length: Any, sequence_stride: Any) -> Tensor:
    return rules.windows(b, as_tensor(b, x), -1, sequence_length, sequence_stride)


def _channels_first(data_format: Any) -> bool:
    """Whether the channels come before height and width.

    Raises:
        CodeRefused: the format is unknown.
    """
    formats = ("channels_last", "channels_first")
    if data_format is not None and data_format not in formats:
        raise rules.unknown_mode(data_format, formats, "data_format")
    return bool(data_format == "channels_first")


def _blocks(move: Any) -> Function:
    def moved(b: Builder, x: Any, block_size: Any, data_format: Any = "channels_last") -> Tensor:
        t, block = rules.batch_of_images(b, x), one_int(b, block_size)
        if _channels_first(data_format):
            made: Tensor = move(b, t, block, True)
            return made
        made = move(b, b.transpose(t, (0, 3, 1, 2)), block, False)
        return b.transpose(made, (0, 2, 3, 1))

    return moved


def _as_batch(b: Builder, images: Any, data_format: Any) -> tuple[Tensor, bool, bool]:
    """Images with channels last as a batch; whether there was one image, and channels first."""
    x, first = as_tensor(b, images), _channels_first(data_format)
    if x.rank not in (3, 4):
        message = _("Images have 3 or 4 dimensions, not {rank}.")
        raise CodeRefused("sizes", message.format(rank=x.rank))
    single = x.rank == 3
    x = b.unsqueeze(x, [0]) if single else x
    return (b.transpose(x, (0, 2, 3, 1)) if first else x), single, first


def _in_format(b: Builder, x: Tensor, single: bool, first: bool) -> Tensor:
    x = b.transpose(x, (0, 3, 1, 2)) if first else x
    return b.squeeze(x, [0]) if single else x


def _extract_patches(
    b: Builder,
    images: Any,
    size: Any,
    strides: Any = None,
    dilation_rate: Any = 1,
    padding: Any = "valid",
    data_format: Any = None,
) -> Tensor:
    x, *layout = _as_batch(b, images, data_format)
    window = _two(b, size)
    steps = window if strides is None else _two(b, strides)
    apart = _two(b, dilation_rate)
    if padding not in ("valid", "same"):
        raise rules.unknown_mode(padding, ("valid", "same"), "padding")
    return _in_format(b, windows_of_images(b, x, window, steps, apart, padding == "same"), *layout)


def _two(b: Builder, numbers: Any) -> tuple[int, int]:
    """Rows and columns: one number for both, or two, of 1 or more."""
    pair = ints(b, numbers)
    pair = pair * 2 if len(pair) == 1 else pair
    if len(pair) != 2 or min(pair) < 1:
        raise CodeRefused("argument", _("There must be one number, or two, of 1 or more."))
    return pair[0], pair[1]


def _edges(
    b: Builder, before: Any, after: Any, target: Any, size: int, sign: int
) -> tuple[int, int]:
    """What is added before and after a dimension, or cut off, of which two of three are given."""
    three = [None if value is None else one_int(b, value) for value in (before, after, target)]
    if three.count(None) != 1:
        raise CodeRefused(
            "argument", _("Exactly two of three are needed: before, after and the size.")
        )
    one, two, wanted = three
    whole = sign * ((wanted or 0) - size)
    first = whole - (two or 0) if one is None else one
    last = whole - first if two is None else two
    if first < 0 or last < 0:
        raise CodeRefused("sizes", _("Padding and cropping must be 0 or more."))
    return first, last


def _padded(
    b: Builder,
    images: Any,
    top_padding: Any = None,
    left_padding: Any = None,
    bottom_padding: Any = None,
    right_padding: Any = None,
    target_height: Any = None,
    target_width: Any = None,
    data_format: Any = None,
) -> Tensor:
    x, *layout = _as_batch(b, images, data_format)
    rows = _edges(b, top_padding, bottom_padding, target_height, x.sizes[1], 1)
    columns = _edges(b, left_padding, right_padding, target_width, x.sizes[2], 1)
    x = b.pad(x, (0, rows[0], columns[0], 0), (0, rows[1], columns[1], 0))
    return _in_format(b, x, *layout)


def _cropped(
    b: Builder,
    images: Any,
    top_cropping: Any = None,
    left_cropping: Any = None,
    bottom_cropping: Any = None,
    right_cropping: Any = None,
    target_height: Any = None,
    target_width: Any = None,
    data_format: Any = None,
) -> Tensor:
    x, *layout = _as_batch(b, images, data_format)
    n, m = x.sizes[1:3]
    rows = _edges(b, top_cropping, bottom_cropping, target_height, n, -1)
    columns = _edges(b, left_cropping, right_cropping, target_width, m, -1)
    x = get(b, x, (slice(None), slice(rows[0], n - rows[1]), slice(columns[0], m - columns[1])))
    return _in_format(b, x, *layout)


def _cast(b: Builder, x: Any, dtype: Any) -> Tensor:
    return numpy_copies.astype(b, x, dtype)


def _convert_to_tensor(b: Builder, x: Any, dtype: Any = None) -> Tensor:
    return numpy_copies.array(b, x, dtype)


def _full_like(b: Builder, x: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return creation.full_like(b, x, fill_value, dtype)


def _like(value: int) -> Function:
    def like(b: Builder, x: Any, dtype: Any = None) -> Tensor:
        return creation.full_like(b, x, value, dtype)

    return like


def _arange(
    b: Builder, start: Any, stop: Any = None, step: Any = None, dtype: Any = None
) -> Tensor:
    return creation.arange(b, start, stop, step, dtype=dtype)


def _argsort(b: Builder, x: Any, axis: Any = -1) -> Tensor:
    return creation.sorted_places(b, x, axis)


_BY_VALUES = "sort top_k argmax argmin argpartition searchsorted unique nonzero"
_COMPUTES = """abs absolute add subtract multiply divide matmul max min mean sum prod var std exp
log sqrt square softmax sigmoid relu gelu silu maximum minimum power cumsum cumprod logsumexp
tensordot inner outer kron round floor ceil sin cos tanh erf conv dot trace all any one_hot
average_pool max_pool segment_sum fold image.affine_transform image.rgb_to_grayscale"""

FUNCTIONS: dict[str, Function] = {
    "keras.ops.reshape": _reshape,
    "keras.ops.ravel": _ravel,
    "keras.ops.transpose": _transpose,
    "keras.ops.moveaxis": _moveaxis,
    "keras.ops.swapaxes": _swapaxes,
    "keras.ops.expand_dims": _expand_dims,
    "keras.ops.squeeze": _squeeze,
    "keras.ops.broadcast_to": _broadcast_to,
    "keras.ops.tile": _tile,
    "keras.ops.repeat": _repeat,
    "keras.ops.pad": _pad,
    "keras.ops.concatenate": _concatenate,
    "keras.ops.append": _append,
    "keras.ops.stack": _stack,
    "keras.ops.unstack": _unstack,
    "keras.ops.vstack": lambda b, xs: rules.joined_depth(b, xs, 2, 0),
    "keras.ops.hstack": lambda b, xs: rules.joined_rows(b, xs),
    "keras.ops.dstack": lambda b, xs: rules.joined_depth(b, xs, 3, 2),
    "keras.ops.split": _split,
    "keras.ops.array_split": _array_split,
    **{f"keras.ops.{name}split": _parts(axis) for axis, name in enumerate("vhd")},
    "keras.ops.roll": _roll,
    "keras.ops.flip": _flip,
    "keras.ops.flipud": lambda b, x: _flip(b, x, 0),
    "keras.ops.fliplr": lambda b, x: _flip(b, x, 1),
    "keras.ops.rot90": _rot90,
    "keras.ops.take": _take,
    "keras.ops.take_along_axis": _take_along_axis,
    "keras.ops.get_item": _get_item,
    "keras.ops.slice": _slice,
    "keras.ops.slice_update": _slice_update,
    "keras.ops.scatter": _scatter,
    "keras.ops.scatter_update": _scatter_update,
    "keras.ops.meshgrid": _meshgrid,
    "keras.ops.diag": _diag,
    "keras.ops.diagflat": _diagflat,
    "keras.ops.diagonal": _diagonal,
    "keras.ops.tril": _triangle(lower=True),
    "keras.ops.triu": _triangle(lower=False),
    "keras.ops.where": _where,
    "keras.ops.einsum": _einsum,
    "keras.ops.rearrange": _rearrange,
    "keras.ops.unfold": _unfold,
    "keras.ops.extract_sequences": _extract_sequences,
    "keras.ops.depth_to_space": _blocks(rules.depth_to_pixels),
    "keras.ops.space_to_depth": _blocks(rules.pixels_to_depth),
    "keras.ops.image.extract_patches": _extract_patches,
    "keras.ops.image.pad_images": _padded,
    "keras.ops.image.crop_images": _cropped,
    "keras.ops.copy": lambda b, x: rules.copied_in_order(b, x),
    "keras.ops.stop_gradient": lambda b, variable: as_tensor(b, variable),
    "keras.ops.convert_to_numpy": lambda b, x: as_tensor(b, x),
    "keras.ops.cast": _cast,
    **each("keras.ops.", "convert_to_tensor array", _convert_to_tensor),
    "keras.ops.zeros": creation.filled_with(0),
    "keras.ops.ones": creation.filled_with(1),
    "keras.ops.full": creation.full,
    "keras.ops.zeros_like": _like(0),
    "keras.ops.ones_like": _like(1),
    "keras.ops.full_like": _full_like,
    "keras.ops.arange": _arange,
    "keras.ops.eye": creation.eye,
    "keras.ops.identity": creation.identity,
    "keras.ops.tri": creation.tri,
    "keras.ops.argsort": _argsort,
    "keras.ops.shape": lambda b, x: as_tensor(b, x).sizes,
    "keras.ops.ndim": lambda b, x: as_tensor(b, x).rank,
    "keras.ops.size": lambda b, x: as_tensor(b, x).array.size,
    **each("keras.ops.", _BY_VALUES, rules.by_values),
    **each("keras.ops.", _COMPUTES, rules.computes),
}

KERAS_OPS = Library(
    "keras",
    "Keras",
    names={"ops": "keras.ops", "keras": "keras"},
    modules={name: name for name in ("keras", "keras.ops", "keras.ops.image")},
    functions=FUNCTIONS,
    attributes={
        "shape": lambda b, x: x.sizes,
        "ndim": lambda b, x: x.rank,
        "dtype": lambda b, x: "",
    },
    instead="ops.slice_update or ops.scatter_update",
    signs=regex(r"\bkeras\.ops\b|\bfrom keras import ops\b|(?<![\w.])ops\.[a-z]\w*\("),
    imports="from keras import ops",
    of_list="ops.convert_to_tensor",
    names_of=("numpy", "tensorflow"),
    conventions=Conventions(whole_bits=32),
    tensors=TensorForms(
        "ops.arange",
        'ops.reshape(ops.cast({counted}, "{dtype}"), ({sizes},))',
        'ops.convert_to_tensor({array}, dtype="{dtype}")',
        'ops.convert_to_tensor({elements}, dtype="{dtype}")',
        'ops.convert_to_tensor({elements}, dtype="{dtype}")\n'
        "{name} = ops.reshape({name}, ({sizes},))",
    ),
    forms={
        "Add": "{x} + {other}",
        "Cast": 'ops.cast({x}, "{dtype}")',
        "Concat": "ops.concatenate({parts}, axis={axis})",
        "ConstantOfShape": 'ops.full({sizes}, {value}, dtype="{dtype}")',
        "DepthToSpace CRD": 'ops.depth_to_space({x}, {blocksize}, data_format="channels_first")',
        "Equal": "{x} == {other}",
        "Expand": "ops.broadcast_to({x}, {sizes})",
        "Gather": "ops.take({x}, {indices}, axis={axis})",
        "GatherElements": "ops.take_along_axis({x}, {indices}, axis={axis})",
        "Less": "{x} < {other}",
        "Mul": "{x} * {other}",
        "Pad constant": "ops.pad({x}, {pairs}, constant_values={value})",
        "Pad reflect": 'ops.pad({x}, {pairs}, mode="reflect")',
        "Range": "ops.arange({start}, {limit}, {delta})",
        "Reshape": "ops.reshape({x}, {sizes})",
        "ScatterND": "ops.scatter_update({x}, {indices}, {updates})",
        "Slice": "{x}[{subscript}]",
        "Split": "ops.split({x}, {cuts:list}, axis={axis})",
        "Sub": "{x} - {other}",
        "Tile": "ops.tile({x}, {repeats})",
        "Transpose": "ops.transpose({x}, {order})",
        "Trilu lower": "ops.tril({x}, {k})",
        "Trilu upper": "ops.triu({x}, {k})",
        "Where": "ops.where({condition}, {x}, {other})",
        "constant": 'ops.convert_to_tensor({values}, dtype="{dtype}")',
    },
    tested=False,
)
