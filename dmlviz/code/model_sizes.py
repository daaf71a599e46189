"""The sizes of what computing nodes give, so that the movements after them are read.

Source of the rules: onnx.ai/onnx/operators. What is not here has the sizes that the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
        assert isinstance(first, Tensor)
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
    # copies of the edge and places of pixels would be listed one by one
    copies = op_type == "Pad" and attributes.get("mode", "constant") != "constant"
    if op_type not in _MEASURED.split() or copies:
        return []
    builder = _Measure(ONNX.key)
    try:
        taken = [builder.input("", x) if isinstance(x, tuple) else x for x in inputs]
        if op_type == "Resize":
            x, *more = taken
            assert x is not None
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
    """The sizes of a node's first output; None if they are not known here.

    Args:
        op_type: ONNX's name.
        sizes: of the inputs; None where they are unknown.
        values: of those inputs that are constants.
        attributes: by ONNX's names.
    """
    if len(values) > 1 and op_type.startswith("Reduce"):
        # an attribute became an input
        attributes = {**attributes, "axes": values[1]}
    rule = _RULES.get(op_type)
    if rule is None or not sizes or sizes[0] is None:
        return None
    try:
        made = rule(values if op_type in _FROM_VALUES else sizes, attributes)
    except (TypeError, ValueError, IndexError, KeyError, ArithmeticError):
        return None
    if made is None or len(made) > 32 or any(n < 1 for n in made):
        return None
    return tuple(int(n) for n in made)


def _first(sizes: Any, attributes: Attributes) -> Sizes:
    first: Sizes = sizes[0]
    return first


def _broadcast(sizes: Any, attributes: Attributes) -> Sizes:
    return np.broadcast_shapes(*sizes)


def _mat_mul(sizes: Any, attributes: Attributes) -> Sizes:
    a, b = sizes[0], sizes[1]
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    return (*np.broadcast_shapes(a[:-2], b[:-2]), *rows, *columns)


def _gemm(sizes: Any, attributes: Attributes) -> Sizes:
    a, b = sizes[0], sizes[1]
    return (
        a[1] if attributes.get("transA") else a[0],
        b[0] if attributes.get("transB") else b[1],
    )


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
        wide = n - reach + (0 if auto == "VALID" else pads[d] + pads[axes + d])
        counts.append((-(-wide // strides[d]) if round_up else wide // strides[d]) + 1)
    return counts


def _conv(sizes: Any, attributes: Attributes) -> Sizes:
    x, weight = sizes[0], sizes[1]
    return (x[0], weight[0], *_windows(x[2:], weight[2:], attributes))


def _conv_transpose(sizes: Any, attributes: Attributes) -> Sizes | None:
    x, weight = sizes[0], sizes[1]
    axes = len(x) - 2
    if attributes.get("auto_pad", "NOTSET") != "NOTSET" or attributes.get("output_shape"):
        return None
    strides = attributes.get("strides") or [1] * axes
    dilations = attributes.get("dilations") or [1] * axes
    pads = attributes.get("pads") or [0] * 2 * axes
    more = attributes.get("output_padding") or [0] * axes
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


def _pool(sizes: Any, attributes: Attributes) -> Sizes:
    x = sizes[0]
    return (*x[:2], *_windows(x[2:], attributes["kernel_shape"], attributes))


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


def _filled(values: Any, attributes: Attributes) -> Sizes:
    return tuple(int(n) for n in values[0])


_SAME = """Relu LeakyRelu PRelu Sigmoid HardSigmoid HardSwish Tanh Softmax LogSoftmax Softplus
Softsign Elu Selu Celu Gelu Mish Erf Exp Log Sqrt Abs Neg Floor Ceil Round Sign
Reciprocal Sin Cos Not Clip Cast BatchNormalization InstanceNormalization
LayerNormalization GroupNormalization RMSNormalization LRN LpNormalization CumSum
QuantizeLinear DequantizeLinear Identity Dropout IsNaN Hardmax
MeanVarianceNormalization"""
_TOGETHER = """Add Sub Mul Div Pow Mod Max Min Mean Sum Equal Less LessOrEqual Greater
GreaterOrEqual And Or Xor Where"""
_REDUCED = """ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum
ReduceLogSumExp ReduceSumSquare"""

_FROM_VALUES = {"ConstantOfShape"}
"""The operators whose output's sizes are the values of their input."""

_RULES: Mapping[str, Callable[[Any, Attributes], Sizes | None]] = {
    **dict.fromkeys(_SAME.split(), _first),
    **dict.fromkeys(_TOGETHER.split(), _broadcast),
    **dict.fromkeys(_REDUCED.split(), _reduced),
    **dict.fromkeys(("ArgMax", "ArgMin"), _chosen),
    **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), _pool),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool"), _global_pool),
    "MatMul": _mat_mul,
    "Gemm": _gemm,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "ConstantOfShape": _filled,
}


def is_sized(op_type: str) -> bool:
    """Whether an operator computes values of sizes that are known here."""
    return op_type in _RULES
