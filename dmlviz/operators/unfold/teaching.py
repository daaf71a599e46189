"""How Unfold is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.operators.unfold.misread import misread_unfold
from dmlviz.operators.unfold.names import names
from dmlviz.operators.unfold.operator import Unfold
from dmlviz.operators.unfold.presets import presets
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "view_column"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Unfold (im2col)")


def sentence() -> str:
    """What it does."""
    return _("Makes each position of a sliding window a column.")


def misread(operator: Unfold, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_unfold(operator.slides(x.shape), x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 31, dtype=np.float32).reshape(1, 2, 5, 3)
    title = _("Unfold, which ONNX does not have: a Gather for each dimension instead")
    return (EngineCase("unfold", title, Unfold((2, 3), (1, 1), (1, 1), (1, 0), (0, 1)), x),)
