"""How TopK is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.operators.top_k.misread import misread_top_k
from dmlviz.operators.top_k.names import names
from dmlviz.operators.top_k.operator import TopK
from dmlviz.operators.top_k.presets import presets
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "leaderboard"
FAMILY = "pick"


def title() -> str:
    """Its display name."""
    return _("Top K")


def sentence() -> str:
    """What it does."""
    return _("Copies the K largest or smallest elements, with their indices.")


def misread(operator: TopK, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_top_k(operator.picking(x.shape), x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    ties = np.array([[1, 2, 2, 3], [6, 6, 6, 6]], np.float32)
    wide = np.array([[0, 2**64 - 1, 2**63, 5]], np.uint64)
    return (
        EngineCase(
            "top-k-ties",
            _("Top K with equal elements, the lower index first"),
            TopK(1, 3, "INCREASING"),
            ties,
        ),
        EngineCase(
            "top-k-unsigned",
            _("Top K of UINT64, which ONNX Runtime's CPU provider does not sort"),
            TopK(1, 4),
            wide,
        ),
    )
