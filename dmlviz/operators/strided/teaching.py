"""How Strided is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.strided.misread import misread_strided
from dmlviz.operators.strided.names import names
from dmlviz.operators.strided.operator import Strided
from dmlviz.operators.strided.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "pivot_table_chart"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Transpose and strides")


def sentence() -> str:
    """What it does."""
    return _("Reads the input as memory, with strides.")


def misread(operator: Strided, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_strided(operator.told, x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 13, dtype=np.float32)
    return (
        EngineCase(
            "strided-transpose", _("A matrix transposed by its strides"), Strided((4, 3), (1, 4)), x
        ),
        EngineCase(
            "strided-windows",
            _("Windows that overlap, for which ONNX has no operator"),
            Strided((5, 4), (2, 1)),
            x,
        ),
    )
