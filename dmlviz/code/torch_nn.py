"""PyTorch's ``torch.nn``: padding, shuffles, windows, and the layers that only move.

Source of the rules: PyTorch 2.13 itself, which the tests run where it is installed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor, ints, number, one_int, stack, tensors
from dmlviz.code.builder import Builder
from dmlviz.code.convolution import convolved
from dmlviz.code.indexing import written
from dmlviz.code.library import Function, each, ignoring, layer
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.types import Array


def flatten(b: Builder, input: Tensor, start_dim: Any = 0, end_dim: Any = -1) -> Tensor:
    """Several dimensions as one."""
    if input.rank == 0:
        return b.reshape(input, (1,))
    first, last = b.axis(start_dim, input.rank), b.axis(end_dim, input.rank)
    if first > last:
        raise CodeRefused("argument", _("start_dim must not come after end_dim."))
    middle = math.prod(input.sizes[first : last + 1])
    return b.reshape(input, (*input.sizes[:first], middle, *input.sizes[last + 1 :]))


def _unflatten_layer(b: Builder, input: Tensor, dim: Any, unflattened_size: Any) -> Tensor:
    return unflatten(b, input, dim, unflattened_size)


def unflatten(b: Builder, input: Tensor, dim: Any, sizes: Any) -> Tensor:
    """One dimension as several; one size can be -1."""
    axis, new = b.axis(dim, input.rank), list(ints(b, sizes))
    rest = math.prod(n for n in new if n != -1)
    if -1 in new and rest > 0:
        new[new.index(-1)] = input.sizes[axis] // rest
    return b.reshape(input, (*input.sizes[:axis], *new, *input.sizes[axis + 1 :]))


_PAD_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def pad(b: Builder, input: Any, pad: Any, mode: Any = "constant", value: Any = None) -> Tensor:
    """``F.pad``: pairs of counts, the last dimension first.

    Raises:
        CodeRefused: PyTorch does not take these counts in this mode.
    """
    x, counts = as_tensor(b, input), ints(b, pad)
    if mode not in _PAD_MODES:
        raise rules.unknown_mode(mode, _PAD_MODES)
    if len(counts) % 2 or len(counts) > 2 * x.rank:
        raise CodeRefused(
            "argument",
            _("{count} numbers do not pad {rank} dimensions: F.pad takes two for each.").format(
                count=len(counts), rank=x.rank
            ),
        )
    before, after = [0] * x.rank, [0] * x.rank
    for k in range(len(counts) // 2):
        before[x.rank - 1 - k], after[x.rank - 1 - k] = counts[2 * k : 2 * k + 2]
    if mode != "constant":
        _check_pad(x, before, after, mode, value)
    return b.pad(x, before, after, _PAD_MODES[mode], 0 if value is None else number(value))


def _check_pad(
    x: Tensor, before: Sequence[int], after: Sequence[int], mode: str, value: Any
) -> None:
    """PyTorch's own limits of the modes that copy elements."""
    padded = sum(1 for pair in zip(before, after, strict=True) if any(pair))
    count = max([x.rank - d for d in range(x.rank) if before[d] or after[d]], default=1)
    if value not in (None, 0, 0.0):
        raise CodeRefused(
            "argument", _("mode={mode} takes no value; leave it out.").format(mode=mode)
        )
    if padded and not (2 <= x.rank <= 5 and count <= x.rank - 1 and x.rank - count <= 2):
        raise CodeRefused(
            "sizes",
            _(
                "In mode {mode}, PyTorch pads only the last 1, 2 or 3 dimensions of a tensor with "
                "one or two more."
            ).format(mode=mode),
        )
    rules.check_padding(x, before, after, {"reflect": 1, "circular": 0}.get(mode), mode)
    if min((*before, *after), default=0) < 0:
        raise CodeRefused(
            "argument", _("Negative padding is read only with constants; use a slice.")
        )


def _pixel_shuffle(b: Builder, input: Any, upscale_factor: Any) -> Tensor:
    return rules.depth_to_pixels(b, as_tensor(b, input), one_int(b, upscale_factor))


def _pixel_unshuffle(b: Builder, input: Any, downscale_factor: Any) -> Tensor:
    return rules.pixels_to_depth(b, as_tensor(b, input), one_int(b, downscale_factor))


def _channel_shuffle(b: Builder, input: Any, groups: Any) -> Tensor:
    x, count = as_tensor(b, input), one_int(b, groups)
    if x.rank < 3 or count < 1 or x.sizes[1] % count:
        raise CodeRefused(
            "sizes",
            _("{groups} groups do not divide the channels of sizes {sizes}.").format(
                groups=count, sizes=print_sizes(x.sizes)
            ),
        )
    n, c, *rest = x.sizes
    grouped = b.reshape(x, (n, count, c // count, *rest))
    return b.reshape(rules.swapped(b, grouped, 1, 2), x.sizes)


def _twice(b: Builder, numbers: Any) -> tuple[int, int]:
    lengths = ints(b, numbers)
    if len(lengths) not in (1, 2):
        raise CodeRefused("argument", _("One or two numbers are needed, for height and width."))
    return lengths[0], lengths[-1]


def _window_counts(
    sides: Sequence[int], kernel: Sequence[int], apart: Sequence[int], step: Sequence[int]
) -> list[int]:
    """How many windows there are along each side; below 1 if none fits."""
    return [
        (side - gap * (window - 1) - 1) // by + 1
        for side, window, gap, by in zip(sides, kernel, apart, step, strict=True)
    ]


def _window_places(window: int, gap: int, count: int, by: int) -> Array:
    """The places along a side of each element of a window, in every window."""
    return np.arange(window)[:, None] * gap + np.arange(count) * by


def _windows_in_columns(
    b: Builder,
    input: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """``F.unfold``: each window as a column, as a convolution reads them."""
    x = as_tensor(b, input)
    kernel, apart, around, step = (
        _twice(b, numbers) for numbers in (kernel_size, dilation, padding, stride)
    )
    if x.rank not in (3, 4) or min((*kernel, *apart, *step)) < 1 or min(around) < 0:
        raise CodeRefused(
            "sizes",
            _("unfold takes rank 3 or 4, counts of 1 or more, and padding of 0 or more."),
        )
    batch = b.reshape(x, (1,) * (4 - x.rank) + x.sizes)
    batch = b.pad(batch, (0, 0, *around), (0, 0, *around))
    n, c, *sides = batch.sizes
    counts = _window_counts(sides, kernel, apart, step)
    if min(counts) < 1:
        raise CodeRefused(
            "sizes",
            _("A window of {window} does not fit {sizes}.").format(
                window=print_sizes(kernel), sizes=print_sizes(sides)
            ),
        )
    b.check((n, c, kernel[0], counts[0], kernel[1], counts[1]))
    for k, axis in ((0, 2), (1, 4)):
        places = _window_places(kernel[k], apart[k], counts[k], step[k])
        batch = b.gather(batch, axis, control(places))
    batch = b.transpose(batch, (0, 1, 2, 4, 3, 5))
    columns = b.reshape(batch, (n, c * math.prod(kernel), math.prod(counts)))
    return columns if x.rank == 4 else b.squeeze(columns, [0])


def _convolution(count: int) -> Function:
    """``conv1d`` or ``conv2d``, the calls whose result is computed."""
    name = f"conv{count}d"

    def convolution(
        b: Builder,
        input: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: Any = 1,
    ) -> Tensor:
        if bias is not None or one_int(b, groups) != 1:
            message = _("{name} is read without bias and groups.").format(name=name)
            raise CodeRefused("computes", message)
        padding = 0 if padding == "valid" else padding
        numbers = [ints(b, each) for each in (stride, padding, dilation)]
        if any(len(each) not in (1, count) for each in numbers):
            raise CodeRefused(
                "argument",
                _("{name} takes {count} numbers for stride, padding and dilation, or one.").format(
                    name=name, count=count
                ),
            )
        steps, around, apart = (each * (count // len(each)) for each in numbers)
        return convolved(b, as_tensor(b, input), as_tensor(b, weight), steps, around, apart, name)

    return convolution


def _fold(
    b: Builder,
    input: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """``F.fold``: windows, each a column, put where they were; zeros where none is."""
    x = as_tensor(b, input)
    sides, kernel, apart, around, step = (
        _twice(b, numbers) for numbers in (output_size, kernel_size, dilation, padding, stride)
    )
    if x.rank not in (2, 3) or min((*kernel, *apart, *step)) < 1 or min(around) < 0:
        raise CodeRefused(
            "sizes",
            _("fold takes rank 2 or 3, counts of 1 or more, and padding of 0 or more."),
        )
    padded = [side + 2 * edge for side, edge in zip(sides, around, strict=True)]
    counts = [max(0, count) for count in _window_counts(padded, kernel, apart, step)]
    columns, windows = x.sizes[-2:]
    channels = columns // math.prod(kernel)
    if columns % math.prod(kernel) or windows != math.prod(counts):
        raise CodeRefused(
            "sizes",
            _("Windows of {window} that make {sizes} are {count}, not {given}.").format(
                window=print_sizes(kernel),
                sizes=print_sizes(sides),
                count=math.prod(counts),
                given=windows,
            ),
        )
    b.check((channels, *sides))
    # for each element of a channel's windows, its place in the channel; -1 in the padding
    down, across = (
        _window_places(kernel[k], apart[k], counts[k], step[k]) - around[k] for k in (0, 1)
    )
    rows, cols = down[:, None, :, None], across[None, :, None, :]
    inside = (rows >= 0) & (rows < sides[0]) & (cols >= 0) & (cols < sides[1])
    places = np.where(inside, rows * sides[1] + cols, -1).ravel()
    came_from = np.full(math.prod(sides), places.size)
    came_from[places[places >= 0]] = np.flatnonzero(places >= 0)
    if len({*places[places >= 0].tolist()}) < np.count_nonzero(places >= 0):
        raise CodeRefused(
            "computes",
            _("F.fold adds the elements where its windows overlap; only movements are shown."),
        )
    flat = b.reshape(x, (-1 if x.rank == 3 else 1, channels, places.size))
    if (came_from == places.size).any():
        flat = b.pad(flat, (0, 0, 0), (0, 0, 1))
    folded = b.reshape(b.gather(flat, 2, control(came_from)), (-1, channels, *sides))
    return folded if x.rank == 3 else b.squeeze(folded, [0])


def _pad_sequence(
    b: Builder,
    sequences: Any,
    batch_first: Any = False,
    padding_value: Any = 0.0,
    padding_side: Any = "right",
) -> Tensor:
    """Tensors of several lengths, stacked, each as long as the longest."""
    if padding_side not in ("left", "right"):
        raise rules.unknown_mode(padding_side, ("left", "right"), "padding_side")
    items = tensors(b, sequences)
    longest = max(x.sizes[0] if x.rank else 0 for x in items)
    padded = []
    for x in items:
        lacking = (longest - (x.sizes[0] if x.rank else 0), *(0,) * (x.rank - 1))
        nothing = (0,) * x.rank
        before, after = (nothing, lacking) if padding_side == "right" else (lacking, nothing)
        padded.append(b.pad(x, before, after, value=number(padding_value)))
    return stack(b, padded, 0 if batch_first else 1)


def _block_diag(b: Builder, *tensors: Any) -> Tensor:
    """Matrices along a diagonal, zeros elsewhere; of fewer dimensions, as rows."""
    blocks = [rules.at_least(b, as_tensor(b, x), 2) for x in tensors]
    if not blocks or any(block.rank > 2 for block in blocks):
        raise CodeRefused("sizes", _("block_diag takes tensors of rank 2 or less."))
    whole, left = sum(block.sizes[1] for block in blocks), 0
    rows = []
    for block in blocks:
        right = whole - left - block.sizes[1]
        rows.append(b.pad(block, (0, left), (0, right)))
        left += block.sizes[1]
    return b.concat(rows, 0)


def _interpolate(
    b: Builder,
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: Any = False,
) -> Tensor:
    x = as_tensor(b, input)
    if mode not in ("nearest", "nearest-exact"):
        raise CodeRefused(
            "computes",
            _(
                "mode={mode} computes new values; only nearest and nearest-exact copy elements."
            ).format(mode=short_text(mode)),
        )
    centers = mode == "nearest-exact"
    for name, value in (("align_corners", align_corners), ("antialias", antialias or None)):
        if value is not None:
            raise CodeRefused(
                "argument",
                _("mode={mode} takes no {name}; leave it out.").format(mode=mode, name=name),
            )
    if not 3 <= x.rank <= 5 or (size is None) == (scale_factor is None):
        raise CodeRefused(
            "sizes",
            _("interpolate takes rank 3 to 5, and either a size or a scale factor."),
        )
    if size is not None and recompute_scale_factor:
        raise CodeRefused(
            "argument", _("recompute_scale_factor needs a scale factor, and no size.")
        )
    count = x.rank - 2
    if size is not None:
        sizes = ints(b, size)
        return _nearest(b, x, sizes * count if len(sizes) == 1 else sizes, [0.0] * count, centers)
    scales = scale_factor if isinstance(scale_factor, list | tuple) else [scale_factor] * count
    scales = [number(scale) for scale in scales]
    if len(scales) != count or min(scales) <= 0:
        raise CodeRefused(
            "argument",
            _("There must be one scale factor above 0 for each of {count} dimensions.").format(
                count=count
            ),
        )
    sizes = tuple(math.floor(n * s) for n, s in zip(x.sizes[2:], scales, strict=True))
    # the scale is computed again from the whole sizes that it gave
    return _nearest(b, x, sizes, [0.0] * count if recompute_scale_factor else scales, centers)


def _upsample(
    b: Builder,
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
) -> Tensor:
    return _interpolate(b, input, size, scale_factor, mode, align_corners)


def _upsample_layer(
    b: Builder,
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
) -> Tensor:
    more = (align_corners, recompute_scale_factor)
    return _interpolate(b, input, size, scale_factor, mode, *more)


def _upsample_nearest(b: Builder, input: Any, size: Any = None, scale_factor: Any = None) -> Tensor:
    return _interpolate(b, input, size, scale_factor)


def _nearest(
    b: Builder, x: Tensor, sizes: Sequence[int], scales: Sequence[float], centers: bool
) -> Tensor:
    """PyTorch's ``nearest``: floor(i · in / out), or floor(i / scale), in FLOAT32.

    From centers, as ``nearest-exact`` goes, i is i + 0.5.
    """
    if len(sizes) != x.rank - 2:
        raise CodeRefused(
            "argument",
            _("There must be one size for each of {count} dimensions.").format(count=x.rank - 2),
        )
    b.check((*x.sizes[:2], *sizes))
    shift = np.float32(0.5 if centers else 0)
    for d, (new, scale) in enumerate(zip(sizes, scales, strict=True), start=2):
        old = x.sizes[d]
        step = np.float32(1.0 / scale) if scale else np.float32(old / new)
        places = np.floor((np.arange(new, dtype=np.float32) + shift) * step).astype(np.int64)
        places = np.minimum(places, old - 1)
        if not np.array_equal(places, np.arange(old)):
            x = b.gather(x, d, control(places))
    return x


def _embedding(
    b: Builder,
    input: Any,
    weight: Any,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> Tensor:
    if max_norm is not None:
        raise CodeRefused("computes", _("embedding with max_norm computes new values."))
    return b.gather(as_tensor(b, weight), 0, as_tensor(b, input), typed=True)


def _dropout(
    b: Builder, input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False
) -> Tensor:
    if training and number(p):
        raise CodeRefused(
            "computes",
            _("dropout in training computes new values; with training=False it moves nothing."),
        )
    return as_tensor(b, input)


def _max_unpool(count: int) -> Function:
    """``max_unpool1d`` to ``max_unpool3d``: elements at the places that indices name, and zeros."""

    def per_dimension(b: Builder, numbers: Any) -> tuple[int, ...]:
        lengths = ints(b, numbers)
        if len(lengths) not in (1, count):
            raise CodeRefused(
                "argument", _("There must be one number, or {count}.").format(count=count)
            )
        return lengths * (count // len(lengths))

    def unpooled(
        b: Builder,
        input: Any,
        indices: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Tensor:
        x, places = as_tensor(b, input), b.control_values(as_tensor(b, indices))
        kernel = per_dimension(b, kernel_size)
        steps = kernel if stride in (None, [], ()) else per_dimension(b, stride)
        around = per_dimension(b, padding)
        if x.rank not in (count + 1, count + 2) or places.shape != x.sizes:
            raise CodeRefused(
                "sizes",
                _(
                    "max_unpool{count}d takes a tensor of {one} or {two} dimensions, and indices "
                    "of the same sizes."
                ).format(count=count, one=count + 1, two=count + 2),
            )
        lead, last = x.sizes[:-count], x.sizes[-count:]
        usual = [
            (n - 1) * step + k - 2 * p
            for n, step, k, p in zip(last, steps, kernel, around, strict=True)
        ]
        sizes = usual if output_size is None else list(ints(b, output_size))[-count:]
        between = zip(sizes, usual, steps, strict=False)
        if len(sizes) != count or any(abs(n - due) >= step for n, due, step in between):
            raise CodeRefused(
                "sizes",
                _("output_size={sizes} must differ from {due} by less than the stride.").format(
                    sizes=print_sizes(sizes), due=print_sizes(usual)
                ),
            )
        zeros = control(rules.filled(b, (*lead, *sizes), 0))
        plane = math.prod(sizes)
        if places.dtype.kind not in "iu" or places.min() < 0 or places.max() >= plane:
            raise CodeRefused(
                "sizes",
                _("Indices must be whole numbers from 0 to {last}.").format(last=plane - 1),
            )
        planes = np.arange(math.prod(lead)).reshape(*lead, *[1] * count)
        return written(b, zeros, planes * plane + places, x)

    return unpooled


def _padding_layer(mode: str, dimensions: int) -> Function:
    """A layer of padding: one number for all sides, or two for each dimension."""

    def padded(b: Builder, input: Tensor, padding: Any) -> Tensor:
        return constant(b, input, padding, None)

    def constant(b: Builder, input: Tensor, padding: Any, value: Any) -> Tensor:
        counts = ints(b, padding)
        counts = counts * (2 * dimensions) if len(counts) == 1 else counts
        return pad(b, input, counts, "constant" if mode == "zero" else mode, value)

    return constant if mode == "constant" else padded


def _identity_layer(b: Builder, input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """PyTorch's ``Identity`` takes any arguments, and uses none."""
    return input


def _flatten_layer(b: Builder, input: Tensor, start_dim: Any = 1, end_dim: Any = -1) -> Tensor:
    return flatten(b, input, start_dim, end_dim)


_LAYERS: dict[str, Function] = {
    "PixelShuffle": _pixel_shuffle,
    "PixelUnshuffle": _pixel_unshuffle,
    "ChannelShuffle": _channel_shuffle,
    "Unfold": _windows_in_columns,
    "Fold": _fold,
    "Flatten": _flatten_layer,
    "Unflatten": _unflatten_layer,
    "Identity": _identity_layer,
    "Dropout": ignoring(rules.same_elements, "p inplace"),
    "Upsample": _upsample_layer,
    "UpsamplingNearest2d": _upsample_nearest,
    **{
        f"{name}Pad{count}d": _padding_layer(mode, count)
        for count in (1, 2, 3)
        for name, mode in {
            "Zero": "zero",
            "Constant": "constant",
            "Reflection": "reflect",
            "Replication": "replicate",
            "Circular": "circular",
        }.items()
    },
}

SHARED: dict[str, Function] = {
    "conv1d": _convolution(1),
    "conv2d": _convolution(2),
    "pixel_shuffle": _pixel_shuffle,
    "pixel_unshuffle": _pixel_unshuffle,
    "channel_shuffle": _channel_shuffle,
}
"""What is in PyTorch itself, too."""

FUNCTIONS: dict[str, Function] = {
    **{f"torch.nn.functional.{name}": function for name, function in SHARED.items()},
    "torch.nn.functional.pad": pad,
    "torch.nn.functional.unfold": _windows_in_columns,
    "torch.block_diag": _block_diag,
    "torch.nn.functional.fold": _fold,
    "torch.nn.utils.rnn.pad_sequence": _pad_sequence,
    "torch.nn.functional.interpolate": _interpolate,
    "torch.nn.functional.upsample": _upsample,
    **{f"torch.nn.functional.max_unpool{n}d": _max_unpool(n) for n in (1, 2, 3)},
    "torch.nn.functional.embedding": _embedding,
    "torch.nn.functional.dropout": _dropout,
    **each(
        "torch.nn.functional.",
        """conv3d max_pool2d avg_pool2d softmax log_softmax relu gelu silu linear
        grid_sample embedding_bag normalize layer_norm batch_norm one_hot
        scaled_dot_product_attention cross_entropy""",
        rules.computes,
    ),
    **{f"torch.nn.{name}": layer(f"nn.{name}", f) for name, f in _LAYERS.items()},
    **each(
        "torch.nn.",
        """Linear Conv1d Conv2d ReLU GELU Softmax LayerNorm BatchNorm2d MaxPool2d AvgPool2d
        Embedding""",
        rules.computes,
    ),
}
