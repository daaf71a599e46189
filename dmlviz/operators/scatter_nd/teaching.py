"""How ScatterND is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.indices import INDICES, INPUT, UPDATES
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.scatter_nd.misread import misread_scatter_nd
from dmlviz.operators.scatter_nd.names import names
from dmlviz.operators.scatter_nd.operator import ScatterND
from dmlviz.operators.scatter_nd.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "add_location_alt"
FAMILY = "put"


def title() -> str:
    """Its display name."""
    return _("ScatterND")


def sentence() -> str:
    """What it does."""
    return _("Copies the input, then writes where tuples of indices point.")


def misread(operator: ScatterND, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    tuples = operator.tuples({name: array.shape for name, array in inputs.items()})
    return misread_scatter_nd(tuples, inputs[INPUT], inputs[INDICES], inputs[UPDATES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    updates = np.array([[100, 200]], np.float32)
    return (
        EngineCase(
            "scatter-nd-negative",
            _("ScatterND with indices that count from the end"),
            ScatterND(2, 2),
            {INPUT: x, INDICES: np.array([[-1, 0], [-5, -3]], np.int64), UPDATES: updates},
        ),
        EngineCase(
            "scatter-nd-unsigned",
            _("ScatterND with UINT32 indices, which ONNX has to cast first"),
            ScatterND(2, 2),
            {INPUT: x, INDICES: np.array([[4, 2], [0, 1]], np.uint32), UPDATES: updates},
        ),
    )
