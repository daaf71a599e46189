"""Explanations of one output element, and misreadings, for inputs by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index as as_int
from typing import TYPE_CHECKING, Any

import numpy as np

from dmlviz.errors import Error, Refused
from dmlviz.operators.misreadings import MISREADING_LIMIT, Misreading, distinct
from dmlviz.operators.numbered import Numbered, numbered, with_indices
from dmlviz.operators.slots import Slot
from dmlviz.tensors import check_element_count, print_sizes
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

Array = np.ndarray[Any, Any]
Tensors = Mapping[str, Array]


def tensors_of(operator: Operator, given: Any) -> Tensors:
    """See :meth:`dmlviz.operators.base.Operator.tensors`."""
    if isinstance(given, Mapping):
        return operator.named_inputs(given, "x")
    problems = operator.problems(given, None)
    if problems:
        raise Refused(problems)
    return operator.named_inputs(np.broadcast_to(np.int64(0), tuple(given)), "x")


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
    given = numbered(operator, inputs)
    answered = operator.on_indices().evaluate(given.inputs)
    truth = answered if _several(operator.output_slots) else next(iter(answered.values()))
    several = _several(operator.input_slots)
    taken = given.inputs if several else next(iter(given.inputs.values()))
    candidates = operator.teaching().misread(operator, taken)
    sources = ((key, words, _sources(operator, given, wrong)) for key, words, wrong in candidates)
    return distinct(_sources(operator, given, truth), sources)


def _sources(operator: Operator, given: Numbered, answered: Any) -> Any:
    """The elements that an output of numbers comes from, by name if there can be several."""
    if not isinstance(answered, Mapping):
        return given.source(answered)
    indices = operator.index_slots()
    copies = {name: array for name, array in answered.items() if name not in indices}
    return with_indices(operator, {name: given.source(array) for name, array in copies.items()})


def _several(slots: Sequence[Slot]) -> bool:
    """Whether there can be several tensors, identified by name."""
    return len(slots) > 1 or slots[0].most > 0
