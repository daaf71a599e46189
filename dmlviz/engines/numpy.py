"""The reference engine: NumPy's own idioms, every type, every rank."""

from __future__ import annotations

import time

import numpy as np

from dmlviz.engines.base import Engine, Inputs, Ran
from dmlviz.operators import Operator


class NumpyEngine:
    """Runs each operator's NumPy rule."""

    def status(self) -> Engine:
        return Engine("numpy", "NumPy", True, "", f"NumPy {np.__version__}")

    def run(self, operator: Operator, inputs: Inputs, form: str = "") -> Ran:
        start = time.perf_counter()
        outputs = operator.evaluate(inputs)
        return Ran(
            outputs, "NumPy", (type(operator).__name__,), "native", time.perf_counter() - start
        )

    def index_type(self, operator: Operator, inputs: Inputs, form: str = "") -> str:
        return "INT64"
