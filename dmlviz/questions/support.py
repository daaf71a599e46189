"""The table of feature levels for answering questions about them."""

from __future__ import annotations

from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import print_ranks
from dmlviz.words import _

Row = tuple[str, str, str]
"""A feature level, the ranks and the data types that it accepts, as texts."""


def support_head() -> Row:
    """The headings of the columns.

    >>> support_head()
    ('Feature level', 'Dimensions', 'Data types')
    """
    return _("Feature level"), _("Dimensions"), _("Data types")


def support_rows(operator: Operator | type[Operator]) -> tuple[Row, ...]:
    """The "Tensor support" section of the operator's page, oldest level first.

    >>> from dmlviz.operators import Padding
    >>> support_rows(Padding)[0]
    ('1_0', '4 or 5', 'FLOAT32, FLOAT16')
    """
    return tuple(
        (row.level, print_ranks(row.ranks), ", ".join(row.data_types)) for row in operator.support
    )


def support_note() -> str:
    """How to read the table."""
    return _("Each row applies from its feature level up to the next row.")


def support_text(operator: Operator | type[Operator]) -> str:
    """The table as lines of text with a tab between columns.

    >>> from dmlviz.operators import Padding
    >>> support_text(Padding).splitlines()[1]
    '1_0\\t4 or 5\\tFLOAT32, FLOAT16'
    """
    rows = (support_head(), *support_rows(operator))
    return "\n".join((*("\t".join(row) for row in rows), "", support_note()))
