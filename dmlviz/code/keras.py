"""Layers of Keras that only move elements (keras.io/api/layers, Keras 3)."""

from __future__ import annotations

from typing import Any

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor, ints, one_int, tensors
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, Library, layer
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor


def _first(data_format: Any) -> bool:
    """Whether the channels are the second dimension, not the last one.

    Raises:
        CodeRefused: the format is unknown.
    """
    if data_format not in (None, "channels_last", "channels_first"):
        raise rules.unknown_mode(data_format, ("channels_last", "channels_first"), "data_format")
    return bool(data_format == "channels_first")


def _permute(b: Builder, input: Any, dims: Any) -> Tensor:
    x, order = as_tensor(b, input), ints(b, dims)
    if sorted(order) != list(range(1, x.rank)):
        message = _("Permute takes the new order of the dimensions 1 to {last}.")
        raise CodeRefused("argument", message.format(last=x.rank - 1))
    return b.transpose(x, (0, *order))


def _reshape(b: Builder, input: Any, target_shape: Any) -> Tensor:
    x = as_tensor(b, input)
    return b.reshape(x, (x.sizes[0], *ints(b, target_shape)))


def _flatten(b: Builder, input: Any, data_format: Any = None) -> Tensor:
    x = as_tensor(b, input)
    if _first(data_format) and x.rank > 2:
        x = rules.moved_axes(b, x, 1, -1)
    return b.reshape(x, (x.sizes[0], -1))


def _repeat_vector(b: Builder, input: Any, n: Any) -> Tensor:
    x = as_tensor(b, input)
    if x.rank != 2:
        raise CodeRefused("sizes", _("RepeatVector takes a tensor of 2 dimensions."))
    return rules.repeated(b, b.unsqueeze(x, [1]), one_int(b, n), 1)


def _concatenate(b: Builder, inputs: Any, axis: Any = -1) -> Tensor:
    parts = tensors(b, inputs)
    return b.concat(parts, b.axis(axis, parts[0].rank))


def _axes(x: Tensor, count: int, data_format: Any) -> range:
    """The dimensions of an image, or of a line.

    Raises:
        CodeRefused: the tensor has another number of dimensions.
    """
    if x.rank != count + 2:
        message = _("This layer takes a tensor of {rank} dimensions.")
        raise CodeRefused("sizes", message.format(rank=count + 2))
    first = 2 if _first(data_format) else 1
    return range(first, first + count)


def _upsampled(count: int) -> Function:
    def sized(b: Builder, input: Any, size: Any, data_format: Any) -> Tensor:
        x, factors = as_tensor(b, input), ints(b, size)
        factors = factors * count if len(factors) == 1 else factors
        if len(factors) != count:
            raise CodeRefused(
                "argument", _("There must be one number, or {count}.").format(count=count)
            )
        for axis, factor in zip(_axes(x, count, data_format), factors, strict=True):
            x = rules.repeated(b, x, factor, axis)
        return x

    def line(b: Builder, input: Any, size: Any = 2) -> Tensor:
        return sized(b, input, size, None)

    def image(
        b: Builder,
        input: Any,
        size: Any = (2, 2),
        data_format: Any = None,
        interpolation: Any = "nearest",
    ) -> Tensor:
        if interpolation != "nearest":
            raise computes_values()
        return sized(b, input, size, data_format)

    return line if count == 1 else image


def _widths(b: Builder, numbers: Any, count: int) -> list[tuple[int, int]]:
    """What is added or removed before and after each dimension: one number, or one for each.

    Raises:
        CodeRefused: there are others.
    """
    items = list(numbers) if isinstance(numbers, list | tuple) else [numbers] * count
    if count == 1 and len(items) == 2:
        items = [tuple(items)]
    pairs = [ints(b, item) for item in items]
    pairs = [each * 2 if len(each) == 1 else each for each in pairs]
    if len(pairs) != count or any(len(each) != 2 or min(each) < 0 for each in pairs):
        message = _("{count} numbers or pairs of numbers are needed, none below 0.")
        raise CodeRefused("argument", message.format(count=count))
    return [(each[0], each[1]) for each in pairs]


def _resized(count: int, sign: int) -> Function:
    """``ZeroPadding`` and ``Cropping`` of so many dimensions."""

    def changed(b: Builder, input: Any, numbers: Any, data_format: Any) -> Tensor:
        x = as_tensor(b, input)
        before, after = [0] * x.rank, [0] * x.rank
        pairs = _widths(b, numbers, count)
        for axis, (start, end) in zip(_axes(x, count, data_format), pairs, strict=True):
            if sign < 0 and start + end >= x.sizes[axis]:
                raise CodeRefused("sizes", _("Nothing would be left."))
            before[axis], after[axis] = sign * start, sign * end
        return b.pad(x, before, after)

    def line_padded(b: Builder, input: Any, padding: Any = 1) -> Tensor:
        return changed(b, input, padding, None)

    def padded(b: Builder, input: Any, padding: Any = 1, data_format: Any = None) -> Tensor:
        return changed(b, input, padding, data_format)

    def line_cropped(b: Builder, input: Any, cropping: Any = (1, 1)) -> Tensor:
        return changed(b, input, cropping, None)

    def cropped(b: Builder, input: Any, cropping: Any = 0, data_format: Any = None) -> Tensor:
        return changed(b, input, cropping, data_format)

    if count == 1:
        return line_padded if sign > 0 else line_cropped
    return padded if sign > 0 else cropped


_LAYERS: dict[str, Function] = {
    "Permute": _permute,
    "Reshape": _reshape,
    "Flatten": _flatten,
    "RepeatVector": _repeat_vector,
    "Concatenate": _concatenate,
    "Identity": rules.same_elements,
    **{f"UpSampling{count}D": _upsampled(count) for count in (1, 2)},
    **{f"ZeroPadding{count}D": _resized(count, 1) for count in (1, 2)},
    **{f"Cropping{count}D": _resized(count, -1) for count in (1, 2)},
}
_MODULES = ("keras.layers", "tensorflow.keras.layers")

KERAS = Library(
    "keras_layers",
    "Keras",
    names={"keras": "keras"},
    modules={name: name for name in ("keras", "keras.layers", "tensorflow.keras", *_MODULES)},
    functions={
        f"{module}.{name}": layer(f"layers.{name}", function)
        for module in _MODULES
        for name, function in _LAYERS.items()
    },
    names_of=("tensorflow",),
)
"""Layers, which take TensorFlow's tensors."""
