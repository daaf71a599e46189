"""A dimension, and places along it, in a reader's words.

A row has places, a table has rows and columns; from three dimensions on they are indices.
"""

from __future__ import annotations

from dmlviz.base.words import _

SIMPLE = 2
"""The most dimensions that have a row's or a table's words."""


def direction(rank: int, d: int) -> str:
    """The dimension ``d`` of a tensor of ``rank`` dimensions, for the beginning of a title.

    >>> direction(1, 0), direction(2, 0), direction(2, 1), direction(4, 1)
    ('Along the row', 'Down', 'Across', 'Dimension 1')
    """
    if rank == 1:
        return _("Along the row")
    if rank == SIMPLE:
        return (_("Down"), _("Across"))[d]
    return _("Dimension {d}").format(d=d)


def along_words(rank: int, d: int) -> str:
    """The dimension ``d`` of a tensor of ``rank`` dimensions, within a sentence.

    >>> along_words(1, 0), along_words(2, 0), along_words(2, 1), along_words(4, 1)
    ('along the row', 'down the columns', 'along the rows', 'along dimension 1')
    """
    if rank == 1:
        return _("along the row")
    if rank == SIMPLE:
        return (_("down the columns"), _("along the rows"))[d]
    return _("along dimension {d}").format(d=d)


def place_words(rank: int, d: int, first: int, last: int | None = None) -> str:
    """An index along the dimension ``d``, or those from ``first`` to ``last``.

    >>> place_words(1, 0, 3), place_words(2, 0, 3, 3), place_words(2, 1, 0, 2)
    ('place 3', 'row 3', 'columns 0 to 2')
    >>> place_words(4, 2, 3), place_words(4, 2, 3, 5)
    ('index 3 of dimension 2', 'indices 3 to 5 of dimension 2')
    """
    several = last is not None and last != first
    if rank == 1:
        words = _("places {first} to {last}") if several else _("place {place}")
    elif rank == SIMPLE and d == 0:
        words = _("rows {first} to {last}") if several else _("row {place}")
    elif rank == SIMPLE:
        words = _("columns {first} to {last}") if several else _("column {place}")
    elif several:
        words = _("indices {first} to {last} of dimension {d}")
    else:
        words = _("index {place} of dimension {d}")
    return words.format(place=first, first=first, last=last, d=d)
