"""How DiagonalMatrix is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.diagonal_matrix.misread import misread_diagonal
from dmlviz.operators.diagonal_matrix.names import names
from dmlviz.operators.diagonal_matrix.operator import DiagonalMatrix
from dmlviz.operators.diagonal_matrix.presets import presets
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "signal_cellular_4_bar"
FAMILY = "fill"


def title() -> str:
    """Its display name."""
    return _("Diagonal matrix")


def sentence() -> str:
    """What it does."""
    return _("Fills diagonals of a matrix with one value.")


def misread(operator: DiagonalMatrix, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_diagonal(operator.strip, x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    return (
        EngineCase(
            "diagonal-triangle", _("The upper triangle, ONNX's Trilu"), DiagonalMatrix(0, -9, 0), x
        ),
        EngineCase(
            "diagonal-band",
            _("A band filled with 7, for which ONNX has no operator"),
            DiagonalMatrix(7, 0, 2),
            x,
        ),
    )
