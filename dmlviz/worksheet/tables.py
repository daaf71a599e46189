"""A tensor as tables for paper, without color."""

from __future__ import annotations

from collections.abc import Container, Mapping
from html import escape
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.tensors import print_label, print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]

MOST_CELLS = 400
"""The limit of cells of a tensor to print."""

_MANY = 64


def tables(
    name: str,
    x: Array,
    given: Container[int] | None = None,
    marks: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Each plane of the last two dimensions as a table, with its indices, as HTML.

    Args:
        name: its name, for the heading.
        x: any sizes; of more than 400 elements only the sizes are printed.
        given: the flat numbers of the elements to print; the other cells are empty; None for
            all.
        marks: letters in empty cells, by flat number.
    """
    heading = f"<h3>{escape(name)} <span>{escape(print_sizes(x.shape))}</span></h3>"
    if x.size > MOST_CELLS:
        told = _("It has {count} elements, too many to print.").format(count=f"{x.size:,}")
        return f'<div class="tensor">{heading}<p>{escape(told)}</p></div>'
    numbers = np.arange(x.size).reshape(-1, *(1, *x.shape)[-2:])
    texts = [
        escape(print_label(value)) if given is None or i in given else f"<b>{marks.get(i, '')}</b>"
        for i, value in enumerate(x.flat)
    ]
    outer = list(np.ndindex(x.shape[:-2]))
    planes = "".join(
        _table(_index(index), [[texts[i] for i in row] for row in plane.tolist()], x.ndim == 1)
        for index, plane in zip(outer, numbers, strict=True)
    )
    dense = " dense" if x.size > _MANY else ""
    return f'<div class="tensor{dense}">{heading}<div class="planes">{planes}</div></div>'


def _index(outer: tuple[int, ...]) -> str:
    return ", ".join([*map(str, outer), ":", ":"]) if outer else ""


def _table(index: str, plane: list[list[str]], single: bool) -> str:
    caption = f"<caption>[{index}]</caption>" if index else ""
    columns = "".join(f'<th scope="col">{column}</th>' for column in range(len(plane[0])))
    rows = "".join(
        f"<tr>{_row_head(row, single)}{_cells(texts)}</tr>" for row, texts in enumerate(plane)
    )
    return (
        f"<table>{caption}<thead><tr>{'' if single else '<td></td>'}{columns}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _cells(texts: list[str]) -> str:
    return "".join(f"<td>{text}</td>" for text in texts)


def _row_head(row: int, single: bool) -> str:
    return "" if single else f'<th scope="row">{row}</th>'
