"""The sizes of what calls compute, so that the movements after them are read.

Source of the rules: the documentation of NumPy, PyTorch, TensorFlow and JAX, whose functions of
one name agree, and ONNX's rules of :mod:`dmlviz.code.model_sizes`. The tests run PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.einops import reduced_sizes
from dmlviz.code.model_sizes import sizes_after
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.tensors.types import Sizes

_SAME = """softmax log_softmax softmin relu relu6 leaky_relu elu selu celu gelu silu swish mish
hardswish hardsigmoid hardtanh softplus softsign logsigmoid sigmoid logistic tanh exp exp2 expm1 log
log2 log10 log1p sqrt rsqrt square reciprocal abs neg negative sign sin cos tan asin acos atan
arcsin arccos arctan sinh cosh erf erfc floor ceil round rint isnan isinf isfinite nan_to_num clamp
clip clip_by_value cumsum cumprod logcumsumexp normalize l2_normalize layer_norm batch_norm
group_norm instance_norm local_response_norm rms_norm dropout dropout1d dropout2d dropout3d
alpha_dropout drop_path stochastic_depth sort argsort msort gradient quantize index_add index_reduce
scatter_add scatter_reduce cross threshold inverse inv bias_add"""
_SAME_LAYERS = """ReLU ReLU6 LeakyReLU PReLU ELU SELU CELU GELU SiLU Mish Hardswish Hardsigmoid
Hardtanh Softplus Softsign Sigmoid Tanh Softmax LogSoftmax Softmax2d LayerNorm BatchNorm1d
BatchNorm2d BatchNorm3d SyncBatchNorm GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d
LocalResponseNorm RMSNorm Dropout Dropout1d Dropout2d Dropout3d AlphaDropout DropPath Activation
LayerNormalization BatchNormalization TransformerEncoderLayer TransformerEncoder Identity"""
_TOGETHER = """add subtract sub multiply mul divide div true_divide floor_divide pow power
float_power maximum minimum fmax fmin fmod mod remainder hypot atan2 arctan2 lerp addcmul addcdiv
logaddexp squared_difference greater greater_equal less less_equal equal not_equal gt ge lt le eq
ne logical_and logical_or logical_xor logical_not bitwise_and bitwise_or heaviside"""
_REDUCED = """sum mean prod max min amax amin all any std var nansum nanmean norm logsumexp median
nanmedian average argmax argmin reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_all
reduce_any reduce_logsumexp count_nonzero percentile quantile ptp"""
_PAIRS = "max min median nanmedian sort topk top_k kthvalue mode cummax cummin"
"""The functions of PyTorch that give values and their indices, if they are told a dimension."""


@dataclass(frozen=True)
class Computed:
    """The sizes of what a call computes.

    Attributes:
        sizes: of each tensor that it gives, the likeliest first.
        is_several: whether the call gives a tuple.
    """

    sizes: tuple[Sizes, ...]
    is_several: bool = False


@dataclass(frozen=True)
class ComputingLayer:
    """A layer or a function that the code does not define, and that computes.

    Attributes:
        name: as the code calls it, such as ``self.qkv``.
        args, kwargs: with which the code makes the layer; None for what it does not make.
    """

    name: str
    args: tuple[Any, ...] | None = None
    kwargs: Mapping[str, Any] | None = None


def computes(name: str) -> bool:
    """Whether a function, a method or a layer of this name computes values.

    >>> computes("torch.erf"), computes("nn.GELU"), computes("torch.transpos")
    (True, True, False)
    """
    last = name.rpartition(".")[2].removesuffix("_")
    return last in _RULES or last in _LAYERS


def computed_sizes(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any], library: str
) -> Computed | None:
    """The sizes of what a function computes of these arguments; None if no rule is known.

    Args:
        name: of the function or method; its last part decides.
        args, kwargs: of the call, tensors among them; of a method, its tensor first.
        library: whose call it is.
    """
    last = name.rpartition(".")[2].removesuffix("_")
    rule = _RULES.get(last) or _BY_VALUES.get(last)
    return _made(rule, args, {**kwargs, "of": (last, library)})


def layer_sizes(layer: ComputingLayer, args: Sequence[Any], library: str) -> Computed | None:
    """The sizes of what a layer computes; None if the code does not say them."""
    if layer.args is None:
        return None
    last = layer.name.rpartition(".")[2]
    settings = {**(layer.kwargs or {}), "of": (last, library)}
    return _made(_LAYERS.get(last), [*args[:1], *layer.args], settings)


def _made(rule: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Computed | None:
    if rule is None:
        return None
    try:
        made = rule(args, kwargs)
    except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError):
        return None
    except CodeRefused:
        return None
    if made is None or isinstance(made, Computed):
        return made
    return Computed((tuple(int(n) for n in made),))


def _sizes(x: Any) -> Sizes:
    """The sizes of a tensor, or of a number of the code."""
    return x.sizes if isinstance(x, Tensor) else ()


def together(args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Sizes:
    """The sizes that tensors and numbers have after broadcasting."""
    tensors = [_sizes(x) for x in (*args, *(kwargs or {}).values()) if isinstance(x, Tensor)]
    return np.broadcast_shapes(*tensors)


def _of_convolution(x: Sizes, weight: Sizes, attributes: Mapping[str, Any]) -> Sizes | None:
    """The sizes of a convolution; how many channels a filter has follows from the groups."""
    return sizes_after("Conv", [x, (weight[0], x[1], *weight[2:])], [None], attributes)


def product(one: Sizes, two: Sizes) -> Sizes | None:
    """The sizes of a matrix product; None if the sizes do not fit."""
    if one[-1] != two[-2:][0]:
        return None
    return sizes_after("MatMul", [one, two], [None], {})


def _first(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    return _sizes(args[0])


def _product(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    one, two = _sizes(args[0]), _sizes(args[1])
    if kwargs.get("transpose_a"):
        one = (*one[:-2], one[-1], one[-2])
    if kwargs.get("transpose_b"):
        two = (*two[:-2], two[-1], two[-2])
    return product(one, two)


def _added_product(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    return _product(args[1:], kwargs)


def _axes(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The dimensions of a reduction, and whether they stay with size 1."""
    named = [kwargs[name] for name in ("dim", "axis", "axes") if name in kwargs]
    rest = [x for x in args[1:] if not isinstance(x, float | str)]
    axes = named[0] if named else next(iter(rest), None)
    flags = [kwargs[name] for name in ("keepdim", "keepdims") if name in kwargs]
    flags += [x for x in rest if isinstance(x, bool)]
    if isinstance(axes, bool):
        axes = None
    return axes, bool(flags and flags[0])


def _reduced(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Computed | Sizes | None:
    name, library = kwargs["of"]
    x = _sizes(args[0])
    if len(args) > 1 and isinstance(args[1], Tensor):
        return together(args[:2])
    # a norm's or a quantile's first number is its order
    plain = [args[0], *args[2:]] if name in ("norm", "quantile", "percentile") else args
    axes, keeps = _axes(plain, kwargs)
    numbers = () if axes is None else axes if isinstance(axes, list | tuple) else (axes,)
    made = sizes_after("ReduceSum", [x], [None], {"axes": numbers, "keepdims": keeps})
    if axes is None:
        made = (1,) * len(x) if keeps else ()
    if made is None:
        return None
    pair = library == "torch" and name in _PAIRS.split() and axes is not None
    return Computed((made,) * 2, is_several=True) if pair else made


def _sorted(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Computed | Sizes:
    name, library = kwargs["of"]
    x = _sizes(args[0])
    pair = library == "torch" and name in _PAIRS.split()
    return Computed((x, x), is_several=True) if pair else x


def _highest(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Computed:
    x = list(_sizes(args[0]))
    count = kwargs.get("k", args[1] if len(args) > 1 else 1)
    dim = kwargs.get("dim", args[2] if len(args) > 2 else -1)
    x[dim] = int(count)
    return Computed((tuple(x),) * 2, is_several=True)


def _einsum(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """The sizes by letters, or by words as in einops, whose pattern comes last."""
    equation = next(x for x in args if isinstance(x, str))
    tensors = [x for x in args if isinstance(x, Tensor)]
    left, arrow, right = equation.partition("->")
    words = isinstance(args[-1], str)

    def axes(term: str) -> list[str]:
        if words:
            return term.split()
        before, dots, after = term.replace(" ", "").partition("...")
        return [*before, *(["..."] if dots else []), *after]

    terms = [axes(term) for term in left.split(",")]
    lengths: dict[str, Sizes] = {}
    for names, x in zip(terms, tensors, strict=True):
        more = x.rank - len(names)
        k = 0
        for name in names:
            count = more + 1 if name == "..." else 1
            new = x.sizes[k : k + count]
            lengths[name] = np.broadcast_shapes(lengths.get(name, ()), new)
            k += count
    every = [name for names in terms for name in names]
    made = axes(right) if arrow else sorted(n for n in every if every.count(n) == 1)
    return tuple(n for name in made for n in lengths[name])


def _reduced_by_pattern(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """``einops.reduce``; a function of this name of another library has no pattern."""
    pattern = kwargs.get("pattern", args[1] if len(args) > 1 else None)
    if not isinstance(pattern, str):
        return None
    return reduced_sizes(
        _sizes(args[0]), pattern, {n: x for n, x in kwargs.items() if isinstance(x, int)}
    )


def _outer(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    return (math.prod(_sizes(args[0])), math.prod(_sizes(args[1])))


def _attention(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    return (*_sizes(args[0])[:-1], _sizes(args[2])[-1])


def _linear(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    weight = kwargs.get("weight", args[1] if len(args) > 1 else None)
    return (*_sizes(args[0])[:-1], *_sizes(weight)[:-1])


def _linear_layer(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    features = kwargs.get("out_features", args[2] if len(args) > 2 else None)
    return (*_sizes(args[0])[:-1], int(features))


def _dense(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    return (*_sizes(args[0])[:-1], int(kwargs.get("units", kwargs.get("features", args[-1]))))


def _embedding(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    width = kwargs.get("embedding_dim", kwargs.get("output_dim", args[-1]))
    return (*_sizes(args[0]), int(width))


def _every(x: Any, axes: int) -> list[int]:
    return [int(n) for n in x] if isinstance(x, list | tuple) else [int(x)] * axes


def _windows(
    x: Sizes, kernel: Sequence[int], args: Sequence[Any], kwargs: Mapping[str, Any], usual: Any
) -> dict[str, Any]:
    """ONNX's attributes of PyTorch's stride, padding and dilation."""
    axes = len(x) - 2
    names = ("stride", "padding", "dilation")
    named = {**dict(zip(names, args, strict=False)), **kwargs}
    stride = named.get("stride")
    made: dict[str, Any] = {
        "strides": _every(usual if stride is None else stride, axes),
        "dilations": _every(named.get("dilation", 1), axes),
        "kernel_shape": list(kernel),
        "ceil_mode": bool(named.get("ceil_mode")),
    }
    padding = named.get("padding", 0)
    if isinstance(padding, str):
        return {**made, "auto_pad": "SAME_UPPER" if padding.lower() == "same" else "VALID"}
    return {**made, "pads": _every(padding, axes) * 2}


def _convolved(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """A function of PyTorch: input, weight, bias, stride, padding, dilation."""
    if kwargs["of"][1] == "tensorflow":
        return _convolved_last(args, kwargs)
    x, weight = _sizes(args[0]), _sizes(kwargs.get("weight", (*args, None)[1]))
    attributes = _windows(x, weight[2:], args[3:], kwargs, 1)
    return _of_convolution(x, weight, attributes)


def _convolved_last(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """A function of TensorFlow: channels are last, in the input and in the filters."""
    x, filters = _sizes(args[0]), _sizes(kwargs.get("filters", (*args, None)[1]))
    named = dict(zip(("strides", "padding"), args[2:], strict=False)) | dict(kwargs)
    axes = len(x) - 2
    strides = _every(named.get("strides", 1), axes)
    strides = strides[1:-1] if len(strides) > axes else strides
    moved = {"stride": strides, "padding": named.get("padding", "VALID")}
    first = (x[0], x[-1], *x[1:-1])
    weight = (filters[-1], filters[-2], *filters[:-2])
    attributes = _windows(first, weight[2:], [], moved, 1)
    made = _of_convolution(first, weight, attributes)
    return None if made is None else (made[0], *made[2:], made[1])


def _convolution_layer(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """A layer of PyTorch: channels in, channels out, size of a window, stride, padding."""
    x = _sizes(args[0])
    names = ("in_channels", "out_channels", "kernel_size")
    named = {**dict(zip(names, args[1:], strict=False)), **kwargs}
    kernel = _every(named["kernel_size"], len(x) - 2)
    attributes = _windows(x, kernel, args[4:], kwargs, 1)
    weight = (int(named["out_channels"]), 1, *kernel)
    return _of_convolution(x, weight, attributes)


def _transposed_layer(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    x = _sizes(args[0])
    names = ("in_channels", "out_channels", "kernel_size")
    named = {**dict(zip(names, args[1:], strict=False)), **kwargs}
    kernel = _every(named["kernel_size"], len(x) - 2)
    attributes = _windows(x, kernel, args[4:6], kwargs, 1)
    more = named.get("output_padding", args[6] if len(args) > 6 else 0)
    attributes["output_padding"] = _every(more, len(x) - 2)
    weight = (x[1], int(named["out_channels"]), *kernel)
    return sizes_after("ConvTranspose", [x, weight], [None], attributes)


def _pooled(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """PyTorch: size of a window, stride, padding; the stride is the size without one."""
    x = _sizes(args[0])
    window = kwargs.get("kernel_size", args[1] if len(args) > 1 else None)
    kernel = _every(window, len(x) - 2)
    dilation = {"dilation": 1} if kwargs["of"][0].lower().startswith("avg") else {}
    return sizes_after(
        "MaxPool", [x], [None], _windows(x, kernel, args[2:4], {**kwargs, **dilation}, kernel)
    )


def _adaptive(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    x = _sizes(args[0])
    size = kwargs.get("output_size", args[1] if len(args) > 1 else None)
    parts = size if isinstance(size, list | tuple) else [size] * (len(x) - 2)
    return (*x[:2], *(n if part is None else part for n, part in zip(x[2:], parts, strict=True)))


def _resampled(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    x = _sizes(args[0])
    size, factor = (kwargs.get(name) for name in ("size", "scale_factor"))
    size = args[1] if size is None and len(args) > 1 else size
    if size is not None:
        return (*x[:2], *_every(size, len(x) - 2))
    factors = factor if isinstance(factor, list | tuple) else [factor] * (len(x) - 2)
    return (*x[:2], *(math.floor(n * by) for n, by in zip(x[2:], factors, strict=True)))


def _sampled(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    return (*_sizes(args[0])[:2], *_sizes(args[1])[1:-1])


def _one_hot(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    names = ("num_classes", "depth")
    named = [kwargs[name] for name in names if name in kwargs] or [*args[1:2]]
    return (*_sizes(args[0]), int(named[0]))


def _distances(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes:
    one, two = _sizes(args[0]), _sizes(args[1])
    return (*np.broadcast_shapes(one[:-2], two[:-2]), one[-2], two[-2])


def _indexed(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """``gather`` of PyTorch, or NumPy's ``take_along_axis``: the sizes of the indices."""
    if kwargs["of"] == ("gather", "tensorflow"):
        return _looked_up(args, kwargs)
    return next(x.sizes for x in (*args[1:], *kwargs.values()) if isinstance(x, Tensor))


def _looked_up(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sizes | None:
    """The rows that indices choose of a table."""
    tensors = [x for x in args if isinstance(x, Tensor)]
    if kwargs["of"][0] == "embedding":
        return (*tensors[0].sizes, *tensors[1].sizes[1:])
    if kwargs["of"][0] == "index_select":
        x, axis = list(tensors[0].sizes), kwargs.get("dim", args[1])
        x[axis] = tensors[1].sizes[0]
        return tuple(x)
    axis = kwargs.get("axis", next((x for x in args[2:] if isinstance(x, int)), None))
    if axis is None:
        return tensors[1].sizes
    x = list(tensors[0].sizes)
    return (*x[:axis], *tensors[1].sizes, *x[axis:][1:])


_RULES: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(_TOGETHER.split(), together),
    **dict.fromkeys(_REDUCED.split(), _reduced),
    **dict.fromkeys(_SAME.split(), _first),
    **dict.fromkeys(("sort", "cummax", "cummin"), _sorted),
    **dict.fromkeys(("topk", "top_k"), _highest),
    **dict.fromkeys(("matmul", "bmm", "mm", "dot", "mv", "batch_matmul"), _product),
    **dict.fromkeys(("addmm", "baddbmm", "addbmm"), _added_product),
    **dict.fromkeys(("outer", "ger"), _outer),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d"), _convolved),
    **dict.fromkeys([f"{kind}_pool{n}d" for kind in ("max", "avg") for n in (1, 2, 3)], _pooled),
    **dict.fromkeys(
        [f"adaptive_{kind}_pool{n}d" for kind in ("max", "avg") for n in (1, 2, 3)], _adaptive
    ),
    **dict.fromkeys(("interpolate", "upsample"), _resampled),
    "einsum": _einsum,
    "reduce": _reduced_by_pattern,
    "linear": _linear,
    "scaled_dot_product_attention": _attention,
    "grid_sample": _sampled,
    "one_hot": _one_hot,
    "cdist": _distances,
}

_BY_VALUES: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("where", "select", "masked_fill"), together),
    **dict.fromkeys(("gather", "take_along_dim", "take_along_axis"), _indexed),
    **dict.fromkeys(("take", "index_select", "embedding"), _looked_up),
}
"""What moves elements, and is a boundary only where values that are not known choose them."""

_LAYERS: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(_SAME_LAYERS.split(), _first),
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d"), _convolution_layer),
    **dict.fromkeys([f"ConvTranspose{n}d" for n in (1, 2, 3)], _transposed_layer),
    **dict.fromkeys([f"{kind}Pool{n}d" for kind in ("Max", "Avg") for n in (1, 2, 3)], _pooled),
    **dict.fromkeys(
        [f"Adaptive{kind}Pool{n}d" for kind in ("Max", "Avg") for n in (1, 2, 3)], _adaptive
    ),
    "Upsample": _resampled,
    "Linear": _linear_layer,
    "Dense": _dense,
    "Embedding": _embedding,
}
