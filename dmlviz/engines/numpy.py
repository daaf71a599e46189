"""The reference engine: NumPy's own idioms, every type, every rank."""

from __future__ import annotations

import time

import numpy as np

from dmlviz.engines.base import Array, Engine, Ran
from dmlviz.operators import Operator


class NumpyEngine:
    """Runs each operator's NumPy rule."""

    def status(self) -> Engine:
        return Engine("numpy", "NumPy", True, "", f"NumPy {np.__version__}")

    def run(self, operator: Operator, x: Array, form: str = "") -> Ran:
        start = time.perf_counter()
        output = operator.apply(x)
        return Ran(
            output, "NumPy", (type(operator).__name__,), "native", time.perf_counter() - start
        )

    def index_type(self, operator: Operator, x: Array, form: str = "") -> str:
        return "INT64"
