"""A model's part as code of the library ``onnx``: one line a node, and names that code can have."""

from __future__ import annotations

import keyword
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.code.model_nodes import CONTROLS, Move, default
from dmlviz.tensors.types import Array, Sizes

LITERAL_LIMIT = 64
"""The limit of elements of a constant that is written out; a larger one is a tensor of its own."""

NAME_LIMIT = 24
"""The limit of characters of a file's name that the code keeps."""


class PartWriter:
    """What is written so far.

    Args:
        sizes: of the model's tensors, by the file's name.
        values: of those that are constants.
    """

    def __init__(self, sizes: Mapping[str, Sizes], values: Mapping[str, Array]) -> None:
        self._sizes, self._values = sizes, values
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        self._taken = {"op"}
        self._numbers: Counter[str] = Counter()
        self.inputs: dict[str, str] = {}
        self.sizes: dict[str, Sizes] = {}
        self.arrays: dict[str, Array] = {}
        self._last: tuple[str, ...] = ()

    def line(self, move: Move) -> None:
        """Write a node."""
        controls = CONTROLS.get(move.op_type, ())
        written = [self._input(move, k, item, k in controls) for k, item in enumerate(move.inputs)]
        while written and written[-1] == "None":
            written.pop()
        written += [
            f"{name}={_literal(value)}"
            for name, value in move.attributes.items()
            if value != default(move.op_type, name)
        ]
        self._last = tuple(self._name(name, "t") if name else "_" for name in move.outputs)
        several = move.op_type == "Split"
        left = f"({self._last[0]},)" if several and len(self._last) == 1 else ", ".join(self._last)
        self.lines.append(f"{left} = op.{move.op_type}({', '.join(written)})")

    def text(self, outputs: Sequence[str]) -> str:
        """The code; its last line gives these tensors."""
        names = tuple(self.names[name] for name in outputs)
        if names != self._last:
            self.lines.append(f"{', '.join(names)} = {', '.join(names)}")
        return "\n".join(self.lines)

    def _input(self, move: Move, k: int, item: str | Array | None, chooses: bool) -> str:
        if item is None:
            return "None"
        value = self._values.get(item) if isinstance(item, str) else item
        if value is None:
            return self._tensor(str(item))
        if not value.size and move.op_type == "Resize":
            return "None"
        if move.op_type == "Slice" and k in (1, 2):
            return _literal(self._within(move, value).tolist())
        if move.op_type == "Pad" and k == 2:
            return _literal(value.ravel()[0].item()) if value.size else "None"
        if value.size <= LITERAL_LIMIT and (value.size or chooses):
            return _literal(value.tolist())
        if not chooses and isinstance(item, str):
            return self._tensor(item)
        name = self._free("c")
        self.sizes[name], self.arrays[name] = value.shape, value
        return name

    def _within(self, move: Move, edges: Array) -> Array:
        """Edges of a slice, those beyond the ends at the ends: ONNX's have 64 bits."""
        sizes = self._sizes[str(move.inputs[0])]
        axes = move.inputs[3] if len(move.inputs) > 3 else None
        axes = self._values.get(axes) if isinstance(axes, str) else axes
        reach = np.array([sizes[int(d)] for d in (range(edges.size) if axes is None else axes)])
        return np.clip(edges, -reach - 1, reach)

    def _tensor(self, name: str) -> str:
        """A tensor whose elements move: an input, if no node here gives it."""
        if name not in self.names:
            code = self._name(name, "x")
            self.inputs[code], self.sizes[code] = name, self._sizes[name]
        return self.names[name]

    def _name(self, name: str, letter: str) -> str:
        if name not in self.names:
            # PyTorch names a node's output so
            code = re.sub(r"\W+", "_", name.removesuffix("_output_0"), flags=re.ASCII).strip("_")
            plain = code.isidentifier() and len(code) <= NAME_LIMIT and not keyword.iskeyword(code)
            free = plain and code not in self._taken
            self.names[name] = code if free else self._free(letter)
            self._taken.add(self.names[name])
        return self.names[name]

    def _free(self, letter: str) -> str:
        while True:
            self._numbers[letter] += 1
            name = f"{letter}{self._numbers[letter]}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def _literal(value: Any) -> str:
    """A number, a text, or lists of them, as code."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return repr(value)
