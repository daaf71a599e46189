"""DML_SPACE_TO_DEPTH1: blocks of rows and columns gathered into channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Example
from dmlviz.operators.blocks import (
    CPU_TYPES,
    CRD,
    DCR,
    ORDERS,
    BlockOperator,
    Dialects,
    first_form,
    order_setting,
    split_channels,
    to_depth,
)
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.depth_to_space import DepthToSpace
from dmlviz.operators.mapped import At, Lookup
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Choice, setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes, Tensors


@with_settings
class SpaceToDepth(BlockOperator):
    """Gather blocks of rows and columns into channels, as ``DML_SPACE_TO_DEPTH1`` does.

    Args:
        block_size: height and width of a block, at least 1; height and width of the input
            must be divisible by it.
        order: ``"DEPTH_COLUMN_ROW"`` or ``"COLUMN_ROW_DEPTH"``; the inverse of
            :class:`DepthToSpace` with the same order.

    Sizes ``{N, C, H, W}`` become ``{N, C * B * B, H / B, W / B}``; rank 4 only.  (The
    operator's page prints the inverse's sizes here; its own examples and DirectML agree
    with these.)

    >>> SpaceToDepth(block_size=2).output_sizes((1, 2, 4, 6))
    (1, 8, 2, 3)
    """

    block_size: int = setting(
        Choice,
        "BlockSize",
        offered=lambda sizes: SpaceToDepth.block_sizes(sizes),
        initial=2,
        idle=1,
    )
    order: str = order_setting()

    dml: ClassVar[str] = "SPACE_TO_DEPTH1"
    key: ClassVar[str] = "space-to-depth"
    place: ClassVar[int] = 30
    older_forms: ClassVar[tuple[OlderForm, ...]] = (first_form("SPACE_TO_DEPTH"),)
    in_dialects: ClassVar[Dialects] = Dialects(
        "SpaceToDepth",
        "pixel_unshuffle",
        "space_to_depth",
        dict.fromkeys(ORDERS, "n, c, h // b, b, w // b, b"),
        "n, c * b * b, h // b, w // b",
        {
            DCR: "n c (h bh) (w bw) -> n (bh bw c) h w",
            CRD: "n c (h bh) (w bw) -> n (c bh bw) h w",
        },
    )

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        ((n, c, h, w),) = sizes.values()
        b = self.block_size
        return (n, c * b * b, h // b, w // b)

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        n, c, h, w = at
        b, channels = self.block_size, sizes[1]
        if self.order == CRD:
            channel, row, column = c // (b * b), c // b % b, c % b
        else:
            channel, row, column = c % channels, c // (channels * b), c // channels % b
        return (n, channel, h * b + row, w * b + column)

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        ((n, c, h, w),) = sizes.values()
        b = self.block_size
        channels = calculation("·", c, b, b)
        rows, columns = calculation("/", h, b), calculation("/", w, b)
        return {self.output_slots[0].name: (size_alone(n), channels, rows, columns)}

    @classmethod
    def undivided(cls, sizes: Sizes, block: int) -> str:
        if sizes[2] % block == 0 and sizes[3] % block == 0:
            return ""
        numbers = {"h": sizes[2], "w": sizes[3]}
        return cls.say("undivided", block=block, sizes=print_sizes(sizes), **numbers)

    def parts(self, sizes: Sizes) -> tuple[Sizes, Sizes]:
        b = self.block_size
        n, c, h, w = sizes
        axes = (0, 1, 3, 5, 2, 4) if self.order == CRD else (0, 3, 5, 1, 2, 4)
        return (n, c, h // b, b, w // b, b), axes

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        # a mode for the other order came with opset 28, which no released runtime loads
        if self.order == CRD:
            return None
        node = Node("SpaceToDepth", attributes={"blocksize": self.block_size})
        return Graph("native", (node,), cpu_types=CPU_TYPES)

    # ---- examples, pictures and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        examples = []
        for number, inverse in enumerate(DepthToSpace.examples(), 1):
            (x,) = inverse.operator.evaluate({"InputTensor": inverse.x}).values()
            operator = cls(**inverse.operator.settings)
            examples.append(operator.documented_example(x, number))
        return tuple(examples)

    def picture_sizes(self, channels: int, height: int, width: int) -> Sizes:
        b = self.block_size
        return (1, channels, max(b, height // b * b), max(b, width // b * b))

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        out, b, channels = self.output_sizes(x.shape), self.block_size, x.shape[1]
        depth = np.arange(out[1])[:, None, None]
        place = depth % (b * b) if self.order == CRD else depth // channels
        return self.block_steps(out, place // b, place % b, channels)

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        b, order, say = self.block_size, self.order, self.say
        other = ORDERS[1 - ORDERS.index(order)]
        n, c, height, width = x.shape
        h, w = height // b, width // b
        out, block = self.output_sizes(x.shape), {"b": b, "square": b * b}
        yield "other-order", self.other_order_words(c), to_depth(x, b, other)
        yield "swapped", self.swapped_words(), to_depth(x, b, order, flip=True)
        pieces = x.reshape(n, c, b, h, b, w).transpose(0, 1, 3, 2, 5, 4).reshape(x.shape)
        yield "beside", say("misread-beside", h=h, w=w, **block), to_depth(pieces, b, order)
        yield "reshape", self.reshape_words(x.shape), x.reshape(out)
        axes = (0, 1, 3, 2, 4) if order == CRD else (0, 3, 1, 2, 4)
        rows = x.reshape(n, c, h, b, width).transpose(axes).reshape(n, c * b, h, width)
        yield "once", say("misread-once", c=c, **block), rows[..., ::b]
        yield "rows-only", say("misread-rows-only", b=b), rows
        if c % (b * b) == 0:
            spread = split_channels(x, b, order).transpose(0, 1, 4, 2, 5, 3)
            inverse = spread.reshape(n, c // (b * b), height * b, width * b)
            yield "inverse", say("misread-inverse"), inverse
        yield "other-order-swapped", self.both_words(), to_depth(x, b, other, flip=True)
