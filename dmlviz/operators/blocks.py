"""Shared by DepthToSpace and SpaceToDepth: blocks, the two orders, the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Part, Step, Steps
from dmlviz.operators.base import Array, Operator
from dmlviz.operators.blocks_code import BlockCode, Direction
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.feature_levels import ALL, SMALL, Support
from dmlviz.operators.older import OlderForm
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.settings import Choice, Setting
from dmlviz.tensors import DIMENSION_MAX, print_sizes, shown
from dmlviz.words import _, listed, ngettext

CPU_TYPES = frozenset({"FLOAT64", "FLOAT32"})
"""The data types of ONNX Runtime's CPU kernels."""

ORDERS = ("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH")
"""``DML_DEPTH_SPACE_ORDER`` by value."""


def first_form(name: str) -> OlderForm:
    """The older structure without an Order, such as ``DML_DEPTH_TO_SPACE``.

    Args:
        name: such as ``DEPTH_TO_SPACE``.
    """
    structure = f"DML_{name}_OPERATOR_DESC"

    def read(desc: Mapping[str, Any]) -> dict[str, Any]:
        desc_fields(structure, desc, ("BlockSize",), ())
        return {"block_size": desc["BlockSize"], "order": ORDERS[0]}

    return OlderForm(f"DML_OPERATOR_{name}", structure, ("BlockSize",), read)


@dataclass(frozen=True)
class BlockOperator(OneTensor):
    """An operator between channels and square blocks of rows and columns, rank 4 only."""

    block_size: int
    order: str = "DEPTH_COLUMN_ROW"

    direction: ClassVar[Direction]
    """Its names in other dialects."""

    members: ClassVar[tuple[str, ...]] = ("BlockSize", "Order")
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("5_0", (4,), ALL),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "block_size", whole_number("block_size", self.block_size))
        object.__setattr__(self, "order", read_order(self.order))

    @property
    def desc(self) -> dict[str, Any]:
        return {"BlockSize": self.block_size, "Order": self.order}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("BlockSize", "Order"), ())
        return cls(desc["BlockSize"], desc["Order"])

    @property
    def documented(self) -> dict[str, Any]:
        return {**self.desc, "Order": f"DML_DEPTH_SPACE_ORDER_{self.order}"}

    @classmethod
    def block_sizes(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The block sizes that divide an input of ``sizes``, smallest first."""
        if len(sizes) != 4:
            return (1, 2)
        limit = min(64, max(sizes))
        return tuple(b for b in range(1, limit + 1) if not cls.undivided(sizes, b))

    @classmethod
    def undivided(cls, sizes: tuple[int, ...], block: int) -> str:
        """What ``block`` does not divide, in words; empty if it fits."""
        raise NotImplementedError

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Choice(
                "block_size",
                "BlockSize",
                _("The height and width of a block; only sizes that divide the input are offered."),
                offered=cls.block_sizes,
                default=2,
                idle=1,
            ),
            Choice(
                "order",
                "Order",
                _(
                    "Which part of the channel number gives the place in the block, and "
                    "which gives the channel."
                ),
                offered=lambda sizes: ORDERS,
                default=ORDERS[0],
            ),
        )

    def alternative(self) -> Operator:
        return replace(self, order=ORDERS[1 - ORDERS.index(self.order)])

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        problems = []
        if not 1 <= self.block_size <= DIMENSION_MAX:
            message = _(
                "block_size: {block} is invalid; it must be a whole number of 1 or more."
            ).format(block=shown(self.block_size))
            problems.append(Problem("block_size", message, f"{self.structure}, BlockSize"))
        elif wrong := self.undivided(sizes, self.block_size):
            problems.append(Problem("block_size", wrong, f"{self.structure}, BlockSize"))
        if self.order not in ORDERS:
            message = _("order: {order} is unknown; use {orders}.").format(
                order=shown(self.order), orders=listed(ORDERS)
            )
            problems.append(Problem("order", message, "DML_DEPTH_SPACE_ORDER"))
        return problems

    def block_steps(self, out: tuple[int, ...], row: Array, column: Array, channels: int) -> Steps:
        """One step for each place in the block.

        Args:
            out: sizes of the output.
            row, column: each output element's place in its block, broadcastable to ``out``.
            channels: how many channels the image side has.
        """
        block = self.block_size
        step_of = np.broadcast_to((row * block + column).astype(np.int32), out).ravel()
        moved = step_of.size // (block * block)
        steps = []
        for place in range(block * block):
            r, c = divmod(place, block)
            depth = [self.depth_channel(channel, r, c, channels) for channel in range(channels)]
            title = _("Place [{r}, {c}] in every block").format(r=r, c=c)
            steps.append(Step(title, self.step_caption(depth, r, c, moved)))
        return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))

    def depth_channel(self, channel: int, row: int, column: int, channels: int) -> int:
        """The channel of the depth tensor for a place in the block and an image channel."""
        place = row * self.block_size + column
        if self.order == "COLUMN_ROW_DEPTH":
            return channel * self.block_size**2 + place
        return place * channels + channel

    def step_caption(self, depth: list[int], row: int, column: int, moved: int) -> str:
        raise NotImplementedError

    def parts(self, sizes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sizes of the first reshape, and the order of axes of the transpose after it."""
        raise NotImplementedError

    def apply(self, x: Array) -> Array:
        split, axes = self.parts(x.shape)
        return x.reshape(split).transpose(axes).reshape(self.sizes_after(x.shape))

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        split, axes = self.parts(sizes)
        nodes = (
            Node("Reshape", (FLOW, Constant("sizes", np.array(split, np.int64)))),
            Node("Transpose", attributes={"perm": list(axes)}),
            Node("Reshape", (FLOW, Constant("sizes", np.array(self.sizes_after(sizes), np.int64)))),
        )
        return Graph("lowered", nodes)

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        graph = self.written(case.sizes, case.data_type) or self.lowered(case.sizes, case.data_type)
        axes = self.parts(case.sizes)[1]
        return BlockCode(case, self.direction, self.block_size, self.order, axes, graph).snippets()

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Reshape, transpose, reshape")

    def parts_of_rule(self, sizes: Sequence[int]) -> tuple[Part, ...]:
        split, axes = self.parts(tuple(sizes))
        out = self.output_sizes(sizes)
        turned = tuple(split[axis] for axis in axes)
        first = Part(
            _("1. Reshape"),
            _("The same elements in the same order, read as {sizes}.").format(
                sizes=print_sizes(split)
            ),
            split,
            sizes,
            lambda x: x.reshape(split),
        )
        second = Part(
            _("2. Transpose"),
            _("The dimensions are reordered: ({axes}) gives {sizes}.").format(
                axes=", ".join(map(str, axes)), sizes=print_sizes(turned)
            ),
            turned,
            first,
            lambda x: x.transpose(axes),
        )
        third = Part(
            _("3. Reshape"),
            _("The same order again, read as {sizes}: the output.").format(sizes=print_sizes(out)),
            out,
            second,
            lambda x: x.reshape(out),
        )
        return first, second, third


def read_order(order: Any) -> str:
    """An order's short name from its name, DirectML's full name, or its number.

    Raises:
        Error: it is neither a name nor a number.  ``problems`` reports unknown ones.
    """
    if isinstance(order, str):
        name = order.strip().upper().removeprefix("DML_DEPTH_SPACE_ORDER_")
        return name if name in ORDERS else order.strip()
    try:
        number = whole_number("order", order)
    except Error:
        raise Error(
            _("order: {order} is unknown; use {orders}.").format(
                order=shown(order), orders=listed(ORDERS)
            ),
            "order",
        ) from None
    return ORDERS[number] if 0 <= number < len(ORDERS) else shown(number)


def name_channels(channels: list[int]) -> str:
    """Channel numbers as words, shortened if there are many.

    >>> name_channels([0, 4]), name_channels([3])
    ('channels 0 and 4', 'channel 3')
    """
    shown = [str(c) for c in channels]
    many = len(shown) > 4
    told = ", ".join([*shown[:2], "…", shown[-1]]) if many else listed(shown)
    return ngettext("channel {listed}", "channels {listed}", len(channels)).format(listed=told)
