"""What a description says beyond settings: DirectML's other structures, mostly older, and sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.operators.feature_levels import RECORDED_VERSION


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
        data_types: the types that it takes, if they are fewer than the operator's.
        newer: whether DirectML introduced it later than the operator's own structure.
        without: the optional inputs of the operator that the structure does not have.
        write: the other way: the structure's fields for an operator and the data type of what
            travels, of which :meth:`fields` does not ask whether they do the same; None where
            they have the names that the operator's own fields have.
    """

    operator_type: str
    structure: str
    members: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], dict[str, Any]]
    free_outputs: bool = False
    otherwise: tuple[str, ...] = ()
    data_types: tuple[str, ...] = ()
    newer: bool = False
    without: tuple[str, ...] = ()
    write: Callable[[Any, str], dict[str, Any]] | None = None

    def fields(self, operator: Any, data_type: str) -> dict[str, Any]:
        """What :attr:`read` takes, for an operator that this structure may not be able to be.

        Args:
            operator: with its settings, of the class that has this form.
            data_type: of what travels.
        """
        if self.write:
            return self.write(operator, data_type)
        return {name: v for name, v in operator.documented.items() if name in self.members}

    def problem(self, data_type: str, structure: str) -> str:
        """Why the operator's rule does not hold for this type; empty if it does.

        Args:
            data_type: of the elements that move.
            structure: the operator's own.
        """
        name = self.structure.removesuffix("_OPERATOR_DESC")
        if self.data_types and data_type not in self.data_types:
            return _(
                "data_type: {data_type} is not supported; {operator} takes {data_types}."
            ).format(data_type=data_type, operator=name, data_types=", ".join(self.data_types))
        if data_type in self.otherwise:
            return _(
                "data_type: {data_type} is not run as {operator}, in which DirectML {version} does "
                "not follow the rule of the other types; {newer} has one rule for all types."
            ).format(
                data_type=data_type,
                operator=name,
                version=RECORDED_VERSION,
                newer=structure.removesuffix("_OPERATOR_DESC"),
            )
        return ""


@dataclass(frozen=True)
class Description:
    """What a description says that is not a setting, to compare with the tensors of a run.

    Attributes:
        form: the structure, if it is not the operator's own.
        output_sizes: of the outputs whose sizes it gives, by name; 0 where a size is free.
    """

    form: OlderForm | None = None
    output_sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
