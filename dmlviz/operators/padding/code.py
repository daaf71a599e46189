"""Padding in other dialects; where one has no such mode, each dimension is gathered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dmlviz.movement.graphs import FLOW, Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    value_text,
)
from dmlviz.operators.code.directml import directml_snippet, float_text
from dmlviz.operators.code.onnx import NodeText, nodes_of, onnx_snippet
from dmlviz.words import _

_FOLDING = ("REFLECTION", "SYMMETRIC", "WRAP")
_NUMPY = {
    "CONSTANT": "constant",
    "EDGE": "edge",
    "REFLECTION": "reflect",
    "SYMMETRIC": "symmetric",
    "WRAP": "wrap",
}
_PYTORCH = {"EDGE": "replicate", "REFLECTION": "reflect", "WRAP": "circular"}
# PyTorch copies these, but has only constant padding kernels for them
_PYTORCH_CONSTANT_ONLY = ("UINT16", "UINT32", "UINT64")
_TENSORFLOW = {"REFLECTION": "REFLECT", "SYMMETRIC": "SYMMETRIC"}
_TENSORFLOW_RANK = {"CONSTANT": 6, "REFLECTION": 5, "SYMMETRIC": 5}


@dataclass(frozen=True)
class PaddingCode:
    """Padding with its settings, to be written in every dialect.

    Attributes:
        case: the tensors.
        mode: DirectML's, without ``DML_PADDING_MODE_``.
        start, end: how many elements to add, per dimension.
        padding_value: as DirectML gets it.
        value: the same in the tensors' type; None in modes that use none.
        written: as ONNX models write it; None where ONNX has no such mode.
    """

    case: Case
    mode: str
    start: tuple[int, ...]
    end: tuple[int, ...]
    padding_value: float
    value: np.generic | None
    written: Graph | None

    def snippets(self) -> tuple[Snippet, ...]:
        """Code that pads the input, in every dialect."""
        return (
            self._directml(),
            self._onnx(),
            self._numpy(),
            self._pytorch(),
            self._tensorflow(),
            Snippet("einops", note=_("einops has no padding: it moves and repeats whole axes.")),
        )

    def _directml(self) -> Snippet:
        fields: dict[str, str | Sequence[int]] = {
            "PaddingMode": f"DML_PADDING_MODE_{self.mode}",
            "PaddingValue": float_text(self.padding_value),
            "DimensionCount": str(len(self.start)),
            "StartPadding": self.start,
            "EndPadding": self.end,
        }
        note = ""
        if self.mode == "WRAP":
            note = _("DirectML.h has WRAP from version 1.15 on, at feature level 6_4.")
        return directml_snippet(self.case, fields, note)

    def _numpy(self) -> Snippet:
        arguments = ["x", str(self._pairs), f'mode="{_NUMPY[self.mode]}"']
        if self.value is not None:
            arguments.append(f"constant_values={value_text(self.value)}")
        note = ""
        if self.mode in _FOLDING and self._reach(lambda n: n):
            note = _("NumPy before version 2.0 folds incorrectly when padding exceeds the input.")
        return numpy_snippet(self.case, [call("y = np.pad", *arguments)], note)

    def _onnx(self) -> Snippet:
        if self.written is not None and not self.written.cpu_from:
            return onnx_snippet(self.case, nodes_of(self.written), self.written.opset)
        if self.mode == "SYMMETRIC":
            note = _("ONNX's Pad has no symmetric mode, so each padded dimension is a Gather.")
        else:
            note = _(
                "Runtimes differ or refuse where such a Pad reaches the size of the input, so "
                "each padded dimension is a Gather."
            )
        before, nodes = [], []
        for d in self._padded:
            before.append(f"i = np.arange({self._range(d)}, dtype=np.int32)")
            before.append(f"places{d} = {self._places(d, 'np')}")
            places = f"places{d}"
            nodes.append(NodeText("Gather", (FLOW, places), {places: places}, {"axis": str(d)}))
        return onnx_snippet(self.case, nodes or [NodeText("Identity")], before=before, note=note)

    def _pytorch(self) -> Snippet:
        mode = _PYTORCH.get(self.mode, "")
        refusal = "" if self.mode == "CONSTANT" else self._pytorch_refusal(mode)
        if not refusal:
            arguments = ["x", f"({commas(self._from_the_last)})"]
            if self.value is None:
                arguments.append(f'mode="{mode}"')
            else:
                arguments.append(f"value={value_text(self.value)}")
            note = _("F.pad takes start and end of the last dimension first.")
            lines = [call("y = F.pad", *arguments)]
            return pytorch_snippet(self.case, lines, note, functional=True)
        lines, data = [], "x"
        for d in self._padded:
            lines.append(f"i = torch.arange({self._range(d)})")
            # index_select has no kernel for some unsigned types
            lines.append(f"y = {data}[{':, ' * d}{self._places(d, 'torch')}]")
            data = "y"
        return pytorch_snippet(self.case, lines or ["y = x.clone()"], refusal.format(mode=mode))

    def _pytorch_refusal(self, mode: str) -> str:
        """Why ``F.pad`` cannot do it, with ``{mode}``; empty if it can."""
        rank, count = len(self.start), len(self._from_the_last) // 2
        if not mode:
            return _("F.pad has no symmetric mode, so each padded dimension is selected.")
        if self.case.data_type in _PYTORCH_CONSTANT_ONLY:
            return _("F.pad takes no {data_type} in {mode} mode; dimensions are selected.").replace(
                "{data_type}", self.case.data_type
            )
        if not 1 <= count <= 3 or rank not in (count + 1, count + 2):
            return _(
                "F.pad's {mode} mode pads at most 3 dimensions, after one or two that it leaves "
                "unchanged, so each padded dimension is selected."
            )
        if mode != "replicate" and self._reach(lambda n: n - (mode == "reflect")):
            return _("F.pad's {mode} mode folds once at most; each padded dimension is selected.")
        return ""

    @property
    def _from_the_last(self) -> list[int]:
        """Start and end of the last dimension, then of the one before it, as far as needed."""
        rank = len(self.start)
        count = rank - min(self._padded, default=rank - 1)
        if self.mode != "CONSTANT":
            # PyTorch's other modes require exactly a batch and a channel dimension in front
            count = max(count, rank - 2)
        return [p for d in range(rank - 1, rank - 1 - count, -1) for p in self._pairs[d]]

    def _tensorflow(self) -> Snippet:
        mode = _TENSORFLOW.get(self.mode)
        rank = len(self.start)
        small = rank <= _TENSORFLOW_RANK.get(self.mode, 0)
        pairs = str([list(pair) for pair in self._pairs])
        typed = "" if self.value is None else self._tensorflow_value(self.value)
        if self.value is not None and small:
            lines = [call("y = tf.pad", "x", pairs, f"constant_values={typed}")]
            return tensorflow_snippet(self.case, lines)
        if self.value is not None:
            lines = [f"value = {typed}", *self._tensorflow_blocks()]
            note = _("tf.pad takes up to 6 dimensions, so blocks of the value are added.")
            return tensorflow_snippet(self.case, lines, note)
        if mode and small and not self._reach(lambda n: n - (mode == "REFLECT")):
            return tensorflow_snippet(self.case, [call("y = tf.pad", "x", pairs, f'mode="{mode}"')])
        lines, data = [], "x"
        for d in self._padded:
            lines.append(f"i = tf.range({self._range(d)})")
            lines.append(f"y = tf.gather({data}, {self._places(d, 'tf')}, axis={d})")
            data = "y"
        if mode is None:
            note = _("tf.pad has no {mode}, so each padded dimension is gathered.")
        elif not small:
            note = _("tf.pad takes {mode} in up to 5 dimensions, so each padded one is gathered.")
        else:
            note = _("tf.pad's {mode} folds once at most, so each padded dimension is gathered.")
        return tensorflow_snippet(
            self.case, lines or ["y = tf.identity(x)"], note.format(mode=mode or self.mode)
        )

    def _tensorflow_value(self, value: np.generic) -> str:
        text = value_text(value)
        # TensorFlow caches constants by value, and treats 0.0 and -0.0 as equal
        sign = "-" if text == "-0.0" else ""
        return f"{sign}tf.constant({text.removeprefix(sign)}, tf.{self.case.dtype})"

    def _tensorflow_blocks(self) -> Iterator[str]:
        now, data = list(self.case.sizes), "x"
        if not self._padded:
            yield "y = tf.identity(x)"
        for d in self._padded:
            before, behind = (
                [f"tf.fill({[*now[:d], width, *now[d + 1 :]]}, value)"] if width else []
                for width in self._pairs[d]
            )
            parts = [*before, data, *behind]
            yield call("y = tf.concat", f"[{', '.join(parts)}]", f"axis={d}")
            now[d], data = self.case.output_sizes[d], "y"

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.start, self.end, strict=True))

    @property
    def _padded(self) -> list[int]:
        return [d for d, pair in enumerate(self._pairs) if any(pair)]

    def _reach(self, limit: Callable[[int], int]) -> bool:
        """Whether a padding exceeds what ``limit`` says for its dimension's size."""
        return any(
            max(pair) > limit(n) for pair, n in zip(self._pairs, self.case.sizes, strict=True)
        )

    def _range(self, d: int) -> str:
        """The arguments of arange: positions, counted from the input's first element."""
        return f"{-self.start[d]}, {self.case.sizes[d] + self.end[d]}"

    def _places(self, d: int, module: str) -> str:
        """Which place of the input each position ``i`` of dimension ``d`` holds."""
        n = self.case.sizes[d]
        if self.mode == "WRAP":
            return f"i % {n}"
        if self.mode == "SYMMETRIC":
            return f"{module}.minimum(i % {2 * n}, (-1 - i) % {2 * n})"
        if self.mode == "REFLECTION" and n > 1:
            return f"{module}.minimum(i % {2 * n - 2}, -i % {2 * n - 2})"
        if n == 1:
            return f"{module}.zeros_like(i)"
        clip = "clip_by_value" if module == "tf" else "clip"
        return f"{module}.{clip}(i, 0, {n - 1})"
