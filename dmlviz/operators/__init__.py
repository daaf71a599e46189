"""The operators: each is a module with a TOML file; other code uses only this list."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement.expressions import names_of
from dmlviz.movement.formulas import Formula, outside_words
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Part, Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.desc_sizes import read_with_sizes
from dmlviz.operators.feature_levels import FEATURE_LEVELS, feature_level
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.older import OlderForm
from dmlviz.operators.texts import FAMILIES
from dmlviz.tensors import short_text


def _declared() -> Iterator[type[Operator]]:
    """The operator of each module here that has a TOML file."""
    folders = map(Path, __path__)  # noqa: F405
    for path in (path for folder in folders for path in sorted(folder.glob("*.toml"))):
        module = import_module(f"{__name__}.{path.stem}")
        for member in vars(module).values():
            is_here = inspect.isclass(member) and member.__module__ == module.__name__
            if is_here and issubclass(member, Operator) and not inspect.isabstract(member):
                yield member


OPERATORS: tuple[type[Operator], ...] = tuple(
    sorted(_declared(), key=lambda cls: (cls.place, cls.key))
)
"""Every operator, in the order of the pages."""

__all__ = [
    "FEATURE_LEVELS",
    "OPERATORS",
    "Example",
    "Formula",
    "Graph",
    "Misreading",
    "Node",
    "Operator",
    "Part",
    "Step",
    "Steps",
    "by_family",
    "feature_level",
    "names_of",
    "older_form_of",
    "operator_class",
    "operator_from_desc",
    "outside_words",
]


def by_family() -> dict[str, tuple[type[Operator], ...]]:
    """The operators of each family, both in display order."""
    return {
        family: tuple(cls for cls in OPERATORS if family == cls.texts().family)
        for family in FAMILIES
    }


def operator_class(key: str) -> type[Operator]:
    """The operator of a page's address, such as ``depth-to-space``.

    Raises:
        Error: there is no operator with that name.
    """
    for cls in OPERATORS:
        if cls.key == key:
            return cls
    raise Error(
        _("operator: {key} is not one of {keys}.").format(
            key=short_text(key), keys=", ".join(cls.key for cls in OPERATORS)
        ),
        "operator",
    )


def operator_from_desc(operator_type: str, desc: Mapping[str, Any]) -> Operator:
    """The operator that a DirectML description names; ``operator.desc`` is the inverse.

    Args:
        operator_type: ``DML_OPERATOR_TILE`` or ``DML_TILE_OPERATOR_DESC``, and so on.
        desc: DirectML's own field names; enums by name or number. An older form, such as
            ``DML_OPERATOR_SLICE``, gives the newer operator that does the same, and
            :func:`older_form_of` tells whether it was one. Sizes of tensors
            are given as ``{"OutputTensor": {"Sizes": [2, 3]}}``, those of several as a list; if
            DirectML would derive them itself, they are checked.

    Raises:
        Error: the type is unknown, a field is missing, unknown or not of its type, or the sizes of
            tensors contradict the other fields.

    >>> operator_from_desc("DML_OPERATOR_TILE", {"Repeats": [1, 1, 3, 3]})
    Tile(repeats=(1, 1, 3, 3))
    """
    form = older_form_of(operator_type)
    for cls in OPERATORS:
        if operator_type in (cls.operator_type, cls.structure):
            return read_with_sizes(cls, cls.from_desc, desc)
        if form in cls.older_forms:
            return read_with_sizes(cls, partial(_older, cls, form), desc, form)
    raise Error(
        _("operator: {name} is unknown; the names after DML_OPERATOR_ are {names}.").format(
            name=short_text(operator_type), names=", ".join(short_names())
        ),
        "operator",
    )


def short_names() -> list[str]:
    """DirectML's short names of the operators: ``TILE`` for ``DML_OPERATOR_TILE``."""
    return [cls.operator_type.removeprefix("DML_OPERATOR_") for cls in OPERATORS]


def older_form_of(name: str) -> OlderForm | None:
    """The older form with this name that :func:`operator_from_desc` reads, if there is one.

    Args:
        name: ``DML_OPERATOR_SLICE`` or ``DML_SLICE_OPERATOR_DESC``, and so on.

    Returns:
        None if the name is that of an operator here, or unknown.

    >>> older_form_of("DML_OPERATOR_SLICE").structure
    'DML_SLICE_OPERATOR_DESC'
    >>> older_form_of("DML_OPERATOR_SLICE1") is None
    True
    """
    forms = (form for cls in OPERATORS for form in cls.older_forms)
    return next((form for form in forms if name in (form.operator_type, form.structure)), None)


def _older(cls: type[Operator], form: OlderForm, desc: Mapping[str, Any]) -> Operator:
    """The operator that an older form's fields describe."""
    return cls(**form.read(desc))


if TYPE_CHECKING:
    # a stub alone, which python -m tests.stubs writes
    from dmlviz.operators.classes import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """An operator's class by its name: ``from dmlviz.operators import Tile`` works."""
        for cls in OPERATORS:
            if cls.__name__ == name:
                return cls
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
