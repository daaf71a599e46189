"""Which operator a page is about, by DirectML's names and never by its prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dmlviz.operators import OPERATORS, Operator

_STRUCTURE = r"DML_[A-Z0-9_]{1,80}_OPERATOR_DESC"

# From the surest sign to the weakest; each is one search through the page.
_SIGNS = (
    re.compile(rf"\bUID\s{{0,20}}:\s{{0,20}}NS:directml\.({_STRUCTURE})\b"),
    re.compile(rf"\bNS:directml\.({_STRUCTURE})\b"),
    re.compile(rf"\bstruct\s{{1,20}}({_STRUCTURE})\b"),
    re.compile(rf"^[# \t]{{0,20}}title[ \t]{{0,20}}:[ \t]{{0,20}}({_STRUCTURE})\b", re.MULTILINE),
    re.compile(rf"^#{{1,6}}\s[^\n]{{0,200}}?\b({_STRUCTURE})\b", re.MULTILINE),
    re.compile(rf"\b({_STRUCTURE})\b"),
)


def structure_of(text: str) -> str:
    """The structure that the page describes, such as ``DML_TILE_OPERATOR_DESC``; or empty.

    A page names other operators too (its inverse, see also): the front matter counts first,
    then the declaration, then a heading, then whatever is named first.

    >>> structure_of("The inverse of DML_B_OPERATOR_DESC. struct DML_A_OPERATOR_DESC {")
    'DML_A_OPERATOR_DESC'
    """
    for sign in _SIGNS:
        found = sign.search(text)
        if found:
            return found[1]
    return ""


def class_of(structure: str) -> type[Operator] | None:
    """The operator of a structure; None where dmlviz does not have it."""
    return next((cls for cls in OPERATORS if cls.structure == structure), None)


def classes_with(fields: Sequence[str]) -> tuple[type[Operator], ...]:
    """The operators whose members include all of these."""
    return tuple(cls for cls in OPERATORS if set(fields) <= set(cls.members))
