"""How Join is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.join.misread import misread_join
from dmlviz.operators.join.names import names
from dmlviz.operators.join.operator import INPUTS, Join
from dmlviz.operators.join.presets import presets
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "join"
FAMILY = "combine"


def title() -> str:
    """Its display name."""
    return _("Join")


def sentence() -> str:
    """What it does."""
    return _("Joins tensors one after another along an axis.")


def misread(operator: Join, inputs: Mapping[str, Array]) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_join(list(inputs.values()), operator.axis)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    widths = [np.full((2, n), n, np.float32) for n in (3, 1, 4)]
    named = dict(zip(INPUTS.names(3), widths, strict=True))
    return (EngineCase("join-widths", _("Join three tensors of different widths"), Join(1), named),)
