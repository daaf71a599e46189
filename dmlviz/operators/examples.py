"""The examples of DirectML's documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Example:
    """A documentation example: an operator, its inputs, and its source.

    Attributes:
        title: a few words.
        operator: with the printed settings.
        x: the only input, an array; if there are several, a mapping by DirectML's names.
        source: the page and the example's name.
    """

    title: str
    operator: Operator
    x: Any
    source: str

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Every input by name, in the structure's order."""
        return self.operator.named_inputs(self.x, "x")
