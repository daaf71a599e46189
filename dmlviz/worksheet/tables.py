"""A tensor as tables: ink on paper, without a colour."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from dmlviz.tensors import print_label, print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]

MOST_CELLS = 400
"""How many cells of a tensor are printed."""


def tables(name: str, x: Array) -> str:
    """Each plane of the last two dimensions as a table, with its indices, as HTML.

    Args:
        name: what it is, for the heading.
        x: any sizes; of more than 400 elements only the sizes are printed.
    """
    heading = f"<h3>{escape(name)} <span>{escape(print_sizes(x.shape))}</span></h3>"
    if x.size > MOST_CELLS:
        told = _("Its {count} elements are too many to print.").format(count=f"{x.size:,}")
        return f'<div class="tensor">{heading}<p>{escape(told)}</p></div>'
    matrices = x.reshape(-1, *(1, *x.shape)[-2:])
    outer = list(np.ndindex(x.shape[:-2]))
    planes = "".join(
        _table(", ".join([*map(str, index), ":", ":"]) if index else "", plane, x.ndim == 1)
        for index, plane in zip(outer, matrices, strict=True)
    )
    return f'<div class="tensor">{heading}<div class="planes">{planes}</div></div>'


def _table(index: str, plane: Array, single: bool) -> str:
    caption = f"<caption>[{index}]</caption>" if index else ""
    columns = "".join(f'<th scope="col">{column}</th>' for column in range(plane.shape[1]))
    rows = "".join(
        f"<tr>{_row_head(row, single)}{_cells(values)}</tr>" for row, values in enumerate(plane)
    )
    return (
        f"<table>{caption}<thead><tr>{'' if single else '<td></td>'}{columns}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _cells(values: Array) -> str:
    return "".join(f"<td>{escape(print_label(value))}</td>" for value in values)


def _row_head(row: int, single: bool) -> str:
    return "" if single else f'<th scope="row">{row}</th>'
