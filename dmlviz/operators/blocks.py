"""Operators between channels and square blocks: DEPTH_TO_SPACE1 and its inverse SPACE_TO_DEPTH1.

What both share: the settings and their checks, a reshape, a transpose and a reshape, one move for
each place of a block, and the dialects.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, listed, ngettext
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Part, Step, Steps
from dmlviz.operators.base import Operator
from dmlviz.operators.checks import desc_fields
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    einops_snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.feature_levels import ALL, SMALL, Support
from dmlviz.operators.mapped import Mapped
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Choice, setting
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DIMENSION_MAX, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

CPU_TYPES = frozenset({"FLOAT64", "FLOAT32"})
"""The data types of ONNX Runtime's CPU kernels."""

DCR, CRD = "DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"
ORDERS = (DCR, CRD)
"""``DML_DEPTH_SPACE_ORDER`` by value; ONNX calls them DCR and CRD."""


def order_setting() -> Any:
    """The field ``order`` of a block operator."""
    return setting(
        Choice,
        "Order",
        default=DCR,
        offered=lambda sizes: ORDERS,
        initial=DCR,
        enumeration="DML_DEPTH_SPACE_ORDER",
    )


def first_form(name: str) -> OlderForm:
    """The older structure without an Order, such as ``DML_DEPTH_TO_SPACE``.

    Args:
        name: such as ``DEPTH_TO_SPACE``.
    """
    structure = f"DML_{name}_OPERATOR_DESC"

    def read(desc: Mapping[str, Any]) -> dict[str, Any]:
        desc_fields(structure, desc, ("BlockSize",), ())
        return {"block_size": desc["BlockSize"], "order": DCR}

    return OlderForm(f"DML_OPERATOR_{name}", structure, ("BlockSize",), read)


@dataclass(frozen=True)
class Dialects:
    """A block operator's names in other dialects.

    Attributes:
        onnx, pytorch, tensorflow: names of the operator or function.
        split: the sizes of the first reshape by order, in letters.
        after: the sizes of the output, in letters.
        einops: the pattern by order.
    """

    onnx: str
    pytorch: str
    tensorflow: str
    split: Mapping[str, str]
    after: str
    einops: Mapping[str, str]


@dataclass(frozen=True)
class BlockOperator(Mapped):
    """An operator between channels and square blocks of rows and columns, rank 4 only."""

    block_size: int
    order: str = DCR

    in_dialects: ClassVar[Dialects]
    """Its names in other dialects."""
    same_sizes: ClassVar[tuple[str, ...]] = ("order",)

    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("5_0", (4,), ALL),
    )

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("BlockSize", "Order"), ())
        return cls(desc["BlockSize"], desc["Order"])

    # ---- the rule

    @classmethod
    @abstractmethod
    def undivided(cls, sizes: Sizes, block: int) -> str:
        """What ``block`` does not divide, in words; empty if it fits."""

    @classmethod
    def block_sizes(cls, sizes: Sizes) -> Sizes:
        """The block sizes that divide an input of ``sizes``, smallest first."""
        if len(sizes) != 4:
            return (1, 2)
        limit = min(64, max(sizes))
        return tuple(b for b in range(1, limit + 1) if not cls.undivided(sizes, b))

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        (each,) = sizes.values()
        problems = []
        if not 1 <= self.block_size <= DIMENSION_MAX:
            message = _("block_size: {block} is invalid; it must be a whole number of 1 or more.")
            message = message.format(block=short_text(self.block_size))
            problems.append(Problem("block_size", message, f"{self.structure}, BlockSize"))
        elif message := self.undivided(each, self.block_size):
            problems.append(Problem("block_size", message, f"{self.structure}, BlockSize"))
        if self.order not in ORDERS:
            message = _("order: {order} is unknown; use {orders}.").format(
                order=short_text(self.order), orders=listed(ORDERS)
            )
            problems.append(Problem("order", message, "DML_DEPTH_SPACE_ORDER"))
        return problems

    @abstractmethod
    def parts(self, sizes: Sizes) -> tuple[Sizes, Sizes]:
        """The sizes of the first reshape, and the order of axes of the transpose after it."""

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        split, axes = self.parts(x.shape)
        moved = x.reshape(split).transpose(axes)
        ((name, out),) = self.outputs_after({self.input_slots[0].name: x.shape}).items()
        return {name: moved.reshape(out)}

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (x,) = inputs.values()
        split, axes = self.parts(x.sizes)
        out = self.output_sizes(x.sizes)
        nodes = (
            Node("Reshape", (FLOW, Constant("sizes", np.array(split, np.int64)))),
            Node("Transpose", attributes={"perm": list(axes)}),
            Node("Reshape", (FLOW, Constant("sizes", np.array(out, np.int64)))),
        )
        return Graph("lowered", nodes)

    def alternative(self) -> Operator:
        return replace(self, order=ORDERS[1 - ORDERS.index(self.order)])

    # ---- moves: one for each place in the block; and the parts of the NumPy rule

    def block_steps(self, out: Sizes, row: Any, column: Any, channels: int) -> Steps:
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
            depth = [self._depth_channel(channel, place, channels) for channel in range(channels)]
            title = _("Place [{r}, {c}] in every block").format(r=r, c=c)
            numbers = {"channels": name_channels(depth), "row": r, "column": c, "b": block}
            steps.append(Step(title, self.say("lands", moved, moved=moved, **numbers)))
        return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))

    def _depth_channel(self, channel: int, place: int, channels: int) -> int:
        """The channel of the depth tensor for a place in the block and an image channel."""
        if self.order == CRD:
            return channel * self.block_size**2 + place
        return place * channels + channel

    def rule_words(self, inputs: Tensors) -> str:
        """How the channel of the depth tensor is made of the place and the image's channel."""
        (x,) = inputs.values()
        if self.order == CRD:
            words = _(
                "{depth} = {image} · {square} + row in the block · {block} + column in the block."
            )
        else:
            words = _(
                "{depth} = (row in the block · {block} + column in the block) · {channels} "
                "+ {image}."
            )
        block = self.block_size
        channels = min(x.shape[1], self.output_sizes(x.shape)[1])
        if x.shape[1] == channels:
            depth, image = _("Channel of the output"), _("channel of the input")
        else:
            depth, image = _("Channel of the input"), _("channel of the output")
        return words.format(
            depth=depth, image=image, block=block, square=block**2, channels=channels
        )

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Reshape, transpose, reshape")

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        (x,) = inputs.values()
        split, axes = self.parts(x.shape)
        out = self.output_sizes(x.shape)
        turned = tuple(split[axis] for axis in axes)
        first = Part(
            _("1. Reshape"),
            _("The same elements in the same order, read as {sizes}.").format(
                sizes=print_sizes(split)
            ),
            split,
            x.shape,
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

    # ---- misreadings that both have, in words

    def other_order_words(self, channels: int) -> str:
        """That the channels are taken in the other order; ``channels`` of the image side."""
        if self.order == CRD:
            words = _(
                "That takes the channels in the other order, DEPTH_COLUMN_ROW: the next place of "
                "the block is {channels} further there, 1 further in COLUMN_ROW_DEPTH."
            )
        else:
            words = _(
                "That takes the channels in the other order, COLUMN_ROW_DEPTH: the next place of "
                "the block is 1 further there, {channels} further in DEPTH_COLUMN_ROW."
            )
        return words.format(channels=channels)

    def swapped_words(self) -> str:
        """That row and column of the block are swapped."""
        return _(
            "That swaps row and column of the block: the rule counts the {b} places of row 0 "
            "first, then those of row 1."
        ).format(b=self.block_size)

    def both_words(self) -> str:
        """Both at once."""
        words = _("That takes the other order, {other}, and swaps row and column of the block.")
        return words.format(other=ORDERS[1 - ORDERS.index(self.order)])

    def reshape_words(self, sizes: Sizes) -> str:
        """That nothing but the sizes changes."""
        return _("That only reshapes {sizes} to {out}; the operator moves the elements.").format(
            sizes=print_sizes(sizes), out=print_sizes(self.output_sizes(sizes))
        )

    # ---- other dialects

    def onnx_note(self, case: Case) -> str:
        if self.native_graph({case.inputs[0].name: TensorDesc(case.sizes, case.data_type)}):
            return ""
        return _(
            "Before opset 28 ONNX's {operator} is DEPTH_COLUMN_ROW only, so the blocks are "
            "moved by Reshape and Transpose."
        ).format(operator=self.in_dialects.onnx)

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        pattern = self.in_dialects.einops[self.order]
        lengths = dict.fromkeys(("bh", "bw"), self.block_size)
        return (
            numpy_snippet(case, self._lines(case, "transpose")),
            self._pytorch(case),
            self._tensorflow(case),
            einops_snippet(case, "rearrange", pattern, lengths),
        )

    def _pytorch(self, case: Case) -> Snippet:
        name = self.in_dialects.pytorch
        if self.order == DCR:
            note = _("PyTorch's {function} is COLUMN_ROW_DEPTH only.").format(function=name)
        # PyTorch can move these types, but has no pixel_shuffle for them
        elif case.data_type in ("UINT16", "UINT32", "UINT64"):
            note = _("PyTorch's {function} takes no {data_type}.").format(
                function=name, data_type=case.data_type
            )
        else:
            return pytorch_snippet(case, [f"y = F.{name}(x, {self.block_size})"])
        return pytorch_snippet(case, self._lines(case, "permute"), note)

    def _tensorflow(self, case: Case) -> Snippet:
        function = f"tf.nn.{self.in_dialects.tensorflow}"
        if self.order == DCR and self.block_size > 1:
            lines = [
                f"y = {function}(tf.transpose(x, [0, 2, 3, 1]), {self.block_size})",
                "y = tf.transpose(y, [0, 3, 1, 2])",
            ]
            note = _(
                "TensorFlow keeps the channels last on the CPU, so the input is turned to NHWC "
                "and the output back."
            )
            return tensorflow_snippet(case, lines, note)
        lines = [
            "n, c, h, w = x.shape",
            f"b = {self.block_size}",
            f"y = tf.reshape(x, [{self.in_dialects.split[self.order]}])",
            f"y = tf.transpose(y, [{commas(self.parts(case.sizes)[1])}])",
            f"y = tf.reshape(y, [{self.in_dialects.after}])",
        ]
        if self.order == DCR:
            note = _("{function} needs a block size of 2 or more.").format(function=function)
        else:
            note = _("{function} is DEPTH_COLUMN_ROW only.").format(function=function)
        return tensorflow_snippet(case, lines, note)

    def _lines(self, case: Case, transpose: str) -> list[str]:
        return [
            "n, c, h, w = x.shape",
            f"b = {self.block_size}",
            f"y = x.reshape({self.in_dialects.split[self.order]})",
            f"y = y.{transpose}({commas(self.parts(case.sizes)[1])})",
            f"y = y.reshape({self.in_dialects.after})",
        ]


def split_channels(x: Array, b: int, order: str) -> Array:
    """The channels of a depth tensor split: batch, channel, block's row and column, row, column."""
    n, c, h, w = x.shape
    wide = c // (b * b)
    if order == CRD:
        return x.reshape(n, wide, b, b, h, w)
    return x.reshape(n, b, b, wide, h, w).transpose(0, 3, 1, 2, 4, 5)


def to_depth(x: Array, b: int, order: str, flip: bool = False) -> Array:
    """SpaceToDepth; ``flip`` swaps row and column of the block."""
    n, c, height, width = x.shape
    parts = x.reshape(n, c, height // b, b, width // b, b)
    place = (5, 3) if flip else (3, 5)
    first = (1, *place) if order == CRD else (*place, 1)
    return parts.transpose(0, *first, 2, 4).reshape(n, c * b * b, height // b, width // b)


def name_channels(channels: list[int]) -> str:
    """Channel numbers as words, shortened if there are many.

    >>> name_channels([0, 4]), name_channels([3])
    ('channels 0 and 4', 'channel 3')
    """
    texts = [str(c) for c in channels]
    many = len(texts) > 4
    names = ", ".join([*texts[:2], "…", texts[-1]]) if many else listed(texts)
    return ngettext("channel {listed}", "channels {listed}", len(channels)).format(listed=names)
