"""The index tensors and masks of code beside the tensors that move, and what each cell chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import Expr
from dmlviz.movement.formulas import POSITION, Formula, position_axis
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array, Sizes

Formulas = Mapping[str, tuple[Formula, ...]]


@dataclass(frozen=True)
class IndexTensors:
    """What chooses the elements of outputs, as their formulas look it up.

    Attributes:
        tensors: each index tensor or mask as the code says it, by name; of a mask, 1 or 0. One
            without dimensions has a single one.
        drivers: for each output, the first cell that chose an element, or -1, counted through all
            tensors; int64, of the output's sizes.
        length: how many cells choose an element together.
        apart: how far they are from each other, in cells.
    """

    tensors: Mapping[str, Array]
    drivers: Mapping[str, Array]
    length: int = 1
    apart: int = 1


def index_tensors(
    formulas: Formulas,
    sizes: Mapping[str, Sizes],
    whole_type: type[np.signedinteger[Any]],
    beside: Mapping[str, Array],
) -> IndexTensors:
    """The index tensors that formulas look up.

    Args:
        formulas: of each output, by name; one holds for each element.
        sizes: of each output.
        whole_type: of a list of whole numbers in the library.
        beside: those that are drawn already, of code that this is compared with, by name; one
            that is equal is not drawn twice, and another one of its name is that of B.
    """
    tensors: dict[str, Array] = dict(beside)
    called: dict[str, str] = {}
    for formula in (one for each in formulas.values() for one in each):
        for name, array in formula.written.values():
            whole = array.astype(np.uint8 if array.dtype == bool else whole_type)
            whole = whole.reshape(whole.shape or (1,))
            drawn = name not in beside or np.array_equal(beside[name], whole)
            called[name] = name if drawn else f"B.{name}"
            tensors[called[name]] = whole
    starts = np.cumsum([0, *(array.size for array in tensors.values())]).tolist()
    numbered = dict(zip(tensors, starts, strict=False))
    first = {name: numbered[new] for name, new in called.items()}
    cells = {name: _cells(formulas[name], of, first) for name, of in sizes.items()}
    drivers = {n: one[0] if one else np.full(sizes[n], -1, np.int64) for n, one in cells.items()}
    counts = {len(one) for one in cells.values()}
    if len(counts) == 1 and min(counts) > 1:
        length = min(counts)
        each = [np.array(one).reshape(length, -1) for one in cells.values()]
        chosen: Array = np.concatenate(each, axis=1)
        steps = np.unique(np.diff(chosen, axis=0))
        if steps.size == 1 and steps[0] > 0 and (chosen >= 0).all():
            return IndexTensors(tensors, drivers, length, int(steps[0]))
    return IndexTensors(tensors, drivers)


def _cells(formulas: Sequence[Formula], sizes: Sizes, first: Mapping[str, int]) -> list[Array]:
    """The cells that choose each element of an output, one array for each that does, or -1.

    Args:
        formulas: one holds for each element.
        sizes: of the output.
        first: the number of the first cell of each index tensor.
    """
    grid = np.indices(sizes, sparse=True)
    rows: list[Array] = []
    for formula in formulas:
        holds = formula.holds_for_each(grid)
        whole = (*formula.source, *(each.value for each in formula.where))
        looks = dict.fromkeys(one for e in whole for one in _looks(e, formula))
        for k, one in enumerate(looks):
            if k == len(rows):
                rows.append(np.full(sizes, -1, np.int64))
            rows[k] = np.where(holds, _cell(one, formula, grid, first), rows[k])
    return rows


def _looks(expression: Expr, formula: Formula) -> Iterator[Expr]:
    """The parts of an expression that look up what the code says."""
    if expression.op == "look" and expression.args[0] in formula.written:
        yield expression
    for arg in expression.args:
        if isinstance(arg, Expr):
            yield from _looks(arg, formula)


def _cell(one: Expr, formula: Formula, grid: Sequence[Any], first: Mapping[str, int]) -> Any:
    """The number of the cell that is looked up for each element."""
    table_name = str(one.args[0])
    name, own = formula.written[table_name]
    table = formula.tables[table_name]
    at = [arg.on(grid, formula.tables) for arg in one.args if isinstance(arg, Expr)]
    inner = [np.clip(i, 0, n - 1) for i, n in zip(at, table.shape, strict=True)]
    if table_name.startswith(POSITION):
        position, axis = table[tuple(inner)], position_axis(table_name)
        number = np.ravel_multi_index(
            np.broadcast_arrays(*inner[:axis], np.maximum(position, 0), *inner[axis + 1 :]),
            own.shape,
        )
        return np.where(position < 0, -1, first[name] + number)
    if table_name != name:
        # of a mask, the cells for which it holds are looked up in their order
        return first[name] + np.flatnonzero(own)[inner[0]]
    return first[name] + np.ravel_multi_index(np.broadcast_arrays(*inner), table.shape)


def remark(driver: int, of: IndexTensors) -> str:
    """What the cells say that choose an element, such as ``idx[1, 1] = 0``; empty if none does.

    Args:
        driver: the first of them, as in :attr:`IndexTensors.drivers`.
        of: the index tensors.
    """
    if driver < 0:
        return ""
    texts = []
    for cell in range(driver, driver + of.length * of.apart, of.apart):
        start = 0
        for name, array in of.tensors.items():
            if start <= cell < start + array.size:
                at = tuple(int(i) for i in np.unravel_index(cell - start, array.shape))
                value = bool(array[at]) if array.dtype == np.uint8 else array[at]
                texts.append(f"{name}{print_index(at)} = {value}")
            start += array.size
    return ", ".join(texts)
