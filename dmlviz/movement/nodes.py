"""NumPy kernels of the ONNX nodes that graphs are written with, so that NumPy runs every graph.

Each kernel takes its inputs in ONNX's order and its attributes by ONNX's names. Source of the
rules: onnx.ai/onnx/operators, at the opset that :class:`dmlviz.movement.graphs.Graph` names. What
a graph here never uses (strings, reductions, linear resizing) is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, Constant, Graph
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array

_TYPES = {number: DATA_TYPES[name].dtype for name, number in ELEMENT_TYPES.items()}
_TYPES[BOOL] = np.dtype(bool)


def run_graph(
    graph: Graph, inputs: Mapping[str, Array], outputs: Sequence[str]
) -> dict[str, Array]:
    """The outputs of a graph, by name.

    Args:
        graph: its nodes are all of :data:`KERNELS`.
        inputs: by name, in the operator's order.
        outputs: the names of the operator's outputs, in its order.

    Raises:
        KeyError: a node is of another kind.
    """
    tensors = all_tensors(graph, inputs, outputs)
    return {name: tensors[name] for name in outputs}


def all_tensors(
    graph: Graph, inputs: Mapping[str, Array], outputs: Sequence[str]
) -> dict[str, Array]:
    """Every tensor of a graph by name: inputs, then what each node makes.

    Args and raises are those of :func:`run_graph`.
    """
    tensors = dict(inputs)
    for node in graph.wired(next(iter(inputs), ""), outputs[0]):
        taken = [
            item.values if isinstance(item, Constant) else tensors[item] if item else None
            for item in node.inputs
        ]
        made = KERNELS[node.op_type](*taken, **node.attributes)
        made = made if isinstance(made, tuple) else (made,)
        # a node can have more outputs than the graph names; what is given back is copied here at
        # most, so that a reshape of it is no second copy
        tensors |= (
            (name, np.asarray(array, order="C") if name in outputs else array)
            for name, array in zip(node.outputs, made, strict=False)
        )
    return tensors


def fold(i: Array, n: int, mode: str) -> Array:
    """The index within an axis of size ``n`` that Pad copies to index ``i`` outside it.

    Args:
        i: int64, counted from the axis's first element.
        n: the axis's size.
        mode: ``edge``, ``reflect`` or ``wrap``; ``symmetric``, which repeats the edge, is NumPy's
            alone.
    """
    if mode == "edge":
        inside: Array = np.clip(i, 0, n - 1)
        return inside
    if mode == "wrap":
        wrapped: Array = i % n
        return wrapped
    if mode == "symmetric":
        symmetric: Array = np.minimum(i % (2 * n), (-1 - i) % (2 * n))
        return symmetric
    period = max(1, 2 * (n - 1))
    folded: Array = np.minimum(i % period, (-i) % period)
    return folded


def _pad(x: Array, pads: Array, value: Any = 0, *, mode: str = "constant") -> Array:
    width = list(zip(pads[: x.ndim].tolist(), pads[x.ndim :].tolist(), strict=True))
    if mode == "constant":
        return np.pad(x, width, constant_values=np.asarray(value, x.dtype)[()])
    for d, (start, end) in enumerate(width):
        x = take(x, fold(np.arange(-start, x.shape[d] + end), x.shape[d], mode), d)
    return x


def _slice(x: Array, starts: Array, ends: Array, axes: Any = None, steps: Any = None) -> Array:
    at = [slice(None)] * x.ndim
    axes = range(len(starts)) if axes is None else axes.tolist()
    steps = [1] * len(starts) if steps is None else steps.tolist()
    for start, end, axis, step in zip(starts.tolist(), ends.tolist(), axes, steps, strict=True):
        # a negative end below -n means through index 0 for a negative step
        through = step < 0 and end < -x.shape[axis]
        at[axis] = slice(start, None if through else end, step)
    part: Array = x[tuple(at)]
    return part


def _gather_elements(x: Array, indices: Array, *, axis: int = 0) -> Array:
    # other dimensions of the indices can be shorter than the input's
    part = x[tuple(slice(None) if d == axis else slice(n) for d, n in enumerate(indices.shape))]
    return np.take_along_axis(part, indices.astype(np.int64), axis)


def _gather_nd(x: Array, indices: Array, *, batch_dims: int = 0) -> Array:
    batches = np.indices(indices.shape[:batch_dims], sparse=True) if batch_dims else ()
    rest = indices.ndim - 1 - batch_dims
    lead = tuple(batch.reshape(batch.shape + (1,) * rest) for batch in batches)
    taken: Array = x[(*lead, *np.moveaxis(indices.astype(np.int64), -1, 0))]
    return taken


def _scatter_elements(x: Array, indices: Array, updates: Array, *, axis: int = 0) -> Array:
    at: list[Any] = list(np.indices(indices.shape, sparse=True))
    at[axis] = indices.astype(np.int64)
    written = x.copy()
    written[tuple(at)] = updates
    return written


def _scatter_nd(x: Array, indices: Array, updates: Array) -> Array:
    written = x.copy()
    written[tuple(np.moveaxis(indices.astype(np.int64), -1, 0))] = updates
    return written


def _depth_to_space(x: Array, *, blocksize: int, mode: str = "DCR") -> Array:
    n, c, h, w = x.shape
    b = blocksize
    if mode == "DCR":
        parts = x.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        parts = x.reshape(n, c // (b * b), b, b, h, w).transpose(0, 1, 4, 2, 5, 3)
    return parts.reshape(n, c // (b * b), h * b, w * b)


def _space_to_depth(x: Array, *, blocksize: int) -> Array:
    n, c, h, w = x.shape
    b = blocksize
    parts = x.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4)
    return parts.reshape(n, c * b * b, h // b, w // b)


def _conv(
    x: Array,
    weights: Array,
    *,
    kernel_shape: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[int],
) -> Array:
    """Sums of products, in the data type of ``x``; exact where no sum is rounded."""
    m = len(kernel_shape)
    width = [(0, 0), (0, 0), *zip(pads[:m], pads[m:], strict=True)]
    reach = [1 + d * (n - 1) for n, d in zip(kernel_shape, dilations, strict=True)]
    axes = tuple(range(2, 2 + m))
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, width), reach, axes)
    every = [slice(None, None, step) for step in (*strides, *dilations)]
    windows = windows[(slice(None), slice(None), *every)]
    places = tuple(range(2 + m, 2 + 2 * m))
    made = np.tensordot(windows, weights, ((1, *places), tuple(range(1, 2 + m))))
    return np.ascontiguousarray(np.moveaxis(made, -1, 1), x.dtype)


def _reverse_sequence(
    x: Array, lengths: Array, *, batch_axis: int = 1, time_axis: int = 0
) -> Array:
    turned = np.moveaxis(x, (batch_axis, time_axis), (0, 1)).copy()
    for row, length in zip(turned, lengths.tolist(), strict=True):
        row[:length] = row[:length][::-1].copy()
    return np.moveaxis(turned, (0, 1), (batch_axis, time_axis))


def _max_unpool(
    x: Array,
    indices: Array,
    sizes: Any = None,
    *,
    kernel_shape: Sequence[int],
    strides: Sequence[int] = (),
) -> Array:
    if sizes is None:
        steps = strides or [1] * len(kernel_shape)
        windows = zip(x.shape[2:], steps, kernel_shape, strict=True)
        sizes = (*x.shape[:2], *((n - 1) * step + kernel for n, step, kernel in windows))
    output = np.zeros(tuple(sizes), x.dtype)
    output.ravel()[indices.ravel().astype(np.int64)] = x.ravel()
    return output


def _one_hot(indices: Array, depth: Array, values: Array, *, axis: int = -1) -> Array:
    count = int(np.asarray(depth).ravel()[0])
    axis = axis % (indices.ndim + 1)
    along = np.arange(count).reshape([-1 if d == axis else 1 for d in range(indices.ndim + 1)])
    # indices below -depth or from depth on have no place
    whole = indices.astype(np.int64)
    counted = np.where(whole < 0, whole + count, whole)
    hot = np.expand_dims(counted, axis) == along
    sequences: Array = np.where(hot, values[1], values[0])
    return sequences


def _top_k(
    x: Array, k: Array, *, axis: int = -1, largest: int = 1, sorted: int = 1
) -> tuple[Array, Array]:
    count = int(np.asarray(k).ravel()[0])
    # equal elements: the one with the lower index first, in both directions
    _values, order = np.unique(x, return_inverse=True)
    order = order.reshape(x.shape)
    places = np.argsort(-order if largest else order, axis=axis, kind="stable")
    places = take(places, np.arange(count), axis)
    return np.take_along_axis(x, places, axis), places


def _resize(
    x: Array,
    _roi: Array,
    scales: Array,
    *,
    mode: str,
    coordinate_transformation_mode: str,
    nearest_mode: str,
) -> Array:
    half = np.float32(0.5)
    for d, scale in enumerate(scales.astype(np.float32)):
        size = x.shape[d]
        at = np.arange(int(size * scale), dtype=np.float32)
        centered = coordinate_transformation_mode == "half_pixel"
        at = (at + half) / scale - half if centered else at / scale
        down, up = np.floor(at), np.ceil(at)
        nearest = {
            "floor": down,
            "ceil": up,
            "round_prefer_floor": np.where(at - down <= half, down, up),
            "round_prefer_ceil": np.where(at - down < half, down, up),
        }[nearest_mode]
        x = take(x, np.clip(nearest.astype(np.int64), 0, size - 1), d)
    return x


def _trilu(x: Array, k: Any = 0, *, upper: int = 1) -> Array:
    diagonal = int(np.asarray(k).ravel()[0])
    return np.triu(x, diagonal) if upper else np.tril(x, diagonal)


def _concat(*parts: Array, axis: int) -> Array:
    return np.concatenate(parts, axis)


def _split(x: Array, sizes: Array, *, axis: int = 0) -> tuple[Array, ...]:
    return tuple(np.split(x, np.cumsum(sizes)[:-1], axis))


def _reshape(x: Array, shape: Array) -> Array:
    # 0 keeps a size, as ONNX says
    return x.reshape([x.shape[d] if n == 0 else int(n) for d, n in enumerate(shape)])


def _gather(x: Array, indices: Array, *, axis: int = 0) -> Array:
    return take(x, indices.astype(np.int64), axis)


KERNELS: Mapping[str, Callable[..., Any]] = {
    "Add": np.add,
    "Cast": lambda x, *, to: x.astype(_TYPES[to]),
    "Concat": _concat,
    "Conv": _conv,
    "ConstantOfShape": lambda shape, *, value: np.full(tuple(shape), value.values[0]),
    "DepthToSpace": _depth_to_space,
    "Equal": np.equal,
    "Expand": lambda x, shape: np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape))),
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Identity": lambda x: x,
    "Less": np.less,
    "MaxUnpool": _max_unpool,
    "Mul": np.multiply,
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": lambda start, limit, delta: np.arange(start, limit, delta),
    "Reshape": _reshape,
    "Resize": _resize,
    "ReverseSequence": _reverse_sequence,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Sub": np.subtract,
    "Tile": lambda x, repeats: np.tile(x, tuple(repeats)),
    "TopK": _top_k,
    "Transpose": lambda x, *, perm: x.transpose(perm),
    "Trilu": _trilu,
    "Where": np.where,
}
"""By ONNX's name of the node."""
