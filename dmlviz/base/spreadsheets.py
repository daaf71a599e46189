"""Texts in tables for spreadsheets, none of which is read as a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from dmlviz.base.deferred import regex

# where the comma is the decimal sign, a semicolon or a tab divides cells, also within quotes; wide
# signs begin a formula where Chinese, Japanese or Korean is written
_SIGNS = "=+@\uff1d\uff0b\uff0d\uff20\\-"
_FORMULA = regex(rf"^(?=[{_SIGNS}\t\r\n])|(?<=[;\t])(?= *[{_SIGNS}])")


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """A table as CSV (RFC 4180).

    All texts are quoted, and what a spreadsheet could read as the beginning of a formula gets an
    apostrophe before it.

    >>> write_csv(("a", "b"), [(1, "=SUM(1)")])
    '"a","b"\\r\\n1,"\\'=SUM(1)"\\r\\n'
    """
    out = StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_plain(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def _plain(text: str) -> str:
    numeric = text.lstrip("-").replace(".", "", 1).isdecimal()
    return text if numeric else _FORMULA.sub("'", text)
