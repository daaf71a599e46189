"""DML_DEPTH_TO_SPACE1: channels laid out as blocks of rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Draw
from dmlviz.operators.blocks import CPU_TYPES, ORDERS, BlockOperator, first_form, name_channels
from dmlviz.operators.blocks_code import TO_SPACE, Direction
from dmlviz.operators.examples import Example
from dmlviz.operators.older import OlderForm
from dmlviz.tensors import print_sizes
from dmlviz.words import _, ngettext


@dataclass(frozen=True)
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

    key: ClassVar[str] = "depth-to-space"
    place: ClassVar[int] = 20
    operator_type: ClassVar[str] = "DML_OPERATOR_DEPTH_TO_SPACE1"
    structure: ClassVar[str] = "DML_DEPTH_TO_SPACE1_OPERATOR_DESC"
    older_forms: ClassVar[tuple[OlderForm, ...]] = (first_form("DEPTH_TO_SPACE"),)
    direction: ClassVar[Direction] = TO_SPACE

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        n, c, h, w = np.indices((1, 8, 2, 3), np.uint32)
        x = (9 * c + 3 * h + w + n).astype(np.uint32)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls(2, order),
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, order in enumerate(ORDERS, 1)
        )

    @classmethod
    def undivided(cls, sizes: tuple[int, ...], block: int) -> str:
        if sizes[1] % (block * block) == 0:
            return ""
        return _(
            "block_size: {block} does not fit {sizes}; the {channels} channels must be divisible "
            "by {block} · {block} = {square}."
        ).format(block=block, sizes=print_sizes(sizes), channels=sizes[1], square=block * block)

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        n, c, h, w = sizes
        b = self.block_size
        return (n, c // (b * b), h * b, w * b)

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        n, c, h, w = sizes
        b, wide = self.block_size, self.block_size**2
        sums = (f"{c} / ({b} · {b}) = {c // wide}", f"{h} · {b} = {h * b}", f"{w} · {b} = {w * b}")
        return (f"{n}", *sums)

    def parts(self, sizes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        b = self.block_size
        n, c, h, w = sizes
        if self.order == "COLUMN_ROW_DEPTH":
            return (n, c // (b * b), b, b, h, w), (0, 1, 4, 2, 5, 3)
        return (n, b, b, c // (b * b), h, w), (0, 3, 4, 1, 5, 2)

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        mode = "CRD" if self.order == "COLUMN_ROW_DEPTH" else "DCR"
        node = Node("DepthToSpace", attributes={"blocksize": self.block_size, "mode": mode})
        return Graph("native", (node,), cpu_types=CPU_TYPES)

    def formula(self, sizes: Sequence[int]) -> Formula:
        out = self.output_sizes(sizes)
        b = self.block_size
        n, c, h, w = (index(d) for d in range(4))
        row, column = h % b, w % b
        if self.order == "COLUMN_ROW_DEPTH":
            channel = c * (b * b) + row * b + column
        else:
            channel = row * (b * out[1]) + column * out[1] + c
        return Formula(tuple(sizes), out, (n, channel, h // b, w // b))

    def steps(self, sizes: Sequence[int]) -> Steps:
        out = self.output_sizes(sizes)
        b = self.block_size
        row = (np.arange(out[2]) % b)[:, None]
        return self.block_steps(out, row, np.arange(out[3]) % b, out[1])

    def step_caption(self, depth: list[int], row: int, column: int, moved: int) -> str:
        return ngettext(
            "From {channels}: {moved} element lands at row {row}, column {column} of "
            "its {b} by {b} block.",
            "From {channels}: {moved} elements land at row {row}, column {column} of "
            "their {b} by {b} blocks.",
            moved,
        ).format(
            channels=name_channels(depth),
            moved=moved,
            row=row,
            column=column,
            b=self.block_size,
        )

    def picture_sizes(self, channels: int, height: int, width: int) -> tuple[int, ...]:
        b = self.block_size
        return (1, channels * b * b, max(1, height // b), max(1, width // b))

    def picture_input(self, sizes: tuple[int, ...], draw: Draw) -> Array:
        # stored in the first order, so that the other order visibly scrambles it
        out = draw(DepthToSpace(self.block_size, ORDERS[0]).output_sizes(sizes))
        n, c, h, w = out.shape
        b = self.block_size
        blocks = out.reshape(n, c, h // b, b, w // b, b)
        return blocks.transpose(0, 3, 5, 1, 2, 4).reshape(sizes)
