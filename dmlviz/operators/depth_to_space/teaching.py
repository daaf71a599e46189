"""How DepthToSpace is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dmlviz.operators.base import Array
from dmlviz.operators.blocks_misread import misread_to_space
from dmlviz.operators.depth_to_space.names import names
from dmlviz.operators.depth_to_space.operator import DepthToSpace
from dmlviz.operators.depth_to_space.presets import presets
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "open_in_full"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Depth to space")


def sentence() -> str:
    """What it does."""
    return _("Lays channels out as blocks of rows and columns.")


def misread(operator: DepthToSpace, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_to_space(x, operator.block_size, operator.order)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = np.arange(18 * 4, dtype=np.float32).reshape(1, 18, 2, 2)
    title = _("Depth to space with block size 3, in COLUMN_ROW_DEPTH")
    return (EngineCase("depth-to-space", title, DepthToSpace(3, "COLUMN_ROW_DEPTH"), x),)
