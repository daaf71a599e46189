"""The default operator to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from dmlviz.operators.base import Operator
from dmlviz.tensors.numbering import differing_elements, sizes_by_name
from dmlviz.tensors.types import Tensors

_MOST_TRIED = 8


def alternative_on(operator: Operator, inputs: Tensors) -> Operator:
    """The operator's alternative, or the next setting that gives another output.

    Args:
        operator: to compare.
        inputs: every input by name.

    Returns:
        One that gives the same output if all nearby ones do; the operator itself if these
        inputs allow no other setting; its alternative, whatever that is, if the inputs are
        refused anyway.
    """
    if operator.refusals(inputs):
        return operator.alternative()
    tried = _settings(operator, next((x.shape for x in inputs.values()), ()))
    possible = (o for o in tried if o != operator and not o.refusals(inputs))
    allowed = list(islice(possible, _MOST_TRIED))
    before = operator.evaluate(inputs)
    others = (o for o in allowed if _differ(before, o.evaluate(inputs)))
    return next(others, allowed[0] if allowed else operator)


def _differ(a: Tensors, b: Tensors) -> bool:
    return sizes_by_name(a) != sizes_by_name(b) or bool(differing_elements(a, b))


def _settings(operator: Operator, sizes: tuple[int, ...]) -> Iterator[Operator]:
    yield operator.alternative()
    for setting in operator.parameters():
        # settings with a number for each dimension have too many neighbors
        if not setting.ranked:
            for value in setting.nearby(getattr(operator, setting.name), sizes):
                yield replace(operator, **{setting.name: value})
