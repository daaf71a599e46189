"""How Padding is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.padding.misread import misread_padding
from dmlviz.operators.padding.names import names
from dmlviz.operators.padding.operator import Padding
from dmlviz.operators.padding.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "padding"
FAMILY = "fill"


def title() -> str:
    """Its display name."""
    return _("Padding")


def sentence() -> str:
    """What it does."""
    return _("Adds elements before and after each dimension.")


def misread(operator: Padding, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_padding(x, operator.padding_mode, operator.start_padding, operator.end_padding)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    three, one = np.array([1, 2, 3], np.float32), np.array([7], np.float32)
    return (
        EngineCase(
            "reflection-large",
            _("REFLECTION as large as the axis: [1, 2, 3], 3 before and 3 after"),
            Padding("REFLECTION", (3,), (3,)),
            three,
            _(
                "Before version 1.25, Pad of ONNX Runtime's CPU provider reads memory outside the "
                "tensor if reflect adds as many elements as the size or more; later versions "
                "refuse that. dmlviz runs Gather instead."
            ),
        ),
        EngineCase(
            "reflection-one",
            _("REFLECTION of one element: [7], 1 before and 1 after"),
            Padding("REFLECTION", (1,), (1,)),
            one,
        ),
        EngineCase(
            "symmetric",
            _("SYMMETRIC, which ONNX does not have: [1, 2, 3], 4 before"),
            Padding("SYMMETRIC", (4,), (0,)),
            three,
        ),
        EngineCase(
            "wrap",
            _("WRAP far beyond the size: [1, 2, 3], 8 before"),
            Padding("WRAP", (8,), (0,)),
            three,
            _(
                "Before version 1.31, Pad of ONNX Runtime's CPU provider gives wrong values if "
                "wrap adds more than twice the size. dmlviz runs Gather instead."
            ),
        ),
    )
