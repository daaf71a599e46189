"""How Split is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.split.misread import misread_split
from dmlviz.operators.split.names import names
from dmlviz.operators.split.operator import Split
from dmlviz.operators.split.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "call_split"
FAMILY = "combine"


def title() -> str:
    """Its display name."""
    return _("Split")


def sentence() -> str:
    """What it does."""
    return _("Splits a tensor along an axis into parts of the given sizes.")


def misread(operator: Split, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_split(operator, x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(1, 22, dtype=np.float32).reshape(3, 7)
    title = _("Split into parts of different sizes: several outputs")
    return (EngineCase("split-parts", title, Split(1, (2, 1, 4)), x),)
