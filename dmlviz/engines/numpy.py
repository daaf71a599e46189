"""The reference engine: NumPy's own idioms, every type, every rank."""

from __future__ import annotations

import numpy as np

from dmlviz.engines.base import Array, Engine
from dmlviz.operators import Operator


class NumpyEngine:
    """Runs each operator's NumPy rule."""

    def status(self) -> Engine:
        return Engine("numpy", "NumPy", True, "", f"NumPy {np.__version__}")

    def run(self, operator: Operator, x: Array) -> Array:
        return operator.apply(x)
