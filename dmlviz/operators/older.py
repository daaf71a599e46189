"""DirectML's other structures, mostly older, read as the operator that does the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OlderForm:
    """A structure that an operator's own includes, such as ``DML_SLICE_OPERATOR_DESC``.

    Attributes:
        operator_type: DirectML's ``DML_OPERATOR_TYPE``.
        structure: DirectML's ``..._OPERATOR_DESC``.
        members: the structure's members other than its tensors, in DirectML.h's order.
        read: returns the settings of the operator for DirectML's fields; it raises
            :class:`dmlviz.Error` if they are invalid, or the operator cannot do what they describe.
        free_outputs: whether output sizes are free, as in the newer operator; otherwise its
            own members give them.
        otherwise: data types for which DirectML behaves differently with this structure, so that
            its answers do not hold for the newer operator.
        newer: whether DirectML introduced it later than the operator's own structure.
        without: the optional inputs of the operator that the structure does not have.
    """

    operator_type: str
    structure: str
    members: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], dict[str, Any]]
    free_outputs: bool = False
    otherwise: tuple[str, ...] = ()
    newer: bool = False
    without: tuple[str, ...] = ()
