"""The operators: one file each; the rest of the project knows only this list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators.base import Example, Formula, Operator, Stage, Step, Steps, outside_words
from dmlviz.operators.depth_to_space import DepthToSpace
from dmlviz.operators.expressions import names_of
from dmlviz.operators.feature_levels import FEATURE_LEVELS, feature_level
from dmlviz.operators.graphs import Graph, Node
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.padding import Padding
from dmlviz.operators.space_to_depth import SpaceToDepth
from dmlviz.operators.tile import Tile
from dmlviz.tensors import shown
from dmlviz.words import _

OPERATORS: tuple[type[Operator], ...] = (Tile, DepthToSpace, SpaceToDepth, Padding)
"""Every operator, in the order of the pages."""

__all__ = [
    "FEATURE_LEVELS",
    "OPERATORS",
    "DepthToSpace",
    "Example",
    "Formula",
    "Graph",
    "Misreading",
    "Node",
    "Operator",
    "Padding",
    "SpaceToDepth",
    "Stage",
    "Step",
    "Steps",
    "Tile",
    "feature_level",
    "names_of",
    "operator_class",
    "operator_from_desc",
    "outside_words",
]


def operator_class(key: str) -> type[Operator]:
    """The operator of a page's address, such as ``depth-to-space``.

    Raises:
        Error: there is none of that name.
    """
    for cls in OPERATORS:
        if cls.key == key:
            return cls
    raise Error(
        _("operator: {key} is not one of {keys}.").format(
            key=shown(key), keys=", ".join(cls.key for cls in OPERATORS)
        ),
        "operator",
    )


def operator_from_desc(operator_type: str, desc: Mapping[str, Any]) -> Operator:
    """The operator that a DirectML description names; ``operator.desc`` gives it back.

    Args:
        operator_type: ``DML_OPERATOR_TILE`` or ``DML_TILE_OPERATOR_DESC``, and so on.
        desc: DirectML's own field names; enums by name or number.

    Raises:
        Error: the type is unknown, or a field is missing, unknown or not of its type.

    >>> operator_from_desc("DML_OPERATOR_TILE", {"Repeats": [1, 1, 3, 3]})
    Tile(repeats=(1, 1, 3, 3))
    """
    for cls in OPERATORS:
        if operator_type in (cls.operator_type, cls.structure):
            return cls.from_desc(desc)
    raise Error(
        _("operator: {name} is not one of {names}.").format(
            name=shown(operator_type),
            names=", ".join(cls.operator_type for cls in OPERATORS),
        ),
        "operator",
    )
