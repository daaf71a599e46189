"""How Gather is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.gather.misread import misread_gather
from dmlviz.operators.gather.names import names
from dmlviz.operators.gather.operator import Gather
from dmlviz.operators.gather.presets import presets
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "playlist_add_check"
FAMILY = "pick"


def title() -> str:
    """Its display name."""
    return _("Gather")


def sentence() -> str:
    """What it does."""
    return _("Copies slices in the order of a tensor of indices.")


def misread(operator: Gather, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    layout = operator.layout({name: array.shape for name, array in inputs.items()})
    return misread_gather(layout, inputs[INPUT], inputs[INDICES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 16, dtype=np.float32).reshape(5, 3)
    back = np.array([[-1, 0, -5]], np.int64)
    unsigned = np.array([[4, 0, 4, 1]], np.uint32)
    return (
        EngineCase(
            "gather-negative",
            _("Gather with indices that count from the end"),
            Gather(0, 1),
            {INPUT: x, INDICES: back},
        ),
        EngineCase(
            "gather-unsigned",
            _("Gather with UINT32 indices, which ONNX has to cast first"),
            Gather(0, 1),
            {INPUT: x, INDICES: unsigned},
        ),
    )
