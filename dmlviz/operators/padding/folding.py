"""How the modes of padding find a place inside: one rule per mode, for one dimension.

Positions ``i`` count from the first element of the input: -1 is the last place of the start
padding, ``n`` the first of the end padding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dmlviz.movement.expressions import Expr, const, larger, smaller
from dmlviz.operators.base import Array


@dataclass(frozen=True)
class Mode:
    """A padding mode along one dimension of size n.

    Attributes:
        name: DirectML's, without ``DML_PADDING_MODE_``.
        numpy: ``mode`` of ``numpy.pad``.
        onnx: ``mode`` of ONNX's Pad; empty if no opset has it.
        source: the place inside for position ``i``, as an expression.
        period: how many places one fold has; 0 if there is no folding.
        before: for positions in the start padding, the position that the fold takes it from.
        behind: the same in the end padding.
    """

    name: str
    numpy: str
    onnx: str
    source: Callable[[Expr, int], Expr]
    period: Callable[[int], int]
    before: Callable[[Array, Array, int], Array]
    behind: Callable[[Array, Array, int], Array]

    def fold(self, distance: Array, n: int) -> Array:
        """The number, from 1, of the fold that contains a place ``distance`` beyond the edge."""
        period = self.period(n)
        return (distance - 1) // period + 1 if period else np.ones_like(distance)


def _reflection(i: Expr, n: int) -> Expr:
    if n == 1:
        return const(0)
    k = i % (2 * (n - 1))
    return smaller(k, const(2 * (n - 1)) - k)


def _symmetric(i: Expr, n: int) -> Expr:
    k = i % (2 * n)
    return smaller(k, const(2 * n - 1) - k)


MODES: dict[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode(
            "CONSTANT",
            "constant",
            "constant",
            lambda i, n: i,
            lambda n: 0,
            lambda i, fold, n: i,
            lambda i, fold, n: i,
        ),
        Mode(
            "EDGE",
            "edge",
            "edge",
            lambda i, n: larger(const(0), smaller(i, const(n - 1))),
            lambda n: 0,
            lambda i, fold, n: np.zeros_like(i),
            lambda i, fold, n: np.full_like(i, n - 1),
        ),
        Mode(
            "REFLECTION",
            "reflect",
            "reflect",
            _reflection,
            lambda n: n - 1,
            # the fold's line runs through the last place of the fold before it
            lambda i, fold, n: -2 * (fold - 1) * (n - 1) - i if n > 1 else np.zeros_like(i),
            lambda i, fold, n: 2 * (n - 1) * fold - i if n > 1 else np.zeros_like(i),
        ),
        Mode(
            "SYMMETRIC",
            "symmetric",
            "",
            _symmetric,
            lambda n: n,
            # the fold's line is just after the last place, which is therefore repeated
            lambda i, fold, n: -2 * (fold - 1) * n - 1 - i,
            lambda i, fold, n: 2 * n * fold - 1 - i,
        ),
        Mode(
            "WRAP",
            "wrap",
            "wrap",
            lambda i, n: i % n,
            lambda n: n,
            lambda i, fold, n: i + n,
            lambda i, fold, n: i - n,
        ),
    )
}
"""By name, in the order of ``DML_PADDING_MODE``'s values."""
