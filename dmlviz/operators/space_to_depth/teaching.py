"""How SpaceToDepth is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

from dmlviz.operators.base import Array
from dmlviz.operators.blocks_misread import misread_to_depth
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.space_to_depth.names import names
from dmlviz.operators.space_to_depth.operator import SpaceToDepth
from dmlviz.operators.space_to_depth.presets import presets
from dmlviz.operators.teaching import EngineCase
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "close_fullscreen"
FAMILY = "rearrange"


def title() -> str:
    """Its display name."""
    return _("Space to depth")


def sentence() -> str:
    """What it does."""
    return _("Stacks the elements of each block as channels.")


def misread(operator: SpaceToDepth, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_to_depth(x, operator.block_size, operator.order)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    title = _("Space to depth in COLUMN_ROW_DEPTH, which ONNX 13 to 27 does not have")
    x = SpaceToDepth.examples()[1].x
    return (EngineCase("space-to-depth", title, SpaceToDepth(2, "COLUMN_ROW_DEPTH"), x),)
