"""What code in any dialect needs to know about an operator's tensors."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index as as_int
from typing import TYPE_CHECKING

from dmlviz.errors import Refused
from dmlviz.operators.code.base import Case, Tensor
from dmlviz.operators.slots import VALUES, TensorDesc

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator


def case_of(operator: Operator, inputs: Mapping[str, TensorDesc], below: int = 0) -> Case:
    """The tensors, checked: only these numbers reach code.

    Args:
        operator: the operator that the code runs.
        inputs: by name.
        below: the limits that the elements of ``control`` inputs stay below.

    Raises:
        Refused: the operator cannot take such inputs.
    """
    found = operator.problems(
        {name: desc.sizes for name, desc in inputs.items()},
        {name: desc.data_type for name, desc in inputs.items()},
    )
    if found:
        raise Refused(found)
    checked = {
        name: TensorDesc(tuple(as_int(n) for n in desc.sizes), desc.data_type, desc.values)
        for name, desc in inputs.items()
    }
    outputs, buffers = operator.output_descs(checked), operator.buffers
    return Case(
        operator.structure,
        operator.operator_type,
        tuple(
            Tensor(
                name,
                desc.sizes,
                desc.data_type,
                0 if operator.role(name) == VALUES else below,
                buffers.get(name),
                desc.values,
            )
            for name, desc in checked.items()
        ),
        tuple(Tensor(name, desc.sizes, desc.data_type) for name, desc in outputs.items()),
        operator.tensor_order,
        f"{operator.key}.npz",
    )
