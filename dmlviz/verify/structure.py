"""What a page describes: an operator, or an older form of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dmlviz.operators import Operator
from dmlviz.operators.older import Description, OlderForm
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class Structure:
    """What the page says that it describes.

    Attributes:
        cls: the operator.
        older: the older form of it, where it is one.
    """

    cls: type[Operator]
    older: OlderForm | None = None

    @property
    def name(self) -> str:
        """DirectML's ``..._OPERATOR_DESC``."""
        return (self.older or self.cls).structure

    @property
    def members(self) -> tuple[str, ...]:
        """Its members beside the tensors."""
        return (self.older or self.cls).members

    def operator(
        self,
        desc: Mapping[str, Any],
        inputs: Mapping[str, Sizes],
        outputs: Mapping[str, Sizes],
    ) -> Operator:
        """The operator that DirectML's fields describe, with outputs of the page's sizes.

        Where it makes them of these inputs by itself, they are left to it.

        Raises:
            Error: they describe none.
        """
        if self.older is None:
            operator: Operator = self.cls.from_desc(desc)
        else:
            # a type for which DirectML leaves the rule is a remark, and the page is still checked
            form = replace(self.older, otherwise=())
            operator = self.cls(**self.older.read(desc)).described_by(Description(form))
            if not self.older.free_outputs:
                return operator
        if not operator.problems(inputs, None) and operator.outputs_after(inputs) == outputs:
            return operator
        return operator.with_output_sizes(outputs)
