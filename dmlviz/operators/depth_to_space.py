"""DML_DEPTH_TO_SPACE1: channels laid out as blocks of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Draw, Example
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
from dmlviz.operators.mapped import At, Lookup
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Choice, setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes, Tensors


@with_settings
class DepthToSpace(BlockOperator):
    """Spread channels over blocks of rows and columns, as ``DML_DEPTH_TO_SPACE1`` does.

    Args:
        block_size: height and width of a block, at least 1; the channels must be divisible
            by its square.
        order: ``"DEPTH_COLUMN_ROW"`` (ONNX's DCR: the place in the block counts first) or
            ``"COLUMN_ROW_DEPTH"`` (ONNX's CRD, PixelShuffle: the output channel counts first).

    Sizes ``{N, C, H, W}`` become ``{N, C / (B * B), H * B, W * B}``; rank 4 only.

    >>> DepthToSpace(block_size=2).output_sizes((1, 8, 2, 3))
    (1, 2, 4, 6)
    >>> print(DepthToSpace(2, "COLUMN_ROW_DEPTH").explain((1, 8, 2, 3), (0, 1, 3, 2)))
    out[n, c, h, w] = in[n, c · 4 + (h mod 2) · 2 + (w mod 2), h div 2, w div 2]
    out[0, 1, 3, 2] = in[0, 1 · 4 + (3 mod 2) · 2 + (2 mod 2), 3 div 2, 2 div 2] = in[0, 6, 1, 1]
    """

    block_size: int = setting(
        Choice,
        "BlockSize",
        offered=lambda sizes: DepthToSpace.block_sizes(sizes),
        initial=2,
        idle=1,
    )
    order: str = order_setting()

    dml: ClassVar[str] = "DEPTH_TO_SPACE1"
    key: ClassVar[str] = "depth-to-space"
    place: ClassVar[int] = 20
    older_forms: ClassVar[tuple[OlderForm, ...]] = (first_form("DEPTH_TO_SPACE"),)
    in_dialects: ClassVar[Dialects] = Dialects(
        "DepthToSpace",
        "pixel_shuffle",
        "depth_to_space",
        {DCR: "n, b, b, c // (b * b), h, w", CRD: "n, c // (b * b), b, b, h, w"},
        "n, c // (b * b), h * b, w * b",
        {
            DCR: "n (bh bw c) h w -> n c (h bh) (w bw)",
            CRD: "n (c bh bw) h w -> n c (h bh) (w bw)",
        },
    )

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        ((n, c, h, w),) = sizes.values()
        b = self.block_size
        return (n, c // (b * b), h * b, w * b)

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        n, c, h, w = at
        b, channels = self.block_size, sizes[1] // self.block_size**2
        row, column = h % b, w % b
        if self.order == CRD:
            channel = c * (b * b) + row * b + column
        else:
            channel = row * (b * channels) + column * channels + c
        return (n, channel, h // b, w // b)

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        ((n, c, h, w),) = sizes.values()
        b = self.block_size
        channels = calculation("/", c, calculation("·", b, b))
        rows, columns = calculation("·", h, b), calculation("·", w, b)
        return {self.output_slots[0].name: (size_alone(n), channels, rows, columns)}

    @classmethod
    def undivided(cls, sizes: Sizes, block: int) -> str:
        if sizes[1] % (block * block) == 0:
            return ""
        numbers = {"channels": sizes[1], "square": block * block}
        return cls.say("undivided", block=block, sizes=print_sizes(sizes), **numbers)

    def parts(self, sizes: Sizes) -> tuple[Sizes, Sizes]:
        b = self.block_size
        n, c, h, w = sizes
        if self.order == CRD:
            return (n, c // (b * b), b, b, h, w), (0, 1, 4, 2, 5, 3)
        return (n, b, b, c // (b * b), h, w), (0, 3, 4, 1, 5, 2)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        mode = "CRD" if self.order == CRD else "DCR"
        node = Node("DepthToSpace", attributes={"blocksize": self.block_size, "mode": mode})
        return Graph("native", (node,), cpu_types=CPU_TYPES)

    # ---- examples, pictures and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        n, c, h, w = np.indices((1, 8, 2, 3), np.uint32)
        x = (9 * c + 3 * h + w + n).astype(np.uint32)
        return tuple(
            cls(2, order).documented_example(x, number) for number, order in enumerate(ORDERS, 1)
        )

    def picture_sizes(self, channels: int, height: int, width: int) -> Sizes:
        b = self.block_size
        return (1, channels * b * b, max(1, height // b), max(1, width // b))

    def picture_input(self, sizes: Sizes, draw: Draw) -> Array:
        # stored in the first order, so that the other order visibly scrambles it
        out = draw(DepthToSpace(self.block_size, DCR).output_sizes(sizes))
        return to_depth(out, self.block_size, DCR)

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        out, b = self.output_sizes(x.shape), self.block_size
        row = (np.arange(out[2]) % b)[:, None]
        return self.block_steps(out, row, np.arange(out[3]) % b, out[1])

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        b, order, say = self.block_size, self.order, self.say
        other = ORDERS[1 - ORDERS.index(order)]
        c, h, w = x.shape[1:]
        out, block = self.output_sizes(x.shape), {"b": b, "square": b * b}

        def spread(order: str, axes: Sizes) -> Array:
            return split_channels(x, b, order).transpose(axes).reshape(out)

        yield "other-order", self.other_order_words(out[1]), spread(other, (0, 1, 4, 2, 5, 3))
        yield "swapped", self.swapped_words(), spread(order, (0, 1, 4, 3, 5, 2))
        beside = spread(order, (0, 1, 2, 4, 3, 5))
        yield "beside", say("misread-beside", h=h, w=w, **block), beside
        yield "reshape", self.reshape_words(x.shape), x.reshape(out)
        rows = self._rows(x)
        if rows.size * b <= MISREADING_LIMIT:
            yield "once", say("misread-once", c=c, **block), np.repeat(rows, b, axis=3)
        yield "rows-only", say("misread-rows-only", b=b), rows
        if h % b == 0 and w % b == 0:
            yield "inverse", say("misread-inverse"), to_depth(x, b, order)
        yield "other-order-swapped", self.both_words(), spread(other, (0, 1, 4, 3, 5, 2))

    def _rows(self, x: Array) -> Array:
        """The same along the height only."""
        n, c, h, w = x.shape
        b = self.block_size
        if self.order == CRD:
            parts = x.reshape(n, c // b, b, h, w).transpose(0, 1, 3, 2, 4)
        else:
            parts = x.reshape(n, b, c // b, h, w).transpose(0, 2, 3, 1, 4)
        return parts.reshape(n, c // b, h * b, w)
