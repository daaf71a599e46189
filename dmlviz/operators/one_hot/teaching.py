"""How OneHot is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.one_hot.layout import INDICES, VALUES
from dmlviz.operators.one_hot.misread import misread_one_hot
from dmlviz.operators.one_hot.names import names
from dmlviz.operators.one_hot.operator import OneHot
from dmlviz.operators.one_hot.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "looks_one"
FAMILY = "fill"


def title() -> str:
    """Its display name."""
    return _("One-Hot")


def sentence() -> str:
    """What it does."""
    return _("Turns each index into a sequence with one value on.")


def misread(operator: OneHot, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    layout = operator.layout({name: array.shape for name, array in inputs.items()})
    return misread_one_hot(layout, inputs[VALUES], inputs[INDICES])


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    indices = np.array([[-1], [0], [7]], np.int64)
    return (
        EngineCase(
            "one-hot-beyond",
            _("One-Hot with indices from the end and beyond it"),
            OneHot(1, 5),
            {VALUES: np.array([[0, 1]], np.float32), INDICES: indices},
        ),
        EngineCase(
            "one-hot-int16",
            _("One-Hot of INT16, for which ONNX Runtime has no OneHot of its own"),
            OneHot(1, 5),
            {VALUES: np.array([[-3, 300]], np.int16), INDICES: indices},
        ),
    )
