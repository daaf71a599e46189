"""What other libraries call an operator, each name with a call that does exactly the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dmlviz.operators.code.base import DIALECTS, Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.slots import TensorDesc
from dmlviz.operators.teaching import Opening

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

ONNX = "ONNX "
"""How the name of an ONNX operator begins, which has no module in front of it."""

_IMPORTS = {
    "numpy": "import numpy as np",
    "pytorch": "import torch\nimport torch.nn.functional as F",
    "tensorflow": "import tensorflow as tf",
}
_MODULES = {"np": "numpy", "torch": "pytorch", "F": "pytorch", "nn": "pytorch", "tf": "tensorflow"}


@dataclass(frozen=True)
class OtherName:
    """What another library calls an operator, and a state in which both do the same.

    Attributes:
        name: as people write it: ``torch.gather``, ``ONNX Gather``. Behind a space or a bracket
            stand the arguments that it depends on.
        opening: the state in which the operator does exactly what the call does.
        call: the lines that make ``y`` of the inputs, named as snippets name them; nothing where
            the dialect's own snippet for that state is such lines, and for ONNX, where the
            operator's own graph is.
        also: further names of the same function, to be found by.
        dialect: the library, a key of :data:`dmlviz.operators.code.base.DIALECTS`, where its name
            does not begin with the library's.
    """

    name: str
    opening: Opening
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
        """What its library is called."""
        return DIALECTS[self.library]

    def snippet(self, operator: Operator, inputs: Mapping[str, TensorDesc]) -> Snippet:
        """The code that calls it, where the inputs are there.

        Args:
            operator, inputs: of the state.
        """
        if self.library == "onnx":
            graph = operator.native_graph(inputs)
            assert graph is not None, self.name
            return onnx_snippet(case_of(operator, inputs), nodes_of(graph), graph.opset)
        if not self.call:
            return next(s for s in operator.code(inputs) if s.dialect == self.library)
        imports = _IMPORTS.get(self.library) or f"from einops import {self.name.split('.')[1]}"
        return Snippet(self.library, imports, body=self.call)

    def line(self, operator: Operator, inputs: Mapping[str, TensorDesc]) -> str:
        """The call as a reader is shown it: of a whole model its node alone.

        Args:
            operator, inputs: of the state.
        """
        body = self.snippet(operator, inputs).body
        if not self.name.startswith(ONNX):
            return body
        kind = self.name.removeprefix(ONNX).partition(" ")[0]
        node = re.search(rf'^    (helper\.make_node\(\s*"{kind}".*?\)),$', body, re.S | re.M)
        # one that was too long for a line of code is one line in a table
        return " ".join(node[1].split()).replace("( ", "(").replace(", )", ")") if node else body
