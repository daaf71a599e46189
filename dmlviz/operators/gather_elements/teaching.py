"""How GatherElements is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.gather_elements.misread import misread_gather_elements
from dmlviz.operators.gather_elements.names import names
from dmlviz.operators.gather_elements.operator import GatherElements
from dmlviz.operators.gather_elements.presets import presets
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "colorize"
FAMILY = "pick"


def title() -> str:
    """Its display name."""
    return _("Gather Elements")


def sentence() -> str:
    """What it does."""
    return _("Copies one element for each index along an axis.")


def misread(operator: GatherElements, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_gather_elements(operator.axis, inputs[INPUT], inputs[INDICES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    return (
        EngineCase(
            "gather-elements-negative",
            _("Gather Elements with indices that count from the end"),
            GatherElements(0),
            {INPUT: x, INDICES: np.array([[-1, 0, -5]], np.int64)},
        ),
        EngineCase(
            "gather-elements-unsigned",
            _("Gather Elements with UINT32 indices, which ONNX has to cast first"),
            GatherElements(1),
            {INPUT: x, INDICES: np.array([[2], [0], [1], [1], [2]], np.uint32)},
        ),
    )
