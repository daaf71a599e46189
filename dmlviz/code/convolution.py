"""Convolution, the one call of code whose result is computed: windows that move, and their sums.

Source of the rules: ONNX's Conv (onnx.ai/onnx/operators) without groups and bias, and PyTorch's
``conv1d`` and ``conv2d``: a window is multiplied as it is, never flipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.builder import LIST_LIMIT, Builder, Made
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.slots import TensorDesc
from dmlviz.operators.unfold import LEADING, Unfold
from dmlviz.tensors import DATA_TYPES, print_sizes, print_value
from dmlviz.tensors.numbering import print_element
from dmlviz.tensors.types import Array, Sizes

CONV = "Conv"
"""ONNX's node whose result is computed."""

COLUMNS = "columns"
"""The name of the matrix of windows, one in each column."""

EXACT_LIMIT = 1 << 24
"""FLOAT32 holds every whole number up to this one, so sums up to it have no rounding."""

CONVOLUTION_LIMIT = 4
"""The limit of convolutions in a chain: an engine runs each by itself."""

_STEPS_SHOWN = 96
_TERMS_SHOWN = 9


@dataclass(frozen=True)
class Convolution:
    """How windows slide over a tensor.

    Attributes:
        window: the places that the window covers in each spatial dimension.
        strides, dilations, padding: as PyTorch names them, a number for each of these dimensions.
    """

    window: Sizes
    strides: Sizes
    dilations: Sizes
    padding: Sizes

    @classmethod
    def of_node(cls, node: Node) -> Convolution:
        """The convolution of a node that :func:`convolved` made."""
        names = ("kernel_shape", "strides", "dilations", "pads")
        window, strides, dilations, pads = (tuple(node.attributes[name]) for name in names)
        return cls(window, strides, dilations, pads[: len(window)])

    @property
    def unfold(self) -> Unfold:
        """The movement: each window becomes a column."""
        pads = self.padding, self.padding
        return Unfold(self.window, self.strides, self.dilations, *pads)

    def sizes(self, x: Sizes, filters: int) -> Sizes:
        """The sizes of the result: batch, a channel for each filter, then windows."""
        return (x[0], filters, *(slide.count for slide in self.unfold.slides(x)))

    def graph(self, names: Sequence[str], x: TensorDesc, result: Sizes, indices: bool) -> Graph:
        """The nodes that make the columns and the result.

        Args:
            names: of the input, the weights, the columns and the result.
            x: the input.
            result: the sizes of the result.
            indices: whether the values are indices, which are not multiplied.
        """
        of, weights, columns, y = names
        *nodes, last = self.unfold.lowered_graph({of: x}).nodes
        nodes.append(replace(last, outputs=(columns,)))
        if indices:
            # no element of the result is a copy
            nothing = Constant("nothing", np.zeros(result, DATA_TYPES[x.data_type].dtype))
            nodes.append(Node("Identity", (nothing,), {}, (y,)))
        else:
            nodes.append(Node(CONV, (of, weights), self.attributes, (y,)))
        return Graph("lowered", tuple(nodes))

    @property
    def attributes(self) -> dict[str, list[int]]:
        """Those of ONNX's node."""
        return {
            "kernel_shape": list(self.window),
            "strides": list(self.strides),
            "dilations": list(self.dilations),
            "pads": [*self.padding, *self.padding],
        }

    def steps(self, y: str, x: Array, weights: Array) -> Steps:
        """Each window becomes a column; then each filter is multiplied with it.

        Args:
            y: the result's name.
            x: the input's values.
            weights: filter, channel, and the places of a window.
        """
        columns = self.columns(x)
        numbers = np.arange(1, x.size + 1).reshape(x.shape)
        sources = self.columns(numbers) - 1
        batch, rows, count = columns.shape
        filters = len(weights)
        windows = self.sizes(x.shape, filters)[LEADING:]
        # a window moves, then there is a sum for each filter
        each = 1 + batch * filters
        steps = []
        for k in range(min(count, -(-_STEPS_SHOWN // each))):
            steps.append(_moved(columns[0, :, k], k))
            for n, f in np.ndindex(batch, filters):
                index = (n, f, *(int(i) for i in np.unravel_index(k, windows)))
                first = x.size + f * rows
                used = sources[n, :, k]
                steps.append(
                    Step(
                        _("{cell} is computed").format(cell=print_element(y, index)),
                        _("Computed, not copied: weights times column {k} is {products}.").format(
                            k=k, products=products(columns[n, :, k], weights[f])
                        ),
                        (*used[used >= 0].tolist(), *range(first, first + rows)),
                        used=tuple(((n * rows + np.arange(rows)) * count + k).tolist()),
                    )
                )
        moved = np.broadcast_to(np.arange(count) * each, columns.shape).ravel()
        number = np.arange(batch * filters)[:, np.newaxis] + 1
        step_of = np.concatenate([moved, (np.arange(count) * each + number).ravel()])
        if count * each > _STEPS_SHOWN:
            shown = _STEPS_SHOWN - 2
            steps = [*steps[:shown], *_rest()]
            made = np.arange(step_of.size) >= moved.size
            step_of = np.where(step_of >= shown, shown + made, step_of)
        nowhere = np.full(step_of.size, -1, np.int64)
        return Steps(tuple(steps), step_of.astype(np.int32), nowhere)

    def columns(self, x: Array) -> Array:
        """The matrix of windows: batch, place, window."""
        (columns,) = self.unfold.evaluate({Unfold.first_input(): x}).values()
        return columns


def convolved(
    b: Builder,
    x: Tensor,
    weights: Tensor,
    strides: Sizes,
    padding: Sizes,
    dilations: Sizes,
    name: str,
) -> Tensor:
    """The result of a convolution: new values, whose elements are numbered as those of an input.

    Args:
        b: the builder.
        x: batch, channel, and one or more spatial dimensions.
        weights: filter, channel, and the places of the window.
        strides, padding, dilations: a number for each spatial dimension.
        name: of the call, for messages.

    Raises:
        CodeRefused: the sizes do not fit, or there would be too many elements.
    """
    spatial = len(strides)
    if x.rank != LEADING + spatial or weights.rank != x.rank:
        raise CodeRefused(
            "sizes",
            _(
                "{name} takes a tensor and weights of {rank} dimensions each; they have sizes "
                "{sizes} and {weights}."
            ).format(
                name=name,
                rank=LEADING + spatial,
                sizes=print_sizes(x.sizes),
                weights=print_sizes(weights.sizes),
            ),
        )
    if weights.sizes[1] != x.sizes[1]:
        raise CodeRefused(
            "sizes",
            _(
                "Each filter has {weights} channels and the tensor has {channels}; they must be "
                "equal."
            ).format(weights=weights.sizes[1], channels=x.sizes[1]),
        )
    if min((*strides, *dilations)) < 1 or min(padding) < 0:
        raise CodeRefused(
            "argument",
            _("{name}: stride and dilation must be 1 or more, padding 0 or more.").format(
                name=name
            ),
        )
    how = Convolution(weights.sizes[LEADING:], strides, dilations, padding)
    slides = how.unfold.slides(x.sizes)
    if any(slide.extent > slide.padded for slide in slides):
        raise CodeRefused(
            "sizes",
            _("A window of {window} does not fit {sizes}.").format(
                window=print_sizes(slide.extent for slide in slides),
                sizes=print_sizes(slide.padded for slide in slides),
            ),
        )
    before = sum(made.node.op_type == CONV for made in b.nodes)
    if before >= CONVOLUTION_LIMIT:
        raise CodeRefused(
            "limit",
            _("The code has more than {most} convolutions: try a part of it.").format(
                most=CONVOLUTION_LIMIT
            ),
        )
    b.check(how.unfold.output_sizes(x.sizes), LIST_LIMIT)
    y = b.numbered(f"_{len(b.nodes)}_0", how.sizes(x.sizes, weights.sizes[0]))
    wired = tuple(b.moved(item).name for item in (x, weights))
    b.nodes.append(Made(Node(CONV, wired, how.attributes, (y.name,)), b.call))
    return y


def check_exact(columns: Array, weights: Array) -> None:
    """Refuse values whose sums depend on the order in which they are added.

    Args:
        columns: batch, place, window; floats.
        weights: filter, channel, and the places of a window; floats.

    Raises:
        Error: a product or a sum would be rounded in FLOAT32, or a value is not finite.
    """
    flat = np.abs(weights.reshape(weights.shape[0], -1).astype(np.float64))
    values = np.abs(columns.astype(np.float64))
    if np.isfinite(flat).all() and np.isfinite(values).all():
        # beyond the limit, even a sum that overflows is refused
        with np.errstate(over="ignore"):
            largest = float(np.matmul(flat, values).max(initial=0))
            if largest <= EXACT_LIMIT * _quantum(flat) * _quantum(values):
                return
    raise Error(
        _(
            "values: the sums of these products would be rounded in FLOAT32, and the engines could "
            "differ; use whole numbers whose sums are at most {limit:,}."
        ).format(limit=EXACT_LIMIT),
        "values",
    )


def _quantum(values: Array) -> float:
    """The largest power of two of which all values, finite and not negative, are multiples."""
    used = values[values > 0]
    if not used.size:
        return 1.0
    fraction, exponent = np.frexp(used)
    # 53 bits of a double as a whole number
    whole = (fraction * (1 << 53)).astype(np.int64)
    return float(2.0 ** int((np.log2((whole & -whole).astype(float)) + exponent - 53).min()))


def added(columns: Array, weights: Array, result: Sizes) -> Array:
    """Weights times column, number by number: place after place, in FLOAT64, which rounds nothing.

    Args:
        columns: batch, place, window.
        weights: filter, channel, and the places of a window.
        result: the result's sizes.

    Returns:
        Of the result's sizes and the columns' data type.
    """
    flat = weights.reshape(weights.shape[0], -1).astype(np.float64)
    total = np.zeros((columns.shape[0], flat.shape[0], columns.shape[2]))
    for place in range(columns.shape[1]):
        total += flat[:, place, np.newaxis] * columns[:, np.newaxis, place].astype(np.float64)
    return total.reshape(result).astype(columns.dtype)


def calculated(columns: Array, weights: Array) -> Iterator[str]:
    """For each element of the result, its products and their sum: ``1·3 + 0·5 = 3``.

    Args:
        columns: batch, place, window.
        weights: filter, channel, and the places of a window.
    """
    for n, f, k in np.ndindex(columns.shape[0], weights.shape[0], columns.shape[2]):
        yield products(columns[n, :, k], weights[f])


def products(column: Array, weights: Array, most: int = _TERMS_SHOWN) -> str:
    """Weights times column with their sum; of many products, the first ones and the last.

    Args:
        column: the elements of a window.
        weights: of a filter, as many.
        most: the limit of products.

    >>> products(np.array([3.0, 5.0]), np.array([1.0, -2.0]))
    '1·3 + (-2)·5 = -7'
    """
    line = weights.ravel()
    terms = [f"{_factor(w)}·{_factor(x)}" for w, x in zip(line, column, strict=True)]
    total = float((line.astype(np.float64) * column.astype(np.float64)).sum()) + 0.0
    if len(terms) > most:
        terms = [*terms[: most - 2], "…", terms[-1]]
    return f"{' + '.join(terms)} = {print_value(column.dtype.type(total))}"


def _factor(value: np.generic) -> str:
    text = print_value(value)
    return f"({text})" if text.startswith("-") else text


def _moved(column: Array, k: int) -> Step:
    values = [print_value(value) for value in column]
    if len(values) > _TERMS_SHOWN:
        values = [*values[: _TERMS_SHOWN - 2], "…", values[-1]]
    caption = _("Moved: {values} become column {k}.").format(values=", ".join(values), k=k)
    return Step(_("Window {k} moves").format(k=k), caption)


def _rest() -> tuple[Step, Step]:
    return (
        Step(
            _("The other windows move"), _("Moved: each of them becomes a column in the same way.")
        ),
        Step(
            _("The other elements are computed"),
            _("Computed, not copied: each is the weights of a filter times a column."),
        ),
    )
