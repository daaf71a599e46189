"""Pages that dmlviz carries: one per operator, written for dmlviz, with DirectML's numbers."""

from __future__ import annotations

from functools import cache

from dmlviz.base.deferred import dataclass
from dmlviz.base.places import ASSETS
from dmlviz.base.words import ENGLISH, language
from dmlviz.operators import OPERATORS

FOLDER = ASSETS / "documents"


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


def built_in() -> tuple[BuiltIn, ...]:
    """One page per operator, in the order of the operators, in the language that is spoken.

    A page that has no file in that language is in English.
    """
    return _built_in(language())


@cache
def _built_in(spoken: str) -> tuple[BuiltIn, ...]:
    pages = []
    for cls in OPERATORS:
        path = FOLDER / f"{cls.key}.{spoken}.md"
        path = path if path.exists() else FOLDER / f"{cls.key}.{ENGLISH}.md"
        pages.append(BuiltIn(cls.key, cls.structure, path.read_text(encoding="utf-8")))
    return tuple(pages)
