"""DepthToSpace and SpaceToDepth in other dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    einops_snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.words import _

# PyTorch can move these types, but has no pixel_shuffle for them
_WITHOUT_SHUFFLE = ("UINT16", "UINT32", "UINT64")


@dataclass(frozen=True)
class Direction:
    """One of the two block operators, with its names in the dialects.

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


TO_SPACE = Direction(
    "DepthToSpace",
    "pixel_shuffle",
    "depth_to_space",
    {
        "DEPTH_COLUMN_ROW": "n, b, b, c // (b * b), h, w",
        "COLUMN_ROW_DEPTH": "n, c // (b * b), b, b, h, w",
    },
    "n, c // (b * b), h * b, w * b",
    {
        "DEPTH_COLUMN_ROW": "n (bh bw c) h w -> n c (h bh) (w bw)",
        "COLUMN_ROW_DEPTH": "n (c bh bw) h w -> n c (h bh) (w bw)",
    },
)

TO_DEPTH = Direction(
    "SpaceToDepth",
    "pixel_unshuffle",
    "space_to_depth",
    dict.fromkeys(("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"), "n, c, h // b, b, w // b, b"),
    "n, c * b * b, h // b, w // b",
    {
        "DEPTH_COLUMN_ROW": "n c (h bh) (w bw) -> n (bh bw c) h w",
        "COLUMN_ROW_DEPTH": "n c (h bh) (w bw) -> n (c bh bw) h w",
    },
)


@dataclass(frozen=True)
class BlockCode:
    """A block operator with its settings, to write in every dialect.

    Attributes:
        case: the tensors.
        direction: the operator.
        block: height and width of a block.
        order: ``"DEPTH_COLUMN_ROW"`` or ``"COLUMN_ROW_DEPTH"``.
        axes: of the transpose between the two reshapes.
        graph: the same in ONNX.
    """

    case: Case
    direction: Direction
    block: int
    order: str
    axes: Sequence[int]
    graph: Graph

    def snippets(self) -> tuple[Snippet, ...]:
        """Code for the block operator, in every dialect."""
        fields = {"BlockSize": str(self.block), "Order": f"DML_DEPTH_SPACE_ORDER_{self.order}"}
        pattern = self.direction.einops[self.order]
        lengths = {"bh": self.block, "bw": self.block}
        return (
            directml_snippet(self.case, fields, ""),
            self._onnx(),
            numpy_snippet(self.case, self._parts("transpose")),
            self._pytorch(),
            self._tensorflow(),
            einops_snippet(self.case, "rearrange", pattern, lengths),
        )

    def _onnx(self) -> Snippet:
        note = ""
        if self.graph.form == "lowered":
            note = _(
                "Before opset 28 ONNX's {operator} is DEPTH_COLUMN_ROW only, so the blocks are "
                "moved by Reshape and Transpose."
            ).format(operator=self.direction.onnx)
        return onnx_snippet(self.case, nodes_of(self.graph), self.graph.opset, note=note)

    def _pytorch(self) -> Snippet:
        name = self.direction.pytorch
        if self.order == "DEPTH_COLUMN_ROW":
            note = _("PyTorch's {function} is COLUMN_ROW_DEPTH only.").format(function=name)
        elif self.case.data_type in _WITHOUT_SHUFFLE:
            note = _("PyTorch's {function} takes no {data_type}.").format(
                function=name, data_type=self.case.data_type
            )
        else:
            return pytorch_snippet(self.case, [f"y = F.{name}(x, {self.block})"], functional=True)
        return pytorch_snippet(self.case, self._parts("permute"), note)

    def _tensorflow(self) -> Snippet:
        function = f"tf.nn.{self.direction.tensorflow}"
        if self.order == "DEPTH_COLUMN_ROW" and self.block > 1:
            lines = [
                f"y = {function}(tf.transpose(x, [0, 2, 3, 1]), {self.block})",
                "y = tf.transpose(y, [0, 3, 1, 2])",
            ]
            note = _(
                "TensorFlow keeps the channels last on the CPU, so the input is turned to NHWC "
                "and the output back."
            )
            return tensorflow_snippet(self.case, lines, note)
        lines = [
            "n, c, h, w = x.shape",
            f"b = {self.block}",
            f"y = tf.reshape(x, [{self.direction.split[self.order]}])",
            f"y = tf.transpose(y, [{commas(self.axes)}])",
            f"y = tf.reshape(y, [{self.direction.after}])",
        ]
        if self.order == "DEPTH_COLUMN_ROW":
            note = _("{function} needs a block size of 2 or more.").format(function=function)
        else:
            note = _("{function} is DEPTH_COLUMN_ROW only.").format(function=function)
        return tensorflow_snippet(self.case, lines, note)

    def _parts(self, transpose: str) -> list[str]:
        return [
            "n, c, h, w = x.shape",
            f"b = {self.block}",
            f"y = x.reshape({self.direction.split[self.order]})",
            f"y = y.{transpose}({commas(self.axes)})",
            f"y = y.reshape({self.direction.after})",
        ]
