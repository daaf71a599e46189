"""The lines of code that do what a part of a lesson shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dmlviz.operators.code.base import Tensor, made
from dmlviz.tensors import data_type_of
from dmlviz.tensors.types import Array

LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "tensorflow": "TensorFlow"}
"""The libraries for a part's code: keys in a lesson's file, and names."""

_TENSOR = re.compile(r"([A-Z][A-Za-z]*?)Tensors?(?:\[([0-9]+)\])?")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True)
class Code:
    """Lines of code of one library.

    Attributes:
        library: a key of :data:`LIBRARIES`.
        lines: the code. It reads the inputs and assigns the output, by the names that
            :func:`variables` gives them. A line such as ``x.shape  # (2, 3)`` is an
            expression with its value.
    """

    library: str
    lines: str

    def program(self, tensors: Mapping[str, Array], file: str) -> str:
        """The whole code, under the library's name as a comment: imports, inputs, lines.

        Args:
            tensors: the inputs, by DirectML's names.
            file: the NPZ file that Download saves, for inputs of many elements.
        """
        lines = []
        named = variables(tensors, "x")
        for name, (variable, array) in zip(tensors, named.items(), strict=True):
            if self.library == "torch" and array.dtype.kind == "u":
                # PyTorch lacks kernels for most unsigned types
                array = array.astype(np.int64)
            lines.append(_made(self.library, name, variable, array, file))
        text = "\n".join([*lines, self.lines])
        imports = [line for line, pattern in _IMPORTS.items() if re.search(pattern, text)]
        return "\n".join([f"# {LIBRARIES[self.library]}", *imports, text])


_IMPORTS = {
    "import numpy as np": r"\bnp\.",
    "import tensorflow as tf": r"\btf\.",
    "import torch": r"\btorch\.",
    "import torch.nn.functional as F": r"\bF\.",
    "from numpy.lib.stride_tricks import as_strided": r"(?<![.\w])as_strided\(",
    "from numpy.lib.stride_tricks import sliding_window_view": r"(?<![.\w])sliding_window_view\(",
}


def _made(library: str, name: str, variable: str, array: Array, file: str) -> str:
    tensor = Tensor(name, array.shape, data_type_of(array.dtype), values=array)
    return made({"torch": "pytorch"}.get(library, library), tensor, file, variable)


def variables(tensors: Mapping[str, Array], usual: str) -> dict[str, Array]:
    """The tensors by their names in code.

    Args:
        tensors: by DirectML's names.
        usual: the name of the first tensor, or of all in a list: ``x`` for inputs, ``y`` for
            outputs.

    >>> a = np.zeros(2)
    >>> list(variables({"InputTensor": a, "IndicesTensor": a}, "x"))
    ['x', 'indices']
    >>> list(variables({"InputTensors[0]": a, "InputTensors[1]": a}, "x"))
    ['x0', 'x1']
    """
    found = {}
    for i, (name, array) in enumerate(tensors.items()):
        matched = _TENSOR.fullmatch(name)
        assert matched, name
        word, number = matched.groups()
        if number is not None:
            found[f"{usual}{number}"] = array
        else:
            found[_WORD.sub("_", word).lower() if i else usual] = array
    return found
