"""How Resample is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.resample.misread import misread_resample
from dmlviz.operators.resample.modes import DOWN
from dmlviz.operators.resample.names import names
from dmlviz.operators.resample.operator import Resample
from dmlviz.operators.resample.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "photo_size_select_large"
FAMILY = "copy"


def title() -> str:
    """Its display name."""
    return _("Resample")


def sentence() -> str:
    """What it does."""
    return _("Resizes a tensor: each element copies the nearest one.")


def misread(operator: Resample, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_resample(operator.rulers(x.shape), x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.array([1, 2, 3, 4, 5], np.float32)
    centres = (0.0,), (-0.5,)
    return (
        EngineCase(
            "resample-twice",
            _("Twice the size, ONNX's Resize"),
            Resample(DOWN, (2,), *centres),
            x,
        ),
        EngineCase(
            "resample-free-size",
            _("An output with more room than the scale fills, which Resize cannot have"),
            Resample(DOWN, (1.5,), *centres, (9,)),
            x,
        ),
    )
