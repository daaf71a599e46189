"""How Slice is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.slice.misread import misread_slice
from dmlviz.operators.slice.names import names
from dmlviz.operators.slice.operator import Slice
from dmlviz.operators.slice.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "content_cut"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Slice")


def sentence() -> str:
    """What it does."""
    return _("Copies a window of the input, in steps, forward or backward.")


def misread(operator: Slice, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_slice(operator.walks, x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.array([1, 2, 3, 4, 5], np.float32)
    title = _("Slice backward to the first element, where ONNX's end lies before index 0")
    return (EngineCase("slice-backwards", title, Slice((0,), (5,), (-2,)), x),)
