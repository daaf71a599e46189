"""Operators that code with one tensor of indices is, whatever the indices are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np

from dmlviz.base.budget import Budget, Exhausted
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.code.chain import Chain, read
from dmlviz.code.equal_operators import run_of_count
from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator, operator_class
from dmlviz.tensors.types import Array, Sizes

_INPUT, _INDICES, _UPDATES = "InputTensor", "IndicesTensor", "UpdatesTensor"


@dataclass(frozen=True)
class IndexedRun:
    """A run of an operator that takes the code's indices.

    Attributes:
        trace: the run.
        any_indices: whether the operator does the same with other indices, too.
        any_sizes: whether it does with other sizes; None if the code accepts none.
    """

    trace: Trace
    any_indices: bool
    any_sizes: bool | None


def indexed_operators(chain: Chain, others: Sequence[Chain], work: Budget) -> Iterator[IndexedRun]:
    """Runs of operators whose outputs are the code's, up to leading dimensions of size 1.

    Args:
        chain: code with one output, one tensor of indices, and one tensor of values or two.
        others: the same code with other sizes.
        work: what all runs are counted in; where it is done, no more are given.
    """
    if len(chain.controls) != 1 or chain.arrays.keys() != chain.controls.keys():
        return
    ((name, indices),) = chain.controls.items()
    (output,) = chain.outputs.values()
    if chain.computing or indices.dtype.kind not in "iu" or not 1 <= len(chain.inputs) <= 2:
        return
    if not indices.ndim or (chain.maps[output] < 0).any():
        return
    with suppress(Exhausted):
        for operator, order, of_indices in _proposals(chain, indices):
            trace = _equal_run(operator, order, indices, of_indices, chain, work)
            if trace is None:
                continue
            any_indices = all(
                _equal_run(operator, order, other, of_indices, again, work) is not None
                for other, again in _with_others(chain, name, indices)
            )
            any_sizes = all(
                _equal_run(operator, order, indices, of_indices, again, work) is not None
                for again in others
            )
            yield IndexedRun(trace, any_indices, any_sizes if others else None)


def _counted(inputs: Mapping[str, Sizes]) -> dict[str, Array]:
    """A tensor for each input, counted on from 1 through all of them; FLOAT32."""
    counted, start = {}, 1
    for name, sizes in inputs.items():
        count = math.prod(sizes)
        counted[name] = np.arange(start, start + count, dtype=np.float32).reshape(sizes)
        start += count
    return counted


def _proposals(chain: Chain, indices: Array) -> Iterator[tuple[Operator, tuple[str, ...], Sizes]]:
    """Operators, the code's names of their tensors of values, and the sizes of their indices."""
    names, sizes, rank = (*chain.inputs,), (*chain.inputs.values(),), indices.ndim
    if len(names) == 1:
        (of,) = sizes
        # the operator's tensors have equally many dimensions: x has more leading ones
        leading = _rank(chain, rank) - len(of)
        for axis in range(len(of)):
            yield _operator("gather", leading + axis, rank), names, indices.shape
        for axis in range(len(of)) if rank == len(of) else ():
            yield _operator("gather-elements", axis), names, indices.shape
        for batch in range(min(rank, len(of))):
            yield _operator("gather-nd", len(of), rank, batch), names, indices.shape
        return
    for order, of in ((names, sizes[0]), (names[::-1], sizes[1])):
        for axis in range(len(of)) if rank == len(of) else ():
            yield _operator("scatter", axis), order, indices.shape
        yield _operator("scatter-nd", len(of), rank), order, indices.shape
        # x[i] = u has an index for each slice: a tuple of one
        yield _operator("scatter-nd", len(of), rank + 1), order, (*indices.shape, 1)


def _operator(key: str, *settings: int) -> Operator:
    cls = operator_class(key)
    return cls(*settings)


def _equal_run(
    operator: Operator,
    order: Sequence[str],
    indices: Array,
    of_indices: Sizes,
    chain: Chain,
    work: Budget,
) -> Trace | None:
    """The operator's run, if its output is the code's."""
    counted = _counted(chain.inputs)
    values = [counted[one] for one in order]
    tensors = [values[0], indices.reshape(of_indices), *values[1:]]
    rank = _rank(chain, *(tensor.ndim for tensor in tensors))
    if rank > 8:
        return None
    ranked = [x.reshape((1,) * (rank - x.ndim) + x.shape) for x in tensors]
    inputs = dict(zip((_INPUT, _INDICES, _UPDATES), ranked, strict=False))
    (output,) = chain.outputs.values()
    # elements are counted from 1, their sources from 0
    due = chain.maps[output] + 1
    trace = run_of_count(operator, inputs, due.size, work)
    if trace is None or not trace.agrees or _short(due.shape) != _short(trace.output.shape):
        return None
    return trace if np.array_equal(trace.output.ravel(), due.ravel()) else None


def _rank(chain: Chain, *others: int) -> int:
    """The most dimensions of a tensor of the code."""
    (output,) = chain.outputs.values()
    return max(chain.maps[output].ndim, *map(len, chain.inputs.values()), *others)


def _short(sizes: Sizes) -> Sizes:
    """Sizes without the leading ones."""
    return sizes[next((d for d, n in enumerate(sizes) if n > 1), len(sizes)) :]


def _others(chain: Chain, indices: Array) -> Iterator[Array]:
    """Other indices that the code may take: the same ones elsewhere, and others where it reads."""
    yield from (np.flip(indices, axis) for axis in range(indices.ndim))
    if len(chain.inputs) == 1:
        yield np.zeros_like(indices)
        yield np.abs(indices.astype(np.int64) - 1).astype(indices.dtype)


def _with_others(chain: Chain, name: str, indices: Array) -> Iterator[tuple[Array, Chain]]:
    """Other indices, and the code with them, where it takes them."""
    sizes = {**chain.inputs, name: indices.shape}
    for other in _others(chain, indices):
        with suppress(Error):
            again = read(
                chain.text, sizes, {name: other}, chain.library, chain.data_type, chain.numbers
            )
            (output,) = again.outputs.values()
            if (again.maps[output] >= 0).all():
                yield other, again
