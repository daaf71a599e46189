"""How Tile is named, taught and misread."""

from __future__ import annotations

from collections.abc import Iterable

from dmlviz.operators.base import Array
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.teaching import EngineCase
from dmlviz.operators.tile.misread import misread_tile
from dmlviz.operators.tile.names import names
from dmlviz.operators.tile.operator import Tile
from dmlviz.operators.tile.presets import presets
from dmlviz.words import _

__all__ = ["FAMILY", "ICON", "cases", "misread", "names", "presets", "sentence", "title"]

ICON = "grid_on"
FAMILY = "copy"


def title() -> str:
    """Its display name."""
    return _("Tile")


def sentence() -> str:
    """What it does."""
    return _("Puts copies of the input side by side.")


def misread(operator: Tile, x: Array) -> Iterable[Candidate]:
    """Plausible wrong outputs."""
    return misread_tile(operator.repeats, x)


def cases() -> tuple[EngineCase, ...]:
    """Runs in which engines agree, refuse, or need a lowering."""
    x = Tile.examples()[0].x
    return (EngineCase("tile", _("Tile, the documentation's example"), Tile((1, 1, 3, 3)), x),)
