"""DML_SPACE_TO_DEPTH1: blocks of rows and columns gathered into channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.blocks import CPU_TYPES, BlockOperator, first_form, name_channels
from dmlviz.operators.blocks_code import TO_DEPTH, Direction
from dmlviz.operators.depth_to_space.operator import DepthToSpace
from dmlviz.operators.examples import Example
from dmlviz.operators.older import OlderForm
from dmlviz.tensors import print_sizes
from dmlviz.words import _, ngettext


@dataclass(frozen=True)
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

    key: ClassVar[str] = "space-to-depth"
    place: ClassVar[int] = 30
    operator_type: ClassVar[str] = "DML_OPERATOR_SPACE_TO_DEPTH1"
    structure: ClassVar[str] = "DML_SPACE_TO_DEPTH1_OPERATOR_DESC"
    older_forms: ClassVar[tuple[OlderForm, ...]] = (first_form("SPACE_TO_DEPTH"),)
    direction: ClassVar[Direction] = TO_DEPTH

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return tuple(
            Example(
                example.title,
                cls(example.operator.block_size, example.operator.order),
                example.operator.apply(example.x),
                f"{cls.structure}, Example {number}",
            )
            for number, example in enumerate(DepthToSpace.examples(), 1)
            if isinstance(example.operator, DepthToSpace)
        )

    @classmethod
    def undivided(cls, sizes: tuple[int, ...], block: int) -> str:
        if sizes[2] % block == 0 and sizes[3] % block == 0:
            return ""
        return _(
            "block_size: {block} does not fit {sizes}; height {h} and width {w} must both be "
            "divisible by {block}."
        ).format(block=block, sizes=print_sizes(sizes), h=sizes[2], w=sizes[3])

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        n, c, h, w = sizes
        b = self.block_size
        return (n, c * b * b, h // b, w // b)

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        n, c, h, w = sizes
        b = self.block_size
        sums = (f"{c} · {b} · {b} = {c * b * b}", f"{h} / {b} = {h // b}", f"{w} / {b} = {w // b}")
        return (f"{n}", *sums)

    def parts(self, sizes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        b = self.block_size
        n, c, h, w = sizes
        first = self.order == "DEPTH_COLUMN_ROW"
        axes = (0, 3, 5, 1, 2, 4) if first else (0, 1, 3, 5, 2, 4)
        return (n, c, h // b, b, w // b, b), axes

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        # a mode for the other order came with opset 28, which no released runtime loads
        if self.order == "COLUMN_ROW_DEPTH":
            return None
        node = Node("SpaceToDepth", attributes={"blocksize": self.block_size})
        return Graph("native", (node,), cpu_types=CPU_TYPES)

    def picture_sizes(self, channels: int, height: int, width: int) -> tuple[int, ...]:
        b = self.block_size
        return (1, channels, max(b, height // b * b), max(b, width // b * b))

    def formula(self, sizes: Sequence[int]) -> Formula:
        b, channels = self.block_size, sizes[1]
        n, c, h, w = (index(d) for d in range(4))
        if self.order == "COLUMN_ROW_DEPTH":
            channel, row, column = c // (b * b), c // b % b, c % b
        else:
            channel, row, column = c % channels, c // (channels * b), c // channels % b
        source = (n, channel, h * b + row, w * b + column)
        return Formula(tuple(sizes), self.output_sizes(sizes), source)

    def steps(self, sizes: Sequence[int]) -> Steps:
        out = self.output_sizes(sizes)
        b, channels = self.block_size, sizes[1]
        depth = np.arange(out[1])[:, None, None]
        place = depth % (b * b) if self.order == "COLUMN_ROW_DEPTH" else depth // channels
        return self.block_steps(out, place // b, place % b, channels)

    def step_caption(self, depth: list[int], row: int, column: int, moved: int) -> str:
        return ngettext(
            "Row {row}, column {column} of the {b} by {b} block: {moved} element lands in "
            "{channels}.",
            "Row {row}, column {column} of every {b} by {b} block: {moved} elements land in "
            "{channels}.",
            moved,
        ).format(
            channels=name_channels(depth), moved=moved, row=row, column=column, b=self.block_size
        )
