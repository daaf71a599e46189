"""Pages that dmlviz carries: one per operator, in its own words, with DirectML's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dmlviz.operators import OPERATORS

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "documents"


@dataclass(frozen=True)
class BuiltIn:
    """A page that is always there.

    Attributes:
        key: the operator's, such as ``depth-to-space``.
        title: the structure that it describes.
        text: Markdown.
    """

    key: str
    title: str
    text: str


@cache
def built_in() -> tuple[BuiltIn, ...]:
    """One page per operator, in the order of the operators."""
    return tuple(
        BuiltIn(cls.key, cls.structure, (FOLDER / f"{cls.key}.md").read_text(encoding="utf-8"))
        for cls in OPERATORS
    )
