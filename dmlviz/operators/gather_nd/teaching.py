"""How GatherND is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.gather_nd.misread import misread_gather_nd
from dmlviz.operators.gather_nd.names import names
from dmlviz.operators.gather_nd.operator import GatherND
from dmlviz.operators.gather_nd.presets import presets
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "my_location"
FAMILY = "pick"


def title() -> str:
    """Its display name."""
    return _("GatherND")


def sentence() -> str:
    """What it does."""
    return _("Copies what each tuple of indices selects.")


def misread(operator: GatherND, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    tuples = operator.tuples({name: array.shape for name, array in inputs.items()})
    return misread_gather_nd(tuples, inputs[INPUT], inputs[INDICES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    return (
        EngineCase(
            "gather-nd-negative",
            _("GatherND with indices that count from the end"),
            GatherND(2, 2, 0),
            {INPUT: x, INDICES: np.array([[-1, 0], [-5, -3]], np.int64)},
        ),
        EngineCase(
            "gather-nd-unsigned",
            _("GatherND with UINT32 indices, which ONNX has to cast first"),
            GatherND(2, 2, 1),
            {INPUT: x, INDICES: np.array([[2], [0], [1], [1], [2]], np.uint32)},
        ),
    )
