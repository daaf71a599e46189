"""Tensors whose values are undefined until code writes them: ``np.empty`` and its like.

Each element is one certain NaN, which no code can name. A result must have none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor, ints, spread
from dmlviz.code.builder import Builder
from dmlviz.code.creation import check_order
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import UNDEFINED, Tensor, control, undefined_places
from dmlviz.tensors.types import Array


def _made(b: Builder, sizes: Sequence[int]) -> Tensor:
    if not b.takes_undefined:
        raise undefined_values()
    b.check(sizes)
    return control(np.full(tuple(sizes), UNDEFINED))


def empty(b: Builder, shape: Any, dtype: Any = None) -> Tensor:
    """NumPy's ``empty``."""
    return _made(b, ints(b, shape))


def empty_like(
    b: Builder,
    prototype: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
) -> Tensor:
    """NumPy's ``empty_like``."""
    check_order(order)
    return _made(b, as_tensor(b, prototype).sizes if shape is None else ints(b, shape))


def torch_empty(b: Builder, *size: Any, dtype: Any = None) -> Tensor:
    """PyTorch's ``empty``."""
    return _made(b, spread(b, size))


def torch_empty_like(b: Builder, input: Any, *, dtype: Any = None) -> Tensor:
    """PyTorch's ``empty_like``."""
    return _made(b, as_tensor(b, input).sizes)


def new_empty(b: Builder, input: Tensor, *size: Any, dtype: Any = None) -> Tensor:
    """PyTorch's method ``new_empty``."""
    return _made(b, spread(b, size))


def undefined_values() -> CodeRefused:
    """The refusal of values that nothing has written."""
    return CodeRefused("computes", _("The values of this function are undefined; use zeros."))


def check_written(b: Builder, results: Iterable[Tensor]) -> None:
    """Refuse results with elements that nothing has written; then these are zeros elsewhere.

    Args:
        b: the builder.
        results: tensors that move.
    """
    places = [undefined_places(values).ravel() for values in b.constants.values()]
    table = np.concatenate(places) if places else np.zeros(0, bool)
    for tensor in results:
        numbers: Array = tensor.array
        if table[-1 - numbers[numbers < 0]].any():
            raise undefined_values()
    for name, values in b.constants.items():
        b.constants[name] = (
            np.where(undefined_places(values), 0.0, values) if table.any() else values
        )
