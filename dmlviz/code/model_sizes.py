"""The sizes of what computing nodes give, so that the movements after them are read.

Source of the rules: onnx.ai/onnx/operators. What is not here has the sizes that the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from dmlviz.code.arguments import flat
from dmlviz.code.builder import INNER_RANK_LIMIT, Builder
from dmlviz.code.onnx import FUNCTIONS, ONNX, resized
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.movement.graphs import Constant
from dmlviz.tensors.types import Array, Sizes

Known = Sequence[Sizes | None]
Attributes = Mapping[str, Any]


LARGEST = 1 << 40
"""The limit of elements of a tensor that is only measured."""

_MEASURED = """Concat DepthToSpace Expand Flatten Gather Identity Pad Reshape Resize Slice
SpaceToDepth Split Squeeze Tile Transpose Unsqueeze"""
"""The movements whose sizes follow without looking at each element."""


class _Measure(Builder):
    """Operations on the sizes of tensors alone: all elements are one zero in memory."""

    def check(self, sizes: Sequence[int], most: int = LARGEST, *, cost: int = 1) -> None:
        count = 1
        for n in sizes:
            count *= int(n)
        if not 0 < count <= most or len(sizes) > INNER_RANK_LIMIT:
            raise CodeRefused("limit", "")

    def input(self, name: str, sizes: Sizes, values: Array | None = None) -> Tensor:
        self.check(sizes)
        return _measured(sizes)

    def node(
        self,
        op_type: str,
        inputs: Sequence[Tensor | Constant],
        sizes: Sequence[int] | None = None,
        **attributes: Any,
    ) -> tuple[Tensor, ...]:
        first = inputs[0]
        if not isinstance(first, Tensor):
            raise TypeError
        if op_type == "Split":
            axis, (_first, parts) = attributes["axis"], inputs
            assert isinstance(parts, Constant)
            return tuple(
                _measured((*first.sizes[:axis], int(n), *first.sizes[axis + 1 :]))
                for n in parts.values
            )
        if op_type == "Transpose":
            sizes = [first.sizes[d] for d in attributes["perm"]]
        sizes = first.sizes if sizes is None else sizes
        self.check(sizes)
        return (_measured(sizes),)


def _measured(sizes: Sequence[int]) -> Tensor:
    return Tensor(np.broadcast_to(np.int64(0), tuple(sizes)), True)


def sizes_of_movement(
    op_type: str, inputs: Sequence[Sizes | Tensor | None], attributes: Attributes
) -> list[Sizes]:
    """The sizes of what a movement of tensors gives that are too large to be shown.

    Args:
        op_type: ONNX's name.
        inputs: sizes of those that move, constants, and None for what is left out.
        attributes: by ONNX's names.
    """
    if op_type not in _MEASURED.split():
        return []
    if op_type == "Pad" and attributes.get("mode", "constant") != "constant":
        x, pads = inputs[:2]
        if not isinstance(x, tuple) or not isinstance(pads, Tensor):
            return []
        if np.max(pads.array) >= min(x, default=1):
            return []
        # copies of the edge would be listed one by one; there are as many as constants
        attributes = {**attributes, "mode": "constant"}
    builder = _Measure(ONNX.key)
    try:
        taken = [builder.input("", x) if isinstance(x, tuple) else x for x in inputs]
        if op_type == "Resize":
            x, *more = taken
            if x is None:
                return []
            names = ("axes", "keep_aspect_ratio_policy")
            settings = {name: attributes[name] for name in names if name in attributes}
            due = resized(builder, x, *more, **settings)[0]
            builder.check(due)
            return [tuple(due)]
        made = FUNCTIONS[f"onnx.{op_type}"](builder, *taken, **attributes)
    except (CodeRefused, TypeError, ValueError, IndexError, KeyError, ArithmeticError):
        return []
    return [tensor.sizes for tensor in flat([made]) if isinstance(tensor, Tensor)]


def sizes_after(
    op_type: str, sizes: Known, values: Sequence[Array | None], attributes: Attributes
) -> Sizes | None:
    """The sizes of a node's first output; None if they are not known here, or do not fit.

    Args:
        op_type, sizes, values, attributes: as in :func:`sizes_of_outputs`.
    """
    with suppress(CodeRefused):
        return next(iter(sizes_of_outputs(op_type, sizes, values, attributes)), None)
    return None


def sizes_of_outputs(
    op_type: str, sizes: Known, values: Sequence[Array | None], attributes: Attributes
) -> list[Sizes | None]:
    """The sizes of a node's outputs, from the first on; none if they are not known here.

    Args:
        op_type: ONNX's name, or that of an operator of ``com.microsoft``.
        sizes: of the inputs; None where they are unknown, or left out.
        values: of those inputs that are constants.
        attributes: by ONNX's names.

    Raises:
        CodeRefused: the operator does not take tensors of these sizes.
    """
    rule, valued = _RULES.get(op_type), _VALUE_RULES.get(op_type)
    if not sizes or sizes[0] is None:
        return []
    try:
        if valued is not None:
            made = valued(sizes, values, attributes)
        elif rule is not None:
            made = rule(sizes, attributes)
        else:
            return []
    except KeyError:
        # an attribute or a constant that the rule needs
        return []
    except (TypeError, ValueError, IndexError, ArithmeticError):
        raise CodeRefused("sizes", "") from None
    outputs = made if isinstance(made, list) else [made]
    if any(of is not None and (len(of) > 32 or min(of, default=1) < 1) for of in outputs):
        raise CodeRefused("sizes", "")
    return [None if of is None else tuple(int(n) for n in of) for of in outputs]


def _first(sizes: Any, attributes: Attributes) -> Sizes:
    first: Sizes = sizes[0]
    return first


def _check(fits: bool) -> None:
    if not fits:
        raise ValueError


def _broadcast(sizes: Any, attributes: Attributes) -> Sizes:
    return np.broadcast_shapes(*(of for of in sizes if of is not None))


def _two_quantized(sizes: Any, attributes: Attributes) -> Sizes:
    """Two tensors, each with its scale and zero point."""
    return np.broadcast_shapes(sizes[0], sizes[3])


def _mat_mul(sizes: Any, attributes: Attributes) -> Sizes:
    a, b = _turned(sizes[0], attributes, "transA"), _turned(sizes[1], attributes, "transB")
    _check(a[-1] == b[-2:][0])
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    return (*np.broadcast_shapes(a[:-2], b[:-2]), *rows, *columns)


def _turned(sizes: Sizes, attributes: Attributes, name: str) -> Sizes:
    return (*sizes[:-2], sizes[-1], sizes[-2]) if attributes.get(name) else sizes


def _quantized_mat_mul(sizes: Any, attributes: Attributes) -> Sizes:
    return _mat_mul((sizes[0], sizes[3]), attributes)


def _mat_mul_packed(sizes: Any, attributes: Attributes) -> Sizes:
    """A matrix of 4 bits an element: its sizes are attributes."""
    _check(sizes[0][-1] == attributes["K"])
    return (*sizes[0][:-1], attributes["N"])


def _einsum(sizes: Any, attributes: Attributes) -> Sizes:
    """Each letter has one size; those of an ellipsis are none here."""
    text = attributes["equation"].replace(" ", "")
    before, arrow, after = text.partition("->")
    if "." in text or not arrow:
        raise KeyError
    of: dict[str, int] = {}
    for letters, each in zip(before.split(","), sizes, strict=True):
        for letter, n in zip(letters, each, strict=True):
            _check(of.setdefault(letter, n) == n)
    return tuple(of[letter] for letter in after)


def _windows(sizes: Sizes, kernel: Sequence[int], attributes: Attributes) -> list[int]:
    """How many windows there are along each axis of an image."""
    axes = len(sizes)
    strides = attributes.get("strides") or [1] * axes
    dilations = attributes.get("dilations") or [1] * axes
    pads = attributes.get("pads") or [0] * 2 * axes
    auto = attributes.get("auto_pad", "NOTSET")
    round_up = bool(attributes.get("ceil_mode"))
    counts = []
    for d, n in enumerate(sizes):
        reach = (kernel[d] - 1) * dilations[d] + 1
        if auto.startswith("SAME"):
            counts.append(-(-n // strides[d]))
            continue
        before = 0 if auto == "VALID" else pads[d]
        wide = n - reach + before + (0 if auto == "VALID" else pads[axes + d])
        _check(wide >= 0)
        count = (-(-wide // strides[d]) if round_up else wide // strides[d]) + 1
        # no window begins after the end
        counts.append(count - (round_up and (count - 1) * strides[d] >= n + before))
    return counts


def _conv(sizes: Any, attributes: Attributes) -> Sizes:
    x, weight = sizes[0], sizes[1]
    groups = attributes.get("group", 1)
    _check(len(x) == len(weight) and x[1] == weight[1] * groups and weight[0] % groups == 0)
    return (x[0], weight[0], *_windows(x[2:], weight[2:], attributes))


def _quantized_conv(sizes: Any, attributes: Attributes) -> Sizes:
    return _conv((sizes[0], sizes[3]), attributes)


def _conv_transpose(sizes: Any, attributes: Attributes) -> Sizes:
    x, weight = sizes[0], sizes[1]
    axes = len(x) - 2
    _check(len(x) == len(weight) and x[1] == weight[0])
    strides = attributes.get("strides") or [1] * axes
    dilations = attributes.get("dilations") or [1] * axes
    pads = attributes.get("pads") or [0] * 2 * axes
    more = attributes.get("output_padding") or [0] * axes
    if attributes.get("auto_pad", "NOTSET") != "NOTSET" or attributes.get("output_shape"):
        # runtimes differ
        raise KeyError
    grown = [
        strides[d] * (x[2 + d] - 1)
        + more[d]
        + (weight[2 + d] - 1) * dilations[d]
        + 1
        - pads[d]
        - pads[axes + d]
        for d in range(axes)
    ]
    return (x[0], weight[1] * attributes.get("group", 1), *grown)


def _recurrent(sizes: Any, attributes: Attributes) -> list[Sizes | None]:
    """LSTM, GRU and RNN: all states, the last ones, and of LSTM the last cells."""
    x, weight, again = sizes[:3]
    hidden, batch_first = attributes["hidden_size"], attributes.get("layout", 0)
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    _check(len(x) == len(weight) == len(again) == 3 and weight[0] == again[0] == directions)
    # the weights of com.microsoft have their axes swapped
    _check(x[2] in weight[1:] and hidden in again[1:])
    _check(weight[1] * weight[2] * hidden == again[1] * again[2] * x[2])
    batch, steps = x[:2] if batch_first else x[1::-1]
    last = (batch, directions, hidden) if batch_first else (directions, batch, hidden)
    if len(sizes) > 5 and sizes[5] is not None:
        _check(sizes[5] == last)
    every = (batch, steps, directions, hidden)
    return [every if batch_first else (steps, directions, batch, hidden), last, last]


def _normalized(sizes: Any, attributes: Attributes) -> Sizes:
    """Of each channel a scale."""
    x: Sizes = sizes[0]
    _check(sizes[1] == x[1:2])
    return x


def _quantized(sizes: Any, attributes: Attributes) -> list[Sizes | None]:
    return [sizes[0], (), ()]


def _twice(sizes: Any, attributes: Attributes) -> list[Sizes | None]:
    return [sizes[0], sizes[0]]


def _gathered(sizes: Any, attributes: Attributes) -> Sizes:
    x, indices = sizes[0], sizes[1]
    axis = range(len(x))[attributes.get("axis", 0)]
    return (*x[:axis], *indices, *x[axis + 1 :])


def _gathered_elements(sizes: Any, attributes: Attributes) -> Sizes:
    indices: Sizes = sizes[1]
    _check(len(indices) == len(sizes[0]))
    return indices


def _gathered_parts(sizes: Any, attributes: Attributes) -> Sizes:
    x, indices = sizes[0], sizes[1]
    return (*indices[:-1], *x[attributes.get("batch_dims", 0) + indices[-1] :])


def _sampled(sizes: Any, attributes: Attributes) -> Sizes:
    return (*sizes[0][:2], *sizes[1][1:-1])


def _pool(sizes: Any, attributes: Attributes) -> list[Sizes | None]:
    x, kernel = sizes[0], attributes["kernel_shape"]
    _check(len(x) == len(kernel) + 2)
    made = (*x[:2], *_windows(x[2:], kernel, attributes))
    return [made, made]


def _global_pool(sizes: Any, attributes: Attributes) -> Sizes:
    x = sizes[0]
    return (*x[:2], *(1 for _n in x[2:]))


def _reduced(sizes: Any, attributes: Attributes) -> Sizes:
    x = sizes[0]
    axes = attributes.get("axes", ())
    if not len(axes) and attributes.get("noop_with_empty_axes"):
        first: Sizes = x
        return first
    axes = axes if len(axes) else range(len(x))
    gone = {int(d) % len(x) for d in axes}
    if attributes.get("keepdims", 1):
        return tuple(1 if d in gone else n for d, n in enumerate(x))
    return tuple(n for d, n in enumerate(x) if d not in gone)


def _chosen(sizes: Any, attributes: Attributes) -> Sizes:
    """ArgMax and ArgMin: one axis."""
    axis = attributes.get("axis", 0)
    return _reduced(sizes, {**attributes, "axes": [axis]})


def _reduced_along(sizes: Any, values: Any, attributes: Attributes) -> Sizes:
    """The axes are an attribute, or a constant since opset 13 or 18."""
    if len(sizes) > 1 and sizes[1] is not None:
        attributes = {**attributes, "axes": _constant(values, 1)}
    return _reduced(sizes, attributes)


def _constant(values: Any, k: int) -> list[int]:
    if values[k] is None:
        raise KeyError
    return [int(n) for n in np.ravel(values[k])]


def _filled(sizes: Any, values: Any, attributes: Attributes) -> Sizes:
    return tuple(_constant(values, 0))


def _largest(sizes: Any, values: Any, attributes: Attributes) -> list[Sizes | None]:
    x = sizes[0]
    axis = range(len(x))[attributes.get("axis", -1)]
    (count,) = _constant(values, 1) if len(values) > 1 else (attributes["k"],)
    _check(count <= x[axis])
    made = (*x[:axis], count, *x[axis + 1 :])
    return [made, made]


def _one_hot(sizes: Any, values: Any, attributes: Attributes) -> Sizes:
    x, (depth,) = sizes[0], _constant(values, 1)
    axis = range(len(x) + 1)[attributes.get("axis", -1)]
    return (*x[:axis], depth, *x[axis:])


_SAME = """Abs Acos Acosh Asin Asinh Atan Atanh Bernoulli BiasGelu BitwiseNot Cast CastLike Ceil
Celu Clip Cos Cosh CumSum DequantizeLinear Elu Erf Exp EyeLike FastGelu Floor Gelu
GroupNormalization HardSigmoid HardSwish Hardmax Identity InstanceNormalization IsInf
IsNaN LRN LayerNormalization LeakyRelu Log LogSoftmax LpNormalization
MeanVarianceNormalization Mish MultiHeadAttention Neg Not PRelu QLinearLeakyRelu
QLinearSigmoid QuantizeLinear QuickGelu RMSNormalization RandomNormalLike
RandomUniformLike Reciprocal Relu ReverseSequence RotaryEmbedding Round Scatter
ScatterElements ScatterND Selu Shrink Sigmoid Sign SimplifiedLayerNormalization Sin Sinh
SkipLayerNormalization SkipSimplifiedLayerNormalization Softmax Softplus Softsign Sqrt
Swish Tan Tanh ThresholdedRelu Trilu"""
_TOGETHER = """Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual
Less LessOrEqual Max Mean Min Mod Mul Or Pow Sub Sum Where Xor"""
_REDUCED = """ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin
ReduceProd ReduceSum ReduceSumSquare"""

_RULES: Mapping[str, Callable[[Any, Attributes], Sizes | list[Sizes | None]]] = {
    **dict.fromkeys(_SAME.split(), _first),
    **dict.fromkeys(_TOGETHER.split(), _broadcast),
    **dict.fromkeys(("ArgMax", "ArgMin"), _chosen),
    **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), _pool),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"), _global_pool),
    **dict.fromkeys(("LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"), _recurrent),
    **dict.fromkeys(("Gemm", "FusedMatMul", "MatMul", "MatMulInteger"), _mat_mul),
    **dict.fromkeys(("Conv", "ConvInteger", "FusedConv"), _conv),
    **dict.fromkeys(("QLinearAdd", "QLinearMul"), _two_quantized),
    "BatchNormalization": _normalized,
    "ConvTranspose": _conv_transpose,
    "Dropout": _twice,
    "DynamicQuantizeLinear": _quantized,
    "Einsum": _einsum,
    "Gather": _gathered,
    "GatherElements": _gathered_elements,
    "GatherND": _gathered_parts,
    "GridSample": _sampled,
    "MatMulNBits": _mat_mul_packed,
    "QLinearConv": _quantized_conv,
    "QLinearMatMul": _quantized_mat_mul,
}
"""The rules that need sizes and attributes alone."""

_VALUE_RULES: Mapping[str, Callable[[Any, Any, Attributes], Sizes | list[Sizes | None]]] = {
    **dict.fromkeys(_REDUCED.split(), _reduced_along),
    "ConstantOfShape": _filled,
    "OneHot": _one_hot,
    "TopK": _largest,
}
"""The rules that need values of constants, too."""


def is_sized(op_type: str) -> bool:
    """Whether an operator computes values of sizes that are known here."""
    return op_type in _RULES or op_type in _VALUE_RULES
