"""What an operator is compared with first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

Inputs = Mapping[str, np.ndarray[Any, Any]]


def alternative_on(operator: Operator, inputs: Inputs) -> Operator:
    """The operator's alternative, or the next setting that these inputs allow.

    Args:
        operator: what is compared.
        inputs: every input by name.

    Returns:
        The operator itself where no other setting is possible; its alternative, whatever that is,
        where the inputs are refused anyway.
    """
    if operator.refusals(inputs):
        return operator.alternative()
    tried = _settings(operator, next(iter(inputs.values())).shape)
    return next((o for o in tried if o != operator and not o.refusals(inputs)), operator)


def _settings(operator: Operator, sizes: tuple[int, ...]) -> Iterator[Operator]:
    yield operator.alternative()
    for setting in operator.parameters():
        # those with a number for each dimension have too many neighbours
        if not setting.ranked:
            for value in setting.nearby(getattr(operator, setting.name), sizes):
                yield replace(operator, **{setting.name: value})
