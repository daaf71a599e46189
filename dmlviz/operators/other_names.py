"""Names of an operator in other libraries, each with a call that does exactly the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dmlviz.operators.base import Operator
from dmlviz.operators.code.base import DIALECTS, Snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.slots import TensorDesc
from dmlviz.operators.teaching import Opening

ONNX = "ONNX "
"""The prefix of an ONNX operator's name, which has no module."""

_IMPORTS = {
    "numpy": "import numpy as np",
    "pytorch": "import torch\nimport torch.nn.functional as F",
    "tensorflow": "import tensorflow as tf",
}
_MODULES = {"np": "numpy", "torch": "pytorch", "F": "pytorch", "nn": "pytorch", "tf": "tensorflow"}


@dataclass(frozen=True)
class OtherName:
    """An operator's name in another library, and a state in which both do the same.

    Attributes:
        name: its usual spelling: ``torch.gather``, ``ONNX Gather``. The arguments that it
            depends on come after a space or a bracket.
        opening: the state in which the operator does exactly what the call does, or a link to it.
        call: the lines that make ``y`` from the inputs, named as in snippets; empty if
            the dialect's own snippet for that state is used, and for ONNX, where the
            operator's own graph is used.
        also: other names of the same function, for searching.
        dialect: the library, a key of :data:`dmlviz.operators.code.base.DIALECTS`, if the name
            does not begin with the library's.
    """

    name: str
    opening: Opening | str
    call: str = ""
    also: tuple[str, ...] = ()
    dialect: str = ""

    @property
    def library(self) -> str:
        """Its library, a key of :data:`dmlviz.operators.code.base.DIALECTS`.

        >>> OtherName("F.pad", Opening()).library, OtherName("ONNX Pad", Opening()).library
        ('pytorch', 'onnx')
        """
        first = re.split(r"[. ]", self.name)[0]
        return self.dialect or _MODULES.get(first, first.lower())

    @property
    def title(self) -> str:
        """The name of its library."""
        return DIALECTS[self.library]

    def snippet(self, operator: Operator, inputs: Mapping[str, TensorDesc]) -> Snippet:
        """The code that calls it, for existing inputs.

        Args:
            operator, inputs: of the state.
        """
        if self.library == "onnx":
            graph = operator.native_graph(inputs)
            assert graph is not None, self.name
            return onnx_snippet(operator.case(inputs), nodes_of(graph), graph.opset)
        if not self.call:
            return next(s for s in operator.code(inputs) if s.dialect == self.library)
        imports = _IMPORTS.get(self.library) or f"from einops import {self.name.split('.')[1]}"
        return Snippet(self.library, imports, body=self.call)

    def line(self, operator: Operator, inputs: Mapping[str, TensorDesc]) -> str:
        """The call as shown to readers; for a whole model, only its node.

        Args:
            operator, inputs: of the state.
        """
        body = self.snippet(operator, inputs).body
        if not self.name.startswith(ONNX):
            return body
        kind = self.name.removeprefix(ONNX).partition(" ")[0]
        node = re.search(rf'^    (helper\.make_node\(\s*"{kind}".*?\)),$', body, re.S | re.M)
        # a call that is too long for a line of code becomes one line in a table
        return " ".join(node[1].split()).replace("( ", "(").replace(", )", ")") if node else body
