"""ONNX: its operators that only move elements, as onnxscript writes them: ``op.Transpose(x)``.

Source of the rules: onnx.ai/onnx/operators at opset 25, and ONNX's own node tests, which the tests
run. Older forms are rewritten by :mod:`dmlviz.code.model_nodes`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor, ints, number, one_int
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, Library, each
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Array


def _reshape(b: Builder, data: Any, shape: Any, *, allowzero: Any = 0) -> Tensor:
    x, new = as_tensor(b, data), ints(b, shape)
    if len(new) > x.rank and 0 in new[x.rank :] and not allowzero:
        raise CodeRefused("sizes", _("A 0 keeps a size, and there is none at its place."))
    return b.reshape(x, new if allowzero else [n or x.sizes[d] for d, n in enumerate(new)])


def _flatten(b: Builder, input: Any, *, axis: Any = 1) -> Tensor:
    x = as_tensor(b, input)
    # the axis may be the rank
    at = x.rank if axis == x.rank else b.axis(axis, x.rank)
    return b.reshape(x, (math.prod(x.sizes[:at]), math.prod(x.sizes[at:])))


def _transpose(b: Builder, data: Any, *, perm: Any = None) -> Tensor:
    x = as_tensor(b, data)
    return rules.reversed_axes(b, x) if perm is None else b.transpose(x, ints(b, perm))


def _squeeze(b: Builder, data: Any, axes: Any = None) -> Tensor:
    return rules.squeezed(b, as_tensor(b, data), axes)


def _unsqueeze(b: Builder, data: Any, axes: Any) -> Tensor:
    return b.unsqueeze(as_tensor(b, data), ints(b, axes))


def _dropout(
    b: Builder, data: Any, ratio: Any = None, training_mode: Any = None, *, seed: Any = None
) -> Tensor:
    """In evaluation nothing is dropped; ratio and seed are those of training."""
    if training_mode is not None and bool(np.asarray(training_mode).any()):
        raise CodeRefused("computes", _("Dropout in training computes new values."))
    return as_tensor(b, data)


def _expand(b: Builder, input: Any, shape: Any) -> Tensor:
    x, due = as_tensor(b, input), ints(b, shape)
    b.check(due)
    both = b.broadcast_sizes([x, control(np.broadcast_to(0, due))])
    return b.expand(x, both)


def _tile(b: Builder, input: Any, repeats: Any) -> Tensor:
    return b.tile(as_tensor(b, input), ints(b, repeats))


def _axes_of(b: Builder, x: Tensor, axes: Any, count: int) -> list[int]:
    """The axes that ``count`` numbers are for: the first ones if none are named."""
    dimensions = b.axes(list(range(count)) if axes is None else list(ints(b, axes)), x.rank)
    if len(dimensions) != count:
        raise CodeRefused(
            "argument",
            _("{count} numbers do not fit {axes} axes; there must be one for each.").format(
                count=count, axes=len(dimensions)
            ),
        )
    return dimensions


def _slice(
    b: Builder, data: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None
) -> Tensor:
    x, first, last = as_tensor(b, data), ints(b, starts), ints(b, ends)
    dimensions = _axes_of(b, x, axes, len(first))
    by = (1,) * len(first) if steps is None else ints(b, steps)
    if not len(first) == len(last) == len(by) or 0 in by:
        raise CodeRefused(
            "argument",
            _("starts, ends and steps must have equally many numbers, and no step can be 0."),
        )
    parts = []
    for d, start, stop, step in zip(dimensions, first, last, by, strict=True):
        start, stop, step = slice(start, stop, step).indices(x.sizes[d])
        if not range(start, stop, step):
            raise CodeRefused(
                "sizes",
                _("This slice of a dimension of size {size} has no elements.").format(
                    size=x.sizes[d]
                ),
            )
        parts.append((d, start, stop, step))
    return b.slice(x, parts)


def _pad(
    b: Builder,
    data: Any,
    pads: Any,
    constant_value: Any = None,
    axes: Any = None,
    *,
    mode: Any = "constant",
) -> Tensor:
    x, widths = as_tensor(b, data), ints(b, pads)
    count = len(widths) // 2
    uneven = len(widths) != 2 * count or (axes is None and count != x.rank)
    if uneven or mode not in ("constant", "edge", "reflect", "wrap"):
        raise CodeRefused(
            "argument",
            _("pads needs two numbers for each axis; modes are constant, edge, reflect and wrap."),
        )
    before, after = [0] * x.rank, [0] * x.rank
    for k, d in enumerate(_axes_of(b, x, axes, count)):
        before[d], after[d] = widths[k], widths[count + k]
    value = 0 if constant_value is None else number(constant_value)
    return b.pad(x, before, after, mode, value)


def _gather(b: Builder, data: Any, indices: Any, *, axis: Any = 0) -> Tensor:
    return b.gather(as_tensor(b, data), axis, as_tensor(b, indices), typed=True)


def _gather_elements(b: Builder, data: Any, indices: Any, *, axis: Any = 0) -> Tensor:
    return b.gather_elements(as_tensor(b, data), axis, as_tensor(b, indices), typed=True)


def _gather_nd(b: Builder, data: Any, indices: Any, *, batch_dims: Any = 0) -> Tensor:
    batch = one_int(b, batch_dims)
    return b.gather_nd(as_tensor(b, data), as_tensor(b, indices), batch, typed=True)


def _check_reduction(reduction: Any) -> None:
    if reduction != "none":
        raise computes_values()


def _scatter_elements(
    b: Builder, data: Any, indices: Any, updates: Any, *, axis: Any = 0, reduction: Any = "none"
) -> Tensor:
    _check_reduction(reduction)
    parts = (as_tensor(b, item) for item in (data, indices, updates))
    x, places, new = parts
    return b.scatter_elements(x, axis, places, new)


def _scatter_nd(
    b: Builder, data: Any, indices: Any, updates: Any, *, reduction: Any = "none"
) -> Tensor:
    _check_reduction(reduction)
    x, places, new = (as_tensor(b, item) for item in (data, indices, updates))
    return b.scatter_nd(x, places, new)


def _concat(b: Builder, *inputs: Any, axis: Any) -> Tensor:
    return b.concat([as_tensor(b, item) for item in inputs], axis)


def _split(
    b: Builder, input: Any, split: Any = None, *, axis: Any = 0, num_outputs: Any = None
) -> Any:
    x = as_tensor(b, input)
    if split is not None:
        return b.split(x, ints(b, split), axis)
    size, count = x.sizes[b.axis(axis, x.rank)], one_int(b, num_outputs)
    if not 1 <= count <= size:
        raise rules.uneven(count, size)
    # only the last part may be smaller
    part = -(-size // count)
    return b.split(x, [part] * (count - 1) + [size - part * (count - 1)], axis)


def _depth_first(mode: Any) -> bool:
    if mode not in ("DCR", "CRD"):
        raise CodeRefused("argument", _("mode must be DCR or CRD."))
    return bool(mode == "CRD")


def _depth_to_space(b: Builder, input: Any, *, blocksize: Any, mode: Any = "DCR") -> Tensor:
    x = rules.batch_of_images(b, input)
    return rules.depth_to_pixels(b, x, one_int(b, blocksize), _depth_first(mode))


def _space_to_depth(b: Builder, input: Any, *, blocksize: Any, mode: Any = "DCR") -> Tensor:
    x = rules.batch_of_images(b, input)
    return rules.pixels_to_depth(b, x, one_int(b, blocksize), _depth_first(mode))


def _trilu(b: Builder, input: Any, k: Any = None, *, upper: Any = 1) -> Tensor:
    return rules.triangle(b, as_tensor(b, input), 0 if k is None else k, lower=not upper)


def _where(b: Builder, condition: Any, X: Any, Y: Any) -> Tensor:  # noqa: N803  ONNX's names
    return rules.chosen_by(b, condition, X, Y)


def _compress(b: Builder, input: Any, condition: Any, *, axis: Any = None) -> Tensor:
    x, places = as_tensor(b, input), np.flatnonzero(b.control_values(as_tensor(b, condition)))
    return rules.taken(b, x, control(places), axis)


def _reverse_sequence(
    b: Builder, input: Any, sequence_lens: Any, *, batch_axis: Any = 1, time_axis: Any = 0
) -> Tensor:
    lengths = b.control_values(as_tensor(b, sequence_lens))
    return rules.reversed_parts(b, as_tensor(b, input), lengths, batch_axis, time_axis)


def _center_crop_pad(b: Builder, input_data: Any, shape: Any, *, axes: Any = None) -> Tensor:
    x, due = as_tensor(b, input_data), ints(b, shape)
    before, after = [0] * x.rank, [0] * x.rank
    for d, n in zip(_axes_of(b, x, axes, len(due)), due, strict=True):
        more = n - x.sizes[d]
        # the odd element is at the end
        before[d] = more // 2 if more > 0 else -(-more // 2)
        after[d] = more - before[d]
    return b.pad(x, before, after)


def _resize(
    b: Builder,
    X: Any,  # noqa: N803  ONNX's name
    roi: Any = None,
    scales: Any = None,
    sizes: Any = None,
    *,
    antialias: Any = 0,
    axes: Any = None,
    coordinate_transformation_mode: Any = "half_pixel",
    cubic_coeff_a: Any = -0.75,
    exclude_outside: Any = 0,
    extrapolation_value: Any = 0,
    keep_aspect_ratio_policy: Any = "stretch",
    mode: Any = "nearest",
    nearest_mode: Any = "round_prefer_floor",
) -> Tensor:
    """Places along each axis that copy their nearest one; other modes compute."""
    if mode != "nearest" or coordinate_transformation_mode == "tf_crop_and_resize":
        raise computes_values()
    x = as_tensor(b, X)
    due, factors = resized(b, x, roi, scales, sizes, axes, keep_aspect_ratio_policy)
    b.check(due)
    for d, (new, scale) in enumerate(zip(due, factors, strict=True)):
        old = x.sizes[d]
        step, start = _coordinates(new, old, scale, coordinate_transformation_mode)
        places = [min(max(n, 0), old - 1) for n in _nearest(new, step, start, nearest_mode)]
        if places != [*range(old)]:
            x = b.gather(x, d, control(places))
    return x


def resized(
    b: Builder,
    x: Tensor,
    roi: Any = None,
    scales: Any = None,
    sizes: Any = None,
    axes: Any = None,
    keep_aspect_ratio_policy: Any = "stretch",
) -> tuple[list[int], list[Fraction]]:
    """The sizes that Resize gives, and the factors of all axes: exact, as scales are FLOAT32."""
    numbers = _numbers(sizes)
    by_size = numbers.size > 0
    if not by_size:
        with np.errstate(over="ignore"):
            numbers = _numbers(scales).astype(np.float32)
    dimensions = _axes_of(b, x, axes, numbers.size)
    due, factors = list(x.sizes), [Fraction(1)] * x.rank
    if not dimensions or not np.isfinite(numbers).all() or numbers.min() <= 0:
        raise CodeRefused("argument", _("Resize needs scales or sizes above 0."))
    targets = [Fraction(n) for n in numbers.tolist()]
    if not by_size:
        for d, scale in zip(dimensions, targets, strict=True):
            due[d], factors[d] = math.floor(x.sizes[d] * scale), scale
        return due, factors
    ratios = [n / x.sizes[d] for d, n in zip(dimensions, targets, strict=True)]
    if keep_aspect_ratio_policy != "stretch":
        one = min(ratios) if keep_aspect_ratio_policy == "not_larger" else max(ratios)
        ratios = [one] * len(ratios)
    for d, ratio in zip(dimensions, ratios, strict=True):
        due[d], factors[d] = math.floor(ratio * x.sizes[d] + Fraction(1, 2)), ratio
    return due, factors


def _numbers(items: Any) -> Array:
    if items is None:
        return np.zeros(0)
    array = items.array if isinstance(items, Tensor) else np.asarray(items)
    if array.dtype.kind not in "iuf" or (isinstance(items, Tensor) and items.moving):
        raise CodeRefused(
            "values", _("Sizes and axes cannot be taken from values; write them as numbers.")
        )
    return array.astype(np.float64).ravel()


def _coordinates(new: int, old: int, scale: Fraction, mode: Any) -> tuple[Fraction, Fraction]:
    """Where the places of an axis lie in the input: how far apart, and the first one."""
    step, half = 1 / scale, Fraction(1, 2)
    centered = (step, step * half - half)
    match mode:
        case "asymmetric":
            return step, Fraction(0)
        case "half_pixel":
            return centered
        case "pytorch_half_pixel":
            return centered if new > 1 else (Fraction(0), Fraction(0))
        case "align_corners":
            return Fraction(old - 1, max(new - 1, 1)), Fraction(0)
        case "half_pixel_symmetric":
            # the fraction of the output that its rounded size leaves out is shared by both ends
            return step, centered[1] + old * half * (1 - new / (old * scale))
        case "tf_half_pixel_for_nn":
            return step, step * half
    raise CodeRefused(
        "argument",
        _("coordinate_transformation_mode={mode} is not read.").format(mode=short_text(mode)),
    )


_ROUNDED: Mapping[str, Callable[[int, int], int]] = {
    "floor": lambda n, of: n // of,
    "ceil": lambda n, of: -(-n // of),
    "round_prefer_ceil": lambda n, of: (2 * n + of) // (2 * of),
    "round_prefer_floor": lambda n, of: -((of - 2 * n) // (2 * of)),
}
"""Fractions as whole numbers, from numerator and denominator, by ONNX's ``nearest_mode``."""


def _nearest(new: int, step: Fraction, start: Fraction, mode: Any) -> list[int]:
    """The whole numbers next to so many coordinates."""
    if mode not in _ROUNDED:
        raise CodeRefused(
            "argument", _("nearest_mode={mode} is not read.").format(mode=short_text(mode))
        )
    rounded, of = _ROUNDED[mode], step.denominator * start.denominator
    first, by = int(start * of), int(step * of)
    return [rounded(first + k * by, of) for k in range(new)]


def _shape(b: Builder, data: Any, *, start: Any = 0, end: Any = None) -> tuple[int, ...]:
    return as_tensor(b, data).sizes[start:end]


_COMPUTES = """Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast CastLike Ceil Clip Conv
ConvTranspose CumSum Div Einsum Equal Erf Exp Floor Gelu Gemm GlobalAveragePool GlobalMaxPool
Greater HardSigmoid HardSwish InstanceNormalization LayerNormalization LeakyRelu Less Log
LogSoftmax MatMul Max MaxPool Mean Min Mod Mul Neg Not Or PRelu Pow Range ReduceMax ReduceMean
ReduceMin ReduceProd ReduceSum Relu Round Sigmoid Sin Cos Softmax Sqrt Sub Sum Tanh"""

FUNCTIONS: dict[str, Function] = {
    "onnx.Identity": lambda b, input: as_tensor(b, input),
    "onnx.Dropout": _dropout,
    "onnx.Reshape": _reshape,
    "onnx.Flatten": _flatten,
    "onnx.Transpose": _transpose,
    "onnx.Squeeze": _squeeze,
    "onnx.Unsqueeze": _unsqueeze,
    "onnx.Expand": _expand,
    "onnx.Tile": _tile,
    "onnx.Slice": _slice,
    "onnx.Pad": _pad,
    "onnx.Gather": _gather,
    "onnx.GatherElements": _gather_elements,
    "onnx.GatherND": _gather_nd,
    "onnx.ScatterElements": _scatter_elements,
    "onnx.ScatterND": _scatter_nd,
    "onnx.Concat": _concat,
    "onnx.Split": _split,
    "onnx.DepthToSpace": _depth_to_space,
    "onnx.SpaceToDepth": _space_to_depth,
    "onnx.Trilu": _trilu,
    "onnx.Where": _where,
    "onnx.Compress": _compress,
    "onnx.ReverseSequence": _reverse_sequence,
    "onnx.CenterCropPad": _center_crop_pad,
    "onnx.Resize": _resize,
    "onnx.Shape": _shape,
    **each("onnx.", "NonZero TopK Unique NonMaxSuppression", rules.by_values),
    **each("onnx.", _COMPUTES, rules.computes),
}


def opset_import(opset: int) -> str:
    """The line that says of which opset the calls after it are; their form is the newest.

    >>> opset_import(10)
    'from onnxscript import opset10 as op'
    """
    return f"from onnxscript import opset{opset} as op"


_OPSETS = {f"onnxscript.opset{n}": n for n in range(1, 100)}
"""onnxscript has a module for each opset."""


def opset_of_module(module: str) -> int | None:
    """The opset of a module, by its full name; None if it is one of no opset.

    >>> opset_of_module("onnxscript.opset10"), opset_of_module("onnx")
    (10, None)
    """
    return _OPSETS.get(module)


ONNX = Library(
    "onnx",
    "ONNX",
    names={"op": "onnx"},
    modules={"onnx": "onnx"} | dict.fromkeys(_OPSETS, "onnx"),
    functions=FUNCTIONS,
    attributes={"shape": lambda b, x: x.sizes},
    instead="op.ScatterND",
    signs=regex(r"\bop\.[A-Z]"),
    has_dialect=False,
)
