"""What is said of one output element, and what is misread, for inputs by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index as as_int
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators.misreadings import MISREADING_LIMIT, Misreading, distinct
from dmlviz.operators.slots import VALUES, Slot
from dmlviz.tensors import check_element_count, print_sizes
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

Array = np.ndarray[Any, Any]
Tensors = Mapping[str, Array]


def explained(operator: Operator, inputs: Tensors, index: Sequence[int], output: str) -> str:
    """See :meth:`dmlviz.operators.base.Operator.explain`."""
    outputs = operator.outputs_after({name: array.shape for name, array in inputs.items()})
    name = output or next(iter(outputs))
    if name not in outputs:
        raise Error(
            _("output: there is no tensor {name}; the tensors are {names}.").format(
                name=name, names=", ".join(outputs)
            ),
            "output",
        )
    out, at = outputs[name], tuple(as_int(i) for i in index)
    if len(at) != len(out) or not all(0 <= i < n for i, n in zip(at, out, strict=True)):
        raise Error(
            _("index: {index} is not an element of an output of sizes {sizes}.").format(
                index=list(at), sizes=print_sizes(out)
            ),
            "index",
        )
    lines = []
    for formula in operator.formulas(inputs)[name]:
        if formula.holds(at):
            lines += [formula.symbolic(), formula.numbers(at)]
    return "\n".join([*lines, *operator.remarks(inputs, at)])


def misreadings_of(operator: Operator, inputs: Tensors) -> tuple[Misreading, ...]:
    """See :meth:`dmlviz.operators.base.Operator.misreadings`."""
    outputs = operator.outputs_after({name: array.shape for name, array in inputs.items()})
    for array in inputs.values():
        check_element_count(array.shape, MISREADING_LIMIT, "sizes")
    for sizes in outputs.values():
        check_element_count(sizes, MISREADING_LIMIT, "output_sizes")
    numbered, start = {}, operator.first_index
    for name, array in inputs.items():
        if operator.role(name) == VALUES:
            stop = start + array.size
            numbered[name] = np.arange(start, stop, dtype=np.int64).reshape(array.shape)
            start = stop
        else:
            numbered[name] = array
    answered = operator.on_indices().evaluate(numbered)
    truth = answered if _several(operator.output_slots) else next(iter(answered.values()))
    given = numbered if _several(operator.input_slots) else next(iter(numbered.values()))
    candidates = operator.teaching().misread(operator, given)
    first = operator.first_index
    if first:
        candidates = ((key, words, _from_0(wrong, first)) for key, words, wrong in candidates)
    return distinct(_from_0(truth, first), candidates)


def _from_0(numbered: Any, first: int) -> Any:
    """Indices that were counted from ``first``, as they are counted from 0."""
    if isinstance(numbered, Mapping):
        return {name: array - first for name, array in numbered.items()}
    return numbered - first


def _several(slots: Sequence[Slot]) -> bool:
    """Whether there may be several tensors, which are told apart by name."""
    return len(slots) > 1 or slots[0].most > 0
