"""Tensors of indices that replace one coordinate of each element: GATHER_ELEMENTS, SCATTER."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.operators.checks import axis_problem
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.types import Sizes


def element_problems(structure: str, sizes: Mapping[str, Sizes], axis: int) -> Iterator[Problem]:
    """Problems with the axis, or with the sizes of the indices.

    DirectML refuses other dimensions that are shorter than the input's; ONNX accepts them.
    """
    input_sizes, indices = sizes[INPUT], sizes[INDICES]
    if problem := axis_problem(axis, len(input_sizes), structure):
        yield problem
        return
    if len(indices) != len(input_sizes):
        message = _(
            "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
            "ranks must be equal."
        ).format(sizes=print_sizes(indices), count=len(indices), rank=len(input_sizes))
        yield Problem(INDICES, message, f"{structure}, Tensor constraints")
        return
    for d, (n, due) in enumerate(zip(indices, input_sizes, strict=True)):
        if n != due and d != axis:
            message = _(
                "IndicesTensor: dimension {d} has size {n} where the input has {due}; only "
                "dimension {axis}, along which the indices count, may differ."
            ).format(d=d, n=n, due=due, axis=short_text(axis))
            yield Problem(INDICES, message, f"{structure}, IndicesTensor")
            return
