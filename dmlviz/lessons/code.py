"""The lines of code that do what a part of a lesson shows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "tensorflow": "TensorFlow"}
"""The libraries for a part's code: keys in a lesson's file, and names."""

_TENSOR = re.compile(r"([A-Z][A-Za-z]*?)Tensors?(?:\[([0-9]+)\])?")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")

Array = np.ndarray[Any, Any]


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

    @property
    def text(self) -> str:
        """The lines under the library's name, as a comment."""
        return f"# {LIBRARIES[self.library]}\n{self.lines}"


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
