"""How SliceGrad is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.slice_grad.misread import misread_slice_grad
from dmlviz.operators.slice_grad.names import names
from dmlviz.operators.slice_grad.operator import SliceGrad
from dmlviz.operators.slice_grad.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "grid_goldenratio"
FAMILY = "put"


def title() -> str:
    """Its display name."""
    return _("Slice gradient")


def sentence() -> str:
    """What it does."""
    return _("Puts elements back where a slice took them from.")


def misread(operator: SliceGrad, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_slice_grad(operator.walks(x.shape), operator.sizes_after(x.shape), x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    title = _("SliceGrad, which ONNX does not have: zeros and indices instead")
    return (EngineCase("slice-grad", title, SliceGrad((1, 2), (4, 5), (-3, 2), (5, 7)), x),)
