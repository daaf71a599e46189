"""The kinds of questions: each is a module that declares one; other code uses only this table."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from dmlviz.operators import OPERATORS, Operator
from dmlviz.teaching.kinds.kind import QuestionKind, WorkedOut

__all__ = [
    "KINDS",
    "QuestionKind",
    "WorkedOut",
    "kind_of_fact",
    "kinds_for",
    "kinds_of_practice",
    "kinds_of_states",
]


def _declared() -> Iterator[QuestionKind]:
    """The kind of each module here."""
    for path in (path for folder in map(Path, __path__) for path in sorted(folder.glob("*.py"))):
        name = f"{__name__}.{path.stem}"
        for member in vars(import_module(name)).values() if path.stem != "__init__" else ():
            is_here = inspect.isclass(member) and member.__module__ == name
            if is_here and issubclass(member, QuestionKind) and not inspect.isabstract(member):
                yield member()


KINDS: dict[str, QuestionKind] = {
    kind.key: kind for kind in sorted(_declared(), key=lambda kind: (kind.place, kind.key))
}
"""Every kind by its key, in display order."""


def kinds_of_states() -> dict[str, QuestionKind]:
    """Those that can be asked about the state of any page, by key."""
    return {key: kind for key, kind in KINDS.items() if kind.of_states}


def kinds_of_practice() -> dict[str, QuestionKind]:
    """Those that can be asked about any operator, by key."""
    return {key: kind for key, kind in KINDS.items() if any(map(kind.suits, OPERATORS))}


def kinds_for(cls: type[Operator]) -> dict[str, QuestionKind]:
    """Those that can be asked about an operator, by key."""
    return {key: kind for key, kind in KINDS.items() if kind.suits(cls)}


def kind_of_fact(fact: str) -> tuple[QuestionKind | None, str]:
    """The kind that asks for a fact, and the element that the fact names for it; None for others.

    >>> kind_of_fact("source of out[0, 1]")[1], kind_of_fact("rank")
    ('out[0, 1]', (None, ''))
    """
    for kind in KINDS.values():
        if kind.facts and (match := re.fullmatch(kind.facts, fact)):
            return kind, match.groupdict().get("element", "")
    return None, ""
