"""How Scatter is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.indices import INDICES, INPUT, UPDATES
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.scatter.misread import misread_scatter
from dmlviz.operators.scatter.names import names
from dmlviz.operators.scatter.operator import Scatter
from dmlviz.operators.scatter.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "scatter_plot"
FAMILY = "put"


def title() -> str:
    """Its display name."""
    return _("Scatter")


def sentence() -> str:
    """What it does."""
    return _("Copies the input, then writes updates at given indices.")


def misread(operator: Scatter, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_scatter(operator.axis, inputs[INPUT], inputs[INDICES], inputs[UPDATES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    updates = np.array([[100, 200, 300]], np.float32)
    return (
        EngineCase(
            "scatter-negative",
            _("Scatter with indices that count from the end"),
            Scatter(0),
            {INPUT: x, INDICES: np.array([[-1, 0, -5]], np.int64), UPDATES: updates},
        ),
        EngineCase(
            "scatter-unsigned",
            _("Scatter with UINT32 indices, which ONNX has to cast first"),
            Scatter(0),
            {INPUT: x, INDICES: np.array([[4, 0, 2]], np.uint32), UPDATES: updates},
        ),
    )
